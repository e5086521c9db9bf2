import { isMovedByClosing } from '../../../accounting/balance.ts';
import { type Month, slashOf } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { type GeneralBalance, generalBalance } from '../../../accounting/statements/general-balance.ts';
import { type TrialBalance, trialBalance } from '../../../accounting/statements/trial-balance.ts';
import type { BalanceBaseline } from '../../closing/balances/balances.read.sql.ts';
import { findMonth } from '../../closing/balances/read-balances.ts';
import { type StatementAccountRow, selectStatementAccounts } from '../../master-data/chart/chart.read.sql.ts';
import { nameBranches } from '../../master-data/companies/institution.ts';
import { readAccounts } from './read-accounts.ts';
import { readReportingEntity } from './reporting-entity.ts';
import type { BalanceSelection, MonthStatement, StatementSource } from './statement-source.ts';

export interface MonthSelection extends BalanceSelection {
  readonly month: Month;
}

/** Every account with what it brought, moved and holds at the end of a month. Rejects a month that is not opened. */
export async function readMonthlyTrialBalance(
  source: StatementSource,
  selection: MonthSelection,
): Promise<MonthStatement & { readonly balance: TrialBalance<StatementAccountRow> }> {
  const { facts, ...statement } = await readMonthFacts(source, selection);
  return { ...statement, balance: trialBalance(facts, selection, 'APART') };
}

/** The general balance of the central bank's chart. Rejects a month that is not opened. */
export async function readGeneralBalance(
  source: StatementSource,
  selection: MonthSelection,
): Promise<MonthStatement & { readonly balance: GeneralBalance<StatementAccountRow> }> {
  const { facts, ...statement } = await readMonthFacts(source, selection);
  return { ...statement, balance: generalBalance(facts, selection, facts.isWhole) };
}

/**
 * What statements of a month's balances are made from; those of an institution without what its branches owe one
 * another.
 */
export async function readMonthFacts(source: StatementSource, selection: MonthSelection) {
  const { month } = selection;
  const entity = await readReportingEntity(source, month);
  const { baseline, read } = await findMonth(source.sql, source.tenant, month);
  const state = requireOpened(baseline, month, 'month');
  // The accounts are unpacked here while the server adds up the balances.
  const [chart, { accounts: summed }] = await source.sql.pipelined((reads) =>
    Promise.all([selectStatementAccounts(reads, entity.options.chartId), read(reads)]),
  );
  const isAfterClosing = selection.considerClosing && summed.values().some(isMovedByClosing);
  const { eliminations, ...accounts } = await readAccounts(source, entity, selection, chart);
  const movements = eliminations.eliminate(summed);
  const residues = eliminations.residuesIn(movements);
  return { entity, month, state, isAfterClosing, residues, facts: { movements, eliminations, ...accounts } };
}

/** The state of a month that has been opened; `path` is the input that named it. */
export function requireOpened(baseline: BalanceBaseline, month: Month, path: string): MonthStatement['state'] {
  const { state, unopened = [] } = baseline;
  if (state !== null) return state;
  if (unopened.length === 0) reject('MONTH_NOT_OPEN', { month: slashOf(month) }, path);
  return reject('MONTH_NOT_OPEN_IN_BRANCHES', { month: slashOf(month), branches: nameBranches(unopened) }, path);
}
