import { type AccountRange, accountsInRange, isWholeChart, rangeProblems } from '../../../accounting/account-range.ts';
import { defaultPairs, Eliminations } from '../../../accounting/eliminations.ts';
import type { AccountId, ChartId } from '../../../accounting/ids.ts';
import { BusinessError, problem, throwIfAny } from '../../../accounting/problem.ts';
import { sectionsOf } from '../../../accounting/statement-section.ts';
import type { SectionOf } from '../../../accounting/statements/statement.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { masksOfChart } from '../../master-data/chart/masks-of-chart.ts';
import { readPrintedAccounts } from './printed-accounts.ts';
import type { ReportingEntity } from './reporting-entity.ts';
import type { StatementSource } from './statement-source.ts';

/** The accounts of a statement of balances, in the order of the chart. */
export interface StatementAccounts {
  readonly accounts: readonly StatementAccountRow[];
  readonly sectionOf: SectionOf;
  /** They are all of the chart. */
  readonly isWhole: boolean;
  /** What makes the sums of an institution's branches its figures; for a branch they change nothing. */
  readonly eliminations: Eliminations<StatementAccountRow>;
}

/** `present`: the chart as it is now, where it has been read already. Rejects a range that makes no sense. */
export async function readAccounts(
  source: StatementSource,
  entity: ReportingEntity,
  range: AccountRange,
  present?: StatementAccountRow[],
): Promise<StatementAccounts> {
  const eliminations = await eliminationsOf(source, entity, present);
  const chart = eliminations.accounts;
  return {
    accounts: await chooseRange(source.sql, entity.options.chartId, chart, range),
    sectionOf: sectionsOf(chart),
    isWhole: isWholeChart(range),
    eliminations,
  };
}

/** By the pairs of the head office's options. */
export async function eliminationsOf(
  source: StatementSource,
  { options, institution, namesAt }: ReportingEntity,
  present?: StatementAccountRow[],
): Promise<Eliminations<StatementAccountRow>> {
  const { chartId, regulatoryLayout, eliminationPairs } = options;
  const chart = await readPrintedAccounts(source, { options, namesAt }, present);
  const pairs = institution === undefined ? [] : (eliminationPairs ?? defaultPairs(regulatoryLayout));
  return new Eliminations(chart, pairs, pairs.length === 0 ? [] : await masksOfChart(source.sql, chartId));
}

/** The accounts of the range. Rejects one that makes no sense. */
export async function chooseRange(
  sql: Sql,
  chartId: ChartId,
  accounts: readonly StatementAccountRow[],
  range: AccountRange,
): Promise<readonly StatementAccountRow[]> {
  if (isWholeChart(range)) return accounts;
  const masks = await masksOfChart(sql, chartId);
  throwIfAny(rangeProblems(range, masks));
  return accountsInRange(accounts, range, masks);
}

/**
 * The posting accounts of these ids or codes in the order of the chart; a summary account means all below it. Rejects
 * what is not in the chart, naming `path`.
 */
export function pickAccounts(
  accounts: readonly StatementAccountRow[],
  picked: readonly (AccountId | string)[],
  path: string,
): StatementAccountRow[] {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const wanted = findAccounts(accounts, picked, path);
  const parentOf = ({ parentId }: StatementAccountRow) => (parentId === null ? undefined : byId.get(parentId));
  const isBelowWanted = (account: StatementAccountRow): boolean => {
    for (let each: StatementAccountRow | undefined = account; each; each = parentOf(each)) {
      if (wanted.has(each.id)) return true;
    }
    return false;
  };
  return accounts.filter((account) => account.type === 'A' && isBelowWanted(account));
}

/** The accounts of these ids or codes. Rejects what is not among them, naming `path`. */
export function findAccounts(
  accounts: readonly StatementAccountRow[],
  picked: readonly (AccountId | string)[],
  path: string,
): Set<AccountId> {
  const ids = new Set(accounts.map(({ id }) => id));
  // What eliminations leave stands under the code of an account before it, which is the one that is meant.
  const byCode = new Map(accounts.map(({ code, id }) => [code, id] as const).toReversed());
  const found = new Set<AccountId>();
  const missing: (AccountId | string)[] = [];
  for (const each of picked) {
    const id = typeof each === 'string' ? byCode.get(each) : each;
    if (id !== undefined && ids.has(id)) found.add(id);
    else missing.push(each);
  }
  if (missing.length > 0) {
    throw new BusinessError(missing.slice(0, 100).map((account) => problem('ACCOUNT_NOT_FOUND', { account }, path)));
  }
  return found;
}
