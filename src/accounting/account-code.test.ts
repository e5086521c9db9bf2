import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FIRST_MASKS } from '../../test/support/masks.ts';
import {
  codeSortKey,
  compareCodes,
  digitsOnly,
  isAccountCode,
  levelOf,
  missingLevels,
  placesAbove,
  prefixMatches,
  segmentsKey,
  shapeOf,
  significantSegments,
} from './account-code.ts';

test('codes', () => {
  for (const code of ['1', '1.1.10', '1.1.0.00.00.00-2', '1.1.1.10.01.10-001', '11100009']) {
    expect(isAccountCode(code), code).toBe(true);
  }
  for (const code of ['', '.', '1.', '.1', '1..1', '1-', '1-1-1', '1-1.1', 'a', '1 ', '1\n', `${'1.'.repeat(20)}1`]) {
    expect(isAccountCode(code), code).toBe(false);
  }
});

test.each([
  ['1.1.10', 'PLAIN', '1.1.10', 3],
  ['1.1.0', 'PLAIN', '1.1', 2],
  ['0', 'PLAIN', '0', 1],
  ['1.0.0.00.00.00-9', 'REGULATORY', '1', 1],
  ['1.1.0.00.00.00-2', 'REGULATORY', '1.1', 2],
  ['3.0.1.00.00.00-4', 'REGULATORY', '3.0.1', 3],
  ['1.1.1.10.01.10-4', 'REGULATORY', '1.1.1.10.01.10', 6],
  ['1.1.2.00.00-2', 'REGULATORY', '1.1.2', 3],
  ['11200002', 'REGULATORY', '1.1.2', 3],
  ['1.1.1.10.01.10-001', 'SUB_ACCOUNT', '1.1.1.10.01.10-001', 7],
  ['1.1.1.10.00.00-01', 'SUB_ACCOUNT', '1.1.1.10-01', 5],
  ['1120000-001', 'SUB_ACCOUNT', '1.1.2-001', 4],
  // Seven segments fit no mask.
  ['1.0.0.0.0.00.00', 'PLAIN', '1', 1],
])('%s is %s at %s, level %d', (code, shape, key, level) => {
  expect([shapeOf(code, FIRST_MASKS), segmentsKey(code, FIRST_MASKS), levelOf(code, FIRST_MASKS)]).toEqual([
    shape,
    key,
    level,
  ]);
});

test('the suffix of an own sub-account is one more segment, and never a regulatory one', () => {
  expect(significantSegments('1.1.1.10.01.10-001', FIRST_MASKS)).toEqual(['1', '1', '1', '10', '01', '10', '001']);
  expect(segmentsKey('1.1.1.10.00.00-01', FIRST_MASKS)).not.toBe(segmentsKey('1.1.1.10.01.00-5', FIRST_MASKS));
});

test('a wider mask is data', () => {
  const wider = [{ name: 'WIDER', digits: [1, 1, 1, 2, 2, 3], separated: true }];
  expect(levelOf('1.1.0.00.00.000-2', FIRST_MASKS)).toBe(6 - 4 + 1);
  expect(shapeOf('1.1.0.00.00.000-2', wider)).toBe('REGULATORY');
  expect(levelOf('1.1.0.00.00.000-2', wider)).toBe(2);
});

describe('the tree', () => {
  const chart = ['3.0.0.00.00.00-7', '1.0.0.00.00.00-9', '1.1.0.00.00.00-2', '1.1.1.10.01.10-4', '2', '2.1'];
  const byKey = new Map(chart.map((code) => [segmentsKey(code, FIRST_MASKS), code]));
  const parentOf = (code: string) => byKey.get(placesAbove(code, FIRST_MASKS).findLast((key) => byKey.has(key)) ?? '');

  test.each([
    ['2.1.5', '2.1'],
    ['2.9.5', '2'],
    ['2', undefined],
    ['1.1.1.00.00.00-9', '1.1.0.00.00.00-2'],
    ['1.0.0.00.00.00-9', undefined],
    // Inner zeros hang under the nearest level above them.
    ['3.0.1.00.00.00-4', '3.0.0.00.00.00-7'],
    ['1.1.1.10.01.10-001', '1.1.1.10.01.10-4'],
    ['9.1', undefined],
  ])('the parent of %s is %s', (code, parent) => {
    expect(parentOf(code)).toBe(parent);
  });

  test('missing levels, with check digits; inner zeros are no level', () => {
    const missing = (code: string) => missingLevels(code, (key) => byKey.has(key), FIRST_MASKS);
    expect(missing('2.1.5.1')).toEqual(['2.1.5']);
    expect(missing('2.1')).toEqual([]);
    expect(missing('3.0.1.00.00.00-4')).toEqual([]);
    expect(missing('1.1.1.10.00.00-8')).toEqual(['1.1.1.00.00.00-9']);
    expect(missing('3.0.1.05.10.00-6')).toEqual(['3.0.1.00.00.00-4', '3.0.1.05.00.00-9']);
    expect(missing('1.1.1.10.02.00-002')).toEqual(['1.1.1.00.00.00-9', '1.1.1.10.00.00-8', '1.1.1.10.02.00-6']);
    expect(missing('41110000')).toEqual(['40000008', '41000007', '41100000']);
  });
});

describe('order', () => {
  const compare = (a: string, b: string) => compareCodes(a, b, FIRST_MASKS);

  test('segments as numbers, shorter first', () => {
    const sorted = ['1', '1.1', '1.1.2', '1.1.10', '1.2', '1.10', '2', '10', '10.1', '100'];
    expect(sorted.toReversed().sort(compare)).toEqual(sorted);
  });

  test('own sub-accounts follow their account whatever its check digit', () => {
    const sorted = [
      '1.1.1.10.01.00-5',
      '1.1.1.10.01.10-4',
      '1.1.1.10.01.10-001',
      '1.1.1.10.01.10-010',
      '1.1.1.10.01.11-1',
    ];
    expect(sorted.toReversed().sort(compare)).toEqual(sorted);
  });

  test('the bytes of the sort key say what numbers say', () => {
    const codes = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(codes, codes, (a, b) => {
        const keys = [codeSortKey(a.join('.'), FIRST_MASKS), codeSortKey(b.join('.'), FIRST_MASKS)] as const;
        expect(Math.sign(Buffer.compare(Buffer.from(keys[0]), Buffer.from(keys[1])))).toBe(numericOrder(a, b));
        expect(compare(a.join('.'), b.join('.'))).toBe(numericOrder(a, b));
      }),
      { numRuns: 2000 },
    );
    expect(codeSortKey('1.01.010', FIRST_MASKS)).toBe(codeSortKey('1.1.10', FIRST_MASKS));
  });

  function numericOrder(a: readonly bigint[], b: readonly bigint[]): number {
    for (let at = 0; at < Math.min(a.length, b.length); at++) {
      if (a[at] !== b[at]) return a[at]! < b[at]! ? -1 : 1;
    }
    return Math.sign(a.length - b.length);
  }
});

test.each([
  ['1.1*', '1.1.10', true],
  ['1.1', '1.1', true],
  ['1.1*', '1.10', false],
  ['1.1.*', '1.1.10', true],
  ['1*', '1', true],
  ['1*', '10.1', false],
  ['1.1.0*', '1.1.0', true],
  ['1.1*', '1.1.1.10.01.10-001', true],
  ['1.1.0.00.00.00-2*', '1.1.1.10.00.00-8', true],
  ['1.1.0.00.00.00*', '1.1.1.10.00.00-8', true],
  ['1.1.1.10.01.10-001*', '1.1.1.10.01.10-001', true],
  ['1.1.1.10.01.10-001*', '1.1.1.10.01.10-4', false],
  ['3.0*', '3.0.1.00.00.00-4', true],
  ['3.0*', '3.1.0.00.00.00-6', false],
  ['11*', '1.1.1.10.00.00-8', true],
  ['11*', '1.2.0.00.00.00-5', false],
  ['1100000002*', '1.1.1.10.00.00-8', true],
  ['110000000*', '1.1.1.10.00.00-8', true],
  ['11000006*', '1.1.2.00.00-2', true],
  // In a plain code digits have no fixed place.
  ['11*', '1.1.10', false],
  ['*', '1', false],
  ['a*', '1', false],
])('prefix %s and %s: %s', (prefix, code, expected) => {
  expect(prefixMatches(prefix, code, FIRST_MASKS)).toBe(expected);
});

test('digitsOnly', () => {
  expect(digitsOnly('1.1.0.00.00.00-2')).toBe('1100000002');
});
