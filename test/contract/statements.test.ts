import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { databaseUrl } from '../support/database-server.ts';
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
