import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareNatural, naturalKey } from './natural-order.ts';

test('numbers by value, then the others as text', () => {
  const sorted = ['1', '2', '10', '0011', '100', '99999999999999999999', '', '10a', 'A1', 'A10', 'A2', 'a', 'é'];
  expect(sorted.toReversed().sort(compareNatural)).toEqual(sorted);
  expect(compareNatural('007', '7')).toBe(0);
  expect(naturalKey('42')).toBe('000000000000000000042');
});

test('the comparison is the byte order of the keys', () => {
  const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.nat().map(String), fc.constantFrom('\u{1F600}', '\uFFFD'));
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(compareNatural(a, b)).toBe(Buffer.compare(Buffer.from(naturalKey(a)), Buffer.from(naturalKey(b))));
    }),
    { numRuns: 1000 },
  );
});
