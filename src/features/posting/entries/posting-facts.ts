import type { AccountId } from '../../../accounting/ids.ts';
import type { Day, Month } from '../../../accounting/period.ts';
import {
  type MonthState,
  narrationProblem,
  type PostingAccount,
  type PostingFacts,
  type PostingNarration,
} from '../../../accounting/posting.ts';
import type { Problem } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { rejectNoBooks } from '../../master-data/companies/require-books.ts';
import {
  lockAccountsOfBranch,
  lockLastEntryNumbers,
  lockPostingAccounts,
  lockPostingPlaces,
  type Patience,
  type PostingPlace,
  type PostingRules,
  selectPostingNarrations,
  selectPostingRules,
  selectPostingRulesOf,
} from './entries.sql.ts';

/** The fields of a line that need a look-up in the books. */
interface AskedLine {
  readonly day: Day;
  readonly accountId: AccountId;
  readonly offsetAccountId: AccountId | null;
  readonly narrationCode: string | null;
}

/**
 * The state of the books for these lines; their accounts are locked unless `accountsOf` only reads them. The caller has
 * locked the month.
 */
export async function readPostingFacts(
  sql: Sql,
  tenant: Tenant,
  { month, state }: { month: Month; state: MonthState },
  lines: readonly AskedLine[],
  accountsOf: typeof lockPostingAccounts = lockPostingAccounts,
): Promise<PostingFacts> {
  const { companyId, branchId } = tenant;
  const days = [...new Set(lines.map((line) => line.day))];
  const rules = (await selectPostingRules(sql, companyId, branchId, days)) ?? rejectNoBooks(tenant);
  const ids = new Set(lines.flatMap((line) => [line.accountId, line.offsetAccountId ?? line.accountId]));
  const accounts = await accountsOf(sql, rules.chartId, [...ids]);
  const codes = new Set(lines.flatMap((line) => line.narrationCode || []));
  const narrations = await selectPostingNarrations(sql, companyId, branchId, [...codes]);
  return postingFacts({ month, state }, rules, lookUps(accounts, narrations));
}

/** The fields of an entry that need a look-up in the books. */
interface AskedEntry {
  readonly documentId: number;
  readonly number: string | undefined;
  readonly dayNumber: number;
  readonly accountId: AccountId;
  readonly offsetAccountId: AccountId;
  readonly narrationCode: string | undefined;
}

/** What several entries of one branch need to be decided upon. */
export interface FactsOfEntries {
  /** Where the document lies, locked; undefined: it is absent, or somebody else holds it and waiting was not wanted. */
  place(documentId: number): PostingPlace | undefined;
  /** The state of the books for an entry of that place; throws where the branch has none. */
  of(place: PostingPlace): PostingFacts;
  /** The number after the highest of a document that an entry without number goes to; a new one each time. */
  nextNumber(documentId: number): string;
}

/**
 * The places of the entries and the state of the books for them, locked and read in one wait for the database. At once:
 * what somebody else holds is missing among them.
 */
export async function readFactsOfEntries(
  sql: Sql,
  tenant: Tenant,
  entries: readonly AskedEntry[],
  patience: Patience,
): Promise<FactsOfEntries> {
  const { companyId, branchId } = tenant;
  const documentIds = [...new Set(entries.map((entry) => entry.documentId))];
  const unnumbered = entries.filter((entry) => entry.number === undefined).map((entry) => entry.documentId);
  const accountIds = [...new Set(entries.flatMap((entry) => [entry.accountId, entry.offsetAccountId]))];
  const codes = [...new Set(entries.flatMap((entry) => entry.narrationCode || []))];
  const [places, rules, locked, narrations, lastNumbers] = await sql.pipelined((reads) =>
    Promise.all([
      lockPostingPlaces(reads, companyId, documentIds, patience),
      selectPostingRulesOf(reads, tenant, entries),
      lockAccountsOfBranch(reads, tenant, accountIds, patience),
      selectPostingNarrations(reads, companyId, branchId, codes),
      lockLastEntryNumbers(reads, companyId, [...new Set(unnumbered)], patience),
    ]),
  );
  const found = lookUps(locked, narrations);
  return {
    place: (documentId) =>
      unnumbered.includes(documentId) && !lastNumbers.has(documentId) ? undefined : places.get(documentId),
    of: (place) => postingFacts(place, rules ?? rejectNoBooks(tenant), found),
    nextNumber(documentId) {
      const next = lastNumbers.get(documentId)! + 1n;
      lastNumbers.set(documentId, next);
      return String(next);
    },
  };
}

/** The state of the books for a month, from what was read of them and where accounts and narrations are found. */
export function postingFacts(
  { month, state }: { month: Month; state: MonthState },
  { narrationRequired, mixesMemorandum, closedDays }: Omit<PostingRules, 'chartId'>,
  found: Pick<PostingFacts, 'account' | 'narration'>,
): PostingFacts {
  const closed = new Set(closedDays);
  return {
    month,
    monthState: state,
    narrationRequired,
    mixesMemorandum,
    isDayClosed: (day) => closed.has(day),
    ...found,
  };
}

function lookUps(
  accounts: readonly PostingAccount[],
  narrations: ReadonlyMap<string, PostingNarration>,
): Pick<PostingFacts, 'account' | 'narration'> {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return { account: (id) => byId.get(id), narration: (code) => narrations.get(code) };
}

/** Why records may not name these narrations; an absent code is allowed. */
export async function narrationProblems(
  sql: Sql,
  { companyId, branchId }: Tenant,
  given: readonly { code: string | null | undefined; path: string }[],
): Promise<Problem[]> {
  const codes = given.flatMap(({ code }) => code || []);
  const narrations = await selectPostingNarrations(sql, companyId, branchId, codes);
  return given.flatMap(({ code, path }) => (code && narrationProblem(code, narrations.get(code), path)) || []);
}
