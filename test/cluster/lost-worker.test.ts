import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type ClusterPoster, expectNothingLost, newPoster, postOnce } from '../support/cluster-posters.ts';
import { databaseUrl } from '../support/database-server.ts';
import { killNode } from '../support/lost-node.ts';
import { closeMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

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

test('a worker that is killed: companies of the others go on, its own are refused and lose nothing', async () => {
  const posters: ClusterPoster[] = [];
  for (let each = 0; each < COMPANIES; each++) posters.push(await newPoster(platform));
  const worker = inject('workerUrls')[0]!;
  const port = Number(new URL(worker).port);
  const struck = posters.filter(({ node }) => node === port);
  const spared = posters.filter(({ node }) => node !== port);
  expect(Math.min(struck.length, spared.length)).toBeGreaterThan(0);

  const refusals = new Map<string, number>();
  let phase: 'before' | 'away' | 'after' | 'over' = 'before';
  const done = { struck: { before: 0, away: 0, after: 0 }, spared: { before: 0, away: 0, after: 0 } };
  const work = async (poster: ClusterPoster) => {
    while (phase !== 'over') {
      const during = phase;
      const answer = await postOnce(platform, poster);
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
  await endPreparedCommits();
  await expectNothingLost(platform, posters);
  for (const { bank } of posters) await closeMonth(platform.admin, bank, '01/2026');
});

const isSome = (count: number) => count > 0;

/** What was prepared on the node before it died, and decided on the coordinator, is ended by that once a minute, or when asked. */
async function endPreparedCommits(): Promise<void> {
  await withOwnerConnection(platform.ownerUrl, (owner) => owner.query('SELECT recover_prepared_transactions()'));
  const name = new URL(platform.ownerUrl).pathname.slice(1);
  for (const url of inject('workerUrls'))
    await withOwnerConnection(databaseUrl(url, name), async (client) => {
      const { rows } = await client.query('SELECT gid FROM pg_prepared_xacts WHERE database = current_database()');
      expect(rows).toEqual([]);
    });
}
