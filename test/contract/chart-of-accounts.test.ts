import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SQL } from '../../src/platform/database/statement.ts';
import { createAccounts, createBank, PLAIN_CHART } from '../support/banks.ts';
import { book, post as postBook } from '../support/books.ts';
import { openMonth } from '../support/months.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform();
  admin = platform.admin;
});
afterAll(() => platform?.stop());

let charts = 0;
const freshChart = () => `T${++charts}`;

function body(chartCode: string, cdAccounting: string, more: Record<string, unknown> = {}) {
  const description = `Conta ${cdAccounting}`;
  return { chartCode, cdAccounting, description, accountType: 'A', nature: 'D', accountClass: '01', ...more };
}
const synthetic = { accountType: 'S' };
const post = (given: object, confirmed = false, client = admin) =>
  client.post('masterdata', `/chartOfAccounts${confirmed ? '?confirmed=true' : ''}`, given);
const list = async (chart: string) => (await admin.get('masterdata', `/chartOfAccounts/detail/?chart=${chart}`)).body;
const codes = (accounts: { cdAccounting: string }[]) => accounts.map((each) => each.cdAccounting);

describe('an account', () => {
  test('is created, read, listed, changed and deleted', async () => {
    const chart = freshChart();
    const root = await post(body(chart, '1', synthetic));
    expect(root.status).toBe(201);
    expect(root.body).toMatchObject({ level: 1, parentId: null, cdReduced: '1', rectifying: false, active: true });
    const leaf = await post(
      body(chart, '1.10', { cdReduced: '700', startDate: '2026-01-01', estbanCode: '111', nature: 'M' }),
    );
    expect(leaf.body).toMatchObject({ level: 2, parentId: root.body.id, cdReduced: '700', startDate: '2026-01-01' });
    await post(body(chart, '1.2'));
    expect((await admin.get('masterdata', `/chartOfAccounts/${leaf.body.id}`)).body).toEqual(leaf.body);
    const plain = (await admin.get('masterdata', `/chartOfAccounts/?chart=${chart}`)).body;
    expect(codes(plain)).toEqual(['1', '1.2', '1.10']);
    expect(plain[1].cdReduced).toBe('701');
    expect(await list(chart)).toMatchObject([
      { cdAccounting: '1', childrenCount: 2, hasEntries: false, parentCdAccounting: null },
      { cdAccounting: '1.2', childrenCount: 0, parentCdAccounting: '1' },
      { cdAccounting: '1.10', childrenCount: 0, parentCdAccounting: '1' },
    ]);
    const put = await admin.call('masterdata', 'PUT', `/chartOfAccounts/${leaf.body.id}`, {
      ...(await list(chart))[2],
      description: 'Outra',
      active: false,
    });
    expect(put.body).toMatchObject({ id: leaf.body.id, description: 'Outra', active: false, cdReduced: '700' });
    const refused = await admin.call('masterdata', 'DELETE', `/chartOfAccounts/${root.body.id}`);
    expect(refused.body).toMatchObject({
      status: 400,
      code: 'IN_USE',
      detail: expect.stringContaining('child accounts'),
    });
    expect((await admin.call('masterdata', 'DELETE', `/chartOfAccounts/${leaf.body.id}`)).status).toBe(200);
    expect((await admin.get('masterdata', `/chartOfAccounts/${leaf.body.id}`)).status).toBe(404);
  });

  test.each([
    ['unknown field', { conta: '1' }, 'conta'],
    ['missing field', { description: undefined }, 'description'],
    ['wrong type', { rectifying: 'não' }, 'rectifying'],
    ['account type', { accountType: 'X' }, 'accountType'],
    ['class', { accountClass: '06' }, 'accountClass'],
    ['nature', { nature: 'C/D' }, 'nature'],
    ['code', { cdAccounting: '1..2' }, 'cdAccounting'],
    ['code with letters', { cdAccounting: '1.A' }, 'cdAccounting'],
    ['long code', { cdAccounting: `${'1.'.repeat(20)}1` }, 'cdAccounting'],
    ['parent', { parentId: 2 ** 53 }, 'parentId'],
    ['uuid', { accountRef_uuid: 'x' }, 'accountRef_uuid'],
    ['validity', { startDate: '2026-02-01', endDate: '2026-01-31' }, 'endDate'],
    ['no such day', { startDate: '2026-02-30' }, 'startDate'],
  ])('%s: 400 naming the field, nothing stored', async (_name, more, field) => {
    const chart = freshChart();
    const answer = await post(body(chart, '1', more), true);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((each: { field: string }) => each.field)).toContain(field);
    expect(await list(chart)).toEqual([]);
  });

  test('names a reference account that exists', async () => {
    const accountRef_uuid = '00000000-0000-4000-8000-000000000000';
    const answer = await post(body(freshChart(), '1', { accountRef_uuid }));
    expect(answer.body).toMatchObject({ status: 404, errors: [{ field: 'accountRef_uuid' }] });
  });

  test('has a code, a place in the tree and a reduced code of its own', async () => {
    const chart = freshChart();
    await post(body(chart, '1', { cdReduced: 'R1' }));
    const same = await post(body(chart, '1'));
    expect(same.body).toMatchObject({ status: 400, code: 'DUPLICATE', errors: [{ field: 'cdAccounting' }] });
    const samePlace = await post(body(chart, '1.0'), true);
    expect(samePlace.body).toMatchObject({ status: 400, code: 'DUPLICATE' });
    const reduced = await post(body(chart, '2', { cdReduced: 'R1' }));
    expect(reduced.body).toMatchObject({ status: 400, code: 'DUPLICATE', errors: [{ field: 'cdReduced' }] });
    expect(await list(chart)).toHaveLength(1);
  });

  test('posted twice at once: one 201, one 400, and of many siblings at once none is lost', async () => {
    const chart = freshChart();
    const twice = await Promise.all([post(body(chart, '1', synthetic)), post(body(chart, '1', synthetic))]);
    expect(twice.map((each) => each.status).sort()).toEqual([201, 400]);
    const many = await Promise.all(Array.from({ length: 20 }, (_, at) => post(body(chart, `1.${at + 1}.1`), true)));
    expect(many.map((each) => each.status)).toEqual(Array(20).fill(201));
    const accounts = await list(chart);
    expect(accounts).toHaveLength(41);
    expect(new Set(accounts.map((each: { cdReduced: string }) => each.cdReduced)).size).toBe(41);
    // All of them find the same levels missing.
    const other = freshChart();
    await post(body(other, '9'));
    const same = await Promise.all(Array.from({ length: 20 }, (_, at) => post(body(other, `1.1.${at + 1}`), true)));
    expect(same.map((each) => each.status)).toEqual(Array(20).fill(201));
    expect(await list(other)).toHaveLength(23);
  });
});

describe('confirmation', () => {
  test('creates missing levels in one go', async () => {
    const chart = freshChart();
    const asked = await post(body(chart, '1.1.10'));
    expect(asked.body).toMatchObject({
      status: 400,
      code: 'CONFIRMATION_REQUIRED',
      detail: expect.stringContaining('levels 1, 1.1'),
    });
    expect(await list(chart)).toEqual([]);
    const made = await post(body(chart, '1.1.10', { nature: 'C', accountClass: '02' }), true);
    expect(made.status).toBe(201);
    expect(await list(chart)).toMatchObject([
      { cdAccounting: '1', accountType: 'S', level: 1, childrenCount: 1, nature: 'C', accountClass: '02' },
      { cdAccounting: '1.1', accountType: 'S', level: 2, parentCdAccounting: '1' },
      { cdAccounting: '1.1.10', accountType: 'A', level: 3, parentCdAccounting: '1.1' },
    ]);
  });

  test('creates regulatory levels with their check digits, and keeps a wrong digit', async () => {
    const chart = freshChart();
    const code = '1.1.1.10.00.00-8';
    const asked = await post(body(chart, code));
    expect(asked.body.detail).toContain('1.0.0.00.00.00-9, 1.1.0.00.00.00-2, 1.1.1.00.00.00-9');
    expect((await post(body(chart, code), true)).body).toMatchObject({ cdAccounting: code, level: 4 });
    const own = await post(body(chart, '1.1.1.10.00.00-001'), true);
    expect(own.body).toMatchObject({ level: 5 });
    const wrong = await post(body(chart, '1.1.1.20.00.00-0'));
    expect(wrong.body).toMatchObject({ status: 400, code: 'CONFIRMATION_REQUIRED' });
    expect(wrong.body.detail).toContain('check digit');
    expect((await post(body(chart, '1.1.1.20.00.00-0'), true)).body.cdAccounting).toBe('1.1.1.20.00.00-0');
    expect(await list(chart)).toMatchObject([
      { cdAccounting: '1.0.0.00.00.00-9', parentCdAccounting: null },
      { cdAccounting: '1.1.0.00.00.00-2', parentCdAccounting: '1.0.0.00.00.00-9' },
      { cdAccounting: '1.1.1.00.00.00-9', parentCdAccounting: '1.1.0.00.00.00-2' },
      { cdAccounting: code, accountType: 'S', parentCdAccounting: '1.1.1.00.00.00-9' },
      { cdAccounting: '1.1.1.10.00.00-001', accountType: 'A', parentCdAccounting: code },
      { cdAccounting: '1.1.1.20.00.00-0', parentCdAccounting: '1.1.1.00.00.00-9' },
    ]);
  });

  test('an inner zero is no level, and a level made later takes in what was below its place', async () => {
    const chart = freshChart();
    await post(body(chart, '3.0.0.00.00.00-1', synthetic), true);
    const deep = await post(body(chart, '3.0.1.00.00.00-0', synthetic), true);
    expect((await list(chart))[1]).toMatchObject({
      cdAccounting: '3.0.1.00.00.00-0',
      parentCdAccounting: '3.0.0.00.00.00-1',
    });
    expect(deep.status).toBe(201);
    const plain = freshChart();
    const root = await post(body(plain, '1', synthetic));
    const far = await post(body(plain, '1.1.1.1', { parentId: root.body.id }));
    expect(far.body).toMatchObject({ parentId: root.body.id, level: 4 });
    const between = await post(body(plain, '1.1', synthetic));
    expect((await admin.get('masterdata', `/chartOfAccounts/${far.body.id}`)).body.parentId).toBe(between.body.id);
    const leaf = await post(body(plain, '1.1.1'));
    expect(leaf.body).toMatchObject({ status: 400, code: 'ACCOUNT_HAS_CHILDREN' });
  });

  test('turns an analytic parent synthetic, unless it has entries or a base balance', async () => {
    const bank = await createBank(admin);
    await openMonth(admin, bank, '01/2026');
    const asked = await post(body(bank.chartCode, '1.2.1'));
    expect(asked.body).toMatchObject({ code: 'CONFIRMATION_REQUIRED', detail: expect.stringContaining('1.2') });
    expect((await post(body(bank.chartCode, '1.2.1'), true)).status).toBe(201);
    const [turned] = (await list(bank.chartCode)).filter(
      (each: { cdAccounting: string }) => each.cdAccounting === '1.2',
    );
    expect(turned).toMatchObject({ accountType: 'S', childrenCount: 1 });
    await postBook(admin, bank, book`05/01  1.1.1  D  1,00  3.1`);
    const refused = await post(body(bank.chartCode, '1.1.1.1'), true);
    expect(refused.body).toMatchObject({ status: 400, code: 'PARENT_HAS_ENTRIES' });
    await admin.call('masterdata', 'PUT', `/baseBalance/${bank.company}/${bank.branch}`, [
      { cdAccounting: '1.1.2', balance: 5, dc: 'D' },
      { cdAccounting: '2.1.1', balance: 5, dc: 'C' },
    ]);
    expect((await post(body(bank.chartCode, '1.1.2.1'), true)).body).toMatchObject({ status: 400, code: 'IN_USE' });
    const details = new Map(
      (await list(bank.chartCode)).map((each: { cdAccounting: string }) => [each.cdAccounting, each]),
    );
    expect(details.get('1.1.1')).toMatchObject({ hasEntries: true, accountType: 'A' });
    expect(details.get('1.1.2')).toMatchObject({ hasEntries: false });
    const used = await admin.call('masterdata', 'DELETE', `/chartOfAccounts/${bank.accounts.get('1.1.1')}`);
    expect(used.body).toMatchObject({ status: 400, code: 'IN_USE', detail: expect.stringContaining('entries') });
    const based = await admin.call('masterdata', 'DELETE', `/chartOfAccounts/${bank.accounts.get('1.1.2')}`);
    expect(based.body).toMatchObject({ status: 400, code: 'IN_USE', detail: expect.stringContaining('base balances') });
  });
});

describe('a change', () => {
  test('never makes a cycle, an analytic parent, or an analytic account with children', async () => {
    const chart = freshChart();
    const ids = await createAccounts(admin, chart, PLAIN_CHART);
    const read = async (code: string) => (await admin.get('masterdata', `/chartOfAccounts/${ids.get(code)}`)).body;
    const put = async (code: string, more: object) =>
      admin.call('masterdata', 'PUT', `/chartOfAccounts/${ids.get(code)}`, { ...(await read(code)), ...more });
    expect((await put('1', { parentId: ids.get('1.1') })).body).toMatchObject({ status: 400, code: 'ACCOUNT_CYCLE' });
    expect((await put('1', { parentId: ids.get('1') })).body).toMatchObject({ status: 400, code: 'ACCOUNT_CYCLE' });
    const takesEntries = await put('1.1.1', { parentId: ids.get('1.1.2') });
    expect(takesEntries.body).toMatchObject({ status: 400, code: 'PARENT_NOT_SYNTHETIC' });
    expect((await put('1.1', { accountType: 'A' })).body).toMatchObject({ status: 400, code: 'ACCOUNT_HAS_CHILDREN' });
    expect((await put('1.1', { cdAccounting: '1.3' })).body).toMatchObject({ status: 400, code: 'IN_USE' });
    expect((await put('1.1.1', { cdAccounting: '1.1.2' })).body).toMatchObject({ status: 400, code: 'DUPLICATE' });
    expect((await put('1.1.1', { chartCode: 'OUTRO' })).body).toMatchObject({ status: 400 });
    expect((await put('1.1.1', { id: 1_000_000 })).body).toMatchObject({ status: 400, code: 'ID_MISMATCH' });
    expect((await put('1.1.1', { parentId: 9_007_199_254_740_991 })).status).toBe(404);
  });

  test('moves an account with everything below it', async () => {
    const chart = freshChart();
    const ids = await createAccounts(admin, chart, PLAIN_CHART);
    const read = (await admin.get('masterdata', `/chartOfAccounts/${ids.get('1.1')}`)).body;
    const moved = await admin.call('masterdata', 'PUT', `/chartOfAccounts/${ids.get('1.1')}`, {
      ...read,
      parentId: ids.get('2'),
    });
    expect(moved.body).toMatchObject({ parentId: ids.get('2') });
    const rows = await platform.program.database
      .under({ companies: '*', wholeCompanies: [], branches: [] })
      .rows<{ ancestors: number[] }>(
        SQL`SELECT account.ancestors FROM account WHERE account.id = ANY (${[ids.get('1.1')!, ids.get('1.1.1')!]}::bigint[]) ORDER BY account.id`,
      );
    expect(rows.map((row) => row.ancestors)).toEqual([[ids.get('2')], [ids.get('2'), ids.get('1.1')]]);
    const renamed = await admin.call('masterdata', 'PUT', `/chartOfAccounts/${ids.get('1.2')}`, {
      ...(await admin.get('masterdata', `/chartOfAccounts/${ids.get('1.2')}`)).body,
      cdAccounting: '2.1.7',
      parentId: null,
    });
    expect(renamed.body).toMatchObject({ cdAccounting: '2.1.7', parentId: ids.get('2.1'), level: 3 });
  });
});

describe('the chart of a branch', () => {
  test('is listed whole and counted', async () => {
    const bank = await createBank(admin);
    const place = `${bank.company}/${bank.branch}`;
    const { body: all } = await admin.get('masterdata', `/chartOfAccounts/getallcoa/${place}`);
    expect(codes(all)).toEqual(PLAIN_CHART.map((each) => each.code));
    expect((await admin.get('masterdata', `/chartOfAccounts/getNrChildren/${place}`)).body).toBe(14);
    expect((await admin.get('masterdata', `/chartOfAccounts/getNrChildren/${place}?account=1.1`)).body).toBe(2);
    expect((await admin.get('masterdata', `/chartOfAccounts/getNrChildren/${place}?account=1.9`)).status).toBe(404);
    const bare = { company: bank.company, branch: 'NUA' };
    await admin.post('masterdata', '/branch', { ...bare, name: 'Sem opções' });
    const unset = await admin.get('masterdata', `/chartOfAccounts/getallcoa/${bare.company}/${bare.branch}`);
    expect(unset.body).toMatchObject({ status: 400, code: 'CHART_NOT_CONFIGURED' });
  });

  test('is of the mask in the options', async () => {
    const bank = await createBank(admin, { accounts: [], options: { accountMask: '9.9.99' } });
    expect((await post(body(bank.chartCode, '1', synthetic))).status).toBe(201);
    expect((await post(body(bank.chartCode, '1.1', synthetic))).status).toBe(201);
    expect((await post(body(bank.chartCode, '1.1.01'))).status).toBe(201);
    for (const code of ['1.1.1', '1.10', '1.1.01.1', '1.0.0.00.00.00-9']) {
      const answer = await post(body(bank.chartCode, code), true);
      expect(answer.body).toMatchObject({ status: 400, code: 'ACCOUNT_BREAKS_MASK' });
    }
  });

  test('with a wider regulatory mask is read by that mask', async () => {
    const bank = await createBank(admin, { accounts: [], options: { accountMask: '9.9.9.99.99.99.99-D' } });
    const made = await post(body(bank.chartCode, '1.1.0.00.00.00.00-0', synthetic), true);
    expect(made.body).toMatchObject({ level: 2 });
    expect(await list(bank.chartCode)).toHaveLength(2);
  });
});

describe('visibility', () => {
  test('a chart is seen by who sees a branch of it, by its creator and by admins', async () => {
    const bank = await createBank(admin);
    const other = await createBank(admin);
    const { username, password } = await createUser(admin, {
      username: 'caio',
      permissions: [{ company: bank.company }],
    });
    const caio = await platform.as(username, password);
    const seen = async () =>
      new Set(
        (await caio.get('masterdata', '/chartOfAccounts/')).body.map((each: { chartCode: string }) => each.chartCode),
      );
    expect(await seen()).toEqual(new Set([bank.chartCode]));
    const foreign = other.accounts.get('1.1.1');
    expect((await caio.get('masterdata', `/chartOfAccounts/${foreign}`)).status).toBe(404);
    expect((await caio.call('masterdata', 'DELETE', `/chartOfAccounts/${foreign}`)).status).toBe(404);
    expect((await post(body(other.chartCode, '9'), false, caio)).body).toMatchObject({
      status: 403,
      code: 'CHART_DENIED',
    });
    expect((await post(body('DOCAIO', '1'), false, caio)).status).toBe(201);
    expect(await seen()).toEqual(new Set([bank.chartCode, 'DOCAIO']));
    expect((await post(body(bank.chartCode, '9'), false, caio)).status).toBe(201);
  });

  test('entries of companies that the caller does not see still keep an account', async () => {
    const bank = await createBank(admin);
    const other = await createBank(admin, { chartCode: bank.chartCode, accounts: [] });
    await openMonth(admin, other, '01/2026');
    await postBook(admin, other, book`05/01  1.1.1  D  1,00  3.1`);
    const { username, password } = await createUser(admin, {
      username: 'dora',
      permissions: [{ company: bank.company }],
    });
    const dora = await platform.as(username, password);
    const refused = await dora.call('masterdata', 'DELETE', `/chartOfAccounts/${other.accounts.get('1.1.1')}`);
    expect(refused.body).toMatchObject({ status: 400, code: 'IN_USE' });
    const details = (await dora.get('masterdata', '/chartOfAccounts/detail/')).body;
    expect(details.find((each: { cdAccounting: string }) => each.cdAccounting === '1.1.1').hasEntries).toBe(false);
  });
});
