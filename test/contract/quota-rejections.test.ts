import { afterAll, beforeAll, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { book, post } from '../support/books.ts';
import { calculate, closeDay, createFund, earn, type Fund, move, reopenDay } from '../support/funds.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

// Calculations and movements that cannot be, or that meet: a reason each, and nothing stored.

let platform: Platform;
const client = () => platform.admin;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

const quotasOf = (fund: Fund) =>
  bodyOf(client().get('masterdata', `${fund.quotas}?from=1900-01-01&to=2200-01-01&replaced=true`));
const movementsOf = ({ company, branch }: Fund) =>
  bodyOf(client().get('masterdata', `/quotaMovement/${company}/${branch}?from=1900-01-01&to=2200-01-01`));
const confirm = (fund: Fund, date: string) => calculate(client(), fund, { date, confirmed: true });
const reprocess = (fund: Fund, from: string, to: string) =>
  client().post('masterdata', `${fund.quotas}/reprocess`, { from, to, reason: 'Correção' });
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

test('without quotas in circulation there is no quota', async () => {
  const fund = await createFund(client());
  await bodyOf(move(client(), fund, { date: '2026-01-02', kind: 'REDEMPTION', amount: 500, quotas: 100 }));
  expect(codeOf(await confirm(fund, '2026-01-02'))).toEqual([400, 'NO_QUOTAS_ON']);
  expect(codeOf(await calculate(client(), fund, { date: '2026-01-02' }))).toEqual([400, 'NO_QUOTAS_ON']);
  expect(await quotasOf(fund)).toEqual([]);
  const { company, branch, accounts } = fund;
  for (const numberOfQuotas of [0, -1]) {
    const body = { company, branch, netEquityAccountId: accounts.get('3'), numberOfQuotas };
    expect((await client().post('masterdata', '/quotacalculation/', body)).status).toBe(400);
  }
});

test('a redemption of all the money leaves no equity to divide, one of more takes more quotas than there are', async () => {
  const fund = await createFund(client());
  await bodyOf(move(client(), fund, { date: '2026-01-02', kind: 'REDEMPTION', amount: 1000 }));
  await post(client(), fund, book`02/01 3.1 D 1.000,00 1.1.1`);
  const whole = await confirm(fund, '2026-01-02');
  expect(codeOf(whole)).toEqual([400, 'NET_EQUITY_OF_DAY']);
  expect(whole.body.detail).toContain('0.00');
  await post(client(), fund, book`02/01 3.1 D 0,01 1.1.1`);
  expect(codeOf(await confirm(fund, '2026-01-02'))).toEqual([400, 'REDEMPTION_ABOVE_BALANCE']);
  expect(await quotasOf(fund)).toEqual([]);
});

test('a range stores all its days or none', async () => {
  const fund = await createFund(client());
  await post(client(), fund, book`06/01 8.1 D 1.000,00 1.1.1`);
  for (let day = 0; day < 3; day++) await closeDay(client(), fund);
  const range = { from: '2026-01-01', to: '2026-01-07', confirmed: true };
  const answer = await calculate(client(), fund, range);
  expect(codeOf(answer)).toEqual([400, 'NET_EQUITY_OF_DAY']);
  expect(answer.body.detail).toContain('06/01/2026');
  expect(codeOf(await calculate(client(), fund, { ...range, to: '2026-01-08' }))).toEqual([400, 'QUOTA_DAYS_OPEN']);
  expect(await quotasOf(fund)).toEqual([]);
});

test('a day after one whose amounts have no quotas yet waits for that day, and a reprocessing for the days before it', async () => {
  const fund = await createFund(client());
  await bodyOf(move(client(), fund, { date: '2026-01-02', kind: 'SUBSCRIPTION', amount: 100 }));
  await earn(client(), fund, '02/01', '100,00');
  await closeDay(client(), fund);
  const answer = await confirm(fund, '2026-01-05');
  expect(codeOf(answer)).toEqual([400, 'QUOTAS_PENDING']);
  expect(answer.body.detail).toContain('02/01/2026');
  expect(await quotasOf(fund)).toEqual([]);
  await bodyOf(confirm(fund, '2026-01-02'));
  await bodyOf(confirm(fund, '2026-01-05'));
  await reopenDay(client(), fund, '2026-01-02');
  await bodyOf(move(client(), fund, { date: '2026-01-02', kind: 'SUBSCRIPTION', amount: 50 }));
  expect(codeOf(await reprocess(fund, '2026-01-05', '2026-01-05'))).toEqual([400, 'QUOTA_DAYS_OPEN']);
  await closeDay(client(), fund);
  expect(codeOf(await reprocess(fund, '2026-01-05', '2026-01-05'))).toEqual([400, 'QUOTAS_PENDING']);
  const statuses = async () => (await quotasOf(fund)).map(({ status }: { status: string }) => status);
  expect(await statuses()).toEqual(['STALE', 'CONFIRMED']);
  // With the quotas of the amount the day after is stale too.
  await bodyOf(reprocess(fund, '2026-01-02', '2026-01-02'));
  expect(await statuses()).toEqual(['CONFIRMED', 'REPLACED', 'STALE']);
});

test.each([
  ['quotas', (fund: Fund) => `${fund.quotas}?from=2026-01-05&to=2026-01-02`],
  ['movements', ({ company, branch }: Fund) => `/quotaMovement/${company}/${branch}?from=2026-01-05&to=2026-01-02`],
])('a list of %s backwards is rejected', async (_, pathOf) => {
  const fund = await createFund(client());
  expect(codeOf(await client().get('masterdata', pathOf(fund)))).toEqual([400, 'INVALID_DATE_RANGE']);
});

test('of two come-cotas, and of two redemptions of the same quotas, that come at once one is stored', async () => {
  const fund = await createFund(client(), { baseYearMonth: '05/2026' });
  const both = async (movement: object, code: string) => {
    const answers = await Promise.all([move(client(), fund, movement), move(client(), fund, movement)]);
    expect(answers.map(codeOf).toSorted()).toEqual([
      [201, undefined],
      [400, code],
    ]);
  };
  await both({ date: '2026-05-29', kind: 'COME_COTAS', quotas: 5 }, 'COME_COTAS_TWICE');
  await both({ date: '2026-05-29', kind: 'REDEMPTION', amount: 1, quotas: 60 }, 'REDEMPTION_ABOVE_BALANCE');
  expect(await movementsOf(fund)).toHaveLength(3);
});

test('two reprocessings at once replace a quota once', async () => {
  const fund = await createFund(client());
  await bodyOf(confirm(fund, '2026-01-02'));
  await earn(client(), fund, '02/01', '10,00');
  const range = ['2026-01-02', '2026-01-02'] as const;
  const answers = await Promise.all([
    reprocess(fund, ...range),
    confirm(fund, '2026-01-02'),
    reprocess(fund, ...range),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await quotasOf(fund)).toMatchObject([
    { quotaValue: '10.10000000', status: 'CONFIRMED' },
    { quotaValue: '10.00000000', status: 'REPLACED' },
  ]);
});

test('an entry that comes while its day is calculated is in the quota or makes it stale', async () => {
  const fund = await createFund(client());
  for (let day = 0; day < 6; day++) {
    const date = `2026-01-${['02', '05', '06', '07', '08', '09'][day]}`;
    const [quota] = await Promise.all([confirm(fund, date), earn(client(), fund, `${date.slice(8)}/01`, '1,00')]);
    const [equity, now] = [quota.body[0].netEquity, (await quotasOf(fund)).at(-1)];
    expect([date, now.netEquity]).toEqual([date, equity]);
    expect([date, now.status]).toEqual([date, equity === 1000 + day + 1 ? 'CONFIRMED' : 'STALE']);
    if (now.status === 'STALE') await bodyOf(reprocess(fund, date, date));
    await closeDay(client(), fund);
  }
});

test('a second calculation of all funds of a company is refused while one runs', async () => {
  const fund = await createFund(client());
  const body = { company: fund.company, date: '2026-01-02', confirmed: true };
  const start = () => client().post('masterdata', '/quotaRun', body);
  const ended = async (id: number) => (await bodyOf(client().get('masterdata', `/quotaRun/${id}`))).status;
  const first = await withOwnerConnection(platform.ownerUrl, async (owner) => {
    // The job waits for whoever else works on the fund.
    await owner.query('BEGIN');
    await owner.query('SELECT FROM quota_configuration WHERE company_id = $1 FOR UPDATE', [fund.companyId]);
    const [run] = await bodyOf(start());
    const second = await start();
    expect(codeOf(second)).toEqual([400, 'QUOTA_RUN_UNDER_WAY']);
    expect(second.body.detail).toContain(String(run.id));
    await owner.query('COMMIT');
    return run;
  });
  await expect.poll(() => ended(first.id), { timeout: 20_000 }).toBe('DONE');
  expect(await quotasOf(fund)).toHaveLength(1);
  const [third] = await bodyOf(start());
  await expect.poll(() => ended(third.id), { timeout: 20_000 }).toBe('DONE');
});
