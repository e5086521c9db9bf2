import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { archiveMonth, closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

// The days of an account with their balances, and its lines from any place of the month.

interface Line {
  readonly filial: string;
  readonly data: string;
  readonly lote: string;
  readonly documento: string;
  readonly conta: string;
  readonly contrapartida: string | null;
  readonly debcre: 'D' | 'C';
  readonly valor: number;
  readonly saldo: number;
  readonly historico: string | null;
}

let platform: Platform;
let bank: Bank;
let other: Bank;

/** Posted out of the order of the days; 10 comes after 2, and a compound entry has three lines. */
const JANUARY = book`
  20/01  2/1   1.1.1  D     30,00  7.1  "Tarifa"
  05/01  10/1  1.1.1  D      1,10  7.1  "Décima"
  05/01  2/9   1.1.1  C    400,00  8.1  "Folha"
  05/01  2/3   1.1.1  D  1.000,00  3.1  "Aporte"
  06/01  2/3   8.1    D     70,00
               1.1.2  C     60,00
               1.1.1  C     10,00       "Composto"
  09/01  2/3   1.1.2  D      5,00
               1.1.1  C      5,00       "De duas linhas"
`;
const FEBRUARY = book`
  02/02  1.1.2  D  8,00  7.1  "Juros"
  27/02  1.1.1  C  3,00  8.2  "Café"
`;

beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  other = await createBank(platform.admin, {
    ...{ company: bank.company, branch: '0002', chartCode: bank.chartCode, accounts: [], existing: true },
  });
  for (const each of [bank, other]) {
    for (const month of ['01/2026', '02/2026']) await openMonth(platform.admin, each, month);
  }
  await post(platform.admin, bank, JANUARY);
  await post(platform.admin, bank, FEBRUARY);
  await post(platform.admin, other, book`05/01 1.1.1 D 0,50 3.1 "Da filial"`);
});
afterAll(() => platform?.stop());

const pathOf = (account: string, branch = bank.branch) =>
  `/ledger/${bank.company}/${encodeURIComponent(branch)}/${bank.accounts.get(account)}`;
const daysOf = (account: string, month: string, branch?: string) =>
  bodyOf(platform.admin.get('queries', `${pathOf(account, branch)}?month=${month}`));
const linesOf = (account: string, query: string, branch?: string) =>
  bodyOf(platform.admin.get('queries', `${pathOf(account, branch)}/lines?${query}`));

test('the days of an account, its lines in the order of the books, and the balance after each', async () => {
  const ledger = await daysOf('1.1.1', '2026-01');
  expect(ledger).toMatchObject({
    ...{ conta: '1.1.1', descricao: 'Caixa', tipo: 'A', natureza: 'D', linhas: 6 },
    ...{ saldoAnterior: 0, debito: 1_031.1, credito: 415, saldoAtual: 616.1 },
  });
  expect(ledger.dias).toEqual([
    { data: '2026-01-05', linhas: 3, debito: 1_001.1, credito: 400, saldo: 601.1 },
    { data: '2026-01-06', linhas: 1, debito: 0, credito: 10, saldo: 591.1 },
    { data: '2026-01-09', linhas: 1, debito: 0, credito: 5, saldo: 586.1 },
    { data: '2026-01-20', linhas: 1, debito: 30, credito: 0, saldo: 616.1 },
  ]);
  const { content, inicio, linhas } = await linesOf('1.1.1', 'month=2026-01');
  expect([inicio, linhas]).toEqual([0, 6]);
  expect(content.map(textOf)).toEqual([
    '05 2/3 D 1000 3.1 Aporte = 1000',
    '05 2/9 C 400 8.1 Folha = 600',
    '05 10/1 D 1.1 7.1 Décima = 601.1',
    // Several other lines: no one account stands against it.
    '06 2/3 C 10 null Composto = 591.1',
    '09 2/3 C 5 1.1.2 De duas linhas = 586.1',
    '20 2/1 D 30 7.1 Tarifa = 616.1',
  ]);
});

test('pages from any line and any day are parts of the whole', async () => {
  for (const account of ['1.1.1', '1']) {
    const whole: Line[] = (await linesOf(account, 'month=2026-01&tamanho=1000')).content;
    expect((await daysOf(account, '2026-01')).content).toEqual([]);
    for (const size of [1, 3, 1000]) {
      const first = await daysOf(account, `2026-01&tamanho=${size}`);
      expect(first.content).toEqual(whole.slice(0, size));
      for (let from = 0; from <= whole.length; from++) {
        const page = await linesOf(account, `month=2026-01&inicio=${from}&tamanho=${size}`);
        expect(page).toEqual({ inicio: from, linhas: whole.length, content: whole.slice(from, from + size) });
      }
    }
    for (const day of ['01', '05', '06', '07', '20', '31']) {
      const from = whole.filter(({ data }) => data < `2026-01-${day}`).length;
      const page = await linesOf(account, `month=2026-01&data=2026-01-${day}&tamanho=2`);
      expect(page).toEqual({ inicio: from, linhas: whole.length, content: whole.slice(from, from + 2) });
    }
  }
});

test('a summary account has the lines of all accounts below it', async () => {
  const { content } = await linesOf('1.1', 'month=2026-01');
  expect(content.map(({ conta }: Line) => conta).sort()).toEqual([...Array(6).fill('1.1.1'), '1.1.2', '1.1.2']);
  expect(content.at(-1).saldo).toBe(561.1);
  expect(await daysOf('1.1', '2026-01')).toMatchObject({ tipo: 'S', linhas: 8, saldoAtual: 561.1 });
});

test('the institution sums its branches, whose lines come one branch after another within a day', async () => {
  const { content } = await linesOf('1.1.1', 'month=2026-01&data=2026-01-05&tamanho=4', '*');
  expect(content.map((line: Line) => `${line.filial} ${line.saldo}`)).toEqual([
    '0001 1000',
    '0001 600',
    '0001 601.1',
    '0002 601.6',
  ]);
  expect(await daysOf('1.1.1', '2026-02', '*')).toMatchObject({ saldoAnterior: 616.6, credito: 3, saldoAtual: 613.6 });
});

describe('each month as the balances have it', () => {
  const expectAsBalances = async () => {
    for (const account of ['1.1.1', '1.1', '7.1', '8', '3.1']) {
      for (const month of ['2026-01', '2026-02', '2026-03']) {
        const [year, number] = month.split('-');
        const anomes = `${number}/${year}`;
        const place = { empresa: bank.company, filial: bank.branch, contaId: bank.accounts.get(account) };
        const [inquired] = await bodyOf(
          platform.admin.post('queries', '/balanceInquiryDetails', { ...place, anomesini: anomes, anomesfim: anomes }),
        );
        const { saldoAnterior, debito, credito, saldoAtual } = await daysOf(account, month);
        expect({ account, month, saldoAnterior, debito, credito, saldoAtual }).toEqual({
          ...{ account, month, saldoAnterior: inquired.openingBalance, debito: inquired.movdeb },
          ...{ credito: inquired.movcred, saldoAtual: inquired.accumulatedBalance },
        });
      }
    }
  };
  test('open', expectAsBalances);
  test('closed', async () => {
    await closeMonth(platform.admin, bank, '01/2026');
    await expectAsBalances();
  });
});

test('lines of an archived month are not there, and this is said', async () => {
  await archiveMonth(platform.admin, bank, '01/2026');
  for (const path of [`${pathOf('1.1.1')}?month=2026-01`, `${pathOf('1.1.1')}/lines?month=2026-01`]) {
    expect((await platform.admin.get('queries', path)).body).toMatchObject({ status: 400, code: 'MONTH_PURGED' });
  }
  expect(await daysOf('1.1.1', '2026-02')).toMatchObject({ saldoAnterior: 616.1, saldoAtual: 613.1 });
});

test.each([
  ['', 'month', 400],
  ['month=2026-13', 'month', 400],
  ['month=2025-12', null, 400],
  ['month=2026-02&inicio=-1', 'inicio', 400],
  ['month=2026-02&tamanho=0', 'tamanho', 400],
  ['month=2026-02&tamanho=1001', 'tamanho', 400],
  ['month=2026-02&data=2026-02-30', 'data', 400],
  ['month=2026-02&data=2026-03-01', 'data', 400],
  ['month=2026-02&data=2026-02-01&inicio=3', 'data', 400],
])('%s is refused', async (query, field, status) => {
  const answer = await platform.admin.get('queries', `${pathOf('1.1.1')}/lines?${query}`);
  expect(answer.status).toBe(status);
  if (field !== null) expect(answer.body.errors.map((each: { field: string }) => each.field)).toEqual([field]);
});

test('an account of no chart of the branch is not found, in a branch and in the institution', async () => {
  const stranger = await createBank(platform.admin);
  const foreign = stranger.accounts.get('1.1.1');
  for (const branch of [bank.branch, '*']) {
    for (const id of [foreign, 999_999_999]) {
      for (const end of ['', '/lines']) {
        const path = `/ledger/${bank.company}/${branch}/${id}${end}?month=2026-02`;
        const { status, body } = await platform.admin.get('queries', path);
        expect([status, body.code], path).toEqual([404, 'NOT_FOUND']);
      }
    }
  }
});

function textOf(line: Line): string {
  const { data, lote, documento, debcre, valor, contrapartida, historico, saldo } = line;
  return `${data.slice(8)} ${lote}/${documento} ${debcre} ${valor} ${contrapartida} ${historico} = ${saldo}`;
}
