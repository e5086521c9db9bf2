import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import type { Layout } from './layout.ts';
import { TablePainter } from './paint-table.ts';
import { type Pdf, ReportPages } from './report-pages.ts';
import type { DocumentOptions, Printable, ReportWriter } from './rows.ts';
import { openFaces } from './typeface.ts';

/**
 * Paints tables as PDF into the stream: pages leave as they fill, so memory does not grow with the book. Texts are
 * written as glyph codes by our own operators through pdfkit, which keeps fonts, outline and structure.
 */
export function openPdf(output: Writable, { titled = false }: DocumentOptions): ReportWriter {
  let pdf: Pdf | undefined;
  return {
    async add(layout, content) {
      pdf ??= beginPdf(layout, content, output);
      const pages = new ReportPages(pdf, layout, content, titled ? outlineTitle(layout) : undefined);
      await paintPages(pages, layout, content, output);
      const annexes: number[] = [];
      for await (const annex of content.annexes ?? []) {
        const bound = new ReportPages(pdf, annex.layout, annex.content, outlineTitle(annex.layout), pages);
        pages.turnVolume();
        await paintPages(bound, annex.layout, annex.content, output);
        annexes.push(bound.count);
      }
      pages.end();
      await flush(pdf.document, output);
      const { regular, bold } = pdf.faces;
      const missingCharacters = [...new Set([...regular.takeMissing(), ...bold.takeMissing()])];
      return { pages: pages.count, missingCharacters, annexes };
    },
    async end() {
      const done = finished(output);
      pdf?.document.end();
      await done;
    },
  };
}

/** What a report is called in the outline. */
function outlineTitle({ shortTitle, title }: Layout): string {
  return shortTitle ?? title;
}

/** The texts and the table of a report or annex. */
async function paintPages(pages: ReportPages, layout: Layout, content: Printable, output: Writable): Promise<void> {
  const table = new TablePainter(pages, layout);
  for (const page of content.texts ?? []) pages.paintText(page);
  for await (const chunk of content.rows) {
    for (const row of chunk) table.paintRow(row);
    // Rows already in memory arrive without a turn of the event loop, and pages are written only in one.
    await setImmediate();
    if (output.writableNeedDrain) await once(output, 'drain');
  }
  table.end();
}

/** Waits until all that is painted is in the output: the size of a report is asked for when it ends. */
async function flush(document: Pdf['document'], output: Writable): Promise<void> {
  const painted = document as unknown as Readable;
  while (painted.readableLength > 0 && !output.errored) {
    if (output.writableNeedDrain) await once(output, 'drain');
    else await setImmediate();
  }
}

/** The document is known by its first report. */
function beginPdf({ title, shortTitle = title, orientation }: Layout, { values }: Printable, output: Writable): Pdf {
  const document = new PDFDocument({
    size: 'A4',
    layout: orientation,
    margin: 0,
    autoFirstPage: false,
    info: { Title: `${shortTitle} ${values.period ?? ''}`.trim(), Author: values.company ?? '', Creator: 'Partidas' },
    lang: 'pt-BR',
  });
  document.pipe(output);
  return { document, faces: openFaces(document) };
}
