import type { CompanyId } from '../../../../accounting/ids.ts';
import { type Day, lastDay, monthOfDay } from '../../../../accounting/period.ts';
import type { Sql } from '../../../../platform/database/sql.ts';
import { SQL } from '../../../../platform/database/statement.ts';
import { assertWholeList, MAX_LISTED } from '../../../master-data/whole-list.ts';
import type { EcdBook } from '../ecd/ecd-file.ts';
import type { DeliveryStatus, FilingKind, Remittance } from './delivery.ts';

export interface DeliveryRow {
  readonly id: number;
  readonly kind: FilingKind;
  readonly from: Day;
  readonly to: Day;
  readonly book: EcdBook | null;
  readonly orderNumber: number | null;
  readonly remittance: Remittance | null;
  readonly sha256: string;
  readonly bytes: number;
  readonly lines: number;
  readonly errors: number;
  readonly warnings: number;
  readonly status: DeliveryStatus;
  readonly bookHash: string | null;
  readonly receipt: string | null;
  readonly replacesId: number | null;
  readonly jobId: number | null;
  /** Its file is still kept. */
  readonly hasFile: boolean;
  readonly generatedAt: Date;
  readonly generatedBy: string;
  readonly updatedAt: Date;
}

const DELIVERY_COLUMNS = SQL`regulatory_delivery.id, regulatory_delivery.kind, regulatory_delivery.from_day AS "from",
  regulatory_delivery.to_day AS "to", regulatory_delivery.book, regulatory_delivery.order_number AS "orderNumber",
  regulatory_delivery.remittance, regulatory_delivery.sha256, regulatory_delivery.bytes, regulatory_delivery.lines,
  regulatory_delivery.errors, regulatory_delivery.warnings, regulatory_delivery.status,
  regulatory_delivery.book_hash AS "bookHash", regulatory_delivery.receipt,
  regulatory_delivery.replaces_id AS "replacesId", regulatory_delivery.job_id AS "jobId",
  regulatory_delivery.generated_at AS "generatedAt", regulatory_delivery.generated_by AS "generatedBy",
  regulatory_delivery.updated_at AS "updatedAt"`;

type StoredDelivery = Omit<DeliveryRow, 'hasFile'>;

/** The deliveries of a company that have a day in that year, newest first. */
export async function selectDeliveries(sql: Sql, companyId: CompanyId, year: number): Promise<DeliveryRow[]> {
  const rows = await sql.rows<StoredDelivery>(SQL`
    SELECT ${DELIVERY_COLUMNS} FROM regulatory_delivery
     WHERE regulatory_delivery.company_id = ${companyId}
       AND regulatory_delivery.to_day >= make_date(${year}, 1, 1)
       AND regulatory_delivery.from_day <= make_date(${year}, 12, 31)
     ORDER BY regulatory_delivery.id DESC LIMIT ${MAX_LISTED + 1}`);
  return withFiles(sql, companyId, assertWholeList(rows));
}

export async function selectDelivery(sql: Sql, companyId: CompanyId, id: number): Promise<DeliveryRow | undefined> {
  const rows = await sql.rows<StoredDelivery>(SQL`
    SELECT ${DELIVERY_COLUMNS} FROM regulatory_delivery
     WHERE regulatory_delivery.company_id = ${companyId} AND regulatory_delivery.id = ${id}`);
  return (await withFiles(sql, companyId, rows))[0];
}

/** Apart from the deliveries, because jobs are not beside the books on a cluster. */
async function withFiles(sql: Sql, companyId: CompanyId, rows: readonly StoredDelivery[]): Promise<DeliveryRow[]> {
  const ids = rows.flatMap(({ jobId }) => jobId ?? []);
  const kept = await sql.rows<{ id: number }>(SQL`
    SELECT job.id FROM job
     WHERE job.company_id = ${companyId} AND job.id = ANY (${ids}::bigint[]) AND job.status = 'DONE'`);
  const files = new Set(kept.map(({ id }) => id));
  return rows.map((row) => ({ ...row, hasFile: row.jobId !== null && files.has(row.jobId) }));
}

/**
 * The number of the book that was written last for the same period, or for its first month where that is a book of its own; else
 * the one after the highest; undefined: no book yet.
 */
export async function selectNextOrderNumber(
  sql: Sql,
  companyId: CompanyId,
  { book, from, to }: { readonly book: EcdBook; readonly from: Day; readonly to: Day },
): Promise<number | undefined> {
  const { same, last } = await sql.one<{ same: number | null; last: number | null }>(SQL`
    SELECT max(regulatory_delivery.order_number)
             FILTER (WHERE regulatory_delivery.book = ${book} AND regulatory_delivery.from_day = ${from}
               AND regulatory_delivery.to_day IN (${to}, ${lastDay(monthOfDay(from))})) AS same,
           max(regulatory_delivery.order_number) AS last
      FROM regulatory_delivery
     WHERE regulatory_delivery.company_id = ${companyId} AND regulatory_delivery.kind = 'ECD'`);
  return same ?? (last === null ? undefined : last + 1);
}

/** The number of the next journal in the options of the head office, else of the first branch. */
export async function selectDiaryNumber(sql: Sql, companyId: CompanyId): Promise<number | undefined> {
  const row = await sql.maybe<{ number: number | null }>(SQL`
    SELECT company_options.diary_book_number AS number
      FROM company_options
      JOIN branch ON branch.company_id = company_options.company_id AND branch.id = company_options.branch_id
     WHERE company_options.company_id = ${companyId}
     ORDER BY branch.head_office DESC, natural_sort_key(branch.code) LIMIT 1`);
  return row?.number ?? undefined;
}

/** The accepted delivery of a document of the central bank for a month. */
export function selectAccepted(
  sql: Sql,
  companyId: CompanyId,
  kind: FilingKind,
  from: Day,
): Promise<{ readonly id: number } | undefined> {
  return sql.maybe(SQL`
    SELECT regulatory_delivery.id FROM regulatory_delivery
     WHERE regulatory_delivery.company_id = ${companyId} AND regulatory_delivery.kind = ${kind}
       AND regulatory_delivery.from_day = ${from} AND regulatory_delivery.status = 'ACCEPTED'
     ORDER BY regulatory_delivery.id DESC LIMIT 1`);
}

/** Whether a file names this one as the book that it takes the place of. */
export async function isNamedByOther(sql: Sql, companyId: CompanyId, id: number): Promise<boolean> {
  const { named } = await sql.one<{ named: boolean }>(SQL`
    SELECT EXISTS (SELECT FROM regulatory_delivery
                    WHERE regulatory_delivery.company_id = ${companyId}
                      AND regulatory_delivery.replaces_id = ${id}) AS named`);
  return named;
}
