import { balanceOf, isNoMovement } from '../../../accounting/balance.ts';
import type { AccountId } from '../../../accounting/ids.ts';
import { type Month, monthRange } from '../../../accounting/period.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { ReportedTenant, Tenant } from '../../access/access.ts';
import { selectListedAccount } from '../../closing/balances/listed-accounts.read.sql.ts';
import { readAccountMonths, rejectUnknownAccount } from '../../closing/balances/read-balances.ts';
import { type Institution, isOfBranches, readReportedBooks } from '../../master-data/companies/institution.ts';
import { listInstitutionMonth } from './list-institution-balances.ts';
import type { ListedBalance, Listing } from './listing.ts';

/** The months of a listing in which it shows one account, posting or summary. Rejects accounts of another chart. */
export function listAccountBalances(
  context: Context,
  asked: ReportedTenant,
  accountId: AccountId,
  from: Month,
  to: Month,
): Promise<readonly ListedBalance[]> {
  return context.snapshot(async (sql) => {
    const books = await readReportedBooks(sql, asked);
    return isOfBranches(books)
      ? ofInstitution(sql, books, accountId, from, to)
      : ofBranch(sql, books, accountId, from, to);
  });
}

async function ofBranch(
  sql: Transaction,
  tenant: Tenant,
  accountId: AccountId,
  from: Month,
  to: Month,
): Promise<ListedBalance[]> {
  const months = await readAccountMonths(sql, tenant, accountId, from, to);
  const { chartId: _, ...account } = (await selectListedAccount(sql, accountId))!;
  return months
    .filter((movement) => !isNoMovement(movement))
    .map(({ month, ...movement }) => ({ account, movement, balance: balanceOf(movement), month, day: undefined }));
}

async function ofInstitution(
  sql: Transaction,
  institution: Institution,
  accountId: AccountId,
  from: Month,
  to: Month,
): Promise<ListedBalance[]> {
  const account = await selectListedAccount(sql, accountId);
  if (account?.chartId !== institution.chartId) rejectUnknownAccount(accountId);
  const listed: ListedBalance[] = [];
  for (const month of monthRange(from, to)) {
    const rows = await listInstitutionMonth(sql, institution, month, BY_MONTH);
    listed.push(...rows.filter((row) => row.account.id === accountId));
  }
  return listed;
}

/** Its days are not looked at. */
const BY_MONTH = { byDay: false } as Listing;
