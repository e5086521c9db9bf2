import { createHash, randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import packageJson from '../../../../package.json' with { type: 'json' };
import { monthOfDay, todayInSaoPaulo } from '../../../accounting/period.ts';
import { BusinessError } from '../../../accounting/problem.ts';
import type { Config } from '../../../platform/config.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { isInstitution } from '../../access/access.ts';
import { assertWithinSize, type PrintedFile, type PrintTask, type ReportToPrint } from './print-task.ts';
import type { Printer, Watching } from './printer.ts';
import { selectPrintedState } from './report-cache.read.sql.ts';
import type { ReportRequest } from './report-request.ts';
import { readOwnTemplate } from './report-template.ts';

/** The cache of finished reports over closed months. */
export interface ReportCache {
  readonly dataDir: string;
  /** Folder of the installation's own templates: their content is part of the report. */
  readonly templates: string | undefined;
}

export function reportCacheOf({ dataDir, reportTemplates }: Config): ReportCache {
  return { dataDir, templates: reportTemplates };
}

/**
 * Prints into the task's file, or copies the cache entry of the same request: over closed months only what is in the
 * key can change. The entry keeps its time of printing. A file of several reports is cached when none of them was
 * rejected (docs/decisions/0009-closed-reports-are-kept.md).
 */
export async function printOrReuse(
  printer: Printer,
  task: PrintTask,
  { sql, cache }: { readonly sql: Sql; readonly cache: ReportCache },
  watching?: Watching,
): Promise<PrintedFile> {
  const key = await keyOf(sql, task, cache);
  if (key === undefined) return printer.print(task, watching);
  const folder = join(cache.dataDir, FOLDER);
  const kept = await copyFromCache(folder, key, task);
  if (kept) return kept;
  const printed = await printer.print(task, watching);
  // A full disk costs only the reuse.
  if (printed.outcomes.every((each) => 'report' in each))
    await storeInCache(folder, key, task, printed).catch(() => {});
  return printed;
}

const FOLDER = 'report-cache';
const MAX_BYTES = 1024 ** 3;
const MAX_MS = 24 * 60 * 60 * 1_000;
/** Another version of the program may print differently: it ignores older cache entries. */
const VERSION: string = packageJson.version;

/** undefined when one of the reports must not be cached. */
async function keyOf(sql: Sql, { reports, ...task }: PrintTask, cache: ReportCache): Promise<string | undefined> {
  const contents: unknown[] = [VERSION, task.titled, task.format, task.head ?? false, todayInSaoPaulo(task.now)];
  for (const report of reports) {
    const content = await contentOf(sql, report, cache);
    if (content === undefined) return undefined;
    contents.push(content);
  }
  const [{ tenant }] = reports as [ReportToPrint];
  const digest = createHash('sha256').update(JSON.stringify(contents)).digest('hex');
  return `${tenant.companyId}-${tenant.branchId}-${digest}`;
}

/** All that is printed beside entries; undefined while its last month is open. */
async function contentOf(sql: Sql, { request, tenant }: ReportToPrint, { templates }: ReportCache): Promise<unknown> {
  // A term without a date carries the day on which it is printed, and its numbers come from the request.
  if (request.kind === 'bookTerms') return undefined;
  // Quotas and their movements change without the month.
  if (request.kind === 'quotaEvolution' || request.kind === 'fundEquity') return undefined;
  // What all branches print is more than one state.
  if (isInstitution(tenant)) return undefined;
  const state = await selectPrintedState(sql, tenant, lastMonthOf(request));
  if (state === undefined) return undefined;
  const own = await Promise.all(
    [`${request.kind}.json`, 'bookTermTexts.json'].map((name) => readOwnTemplate(templates, name)),
  );
  return [request, tenant.companyId, tenant.branchId, state, own];
}

function lastMonthOf(request: Exclude<ReportRequest, { kind: 'bookTerms' | 'quotaEvolution' | 'fundEquity' }>) {
  return 'month' in request ? request.month : monthOfDay(request.to);
}

/** undefined when there is none, or it is incomplete. */
async function copyFromCache(folder: string, key: string, task: PrintTask): Promise<PrintedFile | undefined> {
  try {
    const printed = JSON.parse(await readFile(join(folder, `${key}.json`), 'utf8')) as PrintedFile;
    assertWithinSize(task.byteLimit, printed.bytes);
    await copyFile(join(folder, key), task.path);
    if ((await stat(task.path)).size === printed.bytes) return printed;
  } catch (error) {
    // Of several reports, those that are not too large by themselves may still come.
    if (error instanceof BusinessError && task.reports.length === 1) throw error;
  }
  await rm(task.path, { force: true });
  return undefined;
}

/** Each file appears complete or not at all, its description last. */
async function storeInCache(folder: string, key: string, task: PrintTask, printed: PrintedFile): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await makeRoom(folder, printed.bytes, task.now);
  const passing = join(folder, `${key}.${randomUUID()}`);
  try {
    await copyFile(task.path, passing);
    await rename(passing, join(folder, key));
    await writeFile(passing, JSON.stringify(printed), { mode: 0o600 });
    await rename(passing, join(folder, `${key}.json`));
  } finally {
    await rm(passing, { force: true });
  }
}

/** Removes the oldest entries, and those older than a day. */
async function makeRoom(folder: string, bytes: number, now: Date): Promise<void> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      return {
        path,
        ...(await stat(path).then(
          ({ size, mtimeMs }) => ({ size, mtimeMs }),
          () => ({ size: 0, mtimeMs: 0 }),
        )),
      };
    }),
  );
  files.sort((a, b) => b.mtimeMs - a.mtimeMs);
  let total = bytes;
  for (const { path, size, mtimeMs } of files) {
    total += size;
    if (total > MAX_BYTES || now.getTime() - mtimeMs > MAX_MS) await rm(path, { force: true });
  }
}
