import { z } from 'zod';
import type { QuotaRun } from '../../features/closing/quotas/quota-run.read.sql.ts';
import { readQuotaRun, requestQuotaRuns } from '../../features/closing/quotas/quota-run.ts';
import { companyCode, id, idParams, instant, isoDay, optional } from '../../http/fields.ts';
import { type Language, languageOf } from '../../http/language.ts';
import { textOf } from '../../http/problem-details.ts';
import { type AnswerOf, route } from '../../http/route.ts';

const runAnswer = z
  .object({
    id,
    company: z.string(),
    date: z.string().meta({ format: 'date', example: '2026-01-30' }),
    confirmed: z.boolean(),
    status: z.enum(['PENDING', 'RUNNING', 'DONE', 'ERROR']),
    requestedBy: z.string(),
    requestedAt: instant,
    finishedAt: instant.nullable(),
    message: z.string().nullable(),
    funds: z.number().int().meta({ description: 'how many were asked' }),
    done: z.number().int().meta({ description: 'how many have been looked at' }),
    calculated: z.number().int(),
    kept: z.number().int().meta({ description: 'those that had the quota of the day already' }),
    failed: z.number().int(),
    failures: z.array(
      z.object({
        branch: z.string(),
        code: z.string().meta({ example: 'QUOTA_DAYS_OPEN' }),
        message: z.string(),
      }),
    ),
  })
  .meta({ title: 'QuotaRun' });

export const startQuotaRunsRoute = route({
  operationId: 'startQuotaRuns',
  method: 'POST',
  path: '/quotaRun',
  summary:
    'Calculates the quotas of a day of all funds in the background: of a company, or of every company that the caller reaches as a whole',
  tag: 'Quotas',
  addition: true,
  access: { to: 'tenant', of: ({ company }) => (company === undefined ? [] : { company }), routine: 'TAX_QUOTA' },
  cost: 'bulk',
  body: z.strictObject({
    company: optional(companyCode),
    date: isoDay,
    confirmed: optional(z.boolean()).meta({
      example: true,
      description: 'stores them; without it only what fails is said',
    }),
  }),
  answer: z.array(runAnswer),
  idempotent: true,
  handle: async ({ body, context, tenants, raw }) => {
    const asked = { day: body.date, confirmed: body.confirmed ?? false };
    const runs = await requestQuotaRuns(context, tenants[0], asked);
    const language = languageOf(raw.headers['accept-language']);
    return runs.map((run) => runToWire(run, language));
  },
});

export const getQuotaRunRoute = route({
  operationId: 'getQuotaRun',
  method: 'GET',
  path: '/quotaRun/{id}',
  summary: 'A calculation of the quotas of a day as it stands, with the funds that failed and why',
  tag: 'Quotas',
  addition: true,
  access: { to: 'record', record: 'reportJob', id: (input) => input.id },
  params: idParams,
  answer: runAnswer,
  handle: async ({ params, context, tenants, raw }) =>
    runToWire(
      await readQuotaRun(context, tenants[0]!.companyId, params.id),
      languageOf(raw.headers['accept-language']),
    ),
});

function runToWire(run: QuotaRun, language: Language): AnswerOf<typeof runAnswer> {
  const { payload, progress, result } = run;
  const { calculated = 0, kept = 0, failures = [] } = result ?? {};
  return {
    id: run.id,
    company: run.company,
    date: payload.day,
    confirmed: payload.confirmed,
    status: run.status,
    requestedBy: run.requestedBy,
    requestedAt: run.requestedAt.toISOString(),
    finishedAt: run.finishedAt?.toISOString() ?? null,
    message: run.message,
    funds: payload.branchIds.length,
    done: result ? result.funds : (progress.done ?? 0),
    calculated,
    kept,
    failed: result?.failed ?? progress.failed ?? 0,
    failures: failures.map(({ branch, code, params }) => ({
      branch,
      code,
      message: textOf({ code, params }, language),
    })),
  };
}
