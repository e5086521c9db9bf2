import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { book, newDocument, postEntry } from '../support/books.ts';
import { openMonth } from '../support/months.ts';
import { OwnProcess } from '../support/own-process.ts';
import { bodyOf, type Client } from '../support/platform.ts';
import { isSignedWith, WebhookReceiver } from '../support/webhook-receiver.ts';

// A reader of events and writers, while the program and its database server are killed: what the books have in the end
// the reader has been told, and nothing else.

let program: OwnProcess;
let admin: Client;
let bank: Bank;
let documents: number[];
beforeAll(async () => {
  ({ program, admin } = await OwnProcess.begin({
    ...{ WEBHOOK_PRIVATE_NETWORKS: 'on', WEBHOOK_PLAIN_HTTP: 'on', WEBHOOK_RETRY_SECONDS: '1', WEBHOOK_TIMEOUT: '1' },
  }));
  bank = await createBank(admin);
  await openMonth(admin, bank, '01/2026');
  documents = [await newDocument(admin, bank, '01/2026'), await newDocument(admin, bank, '01/2026')];
}, 60_000);
afterAll(() => program?.remove());

interface Answer {
  readonly events: readonly {
    readonly id: string;
    readonly data: { readonly documentId: number; readonly entries: readonly { readonly entry: string }[] };
  }[];
  readonly next: string;
}

test('nothing committed is missed and nothing undone is told, whatever is killed', async () => {
  let isWriting = true;
  let answered = 0;
  const write = async (documentId: number) => {
    while (isWriting) {
      const answer = await postEntry(admin, bank, documentId, book`05/01 1.1.1 D 1,00 2.1.1`).catch(() => undefined);
      if (answer?.status === 201) answered++;
      else await sleep(20);
    }
  };
  let next = (await admin.get<Answer>('movements', '/events?after=latest')).body.next;
  const told: string[] = [];
  const ids: string[] = [];
  const read = async () => {
    const answer = await admin
      .get<Answer>('movements', `/events?after=${next}&types=entry.posted&limit=50`)
      .catch(() => undefined);
    if (answer?.status !== 200) return sleep(20);
    for (const { id, data } of answer.body.events) {
      ids.push(id);
      told.push(...data.entries.map(({ entry }) => `${data.documentId}/${entry}`));
    }
    next = answer.body.next;
    return answer.body.events.length;
  };
  const reading = (async () => {
    while (isWriting) await read();
  })();
  const writing = documents.flatMap((each) => [write(each), write(each), write(each)]);
  for (const killed of ['program', 'server', 'both'] as const) {
    const before = answered;
    while (answered < before + 20) await sleep(5);
    if (killed !== 'program') process.kill(await program.serverPid(), 'SIGKILL');
    if (killed !== 'server') {
      await program.end('SIGKILL');
      admin = await program.start();
    }
  }
  const before = answered;
  while (answered < before + 20) await sleep(5);
  isWriting = false;
  await Promise.all([...writing, reading]);
  while ((await read()) !== 0);

  const posted = await program.asOwner(async (client) => {
    const { rows } = await client.query<{ entry: string }>(
      `SELECT DISTINCT document_id || '/' || entry_number AS entry FROM entry_line WHERE company_id = $1`,
      [bank.companyId],
    );
    return rows.map(({ entry }) => entry);
  });
  expect(posted.length).toBeGreaterThanOrEqual(answered);
  expect([...told].sort()).toEqual(posted.sort());
  expect(new Set(ids).size).toBe(ids.length);
  // Each document's entries were posted one after the other.
  for (const documentId of documents) {
    const numbers = told.filter((each) => each.startsWith(`${documentId}/`)).map((each) => Number(each.split('/')[1]));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  }
}, 90_000);

test('a program killed in the middle of a delivery: the next one goes on with it, in order, and nothing is left out', async () => {
  const receiver = await WebhookReceiver.open();
  try {
    const [documentId] = documents as [number];
    const types = ['entry.posted'];
    const { id, secret } = await bodyOf(
      admin.post('movements', '/webhooks', { company: bank.company, url: receiver.url, types }),
    );
    const entries: string[] = [];
    const numbersOf = () => receiver.received.map(({ event }) => event.data.entries[0].entry);
    const write = async (count: number) => {
      for (let at = 0; at < count; at++) {
        const { body } = await postEntry(admin, bank, documentId, book`05/01 1.1.1 D 1,00 2.1.1`);
        entries.push(body.lancamento);
      }
    };
    // The third is being taken when the program is killed.
    receiver.behave = () => (receiver.received.length === 3 ? 'HANG' : 204);
    await write(10);
    while (receiver.received.length < 3) await sleep(5);
    await program.end('SIGKILL');
    expect(numbersOf()).toEqual(entries.slice(0, 3));
    admin = await program.start();
    await write(2);
    while (new Set(numbersOf()).size < entries.length) await sleep(20);
    // The one that was cut off comes again; none comes before another that it followed.
    expect(numbersOf()).toEqual([...entries.slice(0, 3), ...entries.slice(2)]);
    expect(await Promise.all(receiver.received.map((each) => isSignedWith(secret, each)))).not.toContain(false);
    let waiting = 1;
    while (waiting > 0) ({ waiting } = await bodyOf(admin.get('movements', `/webhooks/${id}`)));
  } finally {
    await receiver.close();
  }
}, 90_000);
