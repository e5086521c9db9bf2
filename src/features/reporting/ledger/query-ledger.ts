import type { AccountId } from '../../../accounting/ids.ts';
import { dayIn, firstDay, lastDay, type Month, slashOf } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { requireAccount } from '../../closing/balances/read-balances.ts';
import { type LedgerRow, selectLedger } from './ledger.read.sql.ts';

/** Maximum number of lines of one response; request more by days. */
const MAX_LINES = 500_000;

/** The journal of an account in a month, or in a range of its days; 0 and absence leave an end open. */
export async function queryLedger(
  sql: Sql,
  tenant: Tenant,
  accountId: AccountId,
  month: Month,
  days: { from: number | undefined; to: number | undefined },
): Promise<readonly LedgerRow[]> {
  const { from, to } = days;
  if (from && to && from > to) reject('INVALID_DATE_RANGE', { from, to }, 'from');
  const first = from ? (dayIn(month, from) ?? rejectDay(from, month, 'from')) : firstDay(month);
  const last = to ? (dayIn(month, to) ?? rejectDay(to, month, 'to')) : lastDay(month);
  const ledger = await selectLedger(sql, tenant, accountId, first, last, MAX_LINES);
  const { archived, lines } = requireAccount(tenant, accountId, ledger);
  if (archived) reject('MONTH_PURGED', { month: slashOf(month) });
  return lines;
}

function rejectDay(day: number, month: Month, path: string): never {
  return reject('DAY_NOT_IN_MONTH', { day, month: slashOf(month) }, path);
}
