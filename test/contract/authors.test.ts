import { afterAll, beforeAll, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Bank, closureSettings, createBank } from '../support/banks.ts';
import { book, post, postByHand } from '../support/books.ts';
import { archiveMonth, closeMonth, openMonth, unarchiveMonth } from '../support/months.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

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
  const documentId = await postByHand(maria, bank, book`05/01 1.1.1 D 10,00 3.1`);
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

test('closing entries have the user who requested the month close; archived and restored, all rows are the same', async () => {
  await post(maria, bank, book`06/01 1.1.1 D 3,00 7.1`);
  const settings = await platform.admin.post('masterdata', '/closuresettings', closureSettings(bank, [1]));
  expect(settings.status).toBe(201);
  await closeMonth(jose, bank, '01/2026');
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
  await archiveMonth(platform.admin, bank, '01/2026');
  expect(await rows()).toEqual([]);
  await unarchiveMonth(platform.admin, bank, '01/2026');
  expect(await rows()).toEqual(before);
});
