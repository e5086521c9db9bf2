import { z } from 'zod';
import type { FileProblems, RowProblem } from '../features/posting/imports/staged-row.ts';
import type { Language } from './language.ts';
import { textOf } from './problem-details.ts';

/** One fault of a file, for programs as `errors` is for people. */
export const importProblem = z
  .object({
    row: z.number().int().meta({ example: 7 }),
    column: z.string().nullable().meta({
      example: 'conta',
      description: 'column of the file, first and last column of a fixed-width line, path in JSON; null: the file',
    }),
    code: z.string().meta({ example: 'ACCOUNT_NOT_IN_CHART' }),
    message: z.string().meta({ example: 'Account 9.9.9 does not exist in the chart of the branch' }),
    value: z.string().nullable().meta({
      example: '9.9.9',
      description: 'the cell as the file has it; null where no single cell is at fault',
    }),
  })
  .meta({ title: 'ImportProblem' });

/** ImportResultDTO of the specification. */
export const importResult = z.object({
  success: z.boolean(),
  totalRows: z.number().int(),
  successRows: z.number().int(),
  errorRows: z.number().int(),
  errors: z.array(
    z.string().meta({ example: 'row 7: conta: account 9.9.9 does not exist in the chart of the branch' }),
  ),
  problems: z.array(importProblem),
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
    problems: problemsToWire(problems.told, language),
    message: success ? doneMessage(rows, dryRun, language) : failedMessage(problems, language),
  };
}

/** In the order of the rows. */
export function problemsToWire(problems: readonly RowProblem[], language: Language): z.output<typeof importProblem>[] {
  return sortByRow(problems).map(({ row, place, problem, value = null }) => ({
    row,
    column: place === 'file' ? null : place.replace(/^columns /, ''),
    code: problem.code,
    message: textOf(problem, language),
    value,
  }));
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
