import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { book, postByHand } from '../support/books.ts';
import { openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let bank: Bank;
let other: Bank;
beforeAll(async () => {
  platform = await startPlatform();
  [bank, other] = [await createBank(platform.admin), await createBank(platform.admin)];
  for (const each of [bank, other]) await openMonth(platform.admin, each, '01/2026');
});
afterAll(() => platform?.stop());

const entry = book`05/01 1.1.1 D 7.654.321,09 3.1`;
const trail = async (query: string) =>
  (await platform.admin.get('authentication', `/api/admin/audit?action=DELETE&size=1000&${query}`)).body.content;
const batchOf = async (document: number) =>
  (await platform.admin.get('movements', `/document/${document}`)).body.batchId;
const remove = (path: string, body?: unknown) => platform.admin.call('movements', 'DELETE', path, body);

interface Image {
  part?: number;
  lines?: { side: string; amount: number; account_id: number; history?: string }[];
  documents?: { id: number; number: string }[];
}
const linesIn = (rows: readonly { before: Image }[]) => rows.flatMap(({ before }) => before.lines ?? []);
const BOTH = () => [
  { side: 'D', amount: 7_654_321.09, account_id: bank.accounts.get('1.1.1') },
  { side: 'C', amount: 7_654_321.09, account_id: bank.accounts.get('3.1') },
];

test('a batch, a document, an entry: each leaves all its lines in the trail', async () => {
  const documents = [await postByHand(platform.admin, bank, entry), await postByHand(platform.admin, bank, entry)];
  const third = await postByHand(platform.admin, bank, entry);
  const batch = await batchOf(documents[0]!);
  expect((await remove(`/batch/${batch}`)).status).toBe(200);
  const ofBatch = await trail(`entity=batch&entityId=${batch}`);
  expect(ofBatch).toMatchObject(ofBatch.map(() => ({ username: 'admin', company: bank.company, branch: '0001' })));
  expect(linesIn(ofBatch)).toMatchObject(BOTH());
  expect(ofBatch.flatMap(({ before }: { before: Image }) => before.documents ?? [])).toMatchObject([
    { id: documents[0] },
  ]);

  expect((await remove(`/document/${documents[1]}`)).status).toBe(200);
  expect(linesIn(await trail(`entity=document&entityId=${documents[1]}`))).toMatchObject(BOTH());

  const [, line] = (await platform.admin.get('movements', `/allentry/${third}`)).body;
  expect((await remove(`/entry/${line.id}`)).status).toBe(200);
  expect(linesIn(await trail(`entity=entry&entityId=${line.id}`))).toMatchObject(BOTH());
});

test('deleting several of two companies leaves each its own part only', async () => {
  const batches = [];
  for (const each of [bank, other]) batches.push(await batchOf(await postByHand(platform.admin, each, entry)));
  const { status } = await platform.admin.post('movements', '/batch/delete-multiple', { ids: batches });
  expect(status).toBe(200);
  for (const [at, each] of [bank, other].entries()) {
    const rows = await trail(`entity=batch&entityId=${batches[at]}`);
    expect(new Set(rows.map(({ company }: { company: string }) => company))).toEqual(new Set([each.company]));
    expect(linesIn(rows).map(({ account_id }) => account_id)).toEqual([
      each.accounts.get('1.1.1'),
      each.accounts.get('3.1'),
    ]);
  }
});

test('a large batch leaves its lines in pieces, none of them lost', async () => {
  const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
  const { id } = (await platform.admin.post('movements', '/batch', place)).body;
  const rows = Array.from({ length: 1_234 }, (_, at) => `${at % 3};${at + 1};7;D;1.1.1;3.1;${at + 1},01;nº ${at}`);
  const form = new FormData();
  form.set(
    'file',
    new Blob([['documento;lancamento;dia;debcre;conta;contrapartida;valor;historico', ...rows].join('\n')]),
    'l.csv',
  );
  expect((await platform.admin.post('movements', `/batch/${id}/import`, form)).body).toMatchObject({ success: true });
  expect((await remove(`/batch/${id}`)).status).toBe(200);
  const kept = await trail(`entity=batch&entityId=${id}`);
  expect(linesIn(kept)).toHaveLength(2_468);
  expect(kept.every(({ before }: { before: Image }) => (before.lines?.length ?? 0) <= 200)).toBe(true);
  const cents = linesIn(kept).reduce((sum, { side, amount }) => sum + (side === 'D' ? Math.round(amount * 100) : 0), 0);
  expect(cents).toBe(rows.reduce((sum, _, at) => sum + (at + 1) * 100 + 1, 0));
});
