import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BookedDay, type Funds, makeFunds } from './funds/make-funds.ts';
import { runAdmin } from './support/admin.ts';
import { ask, type Question } from './support/ask.ts';
import { settle } from './support/books.ts';
import { type Figure, type Measured, median, megabytes, secondsOf } from './support/figure.ts';
import type { Installation } from './support/installation.ts';
import { fundsAsked } from './support/options.ts';

const FUNDS = 2_000;
const DAYS: readonly BookedDay[] = ['2026-01-02', '2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08'];
/** Of a fund and day, of two lines each. */
const ENTRIES = 10;
const FUNDS_A_REQUEST = 100;
const CONNECTIONS = 4;
/** What the figures are scaled to. */
const GOAL = { funds: 10_000, days: 250 };

/** What a day costs that administers many funds: its entries, its close and its quotas; what it stores, and saving and verifying it. */
export const funds: Figure = async (installation) => {
  const count = fundsAsked(FUNDS);
  const empty = await databaseBytes(installation);
  const made = await makeFunds(installation, count);
  const before = await databaseBytes(installation);
  const taken = { posting: [] as number[], closing: [] as number[], quotas: [] as number[] };
  for (const day of DAYS) {
    taken.posting.push(await secondsOf(() => postDay(installation, made, day)));
    taken.closing.push(await secondsOf(() => closeDay(installation, made, day)));
    taken.quotas.push(await secondsOf(() => calculateQuotas(installation, made, day)));
    console.log(
      `${day}: ${Object.entries(taken)
        .map(([name, all]) => `${name} ${all.at(-1)!.toFixed(1)} s`)
        .join(', ')}`,
    );
  }
  await settle(installation);
  const after = await databaseBytes(installation);
  const each = (name: string, seconds: readonly number[]): Measured => {
    const all = (median(seconds) * GOAL.funds) / count;
    return {
      name: `${name} of ${count.toLocaleString('en')} funds`,
      against: `its limit for ${GOAL.funds.toLocaleString('en')}`,
      detail: `${median(seconds).toFixed(1)} s: ${Math.round(count / median(seconds)).toLocaleString('en')} funds/s`,
      value: all,
      unit: 's',
      atMost: 1_800,
    };
  };
  return [
    each(`posting a day (${ENTRIES} entries each, by POST /entries/bulk)`, taken.posting),
    each('close of a day', taken.closing),
    each('quotas of a day, confirmed', taken.quotas),
    storage({ count, empty, before, after }),
    ...(await keeping(installation, count)),
  ];
};

async function databaseBytes({ owner }: Installation): Promise<number> {
  const { rows } = await owner.query<{ bytes: number }>('SELECT pg_database_size(current_database())::float AS bytes');
  return rows[0]!.bytes;
}

interface Stored {
  readonly count: number;
  readonly empty: number;
  readonly before: number;
  readonly after: number;
}

function storage({ count, empty, before, after }: Stored): Measured {
  const ofDay = (after - before) / count / DAYS.length;
  const ofFund = (before - empty) / count;
  const year = (ofFund * GOAL.funds + ofDay * GOAL.funds * GOAL.days) / 1_073_741_824;
  return {
    name: `stored for a fund and a day of ${2 * ENTRIES} lines, its quota, trail and events`,
    against: 'its limit',
    detail: `${(ofDay / 1024).toFixed(1)} KB, and ${(ofFund / 1024).toFixed(1)} KB for the fund: ${year.toFixed(0)} GB for ${GOAL.funds.toLocaleString('en')} funds and ${GOAL.days} days`,
    value: ofDay / 1024,
    unit: 'KB',
    atMost: 20,
  };
}

async function postDay({ connections, token }: Installation, { company, branches, patterns }: Funds, day: BookedDay) {
  const http = connections('movements', CONNECTIONS);
  const requests: Question[] = [];
  for (let at = 0; at < branches.length; at += FUNDS_A_REQUEST) {
    const entries = branches.slice(at, at + FUNDS_A_REQUEST).flatMap((filial, place) =>
      patterns.slice(0, ENTRIES).map(([debit, credit], entry) => {
        const valor = (1_000 + (((at + place) * 37 + entry * 911) % 90_000)) / 100;
        return {
          ...{ empresa: company, filial, ano: 2026, mes: 1, lote: 'DIA', documento: day.slice(-2), day: day.slice(-2) },
          historico: `Movimento da carteira ${entry + 1}`,
          lines: [
            { debcre: 'D', conta: debit, valor },
            { debcre: 'C', conta: credit, valor },
          ],
        };
      }),
    );
    requests.push({ path: '/entries/bulk', token, expected: 201, body: { entries } });
  }
  await askAll(http, requests);
}

async function closeDay({ connections, token }: Installation, { company, branches }: Funds, day: BookedDay) {
  const requests = branches.map((branch) => ({
    path: `/calendar/closeday/${company}/${branch}`,
    token,
    body: { day },
  }));
  await askAll(connections('movements', CONNECTIONS), requests);
}

/** By the job for all funds of a company where the program has it, else fund by fund. */
async function calculateQuotas(installation: Installation, { company, branches }: Funds, date: BookedDay) {
  const { token } = installation;
  const asked = await fetch(`${installation.address('masterdata')}/quotaRun`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ company, date, confirmed: true }),
  });
  if (asked.status === 404) {
    const body = { date, confirmed: true };
    const requests = branches.map((branch) => ({ path: `/quotaCalculation/${company}/${branch}`, token, body }));
    return askAll(installation.connections('masterdata', CONNECTIONS), requests);
  }
  const runs = (await asked.json()) as { id: number }[];
  for (const { id } of runs) await quotaRun(installation, id, branches.length);
}

async function quotaRun(installation: Installation, id: number, count: number): Promise<void> {
  for (;;) {
    const run = await installation.call<{ status: string; calculated: number; failures: unknown[] }>(
      'masterdata',
      'GET',
      `/quotaRun/${id}`,
    );
    if (run.status === 'ERROR' || run.failures.length > 0) throw new Error(JSON.stringify(run).slice(0, 500));
    if (run.status === 'DONE' && run.calculated === count) return;
    if (run.status === 'DONE') throw new Error(`${run.calculated} quotas of ${count}`);
    await sleep(50);
  }
}

async function askAll(http: ReturnType<Installation['connections']>, requests: readonly Question[]): Promise<void> {
  const next = requests.values();
  try {
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (const question of next) await ask(http, question);
      }),
    );
  } finally {
    await http.close();
  }
}

/** A backup as fast as the disk gives it, and the whole of the books verified, both from the command line. */
async function keeping({ dataDir, databaseUrl }: Installation, count: number): Promise<Measured[]> {
  const folder = await mkdtemp(join(tmpdir(), 'partidas-bench-backups-'));
  try {
    const environment = { DATA_DIR: dataDir, BACKUP_MB_PER_SECOND: '1024' };
    const backup = await runAdmin(['backup', folder, '--unproven'], environment);
    const verify = await runAdmin(['verify'], { DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
    return [
      {
        name: 'a backup of it, as fast as it can be',
        against: 'its limit',
        detail: backup.text.split('\n')[0]!.replace(/^\S+\s+/, ''),
        value: backup.seconds,
        unit: 's',
        atMost: 120,
      },
      {
        name: 'verify of it',
        against: 'its limit',
        detail: `${verify.text.trim().split('\n').at(-1)}; ${Math.round(count / verify.seconds)} funds/s; ${Math.round(megabytes(verify.peak))} MB`,
        value: verify.seconds,
        unit: 's',
        atMost: 300,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
