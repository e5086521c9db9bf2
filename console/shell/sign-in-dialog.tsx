import { useEffect } from 'react';
import { resumeSession } from '../data/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ProviderButtons, useProviders } from './providers.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Over the screen whose session has ended: what was typed stays, and goes out once the user is back. */
export function SignInDialog({ username }: { readonly username: string }) {
  const hasProviders = useProviders().length > 0;
  // Whoever signed in in another tab comes back to this one.
  useEffect(() => {
    const resume = () => void resumeSession();
    window.addEventListener('focus', resume);
    return () => window.removeEventListener('focus', resume);
  }, []);
  return (
    <Dialog title="A sessão terminou" closable={false} bare onClose={() => {}}>
      <p>Entre de novo para continuar. Nada do que você digitou se perdeu.</p>
      <SignInForm username={username} />
      {hasProviders && (
        <>
          <ProviderButtons back="/" newTab />
          <Button kind="quiet" onClick={() => void resumeSession()}>
            Já entrei em outra aba
          </Button>
        </>
      )}
    </Dialog>
  );
}
