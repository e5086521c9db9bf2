import type { AccountId } from '../../../accounting/ids.ts';
import type { Centavos } from '../../../accounting/money.ts';
import { addMonths, firstDay, lastDay } from '../../../accounting/period.ts';
import { throwIfAny } from '../../../accounting/problem.ts';
import {
  type EquityChanges,
  type EquityFact,
  equityChanges,
  RESULT_FACT,
} from '../../../accounting/statements/equity-changes.ts';
import { type Placement, placeAccounts } from '../../../accounting/statements/place-accounts.ts';
import type { Period } from '../../../accounting/statements/statement-period.ts';
import { readJoiningBalances } from '../../closing/balances/institution-baseline.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { masksOfChart } from '../../master-data/chart/masks-of-chart.ts';
import { isOfBranches } from '../../master-data/companies/institution.ts';
import { selectStatementFacts } from '../../master-data/statements/statement-facts.sql.ts';
import { selectStatementLines } from '../../master-data/statements/statements.read.sql.ts';
import { chooseDefinition } from './choose-definition.ts';
import { selectNarratedAmounts } from './equity-facts.read.sql.ts';
import { archivedProblem, readMonthStates } from './month-states.ts';
import { balancesAt } from './read-balance-sheet.ts';
import type { PeriodsSelection, StatementOfPeriods } from './read-financial-statement.ts';
import { readMonthFacts } from './read-month-balances.ts';
import { choosePeriods } from './shown-periods.ts';
import type { StatementSource } from './statement-source.ts';

export interface EquitySelection extends PeriodsSelection {
  readonly type: 'DLPA' | 'DMPL';
}

export interface EquityStatement extends StatementOfPeriods {
  /** By period. */
  readonly statements: readonly EquityChanges[];
  /** Which accounts stand on which lines. */
  readonly placement: Placement<StatementAccountRow>;
}

/**
 * What changed the equity, or the retained earnings, in each period: the facts typed for it, else the lines of the
 * accounts by their standard narrations. Rejects facts that do not lead from the opening to the closing.
 */
export async function readEquityChanges(source: StatementSource, selection: EquitySelection): Promise<EquityStatement> {
  const { sql } = source;
  const { facts, ...shown } = await readMonthFacts(source, { ...selection, showZeroBalances: false });
  const { options } = shown.entity;
  const { baseMonth, chartId } = options;
  const definition = await chooseDefinition(sql, chartId, selection.type, selection);
  const chosen = await choosePeriods(source, selection, options, false);
  const lines = await selectStatementLines(sql, definition.id);
  const { accounts } = facts;
  const placement = placeAccounts(selection.type, lines, accounts, await masksOfChart(sql, chartId));
  const statements: EquityChanges[] = [];
  // What was before the books is not known: a period begins with them at the earliest.
  const periods = chosen.periods.map(({ from, to }) => ({ from: [from, baseMonth].toSorted().at(-1)!, to }));
  for (const period of periods) {
    const { from } = period;
    const opening = (await balancesAt(source, addMonths(from, -1), baseMonth, true))!;
    const closing = (await balancesAt(source, period.to, baseMonth, selection.considerClosing))!;
    const changed = await factsOf(source, period, definition.id, placement, selection.considerClosing);
    const { statement, problems } = equityChanges({ lines, placement, accounts, opening, closing, facts: changed });
    throwIfAny(problems);
    statements.push(statement);
  }
  return { ...shown, ...chosen, periods, definition, baseMonth, statements, placement };
}

async function factsOf(
  source: StatementSource,
  { from, to }: Period,
  definitionId: number,
  placement: Placement<StatementAccountRow>,
  considerClosing: boolean,
): Promise<EquityFact[]> {
  const { sql, tenant } = source;
  // Facts are typed for a branch; those of an institution are found in the entries of all.
  const typed = isOfBranches(tenant) ? [] : await selectStatementFacts(sql, tenant, definitionId, from, to);
  return typed.length > 0 ? typed : proposeFacts(source, { from, to }, placement, considerClosing);
}

/** Lines in the archive cannot say what they were for. */
async function proposeFacts(
  { sql, tenant }: StatementSource,
  { from, to }: Period,
  { byLine }: Placement<StatementAccountRow>,
  considerClosing: boolean,
): Promise<EquityFact[]> {
  const months = await readMonthStates(sql, tenant, firstDay(from), lastDay(to));
  throwIfAny(months.flatMap((month) => archivedProblem(month) ?? []));
  const lineOf = new Map<AccountId, string>(
    [...byLine].flatMap(([code, of]) => of.map(({ id }) => [id, code] as const)),
  );
  const amounts = await selectNarratedAmounts(sql, tenant, [...lineOf.keys()], from, to, considerClosing);
  const joining = isOfBranches(tenant)
    ? await readJoiningBalances(sql, tenant, from, to)
    : new Map<AccountId, Centavos>();
  const found = amounts.map(({ accountId, code, description, closing, net }) => ({
    code: closing ? RESULT_FACT : (code ?? '-'),
    description: closing ? 'Resultado do período' : (description ?? code ?? 'Outros movimentos'),
    lineCode: lineOf.get(accountId)!,
    amount: -net,
  }));
  return [...found, ...joiningFacts(joining, lineOf)];
}

/** Of branches whose books begin within the period: what they bring is no entry. */
function joiningFacts(brought: ReadonlyMap<AccountId, Centavos>, lineOf: ReadonlyMap<AccountId, string>): EquityFact[] {
  return [...brought].flatMap(([id, balance]) => {
    const lineCode = lineOf.get(id);
    const description = 'Saldos iniciais de filiais que passaram a compor a instituição';
    return lineCode === undefined ? [] : [{ code: 'SALDOS INICIAIS', description, lineCode, amount: -balance }];
  });
}
