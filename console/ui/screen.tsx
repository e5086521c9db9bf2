import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { usePlace } from '../data/place.ts';
import { useMonthState } from '../data/queries.ts';
import { enterMain } from './arrival.ts';
import { Badge } from './badge.tsx';
import { monthTitle } from './format.ts';
import { type KeyBinding, useKeys } from './keys.tsx';

interface ScreenProps {
  readonly title: string;
  /** In the title of the page, where the heading says something of the moment. */
  readonly name?: string;
  /** Beside the title, in its place: 'outubro de 2026' by default; null for screens without a month. */
  readonly subtitle?: ReactNode;
  /** Beside them: by default the state of the month where the subtitle is the month. */
  readonly badge?: ReactNode;
  /** Filters and buttons at the right. */
  readonly actions?: ReactNode;
  /** The keys of the screen, shown in the bottom bar. Keys of the table need no `run`: the grid has them. */
  readonly keys?: readonly KeyBinding[];
  /** Above the title: breadcrumbs. */
  readonly lead?: ReactNode;
  /** Between title and content, over its whole width: figures. */
  readonly summary?: ReactNode;
  /** Beside the content: a SidePanel. */
  readonly side?: ReactNode;
  readonly children: ReactNode;
}

const NO_KEYS: readonly KeyBinding[] = [];

/** The frame of a screen: title, state, actions, keys, content that fills the page. */
export function Screen({
  title,
  name = title,
  subtitle,
  badge,
  actions,
  keys = NO_KEYS,
  lead,
  summary,
  side,
  children,
}: ScreenProps) {
  const { month } = usePlace();
  const main = useRef<HTMLElement>(null);
  useKeys(keys);
  useLayoutEffect(() => {
    document.title = `${name} · Partidas`;
  }, [name]);
  useEffect(() => enterMain(main.current!), []);
  return (
    <main ref={main} id="main" tabIndex={-1} className="screen">
      {lead !== undefined && <div className="screen-lead">{lead}</div>}
      <header className="screen-head">
        <h1>{title}</h1>
        {subtitle === undefined ? (
          <span className="screen-subtitle">{monthTitle(month)}</span>
        ) : (
          subtitle && <span className="screen-subtitle">{subtitle}</span>
        )}
        {badge === undefined && subtitle === undefined ? <MonthBadge /> : badge}
        {actions !== undefined && <div className="screen-actions">{actions}</div>}
      </header>
      {summary !== undefined && <div className="screen-summary">{summary}</div>}
      <div className={side ? 'screen-body screen-body-with-side' : 'screen-body'}>
        <div className="screen-content">{children}</div>
        {side}
      </div>
    </main>
  );
}

/** The state of the month of the address. */
export function MonthBadge() {
  const state = useMonthState();
  if (state === undefined) return null;
  if (state === 'OPEN') return <Badge tone="open">aberto</Badge>;
  return state === 'CLOSED' ? <Badge tone="done">consolidado</Badge> : <Badge tone="none">não aberto</Badge>;
}

/** A white sheet for what is not a table. */
export function Panel({ title, children }: { readonly title?: string; readonly children: ReactNode }) {
  return (
    <section className="panel">
      {title !== undefined && <h2>{title}</h2>}
      {children}
    </section>
  );
}
