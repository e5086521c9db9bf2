import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  await post(platform.admin, bank, book`05/01 1.1.1 D 10,00 3.1`);
});
afterAll(() => platform?.stop());

const trail = async (action: string) =>
  (await platform.admin.get('authentication', `/api/admin/audit?action=${action}&company=${bank.company}`)).body
    .content;
const balance = () => ({ empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1, visualizationEnum: 'CSV' });
const print = (query = '') => platform.admin.post('reports', `/reports/monthlyTrialBalance${query}`, balance());
const who = () => ({ username: 'admin', address: '127.0.0.1', company: bank.company, branch: bank.branch });

test('a printed report is in the trail: who, which, of which period, in which form', async () => {
  expect((await print()).status).toBe(200);
  expect(await trail('PRINT')).toMatchObject([
    { ...who(), entity: 'monthlyTrialBalance', after: { month: '2026-01', format: 'CSV' } },
  ]);
  const parts = { visualizationEnum: 'CSV', relatorios: [{ tipo: 'monthlyTrialBalance', parametros: balance() }] };
  expect((await platform.admin.post('reports', '/reports/combineReport', parts)).status).toBe(200);
  expect(await trail('PRINT')).toHaveLength(2);
});

test('so is each download of a file printed in the background', async () => {
  const { body } = await print('?async=true');
  const job = async () => (await platform.admin.get('reports', `/reports/jobs/${body.id}`)).body;
  await expect.poll(async () => (await job()).status, { timeout: 10_000 }).toBe('DONE');
  expect(await trail('DOWNLOAD')).toEqual([]);
  expect((await platform.admin.get('reports', (await job()).download)).status).toBe(200);
  expect(await trail('DOWNLOAD')).toMatchObject([
    { ...who(), entity: 'report', entityId: String(body.id), after: { request: { month: '2026-01' }, format: 'CSV' } },
  ]);
});

test('so is a listing that leaves as a file, and not its pages', async () => {
  const period = 'dataInicio=2026-01-01&dataFim=2026-01-31';
  const entries = `/entries/${bank.company}/${bank.branch}?${period}`;
  expect((await platform.admin.get('queries', entries)).status).toBe(200);
  expect(await trail('EXPORT')).toEqual([]);
  const asCsv = (path: string) => platform.admin.call('queries', 'GET', path, undefined, { accept: 'text/csv' });
  expect((await asCsv(entries)).text).toContain('10,00');
  expect(await trail('EXPORT')).toMatchObject([
    { ...who(), entity: 'entry', after: { dataInicio: '2026-01-01', dataFim: '2026-01-31' } },
  ]);
});
