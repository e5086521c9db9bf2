import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AccountId, BranchId, ChartId, CompanyId } from '../../src/accounting/ids.ts';
import type { Installation } from './installation.ts';

/** A branch of the company that everything is measured on. */
export interface Branch {
  readonly company: string;
  readonly branch: string;
  readonly companyId: CompanyId;
  readonly branchId: BranchId;
}

/** A company, whose branches are closed together. */
export interface Bank extends Pick<Branch, 'company' | 'companyId'> {
  /** Of its branches; absent: none. */
  readonly regulatoryLayout?: 'COSIF';
}

export interface Books extends Bank {
  readonly chartId: ChartId;
  /** Posting accounts in the order of their codes. */
  readonly leaves: readonly { id: AccountId; code: string }[];
}

const COMPANY = '0001';
const ADDRESS = { cnpj: '11222333000181', zipCode: '01001000', street: 'Praça da Sé', city: 'São Paulo', state: 'SP' };
export const ACCOUNTS = 2_000;

const made = new WeakMap<Installation, Promise<Books>>();

/** The company and its chart of 2,000 accounts on five levels, made once an installation. */
export function books(installation: Installation): Promise<Books> {
  const known = made.get(installation) ?? makeBooks(installation);
  made.set(installation, known);
  return known;
}

async function makeBooks(installation: Installation): Promise<Books> {
  return { ...(await newCompany(installation, COMPANY)), ...(await newChart(installation, 'BENCH', ACCOUNTS)) };
}

/** A company without branches. */
export async function newCompany(installation: Installation, company: string): Promise<Bank> {
  const body = { ...ADDRESS, company, name: 'Banco de Medidas S.A.' };
  const { id: companyId } = await installation.call<{ id: CompanyId }>('masterdata', 'POST', '/company', body);
  return { company, companyId };
}

/** Five levels of accounts under one root; returns the posting accounts in the order of their codes. */
export async function newChart(
  installation: Installation,
  chart: string,
  accounts: number,
): Promise<{ chartId: ChartId; leaves: Books['leaves'] }> {
  return newChartOf(installation, chart, chartRows(accounts));
}

const CHART_HEAD = 'cdAccounting;description;accountType;nature;accountClass';

/** A chart of rows of the import's file. */
export async function newChartOf(
  installation: Installation,
  chart: string,
  rows: readonly string[],
): Promise<{ chartId: ChartId; leaves: Books['leaves'] }> {
  const form = new FormData();
  form.set('file', new Blob([`${[CHART_HEAD, ...rows].join('\r\n')}\r\n`]), 'chart.csv');
  const imported = await installation.call<{ success: boolean; errors: string[] }>(
    'masterdata',
    'POST',
    `/chartOfAccounts/import?chart=${chart}`,
    form,
  );
  if (!imported.success) throw new Error(imported.errors.slice(0, 3).join('\n'));
  const { rows: leaves } = await installation.owner.query<{ id: AccountId; code: string; chartId: ChartId }>(
    `SELECT account.id, account.code, account.chart_id AS "chartId" FROM account JOIN chart ON chart.id = account.chart_id
      WHERE chart.code = $1 AND account.account_type = 'A' ORDER BY account.sort_key`,
    [chart],
  );
  return { chartId: leaves[0]!.chartId, leaves };
}

/** 1 root, 4 groups, 16 below, 64 below those, and leaves up to the number of accounts. */
function chartRows(accounts: number): string[] {
  const rows: string[] = [];
  const add = (code: string, type: 'S' | 'A') => {
    rows.push(`${code};Conta ${code} com um nome de tamanho comum;${type};D;01`);
  };
  add('1', 'S');
  const branches: string[] = [];
  for (let group = 1; group <= 4; group++) {
    add(`1.${group}`, 'S');
    for (let part = 1; part <= 4; part++) {
      add(`1.${group}.${part}`, 'S');
      for (let title = 1; title <= 4; title++) {
        add(`1.${group}.${part}.${title}`, 'S');
        branches.push(`1.${group}.${part}.${title}`);
      }
    }
  }
  for (let leaf = 0; rows.length < accounts; leaf++) {
    add(`${branches[leaf % branches.length]}.${String(Math.floor(leaf / branches.length) + 1).padStart(2, '0')}`, 'A');
  }
  return rows;
}

let branches = 0;

/** A fresh branch with its options, of the company that everything is measured on or of another; no month is open. */
export async function newBranch(installation: Installation, chartCode = 'BENCH', bank?: Bank): Promise<Branch> {
  const { company, companyId, regulatoryLayout }: Bank = bank ?? (await books(installation));
  const branch = String(++branches).padStart(4, '0');
  const { id: branchId } = await installation.call<{ id: BranchId }>('masterdata', 'POST', '/branch', {
    company,
    branch,
    name: `Filial ${branch}`,
  });
  const options = { company, branch, chartCode, baseYearMonth: '01/2026', regulatoryLayout };
  await installation.call('masterdata', 'POST', '/company/options', options);
  return { company, branch, companyId, branchId };
}

const COSIF_FILE = fileURLToPath(new URL('../../src/seeds/cosif/cosif2025_accounts.csv', import.meta.url));
export const COSIF_ACCOUNTS = 4_032;

/** The whole chart of the central bank under a code of its own. */
export async function newCosifChart(installation: Installation, chart: string): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob([await readFile(COSIF_FILE)]), 'chart.csv');
  await installation.call('masterdata', 'POST', `/chartOfAccounts/import?chart=${chart}`, form);
}

/** Posting accounts of a chart in the order of their codes, up to a class; those of the result are class 04. */
export async function leavesOf(installation: Installation, chart: string, upToClass = '99'): Promise<Books['leaves']> {
  const { rows } = await installation.owner.query<Books['leaves'][number]>(
    `SELECT account.id, account.code FROM account JOIN chart ON chart.id = account.chart_id
      WHERE chart.code = $1 AND account.account_type = 'A' AND account.account_class <= $2 ORDER BY account.sort_key`,
    [chart, upToClass],
  );
  return rows;
}

/** A branch on the whole chart of the central bank, with its first month open. */
export async function branchOnCosif(installation: Installation): Promise<Branch> {
  const { company, companyId } = await books(installation);
  await newCosifChart(installation, 'COSIF');
  const branch = 'COSIF';
  const { id: branchId } = await installation.call<{ id: BranchId }>('masterdata', 'POST', '/branch', {
    company,
    branch,
    name: 'Filial COSIF',
  });
  const options = { company, branch, chartCode: 'COSIF', baseYearMonth: '01/2026' };
  await installation.call('masterdata', 'POST', '/company/options', options);
  const made = { company, branch, companyId, branchId };
  await openMonth(installation, made, 1);
  return made;
}

export async function openMonth(installation: Installation, { company, branch }: Branch, month: number): Promise<void> {
  const newyearmonth = `${String(month).padStart(2, '0')}/2026`;
  await installation.call('movements', 'POST', `/monthOpening/${company}/${branch}`, { newyearmonth });
}

export async function newBatch(
  installation: Installation,
  branch: Branch,
  month: number,
  number = '1',
): Promise<number> {
  const body = { lote: number, empresa: branch.company, filial: branch.branch, ano: 2026, mes: month };
  return (await installation.call<{ id: number }>('movements', 'POST', '/batch', body)).id;
}

export async function newDocument(installation: Installation, batchId: number, documento: string): Promise<number> {
  return (await installation.call<{ id: number }>('movements', 'POST', '/document', { batchId, documento })).id;
}

/** Puts balanced entries of two lines into the month straight into the table: spread evenly over leaves and days. */
export async function fillMonth(
  installation: Installation,
  branch: Branch,
  month: number,
  lines: number,
  leaves?: Books['leaves'],
): Promise<Filled> {
  const accounts = (leaves ?? (await books(installation)).leaves).map((leaf) => leaf.id);
  const batchId = await newBatch(installation, branch, month, 'CARGA');
  const documentId = await newDocument(installation, batchId, '1');
  await installation.owner.query('BEGIN');
  // Rows made here balance; the triggers are what the measured side pays for, not the loading.
  await installation.owner.query('SET LOCAL session_replication_role = replica');
  await installation.owner.query(
    `INSERT INTO entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id,
                             offset_account_id, side, amount, narration)
     SELECT $1, $2, $3, $4::date, $4::date + entry.number * 5 % 28, entry.number::text, twin.sequence,
            ($6::bigint[])[1 + (entry.number * 2 + twin.sequence) % $7],
            ($6::bigint[])[1 + (entry.number * 2 + 3 - twin.sequence) % $7],
            (CASE twin.sequence WHEN 1 THEN 'D' ELSE 'C' END)::"char", (entry.number % 90000 + 100)::numeric / 100,
            'Histórico do lançamento ' || entry.number
       FROM generate_series(1, $5::integer / 2) AS entry (number)
      CROSS JOIN (VALUES (1), (2)) AS twin (sequence)`,
    [
      branch.companyId,
      branch.branchId,
      documentId,
      `2026-${String(month).padStart(2, '0')}-01`,
      lines,
      accounts,
      accounts.length,
    ],
  );
  // A seal has the codes of accounts that the branch uses.
  await installation.owner.query(
    'INSERT INTO account_use (company_id, branch_id, account_id) SELECT $1, $2, unnest($3::bigint[]) ON CONFLICT DO NOTHING',
    [branch.companyId, branch.branchId, accounts],
  );
  await installation.owner.query('COMMIT');
  return { batchId, documentId };
}

/** A new branch with as many lines in each of its first months; all but the last are closed. */
export async function branchOfMonths(installation: Installation, months: number, lines: number): Promise<Branch> {
  const branch = await newBranch(installation);
  for (let month = 1; month <= months; month++) {
    await openMonth(installation, branch, month);
    await fillMonth(installation, branch, month, lines);
    if (month < months) await consolidate(installation, branch, month);
  }
  return branch;
}

/** Where the lines of a month went. */
export interface Filled {
  readonly batchId: number;
  readonly documentId: number;
}

/** As autovacuum would after a load of this size, a little later. */
export async function settle(installation: Installation): Promise<void> {
  await installation.owner.query(
    'VACUUM (ANALYZE) entry_line, line_sum, monthly_balance, daily_balance, document, batch, account',
  );
}

/**
 * Closes a branch, or all branches of a company with the month open, and waits for the end; returns the seconds from the
 * request to the end.
 */
export async function consolidate(
  installation: Installation,
  closed: Pick<Branch, 'company' | 'branch'> | Pick<Bank, 'company'>,
  month: number,
  year = 2026,
): Promise<number> {
  const began = performance.now();
  const branch = 'branch' in closed ? closed.branch : '*';
  const body = {
    company: closed.company,
    branch,
    year: String(year),
    month: String(month).padStart(2, '0'),
  };
  const { id } = await installation.call<{ id: number }>('movements', 'POST', '/runconsolidation', body);
  for (;;) {
    const run = await installation.call<{ status: string; message: string | null }>(
      'movements',
      'GET',
      `/runconsolidation/${id}`,
    );
    if (run.status === 'DONE') return (performance.now() - began) / 1000;
    if (run.status === 'ERROR') throw new Error(run.message ?? 'consolidation failed');
    // Asking counts two hundred jobs each time: seldom, as a user would.
    await new Promise((resolve) => setTimeout(resolve, branch === '*' ? 200 : 10));
  }
}
