import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSession } from '../../data/session.ts';
import { ProviderButtons, providerRefusal } from '../../shell/providers.tsx';
import { SignInForm } from '../../shell/sign-in-form.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Entrar: the door of the console. */
export function SignInScreen() {
  const session = useSession();
  const navigate = useNavigate();
  const asked = useLocation({ select: ({ search }) => search as { volta?: string; erro?: string } });
  // What the address said on arrival: it changes while this screen is left.
  const [{ volta: back, erro }] = useState(asked);
  const refusal = providerRefusal(erro);
  const isOpen = session.is === 'open';
  useEffect(() => {
    document.title = 'Entrar · Partidas';
    if (isOpen) void navigate({ href: placeWithin(back), replace: true });
  }, [isOpen, back, navigate]);
  return (
    <main className="door">
      <header className="door-head">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <rect width="24" height="24" rx="5" />
          <path d="M8 18V6h5a3.2 3.2 0 0 1 0 6.4H8M8 18h8" />
        </svg>
        <h1>Partidas</h1>
        <p>Contabilidade de bancos, corretoras e fundos</p>
      </header>
      <div className="door-sheet">
        {refusal !== undefined && (
          <p className="door-refusal" role="alert">
            <Icon name="alert" /> {refusal}
          </p>
        )}
        <SignInForm />
        <ProviderButtons back={placeWithin(back)} />
      </div>
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
