import { centavosFromDecimal } from '../../../accounting/money.ts';
import { codeForm } from '../../../accounting/plain-text.ts';
import { entryForm } from '../../../accounting/posting.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { amountText } from './cells.ts';
import type { ImportRecordRow } from './import-records.sql.ts';
import { type ImportedLine, selectImportedLine } from './kept-file.sql.ts';
import { withKeptFile } from './kept-file.ts';
import { requireImport } from './require-import.ts';
import type { WrittenFile, WrittenRow } from './written-row.ts';
import { writtenRows } from './written-rows.ts';

export interface RowOfImport extends Pick<WrittenFile, 'columns'> {
  readonly record: ImportRecordRow;
  readonly row: WrittenRow;
}

/**
 * The row of the imported file that a line of an entry was written from. No line says its row, which would cost every
 * import: it is the row of the line's entry that has its place, as the import numbered them.
 */
export async function findImportedRow(sql: Sql, tenant: Tenant, lineId: number): Promise<RowOfImport> {
  const { companyId } = tenant;
  const line =
    (await selectImportedLine(sql, companyId, lineId)) ?? reject('NOT_FOUND', recordRef('Entry', lineId), 'id');
  const { importId } = line;
  if (importId === null) reject('ENTRY_NOT_IMPORTED', { entry: line.entry }, 'id');
  const record = await requireImport(sql, tenant, importId);
  return withKeptFile(sql, companyId, importId, async (file) => {
    const written = await writtenRows(record.kind, file);
    const row = rowOfLine(line, await rowsOfEntry(written, line), written.columns);
    return { record, columns: written.columns, row: row ?? reject('IMPORT_FILE_GONE', { import: importId }, 'id') };
  });
}

/** All of the entry's rows, which may stand apart. */
async function rowsOfEntry({ columns, rows }: WrittenFile, line: ImportedLine): Promise<WrittenRow[]> {
  const [document, entry] = [columns.indexOf('documento'), columns.indexOf('lancamento')];
  // A bookkeeping file has one number, which is the entry's or restored its batch and document.
  const number = columns.indexOf('numero');
  const restored = `${line.month}.${line.batch}.${line.document}.${line.entry}`;
  const isOfEntry = (cells: readonly string[]) =>
    number < 0
      ? codeAt(cells, entry) === line.entry && codeAt(cells, document) === line.document
      : cells[number] === line.entry || cells[number] === restored;
  const found: WrittenRow[] = [];
  for await (const chunk of rows) {
    for (const row of chunk) {
      if (isOfEntry(row.cells)) found.push(row);
    }
  }
  return found;
}

function rowOfLine(
  { sequence }: ImportedLine,
  rows: readonly WrittenRow[],
  columns: readonly string[],
): WrittenRow | undefined {
  const [side, amount] = [columns.indexOf('debcre'), columns.indexOf('valor')];
  const sums = { D: 0n, C: 0n };
  for (const { cells } of rows) {
    const decimal = amountText((cells[amount] ?? '').trim());
    sums[codeAt(cells, side).toUpperCase() === 'D' ? 'D' : 'C'] += (decimal && centavosFromDecimal(decimal)) || 0n;
  }
  // A row of a pair stands for two lines.
  const isPair = entryForm({ debits: sums.D, credits: sums.C, isPaired: true }) === 'PAIRS';
  return rows[(isPair ? Math.ceil(sequence / 2) : sequence) - 1];
}

function codeAt(cells: readonly string[], at: number): string {
  return codeForm((cells[at] ?? '').trim());
}
