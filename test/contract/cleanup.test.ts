import { existsSync } from 'node:fs';
import { open, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CleanupOptions, cleanUp } from '../../src/features/operations/cleanup/cleanup.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { isDiskFull } from '../../src/platform/disk-space.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let owner: pg.Client;
let bank: Bank;
let authentication: Database;
let options: CleanupOptions;
const faults: unknown[] = [];
beforeAll(async () => {
  // Its own turns would remove what the tests lay out for them.
  platform = await startPlatform({ JOBS: 'off' });
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  const { database, config, metrics } = platform.program.app;
  authentication = openDatabase(platform.program.logins.auth!, { max: 1 });
  const { retention } = config;
  const log = { warn: (fault: unknown) => faults.push(fault) } as unknown as CleanupOptions['log'];
  options = { database, authentication, retention, now: () => new Date(), log, metrics };
}, 60_000);
afterAll(async () => {
  await Promise.all([owner?.end(), authentication?.close()]);
  await platform?.stop();
});

const kept = async (text: string, values: unknown[] = []) =>
  (await owner.query(text, values)).rows.map((row) => Object.values(row)[0]);

test('old keys, answers, failures and tokens go, more than a piece of them; the young ones stay', async () => {
  await owner.query(`
    INSERT INTO idempotency_key (user_id, operation, key, body_hash, status, answer, created_at)
    SELECT 1, 'POST /entry', 'k' || n, '', 200, '{}'::jsonb, now() - interval '25 hours' FROM generate_series(1, 2500) AS n
    UNION ALL SELECT 1, 'POST /entry', 'young', '', 200, '{}', now() - interval '23 hours'`);
  await owner.query(`
    INSERT INTO lookup_cache (kind, key, answer, fetched_at)
    VALUES ('CEP', '1', '{}', now() - interval '25 hours'), ('CEP', '2', '{}', now())`);
  await owner.query(`
    INSERT INTO signin_failure (subject, failed_at)
    VALUES ('old', now() - interval '16 minutes'), ('young', now())`);
  await owner.query(`
    INSERT INTO used_id_token (provider, token_id, expires_at)
    VALUES ('X', 'old', now() - interval '2 hours'), ('X', 'young', now() + interval '2 hours')`);
  await owner.query(`
    INSERT INTO console_session (token_hash, user_id, credential_version, how, address, agent, created_at, used_at)
    SELECT sha256(agent::bytea), 1, 1, 'PASSWORD', '', agent, now() - age::interval, now()
      FROM (VALUES ('old', '13 hours'), ('young', '11 hours')) AS session (agent, age)`);
  await cleanUp(options);
  expect(faults).toEqual([]);
  expect(await kept('SELECT agent FROM console_session')).toEqual(['young']);
  expect(await kept('SELECT token_id FROM used_id_token')).toEqual(['young']);
  expect(await kept('SELECT key FROM idempotency_key')).toEqual(['young']);
  expect(await kept('SELECT key FROM lookup_cache')).toEqual(['2']);
  expect(await kept('SELECT subject FROM signin_failure')).toEqual(['young']);
  const metrics = await platform.admin.get('movements', '/actuator/metrics-export');
  expect(metrics.text).toContain('partidas_removed_total{what="idempotency_key"} 2500');
});

test('a key older than a day is not honoured, removed or not', async () => {
  const body = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
  const send = () => platform.admin.post('movements', '/batch', body, { 'Idempotency-Key': 'daily' });
  const first = await send();
  expect((await send()).body.id).toBe(first.body.id);
  await owner.query(`UPDATE idempotency_key SET created_at = now() - interval '24 hours 1 second'`);
  const later = await send();
  expect(later.status).toBe(first.status);
  expect(later.body.id).not.toBe(first.body.id);
});

test('jobs go when their time has come; the last consolidation of a month stays', async () => {
  const job = async (kind: string, status: string, days: number, month: string | null = null) =>
    (
      await owner.query(
        `INSERT INTO job (company_id, branch_id, month, kind, status, requested_by, requested_at, finished_at)
         VALUES ($1, $2, $3, $4, $5, 'test', now() - make_interval(days => $6), now() - make_interval(days => $6))
         RETURNING id`,
        [bank.companyId, bank.branchId, month, kind, status, days],
      )
    ).rows[0].id as number;
  const goes = [
    await job('CONSOLIDATION', 'DONE', 90, '2026-01-01'),
    await job('REPORT', 'DONE', 2),
    await job('COMPLIANCE_RUN', 'ERROR', 31),
  ];
  const stays = [
    await job('CONSOLIDATION', 'DONE', 80, '2026-01-01'),
    await job('CONSOLIDATION', 'ERROR', 70, '2026-01-01'),
    await job('CONSOLIDATION_OF_ALL', 'DONE', 60, '2026-02-01'),
    await job('COMPLIANCE_RUN', 'DONE', 29),
    await job('REPORT', 'DONE', 0),
    await job('COMPLIANCE_RUN', 'PENDING', 90),
  ];
  await owner.query(`INSERT INTO job_progress (company_id, job_id, progress) SELECT $1, unnest($2::bigint[]), '{}'`, [
    bank.companyId,
    [...goes, ...stays],
  ]);
  const reports = `SELECT job.company_id, job.id, 0, '' FROM job WHERE job.kind = 'REPORT'`;
  await owner.query(`INSERT INTO report_file_piece (company_id, job_id, piece, content) ${reports}`);
  await cleanUp(options);
  expect(await kept('SELECT id FROM job ORDER BY id')).toEqual(stays);
  expect(await kept('SELECT job_id FROM report_file_piece')).toEqual([stays[4]]);
  expect(await kept('SELECT job_id FROM job_progress')).toEqual([stays.at(-1)]);
});

test('temporary files go with their process', async () => {
  const files = {
    ofDead: join(tmpdir(), 'partidas-report-999999999-cleanup-test'),
    draftOfDead: join(tmpdir(), 'partidas-draft-999999999-cleanup-test'),
    ofLiving: join(tmpdir(), `partidas-report-${process.pid}-cleanup-test`),
    ofPredecessor: join(tmpdir(), `partidas-spool-${process.pid}-cleanup-test`),
    ancient: join(tmpdir(), 'partidas-report-cleanup-test'),
  };
  for (const path of Object.values(files)) await writeFile(path, 'x');
  const now = Date.now() / 1000;
  await utimes(files.ancient, now - 2 * 86_400, now - 2 * 86_400);
  // In containers it had the same id.
  const before = now - process.uptime() - 1;
  await utimes(files.ofPredecessor, before, before);
  await cleanUp(options);
  const left = Object.entries(files).flatMap(([name, path]) => (existsSync(path) ? [name] : []));
  expect(left).toEqual(['ofLiving']);
  await rm(files.ofLiving);
});

test('only one process removes at a time', async () => {
  await owner.query('BEGIN');
  await owner.query(`SELECT pg_advisory_xact_lock(hashtext('partidas cleanup'))`);
  await owner.query(
    `INSERT INTO lookup_cache (kind, key, answer, fetched_at) VALUES ('CEP', '3', '{}', now() - interval '2 days')`,
  );
  await cleanUp(options);
  await owner.query('COMMIT');
  expect(await kept(`SELECT key FROM lookup_cache WHERE key = '3'`)).toEqual(['3']);
  await cleanUp(options);
  expect(await kept(`SELECT key FROM lookup_cache WHERE key = '3'`)).toEqual([]);
});

test('a program removes by itself, from its start on', async () => {
  const other = await startPlatform();
  const client = new pg.Client({ connectionString: other.ownerUrl });
  await client.connect();
  try {
    const shown = async () => (await other.admin.get('movements', '/actuator/metrics-export')).text;
    for (
      let turn = 0;
      turn < 100 && !(await shown()).includes('partidas_removed_total{what="temporary_file"}');
      turn++
    ) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await shown()).toContain('partidas_removed_total{what="consolidation_job"}');
  } finally {
    await client.end();
    await other.stop();
  }
});

test('a disk nearly full takes no uploads and prints no reports, and everything else goes on', async () => {
  const full = await startPlatform({ DISK_RESERVE_MB: '99999999' });
  try {
    const place = await createBank(full.admin);
    await openMonth(full.admin, place, '01/2026');
    const report = { empresa: place.company, filial: place.branch, ano: 2026, mes: 1, visualizationEnum: 'CSV' };
    const form = new FormData();
    form.append('file', new Blob(['a;b']), 'x.csv');
    for (const answer of [
      await full.admin.post('movements', `/importMoviment/${place.company}/${place.branch}/x`, 'x', {
        'content-type': 'text/plain',
      }),
      await full.admin.post('masterdata', '/company/import', form),
      await full.admin.post('reports', '/reports/monthlyTrialBalance', report),
      await full.admin.post('reports', '/reports/monthlyTrialBalance?async=true', report),
    ]) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'DISK_FULL' } });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const batch = { empresa: place.company, filial: place.branch, ano: 2026, mes: 1 };
    expect((await full.admin.post('movements', '/batch', batch)).status).toBe(201);
  } finally {
    await full.stop();
  }
});

test('a write that finds no space is known as such', async () => {
  const device = await open('/dev/full', 'w');
  const error = await device.write('x').catch((failed: unknown) => failed);
  await device.close();
  expect(isDiskFull(error)).toBe(true);
});
