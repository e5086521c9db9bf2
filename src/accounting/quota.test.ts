import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quotaValue, scaledFromDecimal, scaledToDecimal } from './quota.ts';

test.each([
  // 1,000,000.00 over 3 quotas
  [100_000_000n, 3n, 0, 'TRUNC', '333333'],
  [100_000_000n, 3n, 0, 'HALF_UP', '333333'],
  [200_000_000n, 3n, 0, 'TRUNC', '666666'],
  [200_000_000n, 3n, 0, 'HALF_UP', '666667'],
  [200_000_000n, 3n, 0, 'HALF_EVEN', '666667'],
  // Halves: 1.50 and 2.50 a quota
  [150n, 1n, 0, 'TRUNC', '1'],
  [150n, 1n, 0, 'HALF_UP', '2'],
  [150n, 1n, 0, 'HALF_EVEN', '2'],
  [250n, 1n, 0, 'HALF_UP', '3'],
  [250n, 1n, 0, 'HALF_EVEN', '2'],
  [-250n, 1n, 0, 'HALF_UP', '-3'],
  [-250n, 1n, 0, 'TRUNC', '-2'],
  [-250n, 1n, 0, 'HALF_EVEN', '-2'],
  [123_456_789n, 100_000_000_000n, 8, 'TRUNC', '1234.56789000'],
  [100n, 3_000_000_000_000n, 12, 'HALF_UP', '0.333333333333'],
] as const)('%d centavos over %d quotas, %d decimals, %s: %s', (netEquity, quotas, decimals, rounding, text) => {
  expect(scaledToDecimal(quotaValue(netEquity, quotas, decimals, rounding), decimals)).toBe(text);
});

test('quotas may be counted finer than their value is reported', () => {
  expect(quotaValue(100_000n, 8_00000000n, 2, 'TRUNC', 8)).toBe(12500n);
});

test('a fund without quotas is rejected before', () => {
  expect(() => quotaValue(1n, 0n, 8, 'TRUNC')).toThrow(/greater than zero/);
});

test('truncation is the greatest value that the equity covers; half up is never further than half a unit', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 17n }),
      fc.bigInt({ min: 1n, max: 10n ** 20n }),
      fc.nat(12),
      (equity, quotas, decimals) => {
        const exact = equity * 10n ** BigInt(2 * decimals);
        const truncated = quotaValue(equity, quotas, decimals, 'TRUNC') * quotas * 100n;
        expect(truncated <= exact && exact < truncated + quotas * 100n).toBe(true);
        const error = (quotaValue(equity, quotas, decimals, 'HALF_UP') * quotas * 100n - exact) * 2n;
        expect(error > -quotas * 100n && error <= quotas * 100n).toBe(true);
      },
    ),
  );
});

test('scaled text', () => {
  expect(scaledFromDecimal('12.5', 8)).toBe(1_250_000_000n);
  expect(scaledFromDecimal('-0.05', 2)).toBe(-5n);
  for (const text of ['', '1.', '.1', '1.123', '1e3', 'x', '-']) expect(scaledFromDecimal(text, 2)).toBeUndefined();
  expect(scaledToDecimal(-5n, 2)).toBe('-0.05');
  expect(scaledToDecimal(7n, 0)).toBe('7');
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.nat(12), (scaled, decimals) => {
      expect(scaledFromDecimal(scaledToDecimal(scaled, decimals), decimals)).toBe(scaled);
    }),
  );
});
