import { digitsOnly } from '../../../accounting/account-code.ts';
import type { AccountId, ChartId } from '../../../accounting/ids.ts';
import { type Day, dayIn, type Month } from '../../../accounting/period.ts';
import type { PostingFacts, PostingNarration } from '../../../accounting/posting.ts';
import type { Problem } from '../../../accounting/problem.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { noBooksProblem } from '../../master-data/companies/require-books.ts';
import { postingFacts } from '../entries/posting-facts.ts';
import { type AccountFinder, accountFinder } from '../imports/account-finder.ts';
import type { FindableAccount } from '../imports/staging.sql.ts';
import { lockMonths, lockNamedAccounts, selectNarrationsOfBranches, selectRulesOfBranches } from './bulk.sql.ts';
import type { BulkEntry } from './bulk-entry.ts';

/** The books that an entry is posted to, or why its branch has none. */
export type BulkFacts = { readonly posting: PostingFacts; readonly chart: AccountFinder } | Problem;

/** The state of the books for the entries, read for all of them together; their months and accounts are locked. */
export async function readBulkFacts(
  sql: Transaction,
  entries: readonly BulkEntry[],
): Promise<(entry: BulkEntry) => BulkFacts> {
  const tenants = [...new Map(entries.map(({ tenant }) => [tenant.branchId, tenant])).values()];
  const months = new Map(entries.map(({ tenant, month }) => [monthKey(tenant, month), { ...tenant, month }]));
  const states = new Map<string, 'OPEN' | 'CLOSED'>();
  for (const { branchId, month, state } of await lockMonths(sql, [...months.values()])) {
    states.set(monthKey({ branchId }, month), state);
  }
  const rules = new Map(
    (await selectRulesOfBranches(sql, tenants, daysOf(entries))).map((each) => [each.branchId, each]),
  );
  const charts = await findAccounts(sql, [...new Set([...rules.values()].map(({ chartId }) => chartId))], entries);
  const narrations = await readNarrations(sql, tenants, entries);
  const factsOf = (tenant: Tenant, month: Month): BulkFacts => {
    const found = rules.get(tenant.branchId);
    if (!found) return { ...noBooksProblem(tenant), path: 'branch' };
    const chart = charts.get(found.chartId)!;
    const state = states.get(monthKey(tenant, month)) ?? 'NOT_OPENED';
    const posting = postingFacts({ month, state }, found, {
      account: (id) => chart.byId(id),
      narration: (code) => narrations.get(`${tenant.branchId} ${code}`),
    });
    return { posting, chart };
  };
  const facts = new Map([...months].map(([key, { month, ...tenant }]) => [key, factsOf(tenant, month)]));
  return ({ tenant, month }) => facts.get(monthKey(tenant, month))!;
}

function monthKey({ branchId }: Pick<Tenant, 'branchId'>, month: Month): string {
  return `${branchId} ${month}`;
}

function daysOf(entries: readonly BulkEntry[]): Day[] {
  const days = new Set<Day>();
  for (const { month, dayNumber } of entries) {
    const day = dayIn(month, dayNumber);
    if (day !== undefined) days.add(day);
  }
  return [...days];
}

/** The accounts that the lines can mean: by id and exact code, and where that is not enough by short code and digits. */
async function findAccounts(
  sql: Transaction,
  chartIds: readonly ChartId[],
  entries: readonly BulkEntry[],
): Promise<Map<ChartId, AccountFinder>> {
  const ids = new Set<AccountId>();
  const texts = new Set<string>();
  for (const { lines } of entries) {
    for (const { account } of lines) {
      if (typeof account === 'string') texts.add(account);
      else ids.add(account);
    }
  }
  const accounts: (FindableAccount & { chartId: ChartId })[] = [
    ...(await lockNamedAccounts(sql, chartIds, { ids: [...ids], codes: [...texts] })),
  ];
  const codes = new Set(accounts.map(({ chartId, code }) => `${chartId} ${code}`));
  const others = [...texts].filter((text) => chartIds.some((chartId) => !codes.has(`${chartId} ${text}`)));
  if (others.length > 0) {
    const digits = others.map(digitsOnly).filter((each) => each !== '');
    accounts.push(...(await lockNamedAccounts(sql, chartIds, { shortCodes: others, digits })));
  }
  return new Map(
    chartIds.map((chartId) => {
      const own = new Map(accounts.filter((each) => each.chartId === chartId).map((each) => [each.id, each]));
      return [chartId, accountFinder([...own.values()])];
    }),
  );
}

/** By branch and code. */
async function readNarrations(
  sql: Transaction,
  tenants: readonly Tenant[],
  entries: readonly BulkEntry[],
): Promise<Map<string, PostingNarration>> {
  const codes = new Set(entries.flatMap(({ narrationCode }) => narrationCode || []));
  if (codes.size === 0) return new Map();
  const rows = await selectNarrationsOfBranches(sql, tenants, [...codes]);
  // The nearest comes last and wins.
  return new Map(rows.map(({ branchId, code, ...narration }) => [`${branchId} ${code}`, narration]));
}
