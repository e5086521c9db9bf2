import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';
import type { FeeOfDay } from './fund-fees.read.sql.ts';

export async function insertAccrual(
  sql: Sql,
  { companyId, branchId }: Tenant,
  fee: FeeOfDay,
  { documentId, by }: { readonly documentId: number | null; readonly by: string },
): Promise<number> {
  const { id } = await sql.one<{ id: number }>(SQL`
    INSERT INTO fee_accrual (company_id, branch_id, kind, day, base_day, base, days, amount, terms, mark, provision,
                             became_due, template_code, document_id, posted_by)
    VALUES (${companyId}, ${branchId}, ${fee.kind}, ${fee.day}, ${fee.baseDay}, ${fee.base}, ${fee.days}, ${fee.amount},
            ${JSON.stringify(fee.terms)}, ${fee.mark}, ${fee.provision}, ${fee.becameDue}, ${fee.templateCode},
            ${documentId}, ${by})
    RETURNING fee_accrual.id`);
  return id;
}

/** Frees the day of an accrual; the row stays. */
export async function markReversed(
  sql: Sql,
  { companyId }: Tenant,
  id: number,
  reversal: { readonly at: Date; readonly by: string; readonly reason: string; readonly documentId: number | null },
): Promise<void> {
  await sql.run(SQL`
    UPDATE fee_accrual
       SET reversed_at = ${reversal.at}, reversed_by = ${reversal.by}, reversal_reason = ${reversal.reason},
           reversal_document_id = ${reversal.documentId}
     WHERE fee_accrual.company_id = ${companyId} AND fee_accrual.id = ${id}`);
}
