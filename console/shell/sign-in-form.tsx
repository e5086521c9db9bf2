import { type FormEvent, useEffect, useState } from 'react';
import { SignInRefused, signIn } from '../data/session.ts';
import { Button } from '../ui/button.tsx';
import { messageOf } from '../ui/states.tsx';
import { TextField } from '../ui/text-field.tsx';

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
      setRefusal(messageOf(error));
      if (error instanceof SignInRefused) {
        if (error.code.startsWith('TOTP') || error.code === 'SECOND_FACTOR_REQUIRED') setAsksCode(true);
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
        {refusal}
        {wait > 0 && ` Tente de novo em ${wait} s.`}
      </p>
      <Button type="submit" kind="primary" busy={busy} disabled={wait > 0}>
        Entrar
      </Button>
    </form>
  );
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
