import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let bank: Bank;
let ofBranch: Client;
let ofCompany: Client;
beforeAll(async () => {
  platform = await startPlatform({ JOBS: 'off' });
  bank = await createBank(platform.admin, { company: 'TRILHA', branch: '0001' });
  const sister = await createBank(platform.admin, { company: 'TRILHA', branch: '0002', existing: true });
  await createBank(platform.admin, { company: 'OUTRA', branch: '0001' });
  for (const each of [bank, sister]) await openMonth(platform.admin, each, '01/2026');
  const one = await createUser(platform.admin, {
    username: 'uma',
    permissions: [{ company: 'TRILHA', branch: '0001' }],
  });
  const all = await createUser(platform.admin, { username: 'toda', permissions: [{ company: 'TRILHA' }] });
  ofBranch = await platform.as(one.username, one.password);
  ofCompany = await platform.as(all.username, all.password);
});
afterAll(() => platform?.stop());

interface Change {
  readonly action: string;
  readonly entity: string;
  readonly company: string | null;
  readonly branch: string | null;
}

const trail = async (client: Client, path: string) =>
  (await client.get<{ content: Change[]; totalElements: number }>('authentication', path)).body;

test('a user sees what was done to the books of its branch, and nothing else', async () => {
  const { content, totalElements } = await trail(ofBranch, '/audit/TRILHA/0001?size=1000');
  expect(content.length).toBe(totalElements);
  expect(content.map(({ entity }) => entity)).toEqual(expect.arrayContaining(['month', 'company_options']));
  expect(new Set(content.map(({ company, branch }) => `${company}/${branch}`))).toEqual(new Set(['TRILHA/0001']));
  expect(content[0]).toMatchObject({ username: 'admin', action: 'OPEN', entity: 'month' });
  expect(JSON.stringify(content)).not.toContain('address');
});

test('* is the whole company, with what stands beside its branches', async () => {
  const { content } = await trail(ofCompany, '/audit/TRILHA/*?size=1000');
  expect(new Set(content.map(({ branch }) => branch))).toEqual(new Set(['0001', '0002', null]));
  expect(content.map(({ entity }) => entity)).toContain('company');
  expect(new Set(content.map(({ company }) => company))).toEqual(new Set(['TRILHA']));
  const { totalElements } = await trail(platform.admin, '/audit/TRILHA/*');
  expect(totalElements).toBe(content.length);
});

test('filters and pages are those of the whole trail', async () => {
  const { content } = await trail(ofBranch, '/audit/TRILHA/0001?entity=month&action=OPEN&username=ADMIN');
  expect(content).toHaveLength(1);
  expect((await trail(ofBranch, '/audit/TRILHA/0001?to=2020-01-31')).totalElements).toBe(0);
  const page = await trail(ofBranch, '/audit/TRILHA/0001?size=1&page=1');
  expect(page.content).toHaveLength(1);
  const wrong = await ofBranch.get('authentication', '/audit/TRILHA/0001?from=2026-02-02&to=2026-02-01');
  expect(wrong).toMatchObject({ status: 400, body: { code: 'INVALID_DATE_RANGE' } });
});

test.each([
  ['/audit/TRILHA/0002', 403, 'TENANT_DENIED'],
  ['/audit/TRILHA/*', 403, 'TENANT_DENIED'],
  ['/audit/OUTRA/0001', 403, 'TENANT_DENIED'],
  ['/audit/NADA/0001', 404, 'NOT_FOUND'],
  ['/api/admin/audit', 403, 'ADMIN_ONLY'],
])('a user of one branch gets %s answered with %i', async (path, status, code) => {
  expect(await ofBranch.get('authentication', path)).toMatchObject({ status, body: { code } });
});
