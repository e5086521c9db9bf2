import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSession } from '../../data/session.ts';
import { SignInForm } from '../../shell/sign-in-form.tsx';

/** Entrar: the door of the console. */
export function SignInScreen() {
  const session = useSession();
  const navigate = useNavigate();
  const asked = useLocation({ select: ({ search }) => (search as { volta?: string }).volta });
  // What the address said on arrival: it changes while this screen is left.
  const [back] = useState(asked);
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
function placeWithin(address = '/'): string {
  const { origin, pathname, search } = URL.canParse(address, location.origin)
    ? new URL(address, location.origin)
    : location;
  return origin === location.origin && !pathname.startsWith('/entrar') ? pathname + search : '/';
}
