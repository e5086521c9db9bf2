import type { Transaction } from '../../../platform/database/sql.ts';
import { FileProblems } from '../../posting/imports/staged-row.ts';
import { readTable, type TableFile, type TableLayout, type TableRow } from './read-table.ts';

export interface TableOutcome {
  /** Rows of the file, right and wrong. */
  readonly rows: number;
  readonly problems: FileProblems;
}

/** How one kind of master-data file is read and written. */
export interface TableImport<Field extends string, Fact> {
  readonly layout: TableLayout<Field>;
  /** The parsed row; undefined when it is wrong, which is added to the problems. */
  read(row: TableRow<Field>, problems: FileProblems): Fact | undefined;
  /** Checks the rows against one another and the books, and writes them as sets. */
  write(sql: Transaction, facts: readonly Fact[], problems: FileProblems): Promise<void>;
}

/** Imports a whole file or nothing of it: a problem anywhere, or a dry run, undoes everything. */
export async function importTable<Field extends string, Fact>(
  transaction: (work: (sql: Transaction) => Promise<void>) => Promise<void>,
  file: TableFile,
  dryRun: boolean,
  { layout, read, write }: TableImport<Field, Fact>,
): Promise<TableOutcome> {
  const problems = new FileProblems();
  const facts: Fact[] = [];
  const rows = await readTable(file, layout, problems, (row) => {
    const fact = read(row, problems);
    // The rows of a rejected file are not collected.
    if (fact !== undefined && problems.count === 0) facts.push(fact);
  });
  if (problems.count > 0) return { rows, problems };
  try {
    await transaction(async (sql) => {
      await write(sql, facts, problems);
      if (dryRun || problems.count > 0) throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return { rows, problems };
}

class Undone extends Error {}
