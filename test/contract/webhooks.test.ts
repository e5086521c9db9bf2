import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { book, newDocument, postEntry } from '../support/books.ts';
import { openMonth } from '../support/months.ts';
import { bodyOf, freshMetrics, type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';
import { isSignedWith, WebhookReceiver } from '../support/webhook-receiver.ts';

let platform: Platform;
let owner: pg.Client;
let bank: Bank;
let second: Bank;
let documentId: number;
let inSecond: number;
const receivers: WebhookReceiver[] = [];
beforeAll(async () => {
  platform = await startPlatform({
    ...{ WEBHOOK_PRIVATE_NETWORKS: 'on', WEBHOOK_PLAIN_HTTP: 'on', WEBHOOK_RETRY_SECONDS: '1' },
    ...{ WEBHOOK_ATTEMPTS: '2', WEBHOOK_TIMEOUT: '1' },
  });
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  const { admin } = platform;
  bank = await createBank(admin);
  second = await createBank(admin, { company: bank.company, existing: true, branch: '0002', chartCode: 'S2' });
  for (const each of [bank, second]) await openMonth(admin, each, '01/2026');
  documentId = await newDocument(admin, bank, '01/2026');
  inSecond = await newDocument(admin, second, '01/2026');
}, 60_000);
afterEach(async () => {
  await owner.query('DELETE FROM webhook');
});
afterAll(async () => {
  await Promise.all(receivers.map((each) => each.close()));
  await owner?.end();
  await platform?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
type Answer = Promise<HttpAnswer<any>>;
const hooks = (method: string, path: string, body?: unknown, client = platform.admin): Answer =>
  client.call('movements', method, `/webhooks${path}`, body);
const posted = (into = documentId, of = bank) =>
  bodyOf(postEntry(platform.admin, of, into, book`05/01 1.1.1 D 1,00 2.1.1`));

async function receiver(): Promise<WebhookReceiver> {
  const opened = await WebhookReceiver.open();
  receivers.push(opened);
  return opened;
}
const create = (url: string, more: object = {}) => bodyOf(hooks('POST', '', { company: bank.company, url, ...more }));
const until = (isDone: () => unknown) => vi.waitFor(isDone, { timeout: 15_000, interval: 50 });
const statesOf = async (id: number) =>
  (await bodyOf(hooks('GET', `/${id}/deliveries`))).map((each: { state: string }) => each.state);

test('events are sent as they are read, signed, each type that is wanted, in order', async () => {
  const taking = await receiver();
  const made = await create(taking.url, { types: ['entry.posted', 'entry.posted', 'month.opened'] });
  expect(made).toMatchObject({ url: taking.url, types: ['entry.posted', 'month.opened'], active: true, waiting: 0 });
  expect(made.secret).toMatch(/^whsec_[A-Za-z\d+/]{43}=$/);
  for (let at = 0; at < 5; at++) await posted();
  await openMonth(platform.admin, bank, '02/2026');
  await until(() => expect(taking.received).toHaveLength(6));
  expect(taking.types).toEqual([...Array(5).fill('entry.posted'), 'month.opened']);
  const { events } = await bodyOf(platform.admin.get('movements', `/events?limit=500`));
  const read = new Map(events.map((each: { id: string }) => [each.id, each]));
  for (const each of taking.received) {
    expect(each.event).toEqual(read.get(each.id));
    expect(await isSignedWith(made.secret, each)).toBe(true);
    expect(await isSignedWith(made.secret, { ...each, text: `${each.text} ` })).toBe(false);
    expect(Math.abs(Number(each.timestamp) - Date.now() / 1_000)).toBeLessThan(60);
  }
  await until(async () => expect(new Set(await statesOf(made.id))).toEqual(new Set(['DELIVERED'])));
  const [last] = await bodyOf(hooks('GET', `/${made.id}/deliveries?limit=1`));
  expect(last).toMatchObject({ type: 'month.opened', branch: '0001', attempts: 1, lastStatus: 204, lastError: null });
  const [before] = await bodyOf(hooks('GET', `/${made.id}/deliveries?limit=1&before=${last.event}`));
  expect(before.type).toBe('entry.posted');
});

test('a secret is replaced with an overlap, and is neither shown nor logged again', async () => {
  const taking = await receiver();
  const made = await create(taking.url);
  const rotated = await bodyOf(hooks('POST', `/${made.id}/secret`, { overlapHours: 1 }));
  expect(rotated.secret).not.toBe(made.secret);
  await posted();
  await until(() => expect(taking.received).toHaveLength(1));
  for (const secret of [made.secret, rotated.secret])
    expect(await isSignedWith(secret, taking.received[0]!)).toBe(true);
  await bodyOf(hooks('POST', `/${made.id}/secret`, { overlapHours: 0 }));
  await posted();
  await until(() => expect(taking.received).toHaveLength(2));
  for (const secret of [made.secret, rotated.secret])
    expect(await isSignedWith(secret, taking.received[1]!)).toBe(false);
  const trail = await platform.admin.get('authentication', `/api/admin/audit?entity=webhook&entityId=${made.id}`);
  expect(trail.body.content.map(({ action }: { action: string }) => action)).toEqual([
    ...['ROTATE_SECRET', 'ROTATE_SECRET', 'CREATE'],
  ]);
  const shown = [
    trail.text,
    (await hooks('GET', `/${made.id}`)).text,
    (await hooks('GET', `?company=${bank.company}`)).text,
  ];
  for (const secret of [made.secret, rotated.secret])
    for (const text of shown) expect(text).not.toContain(secret.slice(6));
});

test('a branch waits for its own failed delivery alone; what is not taken is dead, and can be sent again', async () => {
  const taking = await receiver();
  taking.behave = ({ event }) => (event.branch === '0001' ? 503 : 204);
  const made = await create(taking.url);
  await posted();
  await posted();
  await posted(inSecond, second);
  await until(() => expect(taking.received.map(({ event }) => event.branch)).toContain('0002'));
  // The second of the branch does not overtake the first.
  const [first] = taking.received.filter(({ event }) => event.branch === '0001');
  expect(new Set(taking.received.filter(({ event }) => event.branch === '0001').map(({ id }) => id))).toEqual(
    new Set([first!.id]),
  );
  await until(async () => expect((await statesOf(made.id)).sort()).toEqual(['DEAD', 'DEAD', 'DELIVERED']));
  expect(await bodyOf(hooks('GET', `/${made.id}`))).toMatchObject({
    dead: 2,
    waiting: 0,
    failingSince: expect.any(String),
  });
  const [dead] = await bodyOf(hooks('GET', `/${made.id}/deliveries?state=DEAD&limit=1`));
  expect(dead).toMatchObject({ attempts: 2, lastStatus: 503, deliveredAt: null });
  expect(await freshMetrics(platform.admin, 'movements')).toMatch(/partidas_webhook_deliveries\{state="dead"\} 2/);

  taking.behave = () => 200;
  expect(await bodyOf(hooks('POST', `/${made.id}/replay`))).toEqual({ replayed: 2 });
  await until(async () => expect(new Set(await statesOf(made.id))).toEqual(new Set(['DELIVERED'])));
  expect(await bodyOf(hooks('GET', `/${made.id}`))).toMatchObject({ dead: 0, failingSince: null });
  const before = taking.received.length;
  expect(await bodyOf(hooks('POST', `/${made.id}/deliveries/${first!.id}/replay`))).toEqual({ replayed: 1 });
  await until(() => expect(taking.received.slice(before).map(({ id }) => id)).toEqual([first!.id]));
  const absent = await hooks('POST', `/${made.id}/deliveries/${first!.id.split('-')[0]}-999999/replay`);
  expect(absent.status).toBe(404);
}, 40_000);

test('a receiver that hangs, redirects, or is not there is tried again; redirects lead nowhere', async () => {
  const elsewhere = await receiver();
  const taking = await receiver();
  const answers = ['HANG', { redirect: elsewhere.url }] as const;
  taking.behave = () => answers[Math.min(1, taking.received.length - 1)]!;
  const made = await create(taking.url);
  await posted();
  await until(async () => expect(await statesOf(made.id)).toEqual(['DEAD']));
  expect(taking.received).toHaveLength(2);
  expect(new Set(taking.received.map(({ id }) => id)).size).toBe(1);
  expect(elsewhere.received).toEqual([]);
  const gone = await create('http://127.0.0.1:9/');
  await posted();
  await until(async () => {
    const [delivery] = await bodyOf(hooks('GET', `/${gone.id}/deliveries`));
    expect(delivery).toMatchObject({ lastStatus: null, lastError: 'UNREACHABLE' });
  });
});

test('a receiver that is gone, or fails for long, is switched off and says why; switched on it gets what it missed', async () => {
  const taking = await receiver();
  taking.behave = () => 410;
  const made = await create(taking.url);
  await posted();
  await until(async () => expect(await bodyOf(hooks('GET', `/${made.id}`))).toMatchObject({ active: false }));
  expect(await bodyOf(hooks('GET', `/${made.id}`))).toMatchObject({ disabledReason: 'GONE' });
  await posted();
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(taking.received).toHaveLength(1);
  taking.behave = () => 500;
  await owner.query(
    `UPDATE webhook SET active = true, disabled_reason = NULL, failing_since = now() - interval '25 hours'`,
  );
  await until(async () => {
    expect(await bodyOf(hooks('GET', `/${made.id}`))).toMatchObject({ active: false, disabledReason: 'FAILING' });
  });
  taking.behave = () => 204;
  const before = taking.received.length;
  await bodyOf(hooks('PUT', `/${made.id}`, { url: taking.url, types: [], active: true }));
  await until(() => expect(taking.received.length - before).toBeGreaterThanOrEqual(1));
  await until(async () => expect(await bodyOf(hooks('GET', `/${made.id}`))).toMatchObject({ waiting: 0 }));
  const trail = await platform.admin.get('authentication', `/api/admin/audit?entity=webhook&entityId=${made.id}`);
  expect(trail.body.content.map(({ action }: { action: string }) => action)).toContain('SWITCH_OFF');
}, 40_000);

test('only administrators and holders of the routine, with access to the whole company', async () => {
  const { id } = await create('http://127.0.0.1:9/');
  const { company, branch } = bank;
  const users = [
    { username: 'w-none', permissions: [{ company }] },
    { username: 'w-branch', permissions: [{ company, branch }], routines: ['WEBHOOKS'] },
    { username: 'w-company', permissions: [{ company }], routines: ['WEBHOOKS'] },
  ] as const;
  const seen: number[][] = [];
  for (const each of users) {
    const user = await createUser(platform.admin, each);
    const client = await platform.as(user.username, user.password);
    const answers = [
      await hooks('GET', `?company=${company}`, undefined, client),
      await hooks('GET', `/${id}`, undefined, client),
      await hooks('GET', `/${id}/deliveries`, undefined, client),
      await hooks('POST', `/${id}/replay`, undefined, client),
      await hooks('POST', '', { company, url: 'http://127.0.0.1:9/' }, client),
    ];
    seen.push(answers.map(({ status }) => status));
  }
  expect(seen).toEqual([
    [403, 403, 403, 403, 403],
    [403, 404, 404, 404, 403],
    [200, 200, 200, 200, 201],
  ]);
  expect((await hooks('DELETE', `/${id}`)).status).toBe(200);
  expect((await hooks('GET', `/${id}`)).status).toBe(404);
  const { rows } = await owner.query('SELECT count(*)::int AS count FROM webhook_secret WHERE webhook_id = $1', [id]);
  expect(rows).toEqual([{ count: 0 }]);
});

test.each([
  [{ url: 'ftp://x.example' }, 'INVALID_FIELD', 'url'],
  [{ url: 'http://user:secret@x.example' }, 'INVALID_FIELD', 'url'],
  [{ url: 'nothing' }, 'INVALID_FIELD', 'url'],
  [{ url: '' }, 'INVALID_FIELD', 'url'],
  [{ url: 'https://x.example', types: ['nothing'] }, 'INVALID_FIELD', 'types.0'],
  [{ url: 'https://x.example', types: 'entry.posted' }, 'INVALID_FIELD', 'types'],
  [{ url: 'https://x.example', active: 1 }, 'INVALID_FIELD', 'active'],
  [{ url: 'https://x.example', secret: 'mine' }, 'UNKNOWN_FIELD', 'secret'],
])('%j is refused', async (given, code, field) => {
  const { status, body } = await hooks('POST', '', { company: bank.company, ...given });
  expect([status, body.code, body.errors[0].field]).toEqual([400, code, field]);
});

test('a company has at most twenty', async () => {
  await Promise.all(
    Array.from({ length: 22 }, () =>
      hooks('POST', '', { company: bank.company, url: 'https://x.example', active: false }),
    ),
  );
  const beyond = await hooks('POST', '', { company: bank.company, url: 'https://x.example' });
  expect(beyond).toMatchObject({ status: 400, body: { code: 'TOO_MANY_WEBHOOKS' } });
  expect(await bodyOf(hooks('GET', `?company=${bank.company}`))).toHaveLength(20);
});

test('private addresses and plain http are refused unless they are allowed, written or looked up', async () => {
  const strict = await startPlatform({ WEBHOOK_RETRY_SECONDS: '1', WEBHOOK_ATTEMPTS: '1' });
  try {
    const other = await createBank(strict.admin);
    await openMonth(strict.admin, other, '01/2026');
    const save = (url: string) => strict.admin.post('movements', '/webhooks', { company: other.company, url });
    expect((await save('http://x.example')).body.code).toBe('WEBHOOK_NOT_HTTPS');
    for (const host of [
      ...[
        '127.0.0.1',
        'localhost',
        '10.1.2.3',
        '172.20.0.1',
        '192.168.0.1',
        '169.254.169.254',
        '0.0.0.0',
        '100.64.0.1',
      ],
      ...[
        '[::1]',
        '[fe80::1]',
        '[fd00::1]',
        '[::ffff:10.0.0.1]',
        '2130706433',
        '0x7f.1',
        '0177.0.0.1',
        '[::ffff:7f00:1]',
      ],
    ]) {
      expect([host, (await save(`https://${host}/`)).body.code]).toEqual([host, 'WEBHOOK_ADDRESS_PRIVATE']);
    }
    const named = await bodyOf(save('https://ip6-localhost.localhost/'));
    await openMonth(strict.admin, other, '02/2026');
    await until(async () => {
      const [delivery] = await bodyOf(strict.admin.get('movements', `/webhooks/${named.id}/deliveries`));
      expect(delivery.state).toBe('DEAD');
      expect(['PRIVATE_ADDRESS', 'UNKNOWN_HOST']).toContain(delivery.lastError);
    });
  } finally {
    await strict.stop();
  }
}, 60_000);
