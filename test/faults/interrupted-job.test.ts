import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/platform/config.ts';
import { startProgram } from '../../src/program.ts';
import type { Bank } from '../support/banks.ts';
import { book } from '../support/books.ts';
import { clientOf, type Platform, startPlatform } from '../support/platform.ts';
import { createBooks } from '../support/report-books.ts';

let platform: Platform;
let bank: Bank;
let owner: pg.Client;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBooks(
    platform.admin,
    book`
    02/01  1.1.2  D  100,00  3.1  "Capital"
  `,
  );
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
});

test('a report that the program did not finish before its end is printed by the next one', {
  timeout: 60_000,
}, async () => {
  // The printing cannot read the lines, however long the program waits for it.
  await owner.query('BEGIN');
  await owner.query('LOCK TABLE entry_line IN ACCESS EXCLUSIVE MODE');
  const { status, body } = await platform.admin.post('reports', '/reports/relatorioDiarioGeral?async=true', {
    empresa: bank.company,
    filial: bank.branch,
    dataInicio: '2026-01-01',
    dataFim: '2026-01-31',
    visualizationEnum: 'CSV',
  });
  expect(status).toBe(202);
  await until(async () => (await stateOf(body.id)).status === 'RUNNING');
  await platform.program.stop();
  expect(await stateOf(body.id)).toMatchObject({ status: 'PENDING', message: null });
  await owner.query('ROLLBACK');

  const config = readConfig({ ...process.env, ...PORTS, DATA_DIR: platform.program.app.config.dataDir });
  const next = await startProgram(config, { connectionString: platform.ownerUrl, silent: true });
  try {
    await until(async () => (await stateOf(body.id)).status === 'DONE');
    const again = clientOf((service) => next.addresses[service]!, platform.admin.token);
    const file = await again.get('reports', `/reports/jobs/${body.id}/download`);
    expect(file.text).toContain('Capital');
  } finally {
    await next.stop();
  }
});

const PORTS = Object.fromEntries(
  ['AUTH', 'MASTERDATA', 'MOVEMENTS', 'QUERIES', 'REPORTS', 'COMPLIANCE'].map((name) => [`${name}_PORT`, '0']),
);

async function stateOf(id: number): Promise<{ status: string; message: string | null }> {
  return (await owner.query('SELECT job.status, job.message FROM job WHERE job.id = $1', [id])).rows[0];
}

async function until(reached: () => Promise<boolean>): Promise<void> {
  for (const giveUp = Date.now() + 15_000; !(await reached()); ) {
    if (Date.now() > giveUp) throw new Error('it does not come to that');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
