import type pg from 'pg';
import { compileScript } from '../src/accounting/rule-language/compile-script.ts';
import { selectClosedMonth } from '../src/features/closing/balances/balances.read.sql.ts';
import { selectClosedBalances } from '../src/features/compliance/books.read.sql.ts';
import { month } from '../test/support/period.ts';
import { recorded, withBareConnections } from './support/bare-driver.ts';
import { ACCOUNTS, type Branch, books, newBranch, settle } from './support/books.ts';
import { byTurns, type Figure, type Measured, secondsOf } from './support/figure.ts';
import type { Installation } from './support/installation.ts';

const BRANCHES = 200;
const RULES = 100;
const MONTH = month('2026-02');
const MONTHS = [month('2026-01'), MONTH];
const SOURCES = 10_000;
const SOURCE_LENGTH = 400;

/** The rules of a document over every branch of a company, and reading rules at all. */
export const ruling: Figure = async (installation) => {
  const branches = await branchesWithBalances(installation);
  const documents = await addRules(installation);
  const { companyId } = await books(installation);
  const overBranches = await withBareConnections(installation, companyId, 1, async ([client]) => {
    const ofMonth = await recorded(client!, async (sql) => {
      for (const branch of branches) await selectClosedMonth(sql, branch, MONTH);
    });
    const ofBothMonths = await recorded(client!, async (sql) => {
      for (const branch of branches) await selectClosedBalances(sql, branch, MONTHS, null);
    });
    return [
      await runAgainst(installation, branches, documents.named, {
        name: `${RULES} rules over ${BRANCHES} branches of ${ACCOUNTS.toLocaleString('en')} balances, as a job`,
        against: 'all balances of the month, a query a branch, by the bare driver',
        read: () => send(client!, ofMonth, ACCOUNTS),
      }),
      await runAgainst(installation, branches, documents.computed, {
        name: '… and a rule that computes an account, so that all balances of two months are read',
        against: 'the same queries by the bare driver',
        read: () => send(client!, ofBothMonths, 2 * ACCOUNTS),
      }),
    ];
  });
  return [...overBranches, await compiling()];
};

interface Floor {
  readonly name: string;
  readonly against: string;
  read(): Promise<void>;
}

/** A run as a job, from the request to its end, against the balance queries that no run can do without. */
async function runAgainst(
  installation: Installation,
  branches: readonly Branch[],
  documentId: number,
  { name, against, read }: Floor,
): Promise<Measured> {
  const run = () => runRules(installation, branches, documentId);
  await read();
  await run();
  const { ours, bare, ratio } = await byTurns(
    () => secondsOf(run),
    () => secondsOf(read),
  );
  const detail = `${ours.toFixed(2)} s against ${bare.toFixed(2)} s`;
  return { name, against, detail, value: 1 / ratio, unit: 'ratio', atLeast: 0.6 };
}

async function send(client: pg.Client, queries: readonly pg.QueryConfig[], balances: number): Promise<void> {
  for (const query of queries) {
    const { rows } = await client.query(query);
    if (rows.length !== balances) throw new Error(`${rows.length} balances instead of ${balances}`);
  }
}

async function compiling(): Promise<Measured> {
  const sources = Array.from({ length: SOURCES }, (_, index) => longScript(index));
  const seconds = await secondsOf(async () => {
    for (const source of sources) {
      if (compileScript(source).script === undefined) throw new Error(`does not compile: ${source}`);
    }
  });
  return {
    name: `parsing and checking ${SOURCES.toLocaleString('en')} rules of ${SOURCE_LENGTH} characters or more`,
    against: 'a bound in seconds',
    detail: `${Math.round(SOURCES / seconds).toLocaleString('en')} rules/s`,
    value: seconds,
    unit: 's',
    atMost: 2,
  };
}

/** Whole rules one after the other, until there are characters enough. */
function longScript(index: number): string {
  let script = '';
  for (let each = index; script.length < SOURCE_LENGTH; each++) {
    script += ruleOf(each % RULES)
      .script.replace(/^RETORNA.*$/m, '')
      .trimEnd();
    script += '\n';
  }
  return script;
}

/** Two closed months in each branch, a balance in every account; written straight into the tables. */
async function branchesWithBalances(installation: Installation): Promise<Branch[]> {
  const { chartId, companyId } = await books(installation);
  const branches: Branch[] = [];
  for (let each = 0; each < BRANCHES; each++) branches.push(await newBranch(installation));
  const branchIds = branches.map(({ branchId }) => branchId);
  await installation.owner.query(
    `INSERT INTO month (company_id, branch_id, month, state, closed_at)
     SELECT $1, branch.id, month.month, 'CLOSED', now()
       FROM unnest($2::bigint[]) AS branch (id)
      CROSS JOIN (VALUES (date '2026-01-01'), (date '2026-02-01')) AS month (month)`,
    [companyId, branchIds],
  );
  await installation.owner.query(
    `INSERT INTO monthly_balance (company_id, branch_id, month, account_id, opening, debit, credit, closing, balance)
     SELECT $1, month.branch_id, month.month, node.id, sum(amount.opening), sum(amount.debit), sum(amount.credit), 0,
            sum(amount.opening + amount.debit - amount.credit)
       FROM month
       JOIN account ON account.chart_id = $3 AND account.account_type = 'A'
      CROSS JOIN LATERAL (
              VALUES ((account.id * 7919 + month.branch_id * 104729) % 100000000 / 100.0,
                      account.id * 31 % 1000000 / 100.0, month.branch_id * 37 % 100000 / 100.0)
            ) AS amount (opening, debit, credit)
      CROSS JOIN LATERAL unnest(account.ancestors || account.id) AS node (id)
      WHERE month.company_id = $1 AND month.branch_id = ANY ($2)
      GROUP BY month.branch_id, month.month, node.id`,
    [companyId, branchIds, chartId],
  );
  await settle(installation);
  return branches;
}

/**
 * Adds the rules to two documents, to the second also one whose account is no plain text; returns the documents' ids.
 */
async function addRules(installation: Installation): Promise<{ named: number; computed: number }> {
  const path = '/api/compliance/document/list';
  const list = await installation.call<{ id: number; code: string }[]>('compliance', 'GET', path);
  const idOf = (code: string) => list.find((each) => each.code === code)!.id;
  const ids = { named: idOf('4010'), computed: idOf('4016') };
  const settings = { cluetypeid: 3, businesssystemid: 1, basebegin: '2026-01', validitybegin: '2026-01-01' };
  const add = (documents: number[], rule: { name: string; script: string }) =>
    installation.call('compliance', 'POST', '/api/compliance/rule/add', { ...settings, ...rule, documents });
  for (let each = 0; each < RULES; each++) await add([ids.named, ids.computed], ruleOf(each));
  await add([ids.computed], { name: 'Conta calculada', script: 'grupo = "1.1"\nRETORNA SALDO_CONTA(grupo)' });
  return ids;
}

/** The kinds of the starter rules by turns, about five balances each, over other accounts of the bench's chart. */
function ruleOf(index: number): { name: string; script: string } {
  const group = `1.${1 + (index % 4)}`;
  const title = `${group}.${1 + (Math.floor(index / 4) % 4)}.${1 + (Math.floor(index / 16) % 4)}`;
  const kinds = [
    [
      `parte = SOMA_SALDO_CONTAS("${group}.1*", "${group}.2*", "${group}.3*", "${group}.4*")`,
      `total = SALDO_CONTA("${group}")`,
      'SE ABS(total - parte) > 1 ENTAO',
      '  ERRO "Total {total} difere das partes {parte} em {total - parte}"',
      'FIM',
      'RETORNA total',
    ],
    ['01', '02', '03', '04', '05'].flatMap((leaf) => [
      `saldo = SALDO_CONTA("${title}.${leaf}")`,
      `SE saldo < 0 ENTAO ERRO "${title}.${leaf} com saldo credor {saldo}" FIM`,
    ]),
    [
      `SE SALDO_CONTA("${title}*", 1) <> 0 ENTAO`,
      `  variacao = VARIACAO_PERCENTUAL("${title}*")`,
      '  SE ABS(variacao) > 30 ENTAO',
      `    ERRO "Grupo ${title} variou {ARREDONDA(variacao, 2)} %"`,
      '  FIM',
      'FIM',
      `RETORNA MOVIMENTO_DEBITO("${title}*") - MOVIMENTO_CREDITO("${title}*")`,
    ],
    [
      `antes = SALDO_ANTES_ENCERRAMENTO("${title}*") + SALDO_ANTES_ENCERRAMENTO("7.${index}*")`,
      `depois = SALDO_CONTA("${title}*") + SALDO_CONTA("7.${index}*") + SALDO_CONTA("8.${index}*")`,
      'SE antes <> depois ENTAO',
      '  ERRO "Antes {antes}, depois {depois}"',
      'FIM',
      'RETORNA depois',
    ],
  ];
  return { name: `Regra ${String(index).padStart(3, '0')}`, script: kinds[index % kinds.length]!.join('\n') };
}

async function runRules(installation: Installation, branches: readonly Branch[], documentid: number): Promise<void> {
  const [first, last] = [branches[0]!, branches.at(-1)!];
  const range = { companyid: first.companyId, branchfrom: first.branch, branchto: last.branch };
  const fields = { refmonth: MONTH, ...range, documentid };
  let job = await installation.call<Job>('compliance', 'POST', '/api/compliance/run?async=true', fields);
  while (job.status !== 'DONE') {
    if (job.status === 'ERROR') throw new Error(job.message ?? 'the run failed');
    await new Promise((resolve) => setTimeout(resolve, 10));
    job = await installation.call<Job>('compliance', 'GET', `/api/compliance/run/${job.jobid}`);
  }
  if (job.processes.length !== BRANCHES) throw new Error(`${job.processes.length} processes instead of ${BRANCHES}`);
}

interface Job {
  readonly jobid: number;
  readonly status: string;
  readonly message: string | null;
  readonly processes: readonly number[];
}
