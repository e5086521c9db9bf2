import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/sql.ts';
import { type Bank, createBank, openMonth } from '../support/books.ts';
import { type Client, clientOf } from '../support/platform.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const PASSWORD = 'uma senha comprida';
const ENTRIES = 150_000;

let dataDir: string;
let running: ChildProcess | undefined;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'partidas-kill-'));
});
afterAll(async () => {
  // A program that is asked to stop takes its database server with it.
  if (running?.exitCode !== null || running.signalCode !== null) await start().catch(() => {});
  if (running?.exitCode === null) {
    const ended = new Promise((resolve) => running!.once('exit', resolve));
    running.kill('SIGTERM');
    await ended;
  }
  await rm(dataDir, { recursive: true, force: true });
});

/** Owner's address of the program's own server, from the files of its data folder. */
async function ownerUrl(): Promise<string> {
  const folder = join(dataDir, 'postgres');
  const password = (await readFile(join(folder, 'partidas.password'), 'utf8')).trim();
  const port = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[3];
  return `postgresql://partidas:${password}@127.0.0.1:${port}/partidas`;
}

/** The program as its own process; answers a client of the administrator. */
async function start(): Promise<Client> {
  const ports = ['AUTH', 'MASTERDATA', 'MOVEMENTS', 'QUERIES', 'REPORTS', 'COMPLIANCE'].map((name) => [
    `${name}_PORT`,
    '0',
  ]);
  const environment = {
    ...process.env,
    ...Object.fromEntries(ports),
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: PASSWORD,
  };
  const program = spawn(process.execPath, [MAIN], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running = program;
  let output = '';
  await new Promise<void>((resolve, reject) => {
    program.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('is ready')) resolve();
    });
    program.on('exit', (code) => reject(new Error(`ended with ${code}: ${output}`)));
  });
  const addresses = new Map([...output.matchAll(/^(\w+)\s+(http:\S+)$/gm)].map((match) => [match[1]!, match[2]!]));
  const address = (service: string) => addresses.get(service)!;
  const { body } = await clientOf(address, '').post('authentication', '/api/auth/signin', {
    username: 'admin',
    password: PASSWORD,
  });
  return clientOf(address, body.accessToken);
}

async function kill(): Promise<void> {
  const ended = new Promise((resolve) => running!.once('exit', resolve));
  running!.kill('SIGKILL');
  await ended;
}

const count = async (sql: string) =>
  withOwnerConnection(await ownerUrl(), async (client) => Number((await client.query(sql)).rows[0].count));

test('killed in the middle of an import and of a consolidation: before or after, never between', async () => {
  let admin = await start();
  const bank: Bank = await createBank(admin);
  await openMonth(admin, bank, '01/2026');
  const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
  const batch = (await admin.post('movements', '/batch', place)).body;
  const rows = Array.from({ length: ENTRIES }, (_, at) => `1;${at + 1};5;D;1.1.1;2.1.1;1,00`);
  const csv = ['documento;lancamento;dia;debcre;conta;contrapartida;valor', ...rows].join('\n');
  const send = () => {
    const form = new FormData();
    form.set('file', new Blob([csv]), 'large.csv');
    return admin.post('movements', `/batch/${batch.id}/import`, form);
  };
  const interrupted = send().catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 900));
  await kill();
  expect(await interrupted).toBeUndefined();
  admin = await start();
  expect(await count('SELECT count(*) FROM entry_line')).toBe(0);
  const imports = (await admin.get('movements', `/imports/${bank.company}/${bank.branch}`)).body;
  expect(imports.map((each: { status: string }) => each.status)).toEqual(['INTERRUPTED']);
  expect((await send()).body).toMatchObject({ success: true, totalRows: ENTRIES });

  const request = { company: bank.company, branch: bank.branch, year: '2026', month: '01' };
  const { body: run } = await admin.post('movements', '/runconsolidation', request);
  await kill();
  const frozen = await count(`SELECT count(*) FROM month WHERE state = 'CONSOLIDATED'`);
  const balances = await count('SELECT count(*) FROM monthly_balance');
  expect(balances > 0).toBe(frozen === 1);
  admin = await start();
  for (;;) {
    const { body } = await admin.get('movements', `/runconsolidation/${run.id}`);
    expect(body.status, body.message).not.toBe('ERROR');
    if (body.status === 'DONE') break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { body } = await admin.post('queries', '/balanceInquiryDetails', {
    contaId: bank.accounts.get('1.1.1'),
    empresa: bank.company,
    filial: bank.branch,
    anomesini: '01/2026',
    anomesfim: '01/2026',
  });
  expect(body[0].accumulatedBalance).toBe(ENTRIES);
}, 90_000);
