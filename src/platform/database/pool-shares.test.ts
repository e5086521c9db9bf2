import { expect, test } from 'vitest';
import type { pg } from './driver.ts';
import { TransactionBusy } from './errors.ts';
import { shareOut } from './pool-shares.ts';

/** A pool that always has a connection: what limits is the shares. */
function poolOf(max: number): pg.Pool {
  return { options: { max }, ending: false, connect: async () => ({ release: () => {} }) } as unknown as pg.Pool;
}

async function takeAll(connections: { connect(): Promise<pg.PoolClient> }, most: number): Promise<pg.PoolClient[]> {
  const taken: pg.PoolClient[] = [];
  for (let at = 0; at < most; at++) {
    const client = await connections.connect().catch((error: Error) => error);
    if (client instanceof Error) break;
    taken.push(client);
  }
  return taken;
}

test('nobody takes what is kept for the others, and everybody what is free', async () => {
  const share = shareOut(poolOf(12), ['a', 'b', 'c'], 1);
  const ofA = await takeAll(share('a'), 12);
  expect(ofA).toHaveLength(8);
  expect(await takeAll(share('b'), 12)).toHaveLength(2);
  expect(await takeAll(share('c'), 12)).toHaveLength(2);
  for (const client of ofA.slice(0, 3)) client.release();
  expect(await takeAll(share('c'), 12)).toHaveLength(3);
});

test('who waits gets the next connection in order of arrival, or is rejected in time', async () => {
  const share = shareOut(poolOf(4), ['a', 'b'], 50);
  const [first] = (await takeAll(share('a'), 3)) as [pg.PoolClient];
  const order: string[] = [];
  const waiting = ['one', 'two'].map((who) =>
    share('a')
      .connect()
      .then((client) => {
        order.push(who);
        return client;
      }),
  );
  first.release();
  (await waiting[0]!).release();
  await waiting[1];
  expect(order).toEqual(['one', 'two']);
  await expect(share('a').connect()).rejects.toThrow(TransactionBusy);
  await expect(share('b').connect()).resolves.toBeDefined();
});

test('a small pool with many users is shared without anything kept', async () => {
  const share = shareOut(poolOf(2), ['a', 'b', 'c'], 1);
  expect(await takeAll(share('a'), 3)).toHaveLength(2);
});
