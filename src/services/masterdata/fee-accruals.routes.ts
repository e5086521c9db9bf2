import { z } from 'zod';
import { daysBetween } from '../../accounting/period.ts';
import { type ProposedFee, previewFees } from '../../features/closing/fund-fees/compute-fees.ts';
import {
  type FeeAccrualRow,
  type FeeOfDay,
  selectAccruals,
} from '../../features/closing/fund-fees/fund-fees.read.sql.ts';
import { postFees, reverseFees } from '../../features/closing/fund-fees/post-fees.ts';
import { approvalAnswer, postedOrKept } from '../../http/approvals.ts';
import {
  exactNumber,
  id,
  instant,
  isoDay,
  money,
  moneyAnswer,
  optional,
  side,
  tenantParams,
  text,
} from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import { byCodes } from './releases.ts';

const tag = 'Funds';
/** Longest span of one list. */
const MAX_DAYS = 366;

const FIGURES = {
  kind: z.enum(['ADMINISTRATION', 'PERFORMANCE']),
  date: z.string().meta({ example: '2026-01-05' }),
  baseDate: z
    .string()
    .meta({ example: '2026-01-02', description: 'the business day before, whose equity is the base' }),
  base: moneyAnswer,
  days: z.number().int().meta({ example: 1, description: 'days charged: one business day, or calendar days' }),
  dayBasis: z.number().int().nullable().meta({ example: 252 }),
  rate: moneyAnswer.nullable().meta({ example: 2, description: 'per cent; null where bands have several' }),
  bands: z
    .array(
      z.object({
        from: moneyAnswer,
        to: moneyAnswer.nullable(),
        rate: moneyAnswer,
        base: moneyAnswer.meta({ description: 'the part of the base within the band' }),
      }),
    )
    .meta({ description: 'of an administration fee' }),
  amount: moneyAnswer.meta({ description: 'negative: a performance fee that is no longer due is taken back' }),
  mark: moneyAnswer.nullable().meta({ description: 'what the equity has to exceed after the day (performance)' }),
  provision: moneyAnswer.nullable().meta({ description: 'accrued and not due after the day (performance)' }),
  becameDue: moneyAnswer.nullable().meta({ description: 'what crystallized on the day (performance)' }),
  template: z.string().meta({ example: 'TAXA-ADM' }),
};

const previewAnswer = z.array(
  z.object({
    ...FIGURES,
    entry: z
      .array(z.object({ debcre: side, contaId: id, valor: moneyAnswer, historico: z.string() }))
      .meta({ description: 'the lines that would be posted; none where there is nothing to post' }),
  }),
);

const accrualAnswer = z.object({
  ...FIGURES,
  id,
  status: z.enum(['POSTED', 'REVERSED']),
  documentId: id.nullable(),
  postedAt: instant,
  postedBy: z.string().meta({ example: 'ana' }),
  reversedAt: instant.nullable(),
  reversedBy: z.string().nullable().meta({ example: null }),
  reason: z.string().nullable().meta({ example: null }),
  reversalDocumentId: id.nullable(),
});

const FIELD_NAMES = {
  day: 'date',
  confirmed: 'confirmed',
  'entry.day': 'date',
  'entry.month': 'date',
  // Accounts, amount and texts are the template's.
  'entry.account': null,
  'entry.amount': null,
  'entry.narration': null,
  'entry.narrationCode': null,
  'entry.offsetAccount': null,
  'entry.factDay': null,
  templateCode: null,
} as const;

export const previewFeesRoute = route({
  operationId: 'previewFees',
  method: 'GET',
  path: '/feeAccrual/{company}/{branch}',
  summary: 'The fees of a fund for a day: base, rate, days, amount and the entry; nothing is stored',
  tag,
  addition: true,
  access: byCodes,
  fieldNames: FIELD_NAMES,
  params: tenantParams,
  query: z.strictObject({ date: isoDay }),
  answer: previewAnswer,
  handle: async ({ query, context, tenant }) => (await previewFees(context, tenant, query.date)).map(proposedToWire),
});

export const listFeesRoute = route({
  operationId: 'listFeeAccruals',
  method: 'GET',
  path: '/feeAccrual/{company}/{branch}/list',
  summary: 'The fees accrued in a span of days, reversed ones included, with what they were computed from',
  tag,
  addition: true,
  access: byCodes,
  params: tenantParams,
  query: z.strictObject({ from: isoDay, to: isoDay }),
  answer: z.array(accrualAnswer),
  handle: async ({ query, context, tenant }) => {
    const { from, to } = query;
    if (from > to) rejectRequest('INVALID_DATE_RANGE', { from, to }, 'from');
    if (daysBetween(from, to) >= MAX_DAYS) rejectRequest('PERIOD_OVER_A_YEAR', {}, 'to');
    return (await selectAccruals(context.sql, tenant, { from, to })).map(accrualToWire);
  },
});

export const postFeesRoute = route({
  operationId: 'postFees',
  method: 'POST',
  path: '/feeAccrual/{company}/{branch}',
  summary: 'Posts the fees of a day by their standard releases; a day once',
  tag,
  addition: true,
  access: { ...byCodes, routine: 'TAX_QUOTA' },
  fieldNames: FIELD_NAMES,
  params: tenantParams,
  body: z.strictObject({ date: isoDay, confirmed: z.boolean().default(false).meta({ example: true }) }),
  status: 201,
  answer: z.array(accrualAnswer),
  idempotent: true,
  otherAnswers: { 202: approvalAnswer },
  handle: ({ body, context, tenant }) => {
    const { date, confirmed } = body;
    return postedOrKept(context, tenant, { operation: 'postFees', input: [date, confirmed] }, async () =>
      (await postFees(context, tenant, date, confirmed)).map(accrualToWire),
    );
  },
});

export const reverseFeesRoute = route({
  operationId: 'reverseFees',
  method: 'POST',
  path: '/feeAccrual/{company}/{branch}/reversal',
  summary: 'Reverses the fees of the last day accrued, which may be accrued again then',
  tag,
  addition: true,
  access: { ...byCodes, routine: 'TAX_QUOTA' },
  fieldNames: FIELD_NAMES,
  params: tenantParams,
  body: z.strictObject({
    date: isoDay,
    reason: text(500, 1).meta({ example: 'Patrimônio do dia anterior corrigido' }),
    reversalDate: optional(isoDay).describe('the day of the reversing entries; the same day by default'),
  }),
  status: 201,
  answer: z.array(accrualAnswer),
  idempotent: true,
  otherAnswers: { 202: approvalAnswer },
  handle: ({ body, context, tenant }) => {
    const reversal = { day: body.date, reversalDay: body.reversalDate ?? body.date, reason: body.reason };
    return postedOrKept(context, tenant, { operation: 'reverseFees', input: [reversal] }, async () =>
      (await reverseFees(context, tenant, reversal)).map(accrualToWire),
    );
  },
});

function proposedToWire({ fee, entries }: ProposedFee): z.output<typeof previewAnswer>[number] {
  return {
    ...figuresToWire(fee),
    entry: entries.flatMap(({ lines }) =>
      lines.map(({ side, accountId, amount, narration }) => ({
        debcre: side,
        contaId: accountId,
        valor: money(amount),
        historico: narration,
      })),
    ),
  };
}

function accrualToWire(row: FeeAccrualRow): z.output<typeof accrualAnswer> {
  return {
    ...figuresToWire(row),
    id: row.id,
    status: row.reversedAt === null ? 'POSTED' : 'REVERSED',
    documentId: row.documentId,
    postedAt: row.postedAt.toISOString(),
    postedBy: row.postedBy,
    reversedAt: row.reversedAt?.toISOString() ?? null,
    reversedBy: row.reversedBy,
    reason: row.reversalReason,
    reversalDocumentId: row.reversalDocumentId,
  };
}

function figuresToWire({
  kind,
  day,
  baseDay,
  base,
  days,
  amount,
  terms,
  mark,
  provision,
  becameDue,
  templateCode,
}: FeeOfDay) {
  const decimal = (value: string | null | undefined) =>
    value === null || value === undefined ? null : exactNumber(value);
  const { bands = [], dayBasis = null, rate } = terms;
  const only = bands.length === 1 ? bands[0]!.rate : undefined;
  return {
    kind,
    date: day,
    baseDate: baseDay,
    base: exactNumber(base),
    days,
    dayBasis,
    rate: decimal(rate ?? only),
    bands: bands.map((band) => ({
      from: exactNumber(band.from),
      to: decimal(band.to),
      rate: exactNumber(band.rate),
      base: exactNumber(band.base),
    })),
    amount: exactNumber(amount),
    mark: decimal(mark),
    provision: decimal(provision),
    becameDue: decimal(becameDue),
    template: templateCode,
  };
}
