import { type Problem, problem } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Format } from '../../../platform/render/render-table.ts';
import { type AnswerSettings, printTemporary, type ReportFile } from './print-now.ts';
import {
  type PrintedFile,
  type PrintTask,
  printedReports,
  type ReportOutcome,
  type ReportToPrint,
} from './print-task.ts';
import type { Watching } from './printer.ts';
import { printOrReuse } from './report-cache.ts';
import type { ReportRequest } from './report-request.ts';

/** A part with an invalid request carries its problems instead. */
export type CombinedPart = ReportToPrint | { readonly problems: readonly Problem[] };

export interface CombinedOrder extends Pick<PrintTask, 'head'> {
  readonly parts: readonly CombinedPart[];
  readonly format: Format;
}

/** What is asked of the parts that are valid. */
export function requestsOf(parts: readonly CombinedPart[]): ReportRequest[] {
  return parts.flatMap((part) => ('request' in part ? [part.request] : []));
}

/** On whose behalf and when it is printed. */
export type PrintingFor = Pick<Context, 'scope' | 'sql' | 'now'>;

/** Prints several reports into one file for a response, as `printParts` does. */
export async function printCombined(
  printing: PrintingFor,
  settings: AnswerSettings,
  order: CombinedOrder,
): Promise<{ outcomes: readonly ReportOutcome[]; file: ReportFile }> {
  const { printed, file } = await printTemporary((path) =>
    printParts(printing, settings, order, path, { signal: settings.signal }),
  );
  return { outcomes: printed.outcomes, file };
}

/**
 * Prints several reports into one file, in their order. The outcome of a part that is rejected is its problems, and
 * the others come; throws the problems of all when no part is left.
 */
export async function printParts(
  { scope, sql, now }: PrintingFor,
  { printer, cache, byteLimit }: Pick<AnswerSettings, 'printer' | 'cache'> & Partial<Pick<AnswerSettings, 'byteLimit'>>,
  { parts, format, head }: CombinedOrder,
  path: string,
  watching: Watching,
): Promise<PrintedFile> {
  const asked = parts.map((part) => askedPart(part, format));
  const reports = asked.flatMap((part) => ('problems' in part ? [] : [part]));
  const task = { reports, titled: true, format, head, scope, now: now(), path, byteLimit };
  const { bytes, outcomes: printed } =
    reports.length === 0 ? { bytes: 0, outcomes: [] } : await printOrReuse(printer, task, { sql, cache }, watching);
  const rest = printed.values();
  const outcomes = asked.map((part): ReportOutcome => ('problems' in part ? part : rest.next().value!));
  printedReports(outcomes);
  return { bytes, outcomes };
}

function askedPart(part: CombinedPart, format: Format): CombinedPart {
  const isOffered = 'problems' in part || part.request.kind !== 'bookTerms' || format === 'PDF';
  return isOffered ? part : { problems: [problem('FORMAT_NOT_OFFERED', { formats: 'PDF' }, 'format')] };
}
