import { afterAll, beforeAll, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { storedEvents } from '../support/events.ts';
import { createMachine } from '../support/machines.ts';
import { askToCloseMonth, closeMonth, endOfMonthClose, openMonth, REOPENING } from '../support/months.ts';
import { bodyOf, type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createPeople, createUser } from '../support/users.ts';

// Four eyes: what a branch lets happen only when a second person approves it (domain: four eyes).

const ALL = { monthClose: true, reopening: true, archiving: true, quotas: true };
const PASSWORD = 'uma senha bem comprida';

let platform: Platform;
let ana: Client;
let bia: Client;
let anaId: number;
let serial = 0;

beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date('2026-02-10T12:00:00Z') });
});
afterAll(() => platform?.stop());

/** January open with an entry; Ana and Bia may do everything there. */
async function createBranch(fourEyes: object = ALL): Promise<Bank> {
  const bank = await createBank(platform.admin, { options: { fourEyes } });
  const names = [`ana${++serial}`, `bia${serial}`] as const;
  const [first, second] = await createPeople(platform, bank, names, ['REOPENING', 'PURGING', 'SETTINGS']);
  [ana, bia, anaId] = [first, second, first.userId];
  await openMonth(ana, bank, '01/2026');
  await post(ana, bank, book`05/01 1.1.1 D 1.000,00 3.1`);
  return bank;
}

const query = (text: string, values: readonly unknown[]) =>
  withOwnerConnection(platform.ownerUrl, (client) => client.query(text, [...values]));

const decide = (client: Client, id: number, how: 'approve' | 'reject' | 'withdraw', body: object = {}) =>
  client.post('movements', `/approvals/${id}/${how}`, body);
const read = (id: number) => bodyOf(platform.admin.get('movements', `/approvals/${id}`));
const place = ({ company, branch }: Bank) => `${company}/${branch}`;
const trailOf = (bank: Bank, action: string) =>
  query('SELECT username, after FROM audit WHERE company_id = $1 AND action = $2 ORDER BY id DESC LIMIT 1', [
    bank.companyId,
    action,
  ]);

/** Closes January by Ana's request and Bia's approval. */
async function closeWithBoth(bank: Bank): Promise<void> {
  const { body } = await askToCloseMonth(ana, bank, '01/2026');
  expect((await decide(bia, body.id, 'approve')).status).toBe(200);
  const [job] = await bodyOf(ana.get('movements', `/consolidations/${place(bank)}?month=2026-01`));
  expect((await endOfMonthClose(ana, job.id)).status).toBe('DONE');
}

test('a month close waits; only somebody else who may close it approves, and the trail names both', async () => {
  const bank = await createBranch();
  const asked = await askToCloseMonth(ana, bank, '01/2026');
  expect(asked).toMatchObject({
    status: 202,
    body: {
      kind: 'MONTH_CLOSE',
      month: '01/2026',
      status: 'PENDING_APPROVAL',
      own: true,
      request: { month: '2026-01' },
    },
  });
  const { id } = asked.body;
  expect((await askToCloseMonth(ana, bank, '01/2026')).body.id).toBe(id);
  expect((await askToCloseMonth(bia, bank, '01/2026')).body).toMatchObject({ status: 400, code: 'APPROVAL_WAITS' });
  expect((await decide(ana, id, 'approve')).body).toMatchObject({ status: 403, code: 'APPROVAL_OWN' });
  expect((await decide(ana, id, 'reject', { reason: 'x' })).body).toMatchObject({ code: 'APPROVAL_OWN' });
  expect((await decide(bia, id, 'withdraw')).body).toMatchObject({ code: 'APPROVAL_NOT_OWN' });
  const machine = await createMachine(platform, bank, ['APPROVALS', 'CONSOLIDATION']);
  for (const how of ['approve', 'reject'] as const) {
    expect((await decide(machine, id, how, how === 'reject' ? { reason: 'x' } : {})).body).toMatchObject({
      status: 403,
      code: 'APPROVAL_BY_SERVICE',
    });
  }
  expect(await bodyOf(ana.get('movements', `/consolidations/${place(bank)}?month=2026-01`))).toEqual([]);
  const approved = await decide(bia, id, 'approve');
  expect(approved).toMatchObject({ status: 200, body: { status: 'APPROVED', decidedBy: `bia${serial}`, own: false } });
  const [job] = await bodyOf(ana.get('movements', `/consolidations/${place(bank)}?month=2026-01`));
  expect(job.requestedBy).toBe(`ana${serial}`);
  expect((await endOfMonthClose(ana, job.id)).status).toBe('DONE');
  const { rows } = await trailOf(bank, 'CONSOLIDATE');
  const approval = { id, requestedBy: `ana${serial}`, approvedBy: `bia${serial}` };
  expect(rows).toMatchObject([{ username: `ana${serial}`, after: { approval } }]);
  expect((await decide(bia, id, 'approve')).body).toMatchObject({ status: 400, code: 'APPROVAL_DECIDED' });
});

test('rejected with a reason or withdrawn, nothing happens, and it can be asked again', async () => {
  const bank = await createBranch();
  const first = (await askToCloseMonth(ana, bank, '01/2026')).body.id;
  expect((await decide(bia, first, 'reject')).status).toBe(400);
  expect((await decide(bia, first, 'reject', { reason: '' })).status).toBe(400);
  const rejected = await decide(bia, first, 'reject', { reason: 'Falta o rateio' });
  expect(rejected.body).toMatchObject({ status: 'REJECTED', reason: 'Falta o rateio' });
  const second = (await askToCloseMonth(ana, bank, '01/2026')).body.id;
  expect(second).not.toBe(first);
  expect((await decide(ana, second, 'withdraw')).body.status).toBe('WITHDRAWN');
  expect((await decide(bia, second, 'approve')).body.code).toBe('APPROVAL_DECIDED');
  const list = await bodyOf(bia.get('movements', `/approvals?company=${bank.company}&status=REJECTED&size=1`));
  expect(list).toMatchObject({ totalElements: 1, content: [{ id: first }] });
});

test('other systems are told of each step, with nothing of what was asked', async () => {
  const bank = await createBranch();
  const ask = async (): Promise<number> => (await askToCloseMonth(ana, bank, '01/2026')).body.id;
  const taken = await ask();
  expect(await ask()).toBe(taken);
  await bodyOf(decide(ana, taken, 'withdraw'));
  const refused = await ask();
  expect((await decide(ana, refused, 'approve')).status).toBe(403);
  await bodyOf(decide(bia, refused, 'reject', { reason: 'Falta o rateio' }));
  const done = await ask();
  await bodyOf(decide(bia, done, 'approve'));
  const events = await withOwnerConnection(platform.ownerUrl, (client) => storedEvents(client, bank));
  const data = { kind: 'MONTH_CLOSE', month: '2026-01', operation: null };
  const event = (step: string, approvalId: number, more = {}) => ({
    ...{ type: `approval.${step}`, company: bank.company, branch: bank.branch },
    data: { approvalId, ...data, ...more },
  });
  expect(events.filter(({ type }) => type.startsWith('approval.')).map(({ position, ...told }) => told)).toEqual([
    event('requested', taken),
    event('withdrawn', taken),
    event('requested', refused),
    event('rejected', refused, { reason: 'Falta o rateio' }),
    event('requested', done),
    event('approved', done),
  ]);
});

test('where the books have changed since, the approver must say that he knows', async () => {
  const bank = await createBranch();
  const { id } = (await askToCloseMonth(ana, bank, '01/2026')).body;
  await post(ana, bank, book`06/01 1.1.1 D 1,00 3.1`);
  expect((await decide(bia, id, 'approve')).body).toMatchObject({ status: 400, code: 'APPROVAL_BOOKS_CHANGED' });
  expect((await read(id)).status).toBe('PENDING_APPROVAL');
  expect((await decide(bia, id, 'approve', { confirmed: true })).status).toBe(200);
});

test('who asked must still be active and allowed when it is approved, and so must the approver', async () => {
  const bank = await createBranch();
  const { id } = (await askToCloseMonth(ana, bank, '01/2026')).body;
  const user = await bodyOf(platform.admin.get('authentication', `/api/admin/users/${anaId}`));
  const put = (change: object) =>
    bodyOf(platform.admin.call('authentication', 'PUT', `/api/admin/users/${anaId}`, { ...user, ...change }));
  await put({ active: false });
  expect((await decide(bia, id, 'approve')).body).toMatchObject({ status: 400, code: 'APPROVAL_REQUESTER' });
  await put({ active: true, permissions: [] });
  expect((await decide(bia, id, 'approve')).body).toMatchObject({ status: 400, code: 'APPROVAL_REQUESTER' });
  await put({ active: true, permissions: [{ company: bank.company }] });
  // Who may not do it himself does not decide on it.
  await bodyOf(decide(bia, id, 'approve'));
  const [job] = await bodyOf(bia.get('movements', `/consolidations/${place(bank)}?month=2026-01`));
  await endOfMonthClose(bia, job.id);
  const again = await platform.as(`ana${serial}`, PASSWORD);
  const opening = `/monthOpening/${place(bank)}`;
  const reopening = (await again.post('movements', opening, { newyearmonth: '01/2026', ...REOPENING })).body.id;
  const [leigo] = await createPeople(platform, bank, [`leigo${serial}`]);
  expect((await decide(leigo, reopening, 'approve')).body).toMatchObject({ status: 403, code: 'APPROVAL_APPROVER' });
  expect((await decide(leigo, reopening, 'reject', { reason: 'Não' })).status).toBe(403);
  await createUser(platform.admin, { username: `fora${serial}` });
  const outsider = await platform.as(`fora${serial}`, PASSWORD);
  expect([403, 404]).toContain((await decide(outsider, reopening, 'approve')).status);
});

test('of two who approve at once, and of approving and withdrawing, one wins', async () => {
  const bank = await createBranch();
  const [caio] = await createPeople(platform, bank, [`caio${serial}`]);
  for (const race of ['approve', 'withdraw'] as const) {
    const { id } = (await askToCloseMonth(ana, bank, '01/2026')).body;
    const answers = await Promise.all([
      decide(bia, id, 'approve'),
      race === 'approve' ? decide(caio, id, 'approve') : decide(ana, id, 'withdraw'),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const jobs = await bodyOf(ana.get('movements', `/consolidations/${place(bank)}?month=2026-01`));
    for (const job of jobs) await endOfMonthClose(ana, job.id);
    if (race === 'approve') {
      expect(jobs).toHaveLength(1);
      const opening = { newyearmonth: '01/2026', ...REOPENING };
      const { body } = await ana.post('movements', `/monthOpening/${place(bank)}`, opening);
      await bodyOf(decide(bia, body.id, 'approve'));
    }
  }
});

test('reopening waits with its reason; opening the next month does not', async () => {
  const bank = await createBranch();
  await closeWithBoth(bank);
  const opening = (client: Client, more = {}) =>
    client.post('movements', `/monthOpening/${place(bank)}`, { newyearmonth: '01/2026', ...REOPENING, ...more });
  const { status, body } = await opening(ana);
  expect({ status, body }).toMatchObject({ status: 202, body: { kind: 'REOPENING', request: { month: '2026-01' } } });
  expect((await opening(ana, { reason: 'Outro' })).body.code).toBe('APPROVAL_WAITS');
  expect((await decide(bia, body.id, 'approve')).status).toBe(200);
  const reopenings = await bodyOf(ana.get('movements', `/monthOpening/${place(bank)}/reopenings`));
  expect(reopenings).toMatchObject([{ reason: REOPENING.reason, reopenedBy: `ana${serial}` }]);
  // Opening the next month is nobody else's business.
  await openMonth(ana, bank, '02/2026');
});

test('archiving waits branch by branch', async () => {
  const bank = await createBranch();
  await closeWithBoth(bank);
  await openMonth(ana, bank, '02/2026');
  const asked = await ana.post('movements', '/purging', {
    ...{ useRange: false, alternate: true, selectedBranchId: [bank.branchId], yearmonth: '01/2026', doSend: true },
  });
  expect(asked.status).toBe(202);
  expect(asked.body).toHaveLength(1);
  const archived = () => bodyOf(ana.get('movements', `/purging/${place(bank)}`));
  expect(await archived()).toEqual([]);
  const waiting = await bodyOf(bia.get('movements', `/approvals?company=${bank.company}&status=PENDING_APPROVAL`));
  expect(waiting.content).toMatchObject([{ kind: 'ARCHIVING', request: { month: '2026-01', send: true } }]);
  expect((await decide(bia, waiting.content[0].id, 'approve')).status).toBe(200);
  expect(await archived()).toMatchObject([{ month: '01/2026', lines: 2 }]);
});

test('the quota that is approved is the one that was asked for', async () => {
  const bank = await createBranch();
  await closeWithBoth(bank);
  await openMonth(ana, bank, '02/2026');
  const { company, branch } = bank;
  const settings = { company, branch, netEquityAccountId: bank.accounts.get('3'), numberOfQuotas: 100 };
  await bodyOf(ana.post('masterdata', '/quotacalculation/', settings));
  const path = `/taxquotacalculation/${place(bank)}`;
  expect((await ana.get('movements', path)).status).toBe(302);
  const asked = await ana.get('movements', `${path}?confirmed=true`);
  expect(asked).toMatchObject({ status: 202, body: { kind: 'QUOTA', request: { quotaValue: '10.00000000' } } });
  expect((await bodyOf(ana.get('movements', `${path}/preview`))).confirmed).toBe(false);
  expect((await decide(bia, asked.body.id, 'approve')).status).toBe(200);
  expect((await bodyOf(ana.get('masterdata', path))).confirmedBy).toBe(`ana${serial}`);
  // Confirmed is confirmed.
  expect((await ana.get('movements', `${path}?confirmed=true`)).status).toBe(200);
});

test('letting less wait waits itself; letting more wait does not', async () => {
  const bank = await createBranch({ monthClose: true, batchLimit: '9000.00' });
  const options = await bodyOf(ana.get('masterdata', `/company/options/company/${place(bank)}`));
  expect(options.fourEyes).toEqual({
    monthClose: true,
    reopening: false,
    archiving: false,
    quotas: false,
    reprocessing: false,
    batchLimit: '9000.00',
  });
  const put = (client: Client, change: object) =>
    client.call('masterdata', 'PUT', `/company/options/${options.id}`, { ...options, ...change });
  const more = { ...options.fourEyes, reopening: true, batchLimit: '5000.00' };
  expect((await put(ana, { fourEyes: more })).status).toBe(200);
  // A body that does not speak of it leaves it.
  expect((await put(ana, { fourEyes: undefined })).body.fourEyes).toEqual(more);
  for (const fourEyes of [
    { ...more, monthClose: false },
    { ...more, batchLimit: '5000.01' },
    { ...more, batchLimit: null },
    {},
  ]) {
    const asked = await put(ana, { fourEyes });
    expect(asked).toMatchObject({ status: 202, body: { kind: 'OPTIONS', month: null } });
    await decide(ana, asked.body.id, 'withdraw');
  }
  const asked = (await put(ana, { fourEyes: {} })).body;
  expect((await askToCloseMonth(ana, bank, '01/2026')).status).toBe(202);
  await put(bia, { historyRequired: true, fourEyes: undefined });
  expect((await decide(bia, asked.id, 'approve')).body).toMatchObject({ status: 400, code: 'APPROVAL_OUTDATED' });
  await decide(bia, asked.id, 'reject', { reason: 'Mudou' });
  const again = (await put(ana, { fourEyes: {} })).body;
  expect((await decide(bia, again.id, 'approve')).status).toBe(200);
  const [waiting] = (await bodyOf(ana.get('movements', `/approvals?kind=MONTH_CLOSE&company=${bank.company}`))).content;
  await decide(ana, waiting.id, 'withdraw');
  expect((await askToCloseMonth(ana, bank, '01/2026')).status).toBe(200);
});

test('a request of last week has expired', async () => {
  const bank = await createBranch();
  const { id } = (await askToCloseMonth(ana, bank, '01/2026')).body;
  await query(`UPDATE approval SET expires_at = now() WHERE id = $1`, [id]);
  expect((await read(id)).status).toBe('EXPIRED');
  expect((await decide(bia, id, 'approve')).body).toMatchObject({ code: 'APPROVAL_DECIDED' });
  expect((await askToCloseMonth(ana, bank, '01/2026')).body.id).not.toBe(id);
});

test('the close of all branches asks for those that want it and closes the others', async () => {
  const bank = await createBranch();
  const { company, chartCode } = bank;
  const other = await createBank(platform.admin, { company, branch: '0002', chartCode, accounts: [], existing: true });
  await openMonth(ana, other, '01/2026');
  const { id } = await bodyOf(askToCloseMonth(ana, { company, branch: '*' }, '01/2026'));
  expect((await endOfMonthClose(ana, id)).status).toBe('DONE');
  const waiting = await bodyOf(bia.get('movements', `/approvals?company=${company}`));
  expect(waiting.content).toMatchObject([{ kind: 'MONTH_CLOSE', branch: '0001' }]);
  expect((await decide(bia, waiting.content[0].id, 'approve')).status).toBe(200);
});

test('without the option nothing waits', async () => {
  const bank = await createBranch({});
  await closeMonth(ana, bank, '01/2026');
  await openMonth(ana, bank, '01/2026');
  expect((await bodyOf(ana.get('movements', `/approvals?company=${bank.company}`))).content).toEqual([]);
});
