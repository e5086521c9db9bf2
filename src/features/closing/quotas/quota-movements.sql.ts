import type { Day } from '../../../accounting/period.ts';
import type { MovementKind } from '../../../accounting/quota-series.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';

/** A movement as it is written. Decimals are NUMERIC texts, quotas signed. */
export interface WrittenMovement {
  readonly day: Day;
  readonly requestedDay: Day | undefined;
  readonly kind: MovementKind;
  /** undefined: known with the quota of the day. */
  readonly quotas: string | undefined;
  readonly amount: string | undefined;
  readonly holders: number | undefined;
  readonly fromAmount: boolean;
  readonly documentId: number | undefined;
}

export async function insertMovement(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  movement: WrittenMovement,
  createdBy: string,
): Promise<number> {
  const { id } = await sql.one<{ id: number }>(SQL`
    INSERT INTO quota_movement (company_id, branch_id, day, requested_day, kind, quotas, amount, holders, quotas_from_amount,
                                document_id, created_by)
    VALUES (${companyId}, ${branchId}, ${movement.day}, ${movement.requestedDay ?? null}, ${movement.kind},
            ${movement.quotas ?? null}, ${movement.amount ?? null}, ${movement.holders ?? null}, ${movement.fromAmount},
            ${movement.documentId ?? null}, ${createdBy})
    RETURNING quota_movement.id`);
  return id;
}

export async function updateMovement(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  id: number,
  movement: WrittenMovement,
): Promise<void> {
  await sql.run(SQL`
    UPDATE quota_movement
       SET day = ${movement.day}, requested_day = ${movement.requestedDay ?? null}, kind = ${movement.kind},
           quotas = ${movement.quotas ?? null}, amount = ${movement.amount ?? null}, holders = ${movement.holders ?? null},
           quotas_from_amount = ${movement.fromAmount}, document_id = ${movement.documentId ?? null}, updated_at = now()
     WHERE quota_movement.company_id = ${companyId} AND quota_movement.branch_id = ${branchId} AND quota_movement.id = ${id}`);
}

export async function deleteMovement(sql: Sql, { companyId, branchId }: BranchKey, id: number): Promise<void> {
  await sql.run(SQL`
    DELETE FROM quota_movement
     WHERE quota_movement.company_id = ${companyId} AND quota_movement.branch_id = ${branchId} AND quota_movement.id = ${id}`);
}
