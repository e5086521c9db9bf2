import type { SoundLine } from '../../../accounting/posting.ts';
import type { Problem } from '../../../accounting/problem.ts';

/** A row of an import after its reader: shape checked, account resolved, the rules of lines passed. */
export interface StagedRow extends SoundLine {
  /** Row or line number in the file, as its user counts them. */
  readonly row: number;
  readonly document: string;
  readonly entry: string;
  /** The amount in NUMERIC text. */
  readonly decimal: string;
}

/** What is wrong at a place of the file; `place` is the column's name, or 'columns a–b' of a fixed-width line. */
export interface RowProblem {
  readonly row: number;
  readonly place: string;
  readonly problem: Problem;
  /** What the cell at fault has, as the file writes it; absent where no single cell is at fault. */
  readonly value?: string;
}

/** Characters of a cell that a problem repeats. */
const MAX_VALUE = 200;

/** Maximum number of problems reported for one file; the rest is counted. */
export const MAX_REPORTED = 1_000;

/** Problems of one file: keeps the first ones and counts the rows at fault. */
export class FileProblems {
  readonly told: RowProblem[] = [];
  count = 0;
  private readonly rows = new Set<number>();
  private uncountedRows = 0;
  private readonly faultyEntries = new Map<string, { document: string; entry: string }>();

  add(found: RowProblem): void {
    this.count++;
    this.rows.add(found.row);
    if (this.told.length < MAX_REPORTED) this.told.push(found);
  }

  /** Gives the problems reported since the one at `from` the cells that they are about; one that has its cell keeps it. */
  addValues(from: number, valueAt: (place: string) => string | undefined): void {
    for (let at = from; at < this.told.length; at++) {
      const found = this.told[at]!;
      const value = found.value ?? valueAt(found.place)?.slice(0, MAX_VALUE);
      if (value !== undefined) this.told[at] = { ...found, value };
    }
  }

  /** Rows that are at fault through another row's message (the rest of an unbalanced entry). */
  addRows(rows: number): void {
    this.uncountedRows += rows;
  }

  /** Entries at fault that are only counted. */
  addUntold({ entries, rows }: { readonly entries: number; readonly rows: number }): void {
    this.count += entries;
    this.uncountedRows += rows;
  }

  /** An entry with a wrong row is at fault through that row alone: the sum of its other rows is not reported. */
  addFaultyEntry(document: string, entry: string): void {
    if (this.faultyEntries.size <= MAX_REPORTED)
      this.faultyEntries.set(JSON.stringify([document, entry]), { document, entry });
  }

  /** Entries with a wrong row; undefined when there are more of them than reported problems. */
  get entriesAtFault(): { document: string; entry: string }[] | undefined {
    return this.faultyEntries.size > MAX_REPORTED ? undefined : [...this.faultyEntries.values()];
  }

  get rowsAtFault(): number {
    return this.rows.size + this.uncountedRows;
  }
}
