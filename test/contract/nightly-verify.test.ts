import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NightlyVerify, verifyIfDue } from '../../src/features/closing/verify/nightly-verify.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { runAdmin } from '../support/admin-command.ts';
import type { Bank } from '../support/banks.ts';
import { createFullBank } from '../support/full-books.ts';
import { askToCloseMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let owner: pg.Client;
let bank: Bank;
/** That a whole run reads. */
let firstLines: number;
beforeAll(async () => {
  platform = await startPlatform();
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  bank = await createFullBank(platform, owner, { company: 'V1' }, 'Conferido', '1234.56');
  await owner.query('DELETE FROM verify_result');
}, 60_000);
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
});

const TOMORROW = () => new Date(Date.now() + 24 * 60 * 60_000);

/** One turn of a process, with what it logged. */
async function turn(more: Partial<NightlyVerify> = {}, stopping = new AbortController()): Promise<object[]> {
  const { app, database, logins } = platform.program;
  const logged: object[] = [];
  const options: NightlyVerify = {
    database: database.doing('job'),
    openConnections: () => openDatabase(logins.app!, { max: 2 }).doing('job'),
    at: '03:00',
    keys: app.sealKeys,
    dataDir: app.config.dataDir,
    now: TOMORROW,
    log: { error: (line: { difference: object }) => void logged.push(line.difference) } as NightlyVerify['log'],
    ...more,
  };
  await verifyIfDue(options, stopping.signal);
  return logged;
}

const run = async () => (await owner.query('SELECT * FROM verify_run')).rows[0];
/** Differences, age and duration. */
const metrics = async () => {
  // The text of one second is the same for all.
  await new Promise((done) => setTimeout(done, 1_050));
  const { text } = await platform.admin.get('queries', '/actuator/metrics-export');
  return ['differences', 'age_seconds', 'seconds'].map((name) => {
    const [, value] = new RegExp(`^partidas_verify_${name} (\\S+)$`, 'm').exec(text) ?? [];
    return value === undefined ? undefined : Number(value);
  });
};
const finding = async (month: string) => {
  const { findings } = await bodyOf(
    platform.admin.get('queries', `/closingChecklist/${bank.company}/${bank.branch}/${month}`),
  );
  return findings.find(({ code }: { code: string }) => code === 'BOOKS_DIFFER');
};

test('nothing runs before its time, and before a first run nobody says that the books agree', async () => {
  await turn({ now: () => new Date() });
  expect(await run()).toMatchObject({ began_at: null, ended_at: null });
  expect(await finding('2026/1')).toMatchObject({ state: 'NOT_APPLICABLE', count: 0 });
  expect(await metrics()).toEqual([0, undefined, undefined]);
});

test('clean books are clean, once a night', async () => {
  expect(await turn()).toEqual([]);
  const first = await run();
  expect(first).toMatchObject({ began_at: null, ended_at: expect.any(Date), platform_differences: 0 });
  expect(first.lines).toBeGreaterThan(0);
  firstLines = first.lines;
  expect(await finding('2026/1')).toMatchObject({ state: 'OK', count: 0 });
  const [differences, age, seconds] = await metrics();
  expect([differences, age! >= 0, seconds! > 0]).toEqual([0, true, true]);
  await turn();
  expect(await run()).toEqual(first);
});

/** So that the next turn has something to do. */
const makeDue = () => owner.query(`UPDATE verify_run SET due_at = due_at - interval '1 day'`);

test('differences are in the log, the metric and the checklist, and stop the next close until they are mended', async () => {
  await owner.query('ALTER TABLE monthly_balance DISABLE TRIGGER USER');
  const change = (by: number) =>
    owner.query(
      `UPDATE monthly_balance SET balance = balance + $1, debit = debit + $1
        WHERE month = '2026-01-01' AND account_id = (SELECT id FROM account WHERE code = '1.1.1')`,
      [by],
    );
  await change(1);
  await makeDue();
  const logged = await turn();
  expect(logged).toContainEqual(
    expect.objectContaining({ company: bank.company, branch: '0001', month: '2026-01', kind: 'BALANCE' }),
  );
  const found = await finding('2026/2');
  expect(found).toMatchObject({ state: 'BLOCKED', count: logged.length });
  expect(found.items[0]).toMatchObject({
    name: expect.stringMatching(/^01\/2026, BALANCE account 1\.1\.1, \d\d\/\d\d\/\d{4} \d\d:\d\d$/),
    path: `/seals/${bank.company}/${bank.branch}`,
  });
  expect((await metrics())[0]).toBe(logged.length);
  expect((await askToCloseMonth(platform.admin, bank, '02/2026')).body).toMatchObject({
    status: 400,
    code: 'CLOSING_BLOCKED',
  });
  // Months before it are as they were.
  expect(await finding('2025/12')).toMatchObject({ count: 0 });

  await change(-1);
  await owner.query('ALTER TABLE monthly_balance ENABLE TRIGGER USER');
  const words = ['verify', `${bank.company}/${bank.branch}`, '--keep'];
  expect(await runAdmin(platform, words, { DATA_DIR: platform.program.app.config.dataDir })).toMatchObject({ code: 0 });
  expect(await finding('2026/2')).toMatchObject({ state: 'OK', count: 0 });
});

test('a run that was cut off goes on after its last part, in any process', async () => {
  await makeDue();
  const stopping = new AbortController();
  const isCutOff = turn({}, stopping);
  await expect.poll(async () => (await run()).done_part, { interval: 1, timeout: 20_000 }).not.toBeNull();
  stopping.abort();
  // Its statement ends with an error, or it had none under way.
  await isCutOff.catch(() => {});
  const half = await run();
  expect(half.began_at).not.toBeNull();
  expect(await turn()).toEqual([]);
  const whole = await run();
  // No line was counted twice.
  expect(whole).toMatchObject({ began_at: null, lines: firstLines });
});

test('of several processes one works', async () => {
  await makeDue();
  const opened: number[] = [];
  const { logins } = platform.program;
  const openConnections = () => {
    opened.push(1);
    return openDatabase(logins.app!, { max: 2 }).doing('job');
  };
  await Promise.all([1, 2, 3].map(() => turn({ openConnections })));
  await expect.poll(async () => (await run()).began_at, { timeout: 20_000 }).toBeNull();
  const { rows } = await owner.query('SELECT count(*)::int AS results FROM verify_result WHERE differences > 0');
  expect(rows[0].results).toBe(0);
});
