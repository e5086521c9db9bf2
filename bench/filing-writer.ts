import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type Bank,
  type Branch,
  consolidate,
  fillMonth,
  newBranch,
  newChart,
  newCompany,
  openMonth,
  settle,
} from './support/books.ts';
import { byTurns, type Figure, type Measured, median, megabytes, perSecond } from './support/figure.ts';
import type { Installation } from './support/installation.ts';
import { linesAsked } from './support/options.ts';
import type { WrittenInBench } from './support/write-ecd.ts';

const WRITE = fileURLToPath(new URL('support/write-ecd.ts', import.meta.url));
const MONTHS = 12;
const LINES = 1_000_000;
/** Of accounts that move on each of 28 days of each month: a million lines of daily balances. */
const DAILY = { accounts: 3_086, days: 28 };

/**
 * A year as a bookkeeping file (ECD): form G of a million lines of entries, or as many as --lines says, beside the same rows as
 * the server sends them; form B of a million lines.
 */
export const filingWriter: Figure = async (installation) => {
  const folder = await mkdtemp(join(tmpdir(), 'partidas-bench-ecd-'));
  try {
    return [...(await journal(installation, folder)), ...(await dailyBalances(installation, folder))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

async function journal(installation: Installation, folder: string): Promise<Measured[]> {
  const bank = await newCompany(installation, 'ECDG');
  const { leaves } = await newChart(installation, 'ECDG', 2_000);
  const branch = await newBranch(installation, 'ECDG', bank);
  const lines = Math.round(linesAsked(LINES) / MONTHS / 2) * 2;
  for (let month = 1; month <= MONTHS; month++) {
    await openMonth(installation, branch, month);
    await fillMonth(installation, branch, month, lines, leaves);
    await consolidate(installation, branch, month);
  }
  await settle(installation);
  const path = join(folder, 'ecd.txt');
  const idle = await run('idle', installation, branch, path);
  const memory: number[] = [];
  let last: WrittenInBench | undefined;
  const speed = await byTurns(
    async () => {
      last = await run('G', installation, branch, path);
      memory.push(last.memory);
      return last.rows / last.seconds;
    },
    async () => {
      const bare = await run('bare', installation, branch, path);
      return bare.rows / bare.seconds;
    },
  );
  const { lines: written, rows, bytes } = last!;
  const perRow = written / rows;
  return [
    {
      name: `bookkeeping file (ECD G) of ${written.toLocaleString('en')} lines, ${rows.toLocaleString('en')} of them of entries`,
      against: 'its limit, 150,000 lines a second',
      detail: `${perSecond(speed.ours * perRow)} lines, ${megabytes(bytes).toFixed(0)} MB`,
      value: rows / speed.ours,
      unit: 's',
      atMost: written / 150_000,
    },
    {
      name: '… its lines of entries',
      against: 'a bare COPY of the same columns in the same order into a file',
      detail: `${perSecond(speed.ours)} against ${perSecond(speed.bare)}`,
      value: speed.ratio,
      unit: 'ratio',
      atLeast: 0.5,
    },
    {
      name: '… memory above that of a process that is only connected',
      against: 'its limit',
      detail: `largest resident size; ${megabytes(idle.memory).toFixed(0)} MB when idle`,
      value: megabytes(median(memory) - idle.memory),
      unit: 'MB',
      atMost: 250,
    },
  ];
}

async function dailyBalances(installation: Installation, folder: string): Promise<Measured[]> {
  const bank = await newCompany(installation, 'ECDB');
  const { leaves } = await newChart(installation, 'ECDB', DAILY.accounts);
  const branch = await newBranch(installation, 'ECDB', bank);
  for (let month = 1; month <= MONTHS; month++) {
    await openMonth(installation, branch, month);
    await fillMonth(installation, branch, month, 2 * leaves.length, leaves);
    await consolidate(installation, branch, month);
  }
  await moveEveryDay(installation, bank);
  await settle(installation);
  const path = join(folder, 'ecd.txt');
  const runs = [0, 1, 2].map(() => () => run('B', installation, branch, path));
  const written: WrittenInBench[] = [];
  for (const each of runs) written.push(await each());
  const seconds = median(written.map((each) => each.seconds));
  const { lines } = written[0]!;
  return [
    {
      name: `bookkeeping file (ECD B) of ${lines.toLocaleString('en')} lines`,
      against: 'its limit',
      detail: `${perSecond(lines / seconds)} lines; largest resident size ${megabytes(written[0]!.memory).toFixed(0)} MB`,
      value: seconds,
      unit: 's',
      atMost: 10,
    },
  ];
}

/** Each account with movement on every day, as balances keep it: lines for it would take longer to post than to measure. */
async function moveEveryDay({ owner }: Installation, { companyId }: Pick<Bank, 'companyId'>): Promise<void> {
  await owner.query(
    `UPDATE daily_balance
        SET days = ARRAY(SELECT daily_balance.month + day FROM generate_series(0, $2::integer - 1) AS day),
            debits = array_fill(12.34::numeric(20,2), ARRAY[$2::integer]),
            credits = array_fill(12.34::numeric(20,2), ARRAY[$2::integer]),
            closing_debits = NULL, closing_credits = NULL, balances = array_fill(0::numeric(20,2), ARRAY[$2::integer])
      WHERE company_id = $1`,
    [companyId, DAILY.days],
  );
}

async function run(
  what: 'G' | 'B' | 'bare' | 'idle',
  { databaseUrl }: Installation,
  { companyId, branchId }: Branch,
  path: string,
): Promise<WrittenInBench> {
  const words = [WRITE, what, databaseUrl, String(companyId), String(branchId), path];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return JSON.parse(stdout) as WrittenInBench;
}
