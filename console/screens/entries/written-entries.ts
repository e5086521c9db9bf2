import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { flushSync } from 'react-dom';
import { sumOf } from '../../../src/accounting/money.ts';
import type { GridHandle } from '../../ui/data-grid.tsx';
import type { Desk } from './desk.ts';
import { BATCHES_KEY, type DocumentEntries, type Entry, entriesKey, PAGE_ENTRIES } from './entries-data.ts';

/** Milliseconds of quiet after which the counts of the tree are read again. */
const QUIET = 1_500;

/** What the server has written of this tab's rows appears at once in the page that is shown, and later in the tree. */
export function useWrittenEntries(desk: Desk, grid: { readonly current: GridHandle | null }): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    desk.onWritten = (entry, wasReplaced) => {
      let shown = 0;
      flushSync(() => {
        client.setQueriesData<DocumentEntries>({ queryKey: entriesKey(desk.documentId) }, (before) => {
          if (before === undefined) return before;
          const after = withEntry(before, entry, wasReplaced);
          shown = after.entries.reduce((rows, { offset, lines }) => rows + (offset ? 1 : lines.length), 0);
          return after;
        });
      });
      if (!wasReplaced) grid.current?.markRow(shown - 1);
      clearTimeout(timer);
      timer = setTimeout(() => void client.invalidateQueries({ queryKey: [BATCHES_KEY] }), QUIET);
    };
    desk.onChangedElsewhere = () => void client.invalidateQueries({ queryKey: entriesKey(desk.documentId) });
    return () => {
      desk.onWritten = () => {};
      desk.onChangedElsewhere = () => {};
    };
  }, [client, desk, grid]);
}

function withEntry(page: DocumentEntries, entry: Entry, wasReplaced: boolean): DocumentEntries {
  const total = (of: Entry, side: 'D' | 'C') => sumOf(of.lines.map((line) => (line.side === side ? line.amount : 0n)));
  const before = page.entries.find(({ number }) => number === entry.number);
  const change = (side: 'D' | 'C') => total(entry, side) - (before ? total(before, side) : 0n);
  const sums = { debit: page.debit + change('D'), credit: page.credit + change('C') };
  if (before) {
    return { ...page, ...sums, entries: page.entries.map((each) => (each === before ? entry : each)) };
  }
  const isHere = !wasReplaced && (page.page + 1) * PAGE_ENTRIES >= page.count;
  return { ...page, ...sums, count: page.count + 1, entries: isHere ? [...page.entries, entry] : page.entries };
}
