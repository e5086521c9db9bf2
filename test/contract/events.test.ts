import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { book, newDocument, postEntry } from '../support/books.ts';
import { openMonth } from '../support/months.ts';
import { bodyOf, type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let owner: pg.Client;
let bank: Bank;
let second: Bank;
let other: Bank;
let documentId: number;
let clerk: Client;
let clerkId: number;
beforeAll(async () => {
  platform = await startPlatform({ JOBS: 'off', EVENT_STREAMS_PER_USER: '3' });
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  const { admin } = platform;
  bank = await createBank(admin);
  second = await createBank(admin, { company: bank.company, existing: true, branch: '0002', chartCode: 'S2' });
  other = await createBank(admin);
  for (const each of [bank, second, other]) await openMonth(admin, each, '01/2026');
  documentId = await newDocument(admin, bank, '01/2026');
  const { company, branch } = bank;
  const user = await createUser(admin, { username: 'clerk', permissions: [{ company, branch }] });
  clerkId = user.id;
  clerk = await platform.as(user.username, user.password);
}, 60_000);
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
});

interface Answer {
  readonly events: readonly { id: string; type: string; company: string; branch: string; data: { month?: string } }[];
  readonly next: string;
}
const read = (query: string, client = platform.admin): Promise<Answer> =>
  bodyOf(client.get('movements', `/events${query}`));
const latest = async () => (await read('?after=latest')).next;
const posted = () => bodyOf(postEntry(platform.admin, bank, documentId, book`05/01 1.1.1 D 1,00 2.1.1`));
const typesOf = ({ events }: Answer) => events.map(({ type }) => type);

test('events are read in order, page by page, each once', async () => {
  const all = await read('');
  expect(typesOf(all)).toEqual(['month.opened', 'month.opened', 'month.opened']);
  expect(all.events[0]).toMatchObject({ company: bank.company, branch: '0001', data: { month: '2026-01' } });
  const first = await read('?limit=2');
  expect(first.events).toEqual(all.events.slice(0, 2));
  expect(first.next).toBe(first.events[1]!.id);
  const rest = await read(`?limit=2&after=${first.next}`);
  expect(rest.events).toEqual(all.events.slice(2));
  expect(await read(`?after=${rest.next}`)).toEqual({ events: [], next: rest.next });
});

test('company, branch and types choose', async () => {
  const of = async (query: string, client?: Client) =>
    (await read(query, client)).events.map(({ company, branch }) => `${company}/${branch}`);
  expect(await of(`?company=${bank.company}`)).toEqual([`${bank.company}/0001`, `${bank.company}/0002`]);
  expect(await of(`?company=${bank.company}&branch=0002`)).toEqual([`${bank.company}/0002`]);
  expect(await of('?types=month.closed,entry.posted')).toEqual([]);
  expect(await of('?types=month.opened,entry.posted')).toHaveLength(3);
});

test('nobody reads events of tenants that are not theirs, and the place goes on all the same', async () => {
  const mine = await read('', clerk);
  expect(mine.events.map(({ company, branch }) => [company, branch])).toEqual([[bank.company, '0001']]);
  expect(mine.next).toBe(await latest());
  expect((await read(`?company=${bank.company}`, clerk)).events).toHaveLength(1);
  const answers = await Promise.all([
    clerk.get('movements', `/events?company=${other.company}`),
    clerk.get('movements', `/events?company=${bank.company}&branch=0002`),
    clerk.get('movements', '/events?company=NONE'),
    platform.withToken('').get('movements', '/events'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 404, 401]);
});

test.each([
  ['?after=x', 'INVALID_FIELD', 'after'],
  ['?after=00000000-1', 'CURSOR_UNKNOWN', 'after'],
  ['?limit=0', 'INVALID_FIELD', 'limit'],
  ['?limit=501', 'INVALID_FIELD', 'limit'],
  ['?wait=31', 'INVALID_FIELD', 'wait'],
  ['?wait=-1', 'INVALID_FIELD', 'wait'],
  ['?types=', 'INVALID_FIELD', 'types'],
  ['?types=entry.posted,nothing', 'INVALID_FIELD', 'types'],
  ['?branch=0001', 'INVALID_FIELD', 'branch'],
  ['?since=1', 'UNKNOWN_FIELD', 'since'],
])('%s is refused', async (query, code, field) => {
  const { status, body } = await platform.admin.get('movements', `/events${query}`);
  expect([status, body.code, body.errors[0].field]).toEqual([400, code, field]);
});

test('a place of a later order, or before what was removed, is refused: the client must compare', async () => {
  const place = await latest();
  const beyond = await platform.admin.get('movements', `/events?after=${place.split('-')[0]}-999999999`);
  expect(beyond).toMatchObject({ status: 400, body: { code: 'CURSOR_UNKNOWN' } });
  const [first] = (await read('')).events;
  await owner.query('UPDATE event_stream SET removed_position = 2');
  const expired = await platform.admin.get('movements', `/events?after=${first!.id}`);
  expect(expired).toMatchObject({ status: 400, body: { code: 'CURSOR_EXPIRED' } });
  expect((await read('')).events).toHaveLength(1);
  await owner.query('UPDATE event_stream SET removed_position = 0');
});

test('who waits hears of the next event, and of nothing when the time is over', async () => {
  const place = await latest();
  const began = performance.now();
  const waiting = read(`?after=${place}&wait=20`, clerk);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await posted();
  expect(typesOf(await waiting)).toEqual(['entry.posted']);
  expect(performance.now() - began).toBeLessThan(5_000);
  const over = performance.now();
  expect((await read(`?after=${await latest()}&wait=1`)).events).toEqual([]);
  expect(performance.now() - over).toBeGreaterThan(900);
  // Events of others wake nobody for long.
  const mine = read(`?after=${await latest()}&wait=2`, clerk);
  await bodyOf(platform.admin.post('movements', `/monthOpening/${other.company}/0001`, { newyearmonth: '02/2026' }));
  expect((await mine).events).toEqual([]);
});

test('waiting clients of one database are one question, and none is left when they have gone', async () => {
  const place = await latest();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  await Promise.all([1, 2, 3].map(() => read(`?after=${place}&wait=1`)));
  const asked = query.mock.calls.filter(([sent]) => JSON.stringify(sent ?? '').includes('publish_events')).length;
  query.mockRestore();
  expect(asked).toBeLessThanOrEqual(12);
  const leaving = new AbortController();
  const held = [1, 2, 3].map(() => listen({}, leaving.signal));
  await Promise.all(held);
  const beyond = await platform.admin.get('movements', `/events?after=${place}&wait=1`);
  expect(beyond).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
  expect((await platform.admin.get('movements', `/events?after=${place}`)).status).toBe(200);
  leaving.abort();
  await vi.waitFor(() => expect(platform.program.app.budgets.counts().events.running).toBe(0));
});

test('a transaction that ends late is read after those that ended before it, and none is missed', async () => {
  const slow = new pg.Client({ connectionString: platform.ownerUrl });
  await slow.connect();
  let place = await latest();
  const seen: string[] = [];
  const readOn = async () => {
    const { events, next } = await read(`?after=${place}`);
    seen.push(...events.map(({ type }) => type));
    place = next;
  };
  // It has its id before the others have theirs.
  await slow.query('BEGIN');
  await slow.query(
    `INSERT INTO event_outbox (company_id, branch_id, type, data) VALUES ($1, $2, 'month.sealed', '{"month": "2026-01", "seal": "00"}')`,
    [bank.companyId, bank.branchId],
  );
  await posted();
  await readOn();
  await posted();
  await readOn();
  expect(seen).toEqual(['entry.posted', 'entry.posted']);
  await slow.query('COMMIT');
  await slow.end();
  await posted();
  await readOn();
  // Committed together since the last reading: by their ids.
  expect(seen).toEqual(['entry.posted', 'entry.posted', 'month.sealed', 'entry.posted']);
});

test('many writers and a reader at once: every entry once, in the order of its document', async () => {
  let place = await latest();
  const entries: string[] = [];
  let isWriting = true;
  const reading = (async () => {
    for (let turns = 0; isWriting || turns < 2; turns = isWriting ? 0 : turns + 1) {
      const { events, next } = await read(`?after=${place}&types=entry.posted`);
      // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
      entries.push(...events.flatMap(({ data }: any) => data.entries.map(({ entry }: { entry: string }) => entry)));
      place = next;
    }
  })();
  const before = (await bodyOf(platform.admin.get('movements', `/allentry/${documentId}`))).length / 2;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let at = 0; at < 12; at++) await posted();
    }),
  );
  isWriting = false;
  await reading;
  // Numbers follow one another: who takes the next one waited for whoever took the one before.
  expect(entries).toEqual(Array.from({ length: 96 }, (_, at) => String(before + at + 1)));
});

test('a stream tells events as they come, and goes on where it was lost', async () => {
  const place = await latest();
  const leaving = new AbortController();
  const stream = await listen({ query: `?after=${place}` }, leaving.signal);
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  await posted();
  const first = await stream.until((text) => text.includes('entry.posted'));
  const [, id] = /id: (\S+)\nevent: entry\.posted\ndata: (.*)\n\n/.exec(first)!;
  leaving.abort();
  await posted();
  const again = await listen({ headers: { 'last-event-id': id! } }, new AbortController().signal);
  const text = await again.until((read) => read.includes('entry.posted'));
  expect(text).not.toContain(`id: ${id}\nevent`);
  expect(JSON.parse(/data: (.*)\n/.exec(text)![1]!)).toMatchObject({ type: 'entry.posted', company: bank.company });
  const wrong = await listen({ headers: { 'last-event-id': 'x' } }, new AbortController().signal);
  expect(wrong.status).toBe(400);
  await again.leave();
});

test('a stream ends when the rights of its user end', async () => {
  const stream = await listen({ token: clerk.token }, new AbortController().signal);
  await stream.until((text) => text.includes('month.opened'));
  const user = await bodyOf(platform.admin.get('authentication', `/api/admin/users/${clerkId}`));
  const { status } = await platform.admin.call('authentication', 'PUT', `/api/admin/users/${clerkId}`, {
    ...{ username: user.username, name: user.name, admin: false, active: false, permissions: user.permissions },
  });
  expect(status).toBe(200);
  await posted();
  // It would hang here for ever.
  expect(await stream.toEnd()).toContain('month.opened');
});

test('a stream ends when the service stops', async () => {
  const own = await startPlatform({ JOBS: 'off' });
  const response = await fetch(`${own.address('movements')}/events`, {
    headers: { authorization: `Bearer ${own.admin.token}`, accept: 'text/event-stream' },
  });
  const text = response.text();
  const began = performance.now();
  await own.stop();
  expect(await text).toContain('retry:');
  expect(performance.now() - began).toBeLessThan(4_000);
});

async function listen(
  given: { query?: string; headers?: Record<string, string>; token?: string },
  signal: AbortSignal,
) {
  const response = await fetch(`${platform.address('movements')}/events${given.query ?? ''}`, {
    headers: {
      authorization: `Bearer ${given.token ?? platform.admin.token}`,
      accept: 'text/event-stream',
      ...given.headers,
    },
    signal,
  });
  const reader = response.body!.getReader();
  let text = '';
  const more = async () => {
    const { value, done } = await reader.read();
    text += new TextDecoder().decode(value);
    return !done;
  };
  return {
    status: response.status,
    headers: response.headers,
    until: async (isEnough: (text: string) => boolean) => {
      while (!isEnough(text)) if (!(await more())) throw new Error(`the stream ended: ${text}`);
      return text;
    },
    toEnd: async () => {
      while (await more());
      return text;
    },
    leave: () => reader.cancel(),
  };
}
