import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { selectBranchBooks } from '../../src/features/compliance/books.read.sql.ts';
import { complianceJob } from '../../src/features/compliance/compliance-job.ts';
import { runRules } from '../../src/features/compliance/run-rules.ts';
import type { JobRow } from '../../src/features/operations/jobs/jobs.sql.ts';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { SYSTEM_SCOPE } from '../../src/platform/database/system-scope.ts';
import type { Log } from '../../src/platform/log.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { readDocument } from '../support/openapi.ts';
import { month } from '../support/period.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { leastProcessorMsUntil } from '../support/processor-time.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let admin: Client;
let bank: Bank;
let second: Bank;
const ids: Record<string, number> = {};

beforeAll(async () => {
  platform = await startPlatform();
  admin = platform.admin;
  bank = await createBank(admin, { company: 'CONF' });
  second = await createBank(admin, {
    company: 'CONF',
    branch: '0010',
    chartCode: bank.chartCode,
    accounts: [],
    existing: true,
  });
  for (const each of [bank, second]) {
    await admin.call('masterdata', 'PUT', `/baseBalance/${each.company}/${each.branch}`, [
      { cdAccounting: '1.1.1', balance: 1000, dc: 'D' },
      { cdAccounting: '3.1', balance: 1000, dc: 'C' },
    ]);
    await openMonth(admin, each, '01/2026');
    await post(
      admin,
      each,
      book`
        05/01  1.1.2  D  300,10  1.1.1
        20/01  8.1    D   50,05  1.1.1
      `,
    );
    await closeMonth(admin, each, '01/2026');
  }
  for (const list of ['cluetype', 'businesssystem', 'document']) {
    const { body } = await admin.get('compliance', `/api/compliance/${list}/list`);
    for (const { id, code } of body) ids[code] = id;
  }
}, 120_000);
afterAll(() => platform?.stop());

async function until(path: string, service: 'movements' | 'compliance') {
  for (;;) {
    const { body } = await admin.get(service, path);
    if (body.status === 'DONE' || body.status === 'ERROR') return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields) as unknown as FormData;

function ruleForm(name: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    name,
    cluetypeid: String(ids.WARNING),
    businesssystemid: String(ids.CONTABILIDADE),
    documents: JSON.stringify([ids['4010']]),
    basebegin: '2026-01',
    validitybegin: '2026-01-01',
    ...more,
  };
}

const add = (name: string, more: Record<string, string> = {}) =>
  admin.post('compliance', '/api/compliance/rule/add', form(ruleForm(name, more)));
const update = (name: string, more: Record<string, string> = {}) =>
  admin.post('compliance', '/api/compliance/rule/update', form(ruleForm(name, more)));
const run = (fields: object, query = '') => admin.post('compliance', `/api/compliance/run${query}`, fields);
const trial = (script: string, more: object = {}) =>
  admin.post('compliance', '/api/compliance/test', { script, refmonth: '2026-01', ...more });

test('a rule is added by a form, listed, replaced by its name, and keeps its versions', async () => {
  const added = await add('Caixa positivo', {
    description: 'O caixa não fica negativo',
    baseend: '2026-12',
    validityfinal: '2027-06-30',
    script: 'SE SALDO_CONTA("1.1.1") < 0 ENTAO\r\n  ERRO "Caixa negativo"\r\nFIM',
    autorun: 'true',
  });
  expect(added.status, added.text).toBe(200);
  expect(added.body).toMatchObject({
    name: 'Caixa positivo',
    cluetype: 'WARNING',
    cluetypeid: ids.WARNING,
    businesssystem: 'CONTABILIDADE',
    documents: [ids['4010']],
    basebegin: '2026-01',
    baseend: '2026-12',
    validitybegin: '2026-01-01',
    validityend: '2027-06-30',
    autorun: true,
    scriptVersion: 1,
  });
  const replaced = await update('Caixa positivo', { script: 'RETORNA 1' });
  expect(replaced.body).toMatchObject({
    id: added.body.id,
    description: null,
    baseend: null,
    validityend: null,
    autorun: false,
    script: 'RETORNA 1',
    scriptVersion: 2,
  });
  // What was read may be sent back, as JSON.
  const sentBack = await admin.post('compliance', '/api/compliance/rule/update', replaced.body);
  expect(sentBack.body).toEqual({ ...replaced.body, updatedAt: sentBack.body.updatedAt });
  const versions = await admin.get('compliance', `/api/compliance/rule/${added.body.id}/script/list`);
  expect(versions.body).toMatchObject([
    { version: 1, script: added.body.script, savedBy: 'admin' },
    { version: 2, script: 'RETORNA 1', savedBy: 'admin' },
  ]);
  const { body: list } = await admin.get('compliance', '/api/compliance/rule/list');
  expect(list.find((each: { name: string }) => each.name === 'Caixa positivo')).toEqual(sentBack.body);
  await update('Caixa positivo', { baseend: '2026-01', validityend: '2026-01-02' });
});

test('fields may come in the query string; the body wins, and other names count as the same field', async () => {
  const query = new URLSearchParams({ ...ruleForm('Da consulta'), description: 'da consulta' });
  const inQuery = await admin.post('compliance', `/api/compliance/rule/add?${query}`);
  expect(inQuery.status, inQuery.text).toBe(200);
  expect(inQuery.body).toMatchObject({ name: 'Da consulta', description: 'da consulta' });
  const both = await admin.post('compliance', `/api/compliance/rule/update?${query}`, {
    description: 'do corpo',
    documentslist: [ids['4016'], ids['4010']],
    validityfinal: '2026-03-01',
  });
  expect(both.body).toMatchObject({
    description: 'do corpo',
    documents: [ids['4010'], ids['4016']],
    validityend: '2026-03-01',
  });
  const differ = await update('Da consulta', { documentslist: JSON.stringify([ids['4016']]) });
  expect(differ).toMatchObject({ status: 400, body: { code: 'FIELDS_DIFFER' } });
  expect((await update('Da consulta', { validityend: '2026-03-01', validityfinal: '2026-03-02' })).status).toBe(400);
});

test('documents come as a JSON array, as its text, between commas, or repeated, in every part of a request', async () => {
  const [first, second] = [ids['4010']!, ids['4016']!];
  const base = ruleForm('Documentos', { baseend: '2026-01', validityend: '2026-01-02' });
  delete base.documents;
  expect((await add('Documentos', { baseend: '2026-01', validityend: '2026-01-02' })).status).toBe(200);
  const path = '/api/compliance/rule/update';
  for (const name of ['documents', 'documentslist']) {
    const asJson = await admin.post('compliance', path, { ...base, [name]: [second, first] });
    expect(asJson.body.documents, asJson.text).toEqual([first, second]);
    for (const texts of [
      [`[${second},${first}]`],
      [`${first},${second}`],
      [`${second} , ${first}`],
      [`${first}`, `${second}`],
    ]) {
      const fields = new URLSearchParams(base);
      for (const text of texts) fields.append(name, text);
      const asForm = await admin.post('compliance', path, fields as unknown as FormData);
      const inQuery = await admin.post('compliance', `${path}?${fields}`);
      expect([texts, asForm.body.documents, inQuery.body.documents]).toEqual([texts, [first, second], [first, second]]);
    }
  }
  for (const text of [`${first},`, ',', `${first},,${second}`, '1.5', '0', '-1', '[1']) {
    expect([text, (await update('Documentos', { documents: text })).status]).toEqual([text, 400]);
  }
});

test('bad rules are rejected', async () => {
  expect((await add('Caixa positivo')).body).toMatchObject({ status: 400, code: 'DUPLICATE' });
  expect((await update('Nunca existiu')).body).toMatchObject({ status: 400, code: 'RULE_UNKNOWN' });
  expect((await admin.get('compliance', '/api/compliance/rule/999/script/list')).status).toBe(404);
  expect((await add('x', { cluetypeid: '999' })).status).toBe(404);
  expect((await add('x', { businesssystemid: '999' })).status).toBe(404);
  expect((await add('x', { documents: '[999]' })).status).toBe(404);
  for (const bad of [
    { cluetypeid: 'um' },
    { documents: '[]' },
    { documents: '{"a":1}' },
    { documents: '' },
    { basebegin: '2026-13' },
    { basebegin: '01/2026' },
    { baseend: '2025-12' },
    { validitybegin: '2026-02-30' },
    { validityend: '2025-12-31' },
    { autorun: 'talvez' },
    { name: '' },
    { name: 'a\0b' },
    { outro: 'campo' },
  ] as Record<string, string>[]) {
    const answer = await add('Ruim', bad);
    expect([bad, answer.status]).toEqual([bad, 400]);
  }
  expect((await add('Ruim', { documents: '1;2' })).text).toContain('must be a JSON array of ids, such as [1,2]');
  const missing = await admin.post('compliance', '/api/compliance/rule/add');
  expect(missing.status).toBe(400);
  expect(missing.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
    'basebegin',
    'businesssystemid',
    'cluetypeid',
    'documents',
    'name',
    'validitybegin',
  ]);
});

test('bad scripts are rejected with every place at fault', async () => {
  const answer = await add('Ruim', { script: 'a = \nb = FOO(1)\nERRO "sem fim' });
  expect(answer.body).toMatchObject({ status: 400, code: 'SCRIPT_ERROR' });
  expect(answer.body.errors.length).toBeGreaterThanOrEqual(3);
  expect(answer.body.errors[0].message).toMatch(/^Line 1, column/);
  const deep = `${'('.repeat(10_000)}1${')'.repeat(10_000)}`;
  const nested = `${'SE VERDADEIRO ENTAO\n'.repeat(65)}${'FIM\n'.repeat(65)}`;
  const scripts = [`RETORNA ${'1'.repeat(64 * 1024 - 7)}`, deep, nested, 'ERRO "', 'a\0', '# \0', '1 2 3'];
  for (const script of scripts) {
    const refuse = async () => {
      expect((await add('Ruim', { script })).status).toBe(400);
      expect((await trial(script)).status).toBe(400);
    };
    expect(await leastProcessorMsUntil(refuse, 1_000)).toBeLessThan(1_000);
  }
  expect((await trial('1 '.repeat(5_000_000))).status).toBe(413);
});

test('a script is tried over the branch named, or the first one that is ready', async () => {
  const answer = await trial('RETORNA SALDO_CONTA("1.1.1")');
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toMatchObject({
    branchid: bank.branchId,
    company: 'CONF',
    branch: '0001',
    refmonth: '2026-01',
    status: 'PASSED',
    value: 649.85,
    messages: [],
    failure: null,
    reads: [{ account: '1.1.1', month: '2026-01', kind: 'ACCUMULATED', day: null, balance: 649.85 }],
  });
  expect(typeof answer.body.durationMs).toBe('number');
  expect((await trial('RETORNA 1', { branchid: second.branchId })).body.branchid).toBe(second.branchId);
  expect((await trial('RETORNA 1', { companyid: second.companyId })).body.branchid).toBe(bank.branchId);
  const days = await trial(
    'RETORNA SALDO_DIA("1.1.1", 4) * 1000000 + SALDO_DIA("1.1.1", 5) * 1000 + SALDO_DIA("1*", 31)',
  );
  expect(days.body.value).toBe(1000 * 1_000_000 + 699.9 * 1000 + 949.95);
  expect((await trial('RETORNA VARIACAO_SALDO("1.1.1")')).body).toMatchObject({ value: -350.15 });
  expect((await trial('n = 1\nRETORNA SALDO_CONTA("1*", n)')).body).toMatchObject({ value: 1000 });
  const computed = 'parte = "1.1"\nRETORNA SALDO_CONTA("{parte}.1") * 1000 + SALDO_DIA("{parte}.2", 31)';
  expect((await trial(computed)).body.value).toBe(649.85 * 1000 + 300.1);
  expect((await trial('RETORNA SALDO_CONTA("1*", 2)')).body).toMatchObject({
    status: 'BROKEN',
    failure: { code: 'BEFORE_BASE_MONTH', line: 1 },
  });
  expect((await trial('RETORNA 123456789012345678901234567890.12')).text).toContain(
    '"value":123456789012345678901234567890.12',
  );
  expect((await trial('RETORNA "olá {1/3}"')).body.value).toBe('olá 0,3333333333');
  expect((await trial('RETORNA VERDADEIRO')).body.value).toBe(true);
  expect((await trial('ERRO "um"\nRETORNA 1 / 0')).body).toMatchObject({
    status: 'FAILED',
    messages: [{ text: 'um', line: 1, column: 1 }],
    failure: { code: 'DIVISION_BY_ZERO', message: 'Division by zero', line: 2 },
  });
  const reads = Array.from({ length: 1_001 }, () => 'SALDO_CONTA("1")').join('+\n'.trim());
  expect((await trial(`RETORNA ${reads}`)).body).toMatchObject({ failure: { code: 'TOO_MANY_READS' } });
  for (const name of ['__proto__', 'constructor', 'toString']) {
    expect((await trial(`RETORNA SALDO_CONTA("${name}")`)).body.failure.code).toBe('ACCOUNT_NOT_FOUND');
    expect((await trial(`RETORNA ${name}`)).status).toBe(400);
  }
  expect((await trial('RETORNA 1', { refmonth: '2026-02' })).body).toMatchObject({ status: 400 });
  expect((await trial('RETORNA 1', { refmonth: '2026-2' })).status).toBe(400);
  expect((await trial('')).status).toBe(400);
  expect((await trial('RETORNA 1', { branchid: 999_999 })).status).toBe(404);
  expect((await trial('RETORNA 1', { branchid: bank.branchId, companyid: bank.companyId })).status).toBe(400);
});

test('a run keeps a process that explains itself and is compared with the one before it', async () => {
  await add('Sempre igual', { script: 'ERRO "constante"' });
  await add('Muda', { script: 'caixa = SALDO_CONTA("1.1.1")\nERRO "primeiro {caixa}"\nRETORNA caixa' });
  await add('Quebra', { script: 'RETORNA 1 / 0' });
  await add('Sem script');
  await add('De outro documento', { documents: JSON.stringify([ids['4016']]), script: 'ERRO "não"' });
  await add('De outra época', { basebegin: '2026-02', script: 'ERRO "não"' });
  await add('De base acabada', { basebegin: '2025-01', baseend: '2025-12', script: 'ERRO "não"' });
  await add('Já não vale', { validitybegin: '2025-01-01', validityend: '2025-12-31', script: 'ERRO "não"' });

  const first = await run({ refmonth: '2026-01', branchid: bank.branchId, documentcode: '4010' });
  expect(first.status, first.text).toBe(200);
  expect(first.body).toHaveLength(1);
  const [process] = first.body;
  expect(process).toMatchObject({ document: '4010', branchid: bank.branchId, refdate: '2026-01' });
  const byRule = Object.fromEntries(process.results.map((each: { rule: string }) => [each.rule, each]));
  expect(byRule).not.toHaveProperty('De outro documento');
  expect(byRule).not.toHaveProperty('De outra época');
  expect(byRule).not.toHaveProperty('De base acabada');
  expect(byRule).not.toHaveProperty('Já não vale');
  expect(byRule.Muda).toMatchObject({
    status: 'FAILED',
    cluetype: 'WARNING',
    businesssystem: 'CONTABILIDADE',
    value: 649.85,
    messages: [{ text: 'primeiro 649,85', line: 2, column: 1 }],
    reads: [{ account: '1.1.1', month: '2026-01', balance: 649.85 }],
    scriptVersion: 1,
  });
  expect(byRule.Quebra).toMatchObject({ status: 'BROKEN', failure: { code: 'DIVISION_BY_ZERO' } });
  expect(byRule['Sem script']).toMatchObject({ status: 'SKIPPED', scriptVersion: 0 });

  await update('Muda', { script: 'ERRO "segundo"' });
  const again = await admin.post(
    'compliance',
    '/api/compliance/run',
    form({ refmonth: '2026-01', branchid: String(bank.branchId), documentid: String(ids['4010']) }),
  );
  const { body: detail } = await admin.get(
    'compliance',
    `/api/compliance/process/result/get/${again.body[0].processid}`,
  );
  expect(detail).toMatchObject({ document: '4010', branch: '0001', branchid: bank.branchId, refdate: '2026-01' });
  expect(detail.date).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(detail.results).toEqual(again.body[0].results);
  const said = (findings: { message: string }[]) => findings.map(({ message }) => message).sort();
  expect(detail.previous.processid).toBe(process.processid);
  expect(said(detail.previous.new)).toEqual(['segundo']);
  expect(said(detail.previous.gone)).toEqual(['primeiro 649,85']);
  expect(said(detail.previous.unchanged)).toEqual(['Division by zero', 'constante']);
  const old = await admin.get('compliance', `/api/compliance/process/result/get/${process.processid}`);
  expect(old.body).toMatchObject({ previous: null, results: process.results });
});

/** From the first to the last branch that the company can have. */
const wholeCompany = () => ({ companyid: bank.companyId, branchfrom: '0', branchto: 'ZZZZ' });

test('a company is run between two branches, at once or in the background', async () => {
  const both = await run({ refmonth: '2026-01', ...wholeCompany(), documentcode: '4010' });
  expect(both.body.map((each: { branchid: number }) => each.branchid)).toEqual([bank.branchId, second.branchId]);
  const range = { companyid: bank.companyId, branchfrom: '2', branchto: '0010', documentcode: '4010' };
  const one = await run({ refmonth: '2026-01', ...range });
  expect(one.body.map((each: { branchid: number }) => each.branchid)).toEqual([second.branchId]);
  const job = await run({ refmonth: '2026-01', ...wholeCompany(), documentcode: '4010' }, '?async=true');
  expect(job.body).toMatchObject({ refdate: '2026-01' });
  const done = await until(`/api/compliance/run/${job.body.jobid}`, 'compliance');
  expect(done).toMatchObject({ status: 'DONE', percent: 100 });
  expect(done.processes).toHaveLength(2);
  expect((await admin.get('compliance', '/api/compliance/run/999999')).status).toBe(404);
});

test('a run in the background tells how far it is, branch by branch, to who asks long enough', async () => {
  const told: Record<string, unknown>[] = [];
  // A second between any two looks at it.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => 1_000 * clock.mock.calls.length);
  const { database, app } = platform.program;
  const payload = { documentId: ids['4010'], branchIds: [bank.branchId, second.branchId] };
  const job = { month: '2026-01-01', payload, requestedBy: 'teste' } as unknown as JobRow<'COMPLIANCE_RUN'>;
  const report = async (progress: Record<string, unknown>) => void told.push(progress);
  try {
    await database.transaction(SYSTEM_SCOPE, (sql) =>
      complianceJob.run(job, { database, sql, now: app.now, log: console as unknown as Log, describe: String, report }),
    );
  } finally {
    clock.mockRestore();
  }
  expect(told).toEqual([{ percent: 50 }, { percent: 100 }]);
});

test('runs that are rejected', async () => {
  const good = { refmonth: '2026-01', branchid: bank.branchId, documentcode: '4010' };
  const company = { refmonth: '2026-01', ...wholeCompany(), documentcode: '4010' };
  for (const [status, bad] of [
    [400, { ...good, companyid: bank.companyId }],
    [400, { ...good, branchfrom: '0001' }],
    [400, { ...good, branchid: undefined }],
    [400, { ...good, documentcode: undefined }],
    [400, { ...good, documentid: ids['4016'] }],
    [400, { ...good, refmonth: undefined }],
    [400, { ...good, refmonth: '01/2026' }],
    [400, { ...good, refmonth: '2026-02' }],
    [400, { ...good, refmonth: '2025-12' }],
    [400, { ...good, outro: 1 }],
    [400, { ...company, branchfrom: '0010', branchto: '0001' }],
    [404, { ...company, branchfrom: '500' }],
    [400, { ...company, branchfrom: undefined }],
    [400, { ...company, branchto: undefined }],
    [400, { ...company, branchfrom: undefined, branchto: undefined }],
    [404, { ...good, branchid: 999_999 }],
    [400, { ...good, branchid: 0 }],
    [400, { ...good, branchid: 2 ** 53 }],
    [404, { ...company, companyid: 999_999 }],
    [404, { ...good, documentcode: '4011' }],
    [404, { ...good, documentcode: undefined, documentid: 999 }],
  ] as const) {
    expect([bad, (await run(bad)).status]).toEqual([bad, status]);
  }
  expect((await admin.post('compliance', '/api/compliance/run', 'x', { 'content-type': 'text/xml' })).status).toBe(415);
});

test('lists show the latest process of each branch, document and month; history shows all', async () => {
  const list = async (path: string) =>
    (await admin.get('compliance', `/api/compliance/process/result/list${path}`)).body;
  const before = await list('/');
  const other = await run({ refmonth: '2026-01', branchid: bank.branchId, documentcode: '4016' });
  expect(await list('/')).toEqual([expect.objectContaining({ processid: other.body[0].processid }), ...before]);
  await run({ refmonth: '2026-01', branchid: bank.branchId, documentcode: '4016' });
  const latest = await list('/');
  expect(latest).toHaveLength(before.length + 1);
  const all = await list('/?history=true');
  expect(all.length).toBeGreaterThan(latest.length);
  expect(before.map((each: { branchid: number }) => each.branchid).sort()).toEqual([bank.branchId, second.branchId]);
  expect(latest.map((each: { document: string }) => each.document)).toEqual(['4016', '4010', '4010']);
  expect(latest[0]).toMatchObject({ document: '4016', refdate: '2026-01', datetime: expect.stringMatching(/Z$/) });
  const year = new Date().getFullYear();
  expect(await list(`?since=${year - 1}-01`)).toEqual(latest);
  expect(await list(`/${year - 1}-01`)).toEqual(latest);
  expect(await list(`/${year - 1}-12-31`)).toEqual(latest);
  expect(await list(`/${year + 2}-01`)).toEqual([]);
  expect(await list(`/${year - 1}-01?companyid=${bank.companyId}`)).toEqual(latest);
  expect(await list(`/${year - 1}-01/${bank.companyId}`)).toEqual(latest);
  expect((await list('/2026-13')).status).toBe(400);
  expect((await list('/2026-02-30')).status).toBe(400);
  expect((await list('?companyid=999999')).status).toBe(404);
  expect((await list('/2026-01/999999')).status).toBe(404);
});

test('lists keep to a branch, a month and a document', async () => {
  const list = async (query: string) =>
    (await admin.get('compliance', `/api/compliance/process/result/list/?${query}`)).body;
  const all = await list('history=true');
  const seen = (each: { branchid: number; refdate: string; documentid: number }) =>
    each.branchid === second.branchId && each.refdate === '2026-01' && each.documentid === ids['4010'];
  const place = `branchid=${second.branchId}&refmonth=2026-01&documentid=${ids['4010']}`;
  const some = await list(`history=true&${place}`);
  expect(some).toEqual(all.filter(seen));
  expect(some.length).toBeGreaterThan(1);
  expect(await list(place)).toEqual(some.slice(0, 1));
  expect(await list(`${place}&companyid=${bank.companyId}`)).toEqual(some.slice(0, 1));
  expect(await list('refmonth=2026-03')).toEqual([]);
  expect(await list('documentid=999')).toEqual([]);
  expect(await list(`branchid=${second.branchId}&companyid=${bank.companyId + 1000}`)).toEqual([]);
  for (const [query, status] of [
    ['branchid=999999', 404],
    ['branchid=0', 400],
    ['refmonth=2026-13', 400],
    ['refmonth=01/2026', 400],
    ['documentid=x', 400],
    ['documentid=1&documentid=2', 400],
  ] as const) {
    const answer = await admin.get('compliance', `/api/compliance/process/result/list/?${query}`);
    expect([query, answer.status]).toEqual([query, status]);
    const [field] = query.split('=');
    if (status === 400) expect(answer.body.errors).toMatchObject([{ field }]);
  }
});

test('a run in the background is followed until it ends', async () => {
  const job = await run({ refmonth: '2026-01', ...wholeCompany(), documentcode: '4016' }, '?async=true');
  const response = await admin.get('compliance', `/api/compliance/run/${job.body.jobid}/events`);
  const events = response.text.trim().split('\n\n');
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  for (const event of events) expect(event).toMatch(/^event: run\ndata: \{"jobid":\d+,"status":"[A-Z]+"/);
  const last = JSON.parse(events.at(-1)!.split('data: ')[1]!);
  expect(last).toEqual((await admin.get('compliance', `/api/compliance/run/${job.body.jobid}`)).body);
  expect(last).toMatchObject({ status: 'DONE', percent: 100, processes: [expect.any(Number), expect.any(Number)] });
  expect((await admin.get('compliance', '/api/compliance/run/999999/events')).status).toBe(404);
});

test('three runs, between them another script, another balance and a rule gone: each is compared with the one before', async () => {
  const document = { documents: JSON.stringify([ids['4060']]) };
  const script = 'ERRO "caixa {SALDO_CONTA("1.1.1")}"\nERRO "bancos {SALDO_CONTA("1.1.2")}"';
  await add('Muda de script', { ...document, script });
  await add('Sai depois', { ...document, script: 'ERRO "vai sair"' });
  await add('Quebra sempre', { ...document, script: 'RETORNA SALDO_CONTA("9.9.9")' });
  const processes: number[] = [];
  const runAgain = async () => {
    const { body } = await run({ refmonth: '2026-01', branchid: bank.branchId, documentcode: '4060' });
    processes.push(body[0].processid);
  };
  await runAgain();
  await update('Muda de script', { ...document, script: `${script}\nERRO "mais uma"` });
  await update('Sai depois', { ...document, script: 'ERRO "vai sair"', basebegin: '2026-02' });
  await runAgain();
  await update('Muda de script', { ...document, script: 'ERRO "bancos {SALDO_CONTA("1.1.2")}"\nRETORNA 7' });
  await runAgain();

  const details = await Promise.all(
    processes.map(async (id) => {
      const path = `/api/compliance/process/result/get/${id}`;
      return (await admin.call('compliance', 'GET', path, undefined, { 'accept-language': 'pt-BR' })).body;
    }),
  );
  const compared = details.map(({ previous }) => {
    const said = (findings: { rule: string; message: string }[]) =>
      findings.map((each) => `${each.rule}: ${each.message}`);
    return (
      previous && {
        than: previous.processid,
        new: said(previous.new),
        gone: said(previous.gone),
        unchanged: said(previous.unchanged),
      }
    );
  });
  const broken = expect.stringMatching(/^Quebra sempre: .*“9\.9\.9” não existe/);
  expect(compared).toEqual([
    null,
    {
      than: processes[0],
      new: ['Muda de script: mais uma'],
      gone: ['Sai depois: vai sair'],
      unchanged: ['Muda de script: caixa 649,85', 'Muda de script: bancos 300,10', broken],
    },
    {
      than: processes[1],
      new: [],
      gone: ['Muda de script: caixa 649,85', 'Muda de script: mais uma'],
      unchanged: ['Muda de script: bancos 300,10', broken],
    },
  ]);
  // An old result keeps the version that gave it, and everything that explains it.
  const changed = details.map(({ results }) => results.find(({ rule }: { rule: string }) => rule === 'Muda de script'));
  expect(changed.map(({ scriptVersion }) => scriptVersion)).toEqual([1, 2, 3]);
  expect(changed[2]).toEqual({
    ruleid: expect.any(Number),
    rule: 'Muda de script',
    cluetype: 'WARNING',
    businesssystem: 'CONTABILIDADE',
    scriptVersion: 3,
    status: 'FAILED',
    value: 7,
    messages: [{ text: 'bancos 300,10', line: 1, column: 1 }],
    failure: null,
    reads: [{ account: '1.1.2', month: '2026-01', kind: 'ACCUMULATED', day: null, balance: 300.1 }],
    durationMs: expect.any(Number),
  });
  expect(changed[2].durationMs).toBeGreaterThan(0);
  const failure = details[0].results.find(({ rule }: { rule: string }) => rule === 'Quebra sempre').failure;
  expect(failure).toEqual({
    code: 'ACCOUNT_NOT_FOUND',
    message: expect.stringContaining('9.9.9'),
    line: 1,
    column: 21,
  });
});

test('companies and branches are listed, companies by a part of their name too', async () => {
  const get = (path: string) => admin.get('compliance', `/api/compliance/${path}`);
  expect((await get('company/list')).body).toContainEqual(
    expect.objectContaining({ company: 'CONF', name: 'Banco CONF' }),
  );
  expect((await get('company/list/co%20c%C3%B4nf')).body).toHaveLength(1);
  expect((await get('company/list/nada')).body).toEqual([]);
  expect((await get('company/list/Ba')).status).toBe(400);
  expect((await get('branch/list')).body).toHaveLength(2);
  expect((await get(`branch/list/${bank.companyId}`)).body[0]).toMatchObject({
    id: bank.branchId,
    companyid: bank.companyId,
    branch: '0001',
  });
  expect((await get('branch/list/999999')).status).toBe(404);
});

test('users keep to their tenants and routines', async () => {
  const other = await createBank(admin, { company: 'OUTRA' });
  await createUser(admin, { username: 'alheio', permissions: [{ company: other.company }] });
  await createUser(admin, { username: 'filial', permissions: [{ company: 'CONF', branch: '0010' }] });
  const stranger = await platform.as('alheio', 'uma senha bem comprida');
  const clerk = await platform.as('filial', 'uma senha bem comprida');
  const of = { refmonth: '2026-01', documentcode: '4010' };
  const post = (client: Client, body: object) => client.post('compliance', '/api/compliance/run', body);
  expect((await post(stranger, { ...of, branchid: bank.branchId })).status).toBe(404);
  expect((await post(stranger, { ...of, ...wholeCompany() })).status).toBe(404);
  expect((await post(clerk, { ...of, branchid: bank.branchId })).status).toBe(404);
  const range = { ...of, companyid: bank.companyId, branchfrom: '0001', branchto: '0010' };
  expect((await post(clerk, range)).body).toMatchObject({ status: 403, code: 'TENANT_DENIED' });
  const reached = { ...range, branchfrom: '0010' };
  expect((await post(clerk, reached)).body).toMatchObject([{ branchid: second.branchId }]);
  const visible = await clerk.get('compliance', '/api/compliance/process/result/list/');
  expect(new Set(visible.body.map((each: { branchid: number }) => each.branchid))).toEqual(new Set([second.branchId]));
  const ofBranch = `/api/compliance/process/result/list/?branchid=${second.branchId}`;
  expect((await clerk.get('compliance', ofBranch)).body).toEqual(visible.body);
  expect((await clerk.get('compliance', ofBranch.replace(/\d+$/, String(bank.branchId)))).status).toBe(404);
  expect((await stranger.get('compliance', ofBranch)).status).toBe(404);
  const { body: all } = await admin.get('compliance', '/api/compliance/process/result/list/');
  const foreign = all.find((each: { branchid: number }) => each.branchid === bank.branchId).processid;
  expect((await clerk.get('compliance', `/api/compliance/process/result/get/${foreign}`)).status).toBe(404);
  expect((await stranger.get('compliance', '/api/compliance/process/result/list/')).body).toEqual([]);
  expect((await stranger.get('compliance', `/api/compliance/branch/list/${bank.companyId}`)).status).toBe(404);
  const trialOf = (client: Client, more: object) =>
    client.post('compliance', '/api/compliance/test', {
      script: 'RETORNA SALDO_CONTA("1.1.1")',
      refmonth: '2026-01',
      ...more,
    });
  expect((await trialOf(stranger, {})).status).toBe(400);
  expect((await trialOf(stranger, { branchid: bank.branchId })).status).toBe(404);
  expect((await trialOf(clerk, {})).body.branchid).toBe(second.branchId);
  expect((await platform.withToken('').get('compliance', '/api/compliance/rule/list')).status).toBe(401);
});

test('who writes rules passes the routine COMPLIANCE_RULES once it has accesses', async () => {
  await withOwnerConnection(platform.ownerUrl, (owner) =>
    owner.query(`INSERT INTO routine_access (routine_id, user_id)
                 SELECT routine.id, app_user.id FROM routine, app_user
                  WHERE routine.code = 'COMPLIANCE_RULES' AND app_user.username = 'admin'`),
  );
  await createUser(admin, { username: 'leitor', permissions: [{ company: 'CONF' }] });
  const reader = await platform.as('leitor', 'uma senha bem comprida');
  for (const operation of ['add', 'update']) {
    const answer = await reader.post('compliance', `/api/compliance/rule/${operation}`, form(ruleForm('Sem script')));
    expect(answer.body).toMatchObject({ status: 403, code: 'ROUTINE_DENIED' });
  }
  expect((await reader.get('compliance', '/api/compliance/rule/list')).status).toBe(200);
  const { body: audit } = await admin.get('authentication', '/api/admin/audit?entity=compliance_rule');
  expect(JSON.stringify(audit)).toContain('compliance_rule');
});

test('rules that run on their own run after each consolidation', async () => {
  await add('Automática', { script: 'RETORNA SALDO_CONTA("1.1.1")', autorun: 'true', basebegin: '2026-02' });
  await openMonth(admin, second, '02/2026');
  await post(admin, second, book`10/02 1.1.1 D 0,15 7.1`);
  await closeMonth(admin, second, '02/2026');
  const mine = async () =>
    (await admin.get('compliance', '/api/compliance/process/result/list/')).body.filter(
      (each: { refdate: string }) => each.refdate === '2026-02',
    );
  await expect
    .poll(mine, { timeout: 10_000 })
    .toMatchObject([{ branchid: second.branchId, document: '4010', passed: 1 }]);
  const [{ processid }] = await mine();
  const { body } = await admin.get('compliance', `/api/compliance/process/result/get/${processid}`);
  expect(body.results).toMatchObject([{ rule: 'Automática', value: 650 }]);
});

test('a branch whose month was reopened since it was chosen is left out', async () => {
  await openMonth(admin, bank, '02/2026');
  const document = { id: ids['4010']!, code: '4010', name: 'Balancete' };
  const execution = { month: month('2026-02'), executedAt: new Date(), executedBy: 'teste' };
  const branchIds = await platform.program.database.transaction(SYSTEM_SCOPE, async (sql) => {
    const chosen = await selectBranchBooks(sql, { branchIds: [bank.branchId, second.branchId] });
    expect(chosen).toHaveLength(2);
    const run: number[] = [];
    for await (const processes of runRules(sql, chosen, [{ document, rules: [] }], execution)) {
      run.push(...processes.map(({ branchId }) => branchId));
    }
    return run;
  });
  expect(branchIds).toEqual([second.branchId]);
});

test('the language speaks for itself', async () => {
  const check = (script: string) => admin.post('compliance', '/api/compliance/check', { script });
  expect((await check('se 1 < 2 entao erro "a" fim')).body).toEqual({
    valid: true,
    diagnostics: [],
    formatted: 'SE 1 < 2 ENTAO\n  ERRO "a"\nFIM\n',
  });
  expect((await check('a = FOO(')).body).toMatchObject({ valid: false, formatted: null });
  const portuguese = await admin.post('compliance', '/api/compliance/check', form({ script: 'RETORNA FOO()' }), {
    'accept-language': 'pt-BR',
  });
  expect(portuguese.body.diagnostics[0]).toMatchObject({ code: 'UNKNOWN_FUNCTION', line: 1, column: 9 });
  expect(portuguese.body.diagnostics[0].message).toContain('Função desconhecida');
  const { body } = await admin.get('compliance', '/api/compliance/language');
  expect(body.functions.map(({ name }: { name: string }) => name)).toContain('SALDO_CONTA');
  expect(body.keywords.length).toBeGreaterThan(5);
});

test('the service describes itself', async () => {
  const open = platform.withToken('');
  expect((await open.get('compliance', '/health')).body).toEqual({
    status: 'UP',
    service: 'compliance',
    version: '0.7.07.202608112',
    database: 'UP',
    rules: expect.any(Number),
    time: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  const { body: info } = await open.get('compliance', '/actuator/info');
  expect(info.app).toMatchObject({ service: 'compliance', version: '0.7.07.202608112' });
  const { body } = await open.get('compliance', '/v3/api-docs');
  expect(body).toMatchObject({ openapi: '3.0.3', info: { version: '0.7.07.202608112' } });
  for (const alias of ['/openapi.json', '/swagger.json']) {
    expect((await open.get('compliance', alias)).body).toEqual(body);
  }
  expect((await open.get('compliance', '/v3/api-docs.yaml')).text).toContain('version: 0.7.07.202608112');
  expect((await open.get('compliance', '/docs/')).status).toBe(200);
  const { paths } = await readDocument<typeof body>(platform.admin, 'compliance');
  const runBody = paths['/api/compliance/run'].post.requestBody.content;
  expect(Object.keys(runBody)).toEqual(['application/x-www-form-urlencoded', 'application/json']);
  expect(Object.keys(runBody['application/json'].schema.properties ?? {})).toContain('refmonth');
});
