import { Navigate, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { readSession, useSession } from '../data/session.ts';
import { Button } from '../ui/button.tsx';
import { listenForKeys } from '../ui/keys.tsx';
import { Toasts } from '../ui/toast.tsx';
import { SignInDialog } from './sign-in-dialog.tsx';

/** Only whoever is signed in sees screens; a session that ends meanwhile is opened again over the screen. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const location = useLocation();
  useEffect(listenForKeys, []);
  if (session.is === 'unknown') return null;
  if (session.is === 'unreachable') {
    return (
      <main className="away">
        <h1>Partidas não responde</h1>
        <p>{session.why}</p>
        <Button kind="primary" onClick={() => void readSession()}>
          Tentar de novo
        </Button>
      </main>
    );
  }
  const isAtDoor = location.pathname === '/entrar';
  if (session.is === 'none' && !isAtDoor) {
    return <Navigate to="/entrar" search={{ volta: location.href } as never} replace />;
  }
  return (
    <>
      {children}
      <Toasts />
      {session.is === 'ended' && <SignInDialog username={session.who.user.username} />}
    </>
  );
}
