import { afterAll, beforeAll, expect, test } from 'vitest';
import { SQL } from '../../src/platform/database/statement.ts';
import { SYSTEM_SCOPE } from '../../src/platform/database/system-scope.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// A list without pages is whole or says that it is not: it never ends silently at its limit.

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
});
afterAll(() => platform?.stop());

/** Uses of one template on a day, one more than the limit. */
const usesOfTemplate = (code: string, day: string) => (limit: number, at: Bank) =>
  SQL`WITH template AS (
        INSERT INTO entry_template (company_id, branch_id, code, description, lines)
        VALUES (${at.companyId}, ${at.branchId}, ${code}, 'x', '[]')
        RETURNING entry_template.*)
      INSERT INTO entry_template_data (company_id, branch_id, code, day)
      SELECT template.company_id, template.branch_id, template.code, ${day}::date
        FROM template, generate_series(0, ${limit}) AS n RETURNING 1`;

test.each([
  [
    'records',
    '/history',
    100_000,
    (limit: number) =>
      SQL`INSERT INTO standard_narration (code, description) SELECT 'Z' || n, 'x' FROM generate_series(0, ${limit}) AS n RETURNING 1`,
  ],
  [
    'companies',
    '/companies',
    100_000,
    (limit: number) =>
      SQL`INSERT INTO company (code, name, cnpj, zip_code) SELECT 'Z' || n, 'x', '', '' FROM generate_series(0, ${limit}) AS n RETURNING 1`,
  ],
  [
    'branches',
    '/allbranch',
    100_000,
    (limit: number, at: Bank) => SQL`INSERT INTO branch (company_id, code, name)
     SELECT ${at.companyId}, 'Z' || n, 'x' FROM generate_series(0, ${limit}) AS n RETURNING 1`,
  ],
  [
    'charts',
    '/chart',
    100_000,
    (limit: number) =>
      SQL`INSERT INTO chart (code, installation) SELECT 'Z' || n, true FROM generate_series(0, ${limit}) AS n`,
  ],
  ['uses of an entry template', '/releasedata/:company/:branch', 10_000, usesOfTemplate('LIM', '2026-01-05')],
  [
    'pending uses of a month',
    '/releasedata/pending/:company/:branch/2026/2',
    1_000,
    usesOfTemplate('PEND', '2026-02-05'),
  ],
  [
    'reopenings of months',
    '/monthOpening/:company/:branch/reopenings',
    10_000,
    (limit: number, at: Bank) => SQL`WITH opened AS (
       INSERT INTO month (company_id, branch_id, month) VALUES (${at.companyId}, ${at.branchId}, DATE '2026-01-01')
       RETURNING month.*)
     INSERT INTO month_reopening (company_id, branch_id, month, reason, reopened_by)
     SELECT opened.company_id, opened.branch_id, opened.month, 'x', 'x' FROM opened, generate_series(0, ${limit}) AS n
     RETURNING 1`,
  ],
])('a list of %s says that it is longer than it may be', async (_kind, path, limit, fill) => {
  const read = () =>
    platform.admin.get('masterdata', path.replace(':company', bank.company).replace(':branch', bank.branch));
  expect((await read()).status).toBe(200);
  await platform.program.database.transaction(SYSTEM_SCOPE, (sql) => sql.run(fill(limit, bank)));
  const { status, body } = await read();
  expect({ status, body }).toMatchObject({ status: 400, body: { code: 'LIST_TOO_LONG' } });
  // Four digits are written without a separator.
  expect(JSON.stringify(body)).toContain(limit < 10_000 ? String(limit) : limit.toLocaleString('en'));
});
