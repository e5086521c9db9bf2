import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Column, Layout } from './layout.ts';
import { type DocumentOptions, headTexts, type ReportWriter, type TableRow } from './rows.ts';

/**
 * Semicolons, UTF-8 with byte order mark, decimal comma: which a Brazilian spreadsheet opens directly. Cells of text,
 * numbers of documents among them, are guarded against being read as formulas; numbers never are.
 */
export function openCsv(output: Writable, { titled = false, head = false }: DocumentOptions): ReportWriter {
  /** One byte order mark for the file, an empty line between its tables. */
  let start = '\uFEFF';
  return {
    async add(layout, content) {
      const about = head ? `# ${headTexts(layout, content.values).map(textCell).join(';')}\r\n` : '';
      const title = titled ? `${layout.title}\r\n` : '';
      output.write(`${start}${about}${title}${layout.columns.map((column) => quoteCell(column.title)).join(';')}\r\n`);
      start = '\r\n';
      for await (const chunk of content.rows) {
        let text = '';
        for (const row of chunk) text += `${lineOf(layout, row)}\r\n`;
        if (!output.write(text)) await once(output, 'drain');
      }
      return { pages: 1, missingCharacters: [] };
    },
    async end() {
      output.end();
      await finished(output);
    },
  };
}

function lineOf(layout: Layout, row: TableRow): string {
  const { text } = row.cells;
  if (row.kind === 'section' || row.kind === 'group' || row.kind === 'note') return textCell(text ?? '');
  return layout.columns.map((column) => cellOf(column, row.cells[column.key] ?? '')).join(';');
}

function cellOf(column: Column, value: string): string {
  if (column.kind === 'money' || column.kind === 'decimal' || column.kind === 'balance') return value.replace('.', ',');
  return column.kind === 'integer' ? value : textCell(value);
}

/** User text, never a formula: escaped, and one cell also for readers that split at commas or tabs. */
export function textCell(text: string): string {
  return quoteCell(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
}

function quoteCell(text: string): string {
  return /[";,\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
