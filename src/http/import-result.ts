import { z } from 'zod';
import type { FileProblems, RowProblem } from '../features/posting/imports/staged-row.ts';
import type { Language } from './language.ts';
import { textOf } from './problem-details.ts';

/** ImportResultDTO of the specification. */
export const importResult = z.object({
  success: z.boolean(),
  totalRows: z.number().int(),
  successRows: z.number().int(),
  errorRows: z.number().int(),
  errors: z.array(
    z.string().meta({ example: 'row 7: conta: account 9.9.9 does not exist in the chart of the branch' }),
  ),
  message: z.string(),
});

export function resultToWire(
  { rows, problems }: { readonly rows: number; readonly problems: FileProblems },
  dryRun: boolean,
  language: Language,
): z.output<typeof importResult> {
  const errorRows = Math.min(problems.rowsAtFault, Math.max(rows, 1));
  const success = problems.count === 0;
  const row = language === 'pt' ? 'linha' : 'row';
  return {
    success,
    totalRows: rows,
    successRows: Math.max(0, rows - errorRows),
    errorRows,
    errors: sortByRow(problems.told).map(
      (each) => `${row} ${each.row}: ${placeIn(each.place, language)}: ${textOf(each.problem, language)}`,
    ),
    message: success ? doneMessage(rows, dryRun, language) : failedMessage(problems, language),
  };
}

function doneMessage(rows: number, dryRun: boolean, language: Language): string {
  if (language === 'pt') {
    const done = dryRun ? 'conferida(s); nada foi gravado' : 'importada(s)';
    return `${rows} linha(s) ${done}`;
  }
  return `${rows} row(s) ${dryRun ? 'checked; nothing was saved' : 'imported'}`;
}

function failedMessage({ count, told }: FileProblems, language: Language): string {
  const more = count - told.length;
  if (language === 'pt') return `${count} erro(s)${more > 0 ? `, ${more} além dos mostrados` : ''}; nada foi gravado`;
  return `${count} error(s)${more > 0 ? `, ${more} beyond those shown` : ''}; nothing was saved`;
}

/** The place of a problem as reported by the reader: columns of a layout, or the file; column names are the file's. */
export function placeIn(place: string, language: Language): string {
  if (language !== 'pt') return place;
  return place === 'file' ? 'arquivo' : place.replace(/^columns /, 'colunas ');
}

export function sortByRow(problems: readonly RowProblem[]): RowProblem[] {
  return [...problems].sort((a, b) => a.row - b.row);
}
