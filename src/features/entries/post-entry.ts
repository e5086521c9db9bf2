import { accountProblem, otherSide } from '../../accounting/entry.ts';
import type { Centavos } from '../../accounting/money.ts';
import { brazilianDate, type Day, dayIn, slashOf } from '../../accounting/period.ts';
import { type Problem, problem, refuse, refuseIfAny } from '../../accounting/problem.ts';
import { named } from '../../accounting/record-name.ts';
import type { Context } from '../../platform/context.ts';
import type { Tenant } from '../access/access.ts';
import { refuseLongNumber, underFreeNumber } from '../batches/under-free-number.ts';
import type { EntryRow } from './entries.read.sql.ts';
import {
  insertEntry,
  lockPostingAccounts,
  lockPostingPlace,
  type NewLine,
  nextEntryNumber,
  type PostingAccount,
  type PostingRules,
  selectPostingRules,
} from './entries.sql.ts';

/** A line and its counter account: together the two lines of a simple entry. */
export interface EntryFacts {
  readonly documentId: number;
  /** Absent: the number after the document's highest. */
  readonly number: string | undefined;
  readonly side: 'D' | 'C';
  readonly dayNumber: number;
  readonly accountId: number;
  readonly counterAccountId: number | undefined;
  readonly amount: Centavos;
  readonly history: string | undefined;
  readonly historyCode: string | undefined;
}

/**
 * Posts a simple logical entry: two lines, debit equal to credit by construction. Needs its month open, its day not
 * closed, both accounts active and analytic in the branch's chart (domain: periods and posting, 2). Answers its lines.
 */
export async function postEntry(context: Context, tenant: Tenant, entry: EntryFacts): Promise<EntryRow[]> {
  refuseIfAny(shapeProblems(entry));
  const { number: given } = entry;
  return underFreeNumber({ record: 'Entry', number: given, field: 'lancamento', index: 'entry_line_entry' }, () =>
    context.transaction(async (sql) => {
      const place =
        (await lockPostingPlace(sql, tenant.companyId, entry.documentId)) ??
        refuse('NOT_FOUND', named('Document', entry.documentId), 'documentId');
      const { month } = place;
      if (place.state !== 'OPEN') refuse('MONTH_CONSOLIDATED', { month: slashOf(month) }, 'documentId');
      const day = dayIn(month, entry.dayNumber);
      if (day === undefined) refuse('DAY_NOT_IN_MONTH', { day: entry.dayNumber, month: slashOf(month) }, 'day');
      const rules =
        (await selectPostingRules(sql, tenant.companyId, tenant.branchId, day)) ??
        refuse('CHART_NOT_CONFIGURED', { company: tenant.company, branch: tenant.branch });
      const accounts = await lockPostingAccounts(sql, rules.chartId, [entry.accountId, entry.counterAccountId!]);
      refuseIfAny(postingProblems(entry, day, rules, accounts));
      const number = given ?? (await nextEntryNumber(sql, tenant.companyId, entry.documentId));
      refuseLongNumber(number, 10, 'lancamento');
      return insertEntry(sql, place, number, day, bothLines(entry));
    }),
  );
}

/** What the branch's rules and accounts say against the entry on the day. */
export function postingProblems(
  entry: EntryFacts,
  day: Day,
  rules: PostingRules,
  accounts: readonly PostingAccount[],
): Problem[] {
  return [
    ...(rules.dayClosed ? [problem('DAY_CLOSED', { day: brazilianDate(day) }, 'day')] : []),
    ...accountProblems(accounts, entry.accountId, day, 'contaId'),
    ...accountProblems(accounts, entry.counterAccountId!, day, 'contrapartida'),
    ...(rules.historyRequired && !entry.history && !entry.historyCode
      ? [problem('HISTORY_REQUIRED', {}, 'historico')]
      : []),
  ];
}

/** Why the account takes no line on the day, if anything. */
export function accountProblems(accounts: readonly PostingAccount[], id: number, day: Day, field: string): Problem[] {
  const account = accounts.find((each) => each.id === id);
  if (!account) return [problem('ACCOUNT_NOT_IN_CHART', { account: id }, field)];
  const found = accountProblem(account, day, field);
  return found ? [found] : [];
}

/** What can be said against the entry without looking at the books. */
export function shapeProblems(entry: EntryFacts): Problem[] {
  return [
    ...(entry.amount > 0n ? [] : [problem('AMOUNT_NOT_POSITIVE', {}, 'valor')]),
    ...(entry.counterAccountId === undefined ? [problem('COUNTER_ACCOUNT_REQUIRED', {}, 'contrapartida')] : []),
    ...(entry.counterAccountId === entry.accountId ? [problem('SAME_ACCOUNT', {}, 'contrapartida')] : []),
  ];
}

/** The line and the one that balances it. */
export function bothLines(entry: EntryFacts): NewLine[] {
  const line: NewLine = {
    accountId: entry.accountId,
    counterAccountId: entry.counterAccountId!,
    side: entry.side,
    amount: entry.amount,
    history: entry.history ?? null,
    historyCode: entry.historyCode ?? null,
  };
  const balancing: NewLine = {
    ...line,
    accountId: entry.counterAccountId!,
    counterAccountId: entry.accountId,
    side: otherSide(entry.side),
  };
  return [line, balancing];
}
