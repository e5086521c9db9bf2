import type { CompanyId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BookKind, BookOwner, BoundAnnex, BoundVolume } from './issued-book.ts';

/**
 * Locks the options of the branch, or of all branches for a book of the institution: no other book of theirs is issued
 * and none of their months is opened again before the commit.
 */
export async function lockBooks(sql: Sql, { companyId, branchId }: BookOwner): Promise<void> {
  await sql.rows(SQL`
    SELECT company_options.id FROM company_options
     WHERE company_options.company_id = ${companyId}
       AND company_options.branch_id = coalesce(${branchId}, company_options.branch_id)
     ORDER BY company_options.branch_id FOR NO KEY UPDATE`);
}

export interface NewBook {
  readonly kind: BookKind;
  readonly from: Day;
  readonly to: Day;
  readonly volumes: readonly BoundVolume[];
  readonly annexes: readonly BoundAnnex[];
  readonly folhas: number;
  readonly sha256: string;
  readonly bytes: number;
  /** JSON. */
  readonly request: string;
  readonly printed: unknown;
  readonly issuedAt: Date;
  readonly issuedBy: string;
}

export async function insertIssuedBook(sql: Sql, { companyId, branchId }: BookOwner, book: NewBook): Promise<number> {
  const { id } = await sql.one<{ id: number }>(SQL`
    INSERT INTO issued_book (company_id, branch_id, kind, first_number, last_number, period_from, period_to, folhas,
                             volumes, annexes, format, sha256, bytes, request, printed, issued_at, issued_by)
    VALUES (${companyId}, ${branchId}, ${book.kind}, ${book.volumes[0]!.number}, ${book.volumes.at(-1)!.number},
            ${book.from}, ${book.to}, ${book.folhas}, ${JSON.stringify(book.volumes)}, ${JSON.stringify(book.annexes)},
            'PDF', ${book.sha256}, ${book.bytes}, ${book.request}, ${JSON.stringify(book.printed)}, ${book.issuedAt},
            ${book.issuedBy})
    RETURNING issued_book.id`);
  return id;
}

/** The number that the branch's options show for the next book of the kind; TRIAL_BALANCES has none there. */
export async function updateNextNumber(
  sql: Sql,
  { companyId, branchId }: BookOwner,
  kind: BookKind,
  number: number,
): Promise<void> {
  if (kind === 'TRIAL_BALANCES') return;
  const column = SQL.identifier(kind === 'JOURNAL' ? 'diary_book_number' : 'ledger_book_number');
  await sql.run(SQL`
    UPDATE company_options SET ${column} = ${number}, updated_at = now()
     WHERE company_options.company_id = ${companyId} AND company_options.branch_id = ${branchId}`);
}

export async function markBooksInvalid(
  sql: Sql,
  companyId: CompanyId,
  ids: readonly number[],
  { by, reason, at }: { readonly by: string; readonly reason: string; readonly at: Date },
): Promise<void> {
  await sql.run(SQL`
    UPDATE issued_book
       SET state = 'INVALIDATED', invalidated_at = ${at}, invalidated_by = ${by}, invalidation_reason = ${reason}
     WHERE issued_book.company_id = ${companyId} AND issued_book.id = ANY (${ids}::bigint[])`);
}
