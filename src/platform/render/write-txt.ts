import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Column, filled, type Layout } from './layout.ts';
import {
  alignmentOf,
  type Printable,
  type Printed,
  printable,
  shownText,
  type TableRow,
  type TextPage,
} from './rows.ts';

/** Columns of a line and lines of a page, as line printers and archives of printed books expect them. */
const LINE_WIDTH = 132;
const PAGE_LINES = 66;
const INDENT = 2;

/** Fixed-width pages with a form feed between them; long texts wrap, nothing is cut. */
export async function writeTxt(layout: Layout, content: Printable, output: Writable): Promise<Printed> {
  const book = new TextBook(layout, content);
  if (content.opening) book.addTextPage(content.opening);
  book.startPage();
  for await (const chunk of content.rows) {
    for (const row of chunk) book.addRow(row);
    if (!output.write(book.take())) await once(output, 'drain');
  }
  book.endPage();
  const closing = content.closing?.(book.pages + 1);
  if (closing) book.addTextPage(closing);
  output.end(book.take());
  await finished(output);
  return { pages: book.pages, missingCharacters: [] };
}

class TextBook {
  pages = 0;
  private readonly layout: Layout;
  private readonly content: Printable;
  private readonly widths: readonly number[];
  private lines: string[] = [];
  private text = '';
  private carried: Readonly<Record<string, string>> | undefined;

  constructor(layout: Layout, content: Printable) {
    this.layout = layout;
    this.content = content;
    this.widths = columnWidths(layout);
  }

  /** What is complete so far. */
  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }

  startPage(): void {
    this.pages++;
    const { values } = this.content;
    const number = String((this.content.firstPage ?? 1) + this.pages - 1);
    const label = this.layout.numbering === 'folha' ? `Folha ${number}` : `Página ${number}`;
    this.lines = [
      ...bothEnds(values.company ?? '', label),
      ...bothEnds(values.identification ?? '', values.emittedAt ?? ''),
      ...bothEnds(
        filled(this.layout.title, values),
        this.layout.subtitle.map((each) => filled(each, values)).join(' · '),
      ),
      '-'.repeat(LINE_WIDTH),
      ...this.cellLines((column) => column.title, 0),
      '-'.repeat(LINE_WIDTH),
    ];
  }

  endPage(): void {
    this.text += `${this.pages > 1 ? '\f' : ''}${this.lines.join('\n')}\n`;
    this.lines = [];
  }

  addRow(row: TableRow): void {
    if (row.kind === 'newPage') return this.turnPage();
    const lines = this.linesOf(row);
    const reserved = this.layout.carry ? 1 : 0;
    for (const [at, line] of lines.entries()) {
      const together = at === 0 && lines.length < PAGE_LINES - 12 ? lines.length : 1;
      if (this.lines.length + together + reserved > PAGE_LINES) this.turnPage();
      this.lines.push(line);
    }
    if (row.carry) this.carried = row.carry;
  }

  addTextPage(page: TextPage): void {
    this.pages++;
    const width = LINE_WIDTH - 20;
    this.lines = ['', '', aligned(page.title, LINE_WIDTH, 'center').trimEnd(), '', ''];
    for (const paragraph of page.paragraphs) {
      for (const line of wrap(printable(paragraph), width)) this.lines.push(`          ${line}`);
      this.lines.push('');
    }
    for (const signature of page.signatures) {
      this.lines.push(
        '',
        '',
        `          ${'_'.repeat(50)}`,
        ...signature.map((line) => `          ${printable(line)}`),
      );
    }
    this.endPage();
  }

  private turnPage(): void {
    const { carry } = this.layout;
    // Between two accounts of a ledger there is nothing to carry.
    const carries = carry?.columns.some((key) => (this.carried?.[key] ?? '') !== '');
    if (carries) this.lines.push(...this.carryLines(carry!.to));
    this.endPage();
    this.startPage();
    if (carries) this.lines.push(...this.carryLines(carry!.from));
  }

  private carryLines(label: string): string[] {
    const keys = this.layout.carry!.columns;
    const first = this.layout.columns.findIndex((column) => keys.includes(column.key));
    return this.cellLines(
      (column, at) =>
        keys.includes(column.key)
          ? shownText(column, this.carried?.[column.key])
          : at === Math.max(0, first - 1)
            ? label
            : '',
      0,
    );
  }

  private linesOf(row: TableRow): string[] {
    if (row.kind === 'section' || row.kind === 'group')
      return ['', ...wrap(printable(row.cells.text ?? ''), LINE_WIDTH)];
    if (row.kind === 'note') return wrap(printable(row.cells.text ?? ''), LINE_WIDTH);
    const lines = this.cellLines((column) => shownText(column, row.cells[column.key]), row.level ?? 1);
    return row.kind === 'detail' ? lines : ['-'.repeat(LINE_WIDTH), ...lines];
  }

  private cellLines(textOf: (column: Column, at: number) => string, level: number): string[] {
    const cells = this.layout.columns.map((column, at) => {
      const width = this.widths[at]!;
      // However deep the level, half of the column is left for the text.
      const indent = column.indent ? Math.min(Math.floor(width / 2), Math.max(0, level - 1) * INDENT) : 0;
      return wrap(printable(textOf(column, at)), width - indent).map((line) => ' '.repeat(indent) + line);
    });
    const height = Math.max(1, ...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, line) =>
      this.layout.columns
        .map((column, at) => aligned(cells[at]![line] ?? '', this.widths[at]!, alignmentOf(column)))
        .join(' ')
        .trimEnd(),
    );
  }
}

/** The line's width shared out by the layout's shares, a blank between columns, the rest to the widest. */
function columnWidths(layout: Layout): number[] {
  const room = LINE_WIDTH - (layout.columns.length - 1);
  const shares = layout.columns.reduce((sum, column) => sum + column.width, 0);
  const widths = layout.columns.map((column) => Math.max(1, Math.floor((column.width / shares) * room)));
  const widest = widths.indexOf(Math.max(...widths));
  widths[widest]! += room - widths.reduce((sum, width) => sum + width, 0);
  return widths;
}

function bothEnds(left: string, right: string): string[] {
  const [a, b] = [printable(left), printable(right)];
  const gap = LINE_WIDTH - a.length - b.length;
  return gap >= 1 ? [a + ' '.repeat(gap) + b] : [...wrap(a, LINE_WIDTH), ...wrap(b, LINE_WIDTH)];
}

function aligned(text: string, width: number, to: 'left' | 'right' | 'center'): string {
  if (to === 'right') return text.padStart(width);
  if (to === 'center') return text.padStart(Math.floor((width + text.length) / 2)).padEnd(width);
  return text.padEnd(width);
}

function wrap(text: string, width: number): string[] {
  if (text.length <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length <= width) {
      line += ` ${word}`;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (line.length > width) {
      lines.push(line.slice(0, width));
      line = line.slice(width);
    }
  }
  lines.push(line);
  return lines;
}
