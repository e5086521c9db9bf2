import type { AccountId } from '../../../accounting/ids.ts';
import { type Centavos, centavosFromSql } from '../../../accounting/money.ts';
import type { Day, Month } from '../../../accounting/period.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import type { ReportedTenant } from '../../access/access.ts';
import { type ListedAccount, selectListedAccount } from '../../closing/balances/listed-accounts.read.sql.ts';
import { readAccountOpening, readMonth, rejectUnknownAccount } from '../../closing/balances/read-balances.ts';
import {
  branchesOf,
  type Institution,
  isOfBranches,
  type ReportedBooks,
  readReportedBooks,
} from '../../master-data/companies/institution.ts';
import { rejectArchived } from '../../posting/archive/reject-archived.ts';
import { type LedgerDay, type PlacedLine, selectLedgerDays, selectLedgerLines } from './account-ledger.read.sql.ts';
import { daysOfPage } from './days-of-page.ts';

/** The ledger of an account in a month, without its lines; debit-positive, closing entries in debits and credits. */
export interface AccountLedger {
  readonly account: ListedAccount;
  readonly opening: Centavos;
  readonly debit: Centavos;
  readonly credit: Centavos;
  readonly balance: Centavos;
  readonly lines: number;
  /** Those with lines. */
  readonly days: readonly (LedgerDay & { readonly balance: Centavos })[];
}

/** A line with the balance of the account after it, debit-positive. */
export type LedgerLine = PlacedLine & { readonly balance: Centavos };

/**
 * The days of an account in an open or closed month, or of the accounts below it, and its first lines, `size` of them. Of
 * an institution the sums of its branches, without eliminations, as its printed ledger has them.
 */
export async function readAccountLedger(
  sql: Transaction,
  tenant: ReportedTenant,
  accountId: AccountId,
  month: Month,
  size: number,
): Promise<AccountLedger & { readonly content: readonly LedgerLine[] }> {
  const books = await readReportedBooks(sql, tenant);
  const ledger = await readLedgerOf(sql, books, accountId, month);
  return { ...ledger, content: await readLines(sql, books, ledger, 0, size) };
}

async function readLedgerOf(
  sql: Transaction,
  books: ReportedBooks,
  accountId: AccountId,
  month: Month,
): Promise<AccountLedger> {
  const opening = isOfBranches(books)
    ? await openingOfInstitution(sql, books, accountId, month)
    : await readAccountOpening(sql, books, accountId, month, 'ADDRESS');
  const [account, found] = await sql.pipelined((reads) =>
    Promise.all([selectListedAccount(reads, accountId), selectLedgerDays(reads, branchesOf(books), accountId, month)]),
  );
  await rejectArchived(sql, keysOf(books), { from: month, to: month });
  let balance = opening;
  const days = found.map((day) => {
    balance += day.debit - day.credit;
    return { ...day, balance };
  });
  const sum = (of: (day: LedgerDay) => bigint) => days.reduce((total, day) => total + of(day), 0n);
  return {
    account: account!,
    opening,
    debit: sum(({ debit }) => debit),
    credit: sum(({ credit }) => credit),
    balance,
    lines: days.reduce((total, { lines }) => total + lines, 0),
    days,
  };
}

async function openingOfInstitution(
  sql: Sql,
  institution: Institution,
  accountId: AccountId,
  month: Month,
): Promise<Centavos> {
  const account = await selectListedAccount(sql, accountId);
  if (account?.chartId !== institution.chartId) rejectUnknownAccount(accountId, 'ADDRESS');
  const { accounts } = await readMonth(sql, institution, month);
  return accounts.get(accountId)?.opening ?? 0n;
}

function keysOf(books: ReportedBooks) {
  const { companyId } = books;
  return isOfBranches(books) ? books.members.map(({ branchId }) => ({ companyId, branchId })) : [books];
}

/** Where a page begins: at a place of the month's lines, counted from 0, or with the first line from a day on. */
export type LedgerStart = { readonly offset: number } | { readonly day: Day };

export interface LedgerPage {
  /** Place of its first line. */
  readonly offset: number;
  /** Of the whole month. */
  readonly lines: number;
  readonly content: readonly LedgerLine[];
}

/** Lines with the running balance, in the order of the books, from any place of the month: only its days are sorted. */
export async function readLedgerPage(
  sql: Transaction,
  tenant: ReportedTenant,
  accountId: AccountId,
  month: Month,
  start: LedgerStart,
  size: number,
): Promise<LedgerPage> {
  const books = await readReportedBooks(sql, tenant);
  const ledger = await readLedgerOf(sql, books, accountId, month);
  const offset = 'offset' in start ? start.offset : linesBefore(ledger.days, start.day);
  return { offset, lines: ledger.lines, content: await readLines(sql, books, ledger, offset, size) };
}

async function readLines(
  sql: Sql,
  books: ReportedBooks,
  { account, opening, days, lines }: AccountLedger,
  offset: number,
  size: number,
): Promise<LedgerLine[]> {
  if (offset >= lines || size === 0) return [];
  const { first, last, skipped } = daysOfPage(days, offset, size);
  const span = { from: days[first]!.day, to: days[last]!.day };
  const page = { offset: skipped, limit: size };
  const placed = await selectLedgerLines(sql, branchesOf(books), account.id, span, page);
  const before = days[first - 1]?.balance ?? opening;
  return placed.map((line) => ({ ...line, balance: before + centavosFromSql(line.moved) }));
}

function linesBefore(days: readonly LedgerDay[], day: Day): number {
  return days.reduce((before, each) => (each.day < day ? before + each.lines : before), 0);
}
