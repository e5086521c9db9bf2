import { readFile } from 'node:fs/promises';
import iconv from 'iconv-lite';
import Papa from 'papaparse';
import { problem } from '../../accounting/problem.ts';
import { named } from '../../accounting/record-name.ts';
import type { SpooledFile } from '../imports/spool.ts';
import type { FileProblems } from '../imports/staged-row.ts';

/** Columns of a master-data file: the names that each field goes by, the wire's own first. */
export interface TableLayout<Field extends string> {
  readonly columns: Readonly<Record<Field, readonly string[]>>;
  readonly required: readonly Field[];
  /** Columns that public tables carry and that say nothing new. */
  readonly ignored?: readonly string[];
}

export interface TableRow<Field extends string> {
  /** As a spreadsheet shows it: the header is row 1. */
  readonly row: number;
  readonly cells: Readonly<Record<Field, string>>;
}

export type TableFile = Pick<SpooledFile, 'path' | 'encoding'>;

/** Most rows of a master-data file: such a file is read whole, unlike movements. */
export const MAX_TABLE_ROWS = 100_000;

/** Largest master-data file in bytes. */
export const MAX_TABLE_BYTES = 64 * 1024 * 1024;

/**
 * Reads a whole table: `;`, `,`, `|` or tab between cells, columns in any order, trimmed cells. What is wrong with its header
 * goes to the problems, and then there are no rows.
 */
export async function readTable<Field extends string>(
  file: TableFile,
  layout: TableLayout<Field>,
  problems: FileProblems,
): Promise<TableRow<Field>[]> {
  const text = iconv.decode(await readFile(file.path), file.encoding);
  const { data } = Papa.parse<string[]>(text, { delimiter: delimiterOf(text), skipEmptyLines: false });
  const columns = columnsOf(data[0] ?? [], layout, problems);
  if (problems.count > 0) return [];
  const rows = data
    .map((values, at) => ({ row: at + 1, values }))
    .filter(({ row, values }) => row > 1 && values.some((value) => value.trim() !== ''));
  if (rows.length > MAX_TABLE_ROWS) {
    problems.add({
      row: rows[MAX_TABLE_ROWS]!.row,
      place: 'file',
      problem: problem('TOO_MANY_ROWS', { limit: MAX_TABLE_ROWS }),
    });
    return [];
  }
  if (rows.length === 0) {
    problems.add({ row: 1, place: 'file', problem: problem('FILE_UNREADABLE', { reason: 'no rows' }) });
  }
  const fields = Object.keys(layout.columns) as Field[];
  return rows.map(({ row, values }) => ({
    row,
    cells: Object.fromEntries(
      fields.map((field) => [field, (values[columns.get(field) ?? -1] ?? '').trim()]),
    ) as Record<Field, string>,
  }));
}

/** The one that the header has most of; papaparse's own guess fails on two columns. */
function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  const counts = [';', ',', '\t', '|'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).delimiter;
}

function columnsOf<Field extends string>(
  header: readonly string[],
  layout: TableLayout<Field>,
  problems: FileProblems,
): Map<Field, number> {
  const names = header.map((name) => folded(name));
  const columns = new Map<Field, number>();
  const known = new Set((layout.ignored ?? []).map(folded));
  for (const [field, accepted] of Object.entries(layout.columns) as [Field, readonly string[]][]) {
    const foldedNames = accepted.map(folded);
    for (const name of foldedNames) known.add(name);
    const found = names.flatMap((name, at) => (foldedNames.includes(name) ? [at] : []));
    if (found.length > 1) {
      problems.add({
        row: 1,
        place: accepted[0]!,
        problem: problem('DUPLICATE', named('Column', accepted[0]!)),
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
function folded(name: string): string {
  return name
    .replace(/^\uFEFF/, '')
    .replace(/[\s_]/g, '')
    .toLowerCase();
}
