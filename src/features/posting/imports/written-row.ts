/** A row of a file as it is written there. */
export interface WrittenRow {
  /** As problems count rows: of a CSV the header is row 1, of JSON the first line. */
  readonly row: number;
  /** In the order of the columns; none for a record that is no line of an entry. */
  readonly cells: readonly string[];
  /** The whole row, where it is more than its cells; null: a row of cells. */
  readonly text: string | null;
}

/** What a file says, read from its beginning. */
export interface WrittenFile {
  /** Their names in the file; a fixed-width file has those of a CSV. */
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly WrittenRow[]>;
}
