import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectBalances, setOpenings } from '../support/balances.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { askToCloseMonth, closeMonth, endOfMonthClose, openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

const balances = async (bank: Bank, code: string, from: string, to: string) =>
  (
    await platform.admin.post('queries', '/balanceInquiryDetails', {
      contaId: bank.accounts.get(code),
      empresa: bank.company,
      filial: bank.branch,
      anomesini: from,
      anomesfim: to,
    })
  ).body;

test('closes a month: the same figures before and after, and no entry any more', async () => {
  const bank = await createBank(platform.admin);
  await setOpenings(
    platform.admin,
    bank,
    `
    1.1.1  1.000,00 D
    3.1    1.000,00 C
    `,
  );
  await openMonth(platform.admin, bank, '01/2026');
  await post(
    platform.admin,
    bank,
    book`
      05/01  1.1.2  D  300,10  1.1.1
      20/01  8.1    D   50,05  1.1.1
    `,
  );
  const open = await balances(bank, '1.1.1', '01/2026', '03/2026');
  expect(open).toEqual([
    {
      year: '2026',
      month: '01',
      movdeb: 0,
      movcred: 350.15,
      movenc: 0,
      accumulatedBalance: 649.85,
      openingBalance: 1000,
    },
    { year: '2026', month: '02', movdeb: 0, movcred: 0, movenc: 0, accumulatedBalance: 649.85, openingBalance: 649.85 },
    { year: '2026', month: '03', movdeb: 0, movcred: 0, movenc: 0, accumulatedBalance: 649.85, openingBalance: 649.85 },
  ]);
  const parent = `
    account  opening     debit   credit  closing  balance
    1.1      1.000,00 D  300,10  350,15  0,00     949,95 D
  `;
  await expectBalances(platform.admin, bank, '01/2026', parent);

  const close = await closeMonth(platform.admin, bank, '01/2026');
  expect(close).toMatchObject({ progress: { percent: 100, linesRead: 4 } });
  expect(await balances(bank, '1.1.1', '01/2026', '03/2026')).toEqual(open);
  await expectBalances(platform.admin, bank, '01/2026', parent);
  const late = book`06/01 1.1.2 D 1,00 1.1.1`;
  await expect(post(platform.admin, bank, late)).rejects.toThrow('MONTH_CONSOLIDATED');
  expect(
    (
      await platform.admin.post('movements', '/batch', {
        empresa: bank.company,
        filial: bank.branch,
        ano: 2026,
        mes: 1,
      })
    ).body.code,
  ).toBe('MONTH_CONSOLIDATED');
  const ask = async (month: string) => (await askToCloseMonth(platform.admin, bank, month)).body;
  expect(await ask('01/2026')).toMatchObject({ status: 400, code: 'MONTH_CONSOLIDATED' });
  expect(await ask('07/2026')).toMatchObject({ status: 400, code: 'MONTH_NOT_OPEN' });

  await openMonth(platform.admin, bank, '02/2026');
  await post(platform.admin, bank, book`10/02 1.1.1 D 0,15 7.1`);
  await expectBalances(
    platform.admin,
    bank,
    '02/2026',
    `
    account  opening   debit  balance
    1.1.1    649,85 D  0,15   650,00 D
    `,
  );
  await openMonth(platform.admin, bank, '01/2026');
  expect((await closeMonth(platform.admin, bank, '02/2026', 'ERROR')).message).toContain('01/2026');
  await post(platform.admin, bank, late);
  for (const month of ['01/2026', '02/2026']) await closeMonth(platform.admin, bank, month);
  await expectBalances(
    platform.admin,
    bank,
    '02/2026',
    `
    account  opening   debit  balance
    1.1.1    648,85 D  0,15   649,00 D
    `,
  );
});

test('all branches of a company at once, under one record', async () => {
  const first = await createBank(platform.admin);
  const second = await createBank(platform.admin, {
    company: first.company,
    branch: '0002',
    chartCode: first.chartCode,
    accounts: [],
    existing: true,
  });
  for (const bank of [first, second]) {
    await openMonth(platform.admin, bank, '01/2026');
    await post(platform.admin, bank, book`05/01 1.1.2 D 10,00 1.1.1`);
  }
  const all = await platform.admin.post('masterdata', '/runconsolidation', {
    company: first.company,
    branch: '*',
    year: '2026',
    month: '1',
  });
  expect(all).toMatchObject({ status: 200, body: { success: true, data: { branch: '*' } } });
  const end = await endOfMonthClose(platform.admin, all.body.data.id);
  expect(end).toMatchObject({ status: 'DONE', branches: { total: 2, done: 2, failed: 0 } });
  const events = await platform.admin.get('movements', `/runconsolidation/${all.body.data.id}/events`);
  expect(events.headers.get('content-type')).toContain('text/event-stream');
  expect(events.text).toContain('"status":"DONE"');
});

test('the ledger reads days in order and rejects what is not a period', async () => {
  const bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  await post(
    platform.admin,
    bank,
    book`
      20/01  1/1  1.1.2  D  2,00  1.1.1
      05/01  2/1  1.1.2  D  1,50  1.1.1
    `,
  );
  const ask = (more: object) =>
    platform.admin.post('queries', '/generalLedgerQuery', {
      contaId: bank.accounts.get('1.1.1'),
      empresa: bank.company,
      filial: bank.branch,
      year: 2026,
      month: 1,
      ...more,
    });
  const { body } = await ask({});
  expect(body.map((row: { day: string; value: string }) => [row.day, row.value])).toEqual([
    ['05', '1.50'],
    ['20', '2.00'],
  ]);
  expect(body[0]).toEqual({
    lote: '2',
    documento: '1',
    entry: '1',
    debCre: 'C',
    day: '05',
    history: '',
    value: '1.50',
    cdContabil: '1.1.1',
  });
  expect((await ask({ dayStart: 6 })).body).toHaveLength(1);
  expect((await ask({ dayEnd: 5, dayStart: 0 })).body).toHaveLength(1);
  expect((await ask({ dayStart: 9, dayEnd: 3 })).status).toBe(400);
  expect((await ask({ year: 1999 })).status).toBe(400);
  expect((await ask({ contaId: 999999 })).status).toBe(404);
  expect((await ask({ filial: 'nada' })).status).toBe(404);
  const legacy = await platform.admin.get(
    'queries',
    `/api/v1/legacy-integration/consulta-contabil?empresa=${bank.company}&filial=${bank.branch}&dataInicio=2026-01-01&dataFim=2026-01-31&tipoSaldo=0`,
  );
  expect(
    legacy.body.conteudo.content.find((each: { codigo_conta: string }) => each.codigo_conta === '1.1.1'),
  ).toMatchObject({ saldo_atual: -3.5, natureza: 'C', mes: 1 });
  const daily = await platform.admin.get(
    'queries',
    `/api/v1/legacy-integration/consulta-contabil?empresa=${bank.company}&filial=${bank.branch}&dataInicio=2026-01-05&dataFim=2026-01-06&tipoSaldo=D`,
  );
  expect(
    daily.body.conteudo.content.find(
      (each: { codigo_conta: string; dia: number }) => each.codigo_conta === '1.1.1' && each.dia === 6,
    ),
  ).toMatchObject({ saldo_anterior: -1.5, saldo_atual: -1.5 });
  const lines = await platform.admin.get(
    'queries',
    `/api/v1/legacy-integration/lancamentos-contabeis?empresa=${bank.company}&dataInicio=2026-01-01&dataFim=2026-01-31`,
  );
  expect(lines.body.conteudo).toMatchObject({
    totalElements: 4,
    content: [{ data_contabil: '2026.01.05', status: 0 }, {}, {}, {}],
  });
  const moved = await platform.admin.get('queries', '/api/v1/consulta-contabil?a=1&b=2');
  expect(moved.status).toBe(301);
  expect(moved.headers.get('location')).toBe('/api/v1/legacy-integration/consulta-contabil?a=1&b=2');
});

test('lines are found by filters, page by page, and as CSV', async () => {
  const bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  await post(
    platform.admin,
    bank,
    book`
      20/01  1/1  1.1.2  D   2,00  1.1.1
      05/01  2/1  1.1.2  D   1,50  1.1.1
      07/01  3/1  8.1    D  30,00  1.1.1
    `,
  );
  const path = `/entries/${bank.company}/${bank.branch}?dataInicio=2026-01-01&dataFim=2026-01-31`;
  const first = (await platform.admin.get('queries', `${path}&tamanho=4`)).body;
  expect(first.content.map((line: { data: string; valor: number }) => [line.data, line.valor])).toEqual([
    ['2026-01-05', 1.5],
    ['2026-01-05', 1.5],
    ['2026-01-07', 30],
    ['2026-01-07', 30],
  ]);
  const second = (await platform.admin.get('queries', `${path}&tamanho=4&depoisDe=${first.proximo}`)).body;
  expect(second).toMatchObject({ content: [{ data: '2026-01-20' }, { data: '2026-01-20' }], proximo: null });
  const found = async (filter: string) =>
    (await platform.admin.get('queries', `${path}&${filter}`)).body.content.length;
  expect(await found(`contaId=${bank.accounts.get('1.1.1')}`)).toBe(3);
  expect(await found(`contaId=${bank.accounts.get('1.1.1')}&contrapartidaId=${bank.accounts.get('8.1')}`)).toBe(1);
  expect(await found('valorMinimo=2&valorMaximo=29.99')).toBe(2);
  expect(await found('lote=2')).toBe(2);
  expect((await platform.admin.get('queries', `${path}&depoisDe=x`)).status).toBe(400);
  expect((await platform.admin.get('queries', `${path}&valorMinimo=1e3`)).status).toBe(400);
  const csv = await platform.admin.call('queries', 'GET', path, undefined, { accept: 'text/csv' });
  expect(csv.headers.get('content-type')).toContain('text/csv');
  expect(csv.text.trim().split('\r\n')).toHaveLength(7);
});
