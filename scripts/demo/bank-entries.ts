import { randomFrom } from './random.ts';

/** Accounts of the COSIF chart that the sample bank uses. */
export const ACCOUNTS = {
  cash: '1.1.1.10.00.00-8',
  reserves: '1.1.3.10.00.00-2',
  governmentBonds: '1.3.1.10.01.10-6',
  dueFromBranches: '1.5.2.40.00.00-4',
  loans: '1.6.1.20.01.10-4',
  expectedLoss: '1.6.1.20.01.60-9',
  equipment: '2.2.5.30.20.00-0',
  depreciation: '2.2.5.99.30.00-8',
  thirdPartyBonds: '3.0.4.30.21.00-5',
  depositsOfPersons: '4.1.1.10.00.00-5',
  depositsOfCompanies: '4.1.1.20.00.00-4',
  termDeposits: '4.1.5.10.20.00-7',
  dueToBranches: '4.5.2.40.00.00-1',
  payrollTaxes: '4.9.4.20.20.00-3',
  otherPayables: '4.9.9.30.50.00-8',
  payrollPayable: '4.9.9.30.10.00-0',
  capital: '6.1.1.10.13.00-7',
  retainedEarnings: '6.1.8.10.00.00-2',
  bondIncome: '7.1.5.10.00.00-0',
  loanIncome: '7.1.1.05.99.00-2',
  accountFees: '7.1.7.01.10.00-5',
  revenueClosing: '7.9.1.10.00.00-6',
  termDepositExpense: '8.1.1.30.00.00-9',
  rent: '8.1.7.57.00.00-0',
  payroll: '8.1.7.33.00.00-0',
  payrollCharges: '8.1.7.30.50.00-6',
  depreciationExpense: '8.1.8.20.30.00-0',
  expectedLossExpense: '8.1.9.92.16.00-6',
  expenseClosing: '8.9.1.10.00.00-5',
  custody: '9.0.4.30.00.00-6',
} as const;

type Account = keyof typeof ACCOUNTS;

/** What a branch does again and again: how often a month, and the middle size of one movement in reais. */
interface Routine {
  readonly debit: Account;
  readonly credit: Account;
  readonly narration: string;
  readonly perMonth: number;
  readonly typical: number;
}

const ROUTINES: readonly Routine[] = [
  routine('reserves', 'depositsOfPersons', 'Depósito à vista de cliente', 70, 12_000),
  routine('depositsOfPersons', 'reserves', 'Transferência ordenada por cliente', 65, 11_500),
  routine('reserves', 'depositsOfCompanies', 'Cobrança liquidada de cliente', 40, 48_000),
  routine('depositsOfCompanies', 'reserves', 'Pagamento a fornecedores por ordem de cliente', 38, 47_000),
  routine('depositsOfPersons', 'cash', 'Saque em conta corrente', 25, 900),
  routine('loans', 'depositsOfPersons', 'Liberação de empréstimo pessoal', 18, 24_000),
  routine('depositsOfPersons', 'loans', 'Amortização de empréstimo', 30, 9_000),
  routine('depositsOfPersons', 'loanIncome', 'Juros de empréstimo do mês', 34, 2_900),
  routine('depositsOfCompanies', 'accountFees', 'Pacote de serviços', 26, 240),
  routine('depositsOfCompanies', 'termDeposits', 'Aplicação em CDB', 8, 90_000),
  routine('termDeposits', 'depositsOfCompanies', 'Resgate de CDB', 7, 88_000),
];

/** Facts of each month of one branch, in reais: what is not chance. */
interface MonthlyFact {
  readonly day: number;
  readonly debit: Account;
  readonly credit: Account;
  readonly narration: string;
  readonly reais: number;
}

const HEAD_OFFICE_FACTS: readonly MonthlyFact[] = [
  fact(20, 'termDepositExpense', 'termDeposits', 'Apropriação de juros de CDB', 52_000),
  fact(28, 'governmentBonds', 'bondIncome', 'Apropriação de renda de títulos públicos', 61_500),
  fact(28, 'thirdPartyBonds', 'custody', 'Títulos de clientes recebidos em custódia', 350_000),
  fact(6, 'payrollPayable', 'reserves', 'Pagamento da folha', 38_000),
  fact(20, 'payrollTaxes', 'reserves', 'Recolhimento de encargos sobre a folha', 10_564),
  fact(12, 'rent', 'reserves', 'Pagamento de contas de consumo', 3_050),
  fact(28, 'expectedLossExpense', 'expectedLoss', 'Provisão para perdas esperadas de empréstimos', 18_400),
];

const BRANCH_FACTS: readonly MonthlyFact[] = [
  fact(10, 'rent', 'reserves', 'Serviços de terceiros', 8_600),
  fact(28, 'depreciationExpense', 'depreciation', 'Depreciação do mês', 2_150),
];

/** Cash that the head office sends to the branches each month, in reais. */
const SUPPLY = 60_000;

/** A month of one branch of the bank as a movements CSV: the same each time. `share`: its size beside the head office. */
export function monthOfBranch(branch: string, month: number, share: number, agencies: number): string {
  const draw = randomFrom(month * 31 + Number(branch));
  const isHeadOffice = share === 1;
  const rows: string[] = [];
  const add = (document: string, day: number, debit: Account, credit: Account, reais: number, narration: string) =>
    rows.push(csvRow(document, rows.length + 1, day, ACCOUNTS[debit], ACCOUNTS[credit], reais, narration));
  for (const { debit, credit, narration, perMonth, typical } of ROUTINES) {
    for (let count = Math.round(perMonth * share); count > 0; count--) {
      const day = 1 + Math.floor(draw() * 28);
      add(`DIA${String(day).padStart(2, '0')}`, day, debit, credit, typical * (0.3 + draw() * 1.4), narration);
    }
  }
  for (const { day, debit, credit, narration, reais } of isHeadOffice
    ? [...HEAD_OFFICE_FACTS, ...BRANCH_FACTS]
    : BRANCH_FACTS) {
    add('MENSAL', day, debit, credit, reais * (isHeadOffice ? 1 : share), narration);
  }
  if (isHeadOffice)
    add('SUPRIM', 5, 'dueFromBranches', 'cash', SUPPLY * agencies, 'Suprimento de numerário às agências');
  else add('SUPRIM', 5, 'cash', 'dueToBranches', SUPPLY, 'Suprimento de numerário recebido da matriz');
  return `${[HEADER, ...rows].join('\r\n')}\r\n`;
}

const HEADER = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico';

/** A row of a movements CSV: an entry of two lines. */
export function csvRow(
  document: string,
  entry: number,
  day: number,
  debit: string,
  credit: string,
  reais: number,
  narration: string,
): string {
  const cents = Math.max(1, Math.round(reais * 100));
  const value = `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`;
  return `${document};${entry};${day};D;${debit};${credit};${value};${narration};`;
}

function routine(debit: Account, credit: Account, narration: string, perMonth: number, typical: number): Routine {
  return { debit, credit, narration, perMonth, typical };
}

function fact(day: number, debit: Account, credit: Account, narration: string, reais: number): MonthlyFact {
  return { day, debit, credit, narration, reais };
}
