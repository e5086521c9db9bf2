import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ACCOUNTS } from './bank-entries.ts';
import type { Place } from './months.ts';
import { fileForm, type Send } from './steps.ts';

// A bank of three branches on the full chart of the central bank, ready for its first month.

const COSIF_FILE = fileURLToPath(new URL('../../src/seeds/cosif/cosif2025_accounts.csv', import.meta.url));

export const BANK = '0001';

export const HEAD_OFFICE: Place = { company: BANK, branch: '0001' };

/** `share`: its movement beside the head office's. */
export const BRANCHES: readonly (Place & { readonly name: string; readonly cnpj: string; readonly share: number })[] = [
  { ...HEAD_OFFICE, name: 'Matriz', cnpj: '11222333000181', share: 1 },
  { company: BANK, branch: '0002', name: 'Agência Campinas', cnpj: '11222333000262', share: 0.4 },
  { company: BANK, branch: '0003', name: 'Agência Santos', cnpj: '11222333000343', share: 0.3 },
];

export const SIGNATORIES = [
  { name: 'Maria da Silva', cpf: '52998224725', role: 'Diretora', qualification: '203', legalResponsible: true },
  {
    ...{
      name: 'João Souza',
      cpf: '11144477735',
      role: 'Contador',
      qualification: '900',
      crc: '1SP214567/O-3',
      ufCrc: 'SP',
    },
    ...{
      email: 'joao.souza@exemplo.com.br',
      phone: '1130000000',
      crcCertificate: 'SP/2025/4567',
      crcValidTo: '2026-12-31',
    },
  },
];

/** Balances of the head office at the end of the year before, in reais; debits are positive. */
const OPENING: readonly (readonly [account: keyof typeof ACCOUNTS, reais: number])[] = [
  ['cash', 2_000_000],
  ['reserves', 18_000_000],
  ['governmentBonds', 6_000_000],
  ['loans', 14_000_000],
  ['equipment', 1_200_000],
  ['depreciation', -200_000],
  ['depositsOfPersons', -11_000_000],
  ['depositsOfCompanies', -9_000_000],
  ['termDeposits', -9_500_000],
  ['capital', -11_500_000],
];

export async function createBank(send: Send): Promise<void> {
  await send('masterdata', 'POST', '/company', {
    ...{ company: BANK, name: 'Banco Exemplo S.A.', cnpj: '11222333000181', institutionType: 'BANCO' },
    ...{ zipCode: '01001000', street: 'Praça da Sé', number: '1', city: 'São Paulo', state: 'SP' },
    ...{ nire: '35300012345', nireDate: '2001-03-15', ibgeCode: '3550308' },
  });
  // Who audits it, and where else it is registered: the bookkeeping file says so.
  await send('masterdata', 'PUT', `/regulatory/profile/${BANK}`, {
    ...{ audited: true, ecdBook: 'B', registrations: [{ entity: '01', code: '00000001' }] },
    auditor: { document: '11444777000161', name: 'Auditores Exemplo S/S', cvmCode: '1234' },
  });
  for (const { company, branch, name, cnpj } of BRANCHES) {
    const headOffice = branch === HEAD_OFFICE.branch;
    await send('masterdata', 'POST', '/branch', { company, branch, name, cnpj, headOffice });
  }
}

/** Returns how many accounts the chart has. */
export async function importCosif(send: Send): Promise<number> {
  const form = fileForm('cosif.csv', await readFile(COSIF_FILE));
  const result = await send<{ totalRows: number }>('masterdata', 'POST', '/chartOfAccounts/import?chart=COSIF', form);
  return result.totalRows;
}

/** Options of every branch and the opening balances of the head office. */
export async function setUpBank(send: Send): Promise<void> {
  for (const { company, branch } of BRANCHES) {
    await send('masterdata', 'POST', '/company/options', {
      ...{ company, branch, chartCode: 'COSIF', baseYearMonth: '01/2025', regulatoryLayout: 'COSIF' },
      signatories: SIGNATORIES,
    });
  }
  const { company, branch } = HEAD_OFFICE;
  await send(
    'masterdata',
    'PUT',
    `/baseBalance/${company}/${branch}`,
    OPENING.map(([account, reais]) => ({
      cdAccounting: ACCOUNTS[account],
      balance: Math.abs(reais),
      dc: reais > 0 ? 'D' : 'C',
    })),
  );
}

/** The result is closed in June and December, as banks do. */
export async function setUpClosing(send: Send, idOf: (code: string) => number): Promise<void> {
  for (const { company, branch } of BRANCHES) {
    await send('masterdata', 'POST', '/closuresettings', {
      ...{ company, branch, closingMonths: [6, 12], revenueGroups: ['7'], expenseGroups: ['8'] },
      creditResultAccountId: idOf(ACCOUNTS.revenueClosing),
      debitResultAccountId: idOf(ACCOUNTS.expenseClosing),
      profitAccountId: idOf(ACCOUNTS.retainedEarnings),
      lossAccountId: idOf(ACCOUNTS.retainedEarnings),
      historico: 'Encerramento do resultado do semestre',
    });
  }
}

/** The id of an account by its code. */
export async function accountIds(send: Send, { company, branch }: Place): Promise<(code: string) => number> {
  const path = `/chartOfAccounts/getallcoa/${company}/${branch}`;
  const chart = await send<{ id: number; cdAccounting: string }[]>('masterdata', 'GET', path);
  const ids = new Map(chart.map(({ cdAccounting, id }) => [cdAccounting, id]));
  return (code) => ids.get(code)!;
}

/** What comes every month by itself: the payroll, and an accrual that the next month reverses. */
export async function scheduleTemplates(send: Send, idOf: (code: string) => number): Promise<void> {
  const lines = (pairs: readonly (readonly [debit: string, credit: string, reais: number, narration: string])[]) =>
    pairs
      .flatMap(([debit, credit, valor, historico]) => [
        { debcre: 'D', contaId: idOf(debit), valueType: 'FIXO', valor, historico },
        { debcre: 'C', contaId: idOf(credit), valueType: 'FIXO', valor, historico },
      ])
      .map((line, at) => ({ sequence: at + 1, ...line }));
  const { company, branch } = HEAD_OFFICE;
  const common = { company, branch, periodicity: 'MENSAL' };
  const schedule = { dayRule: 'ULTIMO_DIA_UTIL', firstMonth: '01/2025' };
  await send('masterdata', 'POST', `/release/${company}/${branch}`, {
    ...{ ...common, schedule, code: 'FOLHA', description: 'Folha de pagamento' },
    lines: lines([
      [ACCOUNTS.payroll, ACCOUNTS.payrollPayable, 38_000, 'Folha de pagamento do mês'],
      [ACCOUNTS.payrollCharges, ACCOUNTS.payrollTaxes, 10_564, 'Encargos sobre a folha do mês'],
    ]),
  });
  await send('masterdata', 'POST', `/release/${company}/${branch}`, {
    ...{ ...common, schedule, code: 'ENERGIA', description: 'Provisão de contas de consumo' },
    automaticReversal: true,
    lines: lines([[ACCOUNTS.rent, ACCOUNTS.otherPayables, 3_200, 'Provisão de contas de consumo do mês']]),
  });
}

/** Definitions of balance sheet and income statement of the chart. */
export async function defineStatements(send: Send): Promise<void> {
  await send('masterdata', 'POST', '/statements/default', { chartCode: 'COSIF', validFrom: '2025-01-01' });
}
