import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServiceName } from '../../src/platform/config.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { archiveMonth, closeMonth, openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// January 2026 is archived, February open. What requests lines of January is rejected and names it; balances stay.

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  await post(platform.admin, bank, book`05/01 1.1.1 D 10,00 3.1`);
  await openMonth(platform.admin, bank, '02/2026');
  await closeMonth(platform.admin, bank, '01/2026');
  await archiveMonth(platform.admin, bank, '01/2026');
});
afterAll(() => platform?.stop());

type Asked = readonly [service: ServiceName, path: string, body?: object, headers?: Record<string, string>];

const tenant = () => `empresa=${bank.company}&filial=${bank.branch}`;
const here = () => `${bank.company}/${bank.branch}`;
const YEAR = 'dataInicio=2026-01-01&dataFim=2026-02-28';
const FEBRUARY = 'dataInicio=2026-02-01&dataFim=2026-02-28';
const LEGACY = '/api/v1/legacy-integration/lancamentos-contabeis';
const report = () => ({ empresa: bank.company, filial: bank.branch, visualizationEnum: 'CSV' });
const days = { dataInicio: '2026-01-01', dataFim: '2026-01-31' };
const TERMS = {
  visualizationEnum: 'PDF',
  tipo: 'AMBOS',
  livro: 'DIARIO',
  numeroOrdem: 1,
  quantidadePaginas: 10,
  signatarios: [
    { name: 'Ana Souza', cpf: '52998224725', role: 'Diretora', legalResponsible: true },
    { name: 'Rui Lima', cpf: '52998224725', role: 'Contador', crc: '123456', ufCrc: 'SP' },
  ],
};
const ledger = (month: number) => ({
  empresa: bank.company,
  filial: bank.branch,
  contaId: bank.accounts.get('1.1.1'),
  year: 2026,
  month,
});

/** Everything that reads lines of a period or sums them, over a period with the archived month. */
const REFUSED: Readonly<Record<string, () => Asked>> = {
  'ledger of an account': () => ['queries', '/generalLedgerQuery', ledger(1)],
  'lines by filters': () => ['queries', `/entries/${here()}?${YEAR}`],
  'days of a ledger': () => ['queries', `/ledger/${here()}/${bank.accounts.get('1.1.1')}?month=2026-01`],
  'lines of a ledger': () => ['queries', `/ledger/${here()}/${bank.accounts.get('1.1.1')}/lines?month=2026-01`],
  'lines as CSV': () => ['queries', `/entries/${here()}?${YEAR}`, undefined, { accept: 'text/csv' }],
  'legacy lines': () => ['queries', `${LEGACY}?${tenant()}&${YEAR}`],
  'legacy lines of a company': () => ['queries', `${LEGACY}?empresa=${bank.company}&${YEAR}`],
  'legacy lines of all that is reached': () => ['queries', `${LEGACY}?${YEAR}`],
  'posted lines of reports': () => ['reports', `/api/v1/lancamentos-contabeis?${tenant()}&${YEAR}`],
  'posting listing': () => ['reports', '/reports/lancamentos', { ...report(), ...days }],
  'ledger book': () => ['reports', '/reports/relatorioRazao', { ...report(), ...days }],
  journal: () => ['reports', '/reports/relatorioDiarioGeral', { ...report(), ...days }],
  'terms of a book': () => ['reports', '/reports/reportTermos', { ...report(), ...days, ...TERMS }],
  'summary of a branch': () => ['movements', `/batchsummary/${here()}`],
  'summary of a branch in master data': () => ['masterdata', `/batchsummary/${here()}`],
};

const ask = ([service, path, body, headers]: Asked) =>
  platform.admin.call(service, body ? 'POST' : 'GET', path, body, headers);

test.each(Object.entries(REFUSED))('%s', async (_name, asked) => {
  const answer = await ask(asked());
  expect(answer, answer.text).toMatchObject({ status: 400, body: { code: 'MONTH_PURGED' } });
  expect(answer.body.detail).toContain('01/2026');
});

/** Reads of closed balances, of other months, and of the archive. */
const ANSWERED: Readonly<Record<string, () => Asked>> = {
  'ledger of an open month': () => ['queries', '/generalLedgerQuery', ledger(2)],
  'lines of an open month': () => ['queries', `/entries/${here()}?${FEBRUARY}`],
  'legacy lines of an open month': () => ['queries', `${LEGACY}?${tenant()}&${FEBRUARY}`],
  'balances by month': () => ['reports', `/api/v1/saldos/plano-saldo?${tenant()}&ano=2026&mes=01`],
  'balances of a day': () => ['reports', `/api/v1/saldos/plano-saldo-dia?${tenant()}&ano=2026&mes=01&dia=05`],
  equity: () => ['reports', `/api/v1/saldos/plsaldos?${tenant()}`],
  'summary with history': () => ['movements', `/batchsummary/${here()}?history=true`],
  'batches of the history': () => ['movements', `/allbatch/${here()}?history=true`],
};

test.each(Object.entries(ANSWERED))('%s', async (_name, asked) => {
  const answer = await ask(asked());
  expect(answer.status, answer.text).toBe(200);
});

test('with history nothing is missing; balances by day are those of the month', async () => {
  const summary = await platform.admin.get('movements', `/batchsummary/${here()}?history=true`);
  expect(summary.body).toMatchObject({ totalBatches: 1, totalDocuments: 1, totalEntries: 2, totalDebit: 10 });
  const path = `/api/v1/saldos/plano-saldo-dia?${tenant()}&ano=2026&mes=01&dia=05&tamanho=100`;
  const day = (await platform.admin.get('reports', path)).body;
  expect(JSON.stringify(day)).toContain('"debito":10');
});

test('the calendar knows that the purged day had entries', async () => {
  const path = `/calendar/${bank.company}/${bank.branch}/01/2026`;
  const { body, text } = await platform.admin.get('masterdata', path);
  const day = body.find((each: { date: string }) => each.date === '2026-01-05');
  expect(day, text).toMatchObject({ hasEntries: true });
});

test('the month is not reopened, and says what to do', async () => {
  const path = `/monthOpening/${here()}`;
  const body = { newyearmonth: '01/2026', reason: 'Ajuste' };
  const answer = await platform.admin.call('movements', 'POST', path, body, { 'accept-language': 'pt-BR' });
  expect(answer).toMatchObject({ status: 400, body: { code: 'MONTH_PURGED' } });
  expect(answer.body.detail).toBe('Os lançamentos do mês 01/2026 foram expurgados; restaure-os antes');
});
