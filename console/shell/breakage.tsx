import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';

/** What a defect of a screen leaves: the shell, and the offer to begin the screen again. */
export class Breakage extends Component<{ readonly children: ReactNode }, { readonly error: Error | undefined }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <main id="main" className="state state-failure" role="alert">
        <p className="state-title">Esta tela parou</p>
        <p>Um defeito do console, não dos livros: o que estava gravado continua gravado.</p>
        <Button onClick={() => this.setState({ error: undefined })}>Abrir de novo</Button>
      </main>
    );
  }
}
