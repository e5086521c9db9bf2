import { z } from 'zod';
import { centavosFromNumber } from '../../accounting/money.ts';
import { scaledFromDecimal, scaledToDecimal } from '../../accounting/quota.ts';
import { deleteFundFee, FUND_FEE, saveFundFee } from '../../features/closing/fund-fees/save-fund-fee.ts';
import { bodyFields, fieldsFromWire } from '../../http/field-schemas.ts';
import { branchCode, companyCode, idParams, isoDay, moneyAnswer, readOnly } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import {
  type RecordRouteOptions,
  readRoutes,
  recordAnswer,
  recordToWire,
  rejectOtherKey,
  removeRoute,
} from './record-routes.ts';

const NAMES = { startDay: 'startDate', templateCode: 'template' } as const;
const FIELD_NAMES = { ...NAMES, 'bands[]': 'bands.[]', 'benchmark[].from': 'benchmark.[].from' } as const;

/** A percentage as the JSON number that it is kept as. */
const percentNumber = z
  .number()
  .min(0)
  .max(100)
  .refine(
    (value) => scaledFromDecimal(String(value), 6) !== undefined,
    'must have at most 6 decimals | deve ter no máximo 6 casas decimais',
  )
  .meta({ format: 'decimal', example: 2 });

const bandAmount = z
  .number()
  .min(0)
  .refine(
    (value) => centavosFromNumber(value) !== undefined,
    'must be an amount of at most two decimals | deve ser um valor com no máximo duas casas decimais',
  )
  .meta({ format: 'decimal', example: 0 });

const keptNumber = z.number().meta({ format: 'decimal' });

/** Most bands of a fee. */
const MAX_BANDS = 50;
/** Daily rates of forty years. */
const MAX_RATES = 10_000;

const body = z.strictObject({
  id: readOnly,
  company: companyCode,
  branch: branchCode,
  ...bodyFields(
    FUND_FEE.fields,
    {
      bands: z
        .array(z.strictObject({ from: bandAmount, to: bandAmount.nullish(), rate: percentNumber }))
        .min(1)
        .max(MAX_BANDS)
        .meta({ example: null }),
      benchmark: z
        .array(z.strictObject({ from: isoDay, rate: percentNumber }))
        .min(1)
        .max(MAX_RATES)
        .meta({ example: null }),
      benchmarkShare: decimalNumber(6, 999).meta({ format: 'decimal', example: 100 }),
      highWaterMark: decimalNumber(12, 999_999_999).meta({ format: 'decimal', example: null }),
      crystallizationMonths: z.array(z.number().int().min(1).max(12)).min(1).max(12).meta({ example: null }),
    },
    NAMES,
  ),
  createdAt: readOnly,
  updatedAt: readOnly,
});

const options: RecordRouteOptions = {
  definition: FUND_FEE,
  names: NAMES,
  tag: 'Funds',
  addition: true,
  paths: { create: '/fund/fee', item: '/fund/fee/{id}' },
  changedBy: 'SETTINGS',
  structures: {
    body: {},
    answer: {
      bands: z.array(z.object({ from: keptNumber, to: keptNumber.nullish(), rate: keptNumber })),
      benchmark: z.array(z.object({ from: z.string(), rate: keptNumber })),
      benchmarkShare: moneyAnswer,
      highWaterMark: moneyAnswer,
      crystallizationMonths: z.array(z.number().int()),
    },
  },
};

const answer = recordAnswer(options);

const access = {
  to: 'tenant',
  of: ({ company, branch }: { company: string; branch: string }) => ({ company, branch }),
  routine: 'SETTINGS',
} as const;

export const { list: getFundFeesRoute, get: getFundFeeRoute } = readRoutes(options);

export const deleteFundFeeRoute = removeRoute(options, (context, key) => deleteFundFee(context, key as number));

export const postFundFeeRoute = route({
  operationId: 'createFundFee',
  method: 'POST',
  path: '/fund/fee',
  summary: 'Creates a fee of a fund: what is charged, from when, by which standard release it is posted',
  tag: 'Funds',
  addition: true,
  access,
  fieldNames: FIELD_NAMES,
  body,
  status: 201,
  answer,
  handle: async ({ body, context, tenant }) =>
    recordToWire(FUND_FEE, await saveFundFee(context, tenant, inputOf(body)), NAMES),
});

export const putFundFeeRoute = route({
  operationId: 'replaceFundFee',
  method: 'PUT',
  path: '/fund/fee/{id}',
  summary: 'Replaces a fee of a fund; days that are accrued already stay as they are',
  tag: 'Funds',
  addition: true,
  access,
  fieldNames: FIELD_NAMES,
  params: idParams,
  body,
  answer,
  handle: async ({ params, body, context, tenant }) => {
    rejectOtherKey(params.id, body);
    return recordToWire(FUND_FEE, await saveFundFee(context, tenant, inputOf(body), params.id), NAMES);
  },
});

function inputOf(sent: z.output<typeof body>) {
  return fieldsFromWire(FUND_FEE.fields, sent, NAMES);
}

/** A positive number with so many decimals at most, as NUMERIC text. */
function decimalNumber(decimals: number, maximum: number) {
  return z
    .number()
    .positive()
    .max(maximum)
    .refine(
      (value) => scaledFromDecimal(String(value), decimals) !== undefined,
      `must have at most ${decimals} decimals | deve ter no máximo ${decimals} casas decimais`,
    )
    .transform((value) => scaledToDecimal(scaledFromDecimal(String(value), decimals) ?? 0n, decimals));
}
