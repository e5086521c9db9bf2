import { afterAll, beforeAll, expect, test } from 'vitest';
import { calculate, closeDay, createFund, earn, type Fund, move } from '../support/funds.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createPeople } from '../support/users.ts';

// Quotas of days that wait for a second person: confirming them, and computing confirmed ones anew (domain: four eyes, 1 to 5).

let platform: Platform;
let ana: Client;
let bia: Client;
let serial = 0;

beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date('2026-02-10T12:00:00Z') });
});
afterAll(() => platform?.stop());

/** A fund whose quotas are Ana's and Bia's: an equity of 1,000.00 and 100 quotas before January, which is open. */
async function createWatchedFund(fourEyes: object): Promise<Fund> {
  const fund = await createFund(platform.admin, { options: { fourEyes } });
  [ana, bia] = await createPeople(platform, fund, [`ana${++serial}`, `bia${serial}`], ['SETTINGS']);
  return fund;
}

const decide = (client: Client, id: number, how: 'approve' | 'reject' | 'withdraw', body: object = {}) =>
  client.post('movements', `/approvals/${id}/${how}`, body);
const list = async (fund: Fund, query = '') =>
  bodyOf(ana.get('masterdata', `${fund.quotas}?from=2026-01-01&to=2026-12-31${query}`));
const confirm = (client: Client, fund: Fund, date: string) => calculate(client, fund, { date, confirmed: true });
const figures = (quotas: Record<string, unknown>[]) =>
  quotas.map(({ referenceDate, quotaValue, status }) => [referenceDate, quotaValue, status]);

test('the quota of a day waits; who asked is refused, a second person confirms it in his name', async () => {
  const fund = await createWatchedFund({ quotas: true });
  // A preview stores nothing and waits for nobody.
  expect((await calculate(ana, fund, { date: '2026-01-02' })).body).toMatchObject([{ status: 'PREVIEW' }]);
  const asked = await confirm(ana, fund, '2026-01-02');
  expect(asked).toMatchObject({
    status: 202,
    body: {
      ...{ kind: 'QUOTA', month: '01/2026', status: 'PENDING_APPROVAL', own: true },
      request: { from: '2026-01-02', to: '2026-01-02' },
    },
  });
  const { id } = asked.body;
  expect(await list(fund)).toEqual([]);
  expect((await confirm(ana, fund, '2026-01-02')).body.id).toBe(id);
  expect((await confirm(bia, fund, '2026-01-02')).body).toMatchObject({ status: 400, code: 'APPROVAL_WAITS' });
  expect((await decide(ana, id, 'approve')).body).toMatchObject({ status: 403, code: 'APPROVAL_OWN' });
  expect(await list(fund)).toEqual([]);
  expect((await decide(bia, id, 'approve')).body).toMatchObject({ status: 'APPROVED', decidedBy: `bia${serial}` });
  expect(await list(fund)).toMatchObject([
    { referenceDate: '2026-01-02', quotaValue: '10.00000000', status: 'CONFIRMED', confirmedBy: `ana${serial}` },
  ]);
  // Confirmed is confirmed: nobody is asked again.
  expect((await confirm(ana, fund, '2026-01-02')).status).toBe(200);
});

test('a quota that is rejected with a reason, or whose books have changed, is not confirmed', async () => {
  const fund = await createWatchedFund({ quotas: true });
  const first = (await confirm(ana, fund, '2026-01-02')).body.id;
  expect((await decide(bia, first, 'reject')).status).toBe(400);
  const rejected = await decide(bia, first, 'reject', { reason: 'Falta a despesa' });
  expect(rejected.body).toMatchObject({ status: 'REJECTED', reason: 'Falta a despesa' });
  expect(await list(fund)).toEqual([]);
  const second = (await confirm(ana, fund, '2026-01-02')).body.id;
  await earn(ana, fund, '02/01', '1,00');
  expect((await decide(bia, second, 'approve')).body).toMatchObject({ status: 400, code: 'APPROVAL_BOOKS_CHANGED' });
  expect(await list(fund)).toEqual([]);
  // Who approves all the same confirms the quota of the books as they are.
  expect((await decide(bia, second, 'approve', { confirmed: true })).status).toBe(200);
  expect(figures(await list(fund))).toEqual([['2026-01-02', '10.01000000', 'CONFIRMED']]);
});

test('a range waits as one request, with the quotas of its amounts', async () => {
  const fund = await createWatchedFund({ quotas: true });
  const { id: movement } = (await move(ana, fund, { date: '2026-01-02', kind: 'SUBSCRIPTION', amount: 100 })).body;
  await earn(ana, fund, '02/01', '100,00');
  await closeDay(ana, fund);
  const asked = await calculate(ana, fund, { from: '2026-01-01', to: '2026-01-05', confirmed: true });
  expect(asked).toMatchObject({ status: 202, body: { request: { from: '2026-01-01', to: '2026-01-05' } } });
  expect((await ana.get('masterdata', `/quotaMovement/${movement}`)).body.quotas).toBeNull();
  expect((await decide(bia, asked.body.id, 'approve')).status).toBe(200);
  expect(figures(await list(fund))).toEqual([
    ['2026-01-02', '10.00000000', 'CONFIRMED'],
    ['2026-01-05', '10.00000000', 'CONFIRMED'],
  ]);
  expect((await ana.get('masterdata', `/quotaMovement/${movement}`)).body.quotas).toBe(10);
});

test('the calculation of all funds leaves one out that waits for a second person, and says so', async () => {
  const fund = await createWatchedFund({ quotas: true });
  const [run] = await bodyOf(
    ana.post('masterdata', '/quotaRun', { company: fund.company, date: '2026-01-02', confirmed: true }),
  );
  const ended = () => bodyOf(ana.get('masterdata', `/quotaRun/${run.id}`));
  await expect.poll(async () => (await ended()).status, { timeout: 20_000 }).toBe('DONE');
  expect(await ended()).toMatchObject({ failed: 1, failures: [{ code: 'QUOTA_WANTS_APPROVAL' }] });
  expect(await list(fund)).toEqual([]);
});

test('reprocessing waits with its reason; once approved the old quota is kept as replaced', async () => {
  const fund = await createWatchedFund({ reprocessing: true });
  // Confirming does not wait here.
  expect((await confirm(ana, fund, '2026-01-02')).status).toBe(200);
  const reprocess = (client: Client, reason = 'Juros esquecidos') =>
    client.post('masterdata', `${fund.quotas}/reprocess`, { from: '2026-01-01', to: '2026-01-31', reason });
  // Where nothing would be replaced nobody is asked.
  expect((await reprocess(ana)).status).toBe(200);
  await earn(ana, fund, '02/01', '10,00');
  const asked = await reprocess(ana);
  expect(asked).toMatchObject({
    status: 202,
    body: { kind: 'QUOTA_REPROCESSING', month: '01/2026', request: { reason: 'Juros esquecidos' } },
  });
  const { id } = asked.body;
  expect(figures(await list(fund, '&replaced=true'))).toEqual([['2026-01-02', '10.00000000', 'STALE']]);
  expect((await reprocess(ana, 'Outro')).body).toMatchObject({ status: 400, code: 'APPROVAL_WAITS' });
  expect((await decide(ana, id, 'approve')).body).toMatchObject({ status: 403, code: 'APPROVAL_OWN' });
  await bodyOf(decide(bia, id, 'reject', { reason: 'Confirme a nota' }));
  expect(figures(await list(fund, '&replaced=true'))).toEqual([['2026-01-02', '10.00000000', 'STALE']]);
  const again = (await reprocess(ana)).body.id;
  await earn(ana, fund, '02/01', '5,00');
  expect((await decide(bia, again, 'approve')).body).toMatchObject({ status: 400, code: 'APPROVAL_BOOKS_CHANGED' });
  expect((await decide(bia, again, 'approve', { confirmed: true })).status).toBe(200);
  expect(await list(fund, '&replaced=true')).toMatchObject([
    { quotaValue: '10.15000000', status: 'CONFIRMED', confirmedBy: `ana${serial}` },
    {
      ...{ quotaValue: '10.00000000', status: 'REPLACED', replacedBy: `ana${serial}` },
      replacementReason: 'Juros esquecidos',
    },
  ]);
});

test('what waits of quotas is turned off by a second person only, and closing a month does not wait for it', async () => {
  const fund = await createWatchedFund({ quotas: true, reprocessing: true });
  const options = await bodyOf(ana.get('masterdata', `/company/options/company/${fund.company}/${fund.branch}`));
  expect(options.fourEyes).toMatchObject({ quotas: true, reprocessing: true, monthClose: false });
  const fourEyes = { ...options.fourEyes, reprocessing: false };
  const put = () => ana.call('masterdata', 'PUT', `/company/options/${options.id}`, { ...options, fourEyes });
  const asked = await put();
  expect(asked).toMatchObject({ status: 202, body: { kind: 'OPTIONS' } });
  expect((await decide(bia, asked.body.id, 'approve')).status).toBe(200);
  expect((await put()).body.fourEyes).toMatchObject({ quotas: true, reprocessing: false });
  await closeMonth(ana, fund, '01/2026');
  await openMonth(ana, fund, '02/2026');
});
