import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { book, entryBody, newDocument } from '../support/books.ts';
import { emptyBatch, sendLargeFile } from '../support/large-file.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// What the same work takes on a cluster and on one server: npm run citus runs it on both, and prints it.

const COMPANIES = 4;
const CLIENTS = 16;
const SPAN_MS = 4_000;
const ROWS = 20_000;

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ DATABASE_CONNECTIONS: '16' });
});
afterAll(() => platform?.stop());

test('posting, reading, importing and closing', async () => {
  const { admin } = platform;
  const places: { bank: Bank; document: number }[] = [];
  for (let each = 0; each < COMPANIES; each++) {
    const bank = await createBank(admin);
    await openMonth(admin, bank, '01/2026');
    places.push({ bank, document: await newDocument(admin, bank, '01/2026') });
  }
  const [entry] = book`15/01  1.1.1  D  1,00  2.1.1`;
  const posting = async (client: number) => {
    const { bank, document } = places[client % COMPANIES]!;
    const answer = await admin.post('movements', '/entry', entryBody(bank, document, [entry!]));
    expect(answer.status).toBe(201);
  };
  const reading = async (client: number) => {
    const { company } = places[client % COMPANIES]!.bank;
    const answer = await admin.get('queries', `/monthStates/${company}?from=2026-01&to=2026-01`);
    expect(answer.status).toBe(200);
  };
  await rateOf(posting, 1_000);
  const posted = await rateOf(posting, SPAN_MS);
  await rateOf(reading, 500);
  const read = await rateOf(reading, SPAN_MS);
  const { bank, batch } = await emptyBatch(admin, '01/2026');
  const imported = await secondsOf(() => sendLargeFile(admin, batch, ROWS / 2));
  const closed = await secondsOf(() => closeMonth(admin, bank, '01/2026'));
  console.log(
    `posts/s ${posted.toFixed(0)}, reads/s ${read.toFixed(0)}, ${ROWS} lines imported in ${imported.toFixed(1)} s, closed in ${closed.toFixed(1)} s`,
  );
});

/** How often a second the clients together do it. */
async function rateOf(work: (client: number) => Promise<void>, spanMs: number): Promise<number> {
  let done = 0;
  const end = performance.now() + spanMs;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (; performance.now() < end; done++) await work(client);
    }),
  );
  return (done * 1_000) / spanMs;
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}
