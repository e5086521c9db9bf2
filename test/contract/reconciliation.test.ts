import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  await post(
    platform.admin,
    bank,
    book`
    05/01 1.1.1 D 100,00 3.1
    20/01 1.1.2 D  50,00 1.1.1
  `,
  );
  await closeMonth(platform.admin, bank, '01/2026');
  await openMonth(platform.admin, bank, '02/2026');
  await post(
    platform.admin,
    bank,
    book`
    10/02 1.1.1 D 7,00 3.1
  `,
  );
});
afterAll(() => platform?.stop());

const send = (date: string, balances: readonly object[], more: object = {}) =>
  platform.admin.post('masterdata', '/controlBalance', {
    company: bank.company,
    branch: bank.branch,
    date,
    origin: 'CREDITO',
    balances,
    ...more,
  });
const of = (cdAccounting: string, balance: number, dc?: 'D' | 'C') => ({ cdAccounting, balance, dc });
const reconciliation = (query: string) =>
  platform.admin.get('queries', `/reconciliation/${bank.company}/${bank.branch}?${query}`);
/** 'date account origin sent books difference since days' */
const found = async (query: string) =>
  (await bodyOf(reconciliation(query))).differences.map((each: Record<string, unknown>) =>
    [each.date, each.cdAccounting, each.origin, each.sent, each.books, each.difference, each.since, each.days].join(
      ' ',
    ),
  );

test('figures are compared with the books, in closed and open months, posting and summary accounts', async () => {
  await bodyOf(send('2026-01-04', [of('1.1.1', 0), of('3.1', 1, 'C')]));
  await bodyOf(send('2026-01-05', [of('1.1.1', 100, 'D'), of('3.1', 101, 'C'), of('1.1', 99.5)]));
  await bodyOf(send('2026-01-31', [of('1.1.1', 51), of('1.1.2', 50), of('3.1', 100, 'C')]));
  await bodyOf(
    send('2026-02-10', [of('1.1.1', 58), of('3.1', -107), { contaId: bank.accounts.get('1.1'), balance: 106 }]),
  );
  expect(await found('date=2026-01-05')).toEqual([
    '2026-01-05 1.1 CREDITO 99.5 100 -0.5 2026-01-05 0',
    '2026-01-05 3.1 CREDITO -101 -100 -1 2026-01-04 1',
  ]);
  expect(await found('date=2026-02-10')).toEqual([
    '2026-02-10 1.1 CREDITO 106 107 -1 2026-01-05 36',
    '2026-02-10 1.1.1 CREDITO 58 57 1 2026-01-31 10',
  ]);
  expect((await bodyOf(reconciliation('month=2026-01'))).compared).toBe(8);
  expect(await found('month=2026-01')).toEqual([
    '2026-01-04 3.1 CREDITO -1 0 -1 2026-01-04 0',
    '2026-01-05 1.1 CREDITO 99.5 100 -0.5 2026-01-05 0',
    '2026-01-05 3.1 CREDITO -101 -100 -1 2026-01-04 1',
    '2026-01-31 1.1.1 CREDITO 51 50 1 2026-01-31 0',
  ]);
  expect(await bodyOf(reconciliation('date=2026-02-11'))).toEqual({ compared: 0, differing: 0, differences: [] });
});

test('a figure sent again replaces the first; each system has its own', async () => {
  await bodyOf(send('2026-02-20', [of('1.1.2', 1)]));
  await bodyOf(send('2026-02-20', [of('1.1.2', 2)], { origin: 'TESOURARIA' }));
  expect(await found('date=2026-02-20&origin=TESOURARIA')).toEqual([
    '2026-02-20 1.1.2 TESOURARIA 2 50 -48 2026-02-20 0',
  ]);
  expect(await bodyOf(send('2026-02-20', [of('1.1.2', 50)]))).toMatchObject({ balances: 1 });
  expect(await found('date=2026-02-20')).toEqual(['2026-02-20 1.1.2 TESOURARIA 2 50 -48 2026-02-20 0']);
});

test('what was sent keeps its account', async () => {
  const removed = await platform.admin.call('masterdata', 'DELETE', `/chartOfAccounts/${bank.accounts.get('1.1.2')}`);
  expect(removed).toMatchObject({ status: 400, body: { code: 'IN_USE' } });
  expect(removed.body.detail).toContain('control balances');
});

describe('refused', () => {
  test.each([
    [
      'an account that the chart has not',
      '2026-02-01',
      [of('9.9.9', 1)],
      'ACCOUNT_NOT_IN_CHART',
      'balances.0.cdAccounting',
    ],
    [
      'an account of another chart',
      '2026-02-01',
      [{ contaId: 999_999, balance: 1 }],
      'ACCOUNT_NOT_IN_CHART',
      'balances.0.contaId',
    ],
    ['an account twice', '2026-02-01', [of('1.1.1', 1), of('1.1.1', 1)], 'DUPLICATE', 'balances.1.cdAccounting'],
    ['no account', '2026-02-01', [{ balance: 1 }], 'INVALID_FIELD', 'balances.0.contaId'],
    ['a side beside a negative balance', '2026-02-01', [of('1.1.1', -1, 'D')], 'INVALID_FIELD', 'balances.0.balance'],
    ['no balances', '2026-02-01', [], 'INVALID_FIELD', 'balances'],
    ['three decimals', '2026-02-01', [of('1.1.1', 1.005)], 'INVALID_FIELD', 'balances.0.balance'],
    ['no day', '2026-02-30', [of('1.1.1', 1)], 'INVALID_FIELD', 'date'],
    ['a day before the base month', '2025-12-31', [of('1.1.1', 1)], 'BEFORE_BASE_MONTH', undefined],
  ])('%s', async (_, date, balances, code, field) => {
    const answer = await send(date, balances);
    expect(answer).toMatchObject({ status: 400, body: { code } });
    if (field !== undefined) expect(answer.body.errors[0].field).toBe(field);
    expect(await bodyOf(reconciliation('date=2026-02-01'))).toMatchObject({ compared: 0 });
  });

  test.each([
    'date=2026-02-01&month=2026-02',
    'date=01/02/2026',
    'month=2026-13',
    'date=2026-02-01&x=1',
    'month=2025-11',
  ])('a question of %s', async (query) => expect((await reconciliation(query)).status).toBe(400));

  test('to whom the branch does not belong', async () => {
    const other = await createBank(platform.admin);
    const eva = await createUser(platform.admin, { username: 'eva', permissions: [{ company: other.company }] });
    const stranger = await platform.as(eva.username, eva.password);
    const body = {
      company: bank.company,
      branch: bank.branch,
      date: '2026-02-01',
      origin: 'X',
      balances: [of('1.1.1', 1)],
    };
    expect((await stranger.post('masterdata', '/controlBalance', body)).status).toBe(403);
    expect(
      (await stranger.get('queries', `/reconciliation/${bank.company}/${bank.branch}?date=2026-02-01`)).status,
    ).toBe(403);
    expect((await platform.admin.get('queries', '/reconciliation/NADA/0001?date=2026-02-01')).status).toBe(404);
  });
});
