import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Bank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { closeMonth, openMonth, REOPENING } from '../support/months.ts';
import { hasPoppler, pagesOfPdf } from '../support/pdf.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { createBooks, print } from '../support/report-books.ts';

// Names, classes and signatories that a closed month prints are those of its month close. January is
// closed, February open; the clock stands still, and nothing comes from the files kept of earlier printings.

let platform: Platform;
let dataDir: string;
let bank: Bank;
let fundId: number;
let tenant: { empresa: string; filial: string };
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'partidas-names-'));
  platform = await startPlatform({ DATA_DIR: dataDir }, { now: () => new Date('2026-03-10T15:30:00Z') });
  bank = await createBooks(
    platform.admin,
    book`
      02/01  1.1.2  D  100,00  3.1
      05/01  1.1.1  D   10,00  7.1
    `,
    { options: { signatories: SIGNATORIES } },
  );
  tenant = { empresa: bank.company, filial: bank.branch };
  const fundType = { code: 'FI', description: 'Fundo', regulatoryPlan: 'COFI' };
  const { body: type } = await platform.admin.post('masterdata', '/fundType', fundType);
  const { company, branch } = bank;
  const fund = { company, branch, fundTypeId: type.id, cnpj: '11222333000181', name: 'Fundo Antigo' };
  const created = await platform.admin.post('masterdata', '/fund/settings', fund);
  expect(created.status, created.text).toBe(201);
  fundId = created.body.id;
  await closeMonth(platform.admin, bank, '01/2026');
  await openMonth(platform.admin, bank, '02/2026');
  await post(
    platform.admin,
    bank,
    book`
    03/02  1.1.1  D  7,00  1.1.2
  `,
  );
});
afterAll(async () => {
  await platform?.stop();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(() => rm(join(dataDir, 'report-cache'), { recursive: true, force: true }));

const SIGNATORIES = [
  { name: 'Maria Antiga', role: 'Diretora', cpf: '12345678909', legalResponsible: true },
  { name: 'João Antigo', role: 'Contador', crc: '1SP123456/O-1', ufCrc: 'SP' },
];

const january = { dataInicio: '2026-01-01', dataFim: '2026-01-31' };
const february = { dataInicio: '2026-02-01', dataFim: '2026-02-28' };
const month = (mes: number) => ({ ano: 2026, mes, showZeroBalances: true });

const PAPERS: readonly (readonly [string, object, object])[] = [
  ['lancamentos', january, february],
  ['cosifGeneralBalance', month(1), month(2)],
  ['monthlyTrialBalance', month(1), month(2)],
  ['monthlyTrialCVMBalance', month(1), month(2)],
  ['dailyTrialBalance', january, february],
  ['patrimonialBalance', month(1), month(2)],
  ['patrimonialCVMBalance', month(1), month(2)],
  ['relatorioRazao', { ...january, showZeroBalances: true }, february],
  ['relatorioDiarioGeral', january, february],
];

const paper = async (path: string, request: object, format = 'TXT') =>
  (await print(platform.admin, path, { ...tenant, ...request, visualizationEnum: format })).text;

/** Reads a record and writes it back with other fields. */
async function change(path: string, fields: object): Promise<void> {
  const { body } = await platform.admin.get('masterdata', path);
  const answer = await platform.admin.call('masterdata', 'PUT', path, { ...body, ...fields });
  expect(answer.status, answer.text).toBe(200);
}

async function changeEveryName(): Promise<void> {
  const [one, other] = SIGNATORIES;
  await change(`/companies/${bank.companyId}`, { name: 'Companhia Nova' });
  await change(`/branch/${bank.branchId}`, { name: 'Filial Nova' });
  await change(`/fund/settings/${fundId}`, { name: 'Fundo Novo' });
  for (const code of ['1', '1.1.1', '1.1.2', '3.1', '7.1']) {
    await change(`/chartOfAccounts/${bank.accounts.get(code)}`, { description: `Nova ${code}` });
  }
  const ofBranch = `/company/options/company/${bank.company}/${bank.branch}`;
  const { body: options } = await platform.admin.get('masterdata', ofBranch);
  await change(`/company/options/${options.id}`, {
    signatories: [
      { ...one, name: 'Maria Nova' },
      { ...other, name: 'João Novo' },
    ],
  });
  const { chartCode } = bank;
  const added = { chartCode, cdAccounting: '1.1.9', description: 'Mais', accountType: 'A', nature: 'D' };
  const created = await platform.admin.post('masterdata', '/chartOfAccounts', { ...added, accountClass: '01' });
  expect(created.status, created.text).toBe(201);
}

const terms = (period: object) => ({
  ...tenant,
  ...period,
  ...{ tipo: 'AMBOS', livro: 'BALANCETES', numeroOrdem: 1, quantidadePaginas: 10, dataTermo: '2026-03-10' },
  visualizationEnum: 'PDF',
});

test('a consolidated month prints the names of its consolidation; the next one those of now', async () => {
  const before = new Map<string, string>();
  for (const [path, request] of PAPERS) before.set(path, await paper(path, request));
  const workbook = await print(platform.admin, 'relatorioDiarioGeral', {
    ...tenant,
    ...january,
    visualizationEnum: 'CSV',
  });
  await changeEveryName();
  for (const [path, request, later] of PAPERS) {
    expect(await paper(path, request), path).toBe(before.get(path));
    const now = await paper(path, later);
    expect(now, path).toMatch(/Companhia Nova|Fundo Novo/);
    expect(now, path).toContain('Nova 1.1.1');
    expect(now, path).not.toContain('Caixa');
  }
  const again = await print(platform.admin, 'relatorioDiarioGeral', {
    ...tenant,
    ...january,
    visualizationEnum: 'CSV',
  });
  expect(again.text).toBe(workbook.text);
});

test('a report over both months names each line as its own month does', async () => {
  const journal = await paper(
    'relatorioDiarioGeral',
    { dataInicio: january.dataInicio, dataFim: february.dataFim },
    'CSV',
  );
  const names = journal.split('\r\n').map((line) => line.split(';').slice(0, 4));
  expect(names).toContainEqual(['05/01/2026', expect.any(String), '1.1.1', 'Caixa']);
  expect(names).toContainEqual(['03/02/2026', expect.any(String), '1.1.1', 'Nova 1.1.1']);
});

test.runIf(hasPoppler)(
  'terms are signed by those of the month, a month consolidated anew takes the names of now',
  async () => {
    const signed = async () => pagesOfPdf((await print(platform.admin, 'reportTermos', terms(january))).bytes).join();
    expect(await signed()).toContain('Maria Antiga');
    const reopen = await platform.admin.post('movements', `/monthOpening/${bank.company}/${bank.branch}`, {
      newyearmonth: '01/2026',
      ...REOPENING,
    });
    expect(reopen.status, reopen.text).toBeLessThan(300);
    await closeMonth(platform.admin, bank, '01/2026');
    expect(await signed()).toContain('Maria Nova');
    expect(await paper('monthlyTrialBalance', month(1))).toContain('Mais');
  },
);
