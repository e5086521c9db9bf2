import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CleanupOptions, cleanUp } from '../../src/features/operations/cleanup/cleanup.ts';
import { type Bank, closureSettings, createBank } from '../support/banks.ts';
import { book, entryBody, newDocument, post, postEntry } from '../support/books.ts';
import { storedEvents } from '../support/events.ts';
import { closeMonth, openMonth, REOPENING } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

// Every way in which books change tells it, in the transaction that changes them.

let platform: Platform;
let owner: pg.Client;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform({ ALLOW_TEST_DATA: 'on' });
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
});
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
});

const movements = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  platform.admin.call('movements', method, path, body);
const masterdata = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  platform.admin.call('masterdata', method, path, body);

/** The events that the work leaves, without what says where they come from. */
async function eventsOf(work: () => Promise<unknown>) {
  const before = (await storedEvents(owner, bank)).length;
  await work();
  const events = (await storedEvents(owner, bank)).slice(before);
  expect(new Set(events.map(({ company }) => company))).toEqual(
    events.length > 0 ? new Set([bank.company]) : new Set(),
  );
  return events.map(({ type, branch, data }) => ({ type, branch, data }));
}

const month = '2026-01';
const ONE = book`05/01  1.1.1  D  10,00  2.1.1  "Original"`;

test('an entry is posted, changed, reversed and deleted by hand', async () => {
  const documentId = await newDocument(platform.admin, bank, '01/2026', { batch: '7', document: 'A' });
  const [posted] = await eventsOf(() => bodyOf(postEntry(platform.admin, bank, documentId, ONE)));
  const place = { month, batchId: expect.any(Number), batch: '7', documentId, document: 'A' };
  const entries = [{ entry: '1', day: '2026-01-05' }];
  expect(posted).toEqual({ type: 'entry.posted', branch: '0001', data: { source: 'ENTRY', ...place, entries } });
  const [line] = await bodyOf(movements('GET', `/allentry/${documentId}`));
  const refused = await eventsOf(() => postEntry(platform.admin, bank, documentId, book`05/01 1.1 D 1,00 2.1.1`));
  expect(refused).toEqual([]);

  const changed = await eventsOf(() =>
    bodyOf(movements('PUT', `/entry/${line.id}`, entryBody(bank, documentId, book`06/01 1.1.1 D 1,00 2.1.1`))),
  );
  expect(changed).toEqual([
    { type: 'entry.changed', branch: '0001', data: { ...place, entry: '1', day: '2026-01-06', change: 'UPDATED' } },
  ]);
  const reversed = await eventsOf(() =>
    bodyOf(movements('POST', `/entry/${line.id}/reversal`, { day: '2026-01-20', motivo: 'Em duplicidade' })),
  );
  const mirror = { month, batchId: expect.any(Number), batch: 'EST', documentId: expect.any(Number), document: '1' };
  expect(reversed).toEqual([
    {
      type: 'entry.posted',
      branch: '0001',
      data: { source: 'REVERSAL', ...mirror, entries: [{ entry: '1', day: '2026-01-20' }] },
    },
    {
      type: 'entry.reversed',
      branch: '0001',
      data: {
        ...{ ...place, entry: '1', day: '2026-01-06', reason: 'Em duplicidade' },
        reversal: { ...mirror, entry: '1', day: '2026-01-20' },
      },
    },
  ]);
  await bodyOf(postEntry(platform.admin, bank, documentId, ONE));
  const [, , second] = await bodyOf(movements('GET', `/allentry/${documentId}`));
  const gone = await eventsOf(() => movements('DELETE', `/entry/${second.id}`));
  expect(gone).toMatchObject([{ type: 'entry.changed', data: { ...place, entry: '2', change: 'DELETED' } }]);
});

test('documents and batches are deleted one document at a time', async () => {
  const documentId = await newDocument(platform.admin, bank, '01/2026', { batch: '8', document: 'A' });
  const { batchId } = await bodyOf(movements('GET', `/document/${documentId}`));
  await bodyOf(movements('POST', '/document', { batchId, documento: 'B' }));
  await bodyOf(movements('POST', '/document', { batchId, documento: 'C' }));
  const one = await eventsOf(() => movements('DELETE', `/document/${documentId}`));
  const place = { month, batchId, batch: '8', importId: null };
  expect(one).toEqual([{ type: 'document.deleted', branch: '0001', data: { ...place, documentId, document: 'A' } }]);
  const rest = await eventsOf(() => movements('DELETE', `/batch/${batchId}`));
  expect(rest).toMatchObject([
    { type: 'document.deleted', data: { ...place, document: 'B' } },
    { type: 'document.deleted', data: { ...place, document: 'C' } },
  ]);
});

test('an import is one event, and so is its undoing; a file that is refused is none', async () => {
  const [imported] = await eventsOf(() => post(platform.admin, bank, book`07/01 I/1 1.1.1 D 1,00 2.1.1`));
  const data = { month, batchId: expect.any(Number), batch: 'I', importId: expect.any(Number), lines: 2 };
  expect(imported).toEqual({ type: 'entry.posted', branch: '0001', data: { source: 'IMPORT', ...data } });
  expect(await eventsOf(() => post(platform.admin, bank, book`07/01 I/1 1.1 D 1,00 2.1.1`).catch(() => {}))).toEqual(
    [],
  );
  const undone = await eventsOf(() => bodyOf(movements('DELETE', `/imports/${imported!.data.importId}`)));
  expect(undone).toEqual([
    { type: 'document.deleted', branch: '0001', data: { ...data, importId: imported!.data.importId } },
  ]);
});

test('entries of feeding systems are named as those name them, whatever becomes of them', async () => {
  const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1, lote: 'F', documento: '1' };
  const lines = [
    { debcre: 'D', conta: '1.1.1', valor: 1 },
    { debcre: 'C', conta: '2.1.1', valor: 1 },
  ];
  const source = { origin: 'CREDITO', externalId: 'CT-1' };
  const entries = [
    { ...place, day: '05', lines, historico: 'a', ...source },
    { ...place, day: '05', lines, historico: 'b' },
  ];
  const [posted, ...more] = await eventsOf(() => bodyOf(movements('POST', '/entries/bulk', { entries })));
  expect(more).toEqual([]);
  expect(posted).toMatchObject({
    data: { source: 'BULK', batch: 'F', entries: [{ entry: '1', ...source }, { entry: '2' }] },
  });
  expect(posted!.data.entries[1]).toEqual({ entry: '2', day: '2026-01-05' });
  const [line] = await bodyOf(movements('GET', `/allentry/${posted!.data.documentId}`));
  const reversal = { day: '2026-01-20', motivo: 'Em duplicidade' };
  const reversed = await eventsOf(() => bodyOf(movements('POST', `/entry/${line.id}/reversal`, reversal)));
  expect(reversed.at(-1)).toMatchObject({ type: 'entry.reversed', data: { entry: '1', ...source } });
  const gone = await eventsOf(() => movements('DELETE', `/entry/${line.id}`));
  expect(gone).toMatchObject([{ type: 'entry.changed', data: { entry: '1', ...source, change: 'DELETED' } }]);
});

test('a use of a template is posted, and its reversal when the next month opens', async () => {
  const place = `${bank.company}/${bank.branch}`;
  const line = {
    sequence: 1,
    debcre: 'D',
    contaId: bank.accounts.get('8.2'),
    contrapartida: bank.accounts.get('2.1.1'),
  };
  const lines = [{ ...line, valueType: 'FIXO', valor: 100 }];
  const template = { code: 'ALUGUEL', description: 'Aluguel', lines, automaticReversal: true };
  await bodyOf(masterdata('POST', `/release/${place}`, template));
  const use = { company: bank.company, branch: bank.branch, code: 'ALUGUEL', year: 2026, month: 1, day: 6 };
  const posted = await eventsOf(() => bodyOf(masterdata('POST', '/releasedata/', { ...use, status: 'LANCADO' })));
  expect(posted).toMatchObject([{ type: 'entry.posted', data: { source: 'TEMPLATE', entries: [{}] } }]);
  const opened = await eventsOf(() => openMonth(platform.admin, bank, '02/2026'));
  expect(opened[0]).toEqual({ type: 'month.opened', branch: '0001', data: { month: '2026-02' } });
  expect(opened.slice(1)).toMatchObject([
    { type: 'entry.posted', data: { source: 'REVERSAL', month: '2026-02' } },
    { type: 'entry.reversed', data: { month, reversal: { month: '2026-02' } } },
  ]);
});

test('a month is closed with its closing entries, and opened again', async () => {
  await bodyOf(masterdata('POST', '/closuresettings', closureSettings(bank, [1])));
  const closed = await eventsOf(() => closeMonth(platform.admin, bank, '01/2026'));
  expect(closed).toMatchObject([
    { type: 'entry.posted', branch: '0001', data: { source: 'CLOSING', month, document: 'ENCERRAMENTO' } },
    { type: 'month.closed', branch: '0001', data: { month, lines: expect.any(Number), closingEntries: 2 } },
    { type: 'month.sealed', branch: '0001', data: { month, seal: expect.stringMatching(/^[0-9a-f]{64}$/) } },
  ]);
  expect(await eventsOf(() => openMonth(platform.admin, bank, '01/2026'))).toEqual([
    { type: 'month.reopened', branch: '0001', data: { month, reason: REOPENING.reason } },
  ]);
  await closeMonth(platform.admin, bank, '01/2026');
});

test('a quota is confirmed once; a report is ready; a rule fails', async () => {
  const { company, branch } = bank;
  await bodyOf(
    masterdata('POST', '/quotacalculation/', {
      ...{ company, branch, netEquityAccountId: bank.accounts.get('2'), numberOfQuotas: 100 },
    }),
  );
  const confirm = () => bodyOf(movements('GET', `/taxquotacalculation/${company}/${branch}?confirmed=true`));
  expect(await eventsOf(confirm)).toMatchObject([
    { type: 'quota.confirmed', branch, data: { day: '2026-02-02', referenceDay: '2026-01-31' } },
  ]);
  expect(await eventsOf(confirm)).toEqual([]);

  const printed = { empresa: company, filial: branch, visualizationEnum: 'CSV', ano: 2026, mes: 1 };
  const report = await eventsOf(async () => {
    const { id } = await bodyOf(
      platform.admin.post('reports', '/reports/monthlyTrialBalance?async=true', printed),
    ).catch(() => ({ id: 0 }));
    for (let turn = 0; turn < 200; turn++) {
      const { rows } = await owner.query(
        `SELECT 1 FROM job WHERE kind = 'REPORT' AND status IN ('PENDING', 'RUNNING')`,
      );
      if (rows.length === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return id;
  });
  expect(report).toMatchObject([{ type: 'report.ready', branch, data: { jobId: expect.any(Number) } }]);

  const first = async (list: string, code: string) =>
    (await platform.admin.get('compliance', `/api/compliance/${list}/list`)).body.find(
      (each: { code: string }) => each.code === code,
    ).id;
  await bodyOf(
    platform.admin.post('compliance', '/api/compliance/rule/add', {
      name: 'Falha sempre',
      cluetypeid: await first('cluetype', 'WARNING'),
      businesssystemid: await first('businesssystem', 'CONTABILIDADE'),
      documents: [await first('document', '4010')],
      basebegin: '2026-01',
      validitybegin: '2026-01-01',
      script: 'ERRO "não"',
    }),
  );
  const run = { branchid: bank.branchId, documentcode: '4010', refmonth: '2026-01' };
  const failed = await eventsOf(() => bodyOf(platform.admin.post('compliance', '/api/compliance/run', run)));
  expect(failed).toMatchObject([
    { type: 'rule.failed', branch, data: { rule: 'Falha sempre', status: 'FAILED', document: '4010', month } },
  ]);
});

test('entries for tests are counted', async () => {
  const { company, branch } = bank;
  const drawn = { quantidadeLotes: 2, quantidadeLancamentos: 5, valorMinimo: 1, valorMaximo: 2, usaTodoMes: true };
  const events = await eventsOf(() =>
    bodyOf(movements('POST', '/admin/create-entries', { company, branch, ...drawn })),
  );
  expect(events.map(({ data }) => [data.source, data.lines])).toEqual([
    ['TEST_DATA', 6],
    ['TEST_DATA', 4],
  ]);
});

test('old events are removed from the front, and the order goes on', async () => {
  const { database, config, metrics } = platform.program.app;
  const faults: unknown[] = [];
  const log = { warn: (fault: unknown) => faults.push(fault) } as unknown as CleanupOptions['log'];
  const all = await storedEvents(owner, bank);
  await owner.query(`UPDATE event SET at = now() - interval '8 days' WHERE position <= $1`, [all[1]!.position]);
  const { retention } = config;
  await cleanUp({ database, authentication: undefined, retention, now: () => new Date(), log, metrics });
  expect(faults).toEqual([]);
  expect(await storedEvents(owner, bank)).toEqual(all.slice(2));
  const { rows } = await owner.query('SELECT removed_position::float8 AS removed FROM event_stream');
  expect(rows).toEqual([{ removed: all[1]!.position }]);
});
