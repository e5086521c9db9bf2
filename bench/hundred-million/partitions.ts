import { monthFromIso } from '../../src/accounting/period.ts';
import { type Figure, type Measured, median, perSecond, secondsOf } from '../support/figure.ts';
import { type Floor, floorOn } from '../support/floor.ts';
import { type Installation, openInstallation } from '../support/installation.ts';
import { folderAsked, linesAsked } from '../support/options.ts';
import { type LoadedBank, type LoadedBranch, loadBank, measuredOf } from './load.ts';
import { LARGE_BANK, LARGEST, OPEN_MONTH } from './shape.ts';

const LINES = 20_000_000;
const ROUNDS = 5;
const TURN_SECONDS = 3;
const CLIENTS = 4;
const YEARS = [2022, 2023, 2024, 2025, 2026];
const MONTH = monthFromIso('2025-06')!;
const TABLES = { plain: 'entry_line', byYear: 'line_by_year' } as const;

/**
 * Lines in one table against the same lines in a partition for each year, with the same indexes but for the month in the
 * unique ones. Both are asked as the owner, without triggers and policies: what differs is the table. A row is met
 * where partitions pay.
 */
export const partitions: Figure = async () => {
  const installation = await openInstallation(folderAsked());
  const floor = floorOn(installation);
  try {
    const bank = await loadBank(installation, LARGE_BANK, linesAsked(LINES), false);
    if (!floor) return [];
    await installation.owner.query('ALTER TABLE entry_line DISABLE TRIGGER ALL');
    await partitionedCopy(installation);
    const [measured] = measuredOf(bank);
    const largest = bank.branches.find((each) => each.branch === LARGEST.branch)!;
    return [
      ...(await rates(installation, floor, bank, measured!)),
      await sumOfMonth(floor, measured!, 'an ordinary branch'),
      await sumOfMonth(floor, largest, 'the largest branch'),
      ...(await archiving(installation, floor, measured!)),
    ];
  } finally {
    await installation.stop();
  }
};

async function partitionedCopy({ owner }: Installation): Promise<void> {
  const make = (what: string, statement: string) =>
    secondsOf(() => owner.query(statement)).then((seconds) => console.log(`${seconds.toFixed(0)} s: ${what}`));
  await owner.query(`SET maintenance_work_mem = '1GB'`);
  await owner.query('DROP TABLE IF EXISTS line_by_year');
  await owner.query(
    'CREATE TABLE line_by_year (LIKE entry_line INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (month)',
  );
  await owner.query(`ALTER TABLE line_by_year ALTER id SET DEFAULT nextval('entry_line_id_seq')`);
  for (const year of YEARS) {
    const bounds = `FROM ('${year}-01-01') TO ('${year + 1}-01-01')`;
    await owner.query(`CREATE TABLE line_${year} PARTITION OF line_by_year FOR VALUES ${bounds}`);
  }
  await make('the lines copied', 'INSERT INTO line_by_year SELECT * FROM entry_line');
  await make('primary key', 'ALTER TABLE line_by_year ADD PRIMARY KEY (company_id, id, month)');
  await make(
    'unique index of entries',
    `CREATE UNIQUE INDEX ON line_by_year (company_id, document_id, natural_sort_key(entry_number), sequence, month)
       INCLUDE (entry_number, id)`,
  );
  await make(
    'index of the ledger',
    `CREATE INDEX ON line_by_year (company_id, branch_id, month, account_id, day) INCLUDE (side, amount, closing)`,
  );
  await make('VACUUM ANALYZE', 'VACUUM (ANALYZE) line_by_year');
  await owner.query('CHECKPOINT');
}

interface Script {
  readonly name: string;
  text(table: string): string;
}

/** How often a second each statement is answered, by turns. */
async function rates(
  { owner }: Installation,
  floor: Floor,
  { leaves }: LoadedBank,
  { companyId, branchId }: LoadedBranch,
): Promise<Measured[]> {
  const { rows } = await owner.query<{ first: number; last: number; document: number; documents: number }>(
    `SELECT (SELECT min(id) FROM entry_line WHERE company_id = $1)::float AS first,
            (SELECT max(id) FROM entry_line WHERE company_id = $1)::float AS last,
            min(id)::float AS document, max(id)::float AS documents
       FROM document WHERE company_id = $1`,
    [companyId],
  );
  const { first, last, document, documents } = rows[0]!;
  const accounts = `\\set account random(${leaves[0]!.id}, ${leaves.at(-1)!.id})\n`;
  const place = `company_id = ${companyId} AND branch_id = ${branchId}`;
  const columns =
    'company_id, branch_id, month, day, document_id, entry_number, sequence, account_id, offset_account_id, side, amount';
  const line = (sequence: number, side: string) =>
    `(${companyId}, ${branchId}, '${OPEN_MONTH}-01', '${OPEN_MONTH}-07', ${documents}, 'B' || :number, ${sequence}, :account, :account, '${side}', 1.50)`;
  const scripts: Script[] = [
    {
      name: 'INSERT of an entry of two lines into the open month',
      text: (table) =>
        `\\set number random(1, 1000000000000)\n${accounts}INSERT INTO ${table} (${columns}) VALUES ${line(1, 'D')}, ${line(2, 'C')};`,
    },
    {
      name: 'a page of 100 lines of an account-month',
      text: (table) =>
        `${accounts}SELECT id, side, day, amount, narration FROM ${table} WHERE ${place} AND month = '${MONTH}-01' AND account_id = :account ORDER BY day, id LIMIT 100;`,
    },
    {
      name: 'a line read by its id',
      text: (table) =>
        `\\set id random(${first}, ${last})\nSELECT * FROM ${table} WHERE company_id = ${companyId} AND id = :id;`,
    },
    {
      name: 'the first 100 lines of a document',
      text: (table) =>
        `\\set document random(${document}, ${documents})\nSELECT * FROM ${table} WHERE company_id = ${companyId} AND document_id = :document ORDER BY natural_sort_key(entry_number), sequence LIMIT 100;`,
    },
    {
      name: 'the same, its month named',
      text: (table) =>
        `\\set document random(${document}, ${documents})\nSELECT line.* FROM document JOIN ${table} AS line ON line.company_id = document.company_id AND line.document_id = document.id AND line.month = document.month WHERE document.company_id = ${companyId} AND document.id = :document ORDER BY natural_sort_key(entry_number), sequence LIMIT 100;`,
    },
  ];
  const measured: Measured[] = [];
  for (const { name, text } of scripts) {
    const turns: { plain: number; byYear: number }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const turn = {
        plain: await floor.rate(text(TABLES.plain), { clients: CLIENTS, seconds: TURN_SECONDS }),
        byYear: await floor.rate(text(TABLES.byYear), { clients: CLIENTS, seconds: TURN_SECONDS }),
      };
      // The first round fills the caches.
      if (round > 0) turns.push(turn);
    }
    const middle = (of: (turn: (typeof turns)[number]) => number) => median(turns.map(of));
    measured.push({
      name: `${name}, partitions by year`,
      against: 'one table',
      detail: `${perSecond(middle((turn) => turn.byYear))} against ${perSecond(middle((turn) => turn.plain))}`,
      value: middle((turn) => turn.byYear / turn.plain),
      unit: 'ratio',
      atLeast: 1,
    });
    console.log(`${name}: ${measured.at(-1)!.detail}`);
  }
  return measured;
}

/** What a month close reads. */
async function sumOfMonth(floor: Floor, { companyId, branchId }: LoadedBranch, whose: string): Promise<Measured> {
  const statement = (table: string) => `
    SELECT count(*), sum(debit) FROM (
      SELECT account_id, day, sum(amount) FILTER (WHERE side = 'D') AS debit, sum(amount) FILTER (WHERE side = 'C') AS credit
        FROM ${table} WHERE company_id = ${companyId} AND branch_id = ${branchId} AND month = '${MONTH}-01'
       GROUP BY account_id, day) AS leaf`;
  const turns: { plain: number; byYear: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const turn = {
      plain: await floor.seconds(statement(TABLES.plain)),
      byYear: await floor.seconds(statement(TABLES.byYear)),
    };
    if (round > 0) turns.push(turn);
  }
  return inSeconds(
    `sums of a month by account and day, ${whose}`,
    median(turns.map(({ byYear }) => byYear)),
    median(turns.map(({ plain }) => plain)),
  );
}

function inSeconds(name: string, byYear: number, plain: number): Measured {
  return {
    name: `${name}, partitions by year`,
    against: 'one table',
    detail: `${(1000 * byYear).toFixed(0)} ms against ${(1000 * plain).toFixed(0)} ms`,
    value: plain / byYear,
    unit: 'ratio',
    atLeast: 1,
  };
}

/** A year of one branch, as the program archives it, from both; then the year of all branches by taking its partition away. */
async function archiving({ owner }: Installation, floor: Floor, branch: LoadedBranch): Promise<Measured[]> {
  const ofYear = "month >= '2022-01-01' AND month < '2023-01-01'";
  const move = (table: string) =>
    `WITH gone AS (DELETE FROM ${table} WHERE company_id = ${branch.companyId} AND branch_id = ${branch.branchId} AND ${ofYear}
       RETURNING *) INSERT INTO entry_line_archive SELECT * FROM gone`;
  const rows = await owner.query<{ all: number; own: number }>(
    `SELECT count(*)::float AS all, (count(*) FILTER (WHERE branch_id = $1))::float AS own FROM line_2022`,
    [branch.branchId],
  );
  const { all, own } = rows.rows[0]!;
  const taken = { plain: await floor.seconds(move(TABLES.plain)), byYear: await floor.seconds(move(TABLES.byYear)) };
  const vacuum = {
    plain: await floor.seconds(`VACUUM ${TABLES.plain}`),
    byYear: await floor.seconds('VACUUM line_2022'),
  };
  const detached = await floor.seconds('ALTER TABLE line_by_year DETACH PARTITION line_2022');
  const whole = (taken.plain * all) / own;
  return [
    inSeconds(
      `a year of one branch (${own.toLocaleString('en')} lines) moved into the archive`,
      taken.byYear,
      taken.plain,
    ),
    inSeconds('VACUUM after it', vacuum.byYear, vacuum.plain),
    inSeconds(
      `the year of all branches (${all.toLocaleString('en')} lines) detached; of one table by the rate above`,
      detached,
      whole,
    ),
  ];
}
