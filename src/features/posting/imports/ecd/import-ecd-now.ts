import { reject } from '../../../../accounting/problem.ts';
import { type Context, withTransaction } from '../../../../platform/context.ts';
import type { Transaction } from '../../../../platform/database/sql.ts';
import type { Tenant } from '../../../access/access.ts';
import { requireChartToImport } from '../../../master-data/chart/import-chart.ts';
import { selectBooks } from '../../../master-data/companies/books.read.sql.ts';
import { rejectNoBooks } from '../../../master-data/companies/require-books.ts';
import { backendPid, selectEarlierImport, updateImportRecord } from '../import-records.sql.ts';
import { keepFile } from '../kept-file.ts';
import type { SpooledFile } from '../spool.ts';
import { beginImport, insertWaitingImport } from './ecd.sql.ts';
import type { EcdImportOptions, EcdImportResult } from './ecd-import.ts';
import { type EcdImportWork, type EcdOutcome, runEcdImport } from './run-ecd-import.ts';

const LONGEST_MESSAGE = 500;

/** A bookkeeping file that somebody sent. */
export interface EcdUpload {
  readonly name: string;
  readonly file: SpooledFile;
}

/** Rejects a branch without books or a chart to begin them, and a file that it has imported already. */
export async function requireEcdImport(
  context: Context,
  tenant: Tenant,
  { file }: EcdUpload,
  { chart }: EcdImportOptions,
): Promise<void> {
  if ((await selectBooks(context.sql, tenant)) === undefined)
    await requireChartToImport(context, chart ?? rejectNoBooks(tenant));
  const earlier = await selectEarlierImport(context.sql, tenant, file.sha256);
  if (earlier) reject('ECD_IMPORTED_BEFORE', { name: earlier.fileName, import: earlier.id }, 'file');
}

/** The same without a job: for whoever has the file and the machine. */
export async function importEcdNow(
  context: Context,
  tenant: Tenant,
  upload: EcdUpload,
  options: EcdImportOptions,
  describe: (error: unknown) => string,
): Promise<EcdImportResult> {
  await requireEcdImport(context, tenant, upload, options);
  const { companyId } = tenant;
  const { username: by } = context.caller;
  const record = { fileName: upload.name, hash: upload.file.sha256, dryRun: options.dryRun, by };
  const importId = await insertWaitingImport(context.outOfBand, tenant, record);
  return context.transaction(async (sql) => {
    await beginImport(context.outOfBand, companyId, importId, await backendPid(sql));
    const work = {
      ...{ context: withTransaction(context, sql), sql, tenant, file: upload.file, options, describe },
      ...{ mark: { importId, by }, tell: () => {} },
    };
    const outcome = await recordingFailure(work, () => runEcdImport(work));
    if (outcome.written !== undefined) await keepFile(sql, companyId, importId, upload.file);
    await recordOutcome(sql, tenant, importId, outcome);
    return outcome.result;
  });
}

/** A work that fails leaves a record that says so, outside of the transaction that is undone. */
export async function recordingFailure<Result>(
  { context, tenant, mark, describe }: Pick<EcdImportWork, 'context' | 'tenant' | 'mark' | 'describe'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const message = describe(error).slice(0, LONGEST_MESSAGE);
    const record = { status: 'REFUSED', rowsRead: 0, message } as const;
    await updateImportRecord(context.outOfBand, tenant, mark.importId, record).catch(() => {});
    throw error;
  }
}

/** What an import's record says of it once it has ended. */
export function recordOutcome(
  sql: Transaction,
  tenant: Tenant,
  importId: number,
  { result, written }: EcdOutcome,
): Promise<void> {
  const isDone = result.stops === 0;
  return updateImportRecord(sql, tenant, importId, {
    ...{ status: isDone ? 'DONE' : 'REFUSED', rowsRead: result.lines, rowsRefused: result.stops, written },
    message: isDone ? undefined : `${result.stops} erro(s)`,
  });
}
