import type { Writable } from 'node:stream';
import type { Layout } from './layout.ts';
import { paintPdf } from './paint-pdf.ts';
import type { Printable, Printed } from './rows.ts';
import { writeCsv } from './write-csv.ts';
import { writeTxt } from './write-txt.ts';
import { writeXlsx } from './write-xlsx.ts';

export type Format = 'PDF' | 'CSV' | 'TXT' | 'XLSX';

const WRITERS = { PDF: paintPdf, CSV: writeCsv, TXT: writeTxt, XLSX: writeXlsx } as const;

/**
 * Prints the table in the format asked for; ends the stream and resolves when all of it is out. `watch` is told of the
 * bytes that are not in the stream yet, and may throw.
 */
export function renderTable(
  format: Format,
  layout: Layout,
  content: Printable,
  output: Writable,
  watch?: (bytes: number) => void,
): Promise<Printed> {
  const { without = [] } = content;
  const columns = layout.columns.filter(({ key }) => !without.includes(key));
  return WRITERS[format]({ ...layout, columns }, content, output, watch);
}
