import { Readable } from 'node:stream';
import { z } from 'zod';
import { scaledFromDecimal, scaledToDecimal } from '../../accounting/quota.ts';
import { auditReading } from '../../features/access/audit-reading.ts';
import { type FiledDay, readDailyFiling } from '../../features/reporting/statements/read-daily-filing.ts';
import { exactNumber, isoDay, moneyAnswer, tenantParams, text, wholeText } from '../../http/fields.ts';
import { route, streamResponse } from '../../http/route.ts';

// The daily filing of funds in the columns of the securities commission's open data (inf_diario_fi).

/** How the securities commission calls the class of a financial investment fund. */
const FUND_TYPE = 'CLASSES - FIF';

const filedDay = z.object({
  TP_FUNDO_CLASSE: z.string().meta({ example: FUND_TYPE }),
  CNPJ_FUNDO_CLASSE: z.string().meta({ example: '00.017.024/0001-53' }),
  ID_SUBCLASSE: z.string().nullable().meta({ example: null }),
  DT_COMPTC: z.string().meta({ example: '2026-01-30' }),
  VL_TOTAL: moneyAnswer,
  VL_QUOTA: moneyAnswer.meta({ example: 1.003583704112 }),
  VL_PATRIM_LIQ: moneyAnswer,
  CAPTC_DIA: moneyAnswer,
  RESG_DIA: moneyAnswer,
  NR_COTST: z.number().int().meta({ example: 5 }),
});

export const dailyFilingRoute = route({
  operationId: 'getDailyFiling',
  method: 'GET',
  path: '/informeDiario/{company}/{branch}',
  cost: 'heavy',
  summary:
    'The daily filing of a fund in the columns of the open data of the securities commission, from confirmed quotas that agree with the books; format=csv as its file',
  tag: 'Funds',
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  fieldNames: { account: 'portfolio' },
  query: z.strictObject({
    from: isoDay,
    to: isoDay,
    format: z.enum(['json', 'csv'], { message: 'must be json or csv | deve ser json ou csv' }).default('json'),
    holders: wholeText(0, 999_999_999)
      .optional()
      .meta({ type: 'integer', example: 5, description: 'number of holders where the movements of quotas do not say' }),
    portfolio: text(40, 1)
      .optional()
      .meta({ example: '1', description: 'code of the account whose balance is VL_TOTAL; all assets by default' }),
  }),
  answer: z.array(filedDay),
  files: ['text/csv'],
  handle: async ({ query, context, tenant }) => {
    const { from, to, format, holders, portfolio } = query;
    const days = await context.snapshot((sql) => readDailyFiling(sql, tenant, { from, to, holders, portfolio }));
    await auditReading(context, { action: 'EXPORT', entity: 'daily_filing', tenant, asked: query });
    if (format === 'json') return days.map(filedDayToWire);
    return streamResponse(Readable.from([fileOf(days)]), 'text/csv; charset=utf-8');
  },
});

function filedDayToWire(day: FiledDay): z.output<typeof filedDay> {
  return {
    TP_FUNDO_CLASSE: FUND_TYPE,
    CNPJ_FUNDO_CLASSE: day.fundCnpj,
    ID_SUBCLASSE: null,
    DT_COMPTC: day.day,
    VL_TOTAL: exactNumber(day.assets),
    VL_QUOTA: exactNumber(quotaText(day)),
    VL_PATRIM_LIQ: exactNumber(day.netEquity),
    CAPTC_DIA: exactNumber(day.inflow),
    RESG_DIA: exactNumber(day.outflow),
    NR_COTST: day.holders,
  };
}

/** As the published file: semicolons, decimal points, plain ASCII without a mark, one line feed a line. */
function fileOf(days: readonly FiledDay[]): string {
  const lines = days.map((day) =>
    [
      FUND_TYPE,
      day.fundCnpj,
      '',
      day.day,
      day.assets,
      quotaText(day),
      day.netEquity,
      day.inflow,
      day.outflow,
      String(day.holders),
    ].join(';'),
  );
  return `${[Object.keys(filedDay.shape).join(';'), ...lines].join('\n')}\n`;
}

/** The file has twelve decimals. */
function quotaText({ quotaValue }: FiledDay): string {
  return scaledToDecimal(scaledFromDecimal(quotaValue, 12)!, 12);
}
