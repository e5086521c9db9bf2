import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { useKeys } from './keys.tsx';
import { messageOf } from './states.tsx';
import { TextField } from './text-field.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at the foot; the main one last. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  /** Esc and the cross do not close it: something must be answered. */
  readonly closable?: boolean;
  /** Enter in a field presses the main action. */
  readonly onSubmit?: () => void;
  /** The content has a form of its own. */
  readonly bare?: boolean;
}

/** A question or a form over the screen. Focus goes in, stays in, and comes back to where it was. */
export function Dialog({
  title,
  onClose,
  children,
  actions,
  wide = false,
  closable = true,
  onSubmit,
  bare = false,
}: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useKeys([], 'dialog');
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = element.current!;
    dialog.showModal();
    const main = dialog.querySelector<HTMLElement>('footer .button-primary, footer .button');
    (firstOf(dialog) ?? main)?.focus();
    return () => {
      // What is behind an open dialog cannot have the focus.
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      className={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (closable) onClose();
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        {closable && <Button kind="quiet" icon="close" aria-label="Fechar" onClick={onClose} />}
      </header>
      {bare ? (
        <div className="dialog-body">{children}</div>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit?.();
          }}
        >
          <div className="dialog-body">{children}</div>
          {actions && <footer>{actions}</footer>}
        </form>
      )}
    </dialog>
  );
}

/** The first field; in a question without fields the first button at its foot, which is the harmless one. */
function firstOf(dialog: HTMLDialogElement): HTMLElement | null {
  const field = dialog.querySelector<HTMLElement>(
    '[autofocus], .dialog-body :is(input:not([readonly]), select, textarea, .grid)',
  );
  const main = dialog.querySelector<HTMLElement>('footer .button-primary, footer button');
  return field ?? main ?? dialog.querySelector<HTMLElement>('button');
}

interface ConfirmProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The verb of the button: 'Excluir lote'. */
  readonly action: string;
  readonly danger?: boolean;
  /** Must be typed first, for what cannot be taken back: '10/2026'. */
  readonly word?: string;
  /** Does it; what it throws is shown, and the question stays. */
  readonly onConfirm: () => Promise<unknown> | unknown;
  readonly onClose: () => void;
}

/** A question before something grave. Closes when it is done. */
export function ConfirmDialog({ title, children, action, danger = false, word, onConfirm, onClose }: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const isReady = word === undefined || typed.trim().toLowerCase() === word.toLowerCase();
  const confirm = async () => {
    if (!isReady || busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={confirm}
      actions={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" kind={danger ? 'danger' : 'primary'} disabled={!isReady} busy={busy}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {word !== undefined && <TextField label={`Digite ${word} para confirmar`} value={typed} onChange={setTyped} />}
      {error !== undefined && (
        <p className="field-problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}
