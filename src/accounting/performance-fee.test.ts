import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  benchmarkOn,
  carryMark,
  dailyRate,
  type MarkDay,
  markOf,
  type PerformanceState,
  performanceFee,
} from './performance-fee.ts';
import type { Day } from './period.ts';

const ALL = 100_000_000n;
const TWENTY = 20_000_000n;
const reais = (amount: number): bigint => BigInt(Math.round(amount * 100));
const quiet: MarkDay = { dailyRate: 0n, subscriptions: 0n, amortizations: 0n, quotas: 1_000n, redeemed: 0n };

test.each([
  // Daily rates that the market publishes for these yearly rates of interbank deposits.
  ['13.65 %', 13_650_000n, 50_788n],
  ['10.65 %', 10_650_000n, 40_168n],
  ['2.15 %', 2_150_000n, 8_442n],
  ['nothing', 0n, 0n],
])('the daily rate of %s a year', (_, yearly, daily) => {
  expect(dailyRate(yearly)).toBe(daily);
});

test('252 days of it make the year again, to eight decimals a day', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 200_000_000n), (yearly) => {
      const year = (1 + Number(dailyRate(yearly)) / 1e8) ** 252;
      expect(Math.abs(year - (1 + Number(yearly) / 1e8))).toBeLessThan(252 * 3 * 1e-8);
    }),
    { numRuns: 50 },
  );
});

test('a rate is in force from its day', () => {
  const rates = [
    { from: '2026-01-02' as Day, rate: 1n },
    { from: '2026-03-02' as Day, rate: 2n },
  ];
  expect(['2026-01-01', '2026-01-02', '2026-03-01', '2026-03-02'].map((day) => benchmarkOn(day as Day, rates))).toEqual(
    [0n, 1n, 1n, 2n],
  );
});

// The worked example of docs/accountant.md: a mark of 1,000,000.00, 20 % of what exceeds it, benchmark 10 % a year.
test('a fund that rises, falls, rises and pays', () => {
  let state: PerformanceState = { mark: markOf(reais(1_000_000)), provision: 0n };
  const step = (equity: number, becomesDue = false) => {
    state = carryMark(state, { ...quiet, dailyRate: dailyRate(10_000_000n) }, ALL);
    const fee = performanceFee(reais(equity), state, TWENTY, becomesDue);
    state = fee.state;
    return [fee.due, fee.change];
  };
  // 0.00037829 a day: the mark is 1,000,378.29; 20 % of 9,621.71
  expect(step(1_010_000)).toEqual([192_434n, 192_434n]);
  // Before the fee 999,924.34; the mark is 1,000,756.72: nothing is due, what was accrued is taken back.
  expect(step(998_000)).toEqual([0n, -192_434n]);
  // The mark is 1,001,135.30; 20 % of 18,864.70 falls due, and 1,016,227.06 is the new mark.
  expect(step(1_020_000, true)).toEqual([377_294n, 377_294n]);
  expect(state).toEqual({ mark: markOf(reais(1_016_227.06)), provision: 0n });
  // Nothing is due below the mark, which stays where it was on the day that a fee would become due.
  expect(step(1_016_000, true)).toEqual([0n, 0n]);
  expect(state.mark).toBeGreaterThan(markOf(reais(1_016_227.06)));
});

test('who comes in and who goes changes nothing for the others', () => {
  const state = { mark: markOf(reais(1_000_000)), provision: reais(2_000) };
  // 1,010,000.00 before the fee; a third leaves with a third of equity, mark and provision.
  const left = carryMark(state, { ...quiet, quotas: 3n, redeemed: 1n }, ALL);
  expect(performanceFee(reais(1_008_000 * (2 / 3)), left, TWENTY, false).change).toBe(0n);
  // 500,000.00 come in: they exceed no mark of theirs.
  const come = carryMark(state, { ...quiet, subscriptions: reais(500_000) }, ALL);
  expect(performanceFee(reais(1_508_000), come, TWENTY, false).change).toBe(0n);
});

test('is what a plain fold in fractions says', () => {
  fc.assert(
    fc.property(
      fc.bigInt(0n, ALL),
      fc.bigInt(0n, 2n * ALL),
      fc.bigInt(1n, 10n ** 12n),
      days(),
      (rate, share, first, all) => {
        let state: PerformanceState = { mark: markOf(first), provision: 0n };
        const plain = new PlainFee(first, rate, share);
        for (const { equity, becomesDue, ...day } of all) {
          state = carryMark(state, day, share);
          const fee = performanceFee(equity, state, rate, becomesDue);
          const expected = plain.next(equity, becomesDue, day);
          expect({ due: fee.due, change: fee.change, mark: fee.state.mark }).toEqual(expected);
          // Nothing is ever due below the mark, and the mark falls by what leaves alone.
          if (fee.due > 0n) expect(markOf(equity + state.provision)).toBeGreaterThan(state.mark);
          if (becomesDue) expect(fee.state.mark).toBeGreaterThanOrEqual(state.mark);
          state = fee.state;
        }
      },
    ),
  );
});

/** The same by fractions, each rounded where the domain says. */
class PlainFee {
  #mark: Fraction;
  #provision = 0n;
  readonly #rate: Fraction;
  readonly #share: Fraction;

  constructor(first: bigint, rate: bigint, share: bigint) {
    this.#mark = { over: first, under: 100n };
    this.#rate = { over: rate, under: ALL };
    this.#share = { over: share, under: ALL };
  }

  next(equity: bigint, becomesDue: boolean, day: MarkDay) {
    const daily = { over: day.dailyRate, under: 100_000_000n };
    this.#mark = round(plus(this.#mark, times(times(this.#mark, daily), this.#share)), 12);
    const staying = { over: day.quotas - day.redeemed, under: day.quotas };
    if (day.redeemed > 0n && day.quotas > 0n) {
      this.#mark = round(times(this.#mark, staying), 12);
      this.#provision = whole(times({ over: this.#provision, under: 1n }, staying));
    }
    this.#mark = plus(this.#mark, { over: day.subscriptions - day.amortizations, under: 100n });
    if (this.#mark.over < 0n) this.#mark = { over: 0n, under: 1n };
    const before = { over: equity + this.#provision, under: 100n };
    const excess = plus(before, { over: -this.#mark.over, under: this.#mark.under });
    const due = excess.over > 0n ? whole(times(times(excess, this.#rate), { over: 100n, under: 1n })) : 0n;
    const change = due - this.#provision;
    this.#provision = due;
    if (becomesDue && due > 0n) {
      const left = { over: before.over - due, under: 100n };
      if (plus(left, { over: -this.#mark.over, under: this.#mark.under }).over > 0n) this.#mark = left;
      this.#provision = 0n;
    }
    return { due, change, mark: whole(times(this.#mark, { over: 10n ** 12n, under: 1n })) };
  }
}

interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

function plus(a: Fraction, b: Fraction): Fraction {
  return { over: a.over * b.under + b.over * a.under, under: a.under * b.under };
}

function times(a: Fraction, b: Fraction): Fraction {
  return { over: a.over * b.over, under: a.under * b.under };
}

/** To the nearest whole number, halves up; of what is not negative. */
function whole({ over, under }: Fraction): bigint {
  return (2n * over + under) / (2n * under);
}

function round(value: Fraction, decimals: number): Fraction {
  const scale = 10n ** BigInt(decimals);
  return { over: whole(times(value, { over: scale, under: 1n })), under: scale };
}

function days() {
  const amount = fc.bigInt(0n, 10n ** 12n);
  return fc.array(
    fc
      .record({
        equity: fc.bigInt(1n, 10n ** 13n),
        becomesDue: fc.boolean(),
        dailyRate: fc.constantFrom(0n, 8_442n, 50_788n),
        subscriptions: fc.oneof(fc.constant(0n), amount),
        amortizations: fc.oneof(fc.constant(0n), amount),
        quotas: fc.bigInt(1n, 10n ** 15n),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      })
      .map(({ share, ...day }) => ({ ...day, redeemed: BigInt(Math.floor(Number(day.quotas) * share * 0.99)) })),
    { maxLength: 12 },
  );
}
