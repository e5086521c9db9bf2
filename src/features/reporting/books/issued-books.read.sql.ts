import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { type Day, firstDay, lastDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import { offsetOf, type PageRequest } from '../../../platform/page-request.ts';
import type { BookKind, BookOwner, BoundAnnex, BoundVolume } from './issued-book.ts';

export interface IssuedBookRow {
  readonly id: number;
  readonly branchId: BranchId | null;
  /** null: the institution's. */
  readonly branch: string | null;
  readonly kind: BookKind;
  readonly firstNumber: number;
  readonly lastNumber: number;
  readonly from: Day;
  readonly to: Day;
  readonly folhas: number;
  readonly volumes: readonly BoundVolume[];
  readonly annexes: readonly BoundAnnex[];
  readonly format: 'PDF';
  readonly sha256: string;
  readonly bytes: number;
  readonly issuedAt: Date;
  readonly issuedBy: string;
  /** INVALIDATED: a month of it was opened again; REPLACED: and its successor is issued. */
  readonly state: 'ISSUED' | 'INVALIDATED' | 'REPLACED';
  readonly replacedBy: number | null;
  readonly invalidatedAt: Date | null;
  readonly invalidatedBy: string | null;
  readonly invalidationReason: string | null;
}

const BOOK_COLUMNS = SQL`issued_book.id, issued_book.branch_id AS "branchId", branch.code AS branch, issued_book.kind,
  issued_book.first_number AS "firstNumber", issued_book.last_number AS "lastNumber",
  issued_book.period_from AS "from", issued_book.period_to AS "to", issued_book.folhas, issued_book.volumes,
  issued_book.annexes, issued_book.format, issued_book.sha256, issued_book.bytes, issued_book.issued_at AS "issuedAt",
  issued_book.issued_by AS "issuedBy",
  CASE WHEN successor.id IS NULL THEN issued_book.state ELSE 'REPLACED' END AS state, successor.id AS "replacedBy",
  issued_book.invalidated_at AS "invalidatedAt", issued_book.invalidated_by AS "invalidatedBy",
  issued_book.invalidation_reason AS "invalidationReason"`;

/** The successor of an invalidated book is the one in force that begins on the same day or has its number. */
const bookJoins = (companyId: CompanyId): Fragment => SQL`
  LEFT JOIN branch ON branch.company_id = issued_book.company_id AND branch.id = issued_book.branch_id
  LEFT JOIN LATERAL (
    SELECT later.id FROM issued_book AS later
     WHERE issued_book.state = 'INVALIDATED' AND later.company_id = ${companyId}
       AND coalesce(later.branch_id, 0) = coalesce(issued_book.branch_id, 0) AND later.kind = issued_book.kind
       AND later.state = 'ISSUED' AND issued_book.first_number BETWEEN later.first_number AND later.last_number
     LIMIT 1) AS successor ON true`;

const ofOwner = ({ companyId, branchId }: BookOwner): Fragment =>
  SQL`issued_book.company_id = ${companyId} AND coalesce(issued_book.branch_id, 0) = ${branchId ?? 0}`;

/** Only who reaches the whole company reaches the institution's books. */
const REACHED = SQL`can_access(issued_book.company_id, coalesce(issued_book.branch_id, 0))`;

export interface BookFilter {
  /** null: the institution's. */
  readonly branchId?: BranchId | null | undefined;
  readonly kind?: BookKind | undefined;
  /** Books with a day in that year. */
  readonly year?: number | undefined;
}

/** A page of the register of a company, the branches that the caller reaches, newest periods first. */
export async function selectIssuedBooks(
  sql: Sql,
  companyId: CompanyId,
  { branchId, kind, year }: BookFilter,
  page: PageRequest,
): Promise<{ rows: IssuedBookRow[]; total: number }> {
  const chosen = SQL`issued_book.company_id = ${companyId} AND ${REACHED}
       AND (${branchId === undefined} OR coalesce(issued_book.branch_id, 0) = ${branchId ?? 0})
       AND (${kind ?? null}::text IS NULL OR issued_book.kind = ${kind ?? null})
       AND (${year ?? null}::integer IS NULL
            OR (issued_book.period_to >= make_date(coalesce(${year ?? null}::integer, 1), 1, 1)
                AND issued_book.period_from <= make_date(coalesce(${year ?? null}::integer, 1), 12, 31)))`;
  const rows = await sql.rows<IssuedBookRow>(SQL`
    SELECT ${BOOK_COLUMNS} FROM issued_book ${bookJoins(companyId)} WHERE ${chosen}
     ORDER BY issued_book.period_to DESC, natural_sort_key(coalesce(branch.code, '')), issued_book.kind,
              issued_book.id DESC
     LIMIT ${page.size} OFFSET ${offsetOf(page)}`);
  const { total } = await sql.one<{ total: number }>(SQL`
    SELECT count(*)::integer AS total FROM issued_book WHERE ${chosen}`);
  return { rows, total };
}

export function selectIssuedBook(sql: Sql, companyId: CompanyId, id: number): Promise<IssuedBookRow | undefined> {
  return sql.maybe<IssuedBookRow>(SQL`
    SELECT ${BOOK_COLUMNS} FROM issued_book ${bookJoins(companyId)}
     WHERE issued_book.company_id = ${companyId} AND issued_book.id = ${id} AND ${REACHED}`);
}

/** The book in force that was issued for this very request, whichever number the request leaves out or names. */
export function selectBookOfRequest(
  sql: Sql,
  owner: BookOwner,
  {
    kind,
    request,
    number,
  }: { readonly kind: BookKind; readonly request: string; readonly number?: number | undefined },
): Promise<{ id: number; bytes: number; sha256: string; printed: unknown } | undefined> {
  return sql.maybe(SQL`
    SELECT issued_book.id, issued_book.bytes, issued_book.sha256, issued_book.printed FROM issued_book
     WHERE ${ofOwner(owner)} AND issued_book.kind = ${kind} AND issued_book.state = 'ISSUED'
       AND issued_book.request = ${request}::jsonb
       AND issued_book.first_number = coalesce(${number ?? null}, issued_book.first_number)`);
}

/** The book in force over exactly this period. */
export function selectBookOfPeriod(
  sql: Sql,
  owner: BookOwner,
  { kind, from, to }: { readonly kind: BookKind; readonly from: Day; readonly to: Day },
): Promise<{ firstNumber: number; folhas: number; volumes: readonly BoundVolume[] } | undefined> {
  return sql.maybe(SQL`
    SELECT issued_book.first_number AS "firstNumber", issued_book.folhas, issued_book.volumes FROM issued_book
     WHERE ${ofOwner(owner)} AND issued_book.kind = ${kind} AND issued_book.state = 'ISSUED'
       AND issued_book.period_from = ${from} AND issued_book.period_to = ${to}`);
}

export interface NextBook {
  readonly kind: BookKind;
  /** null: the first one, whose number nobody has said yet. */
  readonly number: number | null;
  /** null: the first one begins where its request says. */
  readonly from: Day | null;
}

/**
 * What the next book of each kind must be: it goes on where the last one in force ends; where all were invalidated, it
 * takes the place of the first. The number of the very first is that of the branch's options.
 */
export function selectNextBooks(sql: Sql, owner: BookOwner): Promise<NextBook[]> {
  return sql.rows<NextBook>(SQL`
    SELECT kind.kind,
           coalesce(last.last_number + 1, first.first_number,
                    CASE kind.kind WHEN 'JOURNAL' THEN company_options.diary_book_number
                                   WHEN 'LEDGER' THEN company_options.ledger_book_number END) AS number,
           coalesce(last.period_to + 1, first.period_from) AS "from"
      FROM (VALUES ('JOURNAL'), ('LEDGER'), ('TRIAL_BALANCES')) AS kind (kind)
      LEFT JOIN company_options ON company_options.company_id = ${owner.companyId}
                               AND company_options.branch_id = ${owner.branchId ?? 0}
      LEFT JOIN LATERAL (
        SELECT issued_book.last_number, issued_book.period_to FROM issued_book
         WHERE ${ofOwner(owner)} AND issued_book.kind = kind.kind AND issued_book.state = 'ISSUED'
         ORDER BY issued_book.first_number DESC LIMIT 1) AS last ON true
      LEFT JOIN LATERAL (
        SELECT issued_book.first_number, issued_book.period_from FROM issued_book
         WHERE ${ofOwner(owner)} AND issued_book.kind = kind.kind
         ORDER BY issued_book.first_number, issued_book.id LIMIT 1) AS first ON true`);
}

export interface StandingBook {
  readonly id: number;
  readonly kind: BookKind;
  readonly firstNumber: number;
  readonly lastNumber: number;
  readonly from: Day;
  readonly to: Day;
  /** The institution's, not the branch's own. */
  readonly ofInstitution: boolean;
}

const STANDING_COLUMNS = SQL`issued_book.id, issued_book.kind, issued_book.first_number AS "firstNumber",
  issued_book.last_number AS "lastNumber", issued_book.period_from AS "from", issued_book.period_to AS "to",
  issued_book.branch_id IS NULL AS "ofInstitution"`;

/**
 * Books in force, the branch's and the institution's, that hold a day of the month: its closing checklist names them, and
 * reopening it invalidates them.
 */
export function selectIssuedBooksOfMonth(
  sql: Sql,
  { companyId, branchId }: BookOwner,
  month: Month,
): Promise<StandingBook[]> {
  return sql.rows<StandingBook>(SQL`
    SELECT ${STANDING_COLUMNS} FROM issued_book
     WHERE issued_book.company_id = ${companyId} AND issued_book.state = 'ISSUED'
       AND (issued_book.branch_id IS NULL OR issued_book.branch_id = ${branchId})
       AND issued_book.period_from <= ${lastDay(month)} AND issued_book.period_to >= ${firstDay(month)}
     ORDER BY issued_book.kind, issued_book.first_number`);
}
