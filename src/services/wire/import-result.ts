import { z } from 'zod';
import type { FileProblems, RowProblem } from '../../features/imports/staged-row.ts';
import { type Language, textOf } from '../../platform/problem-details.ts';

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
  const more = problems.count - problems.told.length;
  return {
    success,
    totalRows: rows,
    successRows: Math.max(0, rows - errorRows),
    errorRows,
    errors: inFileOrder(problems.told).map(
      (each) => `row ${each.row}: ${each.place}: ${textOf(each.problem, language)}`,
    ),
    message: success
      ? dryRun
        ? `${rows} linha(s) conferida(s); nada foi gravado`
        : `${rows} linha(s) importada(s)`
      : `${problems.count} erro(s)${more > 0 ? `, ${more} além dos mostrados` : ''}; nada foi gravado`,
  };
}

export function inFileOrder(told: readonly RowProblem[]): RowProblem[] {
  return [...told].sort((a, b) => a.row - b.row);
}
