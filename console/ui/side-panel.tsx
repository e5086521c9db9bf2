import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface SidePanelProps {
  readonly title: ReactNode;
  readonly children: ReactNode;
  /** Without it the panel stays. */
  readonly onClose?: () => void;
}

/** Beside the table: what the marked row is about. Below it where the page is narrow. */
export function SidePanel({ title, children, onClose }: SidePanelProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and without a stop the keyboard could not
    <aside className="side-panel" tabIndex={0}>
      <header>
        <h2>{title}</h2>
        {onClose && <Button kind="quiet" icon="close" aria-label="Fechar" onClick={onClose} />}
      </header>
      <div className="side-panel-body">{children}</div>
    </aside>
  );
}

/** Digits that nobody reads but all compare: small, broken where the room ends. */
export function Digest({ children }: { readonly children: string | null }) {
  return <span className="digest">{children}</span>;
}

/** Names and values below each other: [['Data', '01/10/2026'], …]. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
