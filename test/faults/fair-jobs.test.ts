import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { markNextJob } from '../../src/features/operations/jobs/jobs.sql.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { Sql } from '../../src/platform/database/sql.ts';
import { type Program, startProgram } from '../../src/program.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { askToCloseMonth, closeMonth, openMonth } from '../support/months.ts';
import { type Client, clientOf, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

// Real jobs of two tenants. Nothing here measures time: what counts is in which order the jobs were begun.

let platform: Platform;
let owner: pg.Client;
let crowd: Bank;
let neighbour: Bank;
const users: { username: string; password: string }[] = [];
beforeAll(async () => {
  platform = await startPlatform();
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  [crowd, neighbour] = [await createBank(platform.admin), await createBank(platform.admin)];
  for (const bank of [crowd, neighbour]) {
    await openMonth(platform.admin, bank, '01/2026');
    await closeMonth(platform.admin, bank, '01/2026');
    await openMonth(platform.admin, bank, '02/2026');
    users.push(await createUser(platform.admin, { username: bank.company, permissions: [{ company: bank.company }] }));
  }
  await platform.program.stop();
}, 60_000);
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
});

test('ten reports and sixty runs of one tenant delay no job of another, and no month close', {
  timeout: 120_000,
}, async () => {
  const quiet = await another({ JOBS: 'off', JOBS_PER_USER: '100' });
  const [first, second] = await Promise.all(users.map((user) => signedIn(quiet, user)));
  try {
    for (let report = 0; report < 10; report++) await queued(first!, crowd, 'REPORT');
    for (let run = 0; run < 60; run++) await queued(first!, crowd, 'COMPLIANCE_RUN');
    await queued(first!, crowd, 'CONSOLIDATION');
    for (const kind of ['REPORT', 'COMPLIANCE_RUN', 'CONSOLIDATION'] as const) await queued(second!, neighbour, kind);
  } finally {
    await quiet.stop();
  }
  const since = (await owner.query('SELECT now() AS now')).rows[0].now;

  const busy = await another({ JOBS: 'on', JOB_WORKERS: '1', CONSOLIDATION_WORKERS: '1' });
  try {
    const left = `job.status IN ('PENDING', 'RUNNING')`;
    await until(async () => (await jobs(`job.company_id = $1 AND ${left}`, [neighbour.companyId])).length === 0);
  } finally {
    await busy.stop();
  }
  const begun = await jobs('job.started_at >= $1', [since]);
  const places = begun.flatMap(({ companyId }, place) => (companyId === neighbour.companyId ? [place] : []));
  expect(begun.filter(({ companyId, status }) => companyId === neighbour.companyId && status !== 'DONE')).toEqual([]);
  expect(places).toHaveLength(3);
  // Its month close and its first other job are among the first, its last one two turns later.
  expect(Math.max(...places)).toBeLessThanOrEqual(7);
});

test('the next job costs some pages of indexes, however many wait', async () => {
  await owner.query(
    `INSERT INTO job (company_id, kind, requested_by)
     SELECT $1::bigint, 'REPORT', 'flood' FROM generate_series(1, 20000)
     UNION ALL SELECT 1000000 + company, 'REPORT', 'others' FROM generate_series(1, 20) AS company`,
    [crowd.companyId],
  );
  await owner.query('VACUUM ANALYZE job');
  await owner.query('BEGIN');
  await owner.query(`SET LOCAL ROLE partidas_app; SET LOCAL app.companies = '*'`);
  const plans: { Plan: Record<string, number> }[] = [];
  const explaining = {
    maybe: async ({ text, values }: { text: string; values?: unknown[] }) => {
      const { rows } = await owner.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
      plans.push(rows[0]['QUERY PLAN'][0]);
    },
  } as unknown as Sql;
  try {
    await markNextJob(explaining, ['REPORT', 'COMPLIANCE_RUN', 'CONSOLIDATION']);
  } finally {
    await owner.query('ROLLBACK');
  }
  const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = plans[0]!.Plan;
  expect(hit + read).toBeGreaterThan(0);
  // 22 companies, some probes each; the 20,000 jobs have several hundred pages.
  expect(hit + read).toBeLessThan(400);
});

async function queued(client: Client, bank: Bank, kind: 'REPORT' | 'COMPLIANCE_RUN' | 'CONSOLIDATION') {
  const place = { empresa: bank.company, filial: bank.branch };
  const answer = await {
    REPORT: () =>
      client.post('reports', '/reports/relatorioDiarioGeral?async=true', {
        ...place,
        dataInicio: '2026-01-01',
        dataFim: '2026-01-31',
        visualizationEnum: 'PDF',
      }),
    COMPLIANCE_RUN: () =>
      client.post('compliance', '/api/compliance/run?async=true', {
        refmonth: '2026-01',
        branchid: bank.branchId,
        documentcode: '4010',
      }),
    CONSOLIDATION: () => askToCloseMonth(client, bank, '02/2026'),
  }[kind]();
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`);
}

/** The program again, on the same database and ports of its own. */
function another(environment: Record<string, string>): Promise<Program> {
  const ports = ['AUTH', 'MASTERDATA', 'MOVEMENTS', 'QUERIES', 'REPORTS', 'COMPLIANCE'];
  const config = readConfig({
    ...Object.fromEntries(ports.map((name) => [`${name}_PORT`, '0'])),
    DATA_DIR: platform.program.app.config.dataDir,
    ...environment,
  });
  return startProgram(config, { connectionString: platform.ownerUrl, silent: true });
}

async function signedIn(
  program: Program,
  { username, password }: { username: string; password: string },
): Promise<Client> {
  const address = (service: keyof Program['addresses']) => program.addresses[service]!;
  const { body } = await clientOf(address, '').post('authentication', '/api/auth/signin', { username, password });
  return clientOf(address, body.accessToken);
}

/** In the order in which they were begun. */
async function jobs(condition: string, values: unknown[]): Promise<{ companyId: number; status: string }[]> {
  const { rows } = await owner.query(
    `SELECT job.company_id AS "companyId", job.status FROM job WHERE ${condition} ORDER BY job.started_at, job.id`,
    values,
  );
  return rows;
}

async function until(reached: () => Promise<boolean>): Promise<void> {
  for (const giveUp = Date.now() + 60_000; !(await reached()); ) {
    if (Date.now() > giveUp) throw new Error('it does not come to that');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
