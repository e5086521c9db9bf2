import { z } from 'zod';
import { type Month, monthOf } from '../accounting/period.ts';
import type { MonthCloseState } from '../features/closing/month-close/month-close.read.sql.ts';
import type { MonthCloseProgress, MonthCloseSummary } from '../features/closing/month-close/month-close-summary.ts';
import { codeText, companyCode, id, instant, readOnly } from './fields.ts';
import { rejectRequest } from './request-error.ts';

/** ConsolidationDTO as a request: year and month are texts; branch "*" stands for all branches of the company. */
export const consolidationBody = z.strictObject({
  id: readOnly,
  company: companyCode,
  branch: codeText(10).meta({ example: '0001' }),
  year: z
    .string()
    .regex(/^\d{4}$/, 'must be a year | deve ser um ano')
    .meta({ example: '2026' }),
  month: z
    .string()
    .regex(/^(0?[1-9]|1[0-2])$/, 'must be a month from 1 to 12 | deve ser um mês de 1 a 12')
    .meta({ example: '01' }),
  status: readOnly,
  requestedAt: readOnly,
  startedAt: readOnly,
  finishedAt: readOnly,
  requestedBy: readOnly,
  message: readOnly,
});

export const ALL_BRANCHES = '*';

export function consolidationTenant({ company, branch }: { company: string; branch: string }) {
  return branch === ALL_BRANCHES ? { company } : { company, branch };
}

export function monthOfBody({ year, month }: { year: string; month: string }): Month {
  return (
    monthOf(Number(year), Number(month)) ??
    rejectRequest('INVALID_FIELD', { reason: { en: 'there is no such month', pt: 'este mês não existe' } }, 'year')
  );
}

export const consolidationAnswer = z.object({
  id,
  company: z.string(),
  branch: z.string(),
  year: z.string(),
  month: z.string(),
  status: z.enum(['PENDING', 'RUNNING', 'DONE', 'ERROR']),
  requestedAt: instant,
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
  requestedBy: z.string(),
  message: z.string().nullable(),
  progress: z.object({ percent: z.number(), linesRead: z.number().int(), accountsWritten: z.number().int() }),
  branches: z.object({ total: z.number().int(), done: z.number().int(), failed: z.number().int() }).optional(),
});

export function consolidationToWire({
  job,
  company,
  branch,
  parts,
}: MonthCloseState): z.output<typeof consolidationAnswer> {
  const { lines, accounts }: Partial<MonthCloseSummary> = job.result ?? {};
  const { percent = 0, linesRead = 0, accountsWritten = 0 } = reportedBy(job);
  const ofParts = parts ? Math.round((100 * (parts.done + parts.failed)) / Math.max(1, parts.total)) : percent;
  return {
    id: job.id,
    company,
    branch: branch ?? ALL_BRANCHES,
    year: (job.month ?? '').slice(0, 4),
    month: (job.month ?? '').slice(5, 7),
    status: job.status,
    requestedAt: job.requestedAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
    requestedBy: job.requestedBy,
    message: job.message,
    progress: {
      percent: job.status === 'DONE' ? 100 : ofParts,
      linesRead: lines ?? linesRead,
      accountsWritten: accounts ?? accountsWritten,
    },
    ...(parts ? { branches: { total: parts.total, done: parts.done, failed: parts.failed } } : {}),
  };
}

/** A requeued job begins again. */
function reportedBy({ status, progress }: MonthCloseState['job']): Partial<MonthCloseProgress> {
  return status === 'PENDING' ? {} : progress;
}
