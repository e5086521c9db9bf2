import { expect, test } from 'vitest';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

test('a computation that breathes lets others have their turn, and not at each breath', async () => {
  let turns = 0;
  let breaths = 0;
  const other = setInterval(() => turns++, 1);
  const breathe = yieldToEventLoop();
  const end = performance.now() + 200;
  while (performance.now() < end) {
    breaths++;
    await breathe();
  }
  clearInterval(other);
  expect(turns).toBeGreaterThan(2);
  expect(turns).toBeLessThan(breaths / 10);
});
