import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, closureSettings, createBank, createHistories } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { archiveMonth, closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Client, type Platform, startPlatform } from '../support/platform.ts';
import { print, statementRequest } from '../support/report-books.ts';

// DMPL and DLPA: what changed the equity of a year, from the entries or as typed.

let platform: Platform;
let admin: Client;
let bank: Bank;
let changes: { id: number }[];
beforeAll(async () => {
  platform = await startPlatform();
  admin = platform.admin;
  bank = await createBank(admin, { baseYearMonth: '11/2025' });
  await bodyOf(admin.post('masterdata', '/closuresettings', closureSettings(bank, [12])));
  changes = await bodyOf(
    admin.post('masterdata', '/statements/default', { chartCode: bank.chartCode, kinds: ['DMPL', 'DLPA'] }),
  );
  await createHistories(admin, ['CAP', 'DIV']);
  for (const month of ['11/2025', '12/2025', '01/2026']) await openMonth(admin, bank, month);
  await post(
    admin,
    bank,
    book`
    03/11/2025  1.1.2  D  1.000,00  3.1
    04/11/2025  1.1.2  D    500,00  7.1
    05/12/2025  8.1    D    200,00  1.1.2
    10/01/2026  3.2    D    100,00  1.1.2
    11/01/2026  1.1.2  D     70,00  7.1
  `,
  );
  for (const month of ['11/2025', '12/2025']) await closeMonth(admin, bank, month);
});
afterAll(() => platform?.stop());

const request = (tipo: string, more: Record<string, unknown> = {}) => statementRequest(bank, tipo, more);

const shown = async (tipo: string, more = {}) =>
  (await print(admin, 'demonstracao', request(tipo, more))).cells.map((row) => row.join(' | '));

test('the changes in equity of a closed year come from its entries', async () => {
  expect(await shown('DMPL')).toEqual([
    'Descrição | Capital | Lucros ou prejuízos | Total',
    'Saldos em 31/10/2025 | 0,00 | 0,00 | 0,00',
    'Resultado do período | 0,00 | 300,00 | 300,00',
    'Outros movimentos | 1000,00 | 0,00 | 1000,00',
    'Saldos em 31/12/2025 | 1000,00 | 300,00 | 1300,00',
  ]);
});

test('a result that is not closed has a column of its own', async () => {
  expect(await shown('DMPL', { considerClosing: false })).toEqual([
    'Descrição | Capital | Resultado a encerrar | Total',
    'Saldos em 31/10/2025 | 0,00 | 0,00 | 0,00',
    'Resultado do período | 0,00 | 300,00 | 300,00',
    'Outros movimentos | 1000,00 | 0,00 | 1000,00',
    'Saldos em 31/12/2025 | 1000,00 | 300,00 | 1300,00',
  ]);
  expect(await shown('DMPL', { ano: 2026, mes: 1 })).toEqual([
    'Descrição | Capital | Lucros ou prejuízos | Resultado a encerrar | Total',
    'Saldos em 31/12/2025 | 1000,00 | 300,00 | 0,00 | 1300,00',
    'Resultado do período | 0,00 | 0,00 | 70,00 | 70,00',
    'Outros movimentos | 0,00 | -100,00 | 0,00 | -100,00',
    'Saldos em 31/01/2026 | 1000,00 | 200,00 | 70,00 | 1270,00',
  ]);
});

test('retained earnings stand in one column', async () => {
  expect(await shown('DLPA')).toEqual([
    'Descrição | Total',
    'Saldos em 31/10/2025 | 0,00',
    'Resultado do período | 300,00',
    'Saldos em 31/12/2025 | 300,00',
  ]);
});

test.each(['PDF', 'TXT', 'XLSX'])(
  'they are printed as %s, several periods one after the other',
  async (visualizationEnum) => {
    const more = { periodo: 'MES', periodos: 2, visualizationEnum };
    const { bytes } = await print(admin, 'demonstracao', request('DMPL', more));
    expect(bytes.length).toBeGreaterThan(500);
  },
);

test('typed facts take the place of those found, and must lead to the closing', async () => {
  const path = `/statements/${changes[0]!.id}/facts/${bank.company}/${bank.branch}/2026`;
  const write = (facts: object[]) => bodyOf(admin.call('masterdata', 'PUT', path, facts));
  const dividends = { mes: 1, code: 'DIV', lineCode: 'P3.2', description: 'Dividendos', amount: -90 };
  await write([dividends]);
  const answer = await admin.post('reports', '/reports/demonstracao', request('DMPL', { ano: 2026, mes: 1 }));
  expect(answer).toMatchObject({ status: 400, body: { code: 'EQUITY_FACTS_DIFFER' } });
  expect(answer.body.detail).toContain('Lucros ou prejuízos');
  expect(answer.body.detail).toContain('-10');
  await write([{ ...dividends, amount: -100 }]);
  expect((await shown('DMPL', { ano: 2026, mes: 1 }))[3]).toBe('Dividendos | 0,00 | -100,00 | 0,00 | -100,00');
  // Facts of January are none of another period.
  expect((await shown('DMPL'))[3]).toBe('Outros movimentos | 1000,00 | 0,00 | 1000,00');
});

test('entries in the archive cannot say what changed the equity', async () => {
  await archiveMonth(admin, bank, '11/2025');
  const answer = await admin.post('reports', '/reports/demonstracao', request('DMPL', { periodo: 'SEMESTRE' }));
  expect(answer).toMatchObject({ status: 400, body: { code: 'MONTH_PURGED' } });
});
