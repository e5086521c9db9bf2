import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { USING_TABLES } from '../../src/features/master-data/reject-when-referenced.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { build, type Schema, type Side, tableOf } from '../support/foreign-requests.ts';
import { addRuleForAll, createFullBank, sideOf } from '../support/full-books.ts';
import { openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { inParallel, type PublishedOperation, publishedOperations } from '../support/published-operations.ts';

// Sends every JSON body that a service publishes with one thing wrong: 400 with the field at fault, and nothing stored.

let platform: Platform;
let owner: pg.Client;
let bank: Bank;
let side: Side;
let chartId: string;
let operations: PublishedOperation[];

beforeAll(async () => {
  platform = await startPlatform();
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  await addRuleForAll(platform);
  bank = await createFullBank(platform, owner, {}, 'texto', '10.00');
  side = await sideOf(owner, bank);
  // What the books of a branch do not hold.
  const { planRef_uuid } = await made('/referenceChartOfAccounts', { code: 'RF', name: 'Referencial' });
  chartId = planRef_uuid;
  await made('/referenceChartOfAccountsDetails', { ...REFERENCE_ACCOUNT, planRef_uuid });
  await made('/access', { routineId: 1, userId: 1 });
  operations = await publishedOperations(platform.admin);
}, 60_000);
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
});

async function made(path: string, body: unknown) {
  const answer = await platform.admin.post('masterdata', path, body);
  if (answer.status !== 201) throw new Error(`${path} → ${answer.status} ${answer.text}`);
  return answer.body;
}

const REFERENCE_ACCOUNT = {
  code: '1',
  description: 'Ativo',
  validFrom: '2021-01-01',
  type: 'S',
  level: 1,
  nature: '01',
};

/**
 * Rows of every table, the trail included but for rejected sign-ins and its chain, which is made every minute: what must not
 * move while everything is rejected.
 */
async function rowsStored(): Promise<Record<string, number>> {
  const { rows } = await owner.query<{ table: string; rows: number }>(`
    SELECT relname AS table, (xpath('/row/n/text()', query_to_xml(
             format('SELECT count(*) AS n FROM %I %s', relname,
                    CASE relname WHEN 'audit' THEN 'WHERE entity <> ''session''' END), false, true, '')))[1]::text::int AS rows
      FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND relname NOT IN ('signin_failure', 'idempotency_key', 'job_progress', 'audit_link', 'audit_head') ORDER BY 1`);
  return Object.fromEntries(rows.map((each) => [each.table, each.rows]));
}

const valid = (published: PublishedOperation) => requestOf(published, (table) => side.ids[table] ?? 1);

/** The request that the operation's document describes; `idOf` says which record its path names. */
function requestOf({ path, operation }: PublishedOperation, idOf: (table: string) => number) {
  const { path: filled, body } = build(path, operation, ({ kind, name, place }) => {
    if (kind !== 'id') return side[kind];
    // An access is of a user or of a group.
    if (name === 'groupId') return undefined;
    if (name === 'contrapartida') return bank.accounts.get('3.1');
    const record = path.replace(/(?<=\/\{(?:id|\w+_uuid)\}).*/, '');
    const table =
      (place === 'path' && { ...TABLE_OF, '/approvals/{id}': 'approval' }[record]) || (tableOf(name) ?? 'batch');
    return place === 'path' ? idOf(table) : (side.ids[table] ?? 1);
  });
  const written = body as Record<string, unknown> | undefined;
  return {
    path: filled.replace('/texto', `/${NO_UUID}`),
    body: written?.planRef_uuid === undefined ? written : { ...written, planRef_uuid: chartId },
  };
}

const NO_UUID = '00000000-0000-4000-8000-000000000000';
const NO_ID = 9_007_199_254_740_991;

test('a body with one thing wrong is rejected in Portuguese with the field at fault, and nothing is stored', {
  timeout: 120_000,
}, async () => {
  const before = await rowsStored();
  const findings: string[] = [];
  let sent = 0;
  for (const published of operations) {
    const { service, method, path, operation } = published;
    const schema = operation.requestBody?.content['application/json']?.schema;
    if (!schema?.properties) continue;
    const request = valid(published);
    const wrong = wrongBodies(
      schema,
      request.body ?? {},
      operation.security?.length ? 70_000 : LONG_FOR_OPEN_ROUTES,
    ).filter(({ field, how }) => !isAllowed(path, field, how));
    await inParallel(wrong, 6, async ({ how, field, body }) => {
      sent++;
      const answer = await platform.admin.call(service, method, request.path, body, { 'accept-language': 'pt-BR' });
      const { code, errors = [] } = answer.body as { code?: string; errors?: { field: string; message: string }[] };
      const isTold = errors.some((each) => each.field === field || each.field.startsWith(`${field}.`));
      const isOfOneReason = new Set(errors.map((each) => each.field)).size === errors.length;
      const isPortuguese = errors.every(({ message }) => !STRANGE_WORDS.test(message));
      if (answer.status !== 400 || !isTold || !isOfOneReason || !isPortuguese || code === undefined)
        findings.push(`${service} ${method} ${path}, ${field} ${how} → ${answer.status} ${answer.text}`);
    });
  }
  expect(findings).toEqual([]);
  expect(sent).toBeGreaterThan(1_000);
  expect(await rowsStored()).toEqual(before);
});

/** English, words of programmers, and what is said in Portugal. */
const STRANGE_WORDS =
  /\b(expected|must|have|has|is|are|not|invalid|input|received|unrecognized|too|with|string|array|number|undefined|null|NaN|Demasiado|esperava|elementos|ficheiro|campo inválido)\b/i;

/** Values of these are read by their own rules: a password is any text, a token is not looked at before its provider. */
function isAllowed(path: string, field: string, how: string): boolean {
  const isText = how.startsWith('with') || how === 'too long';
  return (
    (['/api/auth/signin', '/api/auth/mfa/enrolment'].includes(path) &&
      field === 'password' &&
      how.startsWith('with')) ||
    (path === '/api/auth/external-login' && field === 'token' && isText) ||
    (path === '/api/compliance/check' && field === 'script' && isText)
  );
}

interface WrongBody {
  readonly how: string;
  readonly field: string;
  readonly body: unknown;
}

/** More than 16 KiB is not read before somebody has signed in. */
const LONG_FOR_OPEN_ROUTES = 7_000;

function wrongBodies(schema: Schema, valid: Readonly<Record<string, unknown>>, long: number): WrongBody[] {
  const wrong: WrongBody[] = [{ how: 'unknown', field: 'nunca', body: { ...valid, nunca: 1 } }];
  for (const [field, each] of Object.entries(schema.properties ?? {})) {
    const said = (how: string, value: unknown) => wrong.push({ how, field, body: { ...valid, [field]: value } });
    const variants = each.anyOf ?? each.oneOf ?? [each];
    const types = new Set(variants.map((variant) => variant.type));
    if (types.has(undefined)) continue;
    if (schema.required?.includes(field)) {
      said('missing', undefined);
      said('null', null);
    }
    said('of a wrong type', types.has('object') ? 'texto' : { valor: [] });
    if (types.has('string')) {
      const maximum = variants.find((variant) => variant.maxLength !== undefined)?.maxLength ?? long;
      said('with NUL', 'a\u0000b');
      said('with a control character', 'a\u001bb');
      said('too long', 'á'.repeat(maximum + 1));
    }
    if (types.has('integer')) said('fractional', 1.5);
  }
  return wrong;
}

test('an id that nothing has is 404 on every operation that names one, and nothing is stored', async () => {
  const before = await rowsStored();
  const findings: string[] = [];
  const naming = operations.filter(({ service, path }) => service !== 'compliance' && /\{\w*([iI]d|uuid)\}/.test(path));
  expect(naming.length).toBeGreaterThan(60);
  await inParallel(naming, 6, async (published) => {
    const { service, method, operation } = published;
    const { path: absent, body } = requestOf(published, () => NO_ID);
    const isUpload = operation.requestBody?.content['multipart/form-data'] !== undefined;
    const answer = await platform.admin.call(service, method, absent, isUpload ? smallFile() : body);
    if (answer.status !== 404 || (answer.body as { code: string }).code !== 'NOT_FOUND')
      findings.push(`${service} ${method} ${absent} → ${answer.status} ${answer.text}`);
  });
  expect(findings).toEqual([]);
  expect(await rowsStored()).toEqual(before);
});

function smallFile(): FormData {
  const form = new FormData();
  form.set('file', new Blob(['documento;lancamento\n']), 'x.csv');
  return form;
}

test('an id in the body that differs from the path is rejected, and nothing is stored', async () => {
  const before = await rowsStored();
  const findings: string[] = [];
  const replacing = operations.filter(({ method, path }) => method === 'PUT' && /\{(id|\w+_uuid)\}$/.test(path));
  expect(replacing.map(({ path }) => path).sort()).toEqual(Object.keys(TABLE_OF).sort());
  for (const published of replacing) {
    const { service, path } = published;
    const { rows } = await owner.query(`SELECT max(id::text) AS id FROM ${TABLE_OF[path]}`);
    expect(rows[0].id, path).not.toBeNull();
    const key = /\{(\w+)\}$/.exec(path)![1]!;
    const { body } = valid(published);
    const other = key === 'id' ? NO_ID : NO_UUID;
    const item = path.replace(/\{\w+\}$/, rows[0].id);
    const answer = await platform.admin.call(service, 'PUT', item, { ...body, [key]: other });
    if (answer.status !== 400 || (answer.body as { code: string }).code !== 'ID_MISMATCH')
      findings.push(`${service} PUT ${item} → ${answer.status} ${answer.text}`);
  }
  expect(findings).toEqual([]);
  expect(await rowsStored()).toEqual(before);
});

const TABLE_OF: Readonly<Record<string, string>> = {
  '/quotaMovement/{id}': 'quota_movement',
  '/access/{id}': 'routine_access',
  '/api/admin/service-accounts/{id}': 'app_user',
  '/api/admin/users/{id}': 'app_user',
  '/branch/{id}': 'branch',
  '/chartOfAccounts/{id}': 'account',
  '/closuresettings/{id}': 'closure_settings',
  '/companies/{id}': 'company',
  '/company/options/{id}': 'company_options',
  '/entry/{id}': 'entry_line',
  '/fund/fee/{id}': 'fund_fee',
  '/fund/settings/{id}': 'fund_settings',
  '/fundType/{id}': 'fund_type',
  '/group/{id}': 'user_group',
  '/history/{id}': 'standard_narration',
  '/referenceChartOfAccounts/{planRef_uuid}': 'reference_chart',
  '/referenceChartOfAccountsDetails/{accountRef_uuid}': 'reference_account',
  '/regulatory/deliveries/{id}': 'regulatory_delivery',
  '/releasedata/{id}': 'entry_template_data',
  '/routine/{id}': 'routine',
  '/statements/{id}': 'statement',
  '/webhooks/{id}': 'webhook',
};

describe('two administrators who create the same at once', () => {
  test('one 201 and one 400; later a duplicate is 400 and stores nothing', { timeout: 60_000 }, async () => {
    const { company } = bank;
    const fresh = await createBank(platform.admin, { chartCode: 'JUNTO' });
    await made('/branch', { company, branch: 'OPC', name: 'Sem opções' });
    const { id: routineId } = await made('/routine', { code: 'DE_DOIS', name: 'De dois' });
    const account = (chartCode: string, cdAccounting: string, more: object = {}) => ({
      ...{ chartCode, cdAccounting, description: 'x', accountType: 'A', nature: 'D', accountClass: '01' },
      ...more,
    });
    const of = { company: fresh.company, branch: fresh.branch };
    const id = (code: string) => fresh.accounts.get(code);
    const lines = [
      {
        sequence: 1,
        debcre: 'D',
        contaId: id('1.1.1'),
        contrapartida: id('3.1'),
        valueType: 'FIXO',
        valor: 1,
      },
    ];
    const families: [string, object, string, 'authentication'?][] = [
      ['/company', { company: 'JUNTA', name: 'x', cnpj: '11222333000181', zipCode: '01001000' }, 'company'],
      ['/branch', { company, branch: 'JUNTA', name: 'x' }, 'branch'],
      ['/chartOfAccounts', account('JUNTO', '1.1.9'), 'cdAccounting'],
      ['/chartOfAccounts', account('NOVO_DE_DOIS', '1'), 'cdAccounting'],
      ['/company/options', { company, branch: 'OPC', chartCode: 'JUNTO', baseYearMonth: '01/2026' }, 'branch'],
      ['/history', { cdHistory: 'JUNTO', description: 'x' }, 'cdHistory'],
      ['/group', { code: 'JUNTO', name: 'x' }, 'code'],
      ['/group', { name: 'Juntos' }, 'name'],
      ['/fundType', { code: 'JUNTOS', description: 'x', regulatoryPlan: 'COFI' }, 'code'],
      ['/fund/settings', { ...of, fundTypeId: 1, cnpj: '11222333000181', name: 'x' }, 'branch'],
      ['/routine', { code: 'JUNTOS', name: 'x' }, 'code'],
      ['/access', { routineId, userId: 1 }, 'routineId'],
      ['/referenceChartOfAccounts', { code: 'JUNTOS', name: 'x' }, 'code'],
      ['/referenceChartOfAccountsDetails', { ...REFERENCE_ACCOUNT, code: '2', planRef_uuid: chartId }, 'code'],
      [`/release/${fresh.company}/${fresh.branch}`, { code: 'J', description: 'x', lines }, 'code'],
      [
        '/closuresettings',
        {
          ...of,
          closingMonths: [12],
          revenueGroups: ['7'],
          expenseGroups: ['8'],
          creditResultAccountId: id('3.3'),
          debitResultAccountId: id('3.3'),
          profitAccountId: id('3.2'),
          lossAccountId: id('3.2'),
        },
        'branch',
      ],
      ['/api/admin/users', { username: 'juntos', password: 'senha de teste 1' }, 'username', 'authentication'],
    ];
    for (const [path, body, field, service = 'masterdata'] of families) {
      const post = () => platform.admin.post(service, path, body);
      const answers = await Promise.all([post(), post()]);
      expect(answers.map(({ status }) => status).sort(), `${path} ${answers[0]!.text}`).toEqual([201, 400]);
      const before = await rowsStored();
      for (const again of [answers.find(({ status }) => status === 400)!, await post()]) {
        expect(again, path).toMatchObject({ status: 400, body: { code: 'DUPLICATE', errors: [{ field }] } });
      }
      expect(await rowsStored(), path).toEqual(before);
    }
  });

  test('what is created or replaced is there once, and neither fails', async () => {
    const of = await createBank(platform.admin);
    await openMonth(platform.admin, of, '01/2026');
    const { company, branch } = of;
    const tenant = `${company}/${branch}`;
    const quota = { company, branch, netEquityAccountId: of.accounts.get('3.1'), numberOfQuotas: 10 };
    const two = async (path: string, body: unknown) =>
      (await Promise.all([1, 2].map(() => platform.admin.post('masterdata', path, body)))).map(({ status }) => status);
    expect(await two('/quotacalculation/', quota)).toEqual([201, 201]);
    // A day of a month that is not open is no row yet, one of an open month is.
    expect(await two(`/calendar/${tenant}`, { date: '2026-03-02', holidayName: 'Dia de dois' })).toEqual([201, 201]);
    expect(await two(`/calendar/${tenant}`, { date: '2026-01-05', status: 'F' })).toEqual([201, 201]);
    expect((await two(`/monthOpening/${tenant}`, { newyearmonth: '02/2026' })).sort()).toEqual([201, 400]);
    const count = async (text: string) => (await owner.query(text, [of.companyId])).rows[0].count;
    expect(await count('SELECT count(*)::int FROM quota_configuration WHERE company_id = $1')).toBe(1);
    expect(await count(`SELECT count(*)::int FROM calendar_day WHERE company_id = $1 AND day = '2026-03-02'`)).toBe(1);
  });
});

describe('what is in use', () => {
  test('is not removed, and nothing else is: 400 saying by what', async () => {
    const one = async (table: string, of = 'true') => {
      const { rows } = await owner.query(`SELECT max(id::text) AS id FROM ${table} WHERE ${of}`);
      expect(rows[0].id, table).not.toBeNull();
      return rows[0].id;
    };
    const ofBank = `company_id = ${bank.companyId} AND branch_id = ${bank.branchId}`;
    const used: [string, string][] = [
      [`/companies/${bank.companyId}`, ''],
      [`/branch/${bank.branchId}`, ''],
      [`/chartOfAccounts/${bank.accounts.get('1')}`, 'child accounts'],
      [`/chartOfAccounts/${bank.accounts.get('1.1.1')}`, 'entries'],
      [`/company/options/${await one('company_options', ofBank)}`, 'opened months'],
      [`/fundType/${await one('fund_type', 'id IN (SELECT fund_type_id FROM fund_settings)')}`, 'fund settings'],
      ['/routine/1', 'accesses'],
      [`/group/${await one('user_group', 'id IN (SELECT group_id FROM group_member)')}`, 'members'],
      [`/referenceChartOfAccounts/${chartId}`, 'reference accounts'],
      [
        `/release/${await one('entry_template', `${ofBank} AND code NOT IN (SELECT template_code FROM fund_fee)`)}`,
        'release data',
      ],
    ];
    const before = await rowsStored();
    for (const [path, by] of used) {
      const answer = await platform.admin.call('masterdata', 'DELETE', path);
      expect(answer, `${path} ${answer.text}`).toMatchObject({ status: 400, body: { code: 'IN_USE' } });
      expect(answer.body.detail, path).toContain(`in use by ${by}`);
      expect(answer.body.detail, path).not.toContain('other records');
    }
    expect(await rowsStored()).toEqual(before);
  });

  test('every table that can be against a removal has its word', async () => {
    const { rows } = await owner.query<{ table: string }>(`
      SELECT DISTINCT conrelid::regclass::text AS table
        FROM pg_constraint
       WHERE contype = 'f' AND confdeltype IN ('a', 'r')
         AND confrelid::regclass::text = ANY (
             '{company,branch,account,user_group,routine,fund_type,reference_chart,reference_account,entry_template}')`);
    const unnamed = rows.map(({ table }) => table).filter((table) => USING_TABLES[table] === undefined);
    expect(unnamed).toEqual([]);
    expect(rows.length).toBeGreaterThan(10);
  });
});
