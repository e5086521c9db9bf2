import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import type { SealRecord } from './seal-record.ts';

/** A seal as it is kept: its record, and what stands beside it. */
export interface KeptSeal extends SealRecord {
  readonly position: number;
  readonly seal: string;
  /** The seal that came in its place; null: it is in force. */
  readonly replacedBy: string | null;
  readonly jws: string;
}

const hex = (column: string): Fragment => SQL`encode(${SQL.identifier(column)}, 'hex')`;

const SEAL_COLUMNS = SQL`seal.position, seal.company, seal.branch, to_char(seal.month, 'YYYY') AS year,
  to_char(seal.month, 'MM') AS month, seal.version, seal.lines, ${hex('seal.lines_root')} AS "linesRoot", seal.balances,
  ${hex('seal.balances_root')} AS "balancesRoot", ${hex('seal.previous')} AS previous,
  to_char(seal.sealed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "sealedAt",
  seal.sealed_by AS "sealedBy", ${hex('seal.replaces')} AS replaces, seal.reason, ${hex('seal.seal')} AS seal,
  ${hex('successor.seal')} AS "replacedBy", seal.jws`;

const SUCCESSOR = SQL`
  LEFT JOIN seal AS successor ON successor.company_id = seal.company_id AND successor.branch_id = seal.branch_id
        AND successor.replaces = seal.seal`;

/** The branch's log from a position on, in its order, replaced seals too. */
export function selectSeals(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  from: number,
  limit: number,
): Promise<KeptSeal[]> {
  return sql.rows<KeptSeal>(SQL`
    SELECT ${SEAL_COLUMNS}
      FROM seal
      ${SUCCESSOR}
     WHERE seal.company_id = ${companyId} AND seal.branch_id = ${branchId} AND seal.position >= ${from}
     ORDER BY seal.position
     LIMIT ${limit}`);
}

/** Seals in force of closed months, in the order of the months. */
export function selectSealsInForce(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  { from, to }: { readonly from: Month; readonly to: Month },
): Promise<KeptSeal[]> {
  return sql.rows<KeptSeal>(SQL`
    SELECT ${SEAL_COLUMNS}
      FROM seal
      JOIN month ON month.company_id = seal.company_id AND month.branch_id = seal.branch_id AND month.month = seal.month
       AND month.state = 'CLOSED'
      ${SUCCESSOR}
     WHERE seal.company_id = ${companyId} AND seal.branch_id = ${branchId} AND successor.seal IS NULL
       AND seal.month BETWEEN ${firstDay(from)} AND ${firstDay(to)}
     ORDER BY seal.month`);
}
