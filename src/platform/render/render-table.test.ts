import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import { checkPdf, hasPoppler, hasQpdf } from '../../../test/support/pdf.ts';
import { heldBytes } from '../../../test/support/thread-memory.ts';
import { compileTemplate, TemplateError } from './layout.ts';
import { type Format, openDocument, renderTable } from './render-table.ts';
import type { Printable, Printed, TableRow } from './rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'partidas-render-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const layout = compileTemplate(
  JSON.stringify({
    title: 'Diário',
    carry: { from: 'Transporte', to: 'A transportar', columns: ['debit'] },
    columns: [
      { key: 'account', title: 'Conta', width: 20, kind: 'code' },
      { key: 'history', title: 'Histórico', width: 50 },
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

/** A file with a report for each list of rows; every second one is turned. */
async function printSeveral(format: Format, reports: readonly (readonly TableRow[])[]) {
  const path = join(folder, `several.${format.toLowerCase()}`);
  const document = openDocument(format, createWriteStream(path), { titled: true });
  const printed: Printed[] = [];
  for (const [at, rows] of reports.entries()) {
    const content = {
      values: { company: `Banco ${at + 1}` },
      rows: (async function* () {
        yield rows;
      })(),
    };
    const orientation = at % 2 === 0 ? 'portrait' : 'landscape';
    printed.push(await document.add({ ...layout, title: `Relatório ${at + 1}`, orientation }, content));
  }
  await document.end();
  return { printed, bytes: readFileSync(path), path };
}

function detail(history: string, debit = '1234.56', balance = '-1234567.89'): TableRow {
  return { kind: 'detail', cells: { account: '1.1.1', history, debit, balance } };
}

/** Streams that hold text operators, decompressed. */
function* contentsOf(bytes: Buffer): Generator<string> {
  for (const match of bytes.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)) {
    try {
      const content = inflateSync(Buffer.from(match[1]!, 'latin1')).toString('latin1');
      if (content.includes(' Tm ')) yield content;
    } catch {
      // Not compressed: pdfkit's own turn of the page.
    }
  }
}

describe('PDF', () => {
  const ATTACKS = [
    ') Tj ET (x',
    '> Tj ET Q q (x) Tj <00',
    '{{company}}',
    '<script>alert(1)</script>',
    '\\)\\(',
    '%%EOF endstream endobj',
    'ação € Łódź',
  ];
  const LATIN = String.fromCodePoint(...Array.from({ length: 0x17f - 0xc0 + 1 }, (_, at) => 0xc0 + at));

  test.runIf(hasPoppler)('prints texts as they are, whatever they look like', async () => {
    const letters = LATIN.match(/.{16}/gu)!;
    const { printed, path } = await print(
      'PDF',
      [...ATTACKS, ...letters].map((text) => detail(text)),
    );
    const text = execFileSync('pdftotext', ['-layout', path, '-']).toString();
    for (const each of [...ATTACKS, ...letters]) expect(text).toContain(each);
    expect(text).toContain('1.234.567,89 C');
    expect(printed.missingCharacters).toEqual([]);
  });

  test.runIf(hasPoppler)(
    'controls and marks of direction leave a blank; nothing turns round what follows',
    async () => {
      const { path } = await print('PDF', [
        detail('a\u0000b\u001b[31mc\u0007'),
        detail('x\u202e123\u202cy\u200f\u2066z'),
      ]);
      const text = execFileSync('pdftotext', ['-layout', path, '-']).toString();
      expect(text).toContain('a b [31mc');
      expect(text.replace(/ +/g, ' ')).toContain('x 123 y z');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
      expect(text).not.toMatch(/[\u0000-\u0008\u001b\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
    },
  );

  test.runIf(hasPoppler)('numbers its pages and carries sums from one to the next', async () => {
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
    const { bytes } = await print(
      'PDF',
      [...ATTACKS, LATIN].map((text) => detail(text)),
    );
    const operators = /^(BT|ET|Tm|Tj|Tf|Tz|rg|RG|w|m|l|S|re|f|q|Q|cm|Do|-?[\d.]+|\/\w+)$/;
    let seen = 0;
    for (const content of contentsOf(bytes)) {
      const [word] = content
        .replace(/<([0-9a-f]{4})+> Tj/g, 'Tj')
        .split(/\s+/)
        .filter((each) => each !== '' && !operators.test(each));
      expect(word).toBeUndefined();
      seen += content.split(' Tj').length - 1;
    }
    expect(seen).toBeGreaterThan(ATTACKS.length);
  });

  test.runIf(hasPoppler)('a text of 70,000 characters wraps over pages, and nothing of it is lost', async () => {
    const words = Array.from({ length: 10_000 }, (_, at) => `p${String(at).padStart(5, '0')}`);
    const { printed, path } = await print('PDF', [detail(words.join(' ')), detail('depois')]);
    expect(printed.pages).toBeGreaterThan(5);
    const text = execFileSync('pdftotext', ['-layout', path, '-'], { maxBuffer: 1 << 26 }).toString();
    expect(text.match(/p\d{5}/g)).toEqual(words);
    expect(text).toContain('depois');
    const unbroken = await print('PDF', [detail('W'.repeat(70_000))]);
    const letters = execFileSync('pdftotext', ['-layout', unbroken.path, '-']).toString();
    expect(letters.match(/W/g)).toHaveLength(70_000);
  });

  test('any letter of the Latin script is printed, in regular and in bold', async () => {
    const letters = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).join('');
    const blocks = [letters(0xc0, 0x24f), letters(0x250, 0x2af), letters(0x1e00, 0x1eff)];
    const signs = '€ ª º ² ³ ¹ “ ” ‘ ’ ‚ „ « » – — … • § ¶ † ‡ ‰ ™ № − × ÷ ½ ⅓ ₡ ₢ ₿';
    const rows = [...blocks, signs].flatMap((text): TableRow[] => [
      detail(text),
      { kind: 'subtotal', cells: { history: text } },
    ]);
    const { printed, path, bytes } = await print('PDF', rows);
    expect(printed.missingCharacters).toEqual([]);
    for (const content of contentsOf(bytes)) {
      // Letters of the second font bring its name and the way back, nothing else.
      expect(content).not.toMatch(/Tj (?!ET\b|\/F\d+ [\d.]+ Tf |\[|[\d.]+ Ts )/);
    }
    if (!hasPoppler) return;
    const text = execFileSync('pdftotext', [path, '-']).toString().replace(/\s/g, '');
    for (const letter of [...blocks.join('')]) expect(text.split(letter).length - 1, letter).toBeGreaterThanOrEqual(2);
  });

  test.runIf(hasPoppler)('one text however it is encoded', async () => {
    const texts: readonly (readonly [string, string])[] = [
      ['Acao'.replace('ca', 'c\u0327a\u0303'), 'Ação'],
      ['co\u00adope\u200bra\u2060ti\u200dva', 'cooperativa'],
      ['pa\u2011lavra', 'pa-lavra'],
      ['\ufb01m do o\ufb03ce', 'fim do office'],
      ['mil\u202freais\u2009e', 'mil reais e'],
      ['Gr\u0327av g\u0303', 'Gŗav g\u0303'],
    ];
    const { path, printed } = await print(
      'PDF',
      texts.map(([text]) => detail(text)),
    );
    const shown = execFileSync('pdftotext', ['-layout', path, '-']).toString().normalize('NFC');
    for (const [, text] of texts) expect(shown).toContain(text.normalize('NFC'));
    expect(printed.missingCharacters).toEqual([]);
  });

  test('what the font lacks is reported and printed as a box, not as a question mark', async () => {
    const { printed, bytes } = await print('PDF', [detail('漢字 e 漢'), detail('?')]);
    expect(printed.missingCharacters).toEqual(['漢', '字']);
    const codes = [...contentsOf(bytes)].join(' ').match(/<[0-9a-f]+> Tj/g)!;
    // Glyph 0 is the font's box for what it lacks; pdfkit's subsets keep it first.
    expect(codes.some((code) => code.startsWith('<00000000'))).toBe(true);
  });

  test.runIf(hasPoppler)('a row as high as a page stays on it, and a higher one goes on', async () => {
    const word = 'M'.repeat(32); // A line each.
    const pagesOf = new Set<number>();
    for (let lines = 66; lines <= 80; lines++) {
      const rows = [detail('antes'), detail(Array(lines).fill(word).join(' ')), detail('depois')];
      const { path, printed } = await print(
        'PDF',
        rows.map((row) => ({ ...row, carry: { debit: '1.00' } })),
      );
      const pages = execFileSync('pdftotext', ['-bbox', path, '-']).toString().split('</page>').slice(0, -1);
      const lowest = pages.map((page) => Math.max(...[...page.matchAll(/yMax="([\d.]+)"/g)].map(([, y]) => Number(y))));
      expect([lines, Math.max(...lowest) < 841.89 - 30]).toEqual([lines, true]);
      const printedLines = pages.map((page) => page.split(word).length - 1);
      expect(printedLines.reduce((sum, each) => sum + each, 0)).toBe(lines);
      expect(pages).toHaveLength(printed.pages);
      pagesOf.add(printedLines.filter((each) => each > 0).length);
    }
    // The heights tried lie on both sides of a page's.
    expect([...pagesOf].sort()).toEqual([1, 2]);
  });

  test('memory does not grow with the book', async () => {
    const rows = Array.from({ length: 1_000 }, (_, at) => detail(`histórico ${at}`));
    const held: number[] = [];
    async function* many() {
      for (let round = 0; round < 30; round++) {
        yield rows;
        if (round % 10 === 9) held.push(heldBytes());
      }
    }
    const { printed } = await print('PDF', [], { rows: many() });
    expect(printed.pages).toBeGreaterThan(400);
    const [early, , late] = held as [number, number, number];
    expect((late - early) / 1e6).toBeLessThan(5);
  });
});

describe('several reports in one file', () => {
  const ROWS = Array.from({ length: 150 }, (_, at) => ({ ...detail(`linha ${at}`), bookmark: `entrada ${at}` }));

  test.runIf(hasPoppler && hasQpdf)('PDF: each has its heads, numbers and entries of the outline', async () => {
    const { printed, bytes, path } = await printSeveral('PDF', [ROWS, [detail('só uma')], ROWS]);
    checkPdf(bytes);
    const pages = execFileSync('pdftotext', ['-layout', path, '-']).toString().split('\f').slice(0, -1);
    const heads = printed.flatMap(({ pages: count }, at) =>
      Array.from({ length: count }, (_, page) => [`Banco ${at + 1}`, `Página ${page + 1} de ${count}`]),
    );
    expect(pages).toHaveLength(heads.length);
    for (const [at, texts] of heads.entries()) {
      for (const text of texts) expect(pages[at]!.replace(/\s+/g, ' ')).toContain(text);
    }
    const { outlines } = JSON.parse(execFileSync('qpdf', ['--json', '--json-key=outlines', path]).toString());
    const firstPages = printed.map((_, at) => 1 + printed.slice(0, at).reduce((sum, each) => sum + each.pages, 0));
    const entries = outlines.map((each: { title: string; destpageposfrom1: number; kids: { title: string }[] }) => [
      each.title,
      each.destpageposfrom1,
      each.kids.map(({ title }) => title),
    ]);
    const titles = ROWS.map(({ bookmark }) => bookmark);
    expect(entries).toEqual([
      ['Relatório 1', firstPages[0], titles],
      ['Relatório 2', firstPages[1], []],
      ['Relatório 3', firstPages[2], titles],
    ]);
    const sizes = execFileSync('pdfinfo', ['-f', '1', '-l', String(pages.length), path]).toString();
    const turned = [...sizes.matchAll(/size:\s+([\d.]+) x/g)].map(([, width]) => Number(width) > 800);
    expect(turned).toEqual(printed.flatMap(({ pages: count }, at) => Array(count).fill(at === 1)));
    // The fonts are in the file once.
    const fonts = execFileSync('pdffonts', [path]).toString().trim().split('\n').slice(2);
    expect(fonts).toHaveLength(2);
  });

  test('PDF: characters that the font lacks are those of each report', async () => {
    const { printed } = await printSeveral('PDF', [[detail('漢字')], [detail('plain')], [detail('漢')]]);
    expect(printed.map(({ missingCharacters }) => missingCharacters)).toEqual([['漢', '字'], [], ['漢']]);
  });

  test('XLSX: a sheet for each, which a spreadsheet finds by its name', async () => {
    const { bytes } = await printSeveral('XLSX', [[detail('um')], [detail('dois')]]);
    const files = unzipSync(bytes);
    const text = (name: string) => Buffer.from(files[name]!).toString();
    const sheets = [...text('xl/workbook.xml').matchAll(/name="([^"]+)" sheetId="\d+" r:id="(\w+)"/g)];
    const found = sheets.map(([, name, id]) => {
      const target = new RegExp(`Id="${id}"[^>]* Target="([^"]+)"`).exec(text('xl/_rels/workbook.xml.rels'))![1]!;
      expect(text('[Content_Types].xml')).toContain(`PartName="/xl/${target}"`);
      return [name, /xml:space="preserve">(um|dois)</.exec(text(`xl/${target}`))?.[1]];
    });
    expect(found).toEqual([
      ['Relatório 1', 'um'],
      ['Relatório 2', 'dois'],
    ]);
  });

  test('TXT and CSV: one after the other', async () => {
    const rows = [detail('um')];
    const txt = (await printSeveral('TXT', [rows, rows])).bytes.toString();
    expect(txt.split('\f')).toHaveLength(2);
    expect(txt.split('\f')[1]).toMatch(/^Banco 2 +Página 1 de 1\n/);
    const csv = (await printSeveral('CSV', [rows, rows])).bytes.toString();
    const table = 'Conta;Histórico;Débito;Saldo\r\n1.1.1;um;1234,56;-1234567,89\r\n';
    expect(csv).toBe(`\uFEFFRelatório 1\r\n${table}\r\nRelatório 2\r\n${table}`);
  });
});

test('CSV guards what people typed and leaves numbers alone', async () => {
  const document: TableRow = { kind: 'detail', cells: { account: '@SUM(1)', history: '-1', debit: '-1.00' } };
  const { bytes } = await print('CSV', [detail('=1+1', '-5.00'), detail('a;b "c"'), document]);
  const lines = bytes.toString().split('\r\n');
  expect(lines[0]).toBe('\uFEFFConta;Histórico;Débito;Saldo');
  expect(lines[1]).toBe("1.1.1;'=1+1;-5,00;-1234567,89");
  expect(lines[2]).toBe('1.1.1;"a;b ""c""";1234,56;-1234567,89');
  expect(lines[3]).toBe("'@SUM(1);'-1;-1,00;");
});

test('TXT keeps to 132 columns and cuts nothing', async () => {
  const words = Array.from({ length: 60 }, (_, at) => `palavra${at}`);
  const { bytes } = await print('TXT', [detail(words.join(' ')), ...Array.from({ length: 100 }, () => detail('x'))]);
  const pages = bytes.toString().split('\f');
  expect(pages.length).toBeGreaterThan(1);
  for (const line of pages.join('').split('\n')) expect([...line].length).toBeLessThanOrEqual(132);
  for (const word of words) expect(bytes.toString()).toContain(word);
});

test('TXT says on every page how many there are, at the end of its line', async () => {
  const rows = Array.from({ length: 600 }, () => detail('x'));
  const pagesOf = (bytes: Buffer) => bytes.toString().split('\f');
  const pages = pagesOf((await print('TXT', rows)).bytes);
  expect(pages.length).toBeGreaterThan(10);
  pages.forEach((page, at) => {
    const [line = ''] = page.split('\n');
    expect(line).toHaveLength(132);
    expect(line).toMatch(new RegExp(`^Banco Exemplo S\\.A\\. +Página ${at + 1} de ${pages.length}$`));
  });
  const values = { company: 'B'.repeat(130), identification: '', period: '', emittedAt: '' };
  const [long = ''] = pagesOf((await print('TXT', rows, { values })).bytes);
  expect(long.split('\n')[1]!.trim()).toBe(`Página 1 de ${pages.length}`);
});

test.runIf(hasPoppler).each([1, 2, 4, 7, 20])('a page with %i signatures has room for all', async (count) => {
  const signatures = Array.from({ length: count }, (_, at) => [
    `Pessoa ${at} de Albuquerque`,
    'Diretora',
    'CPF 1',
    'x',
  ]);
  const texts = [{ title: 'Termo', paragraphs: ['Contém este livro 3 folhas. '.repeat(8)], signatures }];
  const { path } = await print('PDF', [], { texts });
  const page = execFileSync('pdftotext', ['-bbox', path, '-']).toString();
  expect(page.match(/>Pessoa</g)).toHaveLength(count);
  const edges = (name: string) =>
    [...page.matchAll(new RegExp(`${name}="([\\d.]+)"`, 'g'))].map(([, at]) => Number(at));
  expect(Math.max(...edges('yMax'))).toBeLessThan(841.89 - 25);
  expect(Math.max(...edges('xMax'))).toBeLessThan(595.28 - 25);
});

test('TXT never breaks a number', async () => {
  const columns = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => ({ key, title: 'Débito', width: 10, kind: 'money' }));
  const text = { key: 'history', title: 'Histórico', width: 60 };
  const narrow = compileTemplate(JSON.stringify({ title: 'Estreito', columns: [text, ...columns] }), 'narrow');
  const amounts = ['1.00', '-999999999999.99', '9999999999999.99', '-123456789012345678.90', '12345678.90', '5.00'];
  const cells = Object.fromEntries([['history', 'texto'], ...amounts.map((amount, at) => ['abcdef'[at], amount])]);
  async function* rows() {
    yield [{ kind: 'detail', cells } as TableRow];
  }
  const path = join(folder, 'narrow.txt');
  await renderTable('TXT', narrow, { values: {}, rows: rows() }, createWriteStream(path));
  const lines = readFileSync(path, 'utf8').split('\n');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(132);
  const numbers = lines
    .slice(6)
    .join(' ')
    .match(/-?[\d.]+,\d\d/g)!
    .map((each) => each.replaceAll('.', ''));
  expect(numbers.sort()).toEqual(amounts.map((each) => each.replace('.', ',')).sort());
});

test.each(['CSV', 'TXT'] as const)('title and column heads are filled in, as %s', async (format) => {
  const column = { key: 'a', title: 'Em {{day}}', width: 10 };
  const dated = compileTemplate(JSON.stringify({ title: 'Balanço em {{day}}', columns: [column] }), 'dated');
  async function* rows() {
    yield [{ kind: 'detail', cells: { a: 'x' } } as TableRow];
  }
  const path = join(folder, `dated.${format}`);
  const document = openDocument(format, createWriteStream(path), { titled: true });
  await document.add(dated, { values: { day: '31/12/2025', company: '{{day}}' }, rows: rows() });
  await document.end();
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('Balanço em 31/12/2025');
  expect(text).toContain('Em 31/12/2025');
});

test('TXT: a name has a line for itself before it is broken, and no code is broken', async () => {
  const columns = [
    { key: 'account', title: 'Conta', width: 5, kind: 'code', characters: 18 },
    { key: 'name', title: 'Nome', width: 20, indent: true },
    { key: 'a', title: 'Saldo', width: 40, kind: 'balance', characters: 60 },
    { key: 'b', title: 'Outro', width: 40, kind: 'money', characters: 30 },
  ];
  const narrow = compileTemplate(JSON.stringify({ title: 'Balancete', columns }), 'named');
  const name = 'Depósitos interfinanceiros de ligadas com garantia real e vencimento em até noventa dias';
  const cells = { account: '1.1.1.10.01.10-001', name, a: '-1234567.89', b: '1.00' };
  const path = join(folder, 'named.txt');
  async function* rows() {
    yield [
      { kind: 'detail', level: 3, cells } as TableRow,
      { kind: 'total', cells: { name: 'Total', b: '1.00' } } as TableRow,
    ];
  }
  await renderTable('TXT', narrow, { values: {}, rows: rows() }, createWriteStream(path));
  const lines = readFileSync(path, 'utf8').split('\n');
  const at = lines.findIndex((line) => line.startsWith('1.1.1'));
  expect(lines[at]).toBe(`1.1.1.10.01.10-001     ${name}`);
  expect(lines[at + 1]!.trim()).toMatch(/^1\.234\.567,89 C +1,00$/);
  expect(lines[at + 1]).toHaveLength(132);
  expect(lines.find((line) => line.includes('Total'))).toMatch(/^ {19}Total +1,00$/);
});

test('TXT is stopped while its pages wait', async () => {
  let asked = 0;
  async function* endless() {
    for (;;) {
      asked++;
      yield [detail('x')];
    }
  }
  const watch = (bytes: number) => {
    if (bytes > 100_000) throw new Error('enough');
  };
  const content = { values: {}, rows: endless() };
  await expect(renderTable('TXT', layout, content, createWriteStream(join(folder, 'x')), watch)).rejects.toThrow(
    'enough',
  );
  expect(asked).toBeLessThan(1_000);
});

test('XLSX is a zip whose sheet holds numbers as numbers and texts as texts', async () => {
  const { bytes } = await print('XLSX', [detail('=cmd|x <&>')]);
  const sheet = Buffer.from(unzipSync(bytes)['xl/worksheets/sheet1.xml']!).toString();
  expect(sheet).toContain('<v>1234.56</v>');
  expect(sheet).toContain('=cmd|x &lt;&amp;&gt;</t>');
  expect(sheet).not.toContain('<f>');
  // The word of the format: a spreadsheet calls a file with another one damaged.
  expect(sheet).toContain('state="frozen"');
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
    } else if (hasPoppler) {
      const boxes = execFileSync('pdftotext', ['-bbox', path, '-']).toString();
      const ends = [...boxes.matchAll(/xMax="([\d.]+)"[^>]*>([^<]*)</g)];
      expect(ends.map((each) => each[2])).toContain('FIM');
      for (const [, end] of ends) expect(Number(end)).toBeLessThan(595.28 - 30);
    }
  },
);

describe('a template', () => {
  const column = (more: string) =>
    `{\n "title": "x",\n "columns": [\n  {"key": "a", "title": "A", "width": 1},\n  ${more}\n ]\n}`;

  test.each([
    ['a number out of bounds', column('{"key": "b", "title": "B",\n   "width": -1}'), /linha 6, columns\.1\.width/],
    [
      'an unknown kind',
      column('{"key": "b", "title": "B", "width": 1,\n   "kind": "euro"}'),
      /linha 6, columns\.1\.kind: Valor inválido: deve ser um destes valores: text, code/,
    ],
    [
      'an unknown field',
      column('{"key": "b", "title": "B", "width": 1,\n   "colour": "red"}'),
      /linha 6, columns\.1\.colour/,
    ],
    ['a field that is missing', column('{"key": "b", "width": 1}'), /linha 5, columns\.1\.title/],
    ['no title at all', '{\n "columns": [{"key": "a", "title": "A", "width": 1}]\n}', /linha 1, title/],
    [
      'a sum of a column that is not there',
      column('{"key": "b", "title": "B", "width": 1}').replace(
        /\n}$/,
        ',\n "carry": {"from": "a", "to": "b", "columns": [\n  "nope"]}\n}',
      ),
      /linha 8, carry\.columns\.0: não há coluna nope/,
    ],
    ['broken JSON', '{\n "title": "x",\n "columns": [}\n}', /linha 3: não é um JSON válido/],
    ['JSON that ends too early', '{\n "title": "x"', /linha 2: não é um JSON válido/],
  ])('with %s says line and field', (_, text, said) => {
    expect(() => compileTemplate(text, 'x.json')).toThrow(TemplateError);
    expect(() => compileTemplate(text, 'x.json')).toThrow(said);
  });

  test('is compiled once, by content', () => {
    const text = column('{"key": "b", "title": "B", "width": 1}');
    const first = compileTemplate(text, 'x.json');
    expect(compileTemplate(text, 'other.json')).toBe(first);
    expect(compileTemplate(`${text} `, 'x.json')).not.toBe(first);
  });
});
