import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOOR_NAMES, portVariable, readConfig } from '../../src/platform/config.ts';
import { type Program, startProgram } from '../../src/program.ts';
import type { Bank } from '../support/banks.ts';
import { book } from '../support/books.ts';
import { closeMonth } from '../support/months.ts';
import { OwnProcess } from '../support/own-process.ts';
import { type Client, clientOf } from '../support/platform.ts';
import { createBooks, print } from '../support/report-books.ts';

// Two processes with services and without jobs, and workers without services: each with a data folder of its own.

const SIGNATORIES = [
  { name: 'Ana Diretora', role: 'Diretora', legalResponsible: true },
  { name: 'Caio Contador', role: 'Contador', crc: '1SP123456/O-1', ufCrc: 'SP' },
];

let folder: string;
let environment: Record<string, string>;
let first: OwnProcess;
let asking: Client;
let ownerUrl: string;
let other: Program;
let downloading: Client;
let owner: pg.Client;
let bank: Bank;
const workers: OwnProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partidas-several-'));
  environment = { SEAL_KEY_FILE: join(folder, 'seal-key'), VERIFY_AT: 'off', STARTER_RULES: 'off' };
  ({ program: first, admin: asking } = await OwnProcess.begin({
    ...environment,
    JOBS: 'off',
    DATABASE_CONNECTIONS: '8',
  }));
  ownerUrl = await first.ownerUrl();
  const ports = Object.fromEntries(DOOR_NAMES.map((door) => [portVariable(door), '0']));
  other = await startProgram(
    readConfig({ ...environment, ...ports, DATA_DIR: join(folder, 'other'), JOBS: 'off', DATABASE_CONNECTIONS: '8' }),
    { connectionString: ownerUrl, silent: true },
  );
  downloading = clientOf((service) => other.addresses[service]!, asking.token);
  owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  bank = await createBooks(
    asking,
    book`
    02/01  1.1.2  D  100,00  3.1  "Capital"
  `,
    { options: { signatories: SIGNATORIES, diaryBookNumber: 1 } },
  );
}, 60_000);
afterAll(async () => {
  for (const worker of workers) await worker.remove();
  await owner?.end();
  await other?.stop();
  await first?.remove();
  await rm(folder, { recursive: true, force: true });
});

async function startWorker(more: Record<string, string> = {}): Promise<OwnProcess> {
  const worker = await OwnProcess.worker({
    ...environment,
    ...more,
    DATABASE_URL: ownerUrl,
    DATABASE_CONNECTIONS: '8',
  });
  workers.push(worker);
  return worker;
}

function journal(visualizationEnum: string): Record<string, unknown> {
  const days = { dataInicio: '2026-01-01', dataFim: '2026-01-31' };
  return { empresa: bank.company, filial: bank.branch, ...days, visualizationEnum };
}

async function ask(report: Record<string, unknown>): Promise<number> {
  const asked = await asking.post('reports', '/reports/relatorioDiarioGeral?async=true', report);
  expect(asked.status).toBe(202);
  return asked.body.id;
}

const stateOf = async (id: number): Promise<string> =>
  (await downloading.get('reports', `/reports/jobs/${id}`)).body.status;

/** As the process that has neither asked for it nor printed it hands it out. */
async function downloaded(id: number): Promise<Buffer> {
  await expect.poll(() => stateOf(id), { timeout: 20_000 }).toBe('DONE');
  const answer = await fetch(`${other.addresses.reports}/reports/jobs/${id}/download`, {
    headers: { authorization: `Bearer ${downloading.token}` },
  });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

test('a worker without services says that it lives, and nothing else', async () => {
  const address = (await startWorker()).address('worker');
  for (const asked of ['health', 'health/liveness', 'health/readiness']) {
    const health = await fetch(`${address}/actuator/${asked}`);
    expect([health.status, await health.json()], asked).toEqual([200, { status: 'UP', service: 'worker' }]);
  }
  expect(await (await fetch(`${address}/actuator/metrics-export`)).text()).toContain('partidas_jobs_waiting 0');
  for (const path of ['/', '/entry/1', '/docs/', '/reports/jobs']) {
    expect((await fetch(address + path)).status, path).toBe(404);
  }
});

test('each process removes what its logins may, and its own temporary files', async () => {
  const removed = async (address: string) => {
    const text = await (await fetch(`${address}/actuator/metrics-export`)).text();
    return [...text.matchAll(/^partidas_removed_total\{what="(\w+)"/gm)].map(([, what]) => what);
  };
  const ofServices = ['used_id_token', 'signin_failure', 'console_session', 'temporary_file'];
  await expect.poll(() => removed(first.address('movements')), { timeout: 10_000 }).toEqual(ofServices);
  const ofWorker = () => removed(workers[0]!.address('worker'));
  await expect.poll(ofWorker, { timeout: 10_000 }).toContain('temporary_file');
  expect(await ofWorker()).toEqual(expect.arrayContaining(['report_job', 'import_file']));
  expect(await ofWorker()).not.toContain('console_session');
});

test('a report asked for here is printed by a worker and downloaded there, byte for byte', async () => {
  const csv = journal('CSV');
  const file = await downloaded(await ask(csv));
  expect(file.equals((await print(downloading, 'relatorioDiarioGeral', csv)).bytes)).toBe(true);
});

test('a worker closes a month and issues its book, which is the same everywhere', async () => {
  await closeMonth(asking, bank, '01/2026');
  const issued = { ...journal('PDF'), includeTerms: true };
  const file = await downloaded(await ask(issued));
  expect(file.equals((await print(downloading, 'relatorioDiarioGeral', issued)).bytes)).toBe(true);
});

const GATE = 20_260_131;

test('a worker killed while it stores leaves no piece and no file; another one takes the report over', async () => {
  const [worker] = workers as [OwnProcess];
  await owner.query(`
    CREATE FUNCTION wait_at_the_gate() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NULL; END $$;
    CREATE TRIGGER gate AFTER INSERT ON report_file_piece FOR EACH ROW EXECUTE FUNCTION wait_at_the_gate();
    SELECT pg_advisory_lock(${GATE})`);
  const id = await ask(journal('CSV'));
  const waiting = async () =>
    (await owner.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted`))
      .rowCount;
  await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
  await worker.end('SIGKILL');
  const left = () =>
    readdir(tmpdir()).then((names) => names.filter((name) => name.includes(`-${worker.process.pid}-`)));
  await owner.query(`SELECT pg_advisory_unlock(${GATE})`);

  const next = await startWorker({ METRICS: '127.0.0.1:0' });
  const file = await downloaded(id);
  expect(file.equals((await print(downloading, 'relatorioDiarioGeral', journal('CSV'))).bytes)).toBe(true);
  const { rows } = await owner.query(`SELECT piece FROM report_file_piece WHERE job_id = ${id}`);
  expect(rows).toEqual([{ piece: 0 }]);
  await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  expect(existsSync(join(worker.dataDir, 'reports'))).toBe(false);

  const beside = `${next.address('documents')}/worker/actuator/metrics-export`;
  expect(await (await fetch(beside)).text()).toContain('partidas_report_pages_total{report="journal",format="CSV"} 1');
  expect((await fetch(`${next.address('worker')}/actuator/metrics-export`)).status).toBe(404);
});
