import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';

/** The number of the fund that the branch keeps the books of; undefined where it keeps none. */
export function selectFiledFund(
  sql: Sql,
  { companyId, branchId }: Tenant,
): Promise<{ readonly cnpj: string } | undefined> {
  return sql.maybe(SQL`
    SELECT fund_settings.cnpj FROM fund_settings
     WHERE fund_settings.company_id = ${companyId} AND fund_settings.branch_id = ${branchId} AND fund_settings.active`);
}
