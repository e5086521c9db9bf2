import { afterAll, beforeAll, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { recordFigure } from '../support/figures.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { ADMIN, bodyOf, type Client, type Platform, startPlatform } from '../support/platform.ts';
import { timeLimitOf } from '../support/trust-parts.ts';
import { createUser } from '../support/users.ts';

// The program takes the time from one clock, and the database has its own. The program's is set here: forward, back, to
// midnight, to leap days; the database's stays, so that the two are apart as well.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let platform: Platform;
let bank: Bank;
let ahead = 0;
const setTo = (instant: string) => {
  ahead = Date.parse(instant) - Date.now();
};

beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date(Date.now() + ahead) });
  bank = await createBank(platform.admin, { baseYearMonth: '01/2024' });
}, 60_000);
afterAll(() => platform?.stop());

const { username, password } = ADMIN;
const signIn = (typed = password, name = username) =>
  platform.withToken('').post('authentication', '/api/auth/signin', { username: name, password: typed });
const statusOf = async (client: Client) => (await client.get('masterdata', '/usercompanies')).status;

/** What is not as specified when the clock goes as `go` sets it; milliseconds ahead. */
async function faultsOfJumps(go: (ms: number) => void): Promise<string[]> {
  const faults: string[] = [];
  const expected = (what: string, found: unknown, wanted: unknown) => {
    if (found !== wanted) faults.push(`${what}: ${found} instead of ${wanted}`);
  };
  const name = `relogio${clocks++}`;
  await createUser(platform.admin, { username: name, password });
  go(0);
  const early = await platform.as(username, password);
  expected('a fresh token', await statusOf(early), 200);
  go(50_000);
  const skewed = await platform.as(username, password);
  go(0);
  expected('a token of a process 50 s ahead', await statusOf(skewed), 200);
  go(2 * HOUR);
  expected('an hour-old token after the clock went forward', await statusOf(early), 401);
  const late = await platform.as(username, password);
  expected('a new token then', await statusOf(late), 200);
  for (let attempt = 0; attempt < 10; attempt++) await signIn('outra senha qualquer', name);
  expected('the eleventh sign-in', (await signIn(password, name)).status, 429);
  go(2 * HOUR + 16 * MINUTE);
  expected('sign-in after the window', (await signIn(password, name)).status, 200);
  for (let attempt = 0; attempt < 10; attempt++) await signIn('outra senha qualquer', name);
  go(0);
  expected('a token of the future after the clock went back', await statusOf(late), 401);
  expected('the early token then', await statusOf(early), 200);
  expected('sign-in after failures of the future', (await signIn(password, name)).status, 200);
  return faults;
}
let clocks = 0;
const FAULTS_OF_A_STUCK_CLOCK = [
  'an hour-old token after the clock went forward: 200 instead of 401',
  'sign-in after the window: 429 instead of 200',
  'a token of the future after the clock went back: 200 instead of 401',
  'sign-in after failures of the future: 429 instead of 200',
];

test('a clock that jumps, and clocks that are apart', { timeout: timeLimitOf('clock') }, async () => {
  const faults = await faultsOfJumps((ms) => {
    ahead = ms;
  });
  const stuck = await faultsOfJumps(() => {
    ahead = 0;
  });
  ahead = 0;
  expect(faults).toEqual([]);
  expect(stuck).toEqual(FAULTS_OF_A_STUCK_CLOCK);
  recordFigure({
    part: 'clock',
    what: 'clock 2 h forward and back, two processes 50 s apart: tokens and sign-in limits',
    figure: 'as specified in all 9 cases',
    control: `a clock that stands still: ${stuck.length} cases seen`,
  });
});

test('midnight is that of São Paulo', async () => {
  const balances = [{ cdAccounting: '1.1.1', balance: 1 }];
  const place = { company: bank.company, branch: bank.branch, origin: 'RELOGIO' };
  await openMonth(platform.admin, bank, '01/2024');
  await bodyOf(platform.admin.post('masterdata', '/controlBalance', { ...place, date: '2024-01-05', balances }));
  const comparedAt = async (instant: string) => {
    setTo(instant);
    const client = await platform.as(username, password);
    return (await bodyOf(client.get('queries', `/reconciliation/${bank.company}/${bank.branch}`))).compared;
  };
  const aroundMidnight = async () => [
    await comparedAt('2024-01-06T02:59:50Z'),
    await comparedAt('2024-01-06T03:00:10Z'),
  ];
  const found = await aroundMidnight();
  const { formatToParts } = Intl.DateTimeFormat.prototype;
  const inUtc = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: 'UTC',
  });
  Intl.DateTimeFormat.prototype.formatToParts = (date) => formatToParts.call(inUtc, date);
  const withoutZone = await aroundMidnight().finally(() => {
    Intl.DateTimeFormat.prototype.formatToParts = formatToParts;
  });
  ahead = 0;
  expect(found).toEqual([1, 0]);
  expect(withoutZone).toEqual([0, 0]);
  recordFigure({
    part: 'clock',
    what: 'midnight of São Paulo',
    figure: 'the day is the 5th until 02:59:59 UTC, then the 6th',
    control: 'the time zone taken out: the 6th in both',
  });
});

test('leap days exist in leap years alone, and a closed February carries them on', {
  timeout: timeLimitOf('clock'),
}, async () => {
  const post = async (month: string, day: string) => {
    const { accounts } = bank;
    const [number, year] = month.split('/').map(Number);
    const leap = { empresa: bank.company, filial: bank.branch, ano: year, mes: number };
    const { id: batchId } = await bodyOf(platform.admin.post('movements', '/batch', leap));
    const { id: documentId } = await bodyOf(platform.admin.post('movements', '/document', { batchId }));
    const entry = { documentId, debcre: 'D', contaId: accounts.get('1.1.1'), contrapartida: accounts.get('3.1') };
    const sent = { ...entry, day, valor: 29, historico: 'Bissexto' };
    const { status, text } = await platform.admin.post('movements', '/entry', sent);
    return status === 201 ? 'posted' : JSON.parse(text).code;
  };
  await closeMonth(platform.admin, bank, '01/2024');
  await openMonth(platform.admin, bank, '02/2024');
  const { UTC } = Date;
  Date.UTC = (year, month, ...rest) => UTC(month === 2 ? year - 1 : year, month, ...rest);
  const withoutLeapYears = await post('02/2024', '29').finally(() => {
    Date.UTC = UTC;
  });
  expect(withoutLeapYears).toBe('DAY_NOT_IN_MONTH');
  expect([await post('02/2024', '29'), await post('02/2024', '30')]).toEqual(['posted', 'DAY_NOT_IN_MONTH']);
  await closeMonth(platform.admin, bank, '02/2024');
  const inquiry = { empresa: bank.company, filial: bank.branch, contaId: bank.accounts.get('1.1.1') };
  const months = { anomesini: '02/2024', anomesfim: '02/2024' };
  const told = await platform.admin.post('queries', '/balanceInquiryDetails', { ...inquiry, ...months });
  expect(told.text).toContain('29.00');
  const other = await createBank(platform.admin, { baseYearMonth: '02/2026' });
  bank = other;
  await openMonth(platform.admin, other, '02/2026');
  expect([await post('02/2026', '28'), await post('02/2026', '29')]).toEqual(['posted', 'DAY_NOT_IN_MONTH']);
  recordFigure({
    part: 'clock',
    what: 'leap day',
    figure: '29/02/2024 is posted, closed and carried on; 30/02/2024 and 29/02/2026 are not',
    control: 'a calendar without leap years: 29/02/2024 refused',
  });
});

test('jobs, repeated requests and events follow no clock of the program', {
  timeout: timeLimitOf('clock'),
}, async () => {
  const own = await createBank(platform.admin);
  await openMonth(platform.admin, own, '01/2026');
  const place = { empresa: own.company, filial: own.branch, ano: 2026, mes: 1 };
  const { accounts } = own;
  const documents: number[] = [];
  const forgotten: { readonly isReplayed: boolean; readonly isSame: boolean }[] = [];
  for (const [turn, days] of [3, -3, 400, 0].entries()) {
    ahead = days * DAY;
    const client = await platform.as(username, password);
    const { id: batchId } = await bodyOf(client.post('movements', '/batch', place));
    const { id: documentId } = await bodyOf(client.post('movements', '/document', { batchId }));
    const entry = {
      documentId,
      debcre: 'D',
      day: '05',
      contaId: accounts.get('1.1.1'),
      contrapartida: accounts.get('3.1'),
    };
    const key = { 'idempotency-key': `relogio-${turn}` };
    const once = await client.post('movements', '/entry', { ...entry, valor: 1, historico: 'Relógio' }, key);
    const again = await client.post('movements', '/entry', { ...entry, valor: 1, historico: 'Relógio' }, key);
    expect([once.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
    expect(again.body.id).toBe(once.body.id);
    documents.push(documentId);
    if (days > 0) {
      await withOwnerConnection(platform.ownerUrl, (owner) => owner.query('DELETE FROM idempotency_key'));
      const other = await client.post('movements', '/entry', { ...entry, valor: 1, historico: 'Relógio' }, key);
      documents.push(documentId);
      forgotten.push({ isReplayed: other.headers.has('idempotency-replayed'), isSame: other.body.id === once.body.id });
    }
    await closeMonth(client, own, '01/2026');
    await openMonth(client, own, '01/2026');
  }
  ahead = 0;
  const client = await platform.as(username, password);
  const { events } = await bodyOf(client.get('movements', '/events?limit=500'));
  const posted = events
    .filter(
      (event: { type: string; company: string }) => event.type === 'entry.posted' && event.company === own.company,
    )
    .map((event: { data: { documentId: number } }) => event.data.documentId);
  expect(posted).toEqual(documents);
  expect(forgotten).toEqual([
    { isReplayed: false, isSame: false },
    { isReplayed: false, isSame: false },
  ]);
  recordFigure({
    part: 'clock',
    what: 'posting, repeating and closing while the clock goes 3 days forward, 3 back, 400 forward and home',
    figure: 'every repeat is the first answer, every close ends, events stand in the order of their commits',
    control: `the keys forgotten, as a clock would: ${forgotten.length} of ${forgotten.length} repeats are posted again`,
  });
});
