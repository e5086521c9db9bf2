import { type RefObject, useRef } from 'react';
import { useSearchParams } from '../../data/search-params.ts';
import type { GridHandle } from '../../ui/data-grid.tsx';

/** Of the record that is not saved yet. */
export const NEW = 'novo';

/** The record whose form is open stands in the address; whoever closes it is back in the table. */
export function useRecordInAddress(): {
  readonly opened: string | undefined;
  readonly grid: RefObject<GridHandle | null>;
  readonly open: (id: string | undefined) => void;
} {
  const [{ registro }, set] = useSearchParams();
  const grid = useRef<GridHandle>(null);
  const open = (id: string | undefined) => {
    set({ registro: id });
    if (id === undefined) grid.current?.focus();
  };
  return { opened: registro, grid, open };
}
