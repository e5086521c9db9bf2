import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SQL } from '../../src/platform/database/statement.ts';
import { type Bank, createBank, createHistories } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  await createHistories(platform.admin, ['1']);
});
afterAll(() => platform?.stop());

let batches = 0;

async function newBatch(lote = `T${++batches}`) {
  const body = { lote, empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1, descricao: 'teste' };
  return (await platform.admin.post('movements', '/batch', body)).body;
}

async function newDocument(batchId: number, more: object = {}) {
  return (await platform.admin.post('movements', '/document', { batchId, ...more })).body;
}

function entryBody(documentId: number, more: object = {}) {
  return {
    documentId,
    debcre: 'D',
    day: '05',
    contaId: bank.accounts.get('1.1.1'),
    contrapartida: bank.accounts.get('2.1.1'),
    valor: 100.25,
    historico: 'Compra',
    ...more,
  };
}

const post = (body: unknown, headers?: Record<string, string>) =>
  platform.admin.post('movements', '/entry', body, headers);

test('an installation chooses the size of a page that names none', async () => {
  const other = await startPlatform({ MOVEMENTS_PAGE_SIZE: '7', SERVICES: 'authentication,masterdata,movements' });
  try {
    const small = await createBank(other.admin);
    const page = await other.admin.get('movements', `/allbatch/${small.company}/${small.branch}/page`);
    expect(page.body).toMatchObject({ size: 7, content: [] });
  } finally {
    await other.stop();
  }
});

describe('months', () => {
  test('open from the base month on, one after the other', async () => {
    const other = await createBank(platform.admin, { baseYearMonth: '03/2026' });
    const path = `/monthOpening/${other.company}/${other.branch}`;
    expect((await platform.admin.get('movements', path)).body).toEqual({
      initialyearmonth: '03/2026',
      endyearmonth: null,
      newyearmonth: '03/2026',
      firstPostingyearmonth: null,
      lastPostingyearmonth: null,
    });
    expect(await platform.admin.post('movements', path, { newyearmonth: '04/2026' })).toMatchObject({
      status: 400,
      body: { code: 'MONTH_NOT_NEXT' },
    });
    expect(await platform.admin.post('movements', path, { newyearmonth: '13/2026' })).toMatchObject({ status: 400 });
    expect(await platform.admin.post('masterdata', path, { newyearmonth: '03/2026' })).toMatchObject({
      status: 201,
      body: { endyearmonth: '03/2026', newyearmonth: '03/2026', firstPostingyearmonth: '03/2026' },
    });
    expect((await platform.admin.post('movements', path, { newyearmonth: '03/2026' })).status).toBe(400);
  });

  test('closeday closes the current day with the weekend before it', async () => {
    const other = await createBank(platform.admin);
    await openMonth(platform.admin, other, '01/2026');
    const close = () => platform.admin.get('movements', `/calendar/closeday/${other.company}/${other.branch}`);
    expect((await close()).body.msg).toContain('02/01/2026');
    expect((await close()).body.msg).toContain('05/01/2026');
    const closed = await platform.program.database
      .under({ companies: '*', wholeCompanies: [], branches: [] })
      .rows(SQL`SELECT day FROM calendar_day WHERE branch_id = ${other.branchId} AND closed ORDER BY day`);
    expect(closed).toEqual(
      ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05'].map((day) => ({ day })),
    );
  });
});

describe('batches and documents', () => {
  test('are created, read, listed and paged', async () => {
    const batch = await newBatch();
    expect(batch).toMatchObject({ empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1, descricao: 'teste' });
    expect((await platform.admin.get('movements', `/batch/${batch.id}`)).body).toEqual(batch);
    expect((await platform.admin.get('masterdata', `/batch/${batch.id}`)).body).toEqual(batch);
    const page = await platform.admin.get(
      'movements',
      `/allbatch/${bank.company}/${bank.branch}/page?size=1&sort=id,desc`,
    );
    expect(page.body).toMatchObject({ size: 1, number: 0, content: [{ id: batch.id }] });
    const document = await newDocument(batch.id, { documento: '7', diaref: '31', texto: 't', cdpadronizado: '1' });
    expect(document).toMatchObject({ batchId: batch.id, documento: '7', diaref: '31', texto: 't', cdpadronizado: '1' });
    expect((await newDocument(batch.id)).documento).toBe('8');
    expect((await platform.admin.get('movements', `/alldocument/${batch.id}/page`)).body).toMatchObject({
      totalElements: 2,
      size: 100,
    });
  });

  test('reject duplicates, absent months and unknown fields', async () => {
    const batch = await newBatch('DUP');
    const again = { lote: 'DUP', empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
    expect(await platform.admin.post('movements', '/batch', again)).toMatchObject({
      status: 400,
      body: { code: 'DUPLICATE' },
    });
    expect(await platform.admin.post('movements', '/batch', { ...again, mes: 2 })).toMatchObject({
      status: 400,
      body: { code: 'MONTH_NOT_OPEN' },
    });
    expect(await platform.admin.post('movements', '/batch', { ...again, outro: 1 })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'outro' }] },
    });
    await newDocument(batch.id, { documento: '1' });
    expect((await platform.admin.post('movements', '/document', { batchId: batch.id, documento: '1' })).status).toBe(
      400,
    );
    expect((await platform.admin.get('movements', '/batch/999999')).status).toBe(404);
    expect(
      (await platform.admin.get('movements', `/allbatch/${bank.company}/${bank.branch}/page?sort=lote;drop`)).status,
    ).toBe(400);
  });
});

describe('entries', () => {
  test('one POST makes two lines that balance', async () => {
    const document = await newDocument((await newBatch()).id);
    const answer = await post(entryBody(document.id));
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ lancamento: '1', debcre: 'D', day: '05', valor: 100.25, encerramento: false });
    const lines = (await platform.admin.get('movements', `/allentry/${document.id}`)).body;
    expect(
      lines.map((line: { debcre: string; contaId: number; valor: number }) => [line.debcre, line.contaId, line.valor]),
    ).toEqual([
      ['D', bank.accounts.get('1.1.1'), 100.25],
      ['C', bank.accounts.get('2.1.1'), 100.25],
    ]);
    expect((await platform.admin.get('masterdata', `/entry/${answer.body.id}`)).body).toEqual(answer.body);
    expect((await post(entryBody(document.id))).body.lancamento).toBe('2');
    const page = await platform.admin.get('movements', `/allentry/${document.id}/page?size=3`);
    expect(page.body).toMatchObject({ totalElements: 4, totalPages: 2, size: 3, number: 0, logicalEntryCount: 2 });
    expect(page.body.content.map((line: { lancamento: string }) => line.lancamento)).toEqual(['1', '2']);
    const second = await platform.admin.get('movements', `/allentry/${document.id}/page?size=3&page=1`);
    expect(second.body.content).toEqual([]);
  });

  test('keep the largest amount to the cent, in a bare JSON number', async () => {
    const document = await newDocument((await newBatch()).id);
    const answer = await post(entryBody(document.id, { valor: 9999999999999.99 }));
    expect(answer.text).toContain('"valor":9999999999999.99');
  });

  test.each([
    ['a missing counter account', { contrapartida: undefined }, 'contrapartida'],
    ['its own counter account', () => ({ contrapartida: bank.accounts.get('1.1.1') }), 'contrapartida'],
    ['a summary account', () => ({ contaId: bank.accounts.get('1.1') }), 'contaId'],
    ['an unknown account', { contaId: 987654 }, 'contaId'],
    ['an amount of zero', { valor: 0 }, 'valor'],
    ['a negative amount', { valor: -1 }, 'valor'],
    ['three decimals', { valor: 1.001 }, 'valor'],
    ['an amount too large', { valor: 10_000_000_000_000 }, 'valor'],
    ['an amount as text', { valor: '1' }, 'valor'],
    ['day 32', { day: '32' }, 'day'],
    ['day 00', { day: '00' }, 'day'],
    ['a side that is neither', { debcre: 'X' }, 'debcre'],
    ['a NUL in the history', { historico: 'a\u0000b' }, 'historico'],
    ['a history too long', { historico: 'x'.repeat(501) }, 'historico'],
    ['an id of 2^53', { contaId: 2 ** 53 }, 'contaId'],
    ['a fraction as id', { contaId: 1.5 }, 'contaId'],
    ['an unknown field', { outro: 1 }, 'outro'],
  ])('reject %s', async (_name, more, field) => {
    const document = await newDocument((await newBatch()).id);
    const answer = await post(entryBody(document.id, typeof more === 'function' ? more() : more));
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((each: { field: string }) => each.field)).toContain(field);
    expect((await platform.admin.get('movements', `/allentry/${document.id}`)).body).toEqual([]);
  });

  test.each([
    ['broken JSON', '{"documentId": 1,'],
    ['1e400', '{"documentId": 1e400}'],
    ['2^63', '{"documentId": 9223372036854775808}'],
    ['10,000 levels', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['more digits than a double holds', '{"documentId": 1, "valor": 1.00000000000000000001}'],
  ])('reject %s as 400', async (_name, text) => {
    const answer = await platform.admin.call('movements', 'POST', '/entry', text, {
      'content-type': 'application/json',
    });
    expect(answer.status).toBe(400);
    expect(answer.body.code).toMatch(/^[A-Z_]+$/);
  });

  test('reject a body over the limit (413) and another media type (415)', async () => {
    const large = JSON.stringify({ historico: 'x'.repeat(1024 * 1024) });
    expect(
      (await platform.admin.call('movements', 'POST', '/entry', large, { 'content-type': 'application/json' })).status,
    ).toBe(413);
    expect(
      (await platform.admin.call('movements', 'POST', '/entry', 'a=1', { 'content-type': 'text/plain' })).status,
    ).toBe(415);
  });

  test('a repeated request with the same key answers the same and posts once', async () => {
    const document = await newDocument((await newBatch()).id);
    const body = entryBody(document.id, { valor: 250.5 });
    const headers = { 'idempotency-key': 'key-1' };
    const [first, second] = await Promise.all([post(body, headers), post(body, headers)]);
    expect(first.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect((await platform.admin.get('movements', `/allentry/${document.id}`)).body).toHaveLength(2);
    expect(await post({ ...body, valor: 1 }, headers)).toMatchObject({
      status: 400,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });

  test('deleting a line deletes its entry; several go all or none', async () => {
    const document = await newDocument((await newBatch()).id);
    const first = (await post(entryBody(document.id))).body;
    const second = (await post(entryBody(document.id))).body;
    const missing = await platform.admin.post('movements', '/entry/delete-multiple', { ids: [first.id, 999_999] });
    expect(missing).toMatchObject({ status: 404 });
    expect(missing.text).toContain('999999');
    expect((await platform.admin.get('movements', `/allentry/${document.id}`)).body).toHaveLength(4);
    expect((await platform.admin.call('movements', 'DELETE', `/entry/${first.id}`)).status).toBe(200);
    expect((await platform.admin.get('movements', `/allentry/${document.id}`)).body).toHaveLength(2);
    expect((await platform.admin.post('movements', '/entry/delete-multiple', [second.id])).status).toBe(200);
    expect((await platform.admin.get('movements', `/allentry/${document.id}`)).body).toEqual([]);
  });

  test('summaries count lines and entries and sum both sides', async () => {
    const batch = await newBatch();
    const document = await newDocument(batch.id);
    await post(entryBody(document.id, { valor: 0.1 }));
    await post(entryBody(document.id, { valor: 0.2 }));
    expect((await platform.admin.get('movements', `/entrysummary/${batch.id}`)).body).toEqual({
      batchId: batch.id,
      totalEntries: 4,
      logicalEntryCount: 2,
      totalDebit: 0.3,
      totalCredit: 0.3,
      difference: 0,
      balanced: true,
    });
    expect((await platform.admin.get('movements', `/documentsummary/${batch.id}`)).body).toMatchObject({
      totalDocuments: 1,
      totalDebit: 0.3,
    });
    const summary = await platform.admin.get('movements', `/batchsummary/${bank.company}/${bank.branch}`);
    expect(summary.body).toMatchObject({ company: bank.company, difference: 0 });
  });

  test('a closed day takes and gives up nothing', async () => {
    const other = await createBank(platform.admin);
    await openMonth(platform.admin, other, '01/2026');
    const batch = (
      await platform.admin.post('movements', '/batch', {
        empresa: other.company,
        filial: other.branch,
        ano: 2026,
        mes: 1,
      })
    ).body;
    const document = await newDocument(batch.id);
    const accounts = { contaId: other.accounts.get('1.1.1'), contrapartida: other.accounts.get('2.1.1') };
    const line = (await post(entryBody(document.id, { ...accounts, day: '02' }))).body;
    await platform.admin.get('movements', `/calendar/closeday/${other.company}/${other.branch}`);
    expect(await post(entryBody(document.id, { ...accounts, day: '02' }))).toMatchObject({
      status: 400,
      body: { code: 'DAY_CLOSED' },
    });
    for (const path of [`/entry/${line.id}`, `/document/${document.id}`, `/batch/${batch.id}`]) {
      expect(await platform.admin.call('movements', 'DELETE', path)).toMatchObject({
        status: 400,
        body: { code: 'DAY_CLOSED' },
      });
    }
    expect((await post(entryBody(document.id, { ...accounts, day: '05' }))).status).toBe(201);
  });

  test('every movement route requests a token', async () => {
    for (const path of ['/batch/1', '/allentry/1', '/monthOpening/A/B']) {
      expect((await platform.withToken('').get('movements', path)).status).toBe(401);
    }
  });
});
