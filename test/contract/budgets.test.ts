import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Client, type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let owner: pg.Client;
/** Another one: inside a transaction the activity of others is read once. */
let watcher: pg.Client;
let bank: Bank;
let other: Bank;
let colleague: Client;
let accountant: Client;
let stranger: Client;
beforeAll(async () => {
  platform = await startPlatform({
    REQUESTS_PER_USER: '3',
    REQUESTS_PER_COMPANY: '4',
    REQUESTS_AT_ONCE: '6',
    HEAVY_READS_PER_USER: '1',
    HEAVY_READS_WAITING: '1',
    LOCK_TIMEOUT: '8',
  });
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  watcher = new pg.Client({ connectionString: platform.ownerUrl });
  await Promise.all([owner.connect(), watcher.connect()]);
  [bank, other] = [await createBank(platform.admin), await createBank(platform.admin)];
  for (const each of [bank, other]) await openMonth(platform.admin, each, '01/2026');
  accountant = await userOf('contador', bank);
  colleague = await userOf('colega', bank);
  stranger = await userOf('vizinho', other);
}, 60_000);
afterAll(async () => {
  await Promise.all([owner?.end(), watcher?.end()]);
  await platform?.stop();
});

test('a user, a company and the process have so many requests at once, and the rejected ones may come again', async () => {
  const held: Promise<HttpAnswer>[] = [];
  await whileLocked('month', async () => {
    for (let post = 0; post < 3; post++) held.push(batch(accountant, bank));
    await until(async () => (await waitingForLocks()) === 3);
    refused(await batch(accountant, bank), 429, 'TOO_MANY_REQUESTS');
    // The same user is one in all services.
    refused(
      await accountant.get('queries', `/entries/${bank.company}/${bank.branch}?${YEAR}`),
      429,
      'TOO_MANY_REQUESTS',
    );
    held.push(batch(colleague, bank));
    await until(async () => (await waitingForLocks()) === 4);
    refused(await batch(colleague, bank), 429, 'TOO_MANY_REQUESTS_OF_COMPANY');
    // Another tenant is served meanwhile, until the process itself has enough.
    expect((await stranger.get('masterdata', '/usercompanies')).status).toBe(200);
    held.push(batch(stranger, other), batch(stranger, other));
    await until(async () => (await waitingForLocks()) === 6);
    refused(await batch(stranger, other), 503, 'BUSY');
  });
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
  expect((await batch(accountant, bank)).status).toBe(201);
});

test('heavy reads wait in a lane of their own, and whoever leaves makes room', async () => {
  const search = (client: Client, signal?: AbortSignal) =>
    fetch(`${platform.address('queries')}/entries/${bank.company}/${bank.branch}?${YEAR}&texto=aluguel`, {
      headers: { authorization: `Bearer ${client.token}` },
      ...(signal ? { signal } : {}),
    });
  const held: Promise<Response>[] = [];
  await whileLocked('entry_line', async () => {
    held.push(search(accountant));
    await until(async () => (await waitingForLocks()) === 1);
    const leaving = new AbortController();
    const left = search(accountant, leaving.signal).catch(() => 'left');
    const { counts } = platform.program.app.budgets;
    await until(async () => counts().heavy.waiting === 1);
    expect((await search(accountant)).status).toBe(429);
    expect(await waitingForLocks()).toBe(1);
    leaving.abort();
    expect(await left).toBe('left');
    await until(async () => counts().heavy.waiting === 0);
    held.push(search(accountant));
    await until(async () => counts().heavy.waiting === 1);
    expect(counts().heavy).toEqual({ running: 1, waiting: 1 });
    // What is not heavy is served.
    expect((await accountant.get('masterdata', '/usercompanies')).status).toBe(200);
  });
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
});

test('a neighbour is served although a company floods the heavy reads', async () => {
  const crowded = await startPlatform();
  const client = new pg.Client({ connectionString: crowded.ownerUrl });
  await client.connect();
  try {
    const [crowd, neighbour] = [await createBank(crowded.admin), await createBank(crowded.admin)];
    const clients = await Promise.all(
      [crowd, crowd, neighbour].map(async ({ company }, at) => {
        const user = await createUser(crowded.admin, { username: `user${at}`, permissions: [{ company }] });
        return crowded.as(user.username, user.password);
      }),
    );
    const done: string[] = [];
    const search = async (who: Client, { company, branch }: Bank) => {
      const { status } = await who.get('queries', `/entries/${company}/${branch}?${YEAR}&texto=aluguel`);
      done.push(`${company} ${status}`);
    };
    const { counts } = crowded.program.app.budgets;
    await client.query('BEGIN');
    await client.query('LOCK TABLE entry_line IN ACCESS EXCLUSIVE MODE');
    const flood = [0, 1].flatMap((user) => Array.from({ length: 40 }, () => search(clients[user]!, crowd)));
    await until(async () => counts().heavy.waiting === 77);
    // Of eighty, three are worked on; the neighbour's ordinary requests and his own searches find their places free.
    expect(counts().heavy.running).toBe(3);
    const asked = Array.from({ length: 30 }, () => clients[2]!.get('masterdata', '/usercompanies'));
    expect((await Promise.all(asked)).every(({ status }) => status === 200)).toBe(true);
    const own = [search(clients[2]!, neighbour), search(clients[2]!, neighbour)];
    await until(async () => counts().heavy.running === 5);
    await client.query('ROLLBACK');
    await Promise.all([...flood, ...own]);
    expect(done).toHaveLength(82);
    expect(done.lastIndexOf(`${neighbour.company} 200`)).toBeLessThan(41);
    expect(new Set(done)).toEqual(new Set([`${crowd.company} 200`, `${neighbour.company} 200`]));
  } finally {
    await client.end();
    await crowded.stop();
  }
}, 60_000);

test('who waits too long for what another one holds is asked to come again', async () => {
  const hasty = await startPlatform({ LOCK_TIMEOUT: '1' });
  const holder = new pg.Client({ connectionString: hasty.ownerUrl });
  await holder.connect();
  try {
    const there = await createBank(hasty.admin);
    await openMonth(hasty.admin, there, '01/2026');
    await whileLocked('month', async () => refused(await batch(hasty.admin, there), 503, 'BUSY'), holder);
  } finally {
    await holder.end();
    await hasty.stop();
  }
}, 20_000);

const YEAR = 'dataInicio=2026-01-01&dataFim=2026-12-31';

function batch(client: Client, { company, branch }: Bank): Promise<HttpAnswer> {
  return client.post('movements', '/batch', { empresa: company, filial: branch, ano: 2026, mes: 1 });
}

function refused({ status, headers, body }: HttpAnswer, expected: number, code: string): void {
  expect(body).toMatchObject({ status: expected, code });
  expect(status).toBe(expected);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

async function userOf(username: string, { company }: Bank): Promise<Client> {
  const { password } = await createUser(platform.admin, { username, permissions: [{ company }] });
  return platform.as(username, password);
}

async function whileLocked(
  table: 'month' | 'entry_line',
  work: () => Promise<void>,
  holder: pg.Client = owner,
): Promise<void> {
  await holder.query('BEGIN');
  try {
    await holder.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await work();
  } finally {
    await holder.query('ROLLBACK');
  }
}

/** Statements of the program that wait for a lock. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await watcher.query(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE pg_stat_activity.datname = current_database() AND pg_stat_activity.wait_event_type = 'Lock'`,
  );
  return rows[0].count;
}

async function until(reached: () => Promise<boolean>): Promise<void> {
  for (const giveUp = Date.now() + 10_000; !(await reached()); ) {
    if (Date.now() > giveUp) throw new Error('it does not come to that');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
