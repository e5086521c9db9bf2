import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { harmTo } from '../support/acknowledged-entries.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, entryBody, newDocument, postEntry } from '../support/books.ts';
import { browserOf, signedInBrowser } from '../support/browser-client.ts';
import { harmInEvents, pollEvents, streamEvents } from '../support/event-readers.ts';
import { recordFigure } from '../support/figures.ts';
import { sendLargeFile } from '../support/large-file.ts';
import { askToCloseMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Client, clientOf, type HttpAnswer } from '../support/platform.ts';
import { SeveralProcesses } from '../support/several-processes.ts';
import { timeLimitOf } from '../support/trust-parts.ts';
import { createUser } from '../support/users.ts';
import { volumeOf } from '../support/volumes.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

// Three processes on one database, behind a proxy that hands each request to the next one.

vi.setConfig({ testTimeout: timeLimitOf('processes'), hookTimeout: 120_000 });

const PROCESSES = 3;
const KILLS = volumeOf('PROCESS_KILLS');
const KILL_EVERY_MS = 10_000;
const POSTERS = 6;
const MONTH = '01/2026';
/** Of the first imported file; each has one more. */
const ENTRIES = 300;
/** How long a process may go by what it has read before another one changed it (docs/operator.md). */
const RIGHTS_LAST_MS = 5_000;
const ROUND_PAUSE_MS = 150;

const controls: string[] = [];
let processes: SeveralProcesses;
let admin: Client;
beforeAll(async () => {
  processes = await SeveralProcesses.begin(PROCESSES, {
    ...{ WEBHOOK_PRIVATE_NETWORKS: 'on', WEBHOOK_PLAIN_HTTP: 'on', WEBHOOK_RETRY_SECONDS: '1', WEBHOOK_TIMEOUT: '1' },
    ...{ JOBS_PER_USER: '10000', JOBS_PER_COMPANY: '10000', REPORT_JOBS_PER_USER: '1000' },
  });
  ({ admin } = processes);
});
afterAll(() => processes?.remove());

test('three that start together on an empty database make one schema, one administrator, one key of each kind', async () => {
  const [found] = await rowsOf(`
    SELECT (SELECT count(*) - count(DISTINCT name) FROM migration)::int AS "twice",
           (SELECT count(*) FROM app_user)::int AS users, (SELECT count(*) FROM signing_key)::int AS keys,
           (SELECT count(*) FROM seal_key)::int AS "sealKeys"`);
  expect(found).toEqual({ twice: 0, users: 1, keys: 1, sealKeys: 2 });
  for (const place of PLACES) expect((await at(place).get('masterdata', '/companies')).status).toBe(200);
});

test('a session of the console is known to all, and its end too', async () => {
  const browser = await signedInBrowser(processes, { username: 'admin', password: processes.programs[0]!.password });
  const asked = () => browser.call('GET', '/api/masterdata/companies');
  for (let time = 0; time < 2 * PROCESSES; time++) expect((await asked()).status).toBe(200);
  const { cookie } = browser;
  expect((await browser.call('DELETE', '/api/console/session')).status).toBe(200);
  const ended = await Promise.all(
    PLACES.map((place) => {
      const replayed = browserOf({ address: (door) => processes.programs[place]!.address(door) });
      replayed.cookie = cookie;
      return untilTrue(async () => (await replayed.call('GET', '/api/console/session')).status === 401);
    }),
  );
  expect(Math.max(...ended)).toBeLessThan(RIGHTS_LAST_MS);
});

test('wrong passwords count wherever they are typed', async () => {
  const { username, password } = await createUser(admin, { username: 'guessed' });
  const signIn = (place: number, typed: string) =>
    at(place).post('authentication', '/api/auth/signin', { username, password: typed });
  for (let time = 0; time < 10; time++) expect((await signIn(time % PROCESSES, `wrong ${time}`)).status).toBe(401);
  for (const place of PLACES) expect((await signIn(place, password)).body).toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
});

test('what one process changes the others know: records at once, rights within five seconds', async () => {
  const bank = await createBank(admin);
  const user = await createUser(admin, { username: 'moved', permissions: [{ company: bank.company }] });
  const { username, password } = user;
  const token = await bodyOf(admin.post('authentication', '/api/auth/signin', { username, password }));
  const asUser = PLACES.map((place) => at(place, token.accessToken));
  const read = (client: Client) => client.get('masterdata', `/companies/bycompany/${bank.company}`);
  for (const client of asUser) expect((await read(client)).status).toBe(200);
  const { body: company } = await read(asUser[0]!);
  const changed = { ...company, name: 'Banco de outro nome' };
  expect((await at(0).call('masterdata', 'PUT', `/companies/${bank.companyId}`, changed)).status).toBe(200);
  for (const client of asUser) expect((await read(client)).body).toMatchObject({ name: 'Banco de outro nome' });
  const { id } = user;
  const without = { id, username, name: username, admin: false, permissions: [] };
  expect((await at(0).call('authentication', 'PUT', `/api/admin/users/${id}`, without)).status).toBe(200);
  const times = await Promise.all(asUser.map((client) => untilTrue(async () => (await read(client)).status !== 200)));
  expect(Math.max(...times)).toBeLessThan(RIGHTS_LAST_MS);
  controls.push(`rights taken away are gone everywhere after ${(Math.max(...times) / 1_000).toFixed(1)} s`);
});

test('an answer that is lost: with a key the entry is there once, without one twice, and that is seen', async () => {
  const bank = await createBank(admin);
  await openMonth(admin, bank, MONTH);
  const document = await newDocument(admin, bank, MONTH);
  const lost = new Set<string>();
  const proxy = await processes.movementsBehind({
    repeatsAll: true,
    losesAnswer: ({ headers }) => {
      const name = String(headers['x-request-id']);
      return !lost.has(name) && lost.add(name) !== undefined;
    },
  });
  try {
    const client = clientOf(() => proxy.url, admin.token);
    const [example] = book`15/01  1.1.1  D  1,00  2.1.1`;
    const body = entryBody(bank, document, [example!]);
    const sent = new Map<string, string>();
    for (const [name, headers] of [
      ['keyed', { 'idempotency-key': 'keyed' }],
      ['plain', {}],
    ] as const) {
      const answer = await client.post(
        'movements',
        '/entry',
        { ...body, historico: name },
        {
          ...headers,
          'x-request-id': name,
        },
      );
      expect(answer.status).toBe(201);
      sent.set(name, '1.00');
    }
    expect(await harmOf(bank, sent)).toEqual({ lost: 0, twice: 1, unbalanced: 0, other: [] });
    sent.delete('plain');
    expect(await harmOf(bank, new Map([...sent, ['never', '1.00']]))).toMatchObject({ lost: 1, twice: 0 });
  } finally {
    await proxy.close();
  }
  const told = [3, 2, 2, 4].map((position) => ({ ...EVENT, id: `5f0c9a1e-${position}` }));
  const stored = [1, 2, 3].map((position) => ({ ...EVENT, position }));
  expect(harmInEvents(stored, told)).toEqual({ missed: 1, twice: 1, neverHappened: 1, outOfOrder: 2 });
  controls.push('an answer lost after the commit: sent again without a key 1 entry doubled, with one 0');
});

const EVENT = { type: 'entry.posted', company: 'B', branch: '0001' };

test(`one of ${PROCESSES} is killed every ten seconds, ${KILLS} times, while people post, close months, import and print`, async () => {
  const receiver = await WebhookReceiver.open();
  const poster = await createBank(admin);
  await openMonth(admin, poster, MONTH);
  const document = await newDocument(admin, poster, MONTH);
  const closer = await createBank(admin);
  const importer = await createBank(admin);
  await openMonth(admin, importer, MONTH);
  const readers = [await pollEvents(admin), await streamEvents(admin, processes.address('movements'))];
  const [{ position: from }] = await rowsOf<{ position: number }>(
    'SELECT coalesce(max(position), 0)::float8 AS position FROM event',
  );
  await bodyOf(
    admin.post('movements', '/webhooks', { company: poster.company, url: receiver.url, types: ['entry.posted'] }),
  );

  const { sent, closed, imported, printed, seconds, longest } = await underLoad({ poster, closer, importer }, document);

  // Reports whose order was not acknowledged are printed, too.
  await untilTrue(
    async () => (await rowsOf(`SELECT 1 FROM job WHERE status IN ('PENDING', 'RUNNING')`)).length === 0,
    60_000,
  );
  await rowsOf('SELECT publish_events()');
  const stored = await rowsOf<StoredRow>(
    `SELECT position::float8, type, company_id::int AS "companyId", data FROM event WHERE position > $1 ORDER BY position`,
    [from],
  );
  await Promise.all(readers.map((reader) => reader.until(stored.length)));
  const heard = () => new Set(receiver.received.map(({ id }) => id)).size;
  const posted = stored.filter(({ type, companyId }) => type === 'entry.posted' && companyId === poster.companyId);
  await untilTrue(async () => heard() >= posted.length, 60_000);
  await receiver.close();

  const harm = await harmOf(poster, sent);
  expect(harm).toEqual({ lost: 0, twice: 0, unbalanced: 0, other: [] });
  for (const { told } of readers) expect(harmInEvents(stored, told)).toEqual(NO_EVENT_HARM);
  expect(heard()).toBe(posted.length);
  const jobs = await jobsOf();
  const closes = stored.filter(({ type, companyId }) => type === 'month.closed' && companyId === closer.companyId);
  const seals = await rowsOf('SELECT 1 FROM seal WHERE branch_id = $1', [closer.branchId]);
  expect(closes.map(({ data }) => data.month)).toEqual(closed.map((month) => month.split('/').toReversed().join('-')));
  expect([seals.length, jobs.failed, jobs.reports, jobs.files]).toEqual([closed.length, 0, jobs.reports, jobs.reports]);
  expect(jobs.reports).toBeGreaterThanOrEqual(printed.length);
  // Nobody begins a job that another process has just begun: each is begun anew by a kill alone.
  expect(jobs.attempts).toBeLessThanOrEqual(1 + KILLS);
  const [lines] = await rowsOf('SELECT count(*)::int AS lines FROM entry_line WHERE branch_id = $1', [
    importer.branchId,
  ]);
  expect(lines).toEqual({ lines: 2 * imported.reduce((sum, entries) => sum + entries, 0) });
  const differences = await processes.programs[0]!.verify();
  expect(differences).toEqual([]);
  const again = receiver.received.length - posted.length;
  const { repeated, lost } = processes.passed;
  recordFigure({
    part: 'processes',
    what: `${PROCESSES} processes behind a proxy, one killed (−9) every ten seconds, ${KILLS} times`,
    figure:
      `in ${seconds.toFixed(0)} s ${sent.size} entries acknowledged: lost ${harm.lost}, doubled ${harm.twice}; ` +
      `${closed.length} months closed and ${jobs.reports} reports printed, each once (${jobs.takenOver} taken over), ${imported.length} files imported once; ` +
      `${stored.length} events told once and in order to a reader that polls and to one of a stream (broken off ${readers.map(({ breaks }) => breaks).join(' and ')} times), ` +
      `${posted.length} to a webhook (${again} of them again); the proxy repeated ${repeated} requests and gave ${lost} up; ` +
      `back after ${(longest / 1_000).toFixed(1)} s; verify finds ${differences.length} differences`,
    control: controls.join('; '),
  });
});

test('asked to stop they end, and nothing of them is left', async () => {
  await processes.end();
  for (const program of processes.programs) {
    expect([program.process.exitCode, program.process.signalCode]).toEqual([0, null]);
    expect(await program.processes()).toEqual([]);
  }
});

interface Load {
  readonly sent: Map<string, string>;
  readonly closed: string[];
  readonly imported: number[];
  readonly printed: number[];
  isOn: boolean;
}

interface Banks {
  readonly poster: Bank;
  readonly closer: Bank;
  readonly importer: Bank;
}

/** All work at once, until the last kill. */
async function underLoad(banks: Banks, document: number) {
  const load: Load = { sent: new Map(), closed: [], imported: [], printed: [], isOn: true };
  const { post, close } = posting(load, banks, document);
  const { importFiles, print } = filing(load, banks);
  const began = performance.now();
  const stop = () => {
    load.isOn = false;
  };
  const posters = Array.from({ length: POSTERS }, (_, who) => post(who + 1));
  const killing = killInTurn().finally(stop);
  await Promise.all([...posters, close(), importFiles(), print(), killing]).finally(stop);
  return { ...load, seconds: (performance.now() - began) / 1_000, longest: await killing };
}

function posting(load: Load, { poster, closer }: Banks, document: number) {
  const client = persistent(admin);
  const post = async (who: number) => {
    const [example] = book`15/01  1.1.1  D  1,00  2.1.1`;
    const body = entryBody(poster, document, [example!]);
    for (let number = 1; load.isOn; number++) {
      const key = `c${who}-${number}`;
      const amount = `${number}.${who}${who}`;
      await done(
        client.post(
          'movements',
          '/entry',
          { ...body, valor: Number(amount), historico: key },
          {
            'idempotency-key': key,
          },
        ),
      );
      load.sent.set(key, amount);
    }
  };
  const close = async () => {
    for (let number = 0; load.isOn; number++) {
      const month = `${String((number % 12) + 1).padStart(2, '0')}/${2026 + Math.floor(number / 12)}`;
      await openMonth(client, closer, month);
      const ofMonth = await newDocument(client, closer, month);
      await done(postEntry(client, closer, ofMonth, book`15/01  1.1.1  D  1,00  2.1.1`));
      await closeOnce(client, closer, month);
      load.closed.push(month);
      await sleep(ROUND_PAUSE_MS);
    }
  };
  return { post, close };
}

function filing(load: Load, { poster, importer }: Banks) {
  const client = persistent(admin);
  const importFiles = async () => {
    while (load.isOn) {
      const place = { empresa: importer.company, filial: importer.branch, ano: 2026, mes: 1 };
      const { id } = await done(client.post('movements', '/batch', place));
      // A file that was imported before is rejected.
      const entries = ENTRIES + load.imported.length;
      expect(await done(sendLargeFile(client, id, entries))).toMatchObject({ success: true, totalRows: entries });
      load.imported.push(entries);
      await sleep(ROUND_PAUSE_MS);
    }
  };
  const print = async () => {
    const days = { dataInicio: '2026-01-01', dataFim: '2026-01-31', visualizationEnum: 'CSV' };
    const report = { empresa: poster.company, filial: poster.branch, ...days };
    while (load.isOn) {
      const id = await ordered(report);
      const state = async () => (await done(client.get('reports', `/reports/jobs/${id}`))).status as string;
      await untilTrue(async () => (await state()) === 'DONE', 60_000);
      const files = [];
      for (let time = 0; time < PROCESSES; time++) files.push(await fileOf(client, id));
      expect(new Set(files).size).toBe(1);
      load.printed.push(id);
      await sleep(ROUND_PAUSE_MS);
    }
  };
  return { importFiles, print };
}

/** Returns how long one was away at most. */
async function killInTurn(): Promise<number> {
  let longest = 0;
  for (let time = 0; time < KILLS; time++) {
    const began = performance.now();
    await sleep(KILL_EVERY_MS / 2);
    longest = Math.max(longest, await processes.killAndStart(time % PROCESSES));
    await sleep(Math.max(0, KILL_EVERY_MS - (performance.now() - began)));
  }
  return longest;
}

interface StoredRow {
  readonly position: number;
  readonly type: string;
  readonly companyId: number;
  // biome-ignore lint/suspicious/noExplicitAny: events are read freely
  readonly data: any;
}

const NO_EVENT_HARM = { missed: 0, twice: 0, neverHappened: 0, outOfOrder: 0 };
const PLACES = Array.from({ length: PROCESSES }, (_, place) => place);

/** One of the processes, past the proxy. */
function at(place: number, token = admin.token): Client {
  return clientOf((service) => processes.programs[place]!.address(service), token);
}

// biome-ignore lint/suspicious/noExplicitAny: rows are read by who asks
function rowsOf<Row = any>(text: string, values: unknown[] = []): Promise<[Row, ...Row[]]> {
  return processes.programs[0]!.asOwner(async (owner) => (await owner.query(text, values)).rows as [Row, ...Row[]]);
}

const harmOf = (bank: Bank, sent: ReadonlyMap<string, string>) =>
  processes.programs[0]!.asOwner((owner) => harmTo(owner, bank, sent));

/** Jobs that failed, and the reports with what is kept of them. */
async function jobsOf() {
  const [found] = await rowsOf<{
    failed: number;
    reports: number;
    files: number;
    takenOver: number;
    attempts: number;
  }>(`
    SELECT count(*) FILTER (WHERE status <> 'DONE')::int AS failed,
           count(*) FILTER (WHERE kind = 'REPORT')::int AS reports,
           count(*) FILTER (WHERE attempts > 1)::int AS "takenOver", coalesce(max(attempts), 0)::int AS attempts,
           (SELECT count(DISTINCT report_file_piece.job_id) FROM report_file_piece)::int AS files
      FROM job`);
  return found;
}

/** Milliseconds until it is true. */
async function untilTrue(isReached: () => Promise<boolean>, ms = 20_000): Promise<number> {
  const began = performance.now();
  while (!(await isReached())) {
    if (performance.now() - began > ms) throw new Error('it does not come to that');
    await sleep(50);
  }
  return performance.now() - began;
}

/** What a caller of care does: every change has a key, and what was not answered is asked again. */
function persistent(client: Client): Client {
  const call: Client['call'] = async (service, method, path, body, headers = {}) => {
    const keyed = method === 'GET' ? headers : { 'idempotency-key': randomUUID(), ...headers };
    for (;;) {
      const answer = await client.call(service, method, path, body, keyed).catch(() => undefined);
      if (answer !== undefined && answer.status !== 502 && answer.status !== 503) return answer as never;
      await sleep(20);
    }
  };
  return {
    ...client,
    call,
    get: (service, path) => call(service, 'GET', path),
    post: (service, path, body, headers) => call(service, 'POST', path, body, headers),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
const done = (answer: Promise<HttpAnswer<any>>): Promise<any> => bodyOf(answer);

/** The order takes no key: whoever is not answered looks whether the month is closed. */
async function closeOnce(client: Client, bank: Bank, month: string): Promise<void> {
  for (;;) {
    const asked = await askToCloseMonth(admin, bank, month).catch(() => undefined);
    if (asked?.body?.code === 'MONTH_CLOSED') return;
    if (asked?.status === 200) {
      const state = () => done(client.get('movements', `/runconsolidation/${asked.body.id}`));
      await untilTrue(async () => (await state()).status === 'DONE', 60_000);
      return;
    }
    if (asked !== undefined && asked.status !== 502 && asked.status !== 503) throw new Error(asked.text);
    await sleep(20);
  }
}

/** Nor does this one: a report may be printed that nobody was told of. */
async function ordered(report: Record<string, unknown>): Promise<number> {
  for (;;) {
    const asked = await admin
      .post('reports', '/reports/relatorioDiarioGeral?async=true', report)
      .catch(() => undefined);
    if (asked?.status === 202) return asked.body.id;
    if (asked !== undefined && asked.status !== 502 && asked.status !== 503) throw new Error(asked.text);
    await sleep(20);
  }
}

async function fileOf(client: Client, id: number): Promise<string> {
  const { status, text } = await client.get('reports', `/reports/jobs/${id}/download`);
  expect(status).toBe(200);
  return text;
}
