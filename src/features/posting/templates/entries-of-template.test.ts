import fc from 'fast-check';
import { expect, test } from 'vitest';
import { day } from '../../../../test/support/period.ts';
import { totalOf } from '../../../accounting/entry.ts';
import { type AccountId, asId } from '../../../accounting/ids.ts';
import { decimalOf, sumOf } from '../../../accounting/money.ts';
import { physicalLines } from '../../../accounting/posting.ts';
import { entriesOfTemplate, mixingProblems, type TemplateLine, templateProblems } from './entries-of-template.ts';

const line = (sequence: number, more: Partial<TemplateLine>): TemplateLine => ({
  sequence,
  side: 'D',
  accountId: asId(sequence),
  offsetAccountId: null,
  valueType: 'PERCENTAGE',
  amount: null,
  percentage: null,
  narrationCode: null,
  narration: 'Rateio',
  ...more,
});

const use = (lines: readonly TemplateLine[], base: bigint) =>
  entriesOfTemplate(lines, [{ sequence: 0, amount: decimalOf(base), narration: null }], day('2026-01-05'), () => 0n);

const thirds = (side: 'D' | 'C', from: number) =>
  ['33.33', '33.33', '33.34'].map((percentage, at) => line(from + at, { side, percentage }));

test('the remainder of rounding goes to the last line of its side', () => {
  const { entries, problems } = use([line(1, { percentage: '100.00' }), ...thirds('C', 2)], 10_001n);
  expect(problems).toEqual([]);
  expect(entries[0]!.lines.map((each) => each.amount)).toEqual([10_001n, 3_333n, 3_333n, 3_335n]);
  const cent = use([line(1, { percentage: '100.00' }), ...thirds('C', 2)], 1n);
  expect(cent.entries[0]!.lines.map((each) => [each.side, each.amount])).toEqual([
    ['D', 1n],
    ['C', 1n],
  ]);
});

/** Percentages in hundredths that sum to 100.00, of as many lines. */
const parts = fc
  .uniqueArray(fc.integer({ min: 1, max: 9_999 }), { maxLength: 11 })
  .map((cuts) => [0, ...cuts.sort((a, b) => a - b), 10_000])
  .map((bounds) => bounds.slice(1).map((bound, at) => bound - bounds[at]!));

test('every amount from 0.01 on is posted whole on both sides, whatever the percentages', () => {
  const amounts = fc.oneof(fc.bigInt(1n, 10_200n), fc.bigInt(1n, 999_999_999_999_999n));
  fc.assert(
    fc.property(parts, parts, amounts, (debits, credits, base) => {
      const side = (side: 'D' | 'C', given: readonly number[], from: number) =>
        given.map((each, at) => line(from + at, { side, percentage: decimalOf(BigInt(each)) }));
      const { entries, problems } = use([...side('D', debits, 1), ...side('C', credits, 100)], base);
      expect(problems).toEqual([]);
      const lines = physicalLines(entries[0]!.lines)!;
      expect(totalOf(lines, 'D')).toBe(base);
      expect(totalOf(lines, 'C')).toBe(base);
      for (const { amount } of lines) expect(amount).toBeGreaterThan(0n);
    }),
    { numRuns: 2_000 },
  );
});

test('fixed lines beside percentages balance to the centavo too', () => {
  const fixedParts = fc.array(fc.bigInt(1n, 99_999_999n), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(parts, parts, fixedParts, fc.bigInt(1n, 999_999_999n), (debits, credits, fixed, base) => {
      const side = (side: 'D' | 'C', given: readonly number[], from: number) =>
        given.map((each, at) => line(from + at, { side, percentage: decimalOf(BigInt(each)) }));
      const amounts = fixed.map((amount, at) => line(200 + at, { valueType: 'FIXED', amount: decimalOf(amount) }));
      const offset = line(300, { side: 'C', valueType: 'FIXED', amount: decimalOf(sumOf(fixed)) });
      const lines = [...side('D', debits, 1), ...amounts, offset, ...side('C', credits, 100)];
      expect(templateProblems(lines)).toEqual([]);
      const { entries, problems } = use(lines, base);
      expect(problems).toEqual([]);
      const posted = physicalLines(entries[0]!.lines)!;
      expect(totalOf(posted, 'D')).toBe(base + sumOf(fixed));
      expect(totalOf(posted, 'C')).toBe(base + sumOf(fixed));
    }),
    { numRuns: 500 },
  );
});

test('pairs share the whole amount too', () => {
  const pairs = thirds('D', 1).map((each) => ({ ...each, offsetAccountId: asId<AccountId>(9) }));
  const amounts = use(pairs, 10_001n).entries.map((entry) => entry.lines[0]!.amount);
  expect(amounts).toEqual([3_333n, 3_333n, 3_335n]);
});

test('a template that would mix memorandum accounts with others is found when it is saved', () => {
  const isMemorandum = (id: number) => id >= 8;
  const paths = (...lines: TemplateLine[]) => mixingProblems(lines, isMemorandum).map((each) => each.path);
  const fixed = (sequence: number, side: 'D' | 'C', amount: string, offsetAccountId?: number) =>
    line(sequence, {
      side,
      valueType: 'FIXED',
      amount,
      offsetAccountId: offsetAccountId === undefined ? null : asId<AccountId>(offsetAccountId),
    });
  expect(paths(fixed(1, 'D', '1.00', 8))).toEqual(['lines[0].offsetAccount']);
  expect(paths(fixed(9, 'D', '1.00', 8), fixed(1, 'D', '1.00', 2))).toEqual([]);
  expect(paths(fixed(8, 'D', '1.00'), fixed(1, 'C', '1.00'))).toEqual(['lines']);
  expect(paths(fixed(8, 'D', '1.00'), fixed(9, 'C', '1.00'), fixed(1, 'D', '5.00'), fixed(2, 'C', '5.00'))).toEqual([]);
  expect(paths(fixed(8, 'D', '1.00'), fixed(9, 'C', '2.00'))).toEqual(['lines']);
});
