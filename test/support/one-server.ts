import { inject, test } from 'vitest';

/** A test of what a cluster cannot have: it is left out there, and says why. */
export function testOnOneServer(why: string): typeof test | typeof test.skip {
  if (inject('workerUrls').length === 0) return test;
  console.log(`left out on a cluster: ${why}`);
  return test.skip;
}
