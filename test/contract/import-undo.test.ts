import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectBalances } from '../support/balances.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { archiveMonth, closeMonth, openMonth, REOPENING, unarchiveMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
});
afterAll(() => platform?.stop());

const movements = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  platform.admin.call('movements', method, path, body);
const undo = (id: number) => movements('DELETE', `/imports/${id}`);
const records = async () => (await movements('GET', `/imports/${bank.company}/${bank.branch}`)).body;
const entriesOf = async (document: number) => (await movements('GET', `/allentry/${document}`)).body;
const documentsOf = async (batch: number) => (await movements('GET', `/alldocument/${batch}`)).body;

async function newBatch(): Promise<number> {
  return (await movements('POST', '/batch', { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 })).body.id;
}

async function importCsv(batch: number, rows: readonly string[], query = '') {
  const form = new FormData();
  const header = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico';
  form.set('file', new Blob([[header, ...rows].join('\n')]), 'rows.csv');
  return platform.admin.post('movements', `/batch/${batch}/import${query}`, form);
}

/** A file of its own content: the amount makes the difference. Returns batch and import. */
async function imported(cents: number): Promise<{ batch: number; id: number; rows: string[] }> {
  const batch = await newBatch();
  const rows = [`10;1;5;D;1.1.1;3.1;10,${cents};a`, `11;1;6;D;1.1.2;3.1;20,${cents};b`];
  expect((await importCsv(batch, rows)).body).toMatchObject({ success: true });
  const [{ id }] = await records();
  return { batch, id, rows };
}

describe('undoing an import', () => {
  test('removes what it made and nothing else, keeps it in the trail, and lets the file in again', async () => {
    const { batch, id, rows } = await imported(11);
    await expectBalances(platform.admin, bank, '01/2026', 'account  debit\n1.1.1  10,11\n1.1.2  20,11');
    // Document 10 gets an entry of somebody else and stays; document 11 goes.
    const [ten] = await documentsOf(batch);
    const own = { documentId: ten.id, debcre: 'D', day: '05', contaId: bank.accounts.get('1.1.1'), valor: 1 };
    await bodyOf(movements('POST', '/entry', { ...own, contrapartida: bank.accounts.get('3.1') }));
    expect(await undo(id)).toMatchObject({ status: 200, body: { id, status: 'UNDONE', undoneBy: 'admin', lines: 4 } });
    expect((await documentsOf(batch)).map((each: { documento: string }) => each.documento)).toEqual(['10']);
    expect(await entriesOf(ten.id)).toHaveLength(2);
    await expectBalances(platform.admin, bank, '01/2026', 'account  debit\n1.1.1  1,00\n1.1.2  0,00');

    const trail = await platform.admin.get(
      'authentication',
      `/api/admin/audit?action=DELETE&entity=import&entityId=${id}`,
    );
    const [image, ...pieces] = trail.body.content.map(({ before }: { before: unknown }) => before).reverse();
    expect(image).toMatchObject({ id, kind: 'CSV', status: 'DONE', batchId: batch, lines: 4 });
    expect(pieces).toMatchObject([
      { part: 1, documents: [{ number: '10' }, { number: '11' }] },
      { part: 1, lines: [{ amount: 10.11 }, { amount: 10.11 }, { amount: 20.11 }, { amount: 20.11 }] },
    ]);

    const again = await undo(id);
    expect(again).toMatchObject({ status: 200, body: { id, status: 'UNDONE' } });
    expect((await records())[0]).toEqual(again.body);
    expect((await importCsv(batch, rows)).body).toMatchObject({ success: true });
    expect(await undo((await records())[0].id)).toMatchObject({ status: 200 });
  });

  test('an IPL or JSON import goes with its batch', async () => {
    const lancamentos = [{ debcre: 'D', day: '05', conta: '1.1.1', contrapartida: '3.1', valor: 7 }];
    const body = {
      empresa: bank.company,
      filial: bank.branch,
      lote: '77',
      ano: 2026,
      mes: 1,
      documentos: [
        { documento: '1', lancamentos },
        { documento: '2', lancamentos: [] },
      ],
    };
    const { id } = await bodyOf(movements('POST', '/importMovimentJson', body));
    expect(await undo((await records())[0].id)).toMatchObject({ status: 200, body: { kind: 'JSON', batchId: id } });
    expect((await movements('GET', `/batch/${id}`)).status).toBe(404);
    expect((await movements('POST', '/importMovimentJson', body)).status).toBe(201);
    await bodyOf(undo((await records())[0].id));
  });

  test('is refused where the books went on: changed, deleted, reversed, a day or the month closed', async () => {
    const { batch, id } = await imported(12);
    const [ten, eleven] = await documentsOf(batch);
    const [line] = await entriesOf(ten.id);
    const refused = (changed: number, deleted: number, reversed: number) => ({
      status: 400,
      body: {
        code: 'IMPORT_CHANGED_SINCE',
        detail: `Import ${id} cannot be undone: since then ${changed} of its lines were changed, ${deleted} deleted, ${reversed} reversed`,
      },
    });
    const { id: _id, ...facts } = line;
    expect(await movements('PUT', `/entry/${line.id}`, { ...facts, valor: 5 })).toMatchObject({ status: 200 });
    expect(await undo(id)).toMatchObject(refused(2, 0, 0));
    const [other] = await entriesOf(eleven.id);
    await bodyOf(
      movements('POST', `/entry/${other.id}/reversal`, { day: '2026-01-07', motivo: 'Lançado em duplicidade' }),
    );
    expect(await undo(id)).toMatchObject(refused(2, 0, 2));
    await bodyOf(movements('DELETE', `/entry/${line.id}`));
    expect(await undo(id)).toMatchObject(refused(0, 2, 2));
    await bodyOf(movements('DELETE', `/batch/${batch}`));
    expect(await undo(id)).toMatchObject(refused(0, 4, 0));
    expect(await entriesOf(ten.id)).toMatchObject({ status: 404 });
  });

  test('of a closed month is refused; its mark goes into the archive and back', async () => {
    const { id } = await imported(13);
    await closeMonth(platform.admin, bank, '01/2026');
    expect(await undo(id)).toMatchObject({ status: 400, body: { code: 'MONTH_CONSOLIDATED' } });
    await archiveMonth(platform.admin, bank, '01/2026');
    expect(await undo(id)).toMatchObject({ status: 400, body: { code: 'MONTH_CONSOLIDATED' } });
    await unarchiveMonth(platform.admin, bank, '01/2026');
    const place = `/monthOpening/${bank.company}/${bank.branch}`;
    await bodyOf(platform.admin.post('masterdata', place, { newyearmonth: '01/2026', ...REOPENING }));
    for (const status of ['F', 'A']) {
      await bodyOf(
        platform.admin.post('masterdata', `/calendar/${bank.company}/${bank.branch}`, { date: '2026-01-06', status }),
      );
      if (status === 'F') expect(await undo(id)).toMatchObject({ status: 400, body: { code: 'DAY_CLOSED' } });
    }
    expect(await undo(id)).toMatchObject({ status: 200, body: { lines: 4 } });
  });

  test('what saved nothing, does not exist or belongs to others cannot be undone', async () => {
    const batch = await newBatch();
    await importCsv(batch, ['1;1;5;D;9.9.9;3.1;1;x']);
    const [wrong] = await records();
    await importCsv(batch, ['1;1;5;D;1.1.1;3.1;1;x'], '?dryRun=true');
    const [dry] = await records();
    for (const { id } of [wrong, dry]) {
      expect(await undo(id)).toMatchObject({ status: 400, body: { code: 'IMPORT_SAVED_NOTHING' } });
    }
    expect((await undo(999_999)).status).toBe(404);
    expect((await movements('DELETE', '/imports/0')).status).toBe(400);
    const elsewhere = await createBank(platform.admin);
    const eva = await createUser(platform.admin, { username: 'eva', permissions: [{ company: elsewhere.company }] });
    const stranger = await platform.as(eva.username, eva.password);
    expect((await stranger.call('movements', 'DELETE', `/imports/${dry.id}`)).status).toBe(404);
  });
});

describe('control totals', () => {
  test('that agree are kept with the import', async () => {
    const rows = ['1;1;5;D;1.1.1;3.1;10,50;a', '1;2;5;D;8.1;;2,00;b', '1;2;5;C;1.1.1;;2,00;b'];
    const said = 'controlRows=3&controlDebits=12.50&controlCredits=12.5';
    expect((await importCsv(await newBatch(), rows, `?${said}`)).body).toMatchObject({ success: true });
    expect((await records())[0]).toMatchObject({
      lines: 4,
      debits: 12.5,
      credits: 12.5,
      controlRows: 3,
      controlDebits: 12.5,
      controlCredits: 12.5,
    });
  });

  test('each that differs refuses the file, in the language of the reader', async () => {
    const batch = await newBatch();
    const rows = ['1;1;5;D;1.1.1;3.1;1000,51;a'];
    const answer = await importCsv(batch, rows, '?controlRows=2&controlDebits=1000.50&controlCredits=1.51');
    expect(answer.body).toMatchObject({
      success: false,
      errors: [
        'row 1: controlRows: the control total says 2, the file has 1',
        'row 1: controlDebits: the control total says 1,000.50, the file sums to 1,000.51',
        'row 1: controlCredits: the control total says 1.51, the file sums to 1,000.51',
      ],
    });
    expect((await records())[0]).toMatchObject({
      status: 'REFUSED',
      controlRows: 2,
      controlDebits: 1000.5,
      lines: null,
    });
    expect(await documentsOf(batch)).toEqual([]);
  });

  test('of a file with wrong rows: only their number is compared', async () => {
    const rows = ['1;1;5;D;1.1.1;3.1;1;a', '1;2;5;D;9.9.9;3.1;1;a'];
    const { body } = await importCsv(await newBatch(), rows, '?controlRows=3&controlDebits=2');
    expect(body.errors).toEqual([
      'row 1: controlRows: the control total says 3, the file has 2',
      'row 3: conta: Account 9.9.9 does not exist in the chart of the branch',
    ]);
  });

  test.each([
    ['controlRows', '-1'],
    ['controlRows', '1.5'],
    ['controlDebits', '1,50'],
    ['controlDebits', '1.555'],
    ['controlCredits', '-3'],
    ['controlCredits', '1e400'],
    ['controlTotal', '1'],
  ])('%s=%s is 400', async (name, value) => {
    const answer = await importCsv(await newBatch(), ['1;1;5;D;1.1.1;3.1;1;a'], `?${name}=${value}`);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: name }] } });
  });

  test('come with an IPL or JSON file as well', async () => {
    const lancamentos = [{ debcre: 'D', day: '05', conta: '1.1.1', contrapartida: '3.1', valor: 7 }];
    const body = {
      empresa: bank.company,
      filial: bank.branch,
      lote: '78',
      ano: 2026,
      mes: 1,
      documentos: [{ documento: '1', lancamentos }],
    };
    expect(await movements('POST', '/importMovimentJson?controlDebits=8', body)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'controlDebits' }] },
    });
    expect((await movements('POST', '/importMovimentJson?controlDebits=7&controlRows=1', body)).status).toBe(201);
  });
});

test('the list of imports has pages and says how many there are', async () => {
  const all = await records();
  const page = await movements('GET', `/imports/${bank.company}/${bank.branch}?page=1&size=2`);
  expect(page.headers.get('x-total-count')).toBe(String(all.length));
  expect(page.body).toEqual(all.slice(2, 4));
  expect((await movements('GET', `/imports/${bank.company}/${bank.branch}?size=1001`)).status).toBe(400);
});
