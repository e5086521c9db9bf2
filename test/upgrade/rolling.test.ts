import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { book, newDocument, postEntry } from '../support/books.ts';
import { quickFolder } from '../support/memory-disk.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { OwnProcess } from '../support/own-process.ts';
import type { Client } from '../support/platform.ts';

// The program and a next version of it, a copy with one migration more, work on one database at the same time.

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

/** Requests of each of the two. */
const AT_ONCE = 4;
const postings: Posting[] = [];
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What a version may bring, in two files: columns, a table with its rights, a function replaced, an index beside writers. */
const NEXT = {
  '0998-next.sql': `
ALTER TABLE entry_line ADD COLUMN cost_center text;
ALTER TABLE entry_line ADD CONSTRAINT cost_center_text CHECK (cost_center <> '') NOT VALID;
ALTER TABLE document ADD COLUMN origin text NOT NULL DEFAULT 'TYPED';
ALTER TABLE company_options ADD COLUMN cost_centers boolean NOT NULL DEFAULT false;
CREATE TABLE cost_center (company_id bigint NOT NULL, id bigint NOT NULL, PRIMARY KEY (company_id, id));
CALL enable_tenant_isolation('cost_center');
`,
  '0999-next-index.sql': `-- outside of a transaction
DROP INDEX CONCURRENTLY IF EXISTS entry_line_cost_center;
CREATE INDEX CONCURRENTLY entry_line_cost_center ON entry_line (company_id, cost_center) WHERE cost_center IS NOT NULL;
`,
} as const;

let folder: string;
let nextMain: string;
let older: OwnProcess | undefined;
let newer: OwnProcess | undefined;
let bank: Bank;
/** Another one, nobody posts to it while it closes. */
let other: Bank;
let admin: Client;

beforeAll(async () => {
  folder = await mkdtemp(join(quickFolder(), 'partidas-rolling-'));
  const next = join(folder, 'next');
  await mkdir(next);
  for (const part of ['src', 'migrations', 'package.json'])
    await cp(join(ROOT, part), join(next, part), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(next, 'node_modules'));
  for (const [file, sql] of Object.entries(NEXT)) await writeFile(join(next, 'migrations', file), sql);
  nextMain = join(next, 'src/main.ts');
  ({ program: older, admin } = await OwnProcess.begin());
  bank = await createBank(admin);
  other = await createBank(admin);
  for (const each of [bank, other]) await openMonth(admin, each, '01/2026');
});
afterAll(async () => {
  await Promise.all(postings.map((posting) => posting.end()));
  await older?.end('SIGTERM');
  await newer?.end('SIGTERM');
  if (older !== undefined) await rm(older.dataDir, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

test('nothing fails while a newer version migrates, serves beside the older and takes over', async () => {
  const { dataDir, settings } = older!;
  const posting = await startPosting(admin);
  await posting.until(100);
  const { program, admin: again } = await OwnProcess.on(dataDir, {}, nextMain);
  newer = program;
  const onNewer = await startPosting(again);
  await Promise.all([posting.until(posting.count() + 100), onNewer.until(100)]);
  // What the older one prepared, and what it never asked before.
  await closeMonth(admin, other, '01/2026');
  expect((await admin.get('queries', `/seals/${bank.company}/${bank.branch}`)).status).toBe(200);
  expect(await startOf(ROOT, settings)).toEqual({
    code: 1,
    err: 'partidas: the database is of a newer version (it has migration 0998-next): start that version, or restore a backup of before the upgrade\n',
  });
  const posted = await posting.end();
  await older!.end('SIGTERM');
  await onNewer.until(onNewer.count() + 50);
  const postedOnNewer = await onNewer.end();
  expect([...posted.failures, ...postedOnNewer.failures]).toEqual([]);
  await closeMonth(again, bank, '01/2026');
  expect(await program.verify()).toEqual([]);
  const kept = await program.asOwner(async (client) => {
    const { rows } = await client.query('SELECT count(*)::int AS lines FROM entry_line WHERE branch_id = $1', [
      bank.branchId,
    ]);
    return rows[0].lines;
  });
  expect(kept).toBe(2 * (posted.count + postedOnNewer.count));
});

interface Posting {
  count(): number;
  until(count: number): Promise<void>;
  end(): Promise<{ readonly count: number; readonly failures: readonly string[] }>;
}

/** Posts entries into a document of its own, some at once, until it is ended. */
async function startPosting(client: Client): Promise<Posting> {
  const documentId = await newDocument(client, bank, '01/2026');
  const failures: string[] = [];
  let count = 0;
  let isEnding = false;
  const post = async () => {
    while (!isEnding) {
      const { status, text } = await postEntry(client, bank, documentId, book`05/01 1.1.2 D 1,00 3.1 "Aporte"`).catch(
        (error) => ({ status: 0, text: String(error) }),
      );
      if (status === 201) count++;
      else failures.push(`${status} ${text}`);
      isEnding ||= status === 0;
    }
  };
  const running = Array.from({ length: AT_ONCE }, post);
  const posting: Posting = {
    count: () => count,
    until: (wanted) =>
      expect.poll(() => failures.length > 0 || count >= wanted, { timeout: 100_000, interval: 10 }).toBe(true),
    end: async () => {
      isEnding = true;
      await Promise.all(running);
      return { count, failures };
    },
  };
  postings.push(posting);
  return posting;
}

/** Starts the program of that folder once more, which is expected to end by itself. */
function startOf(root: string, settings: Readonly<Record<string, string>>): Promise<{ code: unknown; err: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'src/main.ts')],
      { env: { ...process.env, ...settings } },
      (error, _out, err) => resolve({ code: error?.code, err }),
    );
  });
}
