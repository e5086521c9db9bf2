import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBank } from '../support/banks.ts';
import { buildClient } from '../support/built-client.ts';
import { openMonth } from '../support/months.ts';
import { OwnProcess } from '../support/own-process.ts';
import { bodyOf } from '../support/platform.ts';
import { volumeOf } from '../support/volumes.ts';

// The client's example: it posts a feed while the platform is killed again and again, and then finds each entry once.

let program: OwnProcess;
let admin: Awaited<ReturnType<typeof OwnProcess.begin>>['admin'];
beforeAll(async () => {
  ({ program, admin } = await OwnProcess.begin());
});
afterAll(() => program?.remove());

const ENTRIES = volumeOf('CLIENT_ENTRIES');
const KILLS = volumeOf('CLIENT_KILLS');

test(`${ENTRIES} entries through ${KILLS} kills: each is in the books exactly once`, { timeout: 900_000 }, async () => {
  const { package: built, folder } = await buildClient();
  const example = await exampleOf(folder);
  const feed = await newFeed();
  const client = built.createClient({
    addresses: (service) => program.address(service as never),
    username: 'admin',
    password: program.password,
    retries: { attempts: 1_000, longestDelay: 500 },
  });
  let posting = true;
  const posted = example.postFeed(client, feed).finally(() => {
    posting = false;
  });
  let kills = 0;
  for (; kills < KILLS && posting; kills++) {
    await sleep(700);
    await program.end('SIGKILL');
    await program.start();
  }
  await posted;
  expect(kills).toBe(KILLS);
  const nothing = { missing: [], twice: [], otherAmount: [], unknown: [] };
  expect(await example.reconcile(client, feed)).toEqual(nothing);
  // The feeding system was killed as well and begins again: nothing is posted a second time.
  await example.postFeed(client, { ...feed, entries: feed.entries.slice(0, 50) });
  expect(await example.reconcile(client, feed)).toEqual(nothing);
  // The comparison would notice.
  const [first, second] = feed.entries;
  const other = {
    ...feed,
    entries: [{ ...first!, amount: '0.02' }, ...feed.entries.slice(2), { ...first!, reference: 'X' }],
  };
  expect(await example.reconcile(client, other)).toEqual({
    missing: ['X'],
    twice: [],
    otherAmount: [first!.reference],
    unknown: [second!.reference],
  });
});

interface Feed {
  readonly company: string;
  readonly branch: string;
  readonly documentId: number;
  readonly debit: number;
  readonly credit: number;
  readonly entries: readonly { readonly reference: string; readonly day: string; readonly amount: string }[];
}

interface Example {
  postFeed(client: unknown, feed: Feed): Promise<void>;
  reconcile(client: unknown, feed: Feed): Promise<Readonly<Record<string, readonly string[]>>>;
}

/** The example as an integrator would run it, beside the package. */
async function exampleOf(folder: string): Promise<Example> {
  const source = await readFile(new URL('../../client/examples/post-and-reconcile.ts', import.meta.url), 'utf8');
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const { outputText } = ts.transpileModule(source, { compilerOptions });
  const path = `${folder}post-and-reconcile.mjs`;
  await writeFile(path, outputText.replace("'partidas-client'", "'./dist/index.js'"));
  return import(pathToFileURL(path).href);
}

async function newFeed(): Promise<Feed> {
  const bank = await createBank(admin);
  const { company, branch, accounts } = bank;
  await openMonth(admin, bank, '01/2026');
  const place = { empresa: company, filial: branch, ano: 2026, mes: 1, lote: '1' };
  const batch = await bodyOf(admin.post('movements', '/batch', place));
  const document = await bodyOf(admin.post('movements', '/document', { batchId: batch.id, documento: '1' }));
  const entries = Array.from({ length: ENTRIES }, (_, at) => ({
    reference: `CT-${at}`,
    day: String((at % 28) + 1).padStart(2, '0'),
    amount: `${at + 1}.10`,
  }));
  const [debit, credit] = [accounts.get('1.1.1')!, accounts.get('3.1')!];
  return { company, branch, documentId: document.id, debit, credit, entries };
}
