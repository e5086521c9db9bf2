import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let bank: Bank;
let documentId: number;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  const batch = await platform.admin.post('movements', '/batch', {
    empresa: bank.company,
    filial: bank.branch,
    ano: 2026,
    mes: 1,
  });
  documentId = (await platform.admin.post('movements', '/document', { batchId: batch.body.id })).body.id;
});
afterAll(() => platform?.stop());

const body = (more: object = {}) => ({
  documentId,
  debcre: 'D',
  day: '05',
  contaId: bank.accounts.get('1.1.1'),
  contrapartida: bank.accounts.get('2.1.1'),
  valor: 10,
  historico: 'Original',
  ...more,
});
const put = (id: number, more: object) => platform.admin.call('movements', 'PUT', `/entry/${id}`, body(more));

test('an entry of an open month is replaced as a whole, and the trail keeps both images', async () => {
  const { body: line } = await platform.admin.post('movements', '/entry', body());
  const changed = await put(line.id, {
    valor: 12.34,
    day: '06',
    contaId: bank.accounts.get('1.1.2'),
    historico: 'Corrigido',
  });
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
  expect((await put(line.id, { valor: 0 })).status).toBe(400);
  expect((await put(line.id, { documentId: documentId + 1 })).status).toBe(400);
  expect((await put(line.id, { contaId: bank.accounts.get('1.1') })).body.code).toBe('ACCOUNT_SYNTHETIC');
  expect((await put(999_999, {})).status).toBe(404);
});

test('an entry is reversed once, on an open day, linked both ways', async () => {
  const { body: line } = await platform.admin.post('movements', '/entry', body({ valor: 7 }));
  const path = `/entry/${line.id}/reversal`;
  expect((await platform.admin.post('movements', path, { day: '2026-02-01' })).status).toBe(400);
  const reversed = await platform.admin.post('movements', path, { day: '2026-01-20' });
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
  expect(await platform.admin.post('movements', path, { day: '2026-01-21' })).toMatchObject({
    status: 400,
    body: { code: 'REVERSED_BEFORE' },
  });
  const forth = (await platform.admin.get('movements', path)).body;
  expect(forth).toEqual({ reversedBy: { documentId: reversed.body[0].documentId, lancamento: '1' }, reverses: null });
  const back = (await platform.admin.get('movements', `/entry/${reversed.body[0].id}/reversal`)).body;
  expect(back).toEqual({ reversedBy: null, reverses: { documentId, lancamento: line.lancamento } });
});

test('neither an entry nor its reversal changes after the other, until the reversal is deleted', async () => {
  const { body: line } = await platform.admin.post('movements', '/entry', body({ valor: 8 }));
  const reversed = await platform.admin.post('movements', `/entry/${line.id}/reversal`, { day: '2026-01-20' });
  const mirror = reversed.body[0];
  const refused = { status: 400, body: { code: 'MIRRORED' } };
  expect(await put(line.id, { valor: 9 })).toMatchObject(refused);
  expect(await put(mirror.id, { documentId: mirror.documentId, valor: 9 })).toMatchObject(refused);
  expect((await platform.admin.call('movements', 'DELETE', `/entry/${mirror.id}`)).status).toBe(200);
  expect(await put(line.id, { valor: 9 })).toMatchObject({ status: 200, body: { valor: 9 } });
});
