import { afterAll, beforeAll, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Bank, closureSettings, createBank, createUser, openMonth, postInJanuary } from '../support/books.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let bank: Bank;
let maria: Client;
let jose: Client;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  const member = async (username: string) => {
    const user = await createUser(platform.admin, { username, permissions: [{ company: bank.company }] });
    return platform.as(username, user.password);
  };
  maria = await member('maria');
  jose = await member('jose');
});
afterAll(() => platform?.stop());

const get = async (path: string) => (await maria.get('movements', path)).body;

test('a batch, a document and both lines say who made them, and who changed them last', async () => {
  const documentId = await postInJanuary(maria, bank, { debit: '1.1.1', credit: '3.1', valor: 10, day: '05' });
  const document = await get(`/document/${documentId}`);
  const [line, other] = await get(`/allentry/${documentId}`);
  const byMaria = { createdBy: 'maria', updatedBy: 'maria' };
  expect([document, await get(`/batch/${document.batchId}`), line, other]).toMatchObject([
    byMaria,
    byMaria,
    byMaria,
    byMaria,
  ]);
  const changed = await jose.call('movements', 'PUT', `/entry/${line.id}`, { ...line, valor: 11 });
  expect(changed.body).toMatchObject({ valor: 11, createdBy: 'maria', updatedBy: 'jose' });
  expect(await get(`/entry/${other.id}`)).toMatchObject({ createdBy: 'maria', updatedBy: 'jose' });
  // Master data shows the same rows.
  expect((await maria.get('masterdata', `/entry/${line.id}`)).body).toMatchObject({
    createdBy: 'maria',
    updatedBy: 'jose',
  });
});

test("an import is its importer's", async () => {
  const batch = (
    await maria.post('movements', '/batch', { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 })
  ).body;
  const form = new FormData();
  form.set(
    'file',
    new Blob(['documento;lancamento;dia;debcre;conta;contrapartida;valor;historico\n9;1;5;D;1.1.1;3.1;5,00;x']),
    'x.csv',
  );
  expect((await jose.post('movements', `/batch/${batch.id}/import`, form)).body).toMatchObject({ success: true });
  const [document] = await get(`/alldocument/${batch.id}`);
  const [line] = await get(`/allentry/${document.id}`);
  expect([batch.createdBy, document.createdBy, line.createdBy]).toEqual(['maria', 'jose', 'jose']);
});

test('closing entries are those of who asked for the consolidation; purged and restored, all rows are the same', async () => {
  await postInJanuary(maria, bank, { debit: '1.1.1', credit: '7.1', valor: 3, day: '06' });
  const settings = await platform.admin.post('masterdata', '/closuresettings', closureSettings(bank, [1]));
  expect(settings.status).toBe(201);
  const asked = await jose.post('movements', '/runconsolidation', {
    company: bank.company,
    branch: bank.branch,
    year: '2026',
    month: '01',
  });
  const state = async () => (await jose.get('movements', `/runconsolidation/${asked.body.id}`)).body.status;
  await expect.poll(state, { timeout: 10_000 }).toBe('DONE');
  const rows = () =>
    withOwnerConnection(platform.ownerUrl, async (client) => {
      const { rows } = await client.query(
        `SELECT 'batch' AS kind, to_jsonb(batch) AS row FROM batch UNION ALL SELECT 'document', to_jsonb(document) FROM document
         UNION ALL SELECT 'line', to_jsonb(entry_line) FROM entry_line ORDER BY 1, 2`,
      );
      return rows as { kind: string; row: { closing?: boolean; created_by: string } }[];
    });
  const before = await rows();
  const closing = before.filter(({ row }) => row.closing);
  expect(closing.length).toBeGreaterThan(2);
  expect(new Set(closing.map(({ row }) => row.created_by))).toEqual(new Set(['jose']));
  const purge = (doSend: boolean) =>
    platform.admin.post('movements', '/purging', {
      doSend,
      yearmonth: '01/2026',
      alternate: true,
      useRange: false,
      selectedBranchId: [bank.branchId],
    });
  expect((await purge(true)).body).toEqual([]);
  expect(await rows()).toEqual([]);
  expect((await purge(false)).body).toEqual([]);
  expect(await rows()).toEqual(before);
});
