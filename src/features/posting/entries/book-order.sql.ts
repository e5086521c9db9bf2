import { BOOK_ORDER, type BookPlace } from '../../../accounting/book-order.ts';

/** A column that already orders the codes of a key, and of omitted keys before it. */
interface Rank {
  readonly rank: string;
}

/** The order of the books as ORDER BY, by those of its keys that the statement has columns for. */
export function bookOrder(columns: Partial<Record<keyof BookPlace, string | Rank>>): string {
  return BOOK_ORDER.flatMap(({ of, as }) => {
    const column = columns[of];
    if (column === undefined) return [];
    if (typeof column === 'object') return column.rank;
    return as === 'CODE' ? `natural_sort_key(${column})` : column;
  }).join(', ');
}
