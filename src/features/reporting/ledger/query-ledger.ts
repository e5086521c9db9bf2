import { linesInBookOrder } from '../../../accounting/book-order.ts';
import type { AccountId } from '../../../accounting/ids.ts';
import {
  type Day,
  dayIn,
  daysOf,
  firstDay,
  lastDay,
  type Month,
  monthOfDay,
  slashOf,
} from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { requireAccount } from '../../closing/balances/read-balances.ts';
import { type DocumentName, nameDocuments } from './document-names.ts';
import { type Ledger, type LedgerRow, selectLedger } from './ledger.read.sql.ts';
import { type AccountLines, selectLinesOfAccount } from './posting-account.read.sql.ts';

/** Maximum number of lines of one response; request more by days. */
const MAX_LINES = 500_000;

/** The journal of an account in a month, or in a range of its days; 0 and absence leave an end open. */
export async function queryLedger(
  context: Context,
  tenant: Tenant,
  accountId: AccountId,
  month: Month,
  days: { from: number | undefined; to: number | undefined },
): Promise<readonly LedgerRow[]> {
  const { from, to } = days;
  if (from && to && from > to) reject('INVALID_DATE_RANGE', { from, to }, 'from');
  const first = from ? (dayIn(month, from) ?? rejectDay(from, month, 'from')) : firstDay(month);
  const last = to ? (dayIn(month, to) ?? rejectDay(to, month, 'to')) : lastDay(month);
  const ledger =
    (await ledgerOfPostingAccount(context, tenant, accountId, first, last)) ??
    (await selectLedger(context.sql, tenant, accountId, first, last, MAX_LINES));
  const { archived, lines } = requireAccount(tenant, accountId, ledger);
  if (archived) reject('MONTH_PURGED', { month: slashOf(month) });
  return lines;
}

function rejectDay(day: number, month: Month, path: string): never {
  return reject('DAY_NOT_IN_MONTH', { day, month: slashOf(month) }, path);
}

/**
 * The short way for an account that is posted to. undefined for all others, for more lines than an answer has, and where
 * a document was deleted meanwhile.
 */
async function ledgerOfPostingAccount(
  context: Context,
  tenant: Tenant,
  accountId: AccountId,
  from: Day,
  to: Day,
): Promise<Ledger | undefined> {
  const found = await selectLinesOfAccount(context.sql, tenant, accountId, from, to, MAX_LINES + 1);
  if (found === undefined || found.type === 'S') return undefined;
  const { documents } = found;
  if (documents === null) return { ...found, lines: [] };
  if (documents.length > MAX_LINES) return undefined;
  const names = await nameDocuments(context, tenant.companyId, documents);
  return names && { ...found, lines: inBookOrder(found, names, monthOfDay(from)) };
}

function inBookOrder(found: AccountLines, documents: readonly DocumentName[], month: Month): LedgerRow[] {
  const days = found.days!;
  const entries = found.entries!;
  const amounts = found.amounts!.split(',');
  const dayTexts = daysOf(month);
  return linesInBookOrder({ days, documents, entries, sequences: found.sequences! }).map((at) => ({
    batch: documents[at]!.batch,
    document: documents[at]!.document,
    entry: entries[at]!,
    side: found.sides![at] as 'D' | 'C',
    day: dayTexts[days[at]!]!,
    narration: found.narrations![at]!,
    amount: amounts[at]!,
    accountCode: found.code!,
  }));
}
