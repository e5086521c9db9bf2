import { Dialog } from '../ui/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Over the screen whose session has ended: what was typed stays, and goes out once the user is back. */
export function SignInDialog({ username }: { readonly username: string }) {
  return (
    <Dialog title="A sessão terminou" closable={false} bare onClose={() => {}}>
      <p>Entre de novo para continuar. Nada do que você digitou se perdeu.</p>
      <SignInForm username={username} />
    </Dialog>
  );
}
