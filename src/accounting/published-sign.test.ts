import { expect, it } from 'vitest';
import type { Nature } from './balance.ts';
import { publishedBalance } from './published-sign.ts';

it.each<readonly [string, Nature, bigint]>([
  ['01', 'D', 5n],
  ['01', 'C', 5n],
  ['01', 'M', 5n],
  ['02', 'C', -5n],
  ['02', 'D', -5n],
  ['03', 'M', -5n],
  ['04', 'D', -5n],
  ['05', 'D', 5n],
  ['05', 'C', -5n],
  ['05', 'M', 5n],
  ['09', 'C', 5n],
])('a debit of 5 on class %s, normal balance %s is published as %s', (accountClass, normalBalance, expected) => {
  expect(publishedBalance(5n, { accountClass, normalBalance })).toBe(expected);
});
