import { useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'done' | 'wrong';
  readonly action?: { readonly text: string; readonly run: () => void };
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const SHOWN_FOR = 6_000;

/**
 * Says that something was done, above the key bar and never over the row being typed. What was refused stays until it is
 * closed.
 */
export function toast(text: string, { tone = 'done', action }: Partial<Pick<Toast, 'tone' | 'action'>> = {}): void {
  const id = ++lastId;
  become([...toasts.slice(-2), { id, text, tone, ...(action ? { action } : {}) }]);
  if (tone === 'done') setTimeout(() => dismiss(id), SHOWN_FOR);
}

function dismiss(id: number): void {
  become(toasts.filter((each) => each.id !== id));
}

function become(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Where toasts appear; the shell draws it once. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, text, tone, action }) => (
        <div key={id} className={`toast toast-${tone}`}>
          <Icon name={tone === 'done' ? 'check' : 'alert'} />
          <span>{text}</span>
          {action && (
            <Button
              kind="quiet"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.text}
            </Button>
          )}
          <Button kind="quiet" icon="close" aria-label="Fechar aviso" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
