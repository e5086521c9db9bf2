import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bank, createAccounts, createBank } from '../support/banks.ts';
import { bodyOf, type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

// Statements as data: which lines a statement has and which accounts stand on them, over HTTP.

let platform: Platform;
let admin: Client;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform();
  admin = platform.admin;
  bank = await createBank(admin);
});
afterAll(() => platform?.stop());

let codes = 0;
const freshCode = () => `D${++codes}`;

const create = (body: Record<string, unknown> = {}, client = admin) =>
  client.post('masterdata', '/statements', {
    chartCode: bank.chartCode,
    kind: 'BP',
    code: freshCode(),
    name: 'Balanço gerencial',
    validFrom: '2026-01-01',
    ...body,
  });

const SHEET = [
  { code: 'A', indicator: 'T', group: 'A', description: 'ATIVO' },
  line('A1', 'A', 'A', '1.1*'),
  line('A2', 'A', 'A', '1.2'),
  { code: 'P', indicator: 'T', group: 'P', description: 'PASSIVO E PATRIMÔNIO LÍQUIDO' },
  line('P1', 'P', 'P', '2*'),
  line('P2', 'P', 'P', '3*'),
];

function line(code: string, parentCode: string, group: string, ...patterns: string[]) {
  const selectors = patterns.map((pattern) => ({ pattern, exclude: false }));
  return { code, indicator: 'D', parentCode, group, description: `Linha ${code}`, selectors };
}

const put = (id: number, lines: unknown, client = admin) =>
  client.call('masterdata', 'PUT', `/statements/${id}/lines`, lines);
const get = (path: string, client = admin) => bodyOf(client.get('masterdata', path));

async function newStatement(body: Record<string, unknown> = {}): Promise<number> {
  return (await bodyOf(create(body))).id;
}

describe('a definition', () => {
  test('is created, read, changed and removed, and leaves a trail', async () => {
    const made = await create({ code: 'GER', validTo: '2026-12-31' });
    expect(made).toMatchObject({ status: 201, body: { kind: 'BP', code: 'GER', validTo: '2026-12-31' } });
    const { id } = made.body;
    expect(await get(`/statements?chart=${bank.chartCode}`)).toContainEqual(made.body);
    const changed = await admin.call('masterdata', 'PUT', `/statements/${id}`, { ...made.body, name: 'Outro' });
    expect(changed).toMatchObject({ status: 200, body: { id, name: 'Outro' } });
    expect(await get(`/statements/${id}`)).toEqual(changed.body);
    const lines = await bodyOf(put(id, SHEET));
    expect(lines[1]).toEqual({ ...SHEET[1], level: 2, note: null });
    expect(await get(`/statements/${id}/lines`)).toEqual(lines);
    expect((await admin.call('masterdata', 'DELETE', `/statements/${id}`)).status).toBe(200);
    expect((await admin.get('masterdata', `/statements/${id}`)).status).toBe(404);
    expect((await admin.get('masterdata', `/statements/${id}/lines`)).status).toBe(404);
    const trail = await bodyOf(admin.get('authentication', `/api/admin/audit?entity=statement&size=100`));
    const actions = (trail.content ?? trail)
      .filter((each: { entityId: string }) => each.entityId === String(id))
      .map((each: { action: string }) => each.action);
    expect(actions.toSorted()).toEqual(['CREATE', 'DELETE', 'UPDATE', 'UPDATE']);
  });

  test('has versions by date, which share no day', async () => {
    const code = freshCode();
    expect((await create({ code, validTo: '2026-06-30' })).status).toBe(201);
    const overlapping = await create({ code, validFrom: '2026-06-30' });
    expect(overlapping).toMatchObject({ status: 400, body: { code: 'STATEMENT_VERSIONS_OVERLAP' } });
    expect(overlapping.body.errors[0].field).toBe('validFrom');
    expect((await create({ code, validFrom: '2025-01-01' })).status).toBe(400);
    expect((await create({ code, validFrom: '2026-07-01' })).status).toBe(201);
    // Another kind is another definition.
    expect((await create({ code, kind: 'DRE' })).status).toBe(201);
  });

  test.each([
    ['an unknown kind', { kind: 'DFC' }, 400, 'kind'],
    ['an unknown chart', { chartCode: 'NENHUM' }, 404, 'chartCode'],
    ['an unknown field', { cor: 'azul' }, 400, 'cor'],
    ['a validity that ends before it begins', { validTo: '2025-12-31' }, 400, 'validTo'],
    ['a day that there is not', { validFrom: '2026-02-31' }, 400, 'validFrom'],
    ['no name', { name: ' ' }, 400, 'name'],
  ])('is rejected with %s', async (_says, body, status, field) => {
    const answer = await create(body);
    expect({ status: answer.status, field: answer.body.errors[0]?.field }).toEqual({ status, field });
  });

  test('keeps its chart and kind', async () => {
    const made = await bodyOf(create());
    const change = (body: object) => admin.call('masterdata', 'PUT', `/statements/${made.id}`, { ...made, ...body });
    expect(await change({ kind: 'DRE' })).toMatchObject({ status: 400, body: { errors: [{ field: 'kind' }] } });
    expect(await change({ chartCode: 'OUTRO' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'chartCode' }] },
    });
    expect(await change({ id: made.id + 1 })).toMatchObject({ status: 400, body: { errors: [{ field: 'id' }] } });
  });

  test('is seen by who sees the chart, and changed by who changes it', async () => {
    const id = await newStatement();
    await bodyOf(put(id, SHEET));
    const other = await createBank(admin);
    const [ofBranch, foreign, owner] = await Promise.all(
      [{ company: bank.company, branch: bank.branch }, { company: other.company }, { company: bank.company }].map(
        async (permission, at) => {
          const { username, password } = await createUser(admin, {
            username: `plano-${at}`,
            permissions: [permission],
          });
          return platform.as(username, password);
        },
      ),
    );
    expect(await get(`/statements/${id}/lines`, ofBranch)).toHaveLength(SHEET.length);
    expect(await put(id, SHEET, ofBranch)).toMatchObject({ status: 403, body: { code: 'CHART_DENIED' } });
    expect((await create({}, ofBranch)).status).toBe(403);
    expect((await foreign!.get('masterdata', `/statements/${id}`)).status).toBe(404);
    expect((await foreign!.get('masterdata', `/statements/${id}/gaps`)).status).toBe(404);
    expect((await put(id, SHEET, foreign)).status).toBe(404);
    expect((await create({}, foreign)).status).toBe(404);
    expect((await foreign!.call('masterdata', 'DELETE', `/statements/${id}`)).status).toBe(404);
    expect(await get('/statements', foreign)).toEqual([]);
    expect((await put(id, SHEET, owner)).status).toBe(200);
  });
});

describe('lines', () => {
  const otherThan = (at: number, change: object) =>
    SHEET.map((each, place) => (place === at ? { ...each, ...change } : each));

  test.each<[string, unknown, string, string | undefined]>([
    ['a code twice', [...SHEET, SHEET[5]], 'DUPLICATE', '6.code'],
    ['an orphan', otherThan(1, { parentCode: 'X' }), 'STATEMENT_LINE_ORPHAN', '1.parentCode'],
    [
      'a cycle',
      [...SHEET, { ...SHEET[0], code: 'X', parentCode: 'Y' }, { ...SHEET[0], code: 'Y', parentCode: 'X' }],
      'STATEMENT_LINE_CYCLE',
      '6.parentCode',
    ],
    [
      'three lines of level 1',
      [...SHEET, { ...SHEET[0], code: 'X' }, line('X1', 'X', 'A', '9*')],
      'STATEMENT_ROOTS',
      undefined,
    ],
    ['one line of level 1', SHEET.slice(0, 3), 'STATEMENT_ROOTS', undefined],
    ['another level than the parent makes', otherThan(1, { level: 3 }), 'INVALID_FIELD', '1.level'],
    ['a line without accounts', otherThan(1, { selectors: [] }), 'STATEMENT_LINE_WITHOUT_ACCOUNTS', '1.selectors'],
    [
      'a total of nothing',
      [...SHEET, { ...SHEET[0], code: 'X', parentCode: 'A' }],
      'STATEMENT_TOTAL_EMPTY',
      '6.indicator',
    ],
    ['a group of results', otherThan(1, { group: 'R' }), 'INVALID_FIELD', '1.group'],
    [
      'a pattern that is no code',
      otherThan(1, line('A1', 'A', 'A', 'caixa')),
      'INVALID_ACCOUNT_CODE',
      '1.selectors.0.pattern',
    ],
    [
      'an account that is not there',
      otherThan(1, line('A1', 'A', 'A', '1.7')),
      'ACCOUNT_NOT_IN_CHART',
      '1.selectors.0.pattern',
    ],
    [
      'an analytic account of another class',
      otherThan(1, line('A1', 'A', 'A', '1.1*', '2.1.1')),
      'STATEMENT_ACCOUNT_CLASS',
      '1.selectors',
    ],
    ['no lines at all', [], 'INVALID_FIELD', undefined],
  ])('are rejected with %s', async (_says, lines, code, field) => {
    const id = await newStatement();
    const { status, body } = await put(id, lines);
    expect({ status, code: body.code, field: body.errors[0]?.field }).toEqual({
      status: 400,
      code,
      field: field ?? body.errors[0]?.field,
    });
    expect(await get(`/statements/${id}/lines`)).toEqual([]);
  });

  test('that overlap are rejected, each account named with its lines', async () => {
    const id = await newStatement();
    const { status, body } = await put(id, otherThan(2, { selectors: [{ pattern: '1*' }] }));
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'STATEMENT_ACCOUNT_TWICE' });
    expect(
      body.errors.map((each: { message: string }) => /Account (\S+) .*: (.*)$/.exec(each.message)?.slice(1)),
    ).toEqual([
      ['1.1.1', 'A1, A2'],
      ['1.1.2', 'A1, A2'],
    ]);
  });

  test('replace all others at once, and a rejected list changes nothing', async () => {
    const id = await newStatement();
    const before = await bodyOf(put(id, SHEET));
    expect((await put(id, otherThan(1, { parentCode: 'X' }))).status).toBe(400);
    expect(await get(`/statements/${id}/lines`)).toEqual(before);
    const fewer = [SHEET[0], line('A1', 'A', 'A', '1*'), SHEET[3], line('P9', 'P', 'P', '2*', '3*')];
    expect((await bodyOf(put(id, fewer))).map((each: { code: string }) => each.code)).toEqual(['A', 'A1', 'P', 'P9']);
  });

  test('leave gaps, which are listed', async () => {
    const id = await newStatement();
    await bodyOf(
      put(
        id,
        SHEET.filter(({ code }) => code !== 'A2'),
      ),
    );
    expect(await get(`/statements/${id}/gaps`)).toMatchObject({ onNoLine: [{ cdAccounting: '1.2' }], onTwoLines: [] });
    await bodyOf(
      put(id, [
        ...SHEET.slice(0, 2),
        line('A2', 'A', 'A', '1.2*', '1.5*'),
        line('A3', 'A', 'A', '1.5.1*'),
        ...SHEET.slice(3),
      ]),
    );
    // An account that comes later may fit two lines.
    await createAccounts(admin, bank.chartCode, [
      { code: '1.5', description: 'Novas', type: 'S', nature: 'D', accountClass: '01' },
      { code: '1.5.1', description: 'Nova', type: 'A', nature: 'D', accountClass: '01' },
    ]);
    expect(await get(`/statements/${id}/gaps`)).toMatchObject({
      onNoLine: [],
      onTwoLines: [{ cdAccounting: '1.5.1', lines: ['A2', 'A3'] }],
    });
  });
});

describe('default statements', () => {
  test('of the COSIF hold every leaf of classes 01 to 04 but the accounts of the closing', async () => {
    const form = new FormData();
    const file = await readFile(new URL('../../src/seeds/cosif/cosif2025_accounts.csv', import.meta.url));
    form.set('file', new Blob([file]), 'cosif.csv');
    await bodyOf(admin.call('masterdata', 'POST', '/chartOfAccounts/import?chart=COSIF', form));
    const kinds = ['BP', 'DRE', 'DLPA', 'DMPL'];
    const made = await bodyOf(admin.post('masterdata', '/statements/default', { chartCode: 'COSIF', kinds }));
    expect(made.map((each: { kind: string }) => each.kind)).toEqual(kinds);
    const gaps = await Promise.all(made.map((each: { id: number }) => get(`/statements/${each.id}/gaps`)));
    expect(gaps.flatMap(({ onTwoLines }) => onTwoLines)).toEqual([]);
    expect(gaps.flatMap(({ onNoLine }) => onNoLine.map((each: { cdAccounting: string }) => each.cdAccounting))).toEqual(
      ['7.9.1.10.00.00-6', '8.9.1.10.00.00-5'],
    );
    const again = await admin.post('masterdata', '/statements/default', { chartCode: 'COSIF' });
    expect(again).toMatchObject({ status: 400, body: { code: 'STATEMENT_VERSIONS_OVERLAP' } });
  });

  test('of another chart follow the classes of its accounts', async () => {
    const other = await createBank(admin);
    const made = await bodyOf(
      admin.post('masterdata', '/statements/default', {
        chartCode: other.chartCode,
        kinds: ['BP', 'DRE', 'DMPL', 'DLPA'],
        validFrom: '2026-01-01',
      }),
    );
    const shown = await Promise.all(
      made.map(async ({ id }: { id: number }) =>
        (await get(`/statements/${id}/lines`)).map(
          (each: {
            code: string;
            level: number;
            group: string;
            description: string;
            selectors: { pattern: string }[];
          }) =>
            `${each.level} ${each.group} ${each.code} ${each.description}: ${each.selectors.map(({ pattern }) => pattern)}`,
        ),
      ),
    );
    expect(shown).toEqual([
      [
        '1 A A ATIVO: ',
        '2 A A1.1 Disponibilidades: 1.1*',
        '2 A A1.2 Aplicações: 1.2',
        '1 P P PASSIVO E PATRIMÔNIO LÍQUIDO: ',
        '2 P PE PASSIVO: ',
        '3 P P2.1 Exigível: 2.1*',
        '2 P PL PATRIMÔNIO LÍQUIDO: ',
        '3 P P3.1 Capital: 3.1',
        '3 P P3.2 Lucros ou prejuízos: 3.2',
        '3 P P3.3 Apuração do resultado: 3.3',
      ],
      [
        '1 R R RESULTADO DO PERÍODO: ',
        '2 R RR RECEITAS: ',
        '3 R R7.1 Receitas de juros: 7.1',
        '3 R R7.2 Receitas de tarifas: 7.2',
        '2 D RD DESPESAS: ',
        '3 D D8.1 Despesas de pessoal: 8.1',
        '3 D D8.2 Despesas administrativas: 8.2',
      ],
      [
        '1 P PL PATRIMÔNIO LÍQUIDO: ',
        '2 P P3.1 Capital: 3.1',
        '2 P P3.2 Lucros ou prejuízos: 3.2',
        '2 P P3.3 Apuração do resultado: 3.3',
      ],
      ['1 P LPA LUCROS OU PREJUÍZOS ACUMULADOS: ', '2 P P3.2 Lucros ou prejuízos: 3.2'],
    ]);
    for (const { id } of made) {
      expect(await get(`/statements/${id}/gaps`)).toEqual({ onNoLine: [], onTwoLines: [] });
    }
  });

  test('of a chart without accounts of a kind are not made', async () => {
    await createAccounts(admin, 'SOATIVO', [
      { code: '1', description: 'Caixa', type: 'A', nature: 'D', accountClass: '01' },
    ]);
    const ask = (kinds: string[]) => admin.post('masterdata', '/statements/default', { chartCode: 'SOATIVO', kinds });
    expect(await ask(['DRE'])).toMatchObject({ status: 400, body: { code: 'STATEMENT_NO_ACCOUNTS' } });
    expect(await ask(['BP'])).toMatchObject({ status: 400, body: { code: 'STATEMENT_ROOTS' } });
    expect(await ask(['XYZ'])).toMatchObject({ status: 400 });
    expect(await get('/statements?chart=SOATIVO')).toEqual([]);
  });
});

describe('facts of a statement of changes', () => {
  test('are kept for a branch and a year, and stand against the removal of their line', async () => {
    const own = await createBank(admin);
    const [changes, sheet] = await bodyOf(
      admin.post('masterdata', '/statements/default', { chartCode: own.chartCode, kinds: ['DMPL', 'BP'] }),
    );
    const path = (id: number, year = 2026) => `/statements/${id}/facts/${own.company}/${own.branch}/${year}`;
    const facts = [
      { mes: 6, code: 'DIV', lineCode: 'P3.2', description: 'Dividendos', amount: -100.25 },
      { mes: 6, code: 'RES', lineCode: 'P3.1', description: 'Aumento de capital', amount: 50 },
    ];
    const write = (body: unknown, id = changes.id) => admin.call('masterdata', 'PUT', path(id), body);
    expect(await bodyOf(write(facts))).toEqual(facts);
    expect(await get(path(changes.id))).toEqual(facts);
    expect(await get(path(changes.id, 2025))).toEqual([]);
    expect(await write([{ ...facts[0], lineCode: 'X' }])).toMatchObject({
      status: 404,
      body: { errors: [{ field: '0.lineCode' }] },
    });
    expect(await write([facts[0], facts[0]])).toMatchObject({ status: 400, body: { code: 'DUPLICATE' } });
    expect(await write([{ ...facts[0], mes: 13 }])).toMatchObject({ status: 400 });
    expect(await write([{ ...facts[0], amount: 1.005 }])).toMatchObject({ status: 400 });
    expect(await write(facts, sheet.id)).toMatchObject({ status: 400, body: { code: 'STATEMENT_WITHOUT_FACTS' } });
    expect((await write(facts, await newStatement({ kind: 'DMPL' }))).status).toBe(404);
    const lines = await get(`/statements/${changes.id}/lines`);
    const rest = lines.filter((each: { code: string }) => each.code !== 'P3.1');
    expect(await put(changes.id, rest)).toMatchObject({ status: 400, body: { code: 'IN_USE' } });
    expect(await admin.call('masterdata', 'DELETE', `/statements/${changes.id}`)).toMatchObject({
      status: 400,
      body: { code: 'IN_USE' },
    });
    expect(await bodyOf(write([]))).toEqual([]);
    expect((await put(changes.id, rest)).status).toBe(200);
  });
});
