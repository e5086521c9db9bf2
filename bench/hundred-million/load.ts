import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { AccountId, BranchId, CompanyId } from '../../src/accounting/ids.ts';
import { firstDay, type Month, monthNumberOf, slashOf, yearOf } from '../../src/accounting/period.ts';
import { consolidate, newChart, newCompany } from '../support/books.ts';
import { secondsOf } from '../support/figure.ts';
import type { Installation } from '../support/installation.ts';
import { closeMinutesAsked } from '../support/options.ts';
import { type BranchShape, businessDays, MEASURED, MONTHS, OPEN_MONTH } from './shape.ts';

const ACCOUNTS = 1_000;
const CHART = 'BANCO';
const DOCUMENT_LINES = 1_000;
/** Different entries there are; documents begin at different places among them. */
const ENTRIES = 50_000;
const KINDS = ['TED recebida do cliente', 'Liquidação da operação', 'Tarifa de pacote da conta', 'Juros do contrato'];

export interface LoadedBranch extends BranchShape {
  readonly companyId: CompanyId;
  readonly branchId: BranchId;
}

export interface LoadedBank {
  readonly branches: readonly LoadedBranch[];
  readonly leaves: readonly { readonly id: AccountId; readonly code: string }[];
  readonly lines: number;
}

/**
 * Books of so many lines as the program would have written them: companies, branches and months over HTTP, lines by
 * COPY in the order of their days, and every month but the last closed and sealed by the program's own jobs. Books that
 * a folder has from another run are taken as they are.
 */
export async function loadBank(
  installation: Installation,
  shape: readonly BranchShape[],
  lines: number,
  isClosed = true,
): Promise<LoadedBank> {
  if (!(await isLoaded(installation))) {
    await makeBranches(installation, shape);
    await loadLines(installation, await describe(installation, shape), lines);
  }
  await doWhatIsLeft(installation);
  const bank = await describe(installation, shape);
  if (isClosed) await closeAllMonths(installation, bank);
  await installation.owner.query('VACUUM (ANALYZE)');
  await installation.owner.query('CHECKPOINT');
  return bank;
}

async function isLoaded({ owner }: Installation): Promise<boolean> {
  const { rows } = await owner.query<{ loaded: boolean }>('SELECT EXISTS (SELECT FROM entry_line) AS loaded');
  return rows[0]!.loaded;
}

async function describe({ owner }: Installation, shape: readonly BranchShape[]): Promise<LoadedBank> {
  const { rows: places } = await owner.query<LoadedBranch>(
    `SELECT company.code AS company, branch.code AS branch, branch.company_id AS "companyId", branch.id AS "branchId"
       FROM branch JOIN company ON company.id = branch.company_id`,
  );
  const { rows: leaves } = await owner.query<LoadedBank['leaves'][number]>(
    `SELECT account.id, account.code FROM account JOIN chart ON chart.id = account.chart_id
      WHERE chart.code = $1 AND account.account_type = 'A' ORDER BY account.sort_key`,
    [CHART],
  );
  const { rows } = await owner.query<{ lines: number }>(
    "SELECT greatest(reltuples, 0)::bigint AS lines FROM pg_class WHERE relname = 'entry_line'",
  );
  const branches = shape.map((each) => ({ ...places.find((place) => place.branch === each.branch)!, ...each }));
  return { branches, leaves, lines: Number(rows[0]!.lines) };
}

async function makeBranches(installation: Installation, shape: readonly BranchShape[]): Promise<void> {
  await newChart(installation, CHART, ACCOUNTS);
  for (const company of new Set(shape.map((each) => each.company))) await newCompany(installation, company);
  for (const { company, branch } of shape) {
    await installation.call('masterdata', 'POST', '/branch', { company, branch, name: `Filial ${branch}` });
    const options = { company, branch, chartCode: CHART, baseYearMonth: slashOf(MONTHS[0]!) };
    await installation.call('masterdata', 'POST', '/company/options', options);
    for (const month of MONTHS) {
      const body = { newyearmonth: slashOf(month) };
      await installation.call('movements', 'POST', `/monthOpening/${company}/${branch}`, body);
    }
  }
}

/**
 * Without indexes and triggers, and frozen, so that nothing is read or written twice. What makes them again is kept in a
 * table: a run that was ended goes on where it was.
 */
async function loadLines({ owner, databaseUrl }: Installation, bank: LoadedBank, lines: number): Promise<void> {
  // Months were opened empty: those behind the newest have sums of no lines.
  await owner.query('UPDATE month SET summed = false');
  await owner.query('TRUNCATE line_sum');
  await owner.query(
    `INSERT INTO account_use (company_id, branch_id, account_id)
     SELECT branch.company_id, branch.id, account_id FROM branch CROSS JOIN unnest($1::bigint[]) AS account_id`,
    [bank.leaves.map(({ id }) => id)],
  );
  await owner.query(
    `CREATE TABLE left_to_do AS
     SELECT CASE WHEN indisprimary THEN 'ALTER TABLE entry_line ADD PRIMARY KEY (company_id, id)'
                 ELSE pg_get_indexdef(indexrelid) END AS statement,
            CASE WHEN indisprimary THEN 'ALTER TABLE entry_line DROP CONSTRAINT ' ELSE 'DROP INDEX ' END
              || indexrelid::regclass AS undone
       FROM pg_index WHERE indrelid = 'entry_line'::regclass
     UNION ALL
     SELECT format('ALTER TABLE entry_line %s TRIGGER %I', CASE tgenabled WHEN 'A' THEN 'ENABLE ALWAYS' ELSE 'ENABLE' END, tgname),
            format('ALTER TABLE entry_line DISABLE TRIGGER %I', tgname)
       FROM pg_trigger WHERE tgrelid = 'entry_line'::regclass AND NOT tgisinternal
     UNION ALL
     SELECT format('SELECT setval(pg_get_serial_sequence(%L, %L), (SELECT max(id) FROM %I))', name, 'id', name), NULL
       FROM unnest(ARRAY['entry_line', 'document', 'batch']) AS name`,
  );
  const { rows } = await owner.query<{ undone: string }>('SELECT undone FROM left_to_do WHERE undone IS NOT NULL');
  for (const { undone } of rows) await owner.query(undone);
  const seconds = await secondsOf(() => copyAll(databaseUrl, bank, lines));
  console.log(`${seconds.toFixed(0)} s: lines copied`);
}

async function doWhatIsLeft({ owner }: Installation): Promise<void> {
  await owner.query(`SET maintenance_work_mem = '1GB'`);
  const { rows } = await owner.query<{ statement: string }>('SELECT statement FROM left_to_do ORDER BY statement');
  for (const { statement } of rows) {
    const taken = await secondsOf(() => owner.query(statement));
    if (taken > 1) console.log(`${taken.toFixed(0)} s: ${statement}`);
    await owner.query('DELETE FROM left_to_do WHERE statement = $1', [statement]);
  }
}

/** Batches and documents come on a connection of their own while the lines are copied. */
async function copyAll(databaseUrl: string, bank: LoadedBank, lines: number): Promise<void> {
  const clients = await Promise.all(
    [0, 1].map(async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return client;
    }),
  );
  const [places, copying] = clients as [pg.Client, pg.Client];
  try {
    await copying.query('BEGIN');
    // A table emptied by the same transaction may be written frozen.
    await copying.query('TRUNCATE entry_line');
    const copy = copyFrom(
      `COPY entry_line (id, company_id, branch_id, month, day, document_id, entry_number, sequence, account_id,
                        offset_account_id, side, amount, narration, created_by) FROM STDIN (FREEZE)`,
    );
    await pipeline(Readable.from(copiedLines(places, bank, lines), { highWaterMark: 4 }), copying.query(copy));
    await copying.query('COMMIT');
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** The lines as they come in years: month by month, day by day, branch by branch. */
async function* copiedLines(places: pg.Client, bank: LoadedBank, lines: number): AsyncGenerator<Buffer> {
  const entries = entryTexts(bank.leaves.map(({ id }) => id));
  let [id, batchId, documentId] = [0, 0, 0];
  for (const month of MONTHS) {
    const days = businessDays(month);
    const documents: unknown[][] = [];
    const firstBatch = batchId + 1;
    batchId += bank.branches.length;
    await insertBatches(places, bank, month, firstBatch);
    for (const day of days) {
      for (const [at, branch] of bank.branches.entries()) {
        const ofDay = Math.max(1, Math.round((lines * branch.part) / MONTHS.length / days.length / 2));
        for (let done = 0; done < ofDay; ) {
          const count = Math.min(DOCUMENT_LINES / 2, ofDay - done);
          documents.push([branch.companyId, ++documentId, branch.branchId, firstBatch + at]);
          const place = `\t${branch.companyId}\t${branch.branchId}\t${firstDay(month)}\t${day}\t${documentId}\t`;
          let text = '';
          for (let entry = 0; entry < count; entry++) {
            const [debit, credit] = entries[(documentId * 7_919 + entry) % ENTRIES]!;
            text += `${++id}${place}${entry + 1}${debit}${++id}${place}${entry + 1}${credit}`;
          }
          done += count;
          yield Buffer.from(text);
        }
      }
    }
    await insertDocuments(places, month, documents);
  }
}

/** What follows the number of an entry, of both its lines. Some accounts move every minute, most of them seldom. */
function entryTexts(accounts: readonly AccountId[]): [string, string][] {
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  return Array.from({ length: ENTRIES }, (_, at) => {
    const debit = Math.floor(accounts.length * random() ** 2);
    const credit = (debit + 1 + Math.floor((accounts.length - 1) * random() ** 2)) % accounts.length;
    const amount = (1 + Math.floor(10 ** (2 + 6 * random()))) / 100;
    const rest = `\t${amount.toFixed(2)}\t${KINDS[at % KINDS.length]} ${1_000_000 + at * 37}\tintegracao\n`;
    return [
      `\t1\t${accounts[debit]}\t${accounts[credit]}\tD${rest}`,
      `\t2\t${accounts[credit]}\t${accounts[debit]}\tC${rest}`,
    ];
  });
}

async function insertBatches(client: pg.Client, { branches }: LoadedBank, month: Month, first: number): Promise<void> {
  await client.query(
    `INSERT INTO batch (company_id, branch_id, id, month, number)
     SELECT company_id, branch_id, $3 + place - 1, $4, 'CARGA'
       FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS branch (company_id, branch_id, place)`,
    [branches.map(({ companyId }) => companyId), branches.map(({ branchId }) => branchId), first, firstDay(month)],
  );
}

async function insertDocuments(client: pg.Client, month: Month, documents: unknown[][]): Promise<void> {
  await client.query(
    `INSERT INTO document (company_id, id, branch_id, batch_id, month, number)
     SELECT company_id, id, branch_id, batch_id, $5, id::text
       FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS document (company_id, id, branch_id, batch_id)`,
    [...[0, 1, 2, 3].map((column) => documents.map((row) => row[column])), firstDay(month)],
  );
}

/**
 * By the program's own jobs: the branches that are measured, then all others month after month. Where the time given for
 * these ends, the later months stay open.
 */
async function closeAllMonths(installation: Installation, bank: LoadedBank): Promise<void> {
  for (const branch of measuredOf(bank)) {
    for (const month of await openMonthsOf(installation, branch)) {
      await consolidate(installation, branch, monthNumberOf(month), yearOf(month));
    }
  }
  const open = new Set(await openMonthsOf(installation));
  const companies = [...new Set(bank.branches.map(({ company }) => company))];
  const [began, limit] = [performance.now(), closeMinutesAsked() * 60_000];
  for (const month of open) {
    if (performance.now() - began > limit) return console.log(`open from ${month} on`);
    const seconds = await secondsOf(() =>
      Promise.all(
        companies.map((company) => consolidate(installation, { company }, monthNumberOf(month), yearOf(month))),
      ),
    );
    console.log(`${seconds.toFixed(1)} s: all branches closed in ${month}`);
  }
}

/** Of one branch or of any; the last month is not to be closed. */
export async function openMonthsOf({ owner }: Installation, branch?: LoadedBranch): Promise<Month[]> {
  const { rows } = await owner.query<{ month: Month }>(
    `SELECT DISTINCT to_char(month, 'YYYY-MM') AS month FROM month
      WHERE state = 'OPEN' AND to_char(month, 'YYYY-MM') <> $2 AND ($1::bigint IS NULL OR branch_id = $1) ORDER BY 1`,
    [branch?.branchId ?? null, OPEN_MONTH],
  );
  return rows.map(({ month }) => month);
}

/** The branches that are the same in both banks. */
export function measuredOf({ branches }: LoadedBank): LoadedBranch[] {
  return branches.filter(({ branch }) => MEASURED.some((each) => each.branch === branch));
}
