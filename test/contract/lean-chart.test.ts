import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createAccounts, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { openMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let bank: Bank;

beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  await post(platform.admin, bank, book`05/01 1.1.2 D 10,00 3.1`);
});
afterAll(() => platform?.stop());

const ask = (tag?: string) =>
  platform.admin.call(
    'queries',
    'GET',
    `/chart/${bank.company}/${bank.branch}`,
    undefined,
    tag === undefined ? {} : { 'if-none-match': tag },
  );

async function usesOf(...codes: string[]): Promise<number[]> {
  const accounts: { cdAccounting: string; uses: number }[] = (await ask()).body;
  return codes.map((code) => accounts.find(({ cdAccounting }) => cdAccounting === code)!.uses);
}

test('the chart in its order, the fields of the accounts as the chart has them', async () => {
  const { body, headers } = await ask();
  const whole = await bodyOf(
    platform.admin.get('masterdata', `/chartOfAccounts/getallcoa/${bank.company}/${bank.branch}`),
  );
  const FIELDS = 'id cdAccounting cdReduced description accountType nature accountClass level parentId active'.split(
    ' ',
  );
  expect(body).toEqual(
    whole.map((account: Record<string, unknown>) => ({
      ...Object.fromEntries(FIELDS.map((name) => [name, account[name]])),
      uses: ['1.1.2', '3.1'].includes(String(account.cdAccounting)) ? 1 : 0,
    })),
  );
  expect(headers.get('cache-control')).toBe('private, no-cache');
});

test('a client that has it gets 304 and no body, until the chart or its use changes', async () => {
  const first = (await ask()).headers.get('etag')!;
  expect(first).toMatch(/^"[\w-]{22}"$/);
  const same = await ask(first);
  expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', first]);
  // A second line is twice the first; a third changes nothing, a fourth does.
  const changes: boolean[] = [];
  let tag = first;
  for (let line = 2; line <= 4; line++) {
    await post(platform.admin, bank, book`05/01 1.1.2 D 10,00 3.1`);
    const { status, headers } = await ask(tag);
    changes.push(status === 200);
    tag = headers.get('etag')!;
  }
  expect(changes).toEqual([true, false, true]);
  await createAccounts(platform.admin, bank.chartCode, [
    { code: '1.1.3', description: 'Cofre', type: 'A', nature: 'D', accountClass: '01' },
  ]);
  expect((await ask(tag)).status).toBe(200);
});

test('uses count the last three opened months; what lies before them counts as one', async () => {
  expect(await usesOf('1.1.2', '3.1', '1.1', '8.1')).toEqual([4, 4, 0, 0]);
  for (const month of ['02/2026', '03/2026', '04/2026']) await openMonth(platform.admin, bank, month);
  await post(platform.admin, bank, book`05/03 1.1.1 D 10,00 3.1`);
  expect(await usesOf('1.1.1', '1.1.2', '3.1')).toEqual([1, 1, 1]);
});

test('403 without permission, 404 for what is not there, 400 without a chart', async () => {
  const { username, password } = await createUser(platform.admin, { username: 'sem-plano' });
  const stranger = await platform.as(username, password);
  expect((await stranger.get('queries', `/chart/${bank.company}/${bank.branch}`)).status).toBe(403);
  expect((await platform.admin.get('queries', `/chart/${bank.company}/nada`)).status).toBe(404);
  const bare = { company: bank.company, branch: 'NUA', name: 'Sem opções' };
  await bodyOf(platform.admin.post('masterdata', '/branch', bare));
  expect((await platform.admin.get('queries', `/chart/${bank.company}/NUA`)).status).toBe(400);
});
