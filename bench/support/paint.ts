import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { readTemplate } from '../../src/features/reporting/print/report-template.ts';
import type { Layout } from '../../src/platform/render/layout.ts';
import { renderTable } from '../../src/platform/render/render-table.ts';
import { alignmentOf, cellText, type Rows } from '../../src/platform/render/rows.ts';
import { trialBalanceRows } from './trial-balance-rows.ts';

// Run as a process of its own: paint.ts painter|bare ROWS. Prints what it took as JSON.

export interface Painted {
  readonly seconds: number;
  readonly pages: number;
  readonly bytes: number;
  /** Largest resident memory in bytes. */
  readonly memory: number;
}

/** Rows of a page as the painter sets them, so that both sides fill pages of the same size. */
const ROWS_A_PAGE = 46;
/** Pages that may be with the compressor at a time. */
const IN_FLIGHT = 4;

class Counted extends Writable {
  bytes = 0;

  override _write(chunk: Buffer | string, _encoding: string, done: () => void): void {
    this.bytes += chunk.length;
    done();
  }
}

const codes = new Map<number, string>();

const [by, rows] = process.argv.slice(2);
const { layout } = await readTemplate('monthlyTrialBalance', undefined);
const output = new Counted();
const began = performance.now();
const source = trialBalanceRows(Number(rows));
const pages =
  by === 'painter'
    ? (await renderTable('PDF', layout, { values: { company: 'Banco de Medidas S.A.' }, rows: source }, output)).pages
    : await writeBare(layout, source, output);
const painted: Painted = {
  seconds: (performance.now() - began) / 1000,
  pages,
  bytes: output.bytes,
  memory: process.resourceUsage().maxRSS * 1024,
};
console.log(JSON.stringify(painted));

/**
 * The least that writes such a table: the same operators with glyph codes in hexadecimal, compressed page by page into
 * a PDF. It measures no text, breaks no line, embeds no font and draws no header.
 */
async function writeBare({ columns, fontSize }: Layout, source: Rows, into: Writable): Promise<number> {
  const compress = promisify<string, Buffer>(deflate);
  const offsets: number[] = [];
  let at = 0;
  const write = (part: string | Buffer) => {
    at += part.length;
    into.write(part);
  };
  const object = (body: string | Buffer, dictionary = '') => {
    offsets.push(at);
    write(`${offsets.length} 0 obj\n${dictionary}`);
    write(body);
    write('\nendobj\n');
  };
  write('%PDF-1.7\n');
  const pages: number[] = [];
  const waiting: Promise<Buffer>[] = [];
  const writeOldest = async () => {
    const content = (await waiting.shift())!;
    object(
      Buffer.concat([content, Buffer.from('\nendstream')]),
      `<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n`,
    );
    object(`<< /Type /Page /Contents ${offsets.length} 0 R /MediaBox [0 0 841.89 595.28] >>`);
    pages.push(offsets.length);
  };
  let operators: string[] = [];
  let lines = 0;
  const endPage = async () => {
    waiting.push(compress(operators.join('\n')));
    operators = [];
    lines = 0;
    if (waiting.length >= IN_FLIGHT) await writeOldest();
  };
  for await (const chunk of source) {
    for (const row of chunk) {
      const y = 90 + lines * 10.35;
      columns.forEach((column, index) => {
        const text = cellText(column, row.cells[column.key]);
        if (text === '') return;
        const x = 34 + index * 96 + (alignmentOf(column) === 'right' ? 40 : 0);
        operators.push(`BT 0.13 0.14 0.16 rg /F1 ${fontSize} Tf 1 0 0 -1 ${x} ${y.toFixed(2)} Tm <${hex(text)}> Tj ET`);
      });
      if (++lines === ROWS_A_PAGE) await endPage();
    }
  }
  if (lines > 0) await endPage();
  while (waiting.length > 0) await writeOldest();
  object(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((page) => `${page} 0 R`).join(' ')}] >>`);
  object(`<< /Type /Catalog /Pages ${offsets.length} 0 R >>`);
  const start = at;
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  write(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${table}`);
  write(`trailer\n<< /Size ${offsets.length + 1} /Root ${offsets.length} 0 R >>\nstartxref\n${start}\n%%EOF\n`);
  await new Promise<void>((done) => into.end(done));
  return pages.length;
}

/** Four digits a character, looked up as the painter's are. */
function hex(text: string): string {
  let digits = '';
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    let known = codes.get(code);
    if (known === undefined) {
      known = code.toString(16).padStart(4, '0');
      codes.set(code, known);
    }
    digits += known;
  }
  return digits;
}
