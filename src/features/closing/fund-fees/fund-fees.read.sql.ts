import type { DayBasis, FeeBand } from '../../../accounting/fund-fee.ts';
import type { Centavos } from '../../../accounting/money.ts';
import { centavosFromSql } from '../../../accounting/money.ts';
import type { BenchmarkRate } from '../../../accounting/performance-fee.ts';
import type { Day } from '../../../accounting/period.ts';
import { scaledFromDecimal } from '../../../accounting/quota.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';
import { assertWholeList } from '../../master-data/whole-list.ts';

export type FeeKind = 'ADMINISTRATION' | 'PERFORMANCE';

/** A fee that is charged; rates are percent with six decimals. */
export interface ChargedFee {
  readonly kind: FeeKind;
  readonly templateCode: string;
  readonly startDay: Day;
  /** Of an administration fee: one band without end where it has one rate. */
  readonly bands: readonly FeeBand[];
  /** Of a performance fee. */
  readonly rate: bigint;
  readonly dayBasis: DayBasis;
  readonly benchmark: readonly BenchmarkRate[];
  readonly benchmarkShare: bigint;
  /** Quota of the first mark, as NUMERIC text. */
  readonly highWaterMark: string | null;
  readonly crystallizationMonths: readonly number[];
}

interface FeeRow extends Omit<ChargedFee, 'bands' | 'rate' | 'benchmark' | 'benchmarkShare'> {
  readonly rate: string | null;
  readonly bands: readonly { readonly from: string; readonly to: string | null; readonly rate: string }[];
  readonly benchmark: readonly { readonly from: Day; readonly rate: string }[];
  readonly benchmarkRate: string | null;
  readonly benchmarkShare: string;
}

/** The fees in force on a day, administration first; locked against a second accrual where that is asked. */
export async function selectChargedFees(
  sql: Sql,
  { companyId, branchId }: Tenant,
  day: Day,
  lock: 'LOCKED' | 'READ',
): Promise<ChargedFee[]> {
  const rows = await sql.rows<FeeRow>(SQL`
    SELECT fund_fee.kind, fund_fee.template_code AS "templateCode", fund_fee.start_day AS "startDay", fund_fee.rate,
           fund_fee.day_basis AS "dayBasis", fund_fee.benchmark_rate AS "benchmarkRate",
           fund_fee.benchmark_share AS "benchmarkShare", fund_fee.high_water_mark AS "highWaterMark",
           coalesce(fund_fee.crystallization_months, '{}') AS "crystallizationMonths",
           ${asTexts('bands', ['from', 'to', 'rate'])} AS bands, ${asTexts('benchmark', ['from', 'rate'])} AS benchmark
      FROM fund_fee
     WHERE fund_fee.company_id = ${companyId} AND fund_fee.branch_id = ${branchId}
       AND fund_fee.active AND fund_fee.start_day <= ${day}
     ORDER BY fund_fee.kind ${lock === 'LOCKED' ? SQL`FOR UPDATE` : SQL``}`);
  return rows.map(feeOf);
}

/** The numbers of a list as their own digits, which a JSON number read by the program might not keep. */
function asTexts(column: string, keys: readonly string[]): Fragment {
  const list = SQL.identifier(`fund_fee.${column}`);
  const pairs = SQL.join(
    keys.map((key) => SQL`${key}::text, part.value ->> ${key}`),
    ', ',
  );
  return SQL`coalesce((SELECT jsonb_agg(jsonb_build_object(${pairs}) ORDER BY part.place)
                         FROM jsonb_array_elements(nullif(${list}, 'null')) WITH ORDINALITY AS part (value, place)),
                      '[]')`;
}

function feeOf({ rate, bands, benchmark, benchmarkRate, benchmarkShare, ...fee }: FeeRow): ChargedFee {
  const one = [{ from: 0n, to: undefined, rate: percentOf(rate ?? '0') }];
  const typed = benchmarkRate === null ? [] : [{ from: fee.startDay, rate: percentOf(benchmarkRate) }];
  return {
    ...fee,
    rate: percentOf(rate ?? '0'),
    bands: bands.length === 0 ? one : bands.map(bandOf),
    benchmark: benchmark.length === 0 ? typed : benchmark.map(({ from, rate }) => ({ from, rate: percentOf(rate) })),
    benchmarkShare: percentOf(benchmarkShare),
  };
}

function bandOf({ from, to, rate }: FeeRow['bands'][number]): FeeBand {
  return { from: amountOf(from), to: to === null ? undefined : amountOf(to), rate: percentOf(rate) };
}

function percentOf(text: string): bigint {
  return scaledFromDecimal(text, 6)!;
}

function amountOf(text: string): Centavos {
  return scaledFromDecimal(text, 2)!;
}

/** What a fee was computed with, as it is kept and shown; all figures in decimal text. */
export interface FeeTerms {
  readonly dayBasis?: DayBasis;
  readonly bands?: readonly {
    readonly from: string;
    readonly to: string | null;
    readonly rate: string;
    /** The part of the base within it. */
    readonly base: string;
  }[];
  readonly rate?: string;
  readonly benchmarkShare?: string;
}

/** A fee of a day, computed or posted. */
export interface FeeOfDay {
  readonly kind: FeeKind;
  readonly day: Day;
  readonly baseDay: Day;
  readonly base: string;
  readonly days: number;
  readonly amount: string;
  readonly terms: FeeTerms;
  /** Those three of a performance fee, after the day. */
  readonly mark: string | null;
  readonly provision: string | null;
  readonly becameDue: string | null;
  readonly templateCode: string;
}

export interface FeeAccrualRow extends FeeOfDay {
  readonly id: number;
  readonly documentId: number | null;
  readonly postedAt: Date;
  readonly postedBy: string;
  readonly reversedAt: Date | null;
  readonly reversedBy: string | null;
  readonly reversalReason: string | null;
  readonly reversalDocumentId: number | null;
}

const ACCRUAL_COLUMNS = SQL`fee_accrual.id, fee_accrual.kind, fee_accrual.day, fee_accrual.base_day AS "baseDay",
  fee_accrual.base, fee_accrual.days, fee_accrual.amount, fee_accrual.terms, fee_accrual.mark, fee_accrual.provision,
  fee_accrual.became_due AS "becameDue", fee_accrual.template_code AS "templateCode",
  fee_accrual.document_id AS "documentId", fee_accrual.posted_at AS "postedAt", fee_accrual.posted_by AS "postedBy",
  fee_accrual.reversed_at AS "reversedAt", fee_accrual.reversed_by AS "reversedBy",
  fee_accrual.reversal_reason AS "reversalReason", fee_accrual.reversal_document_id AS "reversalDocumentId"`;

/** Most accruals of one answer, which has no pages: those of a year, each reversed a few times. */
const MAX_ACCRUALS = 10_000;

/** What was accrued in a span of days, reversed ones included, by day. */
export async function selectAccruals(
  sql: Sql,
  { companyId, branchId }: Tenant,
  { from, to }: { readonly from: Day; readonly to: Day },
): Promise<FeeAccrualRow[]> {
  const rows = await sql.rows<FeeAccrualRow>(SQL`
    SELECT ${ACCRUAL_COLUMNS} FROM fee_accrual
     WHERE fee_accrual.company_id = ${companyId} AND fee_accrual.branch_id = ${branchId}
       AND fee_accrual.day BETWEEN ${from} AND ${to}
     ORDER BY fee_accrual.day, fee_accrual.id LIMIT ${MAX_ACCRUALS + 1}`);
  return assertWholeList(rows, MAX_ACCRUALS);
}

/** The last day that stands of each fee. */
export function selectLastAccruals(sql: Sql, { companyId, branchId }: Tenant): Promise<FeeAccrualRow[]> {
  return sql.rows<FeeAccrualRow>(SQL`
    SELECT DISTINCT ON (fee_accrual.kind) ${ACCRUAL_COLUMNS} FROM fee_accrual
     WHERE fee_accrual.company_id = ${companyId} AND fee_accrual.branch_id = ${branchId}
       AND fee_accrual.reversed_at IS NULL
     ORDER BY fee_accrual.kind, fee_accrual.day DESC`);
}

/** What moved the quotas of a day. */
export interface QuotaFlows {
  readonly day: Day;
  readonly subscriptions: Centavos;
  readonly amortizations: Centavos;
  /** NUMERIC text with twelve decimals: in circulation before the day, and how many left on it. */
  readonly quotas: string;
  readonly redeemed: string;
  /** A movement whose quotas are not known before the quota of its day is. */
  readonly unknown: boolean;
}

/** The days with movements of quotas after one day, up to another. */
export async function selectQuotaFlows(
  sql: Sql,
  { companyId, branchId }: Tenant,
  after: Day,
  to: Day,
): Promise<QuotaFlows[]> {
  const rows = await sql.rows<
    Omit<QuotaFlows, 'subscriptions' | 'amortizations'> & { subscriptions: string; amortizations: string }
  >(SQL`
    WITH of_day AS (
      SELECT quota_movement.day, sum(quota_movement.quotas) AS net,
             sum(quota_movement.amount) FILTER (WHERE quota_movement.kind IN ('INITIAL', 'SUBSCRIPTION')) AS subscribed,
             sum(quota_movement.amount) FILTER (WHERE quota_movement.kind = 'AMORTIZATION') AS amortized,
             -sum(quota_movement.quotas) FILTER (WHERE quota_movement.kind IN ('REDEMPTION', 'COME_COTAS')) AS redeemed,
             bool_or(quota_movement.quotas IS NULL AND quota_movement.kind IN ('REDEMPTION', 'COME_COTAS')) AS unknown
        FROM quota_movement
       WHERE quota_movement.company_id = ${companyId} AND quota_movement.branch_id = ${branchId}
         AND quota_movement.day <= ${to}
       GROUP BY quota_movement.day
    ), running AS (
      SELECT of_day.*, coalesce(sum(of_day.net) OVER (ORDER BY of_day.day ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
                       AS before
        FROM of_day
    )
    SELECT running.day, coalesce(running.subscribed, 0)::numeric(20,2) AS subscriptions,
           coalesce(running.amortized, 0)::numeric(20,2) AS amortizations, running.before::text AS quotas,
           coalesce(running.redeemed, 0)::text AS redeemed, running.unknown
      FROM running
     WHERE running.day > ${after}
     ORDER BY running.day`);
  return rows.map((row) => ({
    ...row,
    subscriptions: centavosFromSql(row.subscriptions),
    amortizations: centavosFromSql(row.amortizations),
  }));
}
