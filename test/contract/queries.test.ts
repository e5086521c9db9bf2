import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { openMonth } from '../support/months.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let bank: Bank;
/** Of the same company, with a chart of its own. */
let other: Bank;
let stranger: Client;

beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  other = await createBank(platform.admin);
  const elsewhere = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  const { username, password } = await createUser(platform.admin, {
    username: 'sem-acesso',
    permissions: [{ company: elsewhere.company }],
  });
  stranger = await platform.as(username, password);
  // A branch without options has no chart.
  const bare = { company: bank.company, branch: 'NUA', name: 'Sem opções' };
  expect((await platform.admin.post('masterdata', '/branch', bare)).status).toBe(201);
});
afterAll(() => platform?.stop());

const LEGACY = '/api/v1/legacy-integration';
const JANUARY = 'dataInicio=2026-01-01&dataFim=2026-01-31';
const tenant = (company = bank.company, branch = bank.branch) => `empresa=${company}&filial=${branch}`;

/** Bodies of both queries that are wrong in where they point. */
const PLACES: [string, () => object, number][] = [
  ['an id of 2^53', () => ({ contaId: 2 ** 53 }), 400],
  ['an id of zero', () => ({ contaId: 0 }), 400],
  ['an id as text', () => ({ contaId: '1' }), 400],
  ['half an id', () => ({ contaId: 1.5 }), 400],
  ['no account', () => ({ contaId: undefined }), 400],
  ['an account of no chart', () => ({ contaId: 999_999_999 }), 404],
  ['an account of another chart', () => ({ contaId: other.accounts.get('1.1.1') }), 404],
  ['no company', () => ({ empresa: undefined }), 400],
  ['an empty company', () => ({ empresa: ' ' }), 400],
  ['a company with NUL', () => ({ empresa: 'A\u0000' }), 400],
  ['an unknown company', () => ({ empresa: 'nada' }), 404],
  ['an unknown branch', () => ({ filial: 'nada' }), 404],
  ['a branch without a chart', () => ({ filial: 'NUA' }), 400],
  ['an unknown field', () => ({ outro: 1 }), 400],
];

const inquiry = (more: object) => ({
  contaId: bank.accounts.get('1.1.1'),
  empresa: bank.company,
  filial: bank.branch,
  anomesini: '01/2026',
  anomesfim: '01/2026',
  ...more,
});

test.each([
  ...PLACES,
  ['a month before the base', () => ({ anomesini: '12/2025' }), 400],
  ['the range reversed', () => ({ anomesini: '02/2026' }), 400],
  ['month 13', () => ({ anomesini: '13/2026', anomesfim: '13/2026' }), 400],
  ['month 0', () => ({ anomesini: '00/2026' }), 400],
  ['a month of one digit', () => ({ anomesini: '1/2026' }), 400],
  ['months written otherwise', () => ({ anomesini: '2026-01', anomesfim: '2026-01' }), 400],
  ['a month as a number', () => ({ anomesfim: 12026 }), 400],
  ['no end', () => ({ anomesfim: null }), 400],
  ['more than a hundred years', () => ({ anomesfim: '01/2126' }), 400],
  ['another combo type', () => ({ comboType: 'SOME' }), 400],
  ['the combo type of the example', () => ({ comboType: 'ALL' }), 200],
] as [string, () => object, number][])('balances of %s', async (_, more, status) => {
  const answer = await platform.admin.post('queries', '/balanceInquiryDetails', inquiry(more()));
  expect(answer.status, answer.text).toBe(status);
});

const ledger = (more: object) => ({
  contaId: bank.accounts.get('1.1.1'),
  empresa: bank.company,
  filial: bank.branch,
  year: 2026,
  month: 2,
  ...more,
});

test.each([
  ...PLACES,
  ['year 1999', () => ({ year: 1999 }), 400],
  ['year 10000', () => ({ year: 10_000 }), 400],
  ['half a year', () => ({ year: 2026.5 }), 400],
  ['a year as text', () => ({ year: '2026' }), 400],
  ['no year', () => ({ year: undefined }), 400],
  ['month 0', () => ({ month: 0 }), 400],
  ['month 13', () => ({ month: 13 }), 400],
  ['day 32', () => ({ dayEnd: 32 }), 400],
  ['day -1', () => ({ dayStart: -1 }), 400],
  ['the 31st of February', () => ({ dayEnd: 31 }), 400],
  ['days reversed', () => ({ dayStart: 9, dayEnd: 8 }), 400],
  ['days of zero, which leave the month open', () => ({ dayStart: 0, dayEnd: 0 }), 200],
  ['one bound', () => ({ dayStart: 9 }), 200],
  ['year 9999', () => ({ year: 9999 }), 200],
] as [string, () => object, number][])('ledger of %s', async (_, more, status) => {
  const answer = await platform.admin.post('queries', '/generalLedgerQuery', ledger(more()));
  expect(answer.status, answer.text).toBe(status);
});

test('a ledger is in the order of the books, of documents seen before and new ones, of an account and of a group', async () => {
  const books = await createBank(platform.admin);
  await openMonth(platform.admin, books, '01/2026');
  const linesOf = async (account: string) => {
    const place = { empresa: books.company, filial: books.branch, year: 2026, month: 1 };
    const answer = await platform.admin.post('queries', '/generalLedgerQuery', {
      contaId: books.accounts.get(account),
      ...place,
    });
    expect(answer.status, answer.text).toBe(200);
    type Item = { day: string; lote: string; documento: string; entry: string; debCre: string; value: string };
    return answer.body.map((each: Item) =>
      [each.day, each.lote, each.documento, each.entry, each.debCre, each.value].join(' '),
    );
  };
  expect(await linesOf('1.1.2')).toEqual([]);
  await post(
    platform.admin,
    books,
    book`
      20/01  2/9   1.1.2  D  0,10  1.1.1
      05/01  A/1   1.1.2  D  0,20  1.1.1
      05/01  10/2  1.1.2  D  0,30  1.1.1
      05/01  2/10  1.1.2  D  0,40  1.1.1
      05/01  2/9   1.1.2  C  0,50  1.1.1
      05/01  2/9   1.1.2  D  0,60  1.1.1
    `,
  );
  const first = [
    '05 2 9 2 C 0.50',
    '05 2 9 3 D 0.60',
    '05 2 10 1 D 0.40',
    '05 10 2 1 D 0.30',
    '05 A 1 1 D 0.20',
    '20 2 9 1 D 0.10',
  ];
  expect(await linesOf('1.1.2')).toEqual(first);
  expect(await linesOf('1.1.2')).toEqual(first);
  await post(platform.admin, books, book`05/01  01/1  1.1.2  D  0,70  1.1.1`);
  expect(await linesOf('1.1.2')).toEqual(['05 01 1 1 D 0.70', ...first]);
  const ofGroup = await linesOf('1.1');
  expect(ofGroup).toHaveLength(14);
  expect(ofGroup.filter((_: string, at: number) => at % 2 === 0)).toEqual(['05 01 1 1 D 0.70', ...first]);
});

const PAGES: [string, number][] = [
  ['pagina=-1', 400],
  ['pagina=x', 400],
  ['pagina=1.5', 400],
  ['pagina=0&pagina=1', 400],
  ['tamanho=0', 400],
  ['tamanho=1001', 400],
  ['outro=1', 400],
  ['pagina=100000000&tamanho=1000', 200],
];
const PERIODS: [string, number][] = [
  ['dataInicio=2026-01-31&dataFim=2026-01-01', 400],
  ['dataInicio=2026-02-31&dataFim=2026-03-01', 400],
  ['dataInicio=2026-13-01&dataFim=2026-13-02', 400],
  ['dataInicio=01/01/2026&dataFim=31/01/2026', 400],
  ['dataInicio=2026-1-1&dataFim=2026-01-31', 400],
  ['dataInicio=2026-01-01', 400],
  ['dataFim=2026-01-31', 400],
];

test.each([
  ...PERIODS,
  ...PAGES.map(([page, status]): [string, number] => [`${JANUARY}&${page}`, status]),
  [`${JANUARY}&tipoSaldo=X`, 400],
  [`${JANUARY}&tipoSaldo=`, 400],
  ['dataInicio=2025-12-01&dataFim=2026-01-31', 400],
  ['dataInicio=1000-01-01&dataFim=9999-12-31', 400],
  ['dataInicio=2026-01-01&dataFim=2027-01-31&tipoSaldo=D', 400],
  ['dataInicio=9999-12-01&dataFim=9999-12-31', 200],
  ...['M', '0', 'D', '1'].map((kind): [string, number] => [`${JANUARY}&tipoSaldo=${kind}`, 200]),
])('legacy balances of %s', async (query, status) => {
  const path = `${LEGACY}/consulta-contabil?${tenant()}&${query}`;
  const answer = await platform.admin.get('queries', path);
  expect(answer.status, answer.text).toBe(status);
  // Rejected as CSV too, before the response has begun.
  if (!/pagina|tamanho/.test(query)) {
    expect((await platform.admin.call('queries', 'GET', path, undefined, { accept: 'text/csv' })).status).toBe(status);
  }
});

test.each([...PERIODS, ...PAGES.map(([page, status]): [string, number] => [`${JANUARY}&${page}`, status])])(
  'legacy lines of %s',
  async (query, status) => {
    const answer = await platform.admin.get('queries', `${LEGACY}/lancamentos-contabeis?${tenant()}&${query}`);
    expect(answer.status, answer.text).toBe(status);
  },
);

test.each([
  ...PERIODS,
  [`${JANUARY}&tamanho=0`, 400],
  [`${JANUARY}&tamanho=1001`, 400],
  [`${JANUARY}&contaId=x`, 400],
  [`${JANUARY}&contaId=9007199254740992`, 400],
  [`${JANUARY}&contrapartidaId=0`, 400],
  [`${JANUARY}&valorMinimo=-1`, 400],
  [`${JANUARY}&valorMinimo=1e3`, 400],
  [`${JANUARY}&valorMaximo=1.234`, 400],
  [`${JANUARY}&valorMinimo=2&valorMaximo=1`, 400],
  [`${JANUARY}&texto=`, 400],
  [`${JANUARY}&texto=%00`, 400],
  [`${JANUARY}&lote=12345678901`, 400],
  [`${JANUARY}&depoisDe=x`, 400],
  [`${JANUARY}&depoisDe=2026-02-31.1`, 400],
  [`${JANUARY}&outro=1`, 400],
  [`${JANUARY}&texto=%27%3B%20DROP%20TABLE%20month%3B--`, 200],
] as [string, number][])('lines of %s', async (query, status) => {
  const answer = await platform.admin.get('queries', `/entries/${bank.company}/${bank.branch}?${query}`);
  expect(answer.status, answer.text).toBe(status);
});

test.each<[string, (company: string, branch: string) => string]>([
  ['chart', (company, branch) => `/allChartOfAccount/${company}/${branch}`],
  ['legacy balances', (company, branch) => `${LEGACY}/consulta-contabil?${tenant(company, branch)}&${JANUARY}`],
  ['legacy lines', (company, branch) => `${LEGACY}/lancamentos-contabeis?${tenant(company, branch)}&${JANUARY}`],
  ['lines', (company, branch) => `/entries/${company}/${branch}?${JANUARY}`],
])('%s: 404 where nothing is, 400 where no chart is, 403 where nobody may', async (what, path) => {
  const get = async (company: string, branch: string) =>
    (await platform.admin.get('queries', path(company, branch))).status;
  expect(await get('nada', bank.branch)).toBe(404);
  expect(await get(bank.company, 'nada')).toBe(404);
  // Lines need no chart: a branch without one has none.
  expect(await get(bank.company, 'NUA')).toBe(/lines/.test(what) ? 200 : 400);
  const denied = await stranger.get('queries', path(bank.company, bank.branch));
  expect(denied).toMatchObject({ status: 403, body: { code: 'TENANT_DENIED' } });
  expect(denied.body.detail).toMatch(/access|permission/i);
});

test('the two queries by POST reject a branch without permission, and the open listing shows nothing of it', async () => {
  expect((await stranger.post('queries', '/balanceInquiryDetails', inquiry({}))).status).toBe(403);
  expect((await stranger.post('queries', '/generalLedgerQuery', ledger({}))).status).toBe(403);
  const all = await stranger.get('queries', `${LEGACY}/lancamentos-contabeis?${JANUARY}`);
  expect(all).toMatchObject({ status: 200, body: { conteudo: { totalElements: 0 } } });
  const alone = `${LEGACY}/lancamentos-contabeis?${JANUARY}&filial=${bank.branch}`;
  expect((await platform.admin.get('queries', alone)).status).toBe(400);
});

test.each([
  '',
  '?',
  '?empresa=0001&filial=0001&dataInicio=2026-01-01&dataFim=2026-01-31',
  '?empresa=a&empresa=b&&=&x',
  '?empresa=%C3%A7%20+%26%3D%23&filial=%00%0D%0ALocation:%20http://mal',
  '?a=/../..//&b=\'"<>;|`{}[]^~',
])('the old path leads to the new one with %s', async (query) => {
  const { address, admin } = platform;
  const response = await fetch(`${address('queries')}/api/v1/consulta-contabil${query}`, {
    redirect: 'manual',
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect(response.status).toBe(301);
  // The client may write characters otherwise before it sends them; the server must not.
  const sent = new URL(`http://x/${query}`).search || query;
  expect(response.headers.get('location')).toBe(`${LEGACY}/consulta-contabil${sent}`);
});

test('the chart is in the order of its numbers', async () => {
  const ten = { chartCode: bank.chartCode, cdAccounting: '1.1.10', description: 'Outras', accountType: 'A' };
  await platform.admin.post('masterdata', '/chartOfAccounts', { ...ten, nature: 'D', accountClass: '01' });
  const { body } = await platform.admin.get('queries', `/allChartOfAccount/${bank.company}/${bank.branch}`);
  expect(body.map((each: { cdAccounting: string }) => each.cdAccounting).slice(0, 6)).toEqual([
    '1',
    '1.1',
    '1.1.1',
    '1.1.2',
    '1.1.10',
    '1.2',
  ]);
});
