import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { BusinessError, type Problem, problem } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Format } from '../../../platform/render/render-table.ts';
import type { Tenant } from '../../access/access.ts';
import { joinPdfs } from './join-pdfs.ts';
import { joinWorkbooks } from './join-workbooks.ts';
import { type AnswerSettings, type ReportFile, temporaryFile, temporaryPath } from './print-now.ts';
import { assertWithinSize, type PrintedReport } from './print-task.ts';
import { printOrReuse } from './report-cache.ts';
import type { ReportRequest } from './report-request.ts';

/** A part that could not be asked for carries its problems instead. */
export type CombinedPart =
  | { readonly tenant: Tenant; readonly request: ReportRequest }
  | { readonly problems: readonly Problem[] };

/** On whose behalf and when it is printed. */
export type PrintingFor = Pick<Context, 'scope' | 'sql' | 'now'>;

export type PartOutcome = { readonly report: PrintedReport } | { readonly problems: readonly Problem[] };

/** Prints several reports into one file, in their order. A part that is refused says why; the others come. */
export async function printCombined(
  printing: PrintingFor,
  settings: AnswerSettings,
  parts: readonly CombinedPart[],
  format: Format,
): Promise<{ outcomes: PartOutcome[]; file: ReportFile }> {
  const paths = parts.map(temporaryPath);
  const target = temporaryPath();
  try {
    // All of them end before their files are removed, whatever becomes of one.
    const settled = await Promise.allSettled(
      parts.map((part, at) => printPart(printing, settings, part, format, paths[at]!)),
    );
    const outcomes = settled.map((each) => {
      if (each.status === 'rejected') throw each.reason;
      return each.value;
    });
    const printed = outcomes.flatMap((outcome, at) =>
      'report' in outcome ? [{ path: paths[at]!, title: outcome.report.title }] : [],
    );
    if (printed.length === 0)
      throw new BusinessError(outcomes.flatMap((each) => ('problems' in each ? each.problems : [])));
    if (format === 'PDF') await joinPdfs(printed, target);
    else if (format === 'XLSX') await joinWorkbooks(printed, target);
    else await joinTexts(printed, format, target);
    const { size } = await stat(target);
    assertWithinSize(settings.byteLimit, size);
    return { outcomes, file: temporaryFile(target, size) };
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  } finally {
    await Promise.all(paths.map((path) => rm(path, { force: true })));
  }
}

async function printPart(
  printing: PrintingFor,
  { printer, byteLimit, cache, signal }: AnswerSettings,
  part: CombinedPart,
  format: Format,
  path: string,
): Promise<PartOutcome> {
  if ('problems' in part) return part;
  if (part.request.kind === 'bookTerms' && format !== 'PDF') {
    return { problems: [problem('FORMAT_NOT_OFFERED', { formats: 'PDF' }, 'visualizationEnum')] };
  }
  try {
    const task = { ...part, format, path, byteLimit, scope: printing.scope, now: printing.now() };
    return { report: await printOrReuse(printer, task, { sql: printing.sql, cache }, { signal }) };
  } catch (error) {
    if (error instanceof BusinessError) return { problems: error.problems };
    throw error;
  }
}

async function joinTexts(
  parts: readonly { path: string; title: string }[],
  format: 'CSV' | 'TXT',
  target: string,
): Promise<void> {
  await pipeline(
    async function* () {
      for (const [at, { path, title }] of parts.entries()) {
        // One byte order mark for the file; a line tells where each table begins.
        if (format === 'CSV') yield Buffer.from(`${at === 0 ? '\uFEFF' : '\r\n'}${title}\r\n`);
        else if (at > 0) yield Buffer.from('\f');
        yield* createReadStream(path, { start: format === 'CSV' ? 3 : 0 });
      }
    },
    createWriteStream(target, { mode: 0o600 }),
  );
}
