import type { Writable } from 'node:stream';
import { type Column, interpolate, type Layout } from './layout.ts';
import { openPdf } from './paint-pdf.ts';
import type { Annex, DocumentOptions, Printable, Printed, ReportWriter } from './rows.ts';
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
      const { annexes } = content;
      const bound = annexes && { annexes: annexesOf(format, annexes) };
      return writer.add(layoutOf(format, layout, content), { ...content, ...bound });
    },
    end: () => writer.end(),
  };
}

/** The columns that this report has in this format, and its texts with their values. */
function layoutOf(format: Format, layout: Layout, { values, without = [], withoutOnPages = [] }: Printable): Layout {
  const isTable = format === 'CSV' || format === 'XLSX';
  // Programs look for the columns of a CSV by their titles, which are therefore the same every month.
  const titleOf = ({ title, heading }: Column) => (format === 'CSV' ? title : (heading ?? title));
  const columns = layout.columns
    .filter(({ key, tableOnly }) => !without.includes(key) && (isTable || !(tableOnly || withoutOnPages.includes(key))))
    .map((column) => ({ ...column, title: interpolate(titleOf(column), values) }));
  return { ...layout, columns, title: interpolate(layout.title, values) };
}

async function* annexesOf(format: Format, annexes: AsyncIterable<Annex>): AsyncGenerator<Annex> {
  for await (const { layout, content } of annexes) yield { layout: layoutOf(format, layout, content), content };
}
