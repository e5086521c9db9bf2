import { afterAll, beforeAll, expect, test } from 'vitest';
import { SQL } from '../../src/platform/database/statement.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, newDocument, postEntry } from '../support/books.ts';
import { openMonth } from '../support/months.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let admin: Client;
let bank: Bank;
let place: string;
beforeAll(async () => {
  platform = await startPlatform();
  admin = platform.admin;
  bank = await createBank(admin);
  place = `${bank.company}/${bank.branch}`;
});
afterAll(() => platform?.stop());

const post = (body: unknown, client = admin) => client.post('masterdata', `/calendar/${place}`, body);
const month = async (text: string) => (await admin.get('masterdata', `/calendar/${place}/${text}`)).body;
const ask = async (question: string, text: string) =>
  (await admin.get('masterdata', `/calendar/${question}/${place}/${text}`)).body;

test('an upsert creates and changes a day, by date or by day, month and year', async () => {
  const made = await post({ date: '2026-01-20', holidayName: 'São Sebastião' });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    company: bank.company,
    branch: bank.branch,
    date: '2026-01-20',
    businessDay: false,
    holidayName: 'São Sebastião',
    status: 'A',
    available: false,
    hasEntries: false,
    closedAt: null,
  });
  const changed = await post({ day: 20, month: 1, year: 2026, businessDay: true, holidayName: null });
  expect(changed.body).toMatchObject({ id: made.body.id, businessDay: true, holidayName: null });
  expect((await post(changed.body)).status).toBe(201);
  expect(await month('1/2026')).toHaveLength(1);
  await post({ date: '2026-01-20', holidayName: 'São Sebastião' });
});

test('opening a month fills its days around those set before; Carnival is found, weekends are no business days', async () => {
  await openMonth(admin, bank, '01/2026');
  await openMonth(admin, bank, '02/2026');
  const january = await month('01/2026');
  expect(january).toHaveLength(31);
  expect(january[19]).toMatchObject({ date: '2026-01-20', holidayName: 'São Sebastião', businessDay: false });
  expect(january[0]).toMatchObject({ businessDay: false, available: true, holidayName: expect.any(String) });
  expect(january[2]).toMatchObject({ date: '2026-01-03', businessDay: false, holidayName: null });
  const february = await month('2/2026');
  expect(february).toHaveLength(28);
  expect(february[16]).toMatchObject({
    date: '2026-02-17',
    businessDay: false,
    holidayName: expect.stringContaining('Carnaval'),
  });
});

test('a status closes and reopens a day; its entries are rejected meanwhile', async () => {
  expect(await ask('isDayAvailable', '5/1/2026')).toBe(true);
  const documentId = await newDocument(admin, bank, '01/2026');
  const postOnTheFifth = () => postEntry(admin, bank, documentId, book`05/01  1.1.1  D  1,00  3.1`);
  expect(await ask('hasEntries', '5/1/2026')).toBe(false);
  expect((await postOnTheFifth()).status).toBe(201);
  expect(await ask('hasEntries', '5/1/2026')).toBe(true);
  const closed = await post({ date: '2026-01-05', status: 'F' });
  expect(closed.body).toMatchObject({ status: 'F', available: false, hasEntries: true, closedBy: 'admin' });
  expect(closed.body.closedAt).toMatch(/^\d{4}-/);
  expect(await ask('isDayAvailable', '5/1/2026')).toBe(false);
  expect((await admin.get('masterdata', `/calendar/closeday/${place}`)).body).toMatchObject([{ date: '2026-01-05' }]);
  expect((await postOnTheFifth()).body).toMatchObject({ status: 400, code: 'DAY_CLOSED' });
  const named = await post({ date: '2026-01-05', holidayName: 'Local' });
  expect(named.body).toMatchObject({ status: 'F', closedAt: closed.body.closedAt });
  expect((await post({ date: '2026-01-05', status: 'A' })).body).toMatchObject({ closedAt: null, closedBy: null });
  expect((await postOnTheFifth()).status).toBe(201);
});

test('closing a day is guarded by its routine, other changes are not', async () => {
  const { id, username, password } = await createUser(admin, {
    username: 'hugo',
    permissions: [{ company: bank.company }],
  });
  const hugo = await platform.as(username, password);
  const routines = await platform.program.database
    .under({ companies: '*', wholeCompanies: [], branches: [] })
    .rows<{ id: number }>(SQL`SELECT routine.id FROM routine WHERE routine.code = 'CALENDAR_CLOSE'`);
  await platform.program.database.transaction({ companies: '*', wholeCompanies: [], branches: [] }, (sql) =>
    sql.run(SQL`INSERT INTO routine_access (routine_id, user_id, active) VALUES (${routines[0]!.id}, ${id}, false)`),
  );
  platform.program.app.authorizer.forget();
  expect((await post({ date: '2026-01-06', status: 'F' }, hugo)).body).toMatchObject({
    status: 403,
    code: 'ROUTINE_DENIED',
  });
  const { body: day } = await post({ date: '2026-01-06', holidayName: 'Reis' }, hugo);
  expect(day).toMatchObject({ status: 'A', holidayName: 'Reis' });
  expect((await post({ ...day, holidayName: null }, hugo)).status).toBe(201);
});

test('a month is closed when it is consolidated; its days stay as they are', async () => {
  expect(await ask('monthclosed', '1/2026')).toBe(false);
  expect(await ask('monthclosed', '9/2026')).toBe(false);
  expect(await ask('isDayAvailable', '1/9/2026')).toBe(false);
  await platform.program.database.transaction({ companies: '*', wholeCompanies: [], branches: [] }, (sql) =>
    sql.rows(SQL`SELECT close_month(${bank.companyId}, ${bank.branchId}, DATE '2026-01-01')`),
  );
  expect(await ask('monthclosed', '1/2026')).toBe(true);
  expect(await ask('isDayAvailable', '7/1/2026')).toBe(false);
  const refused = await post({ date: '2026-01-07', status: 'F' });
  expect(refused.body).toMatchObject({ status: 400, code: 'MONTH_CONSOLIDATED' });
});

test.each([
  ['no such day', { date: '2026-02-31' }, 'date'],
  ['no date', { businessDay: true }, 'date'],
  ['half a date', { day: 1, month: 2 }, 'date'],
  ['day not in month', { day: 31, month: 4, year: 2026 }, 'day'],
  ['contradiction', { date: '2026-02-01', day: 2 }, 'date'],
  ['status', { date: '2026-02-01', status: 'X' }, 'status'],
  ['other company', { date: '2026-02-01', company: 'X' }, 'company'],
  ['unknown field', { date: '2026-02-01', feriado: 'x' }, 'feriado'],
  ['wrong type', { date: '2026-02-01', businessDay: 'sim' }, 'businessDay'],
])('%s: 400 naming the field', async (_name, body, field) => {
  const answer = await post(body);
  expect(answer.status).toBe(400);
  expect(answer.body.errors.map((each: { field: string }) => each.field)).toContain(field);
});

test('months and days of the path are checked; tenants too', async () => {
  for (const path of [
    `/calendar/${place}/13/2026`,
    `/calendar/${place}/0/2026`,
    `/calendar/monthclosed/${place}/1/99999`,
    `/calendar/isDayAvailable/${place}/31/2/2026`,
    `/calendar/hasEntries/${place}/x/2/2026`,
  ]) {
    expect((await admin.get('masterdata', path)).status, path).toBe(400);
  }
  const { username, password } = await createUser(admin, { username: 'iara' });
  const iara = await platform.as(username, password);
  for (const path of [
    `/calendar/${place}/1/2026`,
    `/calendar/monthclosed/${place}/1/2026`,
    `/calendar/isDayAvailable/${place}/1/1/2026`,
    `/calendar/closeday/${place}`,
    `/calendar/hasEntries/${place}/1/1/2026`,
  ]) {
    expect((await iara.get('masterdata', path)).status, path).toBe(403);
  }
  expect((await post({ date: '2026-02-02' }, iara)).status).toBe(403);
  expect((await admin.get('masterdata', `/calendar/${bank.company}/NADA/1/2026`)).status).toBe(404);
});
