import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, closureSettings, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { archiveMonth, askToCloseMonth, closeMonth, endOfMonthClose, openMonth } from '../support/months.ts';
import { bodyOf, type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let client: Client;
beforeAll(async () => {
  platform = await startPlatform();
  client = platform.admin;
});
afterAll(() => platform?.stop());

const place = ({ company, branch }: Pick<Bank, 'company' | 'branch'>) => `${company}/${branch}`;
const monthsOf = async (bank: Bank, span = 'from=2026-01&to=2026-01') =>
  (await bodyOf(client.get('queries', `/months/${place(bank)}?${span}`))).months;
const monthOf = async (bank: Bank) => (await monthsOf(bank))[0];

const runsOf = (bank: Pick<Bank, 'company' | 'branch'>, month = '2026-01') =>
  bodyOf(client.get('movements', `/consolidations/${place(bank)}?month=${month}`));

const NOTHING = {
  purged: false,
  openedAt: null,
  consolidatedAt: null,
  consolidatedBy: null,
  seal: null,
  lastRun: null,
  batches: 0,
  logicalEntries: 0,
  totalDebit: 0,
  difference: 0,
  imports: { done: 0, refused: 0 },
  compliance: [],
  reports: [],
};

const print = (bank: Bank, tipo: string, more: object, query = '') =>
  client.post('reports', `/reports/${tipo}${query}`, {
    empresa: bank.company,
    filial: bank.branch,
    visualizationEnum: 'CSV',
    ...more,
  });
const JANUARY = { ano: 2026, mes: 1 };
const printedOf = async (bank: Bank) =>
  (await monthOf(bank)).reports
    .map(({ tipo, stale }: { tipo: string; stale: boolean }) => `${tipo}${stale ? ' stale' : ''}`)
    .sort();

test('a month from not opened to closed and purged', async () => {
  const bank = await createBank(client);
  expect(await monthOf(bank)).toMatchObject({ month: '2026-01', state: 'NOT_OPENED', ...NOTHING });
  await openMonth(client, bank, '01/2026');
  await bodyOf(client.post('masterdata', '/closuresettings', closureSettings(bank, [1])));
  await post(
    client,
    bank,
    book`
      05/01  1.1.2  D  1.000,00  3.1
      20/01  8.1    D     50,00       "Folha"
                8.2    D      5,00
                1.1.2  C     55,00
    `,
  );
  expect(await monthOf(bank)).toMatchObject({
    ...NOTHING,
    state: 'OPEN',
    openedAt: expect.any(String),
    days: 31,
    closedDays: 0,
    businessDays: 21,
    closedBusinessDays: 0,
    currentDay: '2026-01-02',
    batches: 1,
    logicalEntries: 2,
    totalDebit: 1055,
    imports: { done: 1, refused: 0 },
  });
  await bodyOf(client.post('movements', `/calendar/closeday/${place(bank)}`, { day: '2026-01-02' }));
  // The first of January is a holiday.
  expect(await monthOf(bank)).toMatchObject({ closedDays: 2, closedBusinessDays: 1, currentDay: '2026-01-05' });

  await closeMonth(client, bank, '01/2026');
  const closed = await monthOf(bank);
  // Closing entries: the expenses against 3.3 and 3.3 against 3.2.
  expect(closed).toMatchObject({
    state: 'CLOSED',
    consolidatedAt: expect.any(String),
    consolidatedBy: 'admin',
    lastRun: { status: 'DONE', requestedBy: 'admin', company: bank.company, branch: bank.branch, month: '01' },
    currentDay: null,
    batches: 2,
    difference: 0,
  });
  expect(closed.logicalEntries).toBeGreaterThan(2);
  const [seal] = await bodyOf(client.get('queries', `/seals/${place(bank)}`));
  expect(closed.seal).toBe(seal.seal);
  const { body: journal } = await print(bank, 'relatorioDiarioGeral', {
    dataInicio: '2026-01-01',
    dataFim: '2026-01-31',
  });
  expect(journal.sucesso).toBe(true);
  await archiveMonth(client, bank, '01/2026');
  expect(await monthOf(bank)).toMatchObject({
    ...closed,
    purged: true,
    reports: [{ tipo: 'relatorioDiarioGeral', by: 'admin', stale: false }],
  });
});

test('what was printed of whole months, in the background and several at once, and what is older than the close', async () => {
  const bank = await createBank(client);
  await openMonth(client, bank, '01/2026');
  await bodyOf(print(bank, 'monthlyTrialBalance', JANUARY));
  // A part of the month is none of its reports.
  await bodyOf(print(bank, 'lancamentos', { dataInicio: '2026-01-01', dataFim: '2026-01-30' }));
  expect(await printedOf(bank)).toEqual(['monthlyTrialBalance stale']);
  await closeMonth(client, bank, '01/2026');
  expect(await printedOf(bank)).toEqual(['monthlyTrialBalance stale']);
  const relatorios = [
    { tipo: 'monthlyTrialBalance', parametros: JANUARY },
    { tipo: 'demonstracao', parametros: { ...JANUARY, tipo: 'BP' } },
    { tipo: 'monthlyTrialBalance', parametros: { ano: 2031, mes: 1 } },
  ];
  const place = { empresa: bank.company, filial: bank.branch };
  await client.post('reports', '/reports/combineReport', { ...place, visualizationEnum: 'CSV', relatorios });
  const { body: job } = await print(bank, 'patrimonialBalance', JANUARY, '?async=true');
  await expect.poll(async () => (await client.get('reports', `/reports/jobs/${job.id}`)).body.status).toBe('DONE');
  expect(await printedOf(bank)).toEqual(['monthlyTrialBalance', 'patrimonialBalance']);
  expect((await monthsOf(bank, 'from=2031-01&to=2031-01'))[0].reports).toEqual([]);
});

test('imports that were refused count until a file of the name is imported', async () => {
  const bank = await createBank(client);
  await openMonth(client, bank, '01/2026');
  const send = async (csv: string) => {
    const batch = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
    const { id } = await bodyOf(client.post('movements', '/batch', batch));
    const form = new FormData();
    form.set('file', new Blob([csv]), 'entradas.csv');
    await client.post('movements', `/batch/${id}/import`, form);
    return (await monthOf(bank)).imports;
  };
  const head = 'dia;documento;lancamento;debcre;conta;contrapartida;valor;historico';
  expect(await send(`${head}\n05;1;1;D;9.9.9;3.1;10,00;X`)).toEqual({ done: 0, refused: 1 });
  expect(await send(`${head}\n05;1;1;D;1.1.1;3.1;10,00;X`)).toEqual({ done: 1, refused: 0 });
});

test('rules say what they found, and whether the month was closed again since', async () => {
  const bank = await createBank(client);
  await openMonth(client, bank, '01/2026');
  await closeMonth(client, bank, '01/2026');
  const listOf = async (name: string, code: string) =>
    (await bodyOf(client.get('compliance', `/api/compliance/${name}/list`))).find(
      (each: { code: string }) => each.code === code,
    ).id as number;
  const document = await listOf('document', '4010');
  const rule = {
    cluetypeid: await listOf('cluetype', 'WARNING'),
    businesssystemid: await listOf('businesssystem', 'CONTABILIDADE'),
    documents: [document],
    basebegin: '2026-01',
    validitybegin: '2026-01-01',
  };
  const scripts = { Passa: 'RETORNA 1', Falha: 'ERRO "falha"' };
  for (const [name, script] of Object.entries(scripts)) {
    await bodyOf(client.post('compliance', '/api/compliance/rule/add', { ...rule, name, script }));
  }
  const asked = { refmonth: '2026-01', branchid: bank.branchId, documentcode: '4010' };
  await bodyOf(client.post('compliance', '/api/compliance/run', asked));
  const found = (await monthOf(bank)).compliance;
  expect(found).toMatchObject([{ document: '4010', passed: 1, failed: 1, by: 'admin', stale: false }]);
  await openMonth(client, bank, '01/2026');
  expect((await monthOf(bank)).compliance).toMatchObject([{ stale: true }]);
  await closeMonth(client, bank, '01/2026');
  expect((await monthOf(bank)).compliance).toMatchObject([{ ...found[0], stale: true }]);
});

test('all branches of a month that the caller sees, and their states over a year', async () => {
  const bank = await createBank(client);
  const second = await createBank(client, {
    company: bank.company,
    branch: '0010',
    chartCode: bank.chartCode,
    accounts: [],
    existing: true,
  });
  for (const each of [bank, second]) await openMonth(client, each, '01/2026');
  await post(client, second, book`05/01 1.1.2 D 10,00 3.1`);
  await closeMonth(client, bank, '01/2026');
  await openMonth(client, bank, '02/2026');
  const month = await bodyOf(client.get('queries', `/months/${bank.company}?month=2026-01`));
  expect(month.branches).toMatchObject([
    { branchId: bank.branchId, branch: bank.branch, state: 'CLOSED', logicalEntries: 0 },
    { branch: '0010', state: 'OPEN', logicalEntries: 1, totalDebit: 10 },
  ]);
  expect(month.branches[1].name).toEqual(expect.any(String));
  const states = `/monthStates/${bank.company}?from=2026-01&to=2026-12`;
  const open = { state: 'OPEN', purged: false, closing: false };
  expect((await bodyOf(client.get('queries', states))).branches).toMatchObject([
    {
      branch: bank.branch,
      months: [
        { ...open, month: '2026-01', state: 'CLOSED' },
        { ...open, month: '2026-02' },
      ],
    },
    { branch: '0010', months: [{ ...open, month: '2026-01' }] },
  ]);

  const permissions = [{ company: bank.company, branch: '0010' }];
  const { username, password } = await createUser(client, { username: 'campinas', permissions });
  const campinas = await platform.as(username, password);
  for (const path of [states, `/months/${bank.company}?month=2026-01`]) {
    expect((await bodyOf(campinas.get('queries', path))).branches).toMatchObject([{ branch: '0010' }]);
  }
  const own = '?from=2026-01&to=2026-01';
  expect((await campinas.get('queries', `/months/${bank.company}/0010${own}`)).status).toBe(200);
  expect((await campinas.get('queries', `/months/${place(bank)}${own}`)).status).toBe(403);
  expect((await campinas.get('movements', `/consolidations/${place(bank)}?month=2026-01`)).status).toBe(403);
});

test.each([
  ['from after to', 'from=2026-02&to=2026-01', 'from'],
  ['more than three years', 'from=2026-01&to=2029-01', 'to'],
  ['no month', 'from=2026-13&to=2026-01', 'from'],
  ['a span without end', 'from=2026-01', 'to'],
  ['an unknown parameter', 'from=2026-01&to=2026-01&mes=1', 'mes'],
])('%s: 400 naming the field', async (_name, query, field) => {
  const bank = await createBank(client);
  for (const path of [`/months/${place(bank)}`, `/monthStates/${bank.company}`]) {
    const { status, body } = await client.get('queries', `${path}?${query}`);
    expect([status, body.errors[0].field]).toEqual([400, field]);
  }
});

test('the closes of a month, newest first: those of a branch, and those of all together', async () => {
  const bank = await createBank(client);
  expect(await runsOf(bank)).toEqual([]);
  await openMonth(client, bank, '01/2026');
  await openMonth(client, bank, '02/2026');
  await closeMonth(client, bank, '02/2026', 'ERROR');
  expect(await runsOf(bank, '2026-02')).toMatchObject([{ status: 'ERROR', requestedBy: 'admin', branch: bank.branch }]);
  await closeMonth(client, bank, '01/2026');
  await openMonth(client, bank, '01/2026');
  const { id } = await bodyOf(askToCloseMonth(client, { ...bank, branch: '*' }, '01/2026'));
  await endOfMonthClose(client, id);
  const all = { ...bank, branch: '*' };
  expect(await runsOf(all)).toMatchObject([{ id, branch: '*', status: 'DONE', branches: { total: 1, done: 1 } }]);
  const runs = await runsOf(bank);
  expect(runs).toMatchObject([{ status: 'DONE' }, { status: 'DONE' }]);
  expect(runs[0].id).toBeGreaterThan(runs[1].id);
  const { status } = await client.get('movements', `/consolidations/${place(bank)}?month=01/2026`);
  expect(status).toBe(400);
});

test('closing a day by POST closes the day that is meant, once', async () => {
  const bank = await createBank(client);
  await openMonth(client, bank, '01/2026');
  const path = `/calendar/closeday/${place(bank)}`;
  const key = { 'idempotency-key': 'fecha-2' };
  const close = (body: object, headers = {}) => client.post('movements', path, body, headers);
  expect((await close({ day: '2026-01-02' }, key)).body).toEqual({ day: '2026-01-02', msg: 'Dia 02/01/2026 fechado' });
  expect((await close({ day: '2026-01-02' }, key)).body.day).toBe('2026-01-02');
  expect((await close({ day: '2026-01-02' })).body).toMatchObject({
    status: 400,
    code: 'NOT_CURRENT_DAY',
    errors: [{ field: 'day' }],
  });
  expect((await close({})).body.day).toBe('2026-01-05');
  expect((await close({ day: '2026-02-30' })).status).toBe(400);
  expect((await close({ dia: '2026-01-06' })).status).toBe(400);
  expect((await monthOf(bank)).currentDay).toBe('2026-01-06');
});
