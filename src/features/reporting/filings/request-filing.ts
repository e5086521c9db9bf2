import type { Readable } from 'node:stream';
import type { CompanyId } from '../../../accounting/ids.ts';
import { type Day, firstDay, lastDay, monthOf, monthOfDay, yearOf } from '../../../accounting/period.ts';
import { type Problem, problem, reject, throwIfAny } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { CompanyTenant } from '../../access/access.ts';
import { type OfficialList, officialCodes } from '../../master-data/regulatory/official-codes.ts';
import { readProfile } from '../../master-data/regulatory/regulatory-profile.ts';
import type { JobRow } from '../../operations/jobs/jobs.sql.ts';
import { type JobLimits, queueJob } from '../../operations/jobs/queue-job.ts';
import { openReport } from '../print/report-job.ts';
import type { CosifRequest, CosifSign } from './cosif/cosif-file.ts';
import { type DeliveryRow, selectDelivery } from './deliveries/deliveries.read.sql.ts';
import type { EcdRequest } from './ecd/ecd-file.ts';
import { selectFilingJob } from './filing-jobs.read.sql.ts';
import type { FilingOrder } from './filing-order.ts';

export type FilingJob = JobRow<'FILING'>;

/** What a request for an ECD says; the book is the profile's where it is left out. */
export type EcdInput = Partial<Omit<EcdRequest, 'companyId' | 'company' | 'replacedHash'>> & {
  readonly year: number;
  /** The delivery whose book the file takes the place of. */
  readonly replaces?: number | undefined;
};

/** The request for the file of a year, or of a part of it. Rejects what no file can be. */
export async function ecdRequestOf(
  sql: Sql,
  { companyId, company }: CompanyTenant,
  { year, replaces, ...input }: EcdInput,
): Promise<{ readonly ecd: EcdRequest; readonly replacesId: number | undefined }> {
  const from = input.from ?? firstDay(monthOf(year, 1)!);
  const to = input.to ?? lastDay(monthOf(year, 12)!);
  throwIfAny([
    ...periodProblems(year, from, to),
    ...(await codeProblems('IND_SIT_ESP', input.specialSituation, 'specialSituation')),
    ...(await codeProblems('IND_SIT_INI_PER', input.startSituation, 'startSituation')),
  ]);
  const replaced = replaces === undefined ? undefined : await requireReplaceable(sql, companyId, replaces);
  const book = input.book ?? (await readProfile(sql, { companyId, company })).ecdBook;
  const ecd = { ...input, ...{ companyId, company, book, from, to }, replacedHash: replaced?.bookHash ?? undefined };
  return { ecd, replacesId: replaced?.id };
}

function periodProblems(year: number, from: Day, to: Day): Problem[] {
  if (from > to) return [problem('INVALID_DATE_RANGE', { from, to }, 'from')];
  const isOfYear = (day: Day) => yearOf(monthOfDay(day)) === year;
  return [
    ...(isOfYear(from) ? [] : [problem('INVALID_FIELD', { reason: 'OTHER_YEAR' }, 'from')]),
    ...(isOfYear(to) ? [] : [problem('INVALID_FIELD', { reason: 'OTHER_YEAR' }, 'to')]),
  ];
}

async function codeProblems(list: OfficialList, code: string | undefined, path: string): Promise<Problem[]> {
  if (code === undefined) return [];
  const values = (await officialCodes(list)).map((each) => each.code);
  return values.includes(code)
    ? []
    : [problem('INVALID_FIELD', { reason: 'NOT_ONE_OF', values: values.join(', ') }, path)];
}

async function requireReplaceable(sql: Sql, companyId: CompanyId, id: number): Promise<DeliveryRow> {
  const delivery =
    (await selectDelivery(sql, companyId, id)) ?? reject('NOT_FOUND', recordRef('Delivery', id), 'replaces');
  const { kind, status, bookHash } = delivery;
  if (kind !== 'ECD' || status !== 'ACCEPTED')
    reject('DELIVERY_NOT_REPLACEABLE', { deliveryState: status }, 'replaces');
  return bookHash === null ? reject('DELIVERY_WITHOUT_HASH', {}, 'replaces') : delivery;
}

/** Queues the writing of an ECD. */
export async function requestEcd(
  context: Context,
  tenant: CompanyTenant,
  input: EcdInput,
  {
    withErrors,
    largestFile,
    limits,
  }: { readonly withErrors: boolean; readonly largestFile: number; readonly limits: JobLimits },
): Promise<FilingJob> {
  const request = await ecdRequestOf(context.sql, tenant, input);
  return queueFiling(context, { ...request, withErrors, largestFile }, limits);
}

/** Queues the writing of a document 4010 or 4016. */
export async function requestCosif(
  context: Context,
  cosif: CosifRequest,
  { sign, withErrors, limits }: { readonly sign: CosifSign; readonly withErrors: boolean; readonly limits: JobLimits },
): Promise<FilingJob> {
  assertDocumentOfMonth(cosif);
  return queueFiling(context, { cosif, sign, withErrors }, limits);
}

/** Results are closed in June and December. */
export function assertDocumentOfMonth({ document, month }: Pick<CosifRequest, 'document' | 'month'>): void {
  if (document === '4016' && !/-(?:06|12)$/.test(month))
    reject('INVALID_FIELD', { reason: 'NOT_ONE_OF', values: '6, 12' }, 'month');
}

function queueFiling(context: Context, payload: FilingOrder, limits: JobLimits): Promise<FilingJob> {
  const { companyId } = 'ecd' in payload ? payload.ecd : payload.cosif;
  return queueJob(context, { companyId, kind: 'FILING', payload }, limits);
}

export async function readFilingJob(sql: Sql, companyId: CompanyId, id: number): Promise<FilingJob> {
  return (await selectFilingJob(sql, companyId, id)) ?? reject('NOT_FOUND', recordRef('Job', id), 'id');
}

/** The file of a finished job. */
export function openFiling(sql: Sql, job: FilingJob): Promise<Readable> {
  const { result } = job;
  if (result !== null && !result.isKept) reject('FILING_WITHHELD', { errors: result.errors }, 'id');
  return openReport(sql, job);
}
