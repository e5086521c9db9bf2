import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank, createUser, openMonth } from '../support/books.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let bank: Bank;

beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
});
afterAll(() => platform?.stop());

const LEGACY = '/api/v1/legacy-integration';

test.each([
  ['a month before the base', { anomesini: '12/2025', anomesfim: '01/2026' }, 400],
  ['the range reversed', { anomesini: '02/2026', anomesfim: '01/2026' }, 400],
  ['month 13', { anomesini: '13/2026', anomesfim: '13/2026' }, 400],
  ['months written otherwise', { anomesini: '2026-01', anomesfim: '2026-01' }, 400],
  ['another combo type', { comboType: 'SOME' }, 400],
  ['an id of 2^53', { contaId: 2 ** 53 }, 400],
  ['an id as text', { contaId: '1' }, 400],
  ['an unknown field', { outro: 1 }, 400],
  ['an account of no chart', { contaId: 999_999_999 }, 404],
  ['an unknown company', { empresa: 'nada' }, 404],
])('balances of %s', async (_, more, status) => {
  const body = {
    contaId: bank.accounts.get('1.1.1'),
    empresa: bank.company,
    filial: bank.branch,
    anomesini: '01/2026',
    anomesfim: '01/2026',
  };
  expect((await platform.admin.post('queries', '/balanceInquiryDetails', { ...body, ...more })).status).toBe(status);
});

test.each([
  ['dataInicio=2026-01-31&dataFim=2026-01-01'],
  ['dataInicio=2026-02-31&dataFim=2026-03-01'],
  ['dataInicio=2026-01-01'],
  ['dataInicio=2026-01-01&dataFim=2026-01-31&tipoSaldo=X'],
  ['dataInicio=2026-01-01&dataFim=2026-01-31&pagina=-1'],
  ['dataInicio=2026-01-01&dataFim=2026-01-31&tamanho=1001'],
  ['dataInicio=1000-01-01&dataFim=9999-12-31'],
])('legacy balances of %s are refused', async (query) => {
  const path = `${LEGACY}/consulta-contabil?empresa=${bank.company}&filial=${bank.branch}&${query}`;
  expect((await platform.admin.get('queries', path)).status).toBe(400);
});

test('every query refuses a branch without permission, and lists nothing of it', async () => {
  const { username, password } = await createUser(platform.admin, { username: 'sem-acesso' });
  const stranger = await platform.as(username, password);
  const place = { contaId: bank.accounts.get('1.1.1'), empresa: bank.company, filial: bank.branch };
  const period = 'dataInicio=2026-01-01&dataFim=2026-01-31';
  const tenant = `empresa=${bank.company}&filial=${bank.branch}`;
  const answers = [
    await stranger.post('queries', '/balanceInquiryDetails', {
      ...place,
      anomesini: '01/2026',
      anomesfim: '01/2026',
    }),
    await stranger.post('queries', '/generalLedgerQuery', { ...place, year: 2026, month: 1 }),
    await stranger.get('queries', `/allChartOfAccount/${bank.company}/${bank.branch}`),
    await stranger.get('queries', `${LEGACY}/consulta-contabil?${tenant}&${period}`),
    await stranger.get('queries', `${LEGACY}/lancamentos-contabeis?${tenant}&${period}`),
    await stranger.get('queries', `/entries/${bank.company}/${bank.branch}?${period}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
  const all = await stranger.get('queries', `${LEGACY}/lancamentos-contabeis?${period}`);
  expect(all).toMatchObject({ status: 200, body: { conteudo: { totalElements: 0 } } });
});

test('the chart stands in the order of its numbers', async () => {
  const ten = { chartCode: bank.chartCode, cdAccounting: '1.1.10', description: 'Outras', accountType: 'A' };
  await platform.admin.post('masterdata', '/chartOfAccounts', { ...ten, nature: 'D', accountClass: '01' });
  const { body } = await platform.admin.get('queries', `/allChartOfAccount/${bank.company}/${bank.branch}`);
  expect(body.map((each: { cdAccounting: string }) => each.cdAccounting).slice(0, 6)).toEqual([
    '1',
    '1.1',
    '1.1.1',
    '1.1.2',
    '1.1.10',
    '1.2',
  ]);
});
