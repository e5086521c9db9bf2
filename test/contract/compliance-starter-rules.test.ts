import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { significantSegments } from '../../src/accounting/account-code.ts';
import { ensureStarterRules, loadStarterRules } from '../../src/features/compliance/load-starter-rules.ts';
import { contextOn } from '../../src/platform/context.ts';
import { SYSTEM_SCOPE } from '../../src/platform/database/system-scope.ts';
import type { Log } from '../../src/platform/log.ts';
import { type AccountFixture, type Bank, createBank } from '../support/banks.ts';
import { cosifGroupOf } from '../support/cosif-groups.ts';
import { FIRST_MASKS } from '../support/masks.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// The balances of 06/2024 that Banco do Brasil published, leaf by leaf, as base balances of that month.

interface Published {
  readonly code: string;
  readonly name: string;
  readonly balance: string;
}

const FIXTURE = new URL('../fixtures/cosif/bcb_4010_202406_banco_do_brasil.csv', import.meta.url);
const TOTALS = ['39999993', '99999995'];
let platform: Platform;
let closed: Bank;
let published: Published[];

beforeAll(async () => {
  platform = await startPlatform();
  const lines = (await readFile(FIXTURE, 'utf8')).trim().split(/\r?\n/).slice(1);
  published = lines
    .map((line) => line.split(';'))
    .map((cells) => ({ code: cells[8]!, name: cells[9]!.replace(/\p{C}+/gu, ' '), balance: cells[10]! }))
    .filter(({ code }) => !TOTALS.includes(code));
  const settings = { company: 'BB', baseYearMonth: '06/2024' };
  closed = await createBank(platform.admin, { ...settings, accounts: published.map(accountOf) });
  for (const branch of ['0002', '0003']) {
    const options = { ...settings, branch, chartCode: closed.chartCode, accounts: [], existing: true };
    await prepare(await createBank(platform.admin, options));
  }
  const account = closed.accounts.get('61800005');
  const closing = await platform.admin.post('masterdata', '/closuresettings', {
    company: closed.company,
    branch: closed.branch,
    closingMonths: [6],
    revenueGroups: ['7'],
    expenseGroups: ['8'],
    creditResultAccountId: account,
    debitResultAccountId: account,
    profitAccountId: account,
    lossAccountId: account,
  });
  expect(closing.status, closing.text).toBe(201);
  await prepare(closed);
  const added = await loadStarterRules(installer());
  expect(added.length).toBeGreaterThan(10);
  expect(await loadStarterRules(installer())).toEqual([]);
}, 240_000);
afterAll(() => platform?.stop());

const isLeaf = ({ code }: Published) =>
  !published.some(
    (each) =>
      each.code !== code &&
      isBelow(significantSegments(each.code, FIRST_MASKS), significantSegments(code, FIRST_MASKS)),
  );

function isBelow(below: string[], above: string[]): boolean {
  return above.every((segment, index) => below[index] === segment);
}

function accountOf(each: Published): AccountFixture {
  const { nature, accountClass } = cosifGroupOf(each.code)!;
  return {
    code: each.code,
    description: each.name,
    type: isLeaf(each) ? 'A' : 'S',
    nature,
    accountClass,
  };
}

/** The published balances, one debit of the assets and one credit of the memorandum accounts raised by centavos. */
async function prepare(bank: Bank, moved = 0) {
  const { admin } = platform;
  const balances = published.filter(isLeaf).map(({ code, balance }) => {
    const isDebit = '123'.includes(code[0]!) === !balance.startsWith('-');
    return { cdAccounting: code, balance: Number(balance.replace('-', '')), dc: isDebit ? 'D' : 'C' };
  });
  for (const [group, side] of [
    ['1', 'D'],
    ['9', 'C'],
  ] as const) {
    const raised = balances.find(({ cdAccounting, dc }) => cdAccounting.startsWith(group) && dc === side)!;
    raised.balance = Number((raised.balance + moved / 100).toFixed(2));
  }
  const put = await admin.call('masterdata', 'PUT', `/baseBalance/${bank.company}/${bank.branch}`, balances);
  expect(put.status, put.text.slice(0, 500)).toBe(200);
  await closeJune(bank);
}

async function closeJune(bank: Bank) {
  const { admin } = platform;
  await openMonth(admin, bank, '06/2024');
  await closeMonth(admin, bank, '06/2024');
}

function installer() {
  const { database, app } = platform.program;
  return contextOn(database, SYSTEM_SCOPE, {
    caller: { id: 0, username: 'setup', admin: true },
    wakeJobs: app.wakeJobs,
    rightsChanged: () => {},
    now: app.now,
    address: 'test',
    log: console as unknown as Log,
  });
}

const run = (fields: object) =>
  platform.admin.post('compliance', '/api/compliance/run', { refmonth: '2024-06', ...fields });

test.each(['4010', '4016'])('document %s: the starter rules hold on the published balances', async (documentcode) => {
  const { status, text, body } = await run({
    companyid: closed.companyId,
    branchfrom: '0',
    branchto: 'ZZZZ',
    documentcode,
  });
  expect(status, text).toBe(200);
  expect(body).toHaveLength(3);
  for (const { results, failed, broken, skipped } of body) {
    for (const { rule, messages, failure } of results)
      expect({ rule, messages, failure }).toEqual({ rule, messages: [], failure: null });
    expect({ failed, broken, skipped }).toEqual({ failed: 0, broken: 0, skipped: 0 });
  }
  const assets = body[0].results.find(({ rule }: { rule: string }) => rule.startsWith('Ativo igual'));
  expect(assets.value).toBe(2251931175836.13);
});

test('the closed branch has no result left, and its rules saw the closing', async () => {
  const { body } = await run({ branchid: closed.branchId, documentcode: '4016' });
  const results = body[0].results.find(({ rule }: { rule: string }) => rule.startsWith('Contas de resultado'));
  expect(results).toMatchObject({ status: 'PASSED' });
  const balances = results.reads.filter(({ kind }: { kind: string }) => kind === 'ACCUMULATED');
  expect(balances.map(({ balance }: { balance: number }) => balance)).toEqual([0, 0]);
  expect(results.value).toBeGreaterThan(0);
});

test('the days before the closing hold the balances that it took away', async () => {
  const script =
    'RETORNA "{SALDO_DIA("7*", 1) - SALDO_ANTES_ENCERRAMENTO("7*")} {SALDO_DIA("7*", 30)} {SALDO_DIA("7*", 1)}"';
  const fields = { refmonth: '2024-06', branchid: closed.branchId, script };
  const { body } = await platform.admin.post('compliance', '/api/compliance/test', fields);
  expect(body.value).toMatch(/^0,00 0,00 [1-9]/);
});

test('many rules read each branch and month once', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    const { body } = await run({
      companyid: closed.companyId,
      branchfrom: '0',
      branchto: 'ZZZZ',
      documentcode: '4010',
    });
    const texts = query.mock.calls.map(([statement]) => (statement as unknown as { text?: string }).text ?? '');
    const named = query.mock.calls.map(([statement]) => (statement as unknown as { name?: string }).name);
    expect(named.filter((name) => name === 'closed-balances-of')).toHaveLength(body.length);
    expect(named).not.toContain('closed-balances');
    const reads = texts.filter((text) => /FROM (monthly_balance|base_balance|daily_balance|entry_line)/.test(text));
    expect(body[0].results.length).toBeGreaterThan(10);
    // June, and the base balances that the variation of its first month looks at.
    expect(reads).toHaveLength(body.length * 2);
  } finally {
    query.mockRestore();
  }
});

test('a wrong balance is found', async () => {
  const broken = await createBank(platform.admin, {
    company: 'TORTO',
    baseYearMonth: '06/2024',
    chartCode: closed.chartCode,
    accounts: [],
  });
  const balances = [
    { cdAccounting: '11100009', balance: 500, dc: 'C' },
    { cdAccounting: '30500006', balance: 800, dc: 'D' },
    { cdAccounting: '61100004', balance: 300, dc: 'C' },
  ];
  await platform.admin.call('masterdata', 'PUT', `/baseBalance/${broken.company}/${broken.branch}`, balances);
  await closeJune(broken);
  const { body } = await run({ branchid: broken.branchId, documentcode: '4010' });
  const failed = body[0].results.filter(({ status }: { status: string }) => status === 'FAILED');
  expect(failed.map(({ rule }: { rule: string }) => rule)).toEqual([
    expect.stringContaining('Ativo igual'),
    expect.stringContaining('Ativo sem saldo credor: 1.1'),
    expect.stringContaining('Compensação'),
  ]);
  const said = failed.map(({ messages }: { messages: { text: string }[] }) => messages.map(({ text }) => text));
  expect(said).toEqual([
    ['Ativo (1 e 2) -500,00 difere de passivo e patrimônio líquido (4, 6, 7 e 8) 300,00 em -800,00'],
    ['1.1.1 com saldo credor -500,00'],
    ['Compensação ativa (3) 800,00 difere da passiva (9) 0,00 em 800,00'],
  ]);
});

test('one published figure moved by more than the tolerance is found, by less it is not', async () => {
  for (const [company, centavos, said] of [
    ['POUCO', 50, []],
    [
      'MUITO',
      150,
      [
        'Ativo (1 e 2) 2.251.931.175.837,63 difere de passivo e patrimônio líquido (4, 6, 7 e 8) 2.251.931.175.836,13 em 1,50',
        'Compensação',
      ],
    ],
  ] as const) {
    const moved = await createBank(platform.admin, {
      company,
      baseYearMonth: '06/2024',
      chartCode: closed.chartCode,
      accounts: [],
    });
    await prepare(moved, centavos);
    const { body } = await run({ branchid: moved.branchId, documentcode: '4010' });
    const messages = body[0].results.flatMap((each: { messages: { text: string }[] }) =>
      each.messages.map(({ text }) => text),
    );
    expect(messages).toEqual(said.map((text) => expect.stringContaining(text)));
  }
});

test('a new installation has the starter rules, which run when they are asked for', async () => {
  const fresh = await startPlatform({ STARTER_RULES: 'on' });
  try {
    const { body } = await fresh.admin.get('compliance', '/api/compliance/rule/list');
    expect(body.length).toBeGreaterThan(15);
    expect(body.filter(({ autorun }: { autorun: boolean }) => autorun)).toEqual([]);
  } finally {
    await fresh.stop();
  }
});

test('an installation with rules gets none at its next start', async () => {
  const rules = async () => (await platform.admin.get('compliance', '/api/compliance/rule/list')).body.length;
  const before = await rules();
  await ensureStarterRules(installer());
  expect(await rules()).toBe(before);
});
