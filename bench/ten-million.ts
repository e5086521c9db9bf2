import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Pool } from 'undici';
import { ask } from './support/ask.ts';
import {
  type Books,
  type Branch,
  books,
  consolidate,
  fillMonth,
  newBranch,
  newChart,
  openMonth,
  settle,
} from './support/books.ts';
import { type Figure, type Measured, median, megabytes, percentile99 } from './support/figure.ts';
import type { Installation } from './support/installation.ts';

const MONTHS = 12;
/** In every branch and month: 200 branches hold 10,000,000 lines. */
const LINES = 4_166;
const BRANCHES = { million: 20, tenMillion: 200 };
const MEASURED = 2;
const REQUESTS = 1_000;
const ROUNDS = 3;
/** On 31 days they make a month of 100,000 rows. */
const DAILY_ACCOUNTS = 3_300;
const DAILY_LINES = 200_000;
const PAGE = 1_000;

/**
 * Whether the data of other branches slows a branch: the same requests on the same branches, with 1,000,000 lines in
 * the database and with 10,000,000. And a month of 100,000 rows as the legacy listing gives it.
 */
export const tenMillion: Figure = async (installation) => {
  const { leaves } = await books(installation);
  const branches: Branch[] = [];
  for (let each = 0; each < MEASURED; each++) branches.push(await yearByProgram(installation));
  const http = installation.connections('queries', 1);
  const questions = questionsOn(branches, leaves);
  await loadOthers(installation, MEASURED, BRANCHES.million);
  await settle(installation);
  const before = await slowest(installation, http, questions);
  await loadOthers(installation, BRANCHES.million, BRANCHES.tenMillion);
  await settle(installation);
  const after = await slowest(installation, http, questions);
  const { rows } = await installation.owner.query<{ lines: number }>(
    'SELECT count(*)::integer AS lines FROM entry_line',
  );
  const lines = rows[0]!.lines.toLocaleString('en');
  const grown = questions.map(
    ({ name }, at): Measured => ({
      name: `${name}, p99 with ${lines} lines`,
      against: 'the same with a tenth of them',
      detail: `${before[at]!.toFixed(2)} ms, then ${after[at]!.toFixed(2)} ms`,
      value: after[at]! / before[at]!,
      unit: 'ratio',
      atMost: 2,
    }),
  );
  return [...grown, ...(await dailyListing(installation, http))];
};

/** A branch with everything that the program itself writes: eleven closed months and an open one. */
async function yearByProgram(installation: Installation): Promise<Branch> {
  const branch = await newBranch(installation);
  for (let month = 1; month <= MONTHS; month++) {
    await openMonth(installation, branch, month);
    await fillMonth(installation, branch, month, LINES);
    if (month < MONTHS) await consolidate(installation, branch, month);
  }
  return branch;
}

/**
 * Branches that only add volume: months, documents and closed balances straight into the tables, the lines by COPY. The
 * indexes of the lines are made again behind the load, which takes a third of filling them row by row.
 */
async function loadOthers(installation: Installation, from: number, to: number): Promise<void> {
  const { companyId, chartId, leaves } = await books(installation);
  const accounts = leaves.map((leaf) => leaf.id);
  await installation.owner.query('BEGIN');
  await installation.owner.query('SET LOCAL session_replication_role = replica');
  await installation.owner.query(`SET LOCAL maintenance_work_mem = '512MB'`);
  const indexes = await installation.owner.query<{ name: string; text: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS text FROM pg_index
      WHERE indrelid = 'entry_line'::regclass AND NOT indisprimary`,
  );
  for (const { name } of indexes.rows) await installation.owner.query(`DROP INDEX ${name}`);
  const { rows: documents } = await installation.owner.query<DocumentRow>(
    `WITH made AS (
       INSERT INTO branch (company_id, code, name)
       SELECT $1, 'L' || number, 'Filial carregada ' || number FROM generate_series($2::integer, $3::integer - 1) AS number
       RETURNING branch.id
     ), options AS (
       INSERT INTO company_options (company_id, branch_id, chart_id, base_month)
       SELECT $1, made.id, $4, '2026-01-01' FROM made
     ), months AS (
       INSERT INTO month (company_id, branch_id, month, state)
       SELECT $1, made.id, make_date(2026, number, 1), CASE WHEN number < $5 THEN 'CLOSED' ELSE 'OPEN' END
         FROM made CROSS JOIN generate_series(1, $5) AS number
       RETURNING month.branch_id, month.month
     ), batches AS (
       INSERT INTO batch (company_id, branch_id, month, number)
       SELECT $1, months.branch_id, months.month, 'CARGA' FROM months
       RETURNING batch.id, batch.branch_id, batch.month
     ), balances AS (
       INSERT INTO monthly_balance (company_id, branch_id, month, account_id, opening, debit, credit, closing, balance)
       SELECT $1, months.branch_id, months.month, account.id, 0, 1, 1, 0, 0
         FROM months CROSS JOIN unnest($6::bigint[]) AS account (id) WHERE months.month < make_date(2026, $5, 1)
     )
     INSERT INTO document (company_id, branch_id, month, batch_id, number)
     SELECT $1, batches.branch_id, batches.month, batches.id, '1' FROM batches
     RETURNING document.id, document.branch_id AS "branchId", to_char(document.month, 'YYYY-MM') AS month`,
    [companyId, from, to, chartId, MONTHS, accounts],
  );
  const copy = copyFrom(
    `COPY entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id,
                      offset_account_id, side, amount, narration) FROM STDIN`,
  );
  await pipeline(Readable.from(copiedLines(companyId, documents, accounts)), installation.owner.query(copy));
  for (const { text } of indexes.rows) await installation.owner.query(text);
  await installation.owner.query('COMMIT');
}

interface DocumentRow {
  readonly id: number;
  readonly branchId: number;
  readonly month: string;
}

/** The lines of each document as COPY reads them; but for their place they are the same in all of them. */
function* copiedLines(
  companyId: number,
  documents: readonly DocumentRow[],
  accounts: readonly number[],
): Generator<string> {
  const account = (at: number) => accounts[at % accounts.length];
  const lines = Array.from({ length: LINES }, (_, at) => {
    const [number, sequence] = [1 + Math.floor(at / 2), 1 + (at % 2)];
    const day = String(1 + ((number * 7) % 28)).padStart(2, '0');
    const accountIds = `${account(number * 2 + sequence)}\t${account(number * 2 + 3 - sequence)}`;
    const amount = ((number % 90_000) + 100) / 100;
    const side = sequence === 1 ? 'D' : 'C';
    return `${day}\t${number}\t${sequence}\t${accountIds}\t${side}\t${amount}\tHistórico do lançamento ${number}\n`;
  });
  for (const { id, branchId, month } of documents) {
    const place = `${companyId}\t${branchId}\t${id}\t${month}-01\t${month}-`;
    yield lines.map((line) => place + line).join('');
  }
}

interface Question {
  readonly name: string;
  readonly path: string;
  body(): Record<string, unknown>;
}

function questionsOn(branches: readonly Branch[], leaves: Books['leaves']): Question[] {
  const some = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)]!;
  const place = () => {
    const { company, branch } = some(branches);
    return { empresa: company, filial: branch, contaId: some(leaves).id };
  };
  return [
    {
      name: 'ledger of an account-month',
      path: '/generalLedgerQuery',
      body: () => ({ ...place(), year: 2026, month: 1 + Math.floor(Math.random() * MONTHS) }),
    },
    {
      name: '12-month balances of an account',
      path: '/balanceInquiryDetails',
      body: () => ({ ...place(), anomesini: '01/2026', anomesfim: '12/2026' }),
    },
  ];
}

/** The 99th percentile of each question in milliseconds, one request after the other; the median of three rounds. */
async function slowest(installation: Installation, http: Pool, questions: readonly Question[]): Promise<number[]> {
  const found: number[] = [];
  for (const question of questions) {
    const rounds: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const times: number[] = [];
      for (let request = 0; request < REQUESTS; request++) {
        const began = performance.now();
        await ask(http, { path: question.path, token: installation.token, body: question.body() });
        times.push(performance.now() - began);
      }
      // The first round fills the caches.
      if (round > 0) rounds.push(percentile99(times));
    }
    found.push(median(rounds));
  }
  return found;
}

/** The month while it is open and when it is closed, whole as CSV and page by page as JSON. */
async function dailyListing(installation: Installation, http: Pool): Promise<Measured[]> {
  const { leaves } = await newChart(installation, 'DAILY', DAILY_ACCOUNTS);
  const branch = await newBranch(installation, 'DAILY');
  await openMonth(installation, branch, 1);
  await fillMonth(installation, branch, 1, DAILY_LINES, leaves);
  await settle(installation);
  const measured: Measured[] = [];
  for (const state of ['open', 'consolidated']) {
    if (state === 'consolidated') await consolidate(installation, branch, 1);
    installation.peakMemory();
    const before = megabytes(installation.peakMemory() ?? 0);
    const began = performance.now();
    const rows = await csvRows(installation, http, branch);
    const seconds = (performance.now() - began) / 1000;
    const peak = megabytes(installation.peakMemory() ?? 0);
    const [first, last] = [
      await pageTime(installation, http, branch, 0),
      await pageTime(installation, http, branch, 99),
    ];
    measured.push({
      name: `legacy daily listing of ${rows.toLocaleString('en')} rows as CSV, ${state} month: memory of the program`,
      against: 'its limit',
      detail: `${Math.round(before)} MB before; ${seconds.toFixed(1)} s; a page of ${PAGE} as JSON ${Math.round(first)} ms, the hundredth ${Math.round(last)} ms`,
      value: peak,
      unit: 'MB',
      atMost: 512,
    });
  }
  return measured;
}

function listingPath({ company, branch }: Branch): string {
  const period = 'dataInicio=2026-01-01&dataFim=2026-01-31&tipoSaldo=D';
  return `/api/v1/legacy-integration/consulta-contabil?empresa=${company}&filial=${branch}&${period}`;
}

async function csvRows(installation: Installation, http: Pool, branch: Branch): Promise<number> {
  const { statusCode, body } = await http.request({
    method: 'GET',
    path: listingPath(branch),
    headers: { authorization: `Bearer ${installation.token}`, accept: 'text/csv' },
  });
  if (statusCode !== 200) throw new Error(`${statusCode} ${await body.text()}`);
  let lines = 0;
  for await (const chunk of body) for (const byte of chunk as Buffer) if (byte === 10) lines++;
  return lines - 1;
}

async function pageTime(installation: Installation, http: Pool, branch: Branch, page: number): Promise<number> {
  const began = performance.now();
  const path = `${listingPath(branch)}&tamanho=${PAGE}&pagina=${page}`;
  await ask(http, { method: 'GET', path, token: installation.token });
  return performance.now() - began;
}
