import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MUTANTS } from '../scripts/mutants-list.ts';

// The mutants run for minutes and are started by hand: that their texts still fit the source is seen here.
test.each(MUTANTS)('$name: its text is once in $file', ({ file, from, to }) => {
  const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  expect(source.split(from)).toHaveLength(2);
  expect(to).not.toBe(from);
});
