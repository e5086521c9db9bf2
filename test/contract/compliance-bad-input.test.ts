import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AccountFixture, type Bank, createBank } from '../support/banks.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { leastProcessorMsUntil } from '../support/processor-time.ts';
import { createUser } from '../support/users.ts';

// Scripts and requests that mean harm, each over HTTP: rejected when compiling or a failure of that rule when running,
// within 100 ms of processor for client and service together, and the service works as before.

const MILLISECONDS_ALLOWED = 100;

let platform: Platform;
let admin: Client;
let bank: Bank;
const SHARED_CHART: readonly AccountFixture[] = [
  { code: '1', description: 'Ativo', type: 'S', nature: 'D', accountClass: '01' },
  { code: '1.1', description: 'Caixa', type: 'A', nature: 'D', accountClass: '01' },
  { code: '4', description: 'Depósitos', type: 'A', nature: 'C', accountClass: '02' },
];

beforeAll(async () => {
  platform = await startPlatform();
  admin = platform.admin;
  bank = await consolidatedBank('MEU', '1.1', 100, SHARED_CHART);
}, 60_000);
afterAll(() => platform?.stop());

async function consolidatedBank(company: string, cash: string, balance: number, accounts: readonly AccountFixture[]) {
  const made = await createBank(admin, { company, accounts, chartCode: 'COMUM' });
  const balances = [
    { cdAccounting: cash, balance, dc: 'D' },
    { cdAccounting: '4', balance, dc: 'C' },
  ];
  await admin.call('masterdata', 'PUT', `/baseBalance/${made.company}/${made.branch}`, balances);
  await openMonth(admin, made, '01/2026');
  await closeMonth(admin, made, '01/2026');
  return made;
}

const rule = (name: string, script: string) => ({
  name,
  cluetypeid: 1,
  businesssystemid: 1,
  documents: [1],
  basebegin: '2026-01',
  validitybegin: '2026-01-01',
  script,
});
const check = (script: string) => admin.post('compliance', '/api/compliance/check', { script });
const add = (name: string, script: string) => admin.post('compliance', '/api/compliance/rule/add', rule(name, script));
const trial = (script: string, more: object = {}, client = admin) =>
  client.post('compliance', '/api/compliance/test', { script, refmonth: '2026-01', branchid: bank.branchId, ...more });

async function expectQuick(work: () => Promise<unknown>): Promise<void> {
  expect(await leastProcessorMsUntil(work, MILLISECONDS_ALLOWED)).toBeLessThan(MILLISECONDS_ALLOWED);
}

async function expectUnharmed() {
  expect((await trial('RETORNA SALDO_CONTA("1")')).body).toMatchObject({ status: 'PASSED', value: 100 });
  expect((await admin.get('compliance', '/actuator/health')).status).toBe(200);
  expect((await admin.get('masterdata', '/usercompanies')).status).toBe(200);
}

describe('scripts that do not compile', () => {
  const deep = (open: string, close: string, depth: number) => `RETORNA ${open.repeat(depth)}1${close.repeat(depth)}`;
  const hostile: readonly [string, script: string, ...codes: string[]][] = [
    ['64 KiB + 1', `#${'x'.repeat(64 * 1024)}`, 'SOURCE_TOO_LARGE'],
    ['SE nested 65 deep', `${'SE 1 = 1 ENTAO\n'.repeat(65)}${'FIM\n'.repeat(65)}`, 'BLOCK_TOO_DEEP'],
    ['parentheses 65 deep', deep('(', ')', 65), 'EXPRESSION_TOO_DEEP'],
    ['parentheses 10,000 deep', deep('(', ')', 10_000), 'EXPRESSION_TOO_DEEP'],
    ['calls 5,000 deep', deep('ABS(', ')', 5_000), 'EXPRESSION_TOO_DEEP'],
    ['insertions 10,000 deep', deep('"{', '}"', 10_000), 'EXPRESSION_TOO_DEEP'],
    ['900 KB of digits', `RETORNA ${'9'.repeat(900_000)}`, 'SOURCE_TOO_LARGE'],
    ['900 KB of numbers', `RETORNA ${'1+'.repeat(450_000)}1`, 'SOURCE_TOO_LARGE'],
    ['60 KB of digits', `RETORNA ${'9'.repeat(60_000)}`, 'NUMBER_TOO_LONG'],
    ['60 KB of numbers', '1 '.repeat(30_000), 'UNEXPECTED'],
    ['unterminated text', 'ERRO "sem fim', 'UNTERMINATED_TEXT'],
    ['60 KB of quotes', 'a="{'.repeat(15_000), 'UNTERMINATED_TEXT'],
    ['60 KB of quotes of another kind', "'“".repeat(15_000), 'INVALID_CHARACTER'],
    ['60 KB of misspelt words', 'EROO IFF THENN '.repeat(4_000), 'UNEXPECTED'],
    [
      '60 KB of names nobody assigned',
      Array.from({ length: 6_000 }, (_, i) => `ERRO n${i}`).join('\n'),
      'NAME_NEVER_ASSIGNED',
    ],
    ['60 KB of unknown functions', 'a=SALDO_CONT(1)\n'.repeat(4_000), 'UNKNOWN_FUNCTION'],
    ['NUL', 'RETORNA 1 \0', 'INVALID_CHARACTER'],
    ['NUL in a text', 'RETORNA "\0"', 'INVALID_CHARACTER'],
    ['half a character', 'RETORNA "\ud83d"', 'INVALID_CHARACTER'],
    ['__proto__ as a function', 'RETORNA __proto__(1)', 'UNKNOWN_FUNCTION'],
    ['constructor as a function', 'RETORNA constructor(1)', 'UNKNOWN_FUNCTION'],
    ['toString as a function', 'RETORNA toString()', 'UNKNOWN_FUNCTION'],
    ['__proto__ as a name', 'RETORNA __proto__', 'NAME_NEVER_ASSIGNED'],
    ['constructor as a name', 'RETORNA constructor', 'NAME_NEVER_ASSIGNED'],
    ['toString as a name', 'RETORNA "{toString}"', 'NAME_NEVER_ASSIGNED'],
  ];

  test.each(hostile)('%s', async (_, script, ...codes) => {
    const { status, body } = await check(script);
    expect({ status, valid: body.valid }).toEqual({ status: 200, valid: false });
    expect(body.diagnostics.map(({ code }: { code: string }) => code)).toEqual(expect.arrayContaining(codes));
    for (const request of [() => trial(script), () => add('Hostil', script)]) {
      const refused = await request();
      expect(refused.status).toBe(400);
      expect(refused.text.length).toBeLessThan(100_000);
    }
    await expectQuick(() => check(script));
    await expectQuick(() => trial(script));
    await expectQuick(() => add('Hostil', script));
    await expectUnharmed();
  });

  test('10 MB of numbers do not pass the door, as JSON or as a form', async () => {
    const script = '1 '.repeat(5_000_000);
    for (const path of ['check', 'test', 'rule/add'] as const) {
      expect((await admin.post('compliance', `/api/compliance/${path}`, { script })).status).toBe(413);
      const form = new URLSearchParams({ script });
      expect((await admin.post('compliance', `/api/compliance/${path}`, form)).status).toBe(413);
    }
    await expectUnharmed();
  });
});

describe('scripts that fail when running', () => {
  const times = (count: number, text: string, between = '\n') =>
    Array.from({ length: count }, () => text).join(between);
  const failing: readonly [string, script: string, code: string][] = [
    ['division by zero', 'RETORNA 1 / (2 - 2)', 'DIVISION_BY_ZERO'],
    ['overflow', `a = ${'9'.repeat(38)}\n${times(60, 'a = a * a')}\nRETORNA a`, 'NUMBER_TOO_LARGE'],
    ['overflow behind the point', `a = 0.${'0'.repeat(30)}1\nRETORNA a * a * a`, 'NUMBER_TOO_LARGE'],
    ['1,001 balances', `RETORNA ${times(1_001, 'SALDO_CONTA("1")', '+')}`, 'TOO_MANY_READS'],
    ['an endless chain of texts', `a = "xxxxxxxxxxxxxxxx"\n${times(100, 'a = "{a}{a}"')}\nERRO a`, 'TEXT_TOO_LARGE'],
    ['texts one by one', `a = "${'x'.repeat(8_000)}"\n${times(20, 'b = "{a}"')}\nERRO b`, 'TEXT_TOO_LARGE'],
    ['30,000 terms', `RETORNA 1${'+1'.repeat(30_000)}`, 'TOO_MANY_NODES'],
    ['1,001 messages', times(1_001, 'ERRO "x"'), 'TOO_MANY_MESSAGES'],
    ['months before all books', 'RETORNA SALDO_CONTA("1", 12000)', 'BEFORE_BASE_MONTH'],
    ['__proto__ as an account', 'RETORNA SALDO_CONTA("__proto__")', 'ACCOUNT_NOT_FOUND'],
    ['constructor as an account', 'RETORNA SALDO_CONTA("constructor")', 'ACCOUNT_NOT_FOUND'],
    ['toString as a prefix', 'RETORNA SALDO_CONTA("*")', 'INVALID_ACCOUNT'],
  ];

  test.each(failing)('%s', async (_, script, code) => {
    const { status, body } = await trial(script);
    expect({ status, code: body.failure?.code }).toEqual({ status: 200, code });
    await expectQuick(() => trial(script));
    await expectUnharmed();
  });

  test('in a run each breaks alone, and the rules beside them pass', async () => {
    for (const [name, script] of failing) expect((await add(name, script)).status).toBe(200);
    expect((await add('Sadia', 'RETORNA SALDO_CONTA("1")')).status).toBe(200);
    const { status, body } = await admin.post('compliance', '/api/compliance/run', {
      refmonth: '2026-01',
      branchid: bank.branchId,
      documentid: 1,
    });
    expect(status).toBe(200);
    const results: { rule: string; status: string; failure: { code: string } | null; durationMs: number }[] =
      body[0].results;
    for (const [name, , code] of failing) {
      const result = results.find((each) => each.rule === name)!;
      expect([name, result.failure?.code]).toEqual([name, code]);
      expect(result.status).toBe(code === 'TOO_MANY_MESSAGES' ? 'FAILED' : 'BROKEN');
    }
    expect(results.find((each) => each.rule === 'Sadia')).toMatchObject({ status: 'PASSED', value: 100 });
    expect(body[0]).toMatchObject({ passed: 1, failed: 1, broken: failing.length - 1, skipped: 0 });
    await expectUnharmed();
  });

  test('__proto__, constructor and toString are names as any other', async () => {
    const script =
      '__proto__ = 1\nconstructor = 2\ntoString = 3\nRETORNA __proto__ + constructor * 10 + toString * 100';
    expect((await trial(script)).body).toMatchObject({ status: 'PASSED', value: 321 });
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect((await add(name, 'RETORNA 1')).body).toMatchObject({ name });
      const filtered = await admin.get('compliance', `/api/compliance/company/list/${name}`);
      expect(filtered).toMatchObject({ status: 200, body: [] });
    }
    const polluting = '{"script":"RETORNA 1","refmonth":"2026-01","__proto__":{"branchid":1}}';
    const json = { 'content-type': 'application/json' };
    expect((await admin.post('compliance', '/api/compliance/test', polluting, json)).status).toBe(400);
    expect((await admin.post('compliance', '/api/compliance/test', new URLSearchParams('__proto__=1'))).status).toBe(
      400,
    );
  });
});

describe('the books of others', () => {
  let other: Bank;
  let stranger: Client;

  beforeAll(async () => {
    other = await consolidatedBank('ALHEIO', '1.1', 7, []);
    await createUser(admin, { username: 'alheio', permissions: [{ company: 'ALHEIO' }] });
    stranger = await platform.as('alheio', 'uma senha bem comprida');
  });

  test('a script over a chart that two companies share sums its own branch alone', async () => {
    const script = 'RETORNA SOMA_SALDO_CONTAS("1*", "1.1") + SALDO_CONTA("1.1", 1) + SALDO_DIA("1.1", 31)';
    expect((await trial(script)).body.value).toBe(300);
    expect((await trial(script, { branchid: other.branchId })).body.value).toBe(21);
    expect((await trial(script, { branchid: other.branchId }, stranger)).body.value).toBe(21);
  });

  test('accounts of a chart that the branch does not use do not exist', async () => {
    await createBank(admin, {
      company: 'TERCEIRO',
      accounts: [{ code: '9', description: 'Segredo', type: 'A', nature: 'D', accountClass: '09' }],
    });
    expect((await trial('RETORNA SALDO_CONTA("9")')).body.failure.code).toBe('ACCOUNT_NOT_FOUND');
    expect((await trial('RETORNA SALDO_CONTA("9*")')).body.value).toBe(0);
  });

  test('branches and companies out of reach are as absent as those that do not exist', async () => {
    const absent = await trial('RETORNA 1', { branchid: 999_999 }, stranger);
    const foreign = await trial('RETORNA 1', {}, stranger);
    expect([foreign.status, foreign.body.code]).toEqual([404, absent.body.code]);
    for (const place of [{ branchid: bank.branchId }, { companyid: bank.companyId, branchfrom: '0', branchto: 'ZZ' }]) {
      const run = { refmonth: '2026-01', documentid: 1, ...place };
      expect((await stranger.post('compliance', '/api/compliance/run', run)).status).toBe(404);
    }
  });
});
