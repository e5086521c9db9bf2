import { afterAll, beforeAll, expect, test } from 'vitest';
import { SQL } from '../../src/platform/database/statement.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let admin: Client;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform();
  admin = platform.admin;
  bank = await createBank(admin);
});
afterAll(() => platform?.stop());

const put = (body: unknown, client = admin) =>
  client.call('masterdata', 'PUT', `/baseBalance/${bank.company}/${bank.branch}`, body);
const get = async () => (await admin.get('masterdata', `/baseBalance/${bank.company}/${bank.branch}`)).body;

test('replace one another whole, by id or code, exact to the cent', async () => {
  const first = await put([
    { cdAccounting: '1.1.1', balance: 9_999_999_999_999.99, dc: 'D' },
    { contaId: bank.accounts.get('2.1.1'), balance: -9_999_999_999_999.98 },
    { cdAccounting: '3.1', balance: 0.01, dc: 'C' },
    { cdAccounting: '3.2', balance: 0, dc: 'D' },
  ]);
  expect(first.status).toBe(200);
  expect(first.text).toContain('9999999999999.98');
  expect(first.body).toMatchObject([
    { cdAccounting: '1.1.1', contaId: bank.accounts.get('1.1.1'), balance: 9_999_999_999_999.99, dc: 'D' },
    { cdAccounting: '2.1.1', dc: 'C' },
    { cdAccounting: '3.1', balance: 0.01, dc: 'C' },
  ]);
  expect((await put(first.body)).body).toEqual(first.body);
  const second = await put([
    { cdAccounting: '1.1.2', balance: 10.5, dc: 'D' },
    { cdAccounting: '3.1', balance: 10.5, dc: 'C' },
  ]);
  expect(second.body).toHaveLength(2);
  expect(await get()).toEqual(second.body);
});

test.each([
  ['sum', [{ cdAccounting: '1.1.1', balance: 1, dc: 'D' }], 'BASE_BALANCES_UNBALANCED'],
  ['synthetic account', [{ cdAccounting: '1', balance: 0 }], 'ACCOUNT_SYNTHETIC'],
  ['unknown account', [{ cdAccounting: '9', balance: 0 }], 'ACCOUNT_NOT_IN_CHART'],
  ['unknown id', [{ contaId: 9_007_199_254_740_991, balance: 0 }], 'ACCOUNT_NOT_IN_CHART'],
  [
    'account twice',
    [
      { cdAccounting: '1.1.1', balance: 1 },
      { cdAccounting: '1.1.1', balance: -1 },
    ],
    'DUPLICATE',
  ],
  ['three decimals', [{ cdAccounting: '1.1.1', balance: 0.001 }], 'INVALID_FIELD'],
  ['side', [{ cdAccounting: '1.1.1', balance: 0, dc: 'X' }], 'INVALID_FIELD'],
  ['negative beside a side', [{ cdAccounting: '1.1.1', balance: -1, dc: 'D' }], 'INVALID_FIELD'],
  ['no account', [{ balance: 0 }], 'INVALID_FIELD'],
  ['unknown field', [{ cdAccounting: '1.1.1', balance: 0, valor: 1 }], 'UNKNOWN_FIELD'],
  ['no list', { cdAccounting: '1.1.1', balance: 0 }, 'INVALID_FIELD'],
])('%s: 400, nothing changed', async (_name, body, code) => {
  const before = await get();
  expect((await put(body)).body).toMatchObject({ status: 400, code });
  expect(await get()).toEqual(before);
});

test('are of their tenant, and of a branch with options', async () => {
  const { username, password } = await createUser(admin, { username: 'gil' });
  const gil = await platform.as(username, password);
  expect((await put([], gil)).status).toBe(403);
  expect((await gil.get('masterdata', `/baseBalance/${bank.company}/${bank.branch}`)).status).toBe(403);
  expect((await admin.get('masterdata', `/baseBalance/${bank.company}/NADA`)).status).toBe(404);
  await admin.post('masterdata', '/branch', { company: bank.company, branch: 'NUA', name: 'Sem opções' });
  const unset = await admin.call('masterdata', 'PUT', `/baseBalance/${bank.company}/NUA`, []);
  expect(unset.body).toMatchObject({ status: 400, code: 'CHART_NOT_CONFIGURED' });
});

test('freeze with the first consolidation', async () => {
  await openMonth(admin, bank, '01/2026');
  expect((await put([])).status).toBe(200);
  const { database } = platform.program;
  await database.transaction({ companies: '*', wholeCompanies: [], branches: [] }, (sql) =>
    sql.rows(SQL`SELECT close_month(${bank.companyId}, ${bank.branchId}, DATE '2026-01-01')`),
  );
  expect((await put([])).body).toMatchObject({ status: 400, code: 'BASE_BALANCES_FROZEN' });
});
