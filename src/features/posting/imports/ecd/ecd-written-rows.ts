import type { SpooledFile } from '../spool.ts';
import type { WrittenFile, WrittenRow } from '../written-row.ts';
import { postingsOf } from './read-entries.ts';

const COLUMNS = ['numero', 'dia', 'debcre', 'conta', 'valor', 'historico', 'cdhistorico'];

/** The lines of entries of a bookkeeping file that became lines of the books; `numero` is that of the file. */
export function ecdWrittenRows(file: SpooledFile): WrittenFile {
  return { columns: COLUMNS, rows: rowsOf(file) };
}

async function* rowsOf(file: SpooledFile): AsyncGenerator<WrittenRow[]> {
  for await (const postings of postingsOf(file, () => true)) {
    yield postings
      .filter(({ amount }) => /[1-9]/.test(amount))
      .map(({ line, text, entry, side, account, amount, narration, narrationCode }) => ({
        row: line,
        cells: [entry.number, entry.day, side, account, amount, narration, narrationCode],
        text,
      }));
  }
}
