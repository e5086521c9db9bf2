import type { Writable } from 'node:stream';
import type { Layout } from './layout.ts';
import { openPdf } from './paint-pdf.ts';
import type { DocumentOptions, Printable, Printed, ReportWriter } from './rows.ts';
import { openCsv } from './write-csv.ts';
import { openTxt } from './write-txt.ts';
import { openXlsx } from './write-xlsx.ts';

export type Format = 'PDF' | 'CSV' | 'TXT' | 'XLSX';

const WRITERS = { PDF: openPdf, CSV: openCsv, TXT: openTxt, XLSX: openXlsx } as const;

/** Prints one table in the format requested; ends the stream and resolves when all of it is out. */
export async function renderTable(
  format: Format,
  layout: Layout,
  content: Printable,
  output: Writable,
  watch?: DocumentOptions['watch'],
): Promise<Printed> {
  const document = openDocument(format, output, { watch });
  const printed = await document.add(layout, content);
  await document.end();
  return printed;
}

/** A file of the format requested, to print one report or several into. */
export function openDocument(format: Format, output: Writable, options: DocumentOptions = {}): ReportWriter {
  const writer = WRITERS[format](output, options);
  return {
    add(layout, content) {
      const { without = [] } = content;
      const columns = layout.columns.filter(({ key }) => !without.includes(key));
      return writer.add({ ...layout, columns }, content);
    },
    end: () => writer.end(),
  };
}
