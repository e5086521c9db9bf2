import type { AccountId } from '../../../../accounting/ids.ts';
import { BusinessError } from '../../../../accounting/problem.ts';
import { selectAccountsOfChart } from '../../../master-data/chart/chart.read.sql.ts';
import { lockOrBeginChart } from '../../../master-data/chart/create-account.ts';
import { addAccounts } from '../../../master-data/chart/import-chart.ts';
import { masksOfChart } from '../../../master-data/chart/masks-of-chart.ts';
import { FileProblems } from '../staged-row.ts';
import { mapAccounts, selectReferenceChart } from './ecd.sql.ts';
import type { EcdChart, EcdSession } from './ecd-session.ts';
import { planAccounts } from './plan-accounts.ts';

/** The accounts of the file in a chart: those that it lacks are added. Undefined: something stands against it. */
export async function importChart(session: EcdSession, code: string): Promise<EcdChart | undefined> {
  const { sql, context, contents, findings, options, created } = session;
  const chart = await lockOrBeginChart(sql, context, code, 'plano');
  const known = await selectAccountsOfChart(sql, chart.id);
  const masks = await masksOfChart(sql, chart.id);
  const { added, codes } = planAccounts(contents, { known, masks }, options, findings);
  if (findings.stops > 0) return undefined;
  if (added.length > 0) {
    const problems = new FileProblems();
    await addAccounts(sql, context, { chart: code, confirmed: true }, added, problems);
    for (const { row, problem } of problems.told)
      findings.own('PARTIDAS_CONTA_NAO_CABE', {
        ...{ line: row, register: 'I050', field: 'COD_CTA' },
        detail: session.describe(new BusinessError(problem)),
      });
    if (problems.count > 0) return undefined;
    created.accounts = added.length;
  }
  const ids = new Map<string, AccountId>(
    (await selectAccountsOfChart(sql, chart.id)).map((account) => [account.code, account.id]),
  );
  const accounts = new Map([...codes].map(([given, own]) => [given, { id: ids.get(own)!, code: own }]));
  return { id: chart.id, code, accounts };
}

/** The reference chart that the file maps its accounts to, where the installation has it. */
export async function referenceChartOf({ sql, contents, findings }: EcdSession): Promise<string | undefined> {
  const { referencePlan } = contents;
  if (referencePlan === '') return undefined;
  const found = await selectReferenceChart(sql, referencePlan);
  if (found === undefined)
    findings.own('PARTIDAS_PLANO_REFERENCIAL', { register: '0000', field: 'COD_PLAN_REF', value: referencePlan });
  return found;
}

/** Gives accounts without a reference account that of the file. */
export async function importMapping(session: EcdSession, chart: EcdChart, referenceChart: string): Promise<void> {
  const { sql, contents, findings, created } = session;
  const asked = [...contents.accounts.values()].filter(({ reference }) => reference !== undefined);
  const outcomes = await mapAccounts(
    sql,
    chart.id,
    referenceChart,
    asked.map(({ code, reference }) => ({ id: chart.accounts.get(code)!.id, reference: reference! })),
  );
  for (const { code, line, reference } of asked) {
    const outcome = outcomes.get(chart.accounts.get(code)!.id);
    const place = { line, register: 'I051', field: 'COD_CTA_REF', value: reference! };
    if (outcome === undefined) findings.own('PARTIDAS_CONTA_REFERENCIAL', place);
    else if (outcome === 'OTHER') findings.own('PARTIDAS_CONTA_REFERENCIAL_DIFERENTE', place);
    else if (outcome === 'MAPPED') created.mappings++;
  }
}
