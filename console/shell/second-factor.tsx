import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { messageOf } from '../ui/states.tsx';

interface Enrolment {
  readonly secret: string;
  readonly uri: string;
  readonly recoveryCodes: readonly string[];
}

/** An administrator without a second factor, where one is demanded, sets it up here: the secret is shown once. */
export function SecondFactorSetup({
  credentials,
  onReady,
}: {
  readonly credentials: { readonly username: string; readonly password: string };
  readonly onReady: () => void;
}) {
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [wrong, setWrong] = useState<string>();
  const enrol = async () => {
    try {
      const response = await fetch('/api/authentication/api/auth/mfa/enrolment', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-language': 'pt-BR' },
        body: JSON.stringify(credentials),
      });
      const body = await response.json();
      if (!response.ok) return setWrong(body.detail);
      setEnrolment(body);
      onReady();
    } catch (error) {
      setWrong(messageOf(error));
    }
  };
  if (enrolment === undefined) {
    return (
      <div className="sign-in-setup">
        <p>Nesta instalação administradores entram com um segundo fator, e você ainda não tem um.</p>
        {wrong !== undefined && (
          <p className="field-problem" role="alert">
            {wrong}
          </p>
        )}
        <Button onClick={enrol}>Cadastrar o segundo fator</Button>
      </div>
    );
  }
  return (
    <div className="sign-in-setup" role="status">
      <p>
        Inclua no aplicativo autenticador a chave abaixo, ou <a href={enrolment.uri}>abra-o neste aparelho</a>, e digite
        o código que ele mostra. Ela não será mostrada de novo.
      </p>
      <p className="sign-in-secret">{enrolment.secret.match(/.{1,4}/g)?.join(' ')}</p>
      <details>
        <summary>Códigos de recuperação</summary>
        <p>Guarde-os em lugar seguro: cada um vale uma entrada, se o aparelho se perder.</p>
        <ul className="sign-in-codes">
          {enrolment.recoveryCodes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}
