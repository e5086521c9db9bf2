import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  centavosFromDecimal,
  centavosFromNumber,
  centavosFromSql,
  decimalOf,
  MAX_ENTRY_AMOUNT,
  sumOf,
  withoutRedundantZeros,
} from './money.ts';

const amounts = fc.bigInt({ min: -MAX_ENTRY_AMOUNT, max: MAX_ENTRY_AMOUNT });

test('every amount survives text, SQL text and JSON numbers to the cent', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      expect(centavosFromDecimal(decimalOf(amount))).toBe(amount);
      expect(centavosFromSql(decimalOf(amount))).toBe(amount);
      expect(centavosFromNumber(JSON.parse(decimalOf(amount)))).toBe(amount);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['0', 0n],
  ['1234.5', 123450n],
  ['-0.05', -5n],
  ['9999999999999999.99', 999999999999999999n],
])('decimal text %s', (text, amount) => {
  expect(centavosFromDecimal(text)).toBe(amount);
});

test.each(['', '-', '.5', '5.', '1.234', '1e3', '+1', ' 1', '1\n', '1,5', '--1', '١', '12345678901234567'])(
  'decimal text %j is rejected',
  (text) => {
    expect(centavosFromDecimal(text)).toBeUndefined();
  },
);

test.each([
  [12345678901.23, 1234567890123n],
  [9_999_999_999_999.99, MAX_ENTRY_AMOUNT],
  [-9_999_999_999_999.99, -MAX_ENTRY_AMOUNT],
  [0.29, 29n],
  [1e3, 100000n],
  [0, 0n],
])('number %d', (value, amount) => {
  expect(centavosFromNumber(value)).toBe(amount);
});

test.each([NaN, Infinity, -Infinity, -0, 0.1 + 0.2, 0.001, 1e-7, 1e21, -1e21, 10_000_000_000_000, -10_000_000_000_000])(
  'number %d is rejected',
  (value) => {
    expect(centavosFromNumber(value)).toBeUndefined();
  },
);

test('SQL text holds sums of any length and nothing but two decimals', () => {
  expect(centavosFromSql('0')).toBe(0n);
  expect(centavosFromSql('-123456789012345678901.05')).toBe(-12345678901234567890105n);
  for (const text of ['', '1.5', '1.500', 'NaN', '1e3']) expect(() => centavosFromSql(text)).toThrow(/NUMERIC/);
});

test('sumOf adds any iterable', () => {
  expect(sumOf([])).toBe(0n);
  expect(sumOf(new Set([1n, -3n]))).toBe(-2n);
});

test.each([
  ['12.50', '12.5'],
  ['12.00', '12'],
  ['100', '100'],
  ['0.00', '0'],
  ['-0.10', '-0.1'],
  ['1000.0010', '1000.001'],
])('%s is %s without redundant zeros', (decimal, short) => {
  expect(withoutRedundantZeros(decimal)).toBe(short);
});
