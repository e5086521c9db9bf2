import type { ReactNode } from 'react';

/** State: done green, open amber, wrong red, none grey, seal violet. Its word says it too. */
export type Tone = 'done' | 'open' | 'wrong' | 'none' | 'seal';

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
