import { useMemo, useRef, useState } from 'react';

/** Rows that come by pages: a row that is not there yet is undefined and drawn grey. */
export interface PagedRows<Row> {
  readonly count: number;
  at(index: number): Row | undefined;
  /** The grid will show these rows: loads what is missing. */
  want(from: number, to: number): void;
}

interface PagesOptions<Row> {
  /** How many rows there are in all. */
  readonly count: number;
  readonly pageSize: number;
  /** The rows of a page, from 0; called once for each page that scrolls into view. */
  readonly load: (page: number, signal: AbortSignal) => Promise<readonly Row[]>;
  /** Another value throws away what was loaded: filters, month, account. */
  readonly of: string;
}

interface Pages<Row> {
  readonly of: string;
  readonly loaded: Map<number, readonly Row[]>;
  readonly underWay: Map<number, AbortController>;
}

/**
 * Rows of a list too long to hold, a page at a time as it scrolls into view. A page that scrolled past before it came is
 * given up. `error` is the last failure; `repeat` asks again.
 */
export function usePages<Row>({ count, pageSize, load, of }: PagesOptions<Row>): PagedRows<Row> & {
  readonly error: unknown;
  repeat(): void;
} {
  const [, redraw] = useState(0);
  const [error, setError] = useState<unknown>();
  const pages = useRef<Pages<Row>>({ of, loaded: new Map(), underWay: new Map() });
  if (pages.current.of !== of) {
    for (const stop of pages.current.underWay.values()) stop.abort();
    pages.current = { of, loaded: new Map(), underWay: new Map() };
  }
  const now = pages.current;
  const fetchPage = async (page: number) => {
    const stop = new AbortController();
    now.underWay.set(page, stop);
    try {
      now.loaded.set(page, await load(page, stop.signal));
      setError(undefined);
    } catch (failure) {
      if (!stop.signal.aborted) setError(failure);
    } finally {
      now.underWay.delete(page);
      redraw((drawn) => drawn + 1);
    }
  };
  const latest = useRef(fetchPage);
  latest.current = fetchPage;
  return useMemo(
    () => ({
      count,
      error,
      at: (index) => now.loaded.get(Math.floor(index / pageSize))?.[index % pageSize],
      want: (from, to) => {
        const first = Math.floor(from / pageSize);
        const last = Math.floor(Math.max(from, Math.min(to, count) - 1) / pageSize);
        for (const [page, stop] of now.underWay) if (page < first - 1 || page > last + 1) stop.abort();
        if (count === 0) return;
        for (let page = first; page <= last; page++) {
          if (!now.loaded.has(page) && !now.underWay.has(page)) void latest.current(page);
        }
      },
      repeat: () => {
        setError(undefined);
        redraw((drawn) => drawn + 1);
      },
    }),
    [count, error, pageSize, now],
  );
}

/** A tree as rows in their order from the top, each with its level. */
export interface TreeRows<Row> {
  levelOf(row: Row): number;
  /** Keys of the rows that show what is below them. */
  readonly open: ReadonlySet<string | number>;
  onOpenChange(open: ReadonlySet<string | number>): void;
}

/** A row as the grid draws it. */
export interface ShownRow<Row> {
  readonly row: Row;
  readonly key: string | number;
  readonly level: number;
  /** undefined: nothing is below it. */
  readonly isOpen: boolean | undefined;
}

/** The rows of the tree that are not below a closed one. */
export function shownRows<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | number,
  tree: TreeRows<Row> | undefined,
): readonly ShownRow<Row>[] {
  if (tree === undefined) return rows.map((row) => ({ row, key: keyOf(row), level: 1, isOpen: undefined }));
  const shown: ShownRow<Row>[] = [];
  let closedAt = Number.POSITIVE_INFINITY;
  rows.forEach((row, at) => {
    const level = tree.levelOf(row);
    if (level > closedAt) return;
    const next = rows[at + 1];
    const key = keyOf(row);
    const isOpen = next !== undefined && tree.levelOf(next) > level ? tree.open.has(key) : undefined;
    closedAt = isOpen === false ? level : Number.POSITIVE_INFINITY;
    shown.push({ row, key, level, isOpen });
  });
  return shown;
}

/** The keys of all rows with others below them: for `*`. */
export function keysToOpen<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | number,
  levelOf: (row: Row) => number,
): Set<string | number> {
  return new Set(rows.filter((row, at) => at + 1 < rows.length && levelOf(rows[at + 1]!) > levelOf(row)).map(keyOf));
}
