import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Client, type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let bank: Bank;
let other: Bank;
beforeAll(async () => {
  // Nobody works on the jobs: all of them wait.
  const limits = {
    ...{ JOBS_PER_USER: '2', JOBS_PER_COMPANY: '3' },
    ...{ REPORT_MB_PER_USER: '1', REPORT_MB_IN_ALL: '3', UPLOAD_MB_PER_USER: '1' },
  };
  platform = await startPlatform({ JOBS: 'off', ...limits });
  [bank, other] = [await createBank(platform.admin), await createBank(platform.admin)];
  for (const each of [bank, other]) await openMonth(platform.admin, each, '01/2026');
}, 60_000);
afterAll(() => platform?.stop());

const order = (client: Client, { company, branch }: Bank) =>
  client.post('reports', '/reports/monthlyTrialBalance?async=true', {
    empresa: company,
    filial: branch,
    ano: 2026,
    mes: 1,
    visualizationEnum: 'CSV',
  });

test('a user and a company have so many jobs waiting, and reports of so many bytes kept', async () => {
  const accountant = await userOf('contador', bank);
  const colleague = await userOf('colega', bank);
  const stranger = await userOf('vizinho', other);
  // At once: they are counted one after the other.
  const statuses = (await Promise.all([1, 2, 3, 4].map(() => order(accountant, bank)))).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([202, 202, 429, 429]);
  refused(await order(accountant, bank), 'TOO_MANY_JOBS');
  expect((await order(colleague, bank)).status).toBe(202);
  refused(await order(colleague, bank), 'TOO_MANY_JOBS_OF_COMPANY');
  expect((await order(stranger, other)).status).toBe(202);

  const owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  await owner.query(`UPDATE job SET status = 'DONE', finished_at = now(), result = '{"bytes": 600000}'`);
  refused(await order(accountant, bank), 'KEPT_REPORTS_FULL');
  expect((await order(colleague, bank)).status).toBe(202);
  await owner.query(`UPDATE job SET result = '{"bytes": 2000000}' WHERE requested_by = 'vizinho'`);
  await owner.end();
  expect(await order(colleague, bank)).toMatchObject({ status: 503, body: { code: 'DISK_FULL' } });
});

test('uploads of a user take so many bytes at once, which are given back', async () => {
  const importer = await userOf('importador', bank);
  const upload = (bytes: number) =>
    importer.post('movements', `/importMoviment/${bank.company}/${bank.branch}/x`, 'x'.repeat(bytes), {
      'content-type': 'text/plain',
    });
  for (let turn = 0; turn < 3; turn++) expect((await upload(900_000)).status).toBe(400);
  refused(await upload(1_500_000), 'TOO_MUCH_UPLOADED');
  expect((await upload(900_000)).status).toBe(400);
});

async function userOf(username: string, { company }: Bank): Promise<Client> {
  const { password } = await createUser(platform.admin, { username, permissions: [{ company }] });
  return platform.as(username, password);
}

function refused({ status, headers, body }: HttpAnswer, code: string): void {
  expect(body).toMatchObject({ status: 429, code });
  expect(status).toBe(429);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}
