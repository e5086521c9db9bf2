import { type FormEvent, useEffect, useState } from 'react';
import { SignInRefused, signIn } from '../data/session.ts';
import { Button } from '../ui/button.tsx';
import { messageOf } from '../ui/states.tsx';
import { TextField } from '../ui/text-field.tsx';
import { SecondFactorSetup } from './second-factor.tsx';
import './sign-in.css';

interface SignInFormProps {
  /** Whose session is opened again; without it the field is empty. */
  readonly username?: string;
  readonly onSignedIn?: () => void;
}

/** User, password and, where the server asks for it, the code of the second factor. */
export function SignInForm({ username: given = '', onSignedIn }: SignInFormProps) {
  const [username, setUsername] = useState(given);
  const [password, setPassword] = useState('');
  const [totp, setTotp] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const [isWithoutFactor, setIsWithoutFactor] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [wait, setWait] = useSecondsLeft();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || wait > 0) return;
    setBusy(true);
    setRefusal(undefined);
    try {
      await signIn({ username, password, ...(totp === '' ? {} : { totp }) });
      onSignedIn?.();
    } catch (error) {
      const asksForCode = error instanceof SignInRefused && error.code.startsWith('MFA_') && !asksCode;
      setRefusal(asksForCode ? undefined : messageOf(error));
      if (error instanceof SignInRefused) {
        if (error.code === 'MFA_REQUIRED') setAsksCode(true);
        setIsWithoutFactor(error.code === 'MFA_NOT_ENROLLED');
        setWait(error.retryAfter ?? 0);
      }
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="sign-in" onSubmit={submit} noValidate>
      <TextField
        label="Usuário"
        value={username}
        onChange={setUsername}
        autoComplete="username"
        readOnly={given !== ''}
        autoFocus={given === ''}
        spellCheck={false}
      />
      <TextField
        label="Senha"
        type="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        autoFocus={given !== ''}
      />
      {isWithoutFactor && <SecondFactorSetup credentials={{ username, password }} onReady={() => setAsksCode(true)} />}
      {asksCode && (
        <TextField
          label="Código do segundo fator"
          value={totp}
          onChange={setTotp}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
        />
      )}
      <p className="field-problem" role="alert">
        {wait > 0 ? `Tentativas demais. Tente de novo em ${waitText(wait)}.` : refusal}
      </p>
      <Button type="submit" kind="primary" busy={busy} disabled={wait > 0}>
        Entrar
      </Button>
    </form>
  );
}

/** '14 min 05 s'. */
function waitText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** Seconds that still have to pass. */
function useSecondsLeft(): [number, (seconds: number) => void] {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return [left, setLeft];
}
