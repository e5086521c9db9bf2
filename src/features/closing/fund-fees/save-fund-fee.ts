import { bandProblems } from '../../../accounting/fund-fee.ts';
import { centavosFromNumber } from '../../../accounting/money.ts';
import type { Day } from '../../../accounting/period.ts';
import { type Problem, problem, throwIfAny } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';
import { defaulted, optional, required } from '../../master-data/records/fields.ts';
import type { RecordDefinition, RecordInput, RecordRow } from '../../master-data/records/record-definition.ts';
import { requireRecord } from '../../master-data/records/records.read.sql.ts';
import { addRecord, removeRecord, replaceRecord } from '../../master-data/records/save-record.ts';
import { lockTemplate } from '../../posting/templates/templates.sql.ts';
import { templateEntries } from './fee-entries.ts';

/** A band as it is kept; its figures have so few digits that a JSON number holds them. */
export interface KeptBand {
  readonly from: number;
  readonly to?: number | null | undefined;
  readonly rate: number;
}

export interface KeptBenchmarkRate {
  readonly from: Day;
  readonly rate: number;
}

export const FUND_FEE = {
  name: 'Fund fee',
  table: 'fund_fee',
  owner: 'TENANT',
  orderBy: SQL`fund_fee.company_id, fund_fee.branch_id, fund_fee.kind`,
  uniqueField: 'kind',
  fields: {
    kind: required.oneOf(['ADMINISTRATION', 'PERFORMANCE'], { example: 'ADMINISTRATION' }),
    templateCode: required.code(20, { example: 'TAXA-ADM' }),
    startDay: required.day({ example: '2026-01-02' }),
    rate: optional.percentage({ example: 2 }),
    bands: optional.json<readonly KeptBand[]>({ example: null }),
    dayBasis: defaulted.integer(1, 366, { default: 252, example: 252 }),
    benchmarkRate: optional.percentage({ example: null }),
    benchmark: optional.json<readonly KeptBenchmarkRate[]>({ example: null }),
    benchmarkShare: defaulted.decimal({ example: 100 }),
    highWaterMark: optional.decimal({ example: null }),
    crystallizationMonths: optional.array<number>({ example: null }),
    active: defaulted.flag(),
  },
} as const satisfies RecordDefinition;

export type FundFeeInput = RecordInput<typeof FUND_FEE>;
export type FundFeeRow = RecordRow<typeof FUND_FEE>;

/** What a template is tried with. */
const TRIAL_AMOUNT = 1_000_000n;

/** Creates a fee of a fund, or replaces the one of `key`, once its terms and its template are right. */
export function saveFundFee(context: Context, tenant: Tenant, input: FundFeeInput, key?: number): Promise<FundFeeRow> {
  return context.transaction(async (sql) => {
    if (key !== undefined) await requireRecord(sql, FUND_FEE, key);
    throwIfAny([...termProblems(input), ...benchmarkProblems(input)]);
    // The template stays as it is until the fee that names it is written.
    templateEntries(await lockTemplate(sql, tenant, input.templateCode), {
      code: input.templateCode,
      amount: TRIAL_AMOUNT,
      day: input.startDay,
      narration: '',
    });
    return key === undefined
      ? addRecord(sql, context, FUND_FEE, tenant, input)
      : replaceRecord(sql, context, FUND_FEE, key, tenant, input);
  });
}

export function deleteFundFee(context: Context, key: number): Promise<void> {
  return context.transaction((sql) => removeRecord(sql, context, FUND_FEE, key));
}

function termProblems({ kind, rate, bands, dayBasis, ...performance }: FundFeeInput): Problem[] {
  const hasBands = isGiven(bands);
  const isAdministration = kind === 'ADMINISTRATION';
  const basisProblem =
    dayBasis === undefined || dayBasis === 252 || dayBasis === 365
      ? []
      : [problem('INVALID_FIELD', { reason: 'NOT_ONE_OF', values: '252, 365' }, 'dayBasis')];
  if (!isAdministration) {
    return [
      ...basisProblem,
      ...(hasBands ? [wrong('ONLY_OF_ADMINISTRATION', 'bands')] : []),
      ...(isGiven(rate) ? [] : [problem('MISSING_VALUE', {}, 'rate')]),
    ];
  }
  const alien = (['benchmarkRate', 'benchmark', 'highWaterMark', 'crystallizationMonths'] as const).filter((field) =>
    isGiven(performance[field]),
  );
  return [
    ...basisProblem,
    ...(hasBands === isGiven(rate) ? [wrong('RATE_OR_BANDS', 'rate')] : []),
    ...(hasBands ? bandProblems(bands!.map(bandOf)) : []),
    ...alien.map((field) => wrong('ONLY_OF_PERFORMANCE', field)),
  ];
}

/** The days of a benchmark ascend, and the fee does not begin before them. */
function benchmarkProblems({ benchmark, benchmarkRate, startDay }: FundFeeInput): Problem[] {
  if (!isGiven(benchmark)) return [];
  if (isGiven(benchmarkRate)) return [wrong('RATE_OR_SERIES', 'benchmark')];
  const days = benchmark!.map(({ from }) => from);
  const at = days.findIndex((day, index) => (index === 0 ? day > startDay : day <= days[index - 1]!));
  return at < 0 ? [] : [wrong('SERIES_OUT_OF_ORDER', `benchmark[${at}].from`)];
}

function wrong(reason: PlainReason, path: string): Problem {
  return problem('INVALID_FIELD', { reason }, path);
}

type PlainReason =
  | 'ONLY_OF_ADMINISTRATION'
  | 'ONLY_OF_PERFORMANCE'
  | 'RATE_OR_BANDS'
  | 'RATE_OR_SERIES'
  | 'SERIES_OUT_OF_ORDER';

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function bandOf({ from, to }: KeptBand) {
  return {
    from: centavosFromNumber(from)!,
    to: to === undefined || to === null ? undefined : centavosFromNumber(to)!,
    rate: 0n,
  };
}
