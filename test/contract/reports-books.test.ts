import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sumOf } from '../../src/accounting/money.ts';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { centavos } from '../support/amounts.ts';
import type { Bank } from '../support/banks.ts';
import { type BookEntry, book, movementOf } from '../support/books.ts';
import { closeMonth } from '../support/months.ts';
import { hasPoppler, pagesOfPdf } from '../support/pdf.ts';
import { day } from '../support/period.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { createBooks, print } from '../support/report-books.ts';

// The books of lines: journal, ledger, listing, and their terms.

const ATTACKS = [
  '=cmd|calc',
  ') Tj ET (x',
  '{{company}}',
  '<script>alert(1)</script>',
  '+55 11 9999',
  'ação; "cota" €',
  'x,=cmd|calc',
];

const BOOK = book`
  02/01  1.1.2  D  100.000,00  3.1  "Capital"
  ${Array.from({ length: 120 }, (_, at) => {
    const [day, cents] = [3 + (at % 20), at % 100].map((number) => String(number).padStart(2, '0'));
    const account = at % 2 === 0 ? '1.1.1' : '8.2';
    return `${day}/01  ${1 + (at % 11)}  ${account}  D  ${100 + at},${cents}  1.1.2  "${ATTACKS[at % ATTACKS.length]}"`;
  }).join('\n')}
  10/02  1.2    D      500,00  1.1.2  "Aplicação"
`;

const SIGNATORIES = [
  { name: 'Maria da Silva', role: 'Diretora', cpf: '12345678909' },
  { name: 'João Souza', role: 'Contador', crc: '1SP123456/O-1', ufCrc: 'SP' },
];

const templates = mkdtempSync(join(tmpdir(), 'partidas-templates-'));
let platform: Platform;
let bank: Bank;
let whole: Record<string, unknown>;

beforeAll(async () => {
  platform = await startPlatform({ REPORT_TEMPLATES: templates }, { now: () => new Date('2026-03-10T15:30:00Z') });
  bank = await closedBooks();
  whole = {
    empresa: bank.company,
    filial: bank.branch,
    dataInicio: '2026-01-01',
    dataFim: '2026-02-28',
    visualizationEnum: 'CSV',
  };
});

/** Terms are of closed months, and a period is issued once. */
async function closedBooks(): Promise<Bank> {
  const issuer = await createBooks(platform.admin, BOOK, {
    months: ['01/2026', '02/2026'],
    options: { signatories: SIGNATORIES, diaryBookNumber: 7 },
  });
  for (const month of ['01/2026', '02/2026']) await closeMonth(platform.admin, issuer, month);
  return issuer;
}

afterAll(async () => {
  await platform.stop();
  rmSync(templates, { recursive: true, force: true });
});

const totalOf = (entries: readonly BookEntry[]) => sumOf(entries.map(({ lines }) => lines[0]!.amount));
const total = totalOf(BOOK);

async function refused(path: string, body: Record<string, unknown>): Promise<unknown[]> {
  const answer = await platform.admin.post('reports', `/reports/${path}`, body);
  return [answer.status, answer.body.code];
}

describe('journal', () => {
  test('lines in the order of the books, totals of days, months and the whole', async () => {
    const { cells } = await print(platform.admin, 'relatorioDiarioGeral', whole);
    expect(cells[0]).toEqual(['Data', 'Lote/Doc./Lanç.', 'Conta', 'Nome', 'Histórico', 'Débito', 'Crédito']);
    const lines = cells.filter((line) => /^\d\d\//.test(line[0] ?? ''));
    expect(lines).toHaveLength(BOOK.length * 2);
    const keyOf = ([date = '', place = '']: string[]) => [
      date.split('/').reverse().join('-'),
      ...place.split('/').map((part) => part.padStart(10)),
    ];
    const keys = lines.map((line) => keyOf(line).join(' '));
    expect(keys).toEqual([...keys].sort());
    const sumOf = (chosen: string[][], column: number) =>
      chosen.reduce((sum, line) => sum + centavos(line[column]), 0n);
    const row = (text: string) =>
      cells
        .find((line) => line[4] === text)!
        .slice(5)
        .map(centavos);
    expect(row('Total geral')).toEqual([total, total]);
    const january = lines.filter((line) => line[0]!.endsWith('/01/2026'));
    expect(row('Total de janeiro de 2026')).toEqual([sumOf(january, 5), sumOf(january, 6)]);
    const day = lines.filter((line) => line[0] === '05/01/2026');
    expect(day.length).toBeGreaterThan(2);
    expect(row('Total do dia 05/01/2026')).toEqual([sumOf(day, 5), sumOf(day, 6)]);
  });

  test('what people typed is text: never a formula in CSV', async () => {
    const { text } = await print(platform.admin, 'relatorioDiarioGeral', whole);
    expect(text).toContain("'=cmd|calc");
    expect(text).toContain("'+55 11 9999");
    expect(text).not.toMatch(/;=cmd/);
    expect(text).toContain('"ação; ""cota"" €"');
    // One cell for readers that split at commas, too.
    expect(text).toContain(';"x,=cmd|calc";');
  });

  test.runIf(hasPoppler)('numbers its folhas, carries its sums and prints attacks as they are', async () => {
    const { bytes } = await print(platform.admin, 'relatorioDiarioGeral', {
      ...whole,
      visualizationEnum: 'PDF',
      paginaInicial: 40,
    });
    const pages = pagesOfPdf(bytes);
    expect(pages.length).toBeGreaterThan(3);
    let sum = [0n, 0n];
    for (const [at, page] of pages.entries()) {
      expect(page).toContain(`Folha ${40 + at}`);
      if (at > 0) expect(amountsBehind(page, 'Transporte')).toEqual(sum);
      // A line of the journal has its date and one amount at the right edge.
      for (const line of page.split('\n').filter((each) => /^\s*\d\d\/\d\d\/\d{4} /.test(each))) {
        const amount = centavos(/([\d.]+,\d\d)\s*$/.exec(line)?.[1]);
        // Only the first entry debits the bank account.
        const isCredit = /1\.1\.2 |3\.1 /.test(line) && !/1\.1\.2 .*Capital/.test(line);
        sum = isCredit ? [sum[0]!, sum[1]! + amount] : [sum[0]! + amount, sum[1]!];
      }
      if (at < pages.length - 1) expect(amountsBehind(page, 'A transportar')).toEqual(sum);
    }
    const text = pages.join('\n');
    for (const attack of ATTACKS) expect(text).toContain(attack);
  });

  test.runIf(hasPoppler)('opens and closes with its terms, which know the pages', async () => {
    const { bytes } = await print(platform.admin, 'relatorioDiarioGeral', {
      ...whole,
      visualizationEnum: 'PDF',
      includeTerms: true,
    });
    const pages = pagesOfPdf(bytes).map((page) => page.replace(/\s+/g, ' '));
    const [opening, closing] = [pages[0]!, pages.at(-1)!];
    for (const term of [opening, closing]) {
      expect(term).toContain(
        `Contém este livro ${pages.length} folhas numeradas eletronicamente de 1 a ${pages.length}`,
      );
      expect(term).toContain('Livro Diário número 7');
      expect(term).toContain('CRC 1SP123456/O-1');
      expect(term).toContain('CPF 123.456.789-09');
    }
    expect(opening).toContain('Termo de abertura');
    expect(opening).toContain('com sede em Praça da Sé');
    expect(closing).toContain('Termo de encerramento');
    expect(closing).toContain('28 de fevereiro de 2026');
  });

  test.runIf(hasPoppler)('comes in volumes, each a book of its own between its terms', async () => {
    const { company, branch } = await closedBooks();
    const place = { empresa: company, filial: branch };
    const body = { ...whole, ...place, visualizationEnum: 'PDF', paginaInicial: 40, paginasPorVolume: 4 };
    const { bytes } = await print(platform.admin, 'relatorioDiarioGeral', body);
    const pages = pagesOfPdf(bytes);
    const plainPages = pages.map((page) => page.replace(/\s+/g, ' '));
    const openings = plainPages.flatMap((page, at) => (page.includes('Termo de abertura') ? [at] : []));
    const closings = plainPages.flatMap((page, at) => (page.includes('Termo de encerramento') ? [at] : []));
    expect(openings.length).toBeGreaterThan(1);
    expect(openings).toEqual([0, ...closings.slice(0, -1).map((at) => at + 1)]);
    expect(closings.at(-1)).toBe(pages.length - 1);
    const days: string[] = [];
    openings.forEach((opening, volume) => {
      const count = closings[volume]! - opening + 1;
      expect(count).toBeGreaterThan(2);
      // All but the last are full.
      if (volume < openings.length - 1) expect(count).toBe(4);
      const first = volume === 0 ? 40 : 1;
      for (let page = 0; page < count; page++)
        expect(pages[opening + page]).toMatch(RegExp(`Folha ${first + page}\\s`));
      const printed = pages.slice(opening + 1, closings[volume]).join('\n');
      const dates = [...printed.matchAll(/^\s*(\d\d\/\d\d\/\d{4}) /gm)].map((match) => match[1]!);
      days.push(...dates);
      const from = volume === 0 ? '01/01/2026' : dates[0];
      const to = volume === openings.length - 1 ? '28/02/2026' : dates.at(-1);
      for (const term of [plainPages[opening], plainPages[closings[volume]!]]) {
        expect(term).toContain(
          `Contém este livro ${count} folhas numeradas eletronicamente de ${first} a ${first + count - 1}`,
        );
        expect(term).toContain(`Livro Diário número ${7 + volume} `);
        expect(term).toContain(`Período da escrituração: ${from === to ? from : `${from} a ${to}`}.`);
      }
    });
    expect(days).toHaveLength(BOOK.length * 2);
    // Sums are carried over the covers.
    const [last, next] = [pages[closings[0]! - 1]!, pages[openings[1]! + 1]!];
    expect(amountsBehind(next, 'Transporte')).toEqual(amountsBehind(last, 'A transportar'));
    const outline = bytes
      .toString('latin1')
      .match(/\/Title \(.*?\)/g)!
      .join(' ');
    openings.forEach((_, volume) => {
      expect(outline.replace(/[^\x20-\x7e]/g, '')).toContain(`Livro n ${7 + volume}`);
    });
  });

  test('volumes keep their outline in a file with other reports', async () => {
    const { visualizationEnum: _, ...days } = whole;
    const { bytes } = await print(platform.admin, 'combineReport', {
      visualizationEnum: 'PDF',
      relatorios: [
        { tipo: 'relatorioDiarioGeral', parametros: { ...days, paginasPorVolume: 4 } },
        { tipo: 'relatorioRazao', parametros: days },
      ],
    });
    const text = bytes.toString('latin1');
    const objects = new Map(
      [...text.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id, body]) => [id, body!]),
    );
    const refs = (body: string, key: string) => RegExp(`/${key} (\\d+) 0 R`).exec(body)?.[1];
    /** Depth of each entry that a reader reaches from the root. */
    const depths = (id: string | undefined, depth: number): number[] => {
      const body = id === undefined ? undefined : objects.get(id);
      if (body === undefined) return [];
      return [depth, ...depths(refs(body, 'First'), depth + 1), ...depths(refs(body, 'Next'), depth)];
    };
    const root = objects.get(refs(text.slice(text.lastIndexOf('trailer')), 'Root')!)!;
    const reached = depths(refs(objects.get(refs(root, 'Outlines')!)!, 'First'), 1);
    expect(reached.filter((depth) => depth === 1)).toHaveLength(2);
    // The days hang below their volumes, the volumes below the journal.
    expect(reached.filter((depth) => depth === 3).length).toBeGreaterThan(20);
  });

  test('volumes as TXT: the same terms, page for page', async () => {
    const body = { ...whole, visualizationEnum: 'TXT', paginasPorVolume: 4 };
    const { text } = await print(platform.admin, 'relatorioDiarioGeral', body);
    const pages = text.split('\f').map((page) => page.replace(/\s+/g, ' '));
    const openings = pages.flatMap((page, at) => (page.includes('Termo de abertura') ? [at] : []));
    expect(openings.length).toBeGreaterThan(1);
    openings.forEach((opening, volume) => {
      const end = openings[volume + 1] ?? pages.length;
      expect(pages[end - 1]).toContain('Termo de encerramento');
      for (let at = opening; at < end; at++) expect(pages[at]).toContain(`Folha ${at - opening + 1} `);
      expect(pages[opening]).toContain(`Contém este livro ${end - opening} folhas`);
      expect(pages[opening]).toContain(`Livro Diário número ${7 + volume} `);
    });
  });

  test('volumes are never without terms nor smaller than them', async () => {
    const volumes = { ...whole, visualizationEnum: 'PDF', paginasPorVolume: 10 };
    const path = 'relatorioDiarioGeral';
    expect(await refused(path, { ...volumes, includeTerms: false })).toEqual([400, 'VOLUMES_HAVE_TERMS']);
    expect(await refused(path, { ...volumes, paginasPorVolume: 2 })).toEqual([400, 'INVALID_FIELD']);
  });

  test('rejects reversed days, more than a year, and months that are not opened', async () => {
    const path = 'relatorioDiarioGeral';
    expect(await refused(path, { ...whole, dataInicio: '2026-02-28', dataFim: '2026-01-01' })).toEqual([
      400,
      'INVALID_DATE_RANGE',
    ]);
    expect(await refused(path, { ...whole, dataFim: '2027-01-01' })).toEqual([400, 'PERIOD_OVER_A_YEAR']);
    expect(await refused(path, { ...whole, dataFim: '2026-12-31' })).toEqual([400, 'MONTH_NOT_OPEN']);
    expect(await refused(path, { ...whole, paginaInicial: 0 })).toEqual([400, 'INVALID_FIELD']);
    expect(await refused(path, { ...whole, dataFim: '2026-02-31' })).toEqual([400, 'INVALID_FIELD']);
  });
});

function amountsBehind(page: string, label: string): bigint[] {
  const line = page.split('\n').find((each) => each.trim().startsWith(label))!;
  return [...line.matchAll(/([\d.]+,\d\d)/g)].map((match) => centavos(match[1]));
}

describe('ledger', () => {
  test('each account from its balance before to its balance after', async () => {
    const { cells } = await print(platform.admin, 'relatorioRazao', { ...whole, dataInicio: '2026-01-05' });
    expect(cells[0]).toEqual([
      'Data',
      'Lote',
      'Documento',
      'Lançamento',
      'Contrapartida',
      'Histórico',
      'Débito',
      'Crédito',
      'Saldo',
      'Conta',
      'Nome',
    ]);
    const seen: string[] = [];
    let code = '';
    let balance = 0n;
    for (const line of cells.slice(1)) {
      const title = /^(\d[\d.]*) .*\(/.exec(line.length === 1 ? line[0]! : '')?.[1];
      if (!title && line[5] !== 'Total geral') expect(line[9]).toBe(code);
      if (title) {
        code = title;
        seen.push(code);
      } else if (line[5] === 'Saldo anterior') {
        balance = movementOf(BOOK, code, day('2026-01-01'), day('2026-01-04')).net;
        expect([code, centavos(line[8])]).toEqual([code, balance]);
      } else if (line[5] === 'Total da conta') {
        const moved = movementOf(BOOK, code, day('2026-01-05'), day('2026-02-28'));
        expect([code, ...line.slice(6, 9).map(centavos)]).toEqual([code, moved.debit, moved.credit, balance]);
        expect(balance).toBe(movementOf(BOOK, code, day('2026-01-01'), day('2026-02-28')).net);
      } else if (/^\d\d\//.test(line[0] ?? '')) {
        balance += centavos(line[6]) - centavos(line[7]);
        expect(centavos(line[8])).toBe(balance);
      }
    }
    expect(seen).toEqual(['1.1.1', '1.1.2', '1.2', '3.1', '8.2']);
  });

  test('accounts by id or code, synthetic ones for all below, with movement only', async () => {
    const titles = async (choice: Record<string, unknown>) => {
      const { cells } = await print(platform.admin, 'relatorioRazao', { ...whole, ...choice });
      return cells.flatMap((line) => (line.length === 1 ? [line[0]!.split(' ')[0]] : [])).slice(0);
    };
    expect(await titles({ contas: ['1.1'] })).toEqual(['1.1.1', '1.1.2']);
    expect(await titles({ contas: [bank.accounts.get('1.2'), '3.1'] })).toEqual(['1.2', '3.1']);
    expect(await titles({ dataInicio: '2026-02-01', onlyWithMovement: true })).toEqual(['1.1.2', '1.2']);
    expect(await refused('relatorioRazao', { ...whole, contas: ['9.9'] })).toEqual([404, 'ACCOUNT_NOT_FOUND']);
  });
});

test('the listing filters, orders and totals', async () => {
  const list = async (choice: Record<string, unknown>) => {
    const { cells } = await print(platform.admin, 'lancamentos', { ...whole, ...choice });
    return { lines: cells.slice(1, -1), foot: cells.at(-1)! };
  };
  const { lines, foot } = await list({});
  expect(lines).toHaveLength(BOOK.length * 2);
  expect(foot[7]).toBe(`Total de ${BOOK.length * 2} partidas`);
  expect([centavos(foot[8]), centavos(foot[9])]).toEqual([total, total]);
  const third = await list({ documento: '3', conta: '1.1' });
  expect(third.lines.every((line) => line[2] === '3' && line[4]!.startsWith('1.1.'))).toBe(true);
  expect(third.lines).not.toEqual([]);
  expect(centavos(third.foot[9])).toBe(totalOf(BOOK.filter(({ document }) => document === '3')));
  const byAccount = (await list({ orderBy: 'ACCOUNT' })).lines.map((line) => line[4]!);
  expect(byAccount).toEqual([...byAccount].sort());
});

describe('terms', () => {
  const body = () => ({
    ...whole,
    visualizationEnum: 'PDF',
    tipo: 'AMBOS',
    livro: 'BALANCETES',
    numeroOrdem: 12,
    quantidadePaginas: 345,
    municipio: 'Recife',
    uf: 'PE',
    dataTermo: '2026-03-01',
  });

  test.runIf(hasPoppler)('both terms say what the request says', async () => {
    const { bytes } = await print(platform.admin, 'reportTermos', body());
    const [opening = '', closing = ''] = pagesOfPdf(bytes).map((page) => page.replace(/\s+/g, ' '));
    for (const term of [opening, closing]) {
      expect(term).toContain('345 folhas');
      expect(term).toContain('Livro Balancetes Diários e Balanços número 12');
      expect(term).toContain('Recife/PE, 1º de março de 2026');
      expect(term).toContain('Maria da Silva');
    }
    expect(opening).toContain('Termo de abertura');
    expect(opening).toContain('Folha 1 ');
    expect(closing).toContain('Termo de encerramento');
    expect(closing).toContain('Folha 345 ');
  });

  test.runIf(hasPoppler).each([
    ['DIARIO', 'relatorioDiarioGeral'],
    ['RAZAO', 'relatorioRazao'],
  ])('the pages of the %s are those of the book, or rejected', async (livro, path) => {
    const { bytes } = await print(platform.admin, path, { ...whole, visualizationEnum: 'PDF', includeTerms: true });
    const pages = pagesOfPdf(bytes);
    expect(pages.at(-1)).toContain('Termo de encerramento');
    const terms = { ...body(), livro, quantidadePaginas: pages.length };
    const { bytes: alone } = await print(platform.admin, 'reportTermos', terms);
    const plain = (page = '') => page.replace(/\s+/g, ' ');
    expect(plain(pagesOfPdf(alone)[1])).toContain(`Contém este livro ${pages.length} folhas`);
    expect(await refused('reportTermos', { ...terms, quantidadePaginas: pages.length + 1 })).toEqual([
      400,
      'BOOK_PAGES_DIFFER',
    ]);
    // The balance sheet is bound with the book.
    await print(platform.admin, 'reportTermos', { ...terms, quantidadePaginas: pages.length + 2, paginasAnexas: 2 });
    // A book of years before the platform is not known here.
    await print(platform.admin, 'reportTermos', { ...terms, dataInicio: '2020-01-01', dataFim: '2020-12-31' });
  });

  test.runIf(hasPoppler)('in the wording of the installation; a broken one is named and ours stays', async () => {
    const file = join(templates, 'bookTermTexts.json');
    const ask = async () => {
      const { body: answer } = await platform.admin.post('reports', '/reports/reportTermos', body());
      return { message: answer.mensagem, text: pagesOfPdf(Buffer.from(answer.conteudo, 'base64')).join('\n') };
    };
    const own = { title: 'Abertura', paragraphs: ['Nosso livro {{book}} tem {{pages}} folhas.'] };
    writeFileSync(file, JSON.stringify({ opening: own, closing: own }));
    const sound = await ask();
    expect(sound.text).toContain('Nosso livro Livro Balancetes Diários e Balanços tem 345 folhas.');
    expect(sound.message).toBe('Relatório gerado');
    writeFileSync(file, '{"opening": {"title": "Abertura",\n "paragraphs": []}}');
    const broken = await ask();
    expect(broken.message).toContain('bookTermTexts.json: linha 2, opening.paragraphs:');
    expect(broken.text).toContain('Contém este livro 345 folhas');
    rmSync(file);
  });

  test('PDF only, and never without somebody to sign', async () => {
    expect(await refused('reportTermos', { ...body(), visualizationEnum: 'CSV' })).toEqual([400, 'FORMAT_NOT_OFFERED']);
    const unsigned = await createBooks(platform.admin, []);
    await closeMonth(platform.admin, unsigned, '01/2026');
    const tenant = { empresa: unsigned.company, filial: unsigned.branch };
    const january = { ...tenant, dataFim: '2026-01-31' };
    expect(await refused('reportTermos', { ...body(), ...january })).toEqual([400, 'SIGNATORIES_REQUIRED']);
  });
});

test.runIf(hasPoppler)('what people type is rejected at entry or printed literally, never code', async () => {
  const texts = [
    ') Tj ET (x',
    '> Tj ET <00',
    '{{company}} {{pages}}',
    '%%EOF endstream endobj',
    'à vista € Łódź ÿ',
    'nul \u0000 byte',
    'sino \u0007 e escape \u001b[31m',
    'volta \u202e321 \u202c',
    'x'.repeat(70_000),
    'y'.repeat(500),
  ];
  const books = await createBooks(platform.admin, []);
  const { company, branch, accounts } = books;
  const month = { empresa: company, filial: branch, ano: 2026, mes: 1 };
  const batch = await platform.admin.post('movements', '/batch', { ...month, lote: '1' });
  const document = await platform.admin.post('movements', '/document', { batchId: batch.body.id, documento: '1' });
  const statuses = await Promise.all(
    texts.map(async (historico) => {
      const entry = {
        documentId: document.body.id,
        debcre: 'D',
        day: '05',
        contaId: accounts.get('1.1.1'),
        contrapartida: accounts.get('1.1.2'),
        valor: 1,
        historico,
      };
      return (await platform.admin.post('movements', '/entry', entry)).status;
    }),
  );
  const { bytes } = await print(platform.admin, 'relatorioDiarioGeral', {
    empresa: company,
    filial: branch,
    dataInicio: '2026-01-05',
    dataFim: '2026-01-05',
    visualizationEnum: 'PDF',
  });
  const printed = pagesOfPdf(bytes).join('\n');
  texts.forEach((text, at) => {
    expect([text.slice(0, 30), statuses[at]]).toEqual([text.slice(0, 30), [5, 6, 8].includes(at) ? 400 : 201]);
    // Marks of direction are stored, and leave a blank on paper.
    const shown = text
      .replace(/[\u202c\u202e]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    if (statuses[at] === 201 && text.length < 100) expect(printed.replace(/\s+/g, ' ')).toContain(shown);
  });
  expect(printed.match(/y/g)!.length).toBeGreaterThanOrEqual(1_000);
});

test('a purged month has no books any more', async () => {
  const setArchived = (purged: boolean) =>
    withOwnerConnection(platform.ownerUrl, (client) =>
      client.query('UPDATE month SET archived = $1 WHERE branch_id = $2 AND month = $3', [
        purged,
        bank.branchId,
        '2026-01-01',
      ]),
    );
  await setArchived(true);
  for (const path of ['relatorioDiarioGeral', 'relatorioRazao', 'lancamentos']) {
    expect(await refused(path, whole)).toEqual([400, 'MONTH_PURGED']);
  }
  const february = { ...whole, dataInicio: '2026-02-01' };
  expect((await platform.admin.post('reports', '/reports/relatorioDiarioGeral', february)).status).toBe(200);
  await setArchived(false);
});
