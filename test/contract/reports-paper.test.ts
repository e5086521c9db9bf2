import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bank } from '../support/banks.ts';
import { book } from '../support/books.ts';
import { closeMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { createBooks, print } from '../support/report-books.ts';

// What an accountant looks for on every paper before signing it: titles, unit, position, marks, places to sign.

const BOOK = book`
  02/05  1.1.2  D  1.000,00  3.1    "Capital"
  02/06  1.1.2  D    900,00  7.1    "Juros"
  03/06  8.1    D    350,25  1.1.2  "Folha"
`;

const SIGNATORIES = [
  { name: 'João Souza', role: 'Contador', crc: 'SP-214567/O-3', ufCrc: 'SP' },
  { name: 'Maria da Silva', role: 'Diretora', cpf: '12345678909', legalResponsible: true },
];

const OF_JUNE = { ano: 2026, mes: 6 };
const DAYS = { dataInicio: '2026-05-01', dataFim: '2026-06-30' };
/** Papers that are signed. */
const STATEMENTS: Readonly<Record<string, object>> = {
  monthlyTrialBalance: OF_JUNE,
  monthlyTrialCVMBalance: OF_JUNE,
  cosifGeneralBalance: OF_JUNE,
  patrimonialBalance: OF_JUNE,
  patrimonialCVMBalance: OF_JUNE,
  dailyTrialBalance: { dataInicio: '2026-06-29', dataFim: '2026-06-30' },
};
const BOOKS: Readonly<Record<string, object>> = {
  lancamentos: DAYS,
  relatorioRazao: DAYS,
  relatorioDiarioGeral: DAYS,
};

let platform: Platform;
let open: Bank;
let closed: Bank;

beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date('2026-07-10T15:30:00Z') });
  const given = {
    months: ['05/2026', '06/2026'],
    baseYearMonth: '05/2026',
    options: { signatories: SIGNATORIES },
  };
  open = await createBooks(platform.admin, BOOK, given);
  closed = await createBooks(platform.admin, BOOK, given);
  for (const bank of [open, closed]) await closeInJune(bank);
  await closeMonth(platform.admin, open, '05/2026');
  for (const month of ['05/2026', '06/2026']) await closeMonth(platform.admin, closed, month);
});
afterAll(() => platform.stop());

async function closeInJune({ company, branch, accounts }: Bank): Promise<void> {
  const [result, equity] = [accounts.get('3.3'), accounts.get('3.2')];
  await bodyOf(
    platform.admin.post('masterdata', '/closuresettings', {
      ...{ company, branch, closingMonths: [6], revenueGroups: ['7*'], expenseGroups: ['8*'] },
      ...{ creditResultAccountId: result, debitResultAccountId: result },
      ...{ profitAccountId: equity, lossAccountId: equity },
    }),
  );
}

const paper = async (bank: Bank, kind: string, more: object = {}) => {
  const asked = { empresa: bank.company, filial: bank.branch, visualizationEnum: 'TXT' };
  const { text } = await print(platform.admin, kind, { ...asked, ...STATEMENTS[kind], ...BOOKS[kind], ...more });
  return text;
};

const EVERY_PAPER = [...Object.keys(STATEMENTS), ...Object.keys(BOOKS)];

test.each([
  ['monthlyTrialBalance', 'Balancete de verificação em 30 de junho de 2026'],
  ['monthlyTrialCVMBalance', 'Balancete mensal CVM em 30 de junho de 2026'],
  ['cosifGeneralBalance', 'Balancete geral COSIF em 30 de junho de 2026'],
  ['patrimonialBalance', 'Balanço patrimonial em 30 de junho de 2026'],
  ['patrimonialCVMBalance', 'Balanço patrimonial CVM em 30 de junho de 2026'],
])('the title of %s carries its date', async (kind, title) => {
  expect(await paper(closed, kind)).toContain(title);
});

test('columns of balances are dated', async () => {
  expect(await paper(closed, 'monthlyTrialBalance')).toMatch(/Saldo anterior .*\n +31\/05\/2026 .* 30\/06\/2026\n/);
  expect(await paper(closed, 'patrimonialBalance', { comparative: 'PREVIOUS_MONTH' })).toMatch(
    /^Conta +Nome +30\/06\/2026 +31\/05\/2026$/m,
  );
});

test.each(EVERY_PAPER)('every page of %s says its unit', async (kind) => {
  for (const page of (await paper(closed, kind)).split('\f')) expect(page).toContain('Em reais (R$)');
});

test.each(EVERY_PAPER)('every page of %s over an open month is marked as provisional', async (kind) => {
  for (const page of (await paper(open, kind)).split('\f')) expect(page).toContain('PROVISÓRIO – mês não consolidado');
  expect(await paper(closed, kind)).not.toContain('PROVISÓRIO');
});

describe('position', () => {
  const [after, before] = ['Posição após o encerramento do resultado', 'Posição antes do encerramento do resultado'];

  test.each(EVERY_PAPER)('%s says whether it is before or after the closing', async (kind) => {
    expect(await paper(closed, kind)).toContain(after);
    expect(await paper(closed, kind, { considerClosing: false })).toContain(before);
  });

  test('a month that has not been closed yet is before it, whatever is asked', async () => {
    expect(await paper(open, 'patrimonialBalance')).toContain(before);
  });

  test('books of lines without closing entries do not depend on it', async () => {
    expect(await paper(closed, 'relatorioRazao', { dataFim: '2026-06-29' })).not.toContain('encerramento do resultado');
  });
});

describe('signatures', () => {
  test.each(Object.keys(STATEMENTS))('%s ends with the representative and the accountant', async (kind) => {
    const text = await paper(closed, kind);
    expect(text).toMatch(/ _{50} +_{50}\n +Maria da Silva +João Souza\n +Diretora +Contador\n/);
    expect(text.trimEnd()).toMatch(/CPF 123\.456\.789-09 +CRC 1SP214567\/O-3$/);
  });

  test('books have them in their terms only', async () => {
    expect(await paper(closed, 'relatorioRazao')).not.toContain('Maria da Silva');
    expect(await paper(closed, 'relatorioRazao', { includeTerms: true })).toContain('CRC 1SP214567/O-3');
  });

  test('they are those of the month as it was closed', async () => {
    const options = await bodyOf(
      platform.admin.get('masterdata', `/company/options/company/${closed.company}/${closed.branch}`),
    );
    const { id } = options;
    const changed = { ...options, signatories: [{ name: 'Novo Contador', crc: '1SP999999/O-9' }] };
    await bodyOf(platform.admin.call('masterdata', 'PUT', `/company/options/${id}`, changed));
    expect(await paper(closed, 'monthlyTrialBalance')).toContain('João Souza');
    await bodyOf(platform.admin.call('masterdata', 'PUT', `/company/options/${id}`, options));
  });
});

describe('a fund', () => {
  let fund: Bank;

  beforeAll(async () => {
    fund = await createBooks(platform.admin, BOOK, {
      ...{ months: ['05/2026', '06/2026'], baseYearMonth: '05/2026' },
      options: { signatories: SIGNATORIES },
    });
    const { company, branch } = fund;
    const { id: fundTypeId } = await bodyOf(
      platform.admin.post('masterdata', '/fundType', { code: 'FIF', description: 'Fundo', regulatoryPlan: 'COFI' }),
    );
    await bodyOf(
      platform.admin.post('masterdata', '/fund/settings', {
        ...{ company, branch, fundTypeId, cnpj: '19131243000197', name: 'Fundo Horizonte FIF' },
        ...{ cvmCode: '123456', administrator: { name: 'Administradora S.A.', cnpj: '11222333000181' } },
      }),
    );
    for (const month of ['05/2026', '06/2026']) await closeMonth(platform.admin, fund, month);
  });

  test.each(EVERY_PAPER)('%s carries its name, CNPJ, CVM code and administrator', async (kind) => {
    const [first, second] = (await paper(fund, kind)).split('\n');
    expect(first).toMatch(/^Fundo Horizonte FIF /);
    expect(second).toContain(
      'CNPJ 19.131.243/0001-97 · Código CVM 123456 · Administrador: Administradora S.A., CNPJ 11.222.333/0001-81',
    );
  });

  test('the terms of its books name no commercial registry', async () => {
    const text = (await paper(fund, 'relatorioDiarioGeral', { includeTerms: true })).replace(/\s+/g, ' ');
    for (const verb of ['servirá', 'serviu']) {
      expect(text).toContain(`${verb} de Livro Diário número 1 do fundo Fundo Horizonte FIF,`);
    }
    expect(text).toContain(
      'inscrito no CNPJ sob o número 19.131.243/0001-97, registrado na CVM sob o código 123456, administrado por ' +
        'Administradora S.A., CNPJ 11.222.333/0001-81',
    );
    expect(text).not.toContain('NIRE');
    expect(text).not.toContain('sociedade');
  });
});
