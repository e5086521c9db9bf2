import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

// Nothing here reads what others have written: the plans of the very statements that the program sends, under the
// program's role and the caller's scope, on as many branches and rows that a scan would cost more than the index.

const BRANCHES = 40;
const MONTHS = 12;
/** The last ones stay open. */
const CONSOLIDATED = 9;
const OF_BRANCH = [['company_id', 'branch_id', 'month']];
/** Tables that grow with the tenants, and the columns that their index conditions hold: one of the sets, whole. */
const GUARDED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  entry_line: [...OF_BRANCH, ['company_id', 'document_id'], ['company_id', 'id']],
  monthly_balance: OF_BRANCH,
  daily_balance: OF_BRANCH,
  document: [
    ['company_id', 'id'],
    ['company_id', 'batch_id'],
  ],
  batch: [['company_id', 'id'], ...OF_BRANCH],
};

let platform: Platform;
let bank: Bank;
let accountant: Client;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  const { username, password } = await createUser(platform.admin, {
    username: 'contador',
    permissions: [{ company: bank.company, branch: bank.branch }],
  });
  accountant = await platform.as(username, password);
  await fill(platform.ownerUrl, bank);
}, 60_000);
afterAll(() => platform?.stop());

const LEGACY = '/api/v1/legacy-integration';

/** Every read of balances and lines of the two services, on closed and on open months. */
function requests(): [string, () => Promise<{ status: number; text: string }>][] {
  const place = { empresa: bank.company, filial: bank.branch };
  const tenant = `empresa=${bank.company}&filial=${bank.branch}`;
  const query = (path: string, body: object) => () => accountant.post('queries', path, { ...place, ...body });
  const get = (service: 'queries' | 'reports', path: string, accept?: string) => () =>
    accountant.call(service, 'GET', path, undefined, accept === undefined ? {} : { accept });
  const year = 'dataInicio=2026-01-01&dataFim=2026-12-31';
  const [leaf, group] = [bank.accounts.get('1.1.1'), bank.accounts.get('1.1')];
  return [
    [
      'balances of an account',
      query('/balanceInquiryDetails', { contaId: leaf, anomesini: '01/2026', anomesfim: '12/2026' }),
    ],
    [
      'balances of a group',
      query('/balanceInquiryDetails', { contaId: group, anomesini: '03/2026', anomesfim: '11/2026' }),
    ],
    ['ledger of an account', query('/generalLedgerQuery', { contaId: leaf, year: 2026, month: 11 })],
    [
      'ledger of a group',
      query('/generalLedgerQuery', { contaId: group, year: 2026, month: 2, dayStart: 2, dayEnd: 9 }),
    ],
    ['legacy months', get('queries', `${LEGACY}/consulta-contabil?${tenant}&${year}&tamanho=1000`)],
    ['legacy days', get('queries', `${LEGACY}/consulta-contabil?${tenant}&${year}&tipoSaldo=D&tamanho=1000&pagina=4`)],
    ['legacy days as CSV', get('queries', `${LEGACY}/consulta-contabil?${tenant}&${year}&tipoSaldo=D`, 'text/csv')],
    ['legacy lines', get('queries', `${LEGACY}/lancamentos-contabeis?${tenant}&${year}`)],
    ['legacy lines of all that is reached', get('queries', `${LEGACY}/lancamentos-contabeis?${year}`)],
    ['lines by filters', get('queries', `/entries/${bank.company}/${bank.branch}?${year}&contaId=${leaf}&texto=x`)],
    [
      'lines of a group',
      get('queries', `/entries/${bank.company}/${bank.branch}?${year}&contaId=${group}&totais=true`),
    ],
    ['days of a ledger', get('queries', `/ledger/${bank.company}/${bank.branch}/${leaf}?month=2026-11`)],
    ['page of a ledger', get('queries', `/ledger/${bank.company}/${bank.branch}/${leaf}/lines?month=2026-11`)],
    ['page of a group', get('queries', `/ledger/${bank.company}/${bank.branch}/${group}/lines?month=2026-02&inicio=2`)],
    ['lean chart', get('queries', `/chart/${bank.company}/${bank.branch}`)],
    ['lines as CSV', get('queries', `/entries/${bank.company}/${bank.branch}?${year}`, 'text/csv')],
    ['plano-saldo, closed', get('reports', `/api/v1/saldos/plano-saldo?${tenant}&ano=2026&mes=4`)],
    ['plano-saldo, open', get('reports', `/api/v1/saldos/plano-saldo?${tenant}&ano=2026&mes=12&ordenarPor=saldoAtual`)],
    ['plano-saldo-dia, closed', get('reports', `/api/v1/saldos/plano-saldo-dia?${tenant}&ano=2026&mes=4&dia=9`)],
    ['plano-saldo-dia, open', get('reports', `/api/v1/saldos/plano-saldo-dia?${tenant}&ano=2026&mes=12&dia=9`)],
    ['plsaldos', get('reports', `/api/v1/saldos/plsaldos?${tenant}&tamanho=12`)],
    ['lancamentos-contabeis', get('reports', `/api/v1/lancamentos-contabeis?${tenant}&${year}&ordenarPor=valor`)],
  ];
}

test('every read finds the lines and balances of its branch by an index', async () => {
  for (const [name, ask] of requests()) {
    const statements = await sentBy(ask);
    expect(statements.length, name).toBeGreaterThan(0);
    expect(await scansOf(statements), name).toEqual([]);
  }
}, 60_000);

test.each(['balances of an account', 'ledger of an account', 'ledger of a group'])(
  '%s: only the lines of the account are read',
  async (name) => {
    const plans = await plansOf(await sentBy(requestNamed(name)));
    const ofLines = plans.flatMap(nodesOf).filter((node) => node['Relation Name'] === 'entry_line');
    expect(ofLines.length).toBeGreaterThan(0);
    for (const node of ofLines) {
      expect(node).toMatchObject({
        'Index Name': 'entry_line_ledger',
        'Index Cond': expect.stringMatching(/month.*account_id|account_id.*month/),
      });
    }
  },
);

test('a posting reads its accounts by their ids, and not the chart that they are in', async () => {
  const documentId = await withOwnerConnection(platform.ownerUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT id FROM document WHERE branch_id = $1 AND month = '2026-12-01' ORDER BY id LIMIT 1`,
      [bank.branchId],
    );
    return Number(rows[0].id);
  });
  const [contaId, contrapartida] = ['1.1.1', '1.1.2'].map((code) => bank.accounts.get(code));
  const entry = { documentId, lancamento: '900', debcre: 'D', day: '5', contaId, contrapartida, valor: 1 };
  const plans = await plansOf(await sentBy(() => accountant.post('movements', '/entry', entry), ['account']));
  const ofAccounts = plans.flatMap(nodesOf).filter((node) => node['Relation Name'] === 'account');
  expect(ofAccounts.length).toBeGreaterThan(0);
  const conditions = plans.flatMap(nodesOf).flatMap((node) => node['Index Cond'] ?? []);
  expect(conditions.filter((condition) => condition.includes('chart_id'))).toEqual([]);
});

test('without its index, the lines of all branches are scanned, and this test says so', async () => {
  await withOwnerConnection(platform.ownerUrl, (client) => client.query('DROP INDEX entry_line_ledger'));
  const statements = await sentBy(requestNamed('plano-saldo, open'));
  expect(await scansOf(statements)).toContainEqual(expect.stringContaining('entry_line'));
});

function requestNamed(name: string) {
  return requests().find(([each]) => each === name)![1];
}

/** The statements on tables that the program sends for a request. */
async function sentBy(
  ask: () => Promise<{ status: number; text: string }>,
  tables = Object.keys(GUARDED),
): Promise<pg.QueryConfig[]> {
  const sent = new Map<string, pg.QueryConfig>();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    const { status, text } = await ask();
    expect([200, 201], text.slice(0, 300)).toContain(status);
    for (const [config] of query.mock.calls as unknown[][]) {
      const statement = config as pg.QueryConfig;
      if (tables.some((table) => statement.text?.includes(`FROM ${table}`))) {
        sent.set(statement.text, { text: statement.text, values: statement.values ?? [] });
      }
    }
  } finally {
    query.mockRestore();
  }
  return [...sent.values()];
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

/** What is read without the columns that keep it to the branch. */
async function scansOf(statements: readonly pg.QueryConfig[]): Promise<string[]> {
  return (await plansOf(statements)).flatMap(nodesOf).flatMap(faultOf);
}

/** Planned for the values, and for any values: PostgreSQL changes over to those plans by itself. */
async function plansOf(statements: readonly pg.QueryConfig[]): Promise<Plan[]> {
  const scope = { companies: [bank.companyId], wholeCompanies: [], branches: [bank.branchId] };
  return platform.program.database.transaction(scope, async ({ connection }) => {
    const { rows: versions } = await connection.query('SHOW server_version_num');
    const plans: Plan[] = [];
    for (const { text, values } of statements) {
      const explained = [{ text: `EXPLAIN (FORMAT JSON) ${text}`, values: values ?? [] }];
      if (Number(versions[0].server_version_num) >= 160_000) {
        explained.push({ text: `EXPLAIN (FORMAT JSON, GENERIC_PLAN) ${text}`, values: [] });
      }
      for (const each of explained) plans.push((await connection.query(each)).rows[0]['QUERY PLAN'][0].Plan);
    }
    return plans;
  });
}

function faultOf(node: Plan): string[] {
  const table = node['Relation Name'] ?? tableOfIndex(node['Index Name']);
  const sets = table === undefined ? undefined : GUARDED[table];
  // A bitmap's heap part reads what its index part has found.
  if (sets === undefined || node['Node Type'] === 'Bitmap Heap Scan') return [];
  const condition = node['Index Cond'] ?? '';
  const isKept = sets.some((columns) => columns.every((column) => new RegExp(`\\b${column} `).test(condition)));
  return isKept ? [] : [`${node['Node Type']} on ${table}: ${condition}`];
}

function tableOfIndex(index: string | undefined): string | undefined {
  return Object.keys(GUARDED).find((table) => index?.startsWith(table));
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** Months, documents, lines and closed balances of the bank's branch and of others around it. */
async function fill(ownerUrl: string, { companyId, branchId, accounts }: Bank): Promise<void> {
  const leaves = [...accounts].filter(([code]) => code.split('.').length === 3).map(([, id]) => id);
  await withOwnerConnection(ownerUrl, async (client) => {
    // Only plans are looked at: the lines need no counterpart.
    await client.query('SET session_replication_role = replica');
    await client.query(
      `WITH others AS (
         INSERT INTO branch (company_id, code, name)
         SELECT $1, 'F' || number, 'Filial' FROM generate_series(2, $4::integer) AS number RETURNING branch.id
       ), months AS (
         INSERT INTO month (company_id, branch_id, month, state)
         SELECT $1, place.id, make_date(2026, number, 1), CASE WHEN number <= $6 THEN 'CLOSED' ELSE 'OPEN' END
           FROM (SELECT others.id FROM others UNION ALL SELECT $2) AS place CROSS JOIN generate_series(1, $5) AS number
         RETURNING month.branch_id, month.month, month.state
       ), batches AS (
         INSERT INTO batch (company_id, branch_id, month, number)
         SELECT $1, months.branch_id, months.month, '1' FROM months
         RETURNING batch.id, batch.branch_id, batch.month
       ), documents AS (
         INSERT INTO document (company_id, branch_id, month, batch_id, number)
         SELECT $1, batches.branch_id, batches.month, batches.id, number::text
           FROM batches CROSS JOIN generate_series(1, 5) AS number
         RETURNING document.id, document.branch_id, document.month
       ), monthly AS (
         INSERT INTO monthly_balance (company_id, branch_id, month, account_id, opening, debit, credit, closing, balance)
         SELECT $1, months.branch_id, months.month, account, 1, 0, 0, 0, 1
           FROM months CROSS JOIN unnest($3::bigint[]) AS account WHERE months.state = 'CLOSED'
       ), daily AS (
         INSERT INTO daily_balance (company_id, branch_id, month, account_id, days, debits, credits, balances)
         SELECT $1, months.branch_id, months.month, account, ARRAY(SELECT months.month + generate_series(0, 27, 3)),
                array_fill(0, ARRAY[10]), array_fill(0, ARRAY[10]), array_fill(1, ARRAY[10])
           FROM months CROSS JOIN unnest($3::bigint[]) AS account
          WHERE months.state = 'CLOSED'
       )
       INSERT INTO entry_line (company_id, branch_id, document_id, account_id, month, day, sequence, side, amount,
                               entry_number)
       SELECT $1, documents.branch_id, documents.id, ($3::bigint[])[1 + line % cardinality($3::bigint[])], documents.month,
              documents.month + line, 1, 'D', 1, line::text
         FROM documents CROSS JOIN generate_series(1, 27) AS line`,
      [companyId, branchId, leaves, BRANCHES, MONTHS, CONSOLIDATED],
    );
    for (const table of [...Object.keys(GUARDED), 'month', 'branch']) await client.query(`VACUUM ANALYZE ${table}`);
  });
}
