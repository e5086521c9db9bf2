import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { harmTo } from '../support/acknowledged-entries.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, entryBody, newDocument } from '../support/books.ts';
import { databaseUrl } from '../support/database-server.ts';
import { killNode } from '../support/lost-node.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';

// A worker of a cluster dies with all its processes under posting, and comes back (npm run citus).

const COMPANIES = 8;
const BEFORE_MS = 3_000;
const AWAY_MS = 5_000;
const AFTER_MS = 10_000;

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ DATABASE_CONNECTIONS: '12' });
});
afterAll(() => platform?.stop());

interface Poster {
  readonly bank: Bank;
  readonly document: number;
  /** Port of the node that has its books. */
  readonly node: number;
  /** Narration and amount of what was acknowledged. */
  readonly acknowledged: Map<string, string>;
  readonly attempted: Set<string>;
}

test('a worker that is killed: companies of the others go on, its own are refused and lose nothing', async () => {
  const posters: Poster[] = [];
  for (let each = 0; each < COMPANIES; each++) posters.push(await newPoster());
  const worker = inject('workerUrls')[0]!;
  const port = Number(new URL(worker).port);
  const struck = posters.filter(({ node }) => node === port);
  const spared = posters.filter(({ node }) => node !== port);
  expect(Math.min(struck.length, spared.length)).toBeGreaterThan(0);

  const refusals = new Map<string, number>();
  let phase: 'before' | 'away' | 'after' | 'over' = 'before';
  const done = { struck: { before: 0, away: 0, after: 0 }, spared: { before: 0, away: 0, after: 0 } };
  const work = async (poster: Poster) => {
    while (phase !== 'over') {
      const during = phase;
      const answer = await post(poster);
      if (answer.status === 201) {
        // What one phase asked and another answered counts in none.
        if (during === phase) done[poster.node === port ? 'struck' : 'spared'][during]++;
      } else {
        const what = `${answer.status} ${answer.body?.code}`;
        refusals.set(what, (refusals.get(what) ?? 0) + 1);
        await sleep(50);
      }
    }
  };
  const working = posters.map(work);
  await sleep(BEFORE_MS);
  const lost = await killNode(worker);
  phase = 'away';
  await sleep(AWAY_MS);
  await lost.startAgain();
  phase = 'after';
  await sleep(AFTER_MS);
  phase = 'over';
  await Promise.all(working);
  console.log('posted', JSON.stringify(done), 'refused', JSON.stringify(Object.fromEntries(refusals)));

  expect(done.struck).toMatchObject({ before: expect.toSatisfy(isSome), away: 0, after: expect.toSatisfy(isSome) });
  expect(done.spared).toMatchObject({ before: expect.toSatisfy(isSome), away: expect.toSatisfy(isSome) });
  expect([...refusals.keys()].filter((what) => !what.startsWith('503 '))).toEqual([]);
  await withOwnerConnection(platform.ownerUrl, async (owner) => {
    for (const { bank, acknowledged, attempted } of posters) {
      const harm = await harmTo(owner, bank, acknowledged);
      const other = harm.other.filter((text) => !attempted.has(text.replace(' was never sent', '')));
      expect({ ...harm, other }).toEqual({ lost: 0, twice: 0, unbalanced: 0, other: [] });
    }
  });
  for (const { bank } of posters) await closeMonth(platform.admin, bank, '01/2026');
  await noTransactionIsLeft();
});

const isSome = (count: number) => count > 0;

async function newPoster(): Promise<Poster> {
  const bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  const document = await newDocument(platform.admin, bank, '01/2026');
  const node = await withOwnerConnection(platform.ownerUrl, async (owner) => {
    const { rows } = await owner.query<{ port: number }>(
      `SELECT nodeport AS port FROM citus_shards
        WHERE table_name = 'entry_line'::regclass
          AND shardid = get_shard_id_for_distribution_column('entry_line', $1::bigint)`,
      [bank.companyId],
    );
    return rows[0]!.port;
  });
  return { bank, document, node, acknowledged: new Map(), attempted: new Set() };
}

async function post({ bank, document, acknowledged, attempted }: Poster): Promise<HttpAnswer<{ code?: string }>> {
  const key = `${bank.company}-${attempted.size}`;
  attempted.add(key);
  const body = entryBody(bank, document, book`15/01  1.1.1  D  1,00  2.1.1`);
  const answer = await platform.admin.post('movements', '/entry', { ...body, historico: key });
  if (answer.status === 201) acknowledged.set(key, '1.00');
  return answer;
}

/** What a two-phase commit left on a node is ended by the coordinator once a minute, or when asked. */
async function noTransactionIsLeft(): Promise<void> {
  await withOwnerConnection(platform.ownerUrl, (owner) => owner.query('SELECT recover_prepared_transactions()'));
  const name = new URL(platform.ownerUrl).pathname.slice(1);
  for (const url of inject('workerUrls'))
    await withOwnerConnection(databaseUrl(url, name), async (client) => {
      const { rows } = await client.query('SELECT gid FROM pg_prepared_xacts WHERE database = current_database()');
      expect(rows).toEqual([]);
    });
}
