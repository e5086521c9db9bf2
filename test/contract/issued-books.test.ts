import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bank, BankOptions } from '../support/banks.ts';
import { book } from '../support/books.ts';
import { archiveMonth, closeMonth, openMonth, REOPENING } from '../support/months.ts';
import { hasPoppler, pagesOfPdf } from '../support/pdf.ts';
import { bodyOf, type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createBooks, print } from '../support/report-books.ts';
import { createUser, grantRoutine } from '../support/users.ts';

// A journal or ledger with terms as PDF is issued: registered once, kept with its bytes, continued by the next one.

const SIGNATORIES = [
  { name: 'Maria da Silva', role: 'Diretora', legalResponsible: true },
  { name: 'João Souza', role: 'Contador', crc: '1SP123456/O-1', ufCrc: 'SP' },
];
const ENTRIES = book`
  02/01  1.1.2  D  100,00  3.1
  05/02  1.1.1  D   10,00  7.1
  10/03  1.1.1  D   20,00  7.1
`;
const MONTHS = ['01/2026', '02/2026', '03/2026'];

let platform: Platform;
let clock = new Date('2026-04-10T15:30:00Z');
beforeAll(async () => {
  platform = await startPlatform({ BOOK_SIZE_LIMIT: '1' }, { now: () => clock });
});
afterAll(() => platform?.stop());

/** January and February are closed, March is open. */
async function createIssuer(options: BankOptions['options'] = {}): Promise<Bank> {
  const bank = await createBooks(platform.admin, ENTRIES, {
    months: MONTHS,
    options: { signatories: SIGNATORIES, diaryBookNumber: 7, ...options },
  });
  for (const month of MONTHS.slice(0, 2)) await closeMonth(platform.admin, bank, month);
  return bank;
}

const JANUARY = { dataInicio: '2026-01-01', dataFim: '2026-01-31' };
const FEBRUARY = { dataInicio: '2026-02-01', dataFim: '2026-02-28' };
const MARCH = { dataInicio: '2026-03-01', dataFim: '2026-03-31' };
const JOURNAL = 'relatorioDiarioGeral';
const LEDGER = 'relatorioRazao';

const bodyFor = ({ company, branch }: Bank, days: object, more: object = {}) => ({
  ...{ empresa: company, filial: branch, visualizationEnum: 'PDF', includeTerms: true },
  ...days,
  ...more,
});

async function issue(bank: Bank, days: object, more: object = {}, path = JOURNAL): Promise<Buffer> {
  return (await print(platform.admin, path, bodyFor(bank, days, more))).bytes;
}

/** Codes and fields of the reasons of a rejection. */
async function refusal(bank: Bank, days: object, more: object = {}, client: Client = platform.admin) {
  const { status, body } = await client.post('reports', `/reports/${JOURNAL}`, bodyFor(bank, days, more));
  return [status, ...(body.errors ?? []).map((each: { field: string }) => each.field).toSorted(), body.code];
}

async function download(path: string) {
  const headers = { authorization: `Bearer ${platform.admin.token}` };
  const answer = await fetch(`${platform.address('reports')}${path}`, { headers });
  expect(answer.status).toBe(200);
  return { headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

const register = (bank: Bank, query = '') => bodyOf(platform.admin.get('reports', `/books/${bank.company}${query}`));
const next = (bank: Bank) => bodyOf(platform.admin.get('reports', `/books/${bank.company}/${bank.branch}/next`));
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function change(path: string, fields: object): Promise<void> {
  const body = await bodyOf(platform.admin.get('masterdata', path));
  await bodyOf(platform.admin.call('masterdata', 'PUT', path, { ...body, ...fields }));
}

describe('what is issued', () => {
  let bank: Bank;
  let january: Buffer;
  beforeAll(async () => {
    bank = await createIssuer();
    january = await issue(bank, JANUARY);
  });

  test('is registered with its bytes, and the next number advances', async () => {
    const [entry, ...others] = await register(bank);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      ...{
        company: bank.company,
        branch: bank.branch,
        kind: 'DIARIO',
        number: 7,
        from: '2026-01-01',
        to: '2026-01-31',
      },
      ...{ folhas: 3, state: 'ISSUED', sha256: sha256(january), bytes: january.length, format: 'PDF', annexes: [] },
      ...{ issuedBy: 'admin', issuedAt: '2026-04-10T15:30:00.000Z', replacedBy: null },
      volumes: [{ number: 7, folhas: 3, firstFolha: 1, from: '2026-01-01', to: '2026-01-31' }],
    });
    const options = `/company/options/company/${bank.company}/${bank.branch}`;
    expect((await bodyOf(platform.admin.get('masterdata', options))).diaryBookNumber).toBe(8);
    expect(await next(bank)).toEqual([
      { kind: 'DIARIO', number: 8, from: '2026-02-01' },
      { kind: 'RAZAO', number: null, from: null },
      { kind: 'BALANCETES', number: null, from: null },
    ]);
    const trail = await bodyOf(platform.admin.get('authentication', '/api/admin/audit?action=ISSUE'));
    expect(JSON.stringify(trail)).toContain(entry.sha256);
  });

  test('comes again byte for byte, later and whatever master data say since', async () => {
    clock = new Date('2026-04-10T15:37:00Z');
    await change(`/companies/${bank.companyId}`, { name: 'Outro Nome S.A.' });
    expect(await issue(bank, JANUARY)).toEqual(january);
    expect(await issue(bank, JANUARY, { numeroLivro: 7 })).toEqual(january);
    expect(await register(bank)).toHaveLength(1);
  });

  test('is downloaded with its digest', async () => {
    const [{ download: path, sha256: digest }] = await register(bank);
    const { headers, bytes } = await download(path);
    expect(headers.get('repr-digest')).toBe(`sha-256=:${Buffer.from(digest, 'hex').toString('base64')}:`);
    expect(headers.get('content-disposition')).toContain(
      `livro-diario-${bank.company}-0001-7-2026-01-01-2026-01-31.pdf`,
    );
    expect(bytes).toEqual(january);
  });

  test('in other formats and among other reports is a copy with the same number, which registers nothing', async () => {
    const txt = await platform.admin.post(
      'reports',
      `/reports/${JOURNAL}`,
      bodyFor(bank, JANUARY, { visualizationEnum: 'TXT' }),
    );
    expect(txt.body.mensagem).toContain('sem registro');
    expect(Buffer.from(txt.body.conteudo, 'base64').toString()).toContain('Livro Diário número 7');
    const { visualizationEnum, ...parametros } = bodyFor(bank, FEBRUARY);
    await print(platform.admin, 'combineReport', { visualizationEnum, relatorios: [{ tipo: JOURNAL, parametros }] });
    await print(platform.admin, JOURNAL, bodyFor(bank, FEBRUARY, { includeTerms: false }));
    expect(await register(bank)).toHaveLength(1);
  });

  test('has terms of its own folhas', async () => {
    const terms = { tipo: 'AMBOS', livro: 'DIARIO', numeroOrdem: 7 };
    const ask = (quantidadePaginas: number) =>
      platform.admin.post('reports', '/reports/reportTermos', {
        ...{ empresa: bank.company, filial: bank.branch, visualizationEnum: 'PDF', ...JANUARY, ...terms },
        quantidadePaginas,
      });
    expect((await ask(3)).status).toBe(200);
    expect((await ask(4)).body.code).toBe('BOOK_PAGES_DIFFER');
  });
});

describe('books go on where the last one ends', () => {
  let bank: Bank;
  beforeAll(async () => {
    bank = await createIssuer();
    await closeMonth(platform.admin, bank, '03/2026');
    await issue(bank, JANUARY);
  });

  test.each<[string, object, object, unknown[]]>([
    ['with a gap', MARCH, {}, ['dataInicio', 'BOOK_OUT_OF_SEQUENCE']],
    ['over days of another book', { ...JANUARY, dataFim: '2026-02-28' }, {}, ['dataInicio', 'BOOK_OUT_OF_SEQUENCE']],
    ['bound otherwise', JANUARY, { paginasPorVolume: 3 }, ['dataInicio', 'BOOK_OUT_OF_SEQUENCE']],
    ['under a number that is taken', FEBRUARY, { numeroLivro: 7 }, ['numeroLivro', 'BOOK_NUMBER_NOT_NEXT']],
    ['under a number that leaves one out', FEBRUARY, { numeroLivro: 9 }, ['numeroLivro', 'BOOK_NUMBER_NOT_NEXT']],
    [
      'with every reason at once',
      MARCH,
      { numeroLivro: 9, considerClosing: false, level: 2 },
      ['considerClosing', 'dataInicio', 'level', 'numeroLivro', 'BOOK_OF_SOME_ACCOUNTS'],
    ],
  ])('%s: rejected', async (_, days, more, [...expected]) => {
    expect(await refusal(bank, days, more)).toEqual([400, ...expected]);
    expect(await register(bank)).toHaveLength(1);
  });

  test('the expected day is named', async () => {
    const path = `/reports/${JOURNAL}`;
    const { body } = await platform.admin.call('reports', 'POST', path, bodyFor(bank, MARCH), {
      'accept-language': 'pt-BR',
    });
    expect(body.detail).toContain('O próximo Livro Diário começa em 01/02/2026, e não em 01/03/2026');
  });

  test('the next number and period are issued, volumes under a number each', async () => {
    await issue(bank, FEBRUARY, { paginasPorVolume: 3, numeroLivro: 8 });
    await issue(bank, MARCH);
    await issue(bank, { ...JANUARY, dataFim: '2026-03-31' }, { numeroLivro: 40 }, LEDGER);
    const numbers = (await register(bank)).map((each: { kind: string; number: number }) => [each.kind, each.number]);
    expect(numbers.toSorted()).toEqual([
      ['DIARIO', 7],
      ['DIARIO', 8],
      ['DIARIO', 9],
      ['RAZAO', 40],
    ]);
    expect(await register(bank, '?kind=RAZAO&branch=0001&year=2026')).toHaveLength(1);
    expect(await register(bank, '?year=2025')).toEqual([]);
    const answer = await platform.admin.get('reports', `/books/${bank.company}?size=2`);
    expect([answer.body.length, answer.headers.get('x-total-count')]).toEqual([2, '4']);
  });
});

test('what is no book is not issued: open or archived months, nobody to sign', async () => {
  const bank = await createIssuer({ signatories: [] });
  expect(await refusal(bank, { ...JANUARY, dataFim: '2026-03-31' })).toEqual([
    ...[400, 'dataFim', 'signatarios', 'BOOK_OF_OPEN_MONTH'],
  ]);
  await archiveMonth(platform.admin, bank, '01/2026');
  expect((await refusal(bank, JANUARY)).at(-1)).toBe('MONTH_PURGED');
  expect(await register(bank)).toEqual([]);
});

test('two requests at once issue one book', async () => {
  const bank = await createIssuer();
  const files = await Promise.all(Array.from({ length: 4 }, () => issue(bank, JANUARY)));
  const [entry, ...others] = await register(bank);
  expect(others).toEqual([]);
  expect(new Set(files.map(sha256))).toEqual(new Set([entry.sha256]));
});

test('in the background a book is issued once, too', async () => {
  const bank = await createIssuer();
  const ask = () => platform.admin.post('reports', `/reports/${JOURNAL}?async=true`, bodyFor(bank, JANUARY));
  const jobs = [(await ask()).body, (await ask()).body];
  const files = [];
  for (let { id, status } of jobs) {
    while (status !== 'DONE') {
      await sleep(20);
      ({ status } = await bodyOf(platform.admin.get('reports', `/reports/jobs/${id}`)));
      expect(status).not.toBe('ERROR');
    }
    files.push((await download(`/reports/jobs/${id}/download`)).bytes);
  }
  const [entry, ...others] = await register(bank);
  expect(others).toEqual([]);
  expect(files.map(sha256)).toEqual([entry.sha256, entry.sha256]);
  expect(await issue(bank, JANUARY)).toEqual(files[0]);
});

test('a book of several pieces comes back whole, one that is too large leaves nothing', async () => {
  const bank = await createBooks(platform.admin, [], { options: { signatories: SIGNATORIES } });
  const fill = (quantidadeLancamentos: number) =>
    bodyOf(
      platform.admin.post('movements', '/admin/create-entries', {
        ...{ company: bank.company, branch: bank.branch, quantidadeLotes: 1, quantidadeLancamentos },
        ...{ usaTodoMes: true, valorMinimo: 1, valorMaximo: 99_999 },
      }),
    );
  await fill(2_500);
  await closeMonth(platform.admin, bank, '01/2026');
  await openMonth(platform.admin, bank, '02/2026');
  await fill(8_000);
  await closeMonth(platform.admin, bank, '02/2026');
  const january = await issue(bank, JANUARY);
  expect(january.length).toBeGreaterThan(300_000);
  expect(await issue(bank, JANUARY)).toEqual(january);
  const { status, body } = await platform.admin.post('reports', `/reports/${JOURNAL}`, bodyFor(bank, FEBRUARY));
  expect([status, body.code]).toEqual([400, 'BOOK_TOO_LARGE']);
  expect(await register(bank)).toHaveLength(1);
});

test('reopening a month of it takes a confirmation; it is kept, and its successor has its number', async () => {
  const bank = await createIssuer();
  const first = await issue(bank, JANUARY);
  const second = await issue(bank, FEBRUARY);
  const path = `/monthOpening/${bank.company}/${bank.branch}`;
  const ask = (confirmed: boolean) =>
    platform.admin.post('movements', path, { ...REOPENING, newyearmonth: '02/2026', confirmed });
  const refused = await ask(false);
  expect([refused.status, refused.body.code]).toEqual([400, 'CONFIRMATION_REQUIRED']);
  expect(refused.body.detail).toContain('Livro Diário nº 8 (01/02/2026 a 28/02/2026)');
  expect((await ask(true)).status).toBe(201);
  const [invalid, standing] = await register(bank);
  expect([invalid.number, invalid.state, invalid.invalidationReason]).toEqual([8, 'INVALIDATED', REOPENING.reason]);
  expect([standing.number, standing.state]).toEqual([7, 'ISSUED']);
  expect((await refusal(bank, FEBRUARY)).at(-1)).toBe('BOOK_OF_OPEN_MONTH');
  await closeMonth(platform.admin, bank, '02/2026');
  expect((await next(bank))[0]).toEqual({ kind: 'DIARIO', number: 8, from: '2026-02-01' });
  const successor = await issue(bank, FEBRUARY);
  expect(successor).not.toEqual(second);
  const [newest, replaced] = await register(bank);
  expect([newest.number, newest.state]).toEqual([8, 'ISSUED']);
  expect([replaced.number, replaced.state, replaced.replacedBy]).toEqual([8, 'REPLACED', newest.id]);
  const { headers, bytes } = await download(replaced.download);
  expect(headers.get('content-disposition')).toContain('-cancelado.pdf');
  expect(bytes).toEqual(second);
  expect(await issue(bank, JANUARY)).toEqual(first);
  if (hasPoppler) expect(pagesOfPdf(successor)[0]).toContain('número 8');
});

test('where all books are invalid, the first one is taken anew', async () => {
  const bank = await createIssuer({ diaryBookNumber: null });
  const whole = { ...JANUARY, dataFim: '2026-02-28' };
  await issue(bank, whole, { numeroLivro: 12 });
  await openMonth(platform.admin, bank, '02/2026');
  await closeMonth(platform.admin, bank, '02/2026');
  expect((await next(bank))[0]).toEqual({ kind: 'DIARIO', number: 12, from: '2026-01-01' });
  expect(await refusal(bank, FEBRUARY, { numeroLivro: 1 })).toEqual([
    ...[400, 'dataInicio', 'numeroLivro', 'BOOK_OUT_OF_SEQUENCE'],
  ]);
  await issue(bank, whole);
});

test('only granted users issue once the routine has rows; others still read what is issued', async () => {
  const bank = await createIssuer();
  const permissions = [{ company: bank.company }];
  const reader = await createUser(platform.admin, { username: 'leitora', permissions });
  const issuer = await createUser(platform.admin, { username: 'emissora', permissions });
  const asReader = await platform.as(reader.username, reader.password);
  await grantRoutine(platform.admin, 'LEGAL_BOOKS', { userId: issuer.id });
  await expect.poll(() => refusal(bank, JANUARY, {}, asReader), { timeout: 10_000 }).toEqual([403, 'ROUTINE_DENIED']);
  const async = await asReader.post('reports', `/reports/${JOURNAL}?async=true`, bodyFor(bank, JANUARY));
  expect(async.body.code).toBe('ROUTINE_DENIED');
  const asIssuer = await platform.as(issuer.username, issuer.password);
  const { bytes } = await print(asIssuer, JOURNAL, bodyFor(bank, JANUARY));
  expect((await print(asReader, JOURNAL, bodyFor(bank, JANUARY))).bytes).toEqual(bytes);
});

test('books of others are not shown', async () => {
  const [mine, theirs] = [await createIssuer(), await createIssuer()];
  await print(platform.admin, JOURNAL, bodyFor(theirs, JANUARY));
  const { username, password } = await createUser(platform.admin, {
    username: 'alheia',
    permissions: [{ company: mine.company }],
  });
  const client = await platform.as(username, password);
  const [{ id }] = await register(theirs);
  const status = async (path: string) => (await client.get('reports', path)).status;
  expect(await status(`/books/${theirs.company}`)).toBe(403);
  expect(await status(`/books/${theirs.company}/0001/next`)).toBe(403);
  expect(await status(`/books/${theirs.company}/${id}/download`)).toBe(403);
  expect(await status(`/books/${mine.company}/${id}/download`)).toBe(404);
  expect(await status('/books/NADA')).toBe(404);
  expect(await bodyOf(client.get('reports', `/books/${mine.company}`))).toEqual([]);
});

describe.runIf(hasPoppler)('what is bound with a book', () => {
  const anexos = [
    { tipo: 'patrimonialBalance', parametros: { ano: 2026, mes: 2, comparative: 'NONE' } },
    { tipo: 'demonstracao', parametros: { tipo: 'DRE', ano: 2026, mes: 2 } },
    { tipo: 'monthlyTrialBalance', parametros: { ano: 2026, mes: 2 } },
  ];
  const both = { ...JANUARY, dataFim: '2026-02-28' };

  async function createStater(): Promise<Bank> {
    const bank = await createIssuer();
    await bodyOf(platform.admin.post('masterdata', '/statements/default', { chartCode: bank.chartCode }));
    return bank;
  }

  test.each(['PDF', 'TXT'])('stands before the closing term, on folhas that run on and count (%s)', async (format) => {
    const bank = await createStater();
    const bytes = await issue(bank, both, { anexos, visualizationEnum: format });
    const pages = format === 'PDF' ? pagesOfPdf(bytes) : bytes.toString().split('\f');
    const plain = pages.map((page) => page.replace(/\s+/g, ' '));
    plain.forEach((page, at) => {
      expect(page).toMatch(RegExp(`Folha ${at + 1}\\s`));
    });
    for (const term of [plain[0], plain.at(-1)]) {
      expect(term).toContain(
        `Contém este livro ${pages.length} folhas numeradas eletronicamente de 1 a ${pages.length}`,
      );
    }
    expect(plain.at(-1)).toContain('Termo de encerramento');
    expect(plain.at(-2)).toContain('Balancete de verificação em 28 de fevereiro de 2026');
    expect(plain.at(-3)).toMatch(/resultado.* de 1º de janeiro a 28 de fevereiro de 2026/i);
    expect(plain.at(-4)).toContain('Balanço patrimonial em 28 de fevereiro de 2026');
    if (format === 'TXT') return;
    const [entry] = await register(bank);
    expect(entry).toMatchObject({
      folhas: pages.length,
      annexes: [
        { tipo: 'patrimonialBalance', folhas: 1 },
        { tipo: 'financialStatement', folhas: 1 },
        { tipo: 'monthlyTrialBalance', folhas: 1 },
      ],
    });
    expect(await issue(bank, both, { anexos })).toEqual(bytes);
    expect(await refusal(bank, both)).toEqual([400, 'dataInicio', 'BOOK_OUT_OF_SEQUENCE']);
  });

  test('goes into the last volume, or begins one', async () => {
    const bank = await createStater();
    const bytes = await issue(bank, both, { anexos: anexos.slice(0, 2), paginasPorVolume: 3 });
    const [{ folhas, volumes }] = await register(bank);
    expect(folhas).toBe(pagesOfPdf(bytes).length);
    expect(volumes).toEqual([
      { number: 7, folhas: 3, firstFolha: 1, from: '2026-01-01', to: expect.any(String) },
      { number: 8, folhas: 3, firstFolha: 1, from: expect.any(String), to: expect.any(String) },
      { number: 9, folhas: 3, firstFolha: 1, from: expect.any(String), to: '2026-02-28' },
    ]);
  });

  test('is of the days and the branch of the book, in a format that has pages', async () => {
    const bank = await createIssuer();
    const annex = (parametros: object, tipo = 'patrimonialBalance') => ({ anexos: [{ tipo, parametros }] });
    expect(await refusal(bank, JANUARY, annex({ ano: 2026, mes: 2 }))).toEqual([400, 'anexos.0', 'ANNEX_OUTSIDE_BOOK']);
    expect(await refusal(bank, JANUARY, annex({ ano: 2026, mes: 13 }))).toEqual([
      ...[400, 'anexos.0.parametros.mes', 'INVALID_FIELD'],
    ]);
    expect(await refusal(bank, JANUARY, annex({ ano: 2026 }))).toEqual([
      400,
      'anexos.0.parametros.mes',
      'INVALID_FIELD',
    ]);
    expect(await refusal(bank, JANUARY, annex({ ano: 2026, mes: 1, filial: '0002' }))).toEqual([
      ...[400, 'anexos.0.parametros.filial', 'INVALID_FIELD'],
    ]);
    expect((await refusal(bank, JANUARY, annex({}, 'relatorioRazao'))).at(-1)).toBe('INVALID_FIELD');
    expect(await refusal(bank, JANUARY, { ...annex({ ano: 2026, mes: 1 }), visualizationEnum: 'CSV' })).toEqual([
      ...[400, 'visualizationEnum', 'FORMAT_NOT_OFFERED'],
    ]);
    expect(await register(bank)).toEqual([]);
  });
});

test('daily trial balances with terms are the book of trial balances and balance sheets, a month each', async () => {
  const bank = await createIssuer();
  const path = 'dailyTrialBalance';
  const anexos = [{ tipo: 'patrimonialBalance', parametros: { ano: 2026, mes: 1 } }];
  const bytes = await issue(bank, JANUARY, { anexos, numeroLivro: 3 }, path);
  expect(await issue(bank, JANUARY, { anexos }, path)).toEqual(bytes);
  await issue(bank, FEBRUARY, {}, path);
  const numbers = (await register(bank)).map((each: { kind: string; number: number }) => [each.kind, each.number]);
  expect(numbers).toEqual([
    ['BALANCETES', 4],
    ['BALANCETES', 3],
  ]);
  if (!hasPoppler) return;
  const pages = pagesOfPdf(bytes).map((page) => page.replace(/\s+/g, ' '));
  expect(pages[0]).toContain(`serviu de Livro Balancetes Diários e Balanços número 3`.replace('serviu', 'servirá'));
  expect(pages.at(-1)).toContain(`Contém este livro ${pages.length} folhas`);
  const nested = { anexos: [{ tipo: path, parametros: { ...JANUARY, includeTerms: true } }] };
  expect(await refusal(bank, JANUARY, nested)).toEqual([...[400, 'anexos.0.parametros.includeTerms', 'INVALID_FIELD']]);
});
