import type { RoutineCode } from '../../src/features/access/access.ts';
import type { Client } from './platform.ts';

// Fixtures over real HTTP. createBank gives a branch ready for its first month; open one with openMonth.

/** An account of a fixture's chart: code, description and what the code alone does not say. */
export interface AccountFixture {
  readonly code: string;
  readonly description: string;
  readonly type: 'S' | 'A';
  readonly nature: 'D' | 'C' | 'M';
  readonly accountClass: '01' | '02' | '03' | '04' | '05' | '09';
}

/** Cash and banks, liabilities, equity, revenues and expenses; leaves are analytic. */
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
  readonly companyId: number;
  readonly branchId: number;
  readonly chartCode: string;
  /** cdAccounting → id */
  readonly accounts: Map<string, number>;
}

/** A company, a branch, a chart of accounts and the branch's options. No month is open yet. */
export async function createBank(client: Client, given: BankOptions = {}): Promise<Bank> {
  const serial = ++banks;
  const { company = `B${serial}`, branch = '0001', chartCode = `PLAN${serial}`, baseYearMonth = '01/2026' } = given;
  const companyId = given.existing
    ? (await ok(client.get('masterdata', `/companies/bycompany/${company}`))).id
    : (await ok(client.post('masterdata', '/company', { ...ADDRESS, company, name: `Banco ${company}` }))).id;
  const { id: branchId } = await ok(
    client.post('masterdata', '/branch', { company, branch, name: `Filial ${branch}` }),
  );
  const added = await createAccounts(client, chartCode, given.accounts ?? PLAIN_CHART);
  await ok(
    client.post('masterdata', '/company/options', { company, branch, chartCode, baseYearMonth, ...given.options }),
  );
  const chart =
    added.size > 0
      ? added
      : new Map<string, number>(
          (await ok(client.get('masterdata', `/chartOfAccounts/getallcoa/${company}/${branch}`))).map(
            (each: { cdAccounting: string; id: number }) => [each.cdAccounting, each.id],
          ),
        );
  return { company, branch, companyId, branchId, chartCode, accounts: chart };
}

let banks = 0;

const ADDRESS = { cnpj: '11222333000181', zipCode: '01001000', street: 'Praça da Sé', city: 'São Paulo', state: 'SP' };

/** The accounts in the order given; answers their ids by code. */
export async function createAccounts(
  client: Client,
  chartCode: string,
  accounts: readonly AccountFixture[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const { code, description, type, nature, accountClass } of accounts) {
    const body = { chartCode, cdAccounting: code, description, accountType: type, nature, accountClass };
    ids.set(code, (await ok(client.post('masterdata', '/chartOfAccounts', body))).id);
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
    await ok(client.post('masterdata', '/history', { cdHistory, description: `Histórico ${cdHistory}`, ...more }));
  }
}

/** Opens the month MM/YYYY of the bank, again where it is closed. */
export async function openMonth(client: Client, bank: Pick<Bank, 'company' | 'branch'>, month: string): Promise<void> {
  await ok(
    client.post('movements', `/monthOpening/${bank.company}/${bank.branch}`, { newyearmonth: month, ...REOPENING }),
  );
}

/** What opening a closed month again asks for. */
export const REOPENING = { reason: 'Lançamento esquecido', confirmed: true };

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

export interface EntryFixture {
  /** Codes of the accounts. */
  readonly debit: string;
  readonly credit: string;
  readonly valor: number;
  readonly day: string;
}

/** Posts an entry in a batch and a document of its own of January 2026; answers the document's id. */
export async function postInJanuary(client: Client, bank: Bank, entry: EntryFixture): Promise<number> {
  const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
  const batch = await ok(client.post('movements', '/batch', place));
  const document = await ok(client.post('movements', '/document', { batchId: batch.id }));
  await ok(
    client.post('movements', '/entry', {
      documentId: document.id,
      debcre: 'D',
      day: entry.day,
      contaId: bank.accounts.get(entry.debit),
      contrapartida: bank.accounts.get(entry.credit),
      valor: entry.valor,
    }),
  );
  return document.id;
}

export interface UserFixture {
  readonly username: string;
  readonly password?: string;
  readonly admin?: boolean;
  readonly permissions?: readonly { readonly company: string; readonly branch?: string }[];
  /** Routines on whose access rows the user stands: SETTINGS and some others admit nobody else. */
  readonly routines?: readonly RoutineCode[];
}

/** A user with these permissions; sign in with `platform.as(username, password)`. */
export async function createUser(
  admin: Client,
  {
    username,
    password = 'uma senha bem comprida',
    admin: isAdmin = false,
    permissions = [],
    routines = [],
  }: UserFixture,
): Promise<{ id: number; username: string; password: string }> {
  const body = { username, name: username, password, admin: isAdmin, permissions };
  const { id } = await ok(admin.post('authentication', '/api/admin/users', body));
  for (const routine of routines) await grantRoutine(admin, routine, { userId: id });
  return { id, username, password };
}

/** Puts a user or a group on the access rows of a routine; answers the id of the row. */
export async function grantRoutine(
  admin: Client,
  routine: RoutineCode,
  holder: { readonly userId: number } | { readonly groupId: number },
): Promise<number> {
  const routines: { id: number; code: string }[] = await ok(admin.get('masterdata', '/routine'));
  const routineId = routines.find((each) => each.code === routine)!.id;
  return (await ok(admin.post('masterdata', '/access', { routineId, ...holder }))).id;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
async function ok(answer: ReturnType<Client['call']>): Promise<any> {
  const { status, text, body } = await answer;
  if (status !== 200 && status !== 201) throw new Error(`${status}: ${text}`);
  return body;
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
