import { BOOK_ORDER, type BookPlace } from '../../../accounting/book-order.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';

/** A column that already orders the codes of a key, and of omitted keys before it. */
interface Rank {
  readonly rank: string;
}

type Columns = Partial<Record<keyof BookPlace, string | Rank>>;

/** The order of the books as ORDER BY, by those of its keys that the statement has columns for. */
export function bookOrder(columns: Columns): Fragment {
  return SQL.join(keysOf(columns));
}

/** The same from the last to the first. */
export function reverseBookOrder(columns: Columns): Fragment {
  return SQL.join(keysOf(columns).map((key) => SQL`${key} DESC`));
}

function keysOf(columns: Columns): Fragment[] {
  return BOOK_ORDER.flatMap(({ of, as }) => {
    const column = columns[of];
    if (column === undefined) return [];
    if (typeof column === 'object') return SQL.identifier(column.rank);
    return as === 'CODE' ? SQL`natural_sort_key(${SQL.identifier(column)})` : SQL.identifier(column);
  });
}
