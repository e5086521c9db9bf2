import { type BookPlace, compareBookKeys, naturalKey } from '../../../accounting/book-order.ts';
import type { AccountId } from '../../../accounting/ids.ts';
import {
  addDays,
  type Day,
  dayIn,
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
  return names && { ...found, lines: inBookOrder(found, names, firstDay(monthOfDay(from))) };
}

function inBookOrder(found: AccountLines, names: ReadonlyMap<number, DocumentName>, first: Day): LedgerRow[] {
  const amounts = found.amounts!.split(',');
  const dayTexts: Day[] = [];
  const lines = found.entries!.map((entry, at) => {
    const { batch, document, batchKey, documentKey } = names.get(found.documents![at]!)!;
    const offset = found.days![at]!;
    dayTexts[offset] ??= addDays(first, offset);
    const day = dayTexts[offset];
    const row: LedgerRow = {
      batch,
      document,
      entry,
      side: found.sides![at] as 'D' | 'C',
      day,
      narration: found.narrations![at]!,
      amount: amounts[at]!,
      accountCode: found.code!,
    };
    const place: BookPlace = {
      day,
      batch: batchKey,
      document: documentKey,
      entry: naturalKey(entry),
      sequence: found.sequences![at]!,
    };
    return { row, place };
  });
  return lines.sort((a, b) => compareBookKeys(a.place, b.place)).map(({ row }) => row);
}
