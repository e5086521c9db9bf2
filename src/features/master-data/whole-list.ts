import { reject } from '../../accounting/problem.ts';

/** Most rows of a list of master data, which has no pages. Select one more, so that `assertWholeList` sees it. */
export const MAX_LISTED = 100_000;

/** The list, or LIST_TOO_LONG where it has more than `limit` rows: a list without pages is whole or not sent. */
export function assertWholeList<Row>(rows: Row[], limit = MAX_LISTED): Row[] {
  if (rows.length > limit) reject('LIST_TOO_LONG', { limit });
  return rows;
}
