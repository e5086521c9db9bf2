import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bank } from '../support/banks.ts';
import { book } from '../support/books.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { createBooks, print } from '../support/report-books.ts';

// Everything that a page over closed months shows is in the key of the kept files: what changes, changes the page at
// once; what was closed with the month does not, however it is printed. January is closed.

const SIGNATORIES = [
  { name: 'Maria da Silva', role: 'Diretora', legalResponsible: true },
  { name: 'João Souza', role: 'Contador', crc: '1SP123456/O-1', ufCrc: 'SP' },
];

const templates = mkdtempSync(join(tmpdir(), 'partidas-templates-'));
let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform({ REPORT_TEMPLATES: templates });
  bank = await createBooks(
    platform.admin,
    book`
      02/01  1.1.2  D  100,00  3.1
      05/01  1.1.1  D   10,00  7.1
    `,
    { options: { signatories: SIGNATORIES, diaryBookNumber: 7 } },
  );
  await closeMonth(platform.admin, bank, '01/2026');
  await openMonth(platform.admin, bank, '02/2026');
});
afterAll(async () => {
  await platform?.stop();
  rmSync(templates, { recursive: true, force: true });
});

const january = { dataInicio: '2026-01-01', dataFim: '2026-01-31' };
const month = { ano: 2026, mes: 1 };

/** A page without the moment of its printing. */
async function page(path: string, request: object): Promise<string> {
  const body = { empresa: bank.company, filial: bank.branch, ...request, visualizationEnum: 'TXT' };
  return (await print(platform.admin, path, body)).text.replace(/Emitido em [\d/ :]+/g, '');
}

const md = (method: string, path: string, body?: object) => platform.admin.call('masterdata', method, path, body);

async function change(path: string, fields: object): Promise<void> {
  const { body } = await md('GET', path);
  const answer = await md('PUT', path, { ...body, ...fields });
  expect(answer.status, answer.text).toBe(200);
}

async function changeOptions(fields: object): Promise<void> {
  const { body } = await md('GET', `/company/options/company/${bank.company}/${bank.branch}`);
  await change(`/company/options/${body.id}`, fields);
}

async function create(path: string, body: object): Promise<number> {
  const answer = await md('POST', path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

const ofBranch = () => ({ company: bank.company, branch: bank.branch });
const account = (code: string) => `/chartOfAccounts/${bank.accounts.get(code)}`;

async function addFund(): Promise<void> {
  const fundTypeId = await create('/fundType', { code: 'FI', description: 'Fundo', regulatoryPlan: 'COFI' });
  await create('/fund/settings', { ...ofBranch(), fundTypeId, cnpj: '11222333000181', name: 'Fundo Novo' });
}

async function changeTemplate(): Promise<void> {
  const builtIn = new URL('../../src/features/reporting/print/templates/monthlyTrialBalance.json', import.meta.url);
  const text = JSON.parse(await readFile(builtIn, 'utf8'));
  writeFileSync(join(templates, 'monthlyTrialBalance.json'), JSON.stringify({ ...text, title: 'Balancete da casa' }));
}

async function changeTermTexts(): Promise<void> {
  const own = { title: 'Termo da casa', paragraphs: ['{{book}}'] };
  writeFileSync(join(templates, 'bookTermTexts.json'), JSON.stringify({ opening: own, closing: own }));
}

const quotas = () => ({ ...ofBranch(), netEquityAccountId: bank.accounts.get('3'), numberOfQuotas: 10 });
const confirmQuota = async () => {
  const path = `/taxquotacalculation/${bank.company}/${bank.branch}?confirmed=true`;
  expect((await platform.admin.get('movements', path)).status).toBe(200);
};
const addAccount = () =>
  create('/chartOfAccounts', {
    ...{ chartCode: bank.chartCode, cdAccounting: '1.1.9', description: 'Nova' },
    ...{ accountType: 'A', nature: 'D', accountClass: '01' },
  });

test.each<[string, string, object, () => Promise<unknown>]>([
  ["the installation's template", 'monthlyTrialBalance', month, changeTemplate],
  ['the wording of the terms', 'relatorioDiarioGeral', { ...january, includeTerms: true }, changeTermTexts],
  [
    'the number of the next book',
    'relatorioDiarioGeral',
    { ...january, includeTerms: true },
    async () => {
      rmSync(join(templates, 'bookTermTexts.json'));
      await page('relatorioDiarioGeral', { ...january, includeTerms: true });
      await changeOptions({ diaryBookNumber: 8 });
    },
  ],
  ['the end of the fiscal year', 'patrimonialBalance', month, () => changeOptions({ fiscalYearEndMonth: 6 })],
  ['the fund', 'monthlyTrialCVMBalance', month, addFund],
  ['the settings of the quota', 'patrimonialCVMBalance', month, () => create('/quotacalculation/', quotas())],
  ['the quota of the equity', 'patrimonialCVMBalance', month, confirmQuota],
])('%s changes the page', async (_, path, request, act) => {
  const before = await page(path, request);
  expect(await page(path, request)).toBe(before);
  await act();
  expect(await page(path, request)).not.toBe(before);
});

test.each<[string, () => Promise<unknown>]>([
  ['the name of the company', () => change(`/companies/${bank.companyId}`, { name: 'Outra Companhia' })],
  ['the name of the branch', () => change(`/branch/${bank.branchId}`, { name: 'Outra Filial' })],
  ['the name of an account', () => change(account('1.1.1'), { description: 'Outra Conta' })],
  ['an account that is added', addAccount],
  ['the signatories', () => changeOptions({ signatories: [{ ...SIGNATORIES[0], name: 'Outra' }, SIGNATORIES[1]] })],
  ['a standard history', () => create('/history', { ...ofBranch(), cdHistory: '1', description: 'Texto' })],
])('%s is frozen with the month: the page stays', async (_, act) => {
  const pages = () =>
    Promise.all([
      page('monthlyTrialBalance', { ...month, showZeroBalances: true }),
      page('patrimonialBalance', month),
      page('relatorioDiarioGeral', { ...january, includeTerms: true }),
      page('relatorioRazao', january),
    ]);
  const before = await pages();
  await act();
  expect(await pages()).toEqual(before);
});
