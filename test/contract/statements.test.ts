import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { databaseUrl } from '../support/database-server.ts';
import { distributionFaults } from '../support/distribution-rules.ts';
import type { Report } from '../support/prepare-statements.ts';

const name = `test_${randomBytes(6).toString('hex')}`;
let report: Report;
beforeAll(async () => {
  const serverUrl = inject('serverUrl');
  await withOwnerConnection(serverUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template_books`));
  const script = fileURLToPath(new URL('../support/prepare-statements.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, databaseUrl(serverUrl, name)], {
    maxBuffer: 64_000_000,
  });
  report = JSON.parse(stdout);
}, 180_000);
afterAll(async () => {
  await withOwnerConnection(inject('serverUrl'), (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
});

test('every statement of the source was sent', () => {
  expect(report.unreached).toEqual([]);
  expect(report.sites).toBeGreaterThan(300);
  expect(report.statements.length).toBeGreaterThanOrEqual(report.sites);
});

test('every statement can be prepared, and its columns are those of its row type', () => {
  expect(report.faults).toEqual([]);
});

describe('on a cluster by company', () => {
  test('every statement holds the rules', async () => {
    const faults: string[] = [];
    for (const { site, text } of report.statements.filter(({ text }) =>
      /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|DECLARE|\()/.test(text),
    ))
      for (const fault of await distributionFaults(text)) faults.push(`${site}: ${fault}`);
    expect([...new Set(faults)]).toEqual([]);
  });

  test.each([
    ['INSERT INTO batch (company_id) SELECT 1', 'INSERT … SELECT into batch without RETURNING or ON CONFLICT'],
    ['INSERT INTO batch (company_id) VALUES ((SELECT 1))', 'a subquery in VALUES of batch'],
    [
      'INSERT INTO batch (company_id) VALUES (1) ON CONFLICT (id) DO UPDATE SET updated_at = now()',
      'now() in DO UPDATE of batch',
    ],
    ['SELECT 1 FROM batch WHERE id = $1 FOR UPDATE', 'a lock on batch that does not name its company'],
    ['DELETE FROM batch WHERE id = $1', 'a write of batch that does not name its company'],
    ['UPDATE batch SET updated_at = coalesce(updated_at, now()) WHERE company_id = $1', 'now() in a CASE of batch'],
    [
      'SELECT 1 FROM branch LEFT JOIN month ON month.company_id = branch.company_id',
      'a reference table LEFT JOIN month, which does not name its company',
    ],
    [
      'SELECT (SELECT 1 FROM month WHERE month.company_id = batch.company_id) FROM batch WHERE batch.company_id = $1',
      'a subquery on month that does not name its company',
    ],
    [
      'SELECT 1 FROM import_record, pg_stat_activity WHERE pid = backend_pid',
      'reads pg_stat_activity beside a distributed table',
    ],
  ])('%s', async (text, fault) => {
    expect(await distributionFaults(text)).toEqual([fault]);
  });
});
