import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { firstDay } from '../src/accounting/period.ts';
import { type LoadedBank, type LoadedBranch, loadBank } from './hundred-million/load.ts';
import { type Asked, anywhere, closeFirstOpen, compare, openAsked, trialBalance } from './hundred-million/measure.ts';
import { LARGE_BANK, LARGEST, OPEN_MONTH, SMALL_BANK } from './hundred-million/shape.ts';
import { ask } from './support/ask.ts';
import { type Figure, type Measured, megabytes, secondsOf } from './support/figure.ts';
import { type Installation, openInstallation } from './support/installation.ts';
import { folderAsked, linesAsked } from './support/options.ts';

const LINES = 100_000_000;

/**
 * Whether a hundred times the books slow what is done with one branch: two branches of 60 months alone in a database, and
 * the same two among eighteen others that hold 99 of 100 lines, asked by turns over HTTP.
 */
export const hundredMillion: Figure = async (small) => {
  const lines = linesAsked(LINES);
  const large = await openInstallation(folderAsked());
  try {
    const smallBooks = await openAsked(small, await loadBank(small, SMALL_BANK, lines / 100));
    const largeBooks = await openAsked(large, await loadBank(large, LARGE_BANK, lines));
    // What a run before has printed of closed months would be answered from its files.
    await rm(join(large.dataDir, 'report-cache'), { recursive: true, force: true });
    for (const each of [small, large]) each.peakMemory();
    const compared = await compare(smallBooks, largeBooks);
    const memory = memoryOf(small, large);
    return [
      ...compared,
      ...(await anywhere(largeBooks)),
      ...(await ofLargestBranch(largeBooks)),
      memory,
      ...(await sizes(smallBooks, largeBooks)),
    ];
  } finally {
    await large.stop();
  }
};

function memoryOf(small: Installation, large: Installation): Measured {
  const [ofSmall, ofLarge] = [small, large].map((each) => megabytes(each.peakMemory() ?? 0)) as [number, number];
  return {
    name: 'memory of the program meanwhile',
    against: 'that of the program with a hundredth of the lines',
    detail: `${Math.round(ofLarge)} MB against ${Math.round(ofSmall)} MB`,
    value: ofLarge / ofSmall,
    unit: 'ratio',
    atMost: 1.25,
  };
}

/** Two fifths of all lines are its own. */
async function ofLargestBranch(asked: Asked): Promise<Measured[]> {
  const { bank, installation, reports } = asked;
  const branch = bank.branches.find((each) => each.branch === LARGEST.branch)!;
  await sumOpenMonths(installation, branch);
  const seconds = {
    'trial balance of its open month as CSV': await secondsOf(() =>
      ask(reports, trialBalance(installation, branch, OPEN_MONTH)),
    ),
    'close of a month': await closeFirstOpen(asked, branch),
  };
  const lines = Math.round((bank.lines * LARGEST.part) / 60).toLocaleString('en');
  return Object.entries(seconds).map(([name, value]) => ({
    name: `the largest branch, ${lines} lines a month: ${name}`,
    against: 'its limit',
    detail: 'once',
    value,
    unit: 's',
    atMost: 30,
  }));
}

/** Months that stay open behind the newest keep sums, which opening the next one makes; these were opened before they had lines. */
async function sumOpenMonths({ owner }: Installation, { companyId, branchId }: LoadedBranch): Promise<void> {
  await owner.query(`SELECT set_config('app.companies', $1, false)`, [companyId]);
  await owner.query('SELECT sum_open_months($1, $2, $3)', [companyId, branchId, firstDay(OPEN_MONTH)]);
}

async function sizes(small: Asked, large: Asked): Promise<Measured[]> {
  const [ofSmall, ofLarge] = [await relations(small), await relations(large)];
  return ofLarge.map(({ name, bytes, lines }) => {
    const before = ofSmall.find((each) => each.name === name)!;
    const [perLine, perLineBefore] = [bytes / lines, before.bytes / before.lines];
    return {
      name: `bytes of ${name} for each of ${lines.toLocaleString('en')} lines`,
      against: 'the same with a hundredth of the lines',
      detail: `${Math.round(megabytes(bytes)).toLocaleString('en')} MB, ${perLine.toFixed(1)} bytes against ${perLineBefore.toFixed(1)}`,
      value: perLine / perLineBefore,
      unit: 'ratio',
      atMost: 1.25,
    };
  });
}

interface Relation {
  readonly name: string;
  readonly bytes: number;
  readonly lines: number;
}

/** The lines, their indexes, the largest tables beside them, and all of the database. */
async function relations({
  installation,
  bank,
}: {
  installation: Installation;
  bank: LoadedBank;
}): Promise<Relation[]> {
  const { rows } = await installation.owner.query<{ name: string; bytes: number }>(
    `SELECT relname AS name, pg_relation_size(oid)::float AS bytes FROM pg_class
      WHERE relname IN ('entry_line', 'entry_line_pkey', 'entry_line_entry', 'entry_line_ledger')
     UNION ALL
     SELECT relname || ' with its indexes', pg_total_relation_size(oid)::float FROM pg_class
      WHERE relname IN ('monthly_balance', 'daily_balance', 'document')
     UNION ALL SELECT 'the whole database', pg_database_size(current_database())::float`,
  );
  return rows.map((row) => ({ ...row, lines: bank.lines }));
}
