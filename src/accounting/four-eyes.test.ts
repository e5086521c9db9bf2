import { expect, test } from 'vitest';
import { isLoosened } from './four-eyes.ts';

test('less that waits, a higher limit and no limit are looser; more that waits and a lower limit are not', () => {
  const before = { kinds: ['MONTH_CLOSE', 'QUOTA'], batchLimit: 100n } as const;
  expect(isLoosened(before, before)).toBe(false);
  expect(isLoosened(before, { ...before, kinds: ['QUOTA', 'REOPENING', 'MONTH_CLOSE'] })).toBe(false);
  expect(isLoosened(before, { ...before, batchLimit: 99n })).toBe(false);
  expect(isLoosened({ ...before, batchLimit: undefined }, before)).toBe(false);
  expect(isLoosened(before, { ...before, kinds: ['QUOTA', 'REOPENING'] })).toBe(true);
  expect(isLoosened(before, { ...before, batchLimit: 101n })).toBe(true);
  expect(isLoosened(before, { ...before, batchLimit: undefined })).toBe(true);
});
