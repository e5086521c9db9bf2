import type { CompanyId } from '../../../../accounting/ids.ts';
import type { Sql, Transaction } from '../../../../platform/database/sql.ts';
import { SQL } from '../../../../platform/database/statement.ts';
import type { DeliveryStatus, NewDelivery } from './delivery.ts';

/** Files of a company are written one after the other, so that the numbers of its books follow each other. */
export async function lockDeliveries(sql: Transaction, companyId: CompanyId): Promise<void> {
  await sql.run(SQL`SELECT pg_advisory_xact_lock(hashtextextended('deliveries of company', ${companyId}))`);
}

export async function insertDelivery(
  sql: Sql,
  companyId: CompanyId,
  delivery: NewDelivery,
  { generatedAt, generatedBy }: { readonly generatedAt: Date; readonly generatedBy: string },
): Promise<number> {
  const { id } = await sql.one<{ id: number }>(SQL`
    INSERT INTO regulatory_delivery (company_id, kind, from_day, to_day, book, order_number, remittance, sha256, bytes, lines,
                                     errors, warnings, replaces_id, job_id, generated_at, generated_by)
    VALUES (${companyId}, ${delivery.kind}, ${delivery.from}, ${delivery.to}, ${delivery.book ?? null},
            ${delivery.orderNumber ?? null}, ${delivery.remittance ?? null}, ${delivery.sha256}, ${delivery.bytes},
            ${delivery.lines}, ${delivery.errors}, ${delivery.warnings}, ${delivery.replacesId ?? null},
            ${delivery.jobId}, ${generatedAt}, ${generatedBy})
    RETURNING regulatory_delivery.id`);
  return id;
}

export async function updateDelivery(
  sql: Sql,
  companyId: CompanyId,
  id: number,
  { status, bookHash, receipt }: { status: DeliveryStatus; bookHash: string | null; receipt: string | null },
): Promise<void> {
  await sql.run(SQL`
    UPDATE regulatory_delivery
       SET status = ${status}, book_hash = ${bookHash}, receipt = ${receipt}, updated_at = now()
     WHERE regulatory_delivery.company_id = ${companyId} AND regulatory_delivery.id = ${id}`);
}

/** Marks accepted deliveries as replaced by the one of that id; returns which were. */
export async function replaceDeliveries(
  sql: Sql,
  companyId: CompanyId,
  id: number,
  others: readonly number[],
): Promise<number[]> {
  const rows = await sql.rows<{ id: number }>(SQL`
    UPDATE regulatory_delivery SET status = 'REPLACED', updated_at = now()
     WHERE regulatory_delivery.company_id = ${companyId} AND regulatory_delivery.id = ANY (${others}::bigint[])
       AND regulatory_delivery.id <> ${id} AND regulatory_delivery.status = 'ACCEPTED'
    RETURNING regulatory_delivery.id`);
  return rows.map((row) => row.id);
}
