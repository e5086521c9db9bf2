import type { Day } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';
import type { RecordOwner, RecordRow } from '../../master-data/records/record-definition.ts';
import { selectRecords } from '../../master-data/records/records.read.sql.ts';
import { QUOTA_MOVEMENT } from './quota-movements.ts';

/** The movements of a branch from one day to another, in the order of their days. */
export function selectMovementRecords(
  sql: Sql,
  { companyId, branchId }: Tenant,
  { from, to }: { readonly from: Day; readonly to: Day },
): Promise<RecordRow<typeof QUOTA_MOVEMENT>[]> {
  return selectRecords(
    sql,
    QUOTA_MOVEMENT,
    SQL`quota_movement.company_id = ${companyId} AND quota_movement.branch_id = ${branchId}
        AND quota_movement.day BETWEEN ${from} AND ${to}`,
  );
}

export async function selectTenantOfOwner(sql: Sql, { companyId, branchId }: RecordOwner): Promise<Tenant> {
  return selectTenant(sql, SQL`branch.company_id = ${companyId} AND branch.id = ${branchId}`);
}

/** The branch of a movement that the caller reaches. */
export async function selectTenantOfMovement(sql: Sql, id: number): Promise<Tenant> {
  return selectTenant(
    sql,
    SQL`EXISTS (SELECT FROM quota_movement
                 WHERE quota_movement.company_id = branch.company_id AND quota_movement.branch_id = branch.id
                   AND quota_movement.id = ${id} AND can_access(quota_movement.company_id, quota_movement.branch_id))`,
    id,
  );
}

async function selectTenant(sql: Sql, condition: Fragment, id?: number): Promise<Tenant> {
  const found = await sql.maybe<Tenant>(SQL`
    SELECT branch.company_id AS "companyId", company.code AS company, branch.id AS "branchId", branch.code AS branch
      FROM branch
      JOIN company ON company.id = branch.company_id
     WHERE ${condition}`);
  return found ?? reject('NOT_FOUND', recordRef('Quota movement', id));
}
