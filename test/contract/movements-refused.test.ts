import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// What movements reject, with the place at fault, and what a repeated or a very long request does.

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin, { baseYearMonth: '06/2026' });
  await openMonth(platform.admin, bank, '06/2026');
});
afterAll(() => platform?.stop());

const HEADER = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico';
const ROW = '1;1;5;D;1.1.1;2.1.1;1,00;x;';

async function newBatch(of = bank): Promise<number> {
  const { body } = await platform.admin.post('movements', '/batch', {
    empresa: of.company,
    filial: of.branch,
    ano: 2026,
    mes: 6,
  });
  return body.id;
}

async function upload(batchId: number, content: string | Uint8Array<ArrayBuffer>, key?: string) {
  const form = new FormData();
  form.set('file', new Blob([content]), 'entries.csv');
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  return platform.admin.call('movements', 'POST', `/batch/${batchId}/import`, form, headers);
}

const linesOf = async (batchId: number): Promise<number> =>
  (await platform.admin.get('movements', `/entrysummary/${batchId}`)).body.totalEntries;

describe('CSV', () => {
  test('an inactive account, a day that June lacks, a wrong decimal and a closed day are reported by row and column', async () => {
    const account = await platform.admin.get('masterdata', `/chartOfAccounts/${bank.accounts.get('2.1.2')}`);
    const inactive = await platform.admin.call('masterdata', 'PUT', `/chartOfAccounts/${account.body.id}`, {
      ...account.body,
      active: false,
    });
    expect(inactive.status, inactive.text).toBe(200);
    const closed = { company: bank.company, branch: bank.branch, date: '2026-06-08', businessDay: true, status: 'F' };
    const day = await platform.admin.post('masterdata', `/calendar/${bank.company}/${bank.branch}`, closed);
    expect(day.status, day.text).toBeLessThan(300);
    const batchId = await newBatch();
    const rows = [
      '1;1;5;D;1.1.1;2.1.2;1,00;x;',
      '1;2;31;D;1.1.1;2.1.1;1,00;x;',
      '1;3;5;D;1.1.1;2.1.1;1.000,5,0;x;',
      '1;4;8;D;1.1.1;2.1.1;1,00;x;',
    ];
    const { body } = await upload(batchId, [HEADER, ...rows].join('\n'));
    expect(body.errors).toEqual([
      'row 2: contrapartida: Account 2.1.2 is inactive: activate it or use another',
      'row 3: dia: Month 06/2026 has no day 31',
      'row 4: valor: Invalid value: not an amount with at most two decimals',
      'row 5: dia: Day 08/06/2026 is closed',
    ]);
    expect(body).toMatchObject({ success: false, totalRows: 4, errorRows: 4 });
    expect(await linesOf(batchId)).toBe(0);
  });

  test('a cell with two faults is reported the first', async () => {
    const batchId = await newBatch();
    const { body } = await upload(batchId, `${HEADER}\n1\u0001;1;5;D;1.1.1;2.1.1;1,00;x;\n`);
    expect(body.errors).toEqual(['row 2: documento: Invalid value: control characters']);
  });

  test('UTF-16 is rejected as binary', async () => {
    const batchId = await newBatch();
    const answer = await upload(batchId, new Uint8Array(Buffer.from(`${HEADER}\n${ROW}`, 'utf16le')));
    expect(answer).toMatchObject({ status: 400, body: { code: 'FILE_UNREADABLE' } });
    expect(answer.body.errors[0].field).toBe('file');
  });
});

describe('uploads under an Idempotency-Key', () => {
  test('the same CSV again answers the first response; another content is rejected; two at once have one effect', async () => {
    const batchId = await newBatch();
    const csv = `${HEADER}\n${ROW.replace('x', 'chave')}`;
    const both = await Promise.all([upload(batchId, csv, 'k1'), upload(batchId, csv, 'k1')]);
    expect(both.map((each) => each.status)).toEqual([200, 200]);
    expect(both[0].body).toEqual(both[1].body);
    expect(both[0].body.success).toBe(true);
    expect(await upload(batchId, csv, 'k1')).toMatchObject({ status: 200, body: both[0].body });
    expect(await linesOf(batchId)).toBe(2);
    expect(await upload(batchId, `${csv}\n${ROW.replace(';1;', ';2;')}`, 'k1')).toMatchObject({
      status: 400,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    expect(await linesOf(batchId)).toBe(2);
  });

  test('a rejected file and a dry run store nothing under a key either', async () => {
    const batchId = await newBatch();
    expect((await upload(batchId, `${HEADER}\n1;1;5;D;1.1.1;9.9;1;x;`, 'k2')).body.success).toBe(false);
    const form = new FormData();
    form.set('dryRun', 'true');
    form.set('file', new Blob([`${HEADER}\n${ROW.replace('x', 'seco')}`]), 'entries.csv');
    const dry = await platform.admin.call('movements', 'POST', `/batch/${batchId}/import`, form, {
      'idempotency-key': 'k3',
    });
    expect(dry.body).toMatchObject({ success: true, totalRows: 1 });
    expect(await linesOf(batchId)).toBe(0);
    expect((await platform.admin.get('movements', `/alldocument/${batchId}`)).body).toEqual([]);
  });

  test('JSON', async () => {
    const line = { lancamento: '1', debcre: 'D', day: '05', conta: '1.1.1', contrapartida: '2.1.1', valor: 1 };
    const json = {
      empresa: bank.company,
      filial: bank.branch,
      lote: 'J1',
      ano: 2026,
      mes: 6,
      documentos: [{ documento: '1', lancamentos: [line] }],
    };
    const headers = { 'idempotency-key': 'j1' };
    const first = await platform.admin.call('movements', 'POST', '/importMovimentJson', json, headers);
    const again = await platform.admin.call('movements', 'POST', '/importMovimentJson', json, headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
  });
});

test('JSON: nesting, unknown fields, and at most 1,000 problems with a count', async () => {
  const send = (lancamentos: unknown, more: object = {}) =>
    platform.admin.post('movements', '/importMovimentJson', {
      empresa: bank.company,
      filial: bank.branch,
      lote: 'JX',
      ano: 2026,
      mes: 6,
      documentos: [{ documento: '1', lancamentos }],
      ...more,
    });
  let deep: unknown = 1;
  for (let level = 0; level < 200; level++) deep = [deep];
  expect((await send(deep)).status).toBe(400);
  const unknown = await send([{ debcre: 'D' }], { outro: 1 });
  expect(unknown.status).toBe(400);
  expect(unknown.text).toContain('outro');
  const many = await send(Array.from({ length: 1_200 }, () => []));
  expect(many.status).toBe(400);
  expect(many.body.errors).toHaveLength(1_001);
  expect(many.body.errors.at(-1)).toEqual({
    field: 'file',
    message: '1200 problems in all; the first 1000 are told',
  });
  const { body: batches } = await platform.admin.get('movements', `/allbatch/${bank.company}/${bank.branch}`);
  expect(batches.map((each: { lote: string }) => each.lote)).not.toContain('JX');
});

test('a list longer than a piece leaves whole and in order', async () => {
  const batchId = await newBatch();
  const count = 5_001;
  const rows = Array.from({ length: count }, (_, at) => `9;${at + 1};5;D;1.1.1;2.1.1;0,01;longa;`);
  expect((await upload(batchId, [HEADER, ...rows].join('\n'))).body.success).toBe(true);
  const [document] = (await platform.admin.get('movements', `/alldocument/${batchId}`)).body;
  for (const service of ['movements', 'masterdata'] as const) {
    const { body } = await platform.admin.get(service, `/allentry/${document.id}`);
    expect(body).toHaveLength(2 * count);
    expect(body.map((line: { lancamento: string }) => Number(line.lancamento))).toEqual(
      Array.from({ length: 2 * count }, (_, at) => Math.floor(at / 2) + 1),
    );
    expect(new Set(body.map((line: { id: number }) => line.id)).size).toBe(2 * count);
  }
  await withOwnerConnection(platform.ownerUrl, (owner) =>
    owner.query(
      `INSERT INTO document (company_id, branch_id, month, batch_id, number)
       SELECT company_id, branch_id, month, id, (100 + serial)::text FROM batch CROSS JOIN generate_series(1, 5000) AS serial
        WHERE batch.company_id = $1 AND batch.id = $2`,
      [bank.companyId, batchId],
    ),
  );
  const { body: documents } = await platform.admin.get('movements', `/alldocument/${batchId}`);
  expect(documents.map((each: { documento: string }) => Number(each.documento))).toEqual([
    9,
    ...Array.from({ length: 5_000 }, (_, at) => 101 + at),
  ]);
});

describe('lists', () => {
  test.each(['sort=nada,asc', 'sort=id,nada', 'size=1001', 'size=0', 'page=-1', 'page=x'])(
    '?%s is rejected',
    async (query) => {
      const batchId = await newBatch();
      const { body: document } = await platform.admin.post('movements', '/document', { batchId });
      const paths = [`/allbatch/${bank.company}/${bank.branch}/page`, `/alldocument/${batchId}/page`];
      if (!query.startsWith('sort')) paths.push(`/allentry/${document.id}/page`);
      for (const path of paths) {
        const answer = await platform.admin.get('movements', `${path}?${query}`);
        expect([path, answer.status, answer.body.errors[0].field]).toEqual([path, 400, query.split('=')[0]]);
      }
    },
  );
});

describe('delete-multiple', () => {
  test('1,001 ids, unknown ids, and both bodies', async () => {
    const ids = [await newBatch(), await newBatch()];
    const many = Array.from({ length: 1_001 }, (_, at) => at + 1);
    for (const body of [many, { ids: many }]) {
      expect((await platform.admin.post('movements', '/batch/delete-multiple', body)).status).toBe(400);
    }
    const unknown = await platform.admin.post('movements', '/batch/delete-multiple', [ids[0], 99_999_999]);
    expect(unknown.status).toBe(404);
    expect(unknown.text).toContain('99999999');
    expect((await platform.admin.get('movements', `/batch/${ids[0]}`)).status).toBe(200);
    expect((await platform.admin.post('movements', '/batch/delete-multiple', [ids[0]])).status).toBe(200);
    expect((await platform.admin.post('movements', '/batch/delete-multiple', { ids: [ids[1]] })).status).toBe(200);
  });
});

describe('purging', () => {
  const purge = (more: object) =>
    platform.admin.post('movements', '/purging', {
      useRange: false,
      alternate: true,
      selectedBranchId: [bank.branchId],
      yearmonth: '06/2026',
      doSend: true,
      ...more,
    });
  test('an open month, no selection, and both selections are messages, and nothing moves', async () => {
    const batchId = await newBatch();
    const answers = [
      await purge({}),
      await purge({ alternate: false }),
      await purge({ useRange: true, selectedBranchId: [bank.branchId, bank.branchId] }),
      await purge({ selectedBranchId: [] }),
    ];
    for (const answer of answers) {
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.length).toBeGreaterThan(0);
      for (const message of answer.body) expect(message).toMatch(/\w{3}/);
    }
    expect((await platform.admin.get('movements', `/batch/${batchId}`)).status).toBe(200);
  });
});

test('after the longest number there is no next one, and what was sent is said as it was sent', async () => {
  const batchId = await newBatch();
  const { admin } = platform;
  const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 6 };
  const { body: document } = await admin.post('movements', '/document', { batchId, documento: '9'.repeat(20) });
  const accounts = { contaId: bank.accounts.get('1.1.1'), contrapartida: bank.accounts.get('2.1.1') };
  const entry = { documentId: document.id, debcre: 'D', day: '05', valor: 1, ...accounts };
  expect((await admin.post('movements', '/entry', { ...entry, lancamento: '9'.repeat(10) })).status).toBe(201);
  expect((await admin.post('movements', '/batch', { ...place, lote: '9'.repeat(10) })).status).toBe(201);
  for (const [path, body, field] of [
    ['/document', { batchId }, 'documento'],
    ['/entry', entry, 'lancamento'],
    ['/batch', place, 'lote'],
  ] as const) {
    const answer = await admin.post('movements', path, body);
    expect([answer.status, answer.body.errors?.[0]?.field], path).toEqual([400, field]);
    expect(answer.body.detail).toContain('used up');
  }
  const text = await admin.post('movements', '/entry', { ...entry, valor: '12' });
  expect(text.body.errors).toEqual([
    {
      field: 'valor',
      message: 'Invalid value: must be an amount with at most two decimals, up to 9,999,999,999,999.99',
    },
  ]);
});
