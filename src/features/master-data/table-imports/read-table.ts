import { problem } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import { csvRows, isEmptyRow } from '../../posting/imports/csv-rows.ts';
import type { SpooledFile } from '../../posting/imports/spool.ts';
import type { FileProblems } from '../../posting/imports/staged-row.ts';

/** Columns of a master-data file: the names that each field goes by, the wire's own first. */
export interface TableLayout<Field extends string> {
  readonly columns: Readonly<Record<Field, readonly string[]>>;
  readonly required: readonly Field[];
  /** Ignored columns of public tables. */
  readonly ignored?: readonly string[];
}

export interface TableRow<Field extends string> {
  /** As a spreadsheet shows it: the header is row 1. */
  readonly row: number;
  readonly cells: Readonly<Record<Field, string>>;
}

export type TableFile = Pick<SpooledFile, 'path' | 'encoding'>;

/**
 * Maximum number of rows of a master-data file: its rows are checked against one another in memory, unlike movements.
 */
export const MAX_TABLE_ROWS = 100_000;

/** Largest master-data file in bytes. */
export const MAX_TABLE_BYTES = 64 * 1024 * 1024;

const DELIMITERS = [';', ',', '\t', '|'];

/**
 * Reads a table row by row: `;`, `,`, `|` or tab between cells, columns in any order, trimmed cells; returns how many
 * rows it took. What is wrong with its header goes to the problems, and then there are no rows.
 */
export async function readTable<Field extends string>(
  file: TableFile,
  layout: TableLayout<Field>,
  problems: FileProblems,
  take: (row: TableRow<Field>) => void,
): Promise<number> {
  const fields = Object.keys(layout.columns) as Field[];
  let columns: Map<Field, number> | undefined;
  let row = 0;
  let rows = 0;
  for await (const block of csvRows(file, DELIMITERS)) {
    for (const values of block) {
      row++;
      if (columns === undefined) {
        columns = columnsOf(values, layout, problems);
        if (problems.count > 0) return 0;
        continue;
      }
      // Empty rows count too: they also take time.
      if (row - 1 > MAX_TABLE_ROWS) {
        problems.add({ row, place: 'file', problem: problem('TOO_MANY_ROWS', { limit: MAX_TABLE_ROWS }) });
        return rows;
      }
      if (isEmptyRow(values)) continue;
      rows++;
      take({ row, cells: cellsOf(values, fields, columns) });
    }
  }
  if (columns === undefined) columnsOf([], layout, problems);
  else if (rows === 0) problems.add({ row: 1, place: 'file', problem: problem('NO_ROWS') });
  return rows;
}

function cellsOf<Field extends string>(
  values: readonly string[],
  fields: readonly Field[],
  columns: ReadonlyMap<Field, number>,
): Record<Field, string> {
  const cells = fields.map((field) => [field, (values[columns.get(field) ?? -1] ?? '').trim()]);
  return Object.fromEntries(cells) as Record<Field, string>;
}

function columnsOf<Field extends string>(
  header: readonly string[],
  layout: TableLayout<Field>,
  problems: FileProblems,
): Map<Field, number> {
  const names = header.map((name) => foldName(name));
  const columns = new Map<Field, number>();
  const known = new Set((layout.ignored ?? []).map(foldName));
  for (const [field, accepted] of Object.entries(layout.columns) as [Field, readonly string[]][]) {
    const foldedNames = accepted.map(foldName);
    for (const name of foldedNames) known.add(name);
    const found = names.flatMap((name, at) => (foldedNames.includes(name) ? [at] : []));
    if (found.length > 1) {
      problems.add({
        row: 1,
        place: accepted[0]!,
        problem: problem('DUPLICATE', recordRef('Column', accepted[0]!)),
      });
    }
    if (found.length > 0) columns.set(field, found[0]!);
    else if (layout.required.includes(field)) {
      problems.add({ row: 1, place: accepted[0]!, problem: problem('MISSING_COLUMN') });
    }
  }
  for (const [at, name] of names.entries()) {
    if (name === '' || known.has(name)) continue;
    const written = header[at]!.slice(0, 40);
    problems.add({ row: 1, place: written, problem: problem('UNKNOWN_FIELD', { name: written }) });
  }
  return columns;
}

/** Header names without the byte order mark, case, blanks and underscores. */
function foldName(name: string): string {
  return name
    .replace(/^\uFEFF/, '')
    .replace(/[\s_]/g, '')
    .toLowerCase();
}
