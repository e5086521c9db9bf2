import type { AccountId, BranchId, CompanyId } from '../../src/accounting/ids.ts';
import { bodyOf, type Client } from './platform.ts';

// Fixtures over real HTTP: createBank gives a branch ready for its first month; open one with openMonth of months.ts.

/** An account of a fixture's chart: code, description and what the code alone does not say. */
export interface AccountFixture {
  readonly code: string;
  readonly description: string;
  readonly type: 'S' | 'A';
  readonly nature: 'D' | 'C' | 'M';
  readonly accountClass: '01' | '02' | '03' | '04' | '05' | '09';
}

/** Cash and banks, liabilities, equity, revenues and expenses; the leaves are posting accounts. */
export const PLAIN_CHART: readonly AccountFixture[] = [
  account('1', 'Ativo', 'S', 'D', '01'),
  account('1.1', 'Disponibilidades', 'S', 'D', '01'),
  account('1.1.1', 'Caixa', 'A', 'D', '01'),
  account('1.1.2', 'Bancos', 'A', 'D', '01'),
  account('1.2', 'Aplicações', 'A', 'D', '01'),
  account('2', 'Passivo', 'S', 'C', '02'),
  account('2.1', 'Exigível', 'S', 'C', '02'),
  account('2.1.1', 'Fornecedores', 'A', 'C', '02'),
  account('2.1.2', 'Impostos a pagar', 'A', 'C', '02'),
  account('3', 'Patrimônio líquido', 'S', 'C', '03'),
  account('3.1', 'Capital', 'A', 'C', '03'),
  account('3.2', 'Lucros ou prejuízos', 'A', 'M', '03'),
  account('3.3', 'Apuração do resultado', 'A', 'M', '03'),
  account('7', 'Receitas', 'S', 'C', '04'),
  account('7.1', 'Receitas de juros', 'A', 'C', '04'),
  account('7.2', 'Receitas de tarifas', 'A', 'C', '04'),
  account('8', 'Despesas', 'S', 'D', '04'),
  account('8.1', 'Despesas de pessoal', 'A', 'D', '04'),
  account('8.2', 'Despesas administrativas', 'A', 'D', '04'),
];

export interface BankOptions {
  /** Created unless `existing`; by default a fresh code for every call. */
  readonly company?: string;
  readonly branch?: string;
  readonly chartCode?: string;
  /** MM/YYYY, by default 01/2026. */
  readonly baseYearMonth?: string;
  /** [] names a chart that exists already. */
  readonly accounts?: readonly AccountFixture[];
  /** A further branch of a company that exists. */
  readonly existing?: boolean;
  /** Further fields of the options. */
  readonly options?: Record<string, unknown>;
}

export interface Bank {
  readonly company: string;
  readonly branch: string;
  readonly companyId: CompanyId;
  readonly branchId: BranchId;
  readonly chartCode: string;
  /** cdAccounting → id */
  readonly accounts: Map<string, AccountId>;
}

/** A company, a branch, a chart of accounts and the branch's options. No month is open yet. */
export async function createBank(client: Client, given: BankOptions = {}): Promise<Bank> {
  const serial = ++banks;
  const { company = `B${serial}`, branch = '0001', chartCode = `PLAN${serial}`, baseYearMonth = '01/2026' } = given;
  const companyId = given.existing
    ? (await bodyOf(client.get('masterdata', `/companies/bycompany/${company}`))).id
    : (await bodyOf(client.post('masterdata', '/company', { ...ADDRESS, company, name: `Banco ${company}` }))).id;
  const { id: branchId } = await bodyOf(
    client.post('masterdata', '/branch', { company, branch, name: `Filial ${branch}` }),
  );
  const added = await createAccounts(client, chartCode, given.accounts ?? PLAIN_CHART);
  await bodyOf(
    client.post('masterdata', '/company/options', { company, branch, chartCode, baseYearMonth, ...given.options }),
  );
  const chart =
    added.size > 0
      ? added
      : new Map<string, AccountId>(
          (await bodyOf(client.get('masterdata', `/chartOfAccounts/getallcoa/${company}/${branch}`))).map(
            (each: { cdAccounting: string; id: AccountId }) => [each.cdAccounting, each.id],
          ),
        );
  return { company, branch, companyId, branchId, chartCode, accounts: chart };
}

let banks = 0;

const ADDRESS = { cnpj: '11222333000181', zipCode: '01001000', street: 'Praça da Sé', city: 'São Paulo', state: 'SP' };

/** The accounts in the order given; returns their ids by code. */
export async function createAccounts(
  client: Client,
  chartCode: string,
  accounts: readonly AccountFixture[],
): Promise<Map<string, AccountId>> {
  const ids = new Map<string, AccountId>();
  for (const { code, description, type, nature, accountClass } of accounts) {
    const body = { chartCode, cdAccounting: code, description, accountType: type, nature, accountClass };
    ids.set(code, (await bodyOf(client.post('masterdata', '/chartOfAccounts', body))).id);
  }
  return ids;
}

/** Standard narrations of everybody, or of one branch. */
export async function createHistories(
  client: Client,
  codes: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  for (const cdHistory of codes) {
    await bodyOf(client.post('masterdata', '/history', { cdHistory, description: `Histórico ${cdHistory}`, ...more }));
  }
}

/** The body of /closuresettings for PLAIN_CHART: the result goes through 3.3 to 3.2. */
export function closureSettings(bank: Pick<Bank, 'company' | 'branch' | 'accounts'>, closingMonths: readonly number[]) {
  const { company, branch, accounts } = bank;
  return {
    company,
    branch,
    closingMonths,
    revenueGroups: ['7'],
    expenseGroups: ['8'],
    creditResultAccountId: accounts.get('3.3')!,
    debitResultAccountId: accounts.get('3.3')!,
    profitAccountId: accounts.get('3.2')!,
    lossAccountId: accounts.get('3.2')!,
  };
}

function account(
  code: string,
  description: string,
  type: AccountFixture['type'],
  nature: AccountFixture['nature'],
  accountClass: AccountFixture['accountClass'],
): AccountFixture {
  return { code, description, type, nature, accountClass };
}
