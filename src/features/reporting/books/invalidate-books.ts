import type { Month } from '../../../accounting/period.ts';
import type { Consequence } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import type { BranchKey } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { bookInWords } from './issued-book.ts';
import { type StandingBook, selectIssuedBooksOfMonth, selectNextBooks } from './issued-books.read.sql.ts';
import { markBooksInvalid, updateNextNumber } from './issued-books.sql.ts';

/** What reopening the month does to issued books; none where no book stands on it. The caller has locked the options. */
export async function consequencesForBooks(sql: Sql, branch: BranchKey, month: Month): Promise<Consequence[]> {
  const books = await selectIssuedBooksOfMonth(sql, branch, month);
  return books.length === 0 ? [] : [{ consequence: 'BOOKS_ARE_INVALIDATED', books: inWords(books) }];
}

/**
 * Invalidates the books that stand on a month that is opened again: they stay in the register with their bytes, and the
 * books that replace them take their numbers. Returns them.
 */
export async function invalidateBooks(
  sql: Transaction,
  context: Pick<Context, 'caller' | 'address' | 'now'>,
  branch: BranchKey,
  month: Month,
  reason: string,
): Promise<readonly StandingBook[]> {
  const books = await selectIssuedBooksOfMonth(sql, branch, month);
  if (books.length === 0) return [];
  const { companyId } = branch;
  const ids = books.map(({ id }) => id);
  await markBooksInvalid(sql, companyId, ids, { by: context.caller.username, reason, at: context.now() });
  for (const { kind, number } of await selectNextBooks(sql, branch)) {
    const isOfBranch = books.some((book) => book.kind === kind && !book.ofInstitution);
    if (isOfBranch && number !== null) await updateNextNumber(sql, branch, kind, number);
  }
  for (const { id, ofInstitution, ...book } of books) {
    const branchId = ofInstitution ? undefined : branch.branchId;
    const after = { ...book, reason };
    await recordAudit(sql, context, { action: 'INVALIDATE', entity: 'book', entityId: id, companyId, branchId, after });
  }
  return books;
}

/** Maximum number of books that an error names. */
const MAX_NAMED = 10;

function inWords(books: readonly StandingBook[]): string {
  return books.slice(0, MAX_NAMED).map(bookInWords).join(', ') + (books.length > MAX_NAMED ? ', …' : '');
}
