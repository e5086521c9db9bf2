import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { type BookEntry, book, entryBody, newDocument, postEntry } from '../support/books.ts';
import { openMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let bank: Bank;
let documentId: number;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  documentId = await newDocument(platform.admin, bank, '01/2026');
});
afterAll(() => platform?.stop());

const ORIGINAL = book`05/01  1.1.1  D  10,00  2.1.1  "Original"`;
/** Posts the entry; answers its first line. */
const posted = (entries: readonly BookEntry[]) => bodyOf(postEntry(platform.admin, bank, documentId, entries));
const put = (id: number, entries: readonly BookEntry[], of = documentId) =>
  platform.admin.call('movements', 'PUT', `/entry/${id}`, entryBody(bank, of, entries));

test('an entry of an open month is replaced as a whole, and the trail keeps both images', async () => {
  const line = await posted(ORIGINAL);
  const changed = await put(line.id, book`06/01  1.1.2  D  12,34  2.1.1  "Corrigido"`);
  expect(changed).toMatchObject({
    status: 200,
    body: { id: line.id, lancamento: line.lancamento, valor: 12.34, day: '06', historico: 'Corrigido' },
  });
  const lines = (await platform.admin.get('movements', `/allentry/${documentId}`)).body;
  expect(
    lines.map((each: { debcre: string; valor: number; day: string }) => [each.debcre, each.valor, each.day]),
  ).toEqual([
    ['D', 12.34, '06'],
    ['C', 12.34, '06'],
  ]);
  const trail = await platform.admin.get('authentication', `/api/admin/audit?entity=entry&entityId=${line.id}`);
  expect(trail.text).toContain('Original');
  expect(trail.text).toContain('Corrigido');
  expect((await put(line.id, book`05/01  1.1.1  D  0,00  2.1.1`)).status).toBe(400);
  expect((await put(line.id, ORIGINAL, documentId + 1)).status).toBe(400);
  expect((await put(line.id, book`05/01  1.1  D  10,00  2.1.1`)).body.code).toBe('ACCOUNT_SYNTHETIC');
  expect((await put(999_999, ORIGINAL)).status).toBe(404);
});

test('an entry is reversed once, on an open day, linked both ways', async () => {
  const line = await posted(book`05/01  1.1.1  D  7,00  2.1.1`);
  const path = `/entry/${line.id}/reversal`;
  for (const motivo of [undefined, null, '', '   ', 'x'.repeat(301)]) {
    const refused = await platform.admin.post('movements', path, { day: '2026-01-20', motivo });
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'motivo']);
  }
  expect(
    (await platform.admin.post('movements', path, { day: '2026-02-01', motivo: 'Lançado em duplicidade' })).status,
  ).toBe(400);
  const reversed = await platform.admin.post('movements', path, {
    day: '2026-01-20',
    motivo: 'Lançado em duplicidade',
  });
  expect(reversed.status).toBe(201);
  expect(
    reversed.body.map((each: { debcre: string; contaId: number; valor: number }) => [
      each.debcre,
      each.contaId,
      each.valor,
    ]),
  ).toEqual([
    ['C', bank.accounts.get('1.1.1'), 7],
    ['D', bank.accounts.get('2.1.1'), 7],
  ]);
  expect(
    await platform.admin.post('movements', path, { day: '2026-01-21', motivo: 'Lançado em duplicidade' }),
  ).toMatchObject({
    status: 400,
    body: { code: 'REVERSED_BEFORE' },
  });
  const forth = (await platform.admin.get('movements', path)).body;
  const motivo = 'Lançado em duplicidade';
  expect(forth).toEqual({
    reversedBy: {
      documentId: reversed.body[0].documentId,
      lote: 'EST',
      documento: '1',
      lancamento: '1',
      day: '2026-01-20',
      motivo,
    },
    reverses: null,
  });
  const back = (await platform.admin.get('movements', `/entry/${reversed.body[0].id}/reversal`)).body;
  expect(back).toEqual({
    reversedBy: null,
    reverses: { documentId, lote: '1', documento: '1', lancamento: line.lancamento, day: '2026-01-05', motivo },
  });
  expect(reversed.body[0].historico).toBe(`Estorno do lançamento 1/1/${line.lancamento} de 05/01/2026: ${motivo}`);
});

test("a reversal in the caller's own words still says what it reverses, when and why", async () => {
  const line = await posted(book`05/01  1.1.1  D  7,50  2.1.1`);
  const { status, body } = await platform.admin.post('movements', `/entry/${line.id}/reversal`, {
    day: '2026-01-20',
    motivo: 'Lançado em duplicidade',
    historico: 'Devolução da taxa',
  });
  expect(status).toBe(201);
  const said = `Devolução da taxa (estorno do lançamento 1/1/${line.lancamento} de 05/01/2026: Lançado em duplicidade)`;
  expect(body.map((each: { historico: string }) => each.historico)).toEqual([said, said]);
});

test('neither an entry nor its reversal changes after the other, until the reversal is deleted', async () => {
  const line = await posted(book`05/01  1.1.1  D  8,00  2.1.1`);
  const reversed = await platform.admin.post('movements', `/entry/${line.id}/reversal`, {
    day: '2026-01-20',
    motivo: 'Lançado em duplicidade',
  });
  const mirror = reversed.body[0];
  const refused = { status: 400, body: { code: 'MIRRORED' } };
  const nine = book`05/01  1.1.1  D  9,00  2.1.1`;
  expect(await put(line.id, nine)).toMatchObject(refused);
  expect(await put(mirror.id, nine, mirror.documentId)).toMatchObject(refused);
  expect((await platform.admin.call('movements', 'DELETE', `/entry/${mirror.id}`)).status).toBe(200);
  expect(await put(line.id, nine)).toMatchObject({ status: 200, body: { valor: 9 } });
});
