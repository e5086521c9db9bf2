import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Gathering } from './gathering.ts';

/** A gathering whose work ends when it is asked to; `groups` are what it was given. */
function gatheringByHand(most = 10) {
  const groups: { items: readonly number[]; end(error?: Error): void }[] = [];
  let quiet = 0;
  const gathering = new Gathering<number, number>(
    (items) =>
      new Promise((resolve, reject) => {
        groups.push({ items, end: (error) => (error ? reject(error) : resolve(items.map((item) => item * 10))) });
      }),
    { most, whenQuiet: () => quiet++ },
  );
  return { gathering, groups, timesQuiet: () => quiet };
}

test('what comes during the work goes next, together, and each gets its own result', async () => {
  const { gathering, groups, timesQuiet } = gatheringByHand();
  const first = [gathering.add(1), gathering.add(2)];
  await turn();
  const next = [gathering.add(3), gathering.add(4), gathering.add(5)];
  await turn();
  expect(groups.map(({ items }) => items)).toEqual([[1, 2]]);
  groups[0]!.end();
  expect(await Promise.all(first)).toEqual([10, 20]);
  expect(groups.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  expect(timesQuiet()).toBe(0);
  groups[1]!.end();
  expect(await Promise.all(next)).toEqual([30, 40, 50]);
  expect(timesQuiet()).toBe(1);
});

test('a failure is the answer to all of its group and to no other, and no group is larger than the most', async () => {
  const { gathering, groups } = gatheringByHand(2);
  const answers = [1, 2, 3].map((item) => gathering.add(item).catch((error: Error) => error.message));
  await turn();
  groups[0]!.end(new Error('lost'));
  await turn();
  groups[1]!.end();
  expect(await Promise.all(answers)).toEqual(['lost', 'lost', 30]);
  const later = gathering.add(4);
  await turn();
  groups[2]!.end();
  expect(await later).toBe(40);
});
