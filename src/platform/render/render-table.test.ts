import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import { compileTemplate, TemplateError } from './layout.ts';
import { type Format, renderTable } from './render-table.ts';
import type { Printable, Printed, TableRow } from './rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'partidas-render-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const layout = compileTemplate(
  JSON.stringify({
    title: 'Diário',
    carry: { from: 'Transporte', to: 'A transportar', columns: ['debit'] },
    columns: [
      { key: 'account', title: 'Conta', width: 20, kind: 'code' },
      { key: 'history', title: 'Histórico', width: 50, freeText: true },
      { key: 'debit', title: 'Débito', width: 20, kind: 'money' },
      { key: 'balance', title: 'Saldo', width: 20, kind: 'balance' },
    ],
  }),
  'diario',
);

async function print(format: Format, rows: TableRow[], more: Partial<Printable> = {}) {
  const path = join(folder, `report.${format.toLowerCase()}`);
  const values = {
    company: 'Banco Exemplo S.A.',
    identification: 'CNPJ',
    period: 'Janeiro de 2026',
    emittedAt: 'hoje',
  };
  async function* stream() {
    for (let at = 0; at < rows.length; at += 100) yield rows.slice(at, at + 100);
  }
  const printed: Printed = await renderTable(
    format,
    layout,
    { values, rows: stream(), ...more },
    createWriteStream(path),
  );
  return { printed, bytes: readFileSync(path), path };
}

function detail(history: string, debit = '1234.56', balance = '-1234567.89'): TableRow {
  return { kind: 'detail', cells: { account: '1.1.1', history, debit, balance } };
}

const hasPdfToText = (() => {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    console.log('pdftotext is not installed (poppler-utils): texts of PDFs are not read back');
    return false;
  }
})();

describe('PDF', () => {
  test.runIf(hasPdfToText)('prints texts as they are, whatever they look like', async () => {
    const attacks = [') Tj ET (x', '{{company}}', '<script>', '\\)\\(', 'ação € Łódź'];
    const { path } = await print(
      'PDF',
      attacks.map((text) => detail(text)),
    );
    const text = execFileSync('pdftotext', ['-layout', path, '-']).toString();
    for (const attack of attacks) expect(text).toContain(attack);
    expect(text).toContain('1.234.567,89 C');
  });

  test.runIf(hasPdfToText)('numbers its pages and carries sums from one to the next', async () => {
    const rows = Array.from({ length: 200 }, (_, at) => ({
      ...detail(`linha ${at}`, '1.00'),
      carry: { debit: `${at + 1}.00` },
    }));
    const { printed, path } = await print('PDF', rows);
    const pages = execFileSync('pdftotext', ['-layout', path, '-'])
      .toString()
      .split('\f')
      .filter((page) => page.trim() !== '');
    expect(pages).toHaveLength(printed.pages);
    pages.forEach((page, at) => {
      expect(page.replace(/\s+/g, ' ')).toContain(`Página ${at + 1} de ${printed.pages}`);
      const printedRows = [...page.matchAll(/linha (\d+)/g)].map((match) => Number(match[1]));
      if (at < pages.length - 1) expect(page).toMatch(new RegExp(`A transportar\\s+${printedRows.at(-1)! + 1},00`));
      if (at > 0) expect(page).toMatch(new RegExp(`Transporte\\s+${printedRows[0]},00`));
    });
  });

  test('writes glyph codes only: no text reaches the operators', async () => {
    const { bytes } = await print('PDF', [detail(') Tj (injected')]);
    for (const match of bytes.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)) {
      let content = '';
      try {
        content = inflateSync(Buffer.from(match[1]!, 'latin1')).toString('latin1');
      } catch {
        continue;
      }
      if (content.includes(' Tm ')) expect(content).not.toContain('injected');
    }
  });

  test('a very long text wraps over pages, and unknown characters are reported', async () => {
    const { printed } = await print('PDF', [detail('palavra '.repeat(9_000)), detail('漢字')]);
    expect(printed.pages).toBeGreaterThan(5);
    expect(printed.missingCharacters).toEqual(['漢', '字']);
  });

  test('memory does not grow with the book', async () => {
    const rows = Array.from({ length: 1_000 }, (_, at) => detail(`histórico ${at}`));
    const before = process.memoryUsage().rss;
    async function* many() {
      for (let round = 0; round < 30; round++) yield rows;
    }
    const { printed } = await print('PDF', [], { rows: many() });
    expect(printed.pages).toBeGreaterThan(400);
    expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(150);
  });
});

test('CSV guards what people typed and leaves numbers alone', async () => {
  const { bytes } = await print('CSV', [detail('=1+1', '-5.00'), detail('a;b "c"')]);
  const lines = bytes.toString().split('\r\n');
  expect(lines[0]).toBe('\uFEFFConta;Histórico;Débito;Saldo');
  expect(lines[1]).toBe("1.1.1;'=1+1;-5,00;-1234567,89");
  expect(lines[2]).toBe('1.1.1;"a;b ""c""";1234,56;-1234567,89');
});

test('TXT keeps to 132 columns and cuts nothing', async () => {
  const words = Array.from({ length: 60 }, (_, at) => `palavra${at}`);
  const { bytes } = await print('TXT', [detail(words.join(' ')), ...Array.from({ length: 100 }, () => detail('x'))]);
  const pages = bytes.toString().split('\f');
  expect(pages.length).toBeGreaterThan(1);
  for (const line of pages.join('').split('\n')) expect([...line].length).toBeLessThanOrEqual(132);
  for (const word of words) expect(bytes.toString()).toContain(word);
});

test('XLSX is a zip whose sheet holds numbers as numbers and texts as texts', async () => {
  const { bytes } = await print('XLSX', [detail('=cmd|x <&>')]);
  const sheet = Buffer.from(unzipSync(bytes)['xl/worksheets/sheet1.xml']!).toString();
  expect(sheet).toContain('<v>1234.56</v>');
  expect(sheet).toContain('=cmd|x &lt;&amp;&gt;</t>');
  expect(sheet).not.toContain('<f>');
});

test.each(['PDF', 'TXT'] as const)(
  '%s keeps a level deeper than its column and long names inside the page',
  async (format) => {
    const narrow = compileTemplate(
      JSON.stringify({
        title: 'Balancete',
        columns: [
          { key: 'name', title: 'Nome', width: 20, indent: true },
          { key: 'balance', title: 'Saldo', width: 80, kind: 'balance' },
        ],
      }),
      'narrow',
    );
    const path = join(folder, `narrow.${format.toLowerCase()}`);
    async function* rows() {
      yield [{ kind: 'detail' as const, level: 60, cells: { name: 'conta funda', balance: '1.00' } }];
    }
    const values = { company: `${'Fundo Comprido '.repeat(13)}FIM`, emittedAt: 'hoje', period: 'Janeiro de 2026' };
    await renderTable(format, narrow, { values, rows: rows() }, createWriteStream(path));
    if (format === 'TXT') {
      for (const line of readFileSync(path, 'utf8').split('\n')) expect([...line].length).toBeLessThanOrEqual(132);
    } else if (hasPdfToText) {
      const boxes = execFileSync('pdftotext', ['-bbox', path, '-']).toString();
      const ends = [...boxes.matchAll(/xMax="([\d.]+)"[^>]*>([^<]*)</g)];
      expect(ends.map((each) => each[2])).toContain('FIM');
      for (const [, end] of ends) expect(Number(end)).toBeLessThan(595.28 - 30);
    }
  },
);

test('a broken template says line and field', () => {
  const broken = '{\n "title": "x",\n "columns": [\n  {"key": "a", "title": "A", "width": -1}\n ]\n}';
  expect(() => compileTemplate(broken, 'x.json')).toThrow(TemplateError);
  expect(() => compileTemplate(broken, 'x.json')).toThrow(/x\.json: line 4, columns\.0\.width/);
  expect(() => compileTemplate('{', 'x.json')).toThrow(/not valid JSON/);
});
