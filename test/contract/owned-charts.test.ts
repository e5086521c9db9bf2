import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { book, postByHand } from '../support/books.ts';
import { openMonth } from '../support/months.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

// A chart has one owner. Who merely uses it changes nothing of it, and nobody changes what books were kept on.

let platform: Platform;
let admin: Client;
/** Owns the chart, and shares it. */
let bank: Bank;
let owner: Client;
/** Uses it. */
let tenant: Bank;
let user: Client;
beforeAll(async () => {
  platform = await startPlatform();
  ({ admin } = platform);
  bank = await createBank(admin);
  tenant = await createBank(admin, { chartCode: bank.chartCode, accounts: [] });
  owner = await clientOf('dona', bank);
  user = await clientOf('usuaria', tenant);
});
afterAll(() => platform?.stop());

async function clientOf(username: string, { company }: Bank, branch?: string): Promise<Client> {
  const { password } = await createUser(admin, {
    username,
    permissions: [{ company, ...(branch && { branch }) }],
    routines: ['SETTINGS', 'COMPANIES'],
  });
  return platform.as(username, password);
}

const account = (chartCode: string, cdAccounting: string) => ({
  ...{
    chartCode,
    cdAccounting,
    description: `Conta ${cdAccounting}`,
    accountType: 'A',
    nature: 'D',
    accountClass: '01',
  },
});
const post = (client: Client, body: object) => client.post('masterdata', '/chartOfAccounts', body);
const put = (client: Client, id: number, body: object) =>
  client.call('masterdata', 'PUT', `/chartOfAccounts/${id}`, body);
const read = async (id: number) => (await admin.get('masterdata', `/chartOfAccounts/${id}`)).body;
const chartOf = (client: Client, code: string) => client.get('masterdata', `/chart/${code}`);
const change = (client: Client, code: string, body: object) => client.call('masterdata', 'PUT', `/chart/${code}`, body);

test('the company whose options name a chart first owns it; who uses it sees it', async () => {
  expect((await chartOf(owner, bank.chartCode)).body).toEqual({
    ...{ chartCode: bank.chartCode, owner: bank.company, installation: false, shared: false, changeable: true },
  });
  expect((await chartOf(user, bank.chartCode)).body).toMatchObject({ owner: null, changeable: false });
  expect((await user.get('masterdata', '/chartOfAccounts/')).body).toHaveLength(bank.accounts.size);
  for (const client of [owner, user]) {
    const { body } = await client.get('masterdata', '/chart');
    expect(body).toEqual([(await chartOf(client, bank.chartCode)).body]);
  }
});

test('who uses a chart neither adds, renames, moves, deactivates nor deletes its accounts', async () => {
  const id = bank.accounts.get('1.2')!;
  const before = await read(id);
  for (const answer of [
    await post(user, account(bank.chartCode, '1.9')),
    await put(user, id, { ...before, description: 'Outra' }),
    await put(user, id, { ...before, parentId: bank.accounts.get('2.1') }),
    await put(user, id, { ...before, active: false }),
    await user.call('masterdata', 'DELETE', `/chartOfAccounts/${id}`),
    await change(user, bank.chartCode, { shared: true }),
  ]) {
    expect(answer.body).toMatchObject({ status: 403, code: 'CHART_DENIED' });
  }
  const form = new FormData();
  form.set('file', new File(['conta;descricao;natureza;classe\n1.8;x;D;01\n'], 'plano.csv'));
  const path = `/chartOfAccounts/import?chart=${bank.chartCode}`;
  expect((await user.post('masterdata', path, form)).body).toMatchObject({ status: 403, code: 'CHART_DENIED' });
  expect(await read(id)).toEqual(before);
  // One branch of the owner is not the owner.
  const branchUser = await clientOf('daFilial', bank, bank.branch);
  expect((await put(branchUser, id, before)).status).toBe(403);
  expect((await put(owner, id, { ...before, description: 'Renomeada' })).body.description).toBe('Renomeada');
});

test('options of another company name a chart only when it is shared, or when an administrator writes them', async () => {
  const other = await createBank(admin);
  const client = await clientOf('outra', other);
  const options = (branch: string) => ({
    ...{ company: other.company, branch, chartCode: bank.chartCode, baseYearMonth: '01/2026' },
  });
  for (const branch of ['2', '3']) {
    await admin.post('masterdata', '/branch', { company: other.company, branch, name: branch });
  }
  const name = (by: Client, branch: string) => by.post('masterdata', '/company/options', options(branch));
  expect((await name(client, '2')).body).toMatchObject({ status: 403, code: 'CHART_DENIED' });
  expect((await chartOf(client, bank.chartCode)).status).toBe(404);
  expect((await change(owner, bank.chartCode, { shared: true })).body).toMatchObject({ shared: true });
  const named = await name(client, '2');
  expect(named.status).toBe(201);
  expect((await change(owner, bank.chartCode, { shared: false })).body).toMatchObject({ shared: false });
  // Who has it keeps it, and may change its other options.
  const path = `/company/options/${named.body.id}`;
  const changed = await client.call('masterdata', 'PUT', path, { ...named.body, fiscalYearEndMonth: 6 });
  expect(changed).toMatchObject({ status: 200, body: { fiscalYearEndMonth: 6 } });
  expect((await name(client, '3')).status).toBe(403);
  expect((await name(admin, '3')).status).toBe(201);
  expect((await post(client, account(bank.chartCode, '1.7'))).status).toBe(403);
});

test('an administrator gives a chart to the installation, and then administrators alone change it', async () => {
  const own = await createBank(admin);
  const client = await clientOf('exdona', own);
  expect((await change(client, own.chartCode, { installation: true })).body).toMatchObject({ code: 'ADMIN_ONLY' });
  expect((await change(client, own.chartCode, { owner: tenant.company })).body).toMatchObject({ code: 'ADMIN_ONLY' });
  expect((await change(admin, own.chartCode, { installation: true, owner: own.company })).status).toBe(400);
  const given = await change(admin, own.chartCode, { installation: true });
  expect(given.body).toMatchObject({ owner: null, installation: true });
  expect((await post(client, account(own.chartCode, '1.5'))).status).toBe(403);
  expect((await post(admin, account(own.chartCode, '1.5'))).status).toBe(201);
  expect((await change(admin, own.chartCode, { owner: own.company })).body).toMatchObject({ installation: false });
  expect((await post(client, account(own.chartCode, '1.6'))).status).toBe(201);
});

describe('a new chart', () => {
  test('is its creator’s until options name it', async () => {
    expect((await post(user, account('DAUSUARIA', '1'))).status).toBe(201);
    expect((await post(owner, account('DAUSUARIA', '2'))).body.code).toBe('CHART_DENIED');
    const options = { company: bank.company, branch: '9', chartCode: 'DAUSUARIA', baseYearMonth: '01/2026' };
    await admin.post('masterdata', '/branch', { company: bank.company, branch: '9', name: 'Nove' });
    expect((await owner.post('masterdata', '/company/options', options)).body.code).toBe('CHART_DENIED');
    expect((await admin.post('masterdata', '/company/options', options)).status).toBe(201);
    expect((await chartOf(owner, 'DAUSUARIA')).body).toMatchObject({ owner: bank.company });
    expect((await post(user, account('DAUSUARIA', '3'))).status).toBe(403);
    expect((await post(owner, account('DAUSUARIA', '3'))).status).toBe(201);
  });

  test('whose code reads like another’s is rejected', async () => {
    expect((await post(owner, account('CONTAS01', '1'))).status).toBe(201);
    for (const code of ['contas01', 'CONTASO1', 'CONTASOl', 'CÔNTAS 01', 'ＣＯＮＴＡＳＯ１']) {
      expect((await post(user, account(code, '1'))).body).toMatchObject({ status: 400, code: 'CHART_LOOKS_ALIKE' });
    }
  });
});

describe('a copy', () => {
  const copy = (client: Client, body: object) => client.post('masterdata', '/chartOfAccounts/copy', body);

  test('has all accounts with tree, codes and flags, and is the company’s own', async () => {
    const made = await copy(user, { from: bank.chartCode, to: 'COPIA', company: tenant.company });
    expect(made).toMatchObject({ status: 201, body: { chartCode: 'COPIA', accounts: bank.accounts.size } });
    const listed = async (chart: string) =>
      (await user.get('masterdata', `/chartOfAccounts/detail/?chart=${chart}`)).body.map(
        ({ id, parentId, chartCode, createdAt, updatedAt, hasEntries, ...rest }: Record<string, unknown>) => rest,
      );
    expect(await listed('COPIA')).toEqual(await listed(bank.chartCode));
    expect((await chartOf(user, 'COPIA')).body).toMatchObject({ owner: tenant.company, changeable: true });
    expect((await post(user, account('COPIA', '1.2.1'))).body.code).toBe('CONFIRMATION_REQUIRED');
    expect((await post(user, account('COPIA', '1.3'))).body).toMatchObject({ level: 2 });
  });

  test('is rejected of a chart not seen, to a code that is taken, and by who has not the whole company', async () => {
    expect((await copy(user, { from: bank.chartCode, to: bank.chartCode, company: tenant.company })).status).toBe(400);
    expect((await copy(user, { from: 'NADA', to: 'C2', company: tenant.company })).status).toBe(404);
    expect((await copy(user, { from: bank.chartCode, to: 'C2', company: bank.company })).status).toBe(403);
    const foreign = await createBank(admin);
    expect((await copy(user, { from: foreign.chartCode, to: 'C2', company: tenant.company })).status).toBe(404);
    const branchUser = await clientOf('copista', tenant, tenant.branch);
    expect((await copy(branchUser, { from: bank.chartCode, to: 'C2', company: tenant.company })).status).toBe(403);
  });
});

test('code, class, nature, type and parent of an account in books stay', async () => {
  const books = await createBank(admin);
  const client = await clientOf('contadora', books);
  await openMonth(admin, books, '01/2026');
  await postByHand(admin, books, book`05/01 1.1.1 D 10,00 3.1`);
  const id = books.accounts.get('1.1.1')!;
  const before = await read(id);
  for (const [field, value] of [
    ['cdAccounting', '1.1.7'],
    ['accountClass', '02'],
    ['nature', 'C'],
    ['accountType', 'S'],
    ['parentId', books.accounts.get('2.1')],
  ] as const) {
    const refused = await put(client, id, { ...before, [field]: value });
    expect([field, refused.body.status, refused.body.code]).toEqual([field, 400, 'ACCOUNT_IN_BOOKS']);
    expect(refused.body.errors.map((each: { field: string }) => each.field)).toContain(field);
  }
  const above = await read(books.accounts.get('1')!);
  for (const change of [{ accountClass: '02' }, { nature: 'C' }]) {
    expect((await put(client, above.id, { ...above, ...change })).body.code).toBe('ACCOUNT_IN_BOOKS');
  }
  // A level between would give it another parent.
  const far = await post(client, { ...account(books.chartCode, '1.9.1'), parentId: above.id });
  books.accounts.set('1.9.1', far.body.id);
  await postByHand(admin, books, book`05/01 1.9.1 D 10,00 3.1`);
  const level = { ...account(books.chartCode, '1.9'), accountType: 'S' };
  expect((await post(client, level)).body).toMatchObject({ status: 400, code: 'ACCOUNT_IN_BOOKS' });
  expect(await read(far.body.id)).toMatchObject({ parentId: above.id });
  expect(await read(id)).toEqual(before);
  const renamed = await put(client, id, { ...before, description: 'Caixa geral', active: false });
  expect(renamed.body).toMatchObject({ description: 'Caixa geral', active: false });
  const unused = await read(books.accounts.get('1.2')!);
  expect((await put(client, unused.id, { ...unused, nature: 'C' })).status).toBe(200);
});
