import fc from 'fast-check';
import { expect, test } from 'vitest';
import { administrationFee, type BandPart, bandParts, bandProblems, type FeeBand } from './fund-fee.ts';

const percent = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
};
const reais = (amount: number): bigint => BigInt(amount) * 100n;
const flat = (rate: string): FeeBand[] => [{ from: 0n, to: undefined, rate: percent(rate) }];

/** 2 % up to ten millions, 1.5 % up to fifty, 1 % beyond. */
const BANDS: FeeBand[] = [
  { from: 0n, to: reais(10_000_000), rate: percent('2') },
  { from: reais(10_000_000), to: reais(50_000_000), rate: percent('1.5') },
  { from: reais(50_000_000), to: undefined, rate: percent('1') },
];

// The worked examples of docs/accountant.md, computed by hand.
test.each([
  ['one rate, 252', reais(10_000_000), flat('2'), 1, 252, 79_365n],
  ['one rate, 365, a Monday', reais(10_000_000), flat('2'), 3, 365, 164_384n],
  ['within the second band', reais(30_000_000), BANDS, 1, 252, 198_413n],
  ['in all bands', reais(80_000_000), BANDS, 1, 252, 436_508n],
  ['half a centavo rounds up', 630_000n, flat('0.2'), 1, 252, 5n],
  ['a little less rounds down', 629_999n, flat('0.2'), 1, 252, 5n],
  ['less than half a centavo is nothing', 62_999n, flat('0.2'), 1, 252, 0n],
  ['exactly half a centavo', 63_000n, flat('0.2'), 1, 252, 1n],
] as const)('%s', (_, base, bands, days, basis, fee) => {
  expect(administrationFee(base, bands, days, basis)).toBe(fee);
});

test('more equity never costs less', () => {
  fc.assert(
    fc.property(bandsOf(), money(), money(), (bands, one, more) => {
      expect(administrationFee(one + more, bands, 1, 252)).toBeGreaterThanOrEqual(
        administrationFee(one, bands, 1, 252),
      );
    }),
  );
});

test('the parts of an equity are the equity', () => {
  fc.assert(
    fc.property(bandsOf(), money(), (bands, base) => {
      expect(bandProblems(bands)).toEqual([]);
      expect(bandParts(base, bands).reduce((sum: bigint, { amount }: BandPart) => sum + amount, 0n)).toBe(base);
    }),
  );
});

test('a fund of many days costs what a plain fold in fractions says', () => {
  fc.assert(
    fc.property(
      bandsOf(),
      fc.array(fc.record({ base: money(), days: fc.integer({ min: 1, max: 5 }) }), { maxLength: 30 }),
      fc.constantFrom(252 as const, 365 as const),
      (bands, days, basis) => {
        let [total, plain] = [0n, 0n];
        for (const each of days) {
          total += administrationFee(each.base, bands, each.days, basis);
          plain += plainFee(each.base, bands, each.days, basis);
        }
        expect(total).toBe(plain);
      },
    ),
  );
});

test.each([
  ['overlap', [0, 100], [50, undefined], 'BANDS_OVERLAP'],
  ['a gap', [0, 100], [101, undefined], 'BANDS_LEAVE_A_GAP'],
  ['not from zero', [1, 100], [100, undefined], 'BANDS_LEAVE_A_GAP'],
  ['an end', [0, 100], [100, 200], 'BANDS_LEAVE_A_GAP'],
  ['an end before its beginning', [0, 0], [0, undefined], 'BANDS_OVERLAP'],
  ['something beyond the last', [0, undefined], [100, undefined], 'BANDS_OVERLAP'],
] as const)('bands with %s are rejected', (_, one, two, reason) => {
  const bands = [one, two].map(([from, to]) => ({
    from: reais(from!),
    to: to === undefined ? undefined : reais(to),
    rate: 1n,
  }));
  expect(bandProblems(bands)).toMatchObject([{ code: 'INVALID_FIELD', params: { reason } }]);
});

/** Centavo by centavo of a sorted ladder: a base is worth what it adds to each step, as a fraction of one denominator. */
function plainFee(base: bigint, bands: readonly FeeBand[], days: number, basis: number): bigint {
  let [left, at, hundredMillionths] = [base, 0, 0n];
  while (left > 0n) {
    const { from, to, rate } = bands[at++]!;
    const step = to === undefined || to - from > left ? left : to - from;
    hundredMillionths += step * rate;
    left -= step;
  }
  // 10^8 makes one of percent with six decimals; doubled and one half added, so that whole division rounds.
  const denominator = 100_000_000n * BigInt(basis);
  return (2n * hundredMillionths * BigInt(days) + denominator) / (2n * denominator);
}

function money() {
  return fc.bigInt({ min: 0n, max: 10n ** 14n });
}

function bandsOf() {
  const steps = fc.array(fc.record({ width: fc.bigInt(1n, 10n ** 13n), rate: fc.bigInt(0n, 100_000_000n) }), {
    maxLength: 5,
  });
  return fc.tuple(steps, fc.bigInt(0n, 100_000_000n)).map(([widths, last]) => {
    const bands: FeeBand[] = [];
    let from = 0n;
    for (const { width, rate } of widths) {
      bands.push({ from, to: from + width, rate });
      from += width;
    }
    return [...bands, { from, to: undefined, rate: last }];
  });
}
