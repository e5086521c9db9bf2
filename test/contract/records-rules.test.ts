import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bank, closureSettings, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

// What the records may not do: be changed by who has no right to it, name what does not exist, disappear while in use.

let platform: Platform;
let bank: Bank;
let other: Bank;
/** Has the bank, and nothing else. */
let clerk: Client;
let clerkId: number;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  other = await createBank(platform.admin);
  const user = await createUser(platform.admin, {
    username: 'caixa',
    permissions: [{ company: bank.company }],
    routines: ['SETTINGS'],
  });
  clerkId = user.id;
  clerk = await platform.as(user.username, user.password);
});
afterAll(() => platform?.stop());

const md = (method: string, path: string, body?: unknown) => platform.admin.call('masterdata', method, path, body);
const asClerk = (method: string, path: string, body?: unknown) => clerk.call('masterdata', method, path, body);
const of = ({ company, branch }: Bank) => ({ company, branch });
const NOBODY = '00000000-0000-4000-8000-000000000000';
const fund = (owner: Bank, more: object = {}) => ({
  ...of(owner),
  fundTypeId: 1,
  cnpj: '11222333000181',
  name: 'Fundo',
  ...more,
});
const closing = (owner: Bank, more: object = {}) => ({ ...closureSettings(owner, [12]), ...more });

describe('a record of another tenant', () => {
  test.each([
    ['/fund/settings', fund],
    ['/closuresettings', closing],
  ] as const)('%s can neither be read nor changed nor removed, not even under own codes', async (path, body) => {
    const { body: foreign } = await md('POST', path, body(other));
    const item = `${path}/${foreign.id}`;
    expect((await asClerk('GET', item)).status).toBe(404);
    expect((await asClerk('PUT', item, { ...body(bank), id: foreign.id })).status).toBe(404);
    expect([403, 404]).toContain((await asClerk('PUT', item, { ...body(other), id: foreign.id })).status);
    expect((await asClerk('DELETE', item)).status).toBe(404);
    expect((await asClerk('POST', path, body(other))).status).toBe(403);
    expect((await asClerk('POST', path, { ...body(bank), branch: 'NADA' })).status).toBe(404);
    expect((await md('GET', item)).body).toEqual(foreign);
    expect((await md('DELETE', item)).status).toBe(200);
  });

  test('a history is seen by its branch alone, one without company by everybody', async () => {
    const { body: theirs } = await md('POST', '/history', { ...of(other), cdHistory: '1', description: 'Deles' });
    const { body: everybodys } = await md('POST', '/history', { cdHistory: '1', description: 'De todos' });
    const { body: ours } = await asClerk('POST', '/history', { ...of(bank), cdHistory: '1', description: 'Nosso' });
    expect((await asClerk('GET', `/history/${theirs.id}`)).status).toBe(404);
    expect((await asClerk('DELETE', `/history/${theirs.id}`)).status).toBe(404);
    expect((await asClerk('PUT', `/history/${theirs.id}`, { cdHistory: '1', description: 'Meu' })).status).toBe(404);
    expect((await asClerk('GET', `/history/${everybodys.id}`)).body).toEqual(everybodys);
    const listed = (await asClerk('GET', '/history/')).body.map((each: { id: number }) => each.id);
    expect(listed.sort()).toEqual([everybodys.id, ours.id].sort());
    const half = await md('POST', '/history', { branch: bank.branch, cdHistory: '2', description: 'x' });
    expect(half.status).toBe(400);
  });
});

test('a history of the whole company is for who has the whole of it', async () => {
  const { username, password } = await createUser(platform.admin, {
    username: 'dafilial',
    permissions: [of(bank)],
    routines: ['SETTINGS'],
  });
  const branchUser = await platform.as(username, password);
  const by = (method: string, path: string, body?: unknown) => branchUser.call('masterdata', method, path, body);
  const wide = { company: bank.company, cdHistory: 'W', description: 'Da empresa' };
  expect((await by('POST', '/history', wide)).body).toMatchObject({ status: 403, code: 'TENANT_DENIED' });
  const { body: made } = await asClerk('POST', '/history', wide);
  expect((await by('GET', `/history/${made.id}`)).status).toBe(200);
  expect((await by('PUT', `/history/${made.id}`, { ...made, description: 'Outra' })).status).toBe(403);
  expect((await by('DELETE', `/history/${made.id}`)).status).toBe(403);
  expect((await by('POST', '/history', { ...wide, branch: bank.branch })).status).toBe(201);
  expect((await asClerk('DELETE', `/history/${made.id}`)).status).toBe(200);
});

test('records are changed under the routine SETTINGS, and read without it', async () => {
  const { body: everybodys } = await md('POST', '/history', { cdHistory: 'G', description: 'De todos' });
  const { username, password } = await createUser(platform.admin, {
    username: 'leitora',
    permissions: [{ company: bank.company }],
  });
  const reader = await platform.as(username, password);
  const asReader = (method: string, path: string, body?: unknown) => reader.call('masterdata', method, path, body);
  for (const [path, body] of [
    ['/history', { cdHistory: 'Z', description: 'z' }],
    ['/fundType', { code: 'Z', description: 'z', regulatoryPlan: 'COFI' }],
    ['/referenceChartOfAccounts', { code: 'Z', name: 'z' }],
    ['/fund/settings', fund(bank)],
    ['/closuresettings', closing(bank)],
  ] as const) {
    expect((await asReader('POST', path, body)).body).toMatchObject({ status: 403, code: 'ROUTINE_DENIED' });
  }
  expect((await asReader('DELETE', `/history/${everybodys.id}`)).body.code).toBe('ROUTINE_DENIED');
  expect((await asReader('GET', `/history/${everybodys.id}`)).status).toBe(200);
  expect((await asReader('GET', '/fundType/')).status).toBe(200);
  expect((await asClerk('DELETE', `/history/${everybodys.id}`)).status).toBe(200);
});

describe('routines and accesses', () => {
  test('are changed by administrators only', async () => {
    const { body: routine } = await md('POST', '/routine', { code: 'SO_ADMIN', name: 'Só administradores' });
    for (const [method, path, body] of [
      ['POST', '/routine', { code: 'MINHA', name: 'x' }],
      ['PUT', `/routine/${routine.id}`, { code: 'MINHA', name: 'x' }],
      ['DELETE', `/routine/${routine.id}`, undefined],
      ['POST', '/access', { routineId: routine.id, userId: clerkId }],
    ] as const) {
      expect((await asClerk(method, path, body)).body).toMatchObject({ status: 403, code: 'ADMIN_ONLY' });
    }
    expect((await md('DELETE', `/routine/${routine.id}`)).status).toBe(200);
  });

  test('a routine keeps its code while it has accesses: under another one it would guard nothing', async () => {
    const { body: routine } = await md('POST', '/routine', { code: 'GUARDA', name: 'Guarda' });
    const path = `/routine/${routine.id}`;
    const { body: access } = await md('POST', '/access', { routineId: routine.id, userId: 1 });
    expect((await md('PUT', path, { ...routine, code: 'SOLTA' })).body).toMatchObject({
      status: 400,
      code: 'IN_USE',
      errors: [{ field: 'code' }],
    });
    expect((await md('PUT', path, { ...routine, name: 'Outro nome' })).body).toMatchObject({ name: 'Outro nome' });
    await md('DELETE', `/access/${access.id}`);
    expect((await md('PUT', path, { ...routine, code: 'SOLTA' })).body).toMatchObject({ code: 'SOLTA' });
  });

  test('an access is of one user or one group that exists, once', async () => {
    const { body: routine } = await md('POST', '/routine', { code: 'ACESSOS', name: 'Acessos' });
    const { body: group } = await md('POST', '/group', { name: 'Dos acessos' });
    const post = (body: object) => md('POST', '/access', { routineId: routine.id, ...body });
    expect((await post({})).status).toBe(400);
    expect((await post({ userId: 1, groupId: group.id })).status).toBe(400);
    expect([400, 404]).toContain((await post({ userId: 9_007_199_254_740_991 })).status);
    expect([400, 404]).toContain((await post({ userId: 1, routineId: 9_007_199_254_740_991 })).status);
    expect((await post({ userId: 1, validFrom: '2026-02-01', validTo: '2026-01-01' })).status).toBe(400);
    const made = await post({ groupId: group.id, validFrom: '2026-01-01' });
    expect(made).toMatchObject({ status: 201, body: { groupId: group.id, userId: null, validFrom: '2026-01-01' } });
    expect((await post({ groupId: group.id })).body).toMatchObject({ status: 400, code: 'DUPLICATE' });
    expect((await md('GET', `/access/${routine.id}`)).body).toEqual([made.body]);
    expect((await md('GET', '/access/9007199254740991')).status).toBe(404);
  });
});

describe('what is in use stays', () => {
  test('a reference chart that options name', async () => {
    const { body: chart } = await md('POST', '/referenceChartOfAccounts', { code: 'USADO', name: 'Usado' });
    const { body: options } = await md('GET', `/company/options/company/${bank.company}/${bank.branch}`);
    const put = (planRef_uuid: string | null) =>
      md('PUT', `/company/options/${options.id}`, { ...options, planRef_uuid });
    expect((await put(chart.planRef_uuid)).status).toBe(200);
    const path = `/referenceChartOfAccounts/${chart.planRef_uuid}`;
    expect((await md('DELETE', path)).body).toMatchObject({ status: 400, code: 'IN_USE' });
    expect((await put(null)).status).toBe(200);
    expect((await md('DELETE', path)).status).toBe(200);
    expect([400, 404]).toContain((await put(NOBODY)).status);
  });

  test('an account that closing settings name, and a reference account is one that exists', async () => {
    const { body: settings } = await md('POST', '/closuresettings', closing(bank));
    const account = `/chartOfAccounts/${bank.accounts.get('3.3')}`;
    expect((await md('DELETE', account)).body).toMatchObject({ status: 400, code: 'IN_USE' });
    const { body: own } = await md('GET', account);
    expect([400, 404]).toContain((await md('PUT', account, { ...own, accountRef_uuid: NOBODY })).status);
    expect((await md('DELETE', `/closuresettings/${settings.id}`)).status).toBe(200);
  });

  describe('an account that something posts to', () => {
    const use = [
      [
        'closure settings',
        '2',
        () => md('POST', '/closuresettings', closing(bank, { lossAccountId: bank.accounts.get('2.1.1') })),
        (id: number) => `/closuresettings/${id}`,
      ],
      [
        'closure settings',
        'left out of it',
        () => md('POST', '/closuresettings', closing(bank, { excludeAccounts: [bank.accounts.get('2.1.1')] })),
        (id: number) => `/closuresettings/${id}`,
      ],
      [
        'standard releases',
        'the counter account',
        () =>
          md('POST', `/release/${bank.company}/${bank.branch}`, {
            code: 'USO',
            description: 'Uso',
            lines: [
              {
                sequence: 1,
                debcre: 'D',
                contaId: bank.accounts.get('1.1.1'),
                contrapartida: bank.accounts.get('2.1.1'),
                valueType: 'FIXO',
                valor: 10,
              },
            ],
          }),
        (id: number) => `/release/${id}`,
      ],
    ] as const;
    test.each(use)(
      '%s, %s: is neither removed nor deactivated nor made a summary account',
      async (by, _how, make, item) => {
        const made = await make();
        expect(made.status, made.text).toBe(201);
        const path = `/chartOfAccounts/${bank.accounts.get('2.1.1')}`;
        const { body: own } = await md('GET', path);
        const refused = { status: 400, code: 'IN_USE', detail: expect.stringContaining(by) };
        expect((await md('DELETE', path)).body).toMatchObject(refused);
        expect((await md('PUT', path, { ...own, active: false })).body).toMatchObject(refused);
        expect((await md('PUT', path, { ...own, accountType: 'S' })).body).toMatchObject(refused);
        const child = { ...own, id: undefined, cdAccounting: '2.1.1.1', cdReduced: undefined, parentId: undefined };
        expect((await md('POST', '/chartOfAccounts?confirmed=true', child)).body).toMatchObject(refused);
        expect((await md('GET', path)).body).toEqual(own);
        expect((await md('PUT', path, { ...own, description: 'Outro nome' })).status).toBe(200);
        await md('DELETE', item(made.body.id));
        expect((await md('PUT', path, { ...own, active: false })).status).toBe(200);
        expect((await md('PUT', path, own)).status).toBe(200);
      },
    );

    test('quota configuration', async () => {
      const { company, branch } = other;
      const configuration = { company, branch, netEquityAccountId: other.accounts.get('3.1'), numberOfQuotas: 10 };
      expect((await md('POST', '/quotacalculation/', configuration)).status).toBe(201);
      const path = `/chartOfAccounts/${other.accounts.get('3.1')}`;
      const { body: own } = await md('GET', path);
      const refused = { status: 400, code: 'IN_USE', detail: expect.stringContaining('quota configuration') };
      expect((await md('DELETE', path)).body).toMatchObject(refused);
      expect((await md('PUT', path, { ...own, active: false })).body).toMatchObject(refused);
    });
  });

  test('a history that closing settings, releases, documents or entries name', async () => {
    const { body: everybodys } = await md('POST', '/history', { cdHistory: 'USO', description: 'De todos' });
    const { body: settings } = await md('POST', '/closuresettings', closing(bank, { cdhistorico: 'USO' }));
    const path = `/history/${everybodys.id}`;
    const refused = (by: string) => ({ status: 400, code: 'IN_USE', detail: expect.stringContaining(by) });
    expect((await md('DELETE', path)).body).toMatchObject(refused('closure settings'));
    expect((await md('DELETE', '/history/9007199254740991')).status).toBe(404);
    // The branch's own narration of the code is the one that is meant.
    const { body: own } = await md('POST', '/history', { ...of(bank), cdHistory: 'USO', description: 'Da filial' });
    expect((await md('DELETE', `/history/${own.id}`)).body).toMatchObject(refused('closure settings'));
    await md('DELETE', `/closuresettings/${settings.id}`);
    const [contaId, contrapartida] = ['1.1.1', '3.1'].map((code) => bank.accounts.get(code));
    const line = { sequence: 1, debcre: 'D', contaId, contrapartida, valueType: 'FIXO', valor: 1, cdhistorico: 'USO' };
    const template = { code: 'USO', description: 'Usa o histórico', lines: [line] };
    const { body: release } = await md('POST', `/release/${bank.company}/${bank.branch}`, template);
    expect((await md('DELETE', `/history/${own.id}`)).body).toMatchObject(refused('standard releases'));
    await md('DELETE', `/release/${release.id}`);
    await openMonth(platform.admin, bank, '01/2026');
    const batch = { lote: '1', empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
    const { body: lote } = await md('POST', '/batch', batch);
    const { body: document } = await md('POST', '/document', { batchId: lote.id, documento: '1', diaref: '05' });
    const entry = {
      documentId: document.id,
      debcre: 'D',
      day: '05',
      contaId: bank.accounts.get('1.1.1'),
      contrapartida: bank.accounts.get('3.1'),
      valor: 1,
      cdhistorico: 'USO',
    };
    expect((await md('POST', '/entry', entry)).status).toBe(201);
    expect((await md('DELETE', `/history/${own.id}`)).body).toMatchObject(refused('entries'));
    // Its code is what the entry keeps: the text may change, the code may not.
    expect((await md('PUT', `/history/${own.id}`, { ...own, cdHistory: 'NOVO' })).body).toMatchObject({
      ...refused('entries'),
      errors: [{ field: 'cdHistory' }],
    });
    expect((await md('PUT', `/history/${own.id}`, { ...own, description: 'Outra' })).status).toBe(200);
    expect((await md('DELETE', path)).status).toBe(200);
    await md('DELETE', `/document/${document.id}`);
    expect((await md('PUT', `/history/${own.id}`, { ...own, cdHistory: 'NOVO' })).status).toBe(200);
    expect((await md('DELETE', `/history/${own.id}`)).status).toBe(200);
  });

  test('a branch with settings', async () => {
    const { body: settings } = await md('POST', '/fund/settings', fund(other));
    const removed = await md('DELETE', `/branch/${other.branchId}`);
    expect(removed.body).toMatchObject({ status: 400, code: 'IN_USE' });
    await md('DELETE', `/fund/settings/${settings.id}`);
  });
});

test.each([
  ['fund type that does not exist', '/fund/settings', () => fund(bank, { fundTypeId: 9_007_199_254_740_991 })],
  ['fund with a fee over 100 %', '/fund/settings', () => fund(bank, { administrationFee: 101 })],
  ['fund with 13 decimals', '/fund/settings', () => fund(bank, { quotaDecimals: 13 })],
  ['fund with a day that does not exist', '/fund/settings', () => fund(bank, { startDate: '2026-02-30' })],
  ['closing without months', '/closuresettings', () => closing(bank, { closingMonths: [] })],
  ['closing with a group that is no code', '/closuresettings', () => closing(bank, { revenueGroups: ['sete'] })],
  [
    'closing with an account of another chart',
    '/closuresettings',
    () => closing(bank, { creditResultAccountId: other.accounts.get('3.3') }),
  ],
  [
    'closing with a summary account',
    '/closuresettings',
    () => closing(bank, { debitResultAccountId: bank.accounts.get('3') }),
  ],
  ['history of a side that is none', '/history', () => ({ cdHistory: 'L', description: 'x', debcre: 'X' })],
  ['history without text', '/history', () => ({ cdHistory: 'L', description: ' ' })],
  [
    'quota of an account of another chart',
    '/quotacalculation/',
    () => ({
      ...of(bank),
      netEquityAccountId: other.accounts.get('3'),
      numberOfQuotas: 1,
    }),
  ],
  ['quota without quotas', '/quotacalculation/', () => ({ ...of(bank), netEquityAccountId: bank.accounts.get('3') })],
  [
    'quota of no quotas',
    '/quotacalculation/',
    () => ({
      ...of(bank),
      netEquityAccountId: bank.accounts.get('3'),
      numberOfQuotas: 0,
    }),
  ],
] as [string, string, () => object][])('%s is rejected', async (_name, path, body) => {
  const answer = await md('POST', path, body());
  expect([400, 404], answer.text).toContain(answer.status);
  expect(answer.body.errors).not.toEqual([]);
});
