import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { DISTRIBUTE } from '../support/citus-cluster.ts';
import { expectNothingLost, newPoster, postOnce, shardOf } from '../support/cluster-posters.ts';
import { closeMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// The books of a company move to another worker while they are posted to, as after a worker was added (npm run citus).

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ DATABASE_CONNECTIONS: '12' });
});
afterAll(() => platform?.stop());

test('a company moves to another worker under posting and loses nothing', async () => {
  const poster = await newPoster(platform);
  const from = await shardOf(platform, poster.bank);
  const to = inject('workerUrls')
    .map((url) => new URL(url))
    .find(({ port }) => Number(port) !== from.port)!;
  const refusals = new Map<string, number>();
  let isOver = false;
  const working = (async () => {
    while (!isOver) {
      const { status, body } = await postOnce(platform, poster);
      if (status === 201) continue;
      refusals.set(`${status} ${body.code}`, (refusals.get(`${status} ${body.code}`) ?? 0) + 1);
      await sleep(20);
    }
  })();
  await sleep(2_000);
  const before = poster.acknowledged.size;
  const began = performance.now();
  await withOwnerConnection(platform.ownerUrl, async (owner) => {
    await owner.query(`SELECT citus_move_shard_placement($1, $2, $3, $4, $5)`, [
      from.shard,
      ...[from.host, from.port],
      ...[to.hostname, Number(to.port)],
    ]);
  });
  const moved = poster.acknowledged.size;
  const took = performance.now() - began;
  const distribute = await readFile(DISTRIBUTE, 'utf8');
  await withOwnerConnection(platform.ownerUrl, (owner) => owner.query(distribute));
  const granted = poster.acknowledged.size;
  await sleep(2_000);
  isOver = true;
  await working;
  console.log(
    `moved in ${(took / 1_000).toFixed(1)} s; posted ${before} before, ${moved - before} meanwhile, ` +
      `${poster.acknowledged.size - granted} after; refused ${JSON.stringify(Object.fromEntries(refusals))}`,
  );

  expect(await shardOf(platform, poster.bank)).toMatchObject({ port: Number(to.port) });
  expect(Math.min(before, moved - before, poster.acknowledged.size - granted)).toBeGreaterThan(0);
  await expectNothingLost(platform, [poster]);
  await closeMonth(platform.admin, poster.bank, '01/2026');
});
