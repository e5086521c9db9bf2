import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../../data/session.ts';
import { SignInForm } from '../../shell/sign-in-form.tsx';

/** Entrar: the door of the console. */
export function SignInScreen() {
  const session = useSession();
  const navigate = useNavigate();
  const back = useLocation({ select: ({ search }) => (search as { volta?: string }).volta });
  const isOpen = session.is === 'open';
  useEffect(() => {
    document.title = 'Entrar · Partidas';
    if (isOpen) void navigate({ href: placeWithin(back), replace: true });
  }, [isOpen, back, navigate]);
  return (
    <main className="door">
      <h1>Partidas</h1>
      <SignInForm />
    </main>
  );
}

/** A place of this console: what would lead elsewhere leads to the start. */
function placeWithin(address: string | undefined): string {
  return address !== undefined && /^\/(?![/\\])/.test(address) && !address.startsWith('/entrar') ? address : '/';
}
