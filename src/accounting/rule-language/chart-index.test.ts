import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIRST_MASKS } from '../../../test/support/masks.ts';
import { prefixMatches } from '../account-code.ts';
import { asId } from '../ids.ts';
import { type ChartAccount, indexChart, withoutDescendants } from './chart-index.ts';
import { EXAMPLE_CHART } from './example-branch.ts';

function chartOf(...codes: readonly (string | [code: string, shortCode: string])[]): ChartAccount[] {
  return codes.map((each, id) => {
    const [code, shortCode] = typeof each === 'string' ? [each, null] : each;
    return { id: asId(id), code, shortCode, accountClass: '01', normalBalance: 'D', ancestorIds: [] };
  });
}

function found(accounts: readonly ChartAccount[], text: string): string[] | string {
  const lookup = indexChart(accounts, FIRST_MASKS).find(text);
  return 'accounts' in lookup ? lookup.accounts.map(({ code }) => code) : lookup.problem;
}

const REGULATORY = [
  '1.0.0.00.00.00-9',
  '1.1.0.00.00.00-2',
  '1.1.1.00.00.00-9',
  '1.1.1.10.00.00-8',
  '1.1.1.10.01.10-001',
];

describe('an account text', () => {
  it('is the code, else the reduced code, else digits', () => {
    const chart = chartOf(['1.1', '7'], ['7', '1'], ['11.5', '99']);
    expect(found(chart, '1.1')).toEqual(['1.1']);
    expect(found(chart, '7')).toEqual(['7']);
    expect(found(chart, '1')).toEqual(['7']);
    expect(found(chart, '11')).toEqual(['1.1']);
    expect(found(chart, '115')).toEqual(['11.5']);
    expect(found(chart, '2')).toBe('NOT_FOUND');
    expect(found(chart, '')).toBe('MALFORMED');
  });

  it('as digits carries the check digit or not', () => {
    const chart = chartOf(...REGULATORY, '21000007');
    expect(found(chart, '1110000009')).toEqual(['1.1.1.00.00.00-9']);
    expect(found(chart, '111000000')).toEqual(['1.1.1.00.00.00-9']);
    expect(found(chart, '1.1.1.00.00.00')).toEqual(['1.1.1.00.00.00-9']);
    expect(found(chart, '111100110001')).toEqual(['1.1.1.10.01.10-001']);
    expect(found(chart, '2100000')).toEqual(['21000007']);
  });

  it('that two accounts answer to is ambiguous, and names both', () => {
    const lookup = indexChart(chartOf('1.11', '11.1', '2'), FIRST_MASKS).find('111');
    expect(lookup).toMatchObject({
      problem: 'AMBIGUOUS',
      candidates: [{ code: '1.11' }, { code: '11.1' }],
    });
  });

  it('with dots is not taken apart: 1.11 is not 11.1', () => {
    expect(found(chartOf('11.1'), '1.11')).toBe('NOT_FOUND');
  });

  it.each(['__proto__', 'constructor', 'toString'])('%s is no account', (text) => {
    expect(found(EXAMPLE_CHART, text)).toBe('NOT_FOUND');
    expect(found(EXAMPLE_CHART, `${text}*`)).toEqual([]);
  });
});

describe('a prefix', () => {
  it('compares segments, not characters', () => {
    const chart = chartOf('1', '1.1', '1.1.5', '1.10', '11');
    expect(found(chart, '1.1*')).toEqual(['1.1', '1.1.5']);
    expect(found(chart, '1*')).toEqual(['1', '1.1', '1.1.5', '1.10']);
    expect(found(chart, '11*')).toEqual(['11']);
    expect(found(chart, '2*')).toEqual([]);
  });

  it('leaves the accounts below one it holds to that one', () => {
    expect(found(EXAMPLE_CHART, '1*')).toEqual(['1']);
    expect(found(EXAMPLE_CHART, '1.1*')).toEqual(['1.1']);
  });

  it('reads digits alike in regulatory codes', () => {
    expect(found(chartOf(...REGULATORY), '11*')).toEqual(REGULATORY.slice(1));
    expect(found(chartOf(...REGULATORY), '1.1*')).toEqual(REGULATORY.slice(1));
    expect(found(chartOf('11000006', '11100009', '12000005'), '11*')).toEqual(['11000006', '11100009']);
  });

  it('has its star last, nowhere else and not alone', () => {
    for (const text of ['*', '1*1', '*1', '1**']) expect(found(EXAMPLE_CHART, text)).toBe('MALFORMED');
  });

  it('finds by look-up what comparing every account finds', () => {
    const digit = fc.integer({ min: 0, max: 2 }).map(String);
    const two = fc.constantFrom('00', '01', '10', '11');
    const code = fc.oneof(
      fc
        .array(fc.constantFrom('0', '1', '2', '10', '11'), { minLength: 1, maxLength: 4 })
        .map((parts) => parts.join('.')),
      fc.tuple(digit, digit, digit, two, two, two).map((parts) => `${parts.join('.')}-1`),
      fc.tuple(digit, digit, digit, two, two).map((parts) => `${parts.join('.')}-1`),
      fc.tuple(digit, digit, digit, two, two, two).map((parts) => `${parts.join('.')}-001`),
      fc.tuple(digit, digit, digit, two, two).map((parts) => `${parts.join('')}1`),
    );
    const bare = code.map((each) => each.replace(/\D/g, ''));
    const part = fc
      .tuple(fc.oneof(code, bare), fc.nat({ max: 16 }))
      .map(([whole, length]) => whole.slice(0, length + 1));
    fc.assert(
      fc.property(fc.uniqueArray(code, { maxLength: 30 }), fc.oneof(code, bare, part), (codes, prefix) => {
        const expected = codes.filter((each) => prefixMatches(`${prefix}*`, each, FIRST_MASKS));
        expect([...found(chartOf(...codes), `${prefix}*`)].sort()).toEqual(expected.sort());
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('withoutDescendants', () => {
  it('drops repetitions and what lies below another', () => {
    const byCode = (code: string) => EXAMPLE_CHART.find((each) => each.code === code)!;
    const union = ['1.1.1', '1.1', '1.1', '4.1', '9'].map(byCode);
    expect(withoutDescendants(union).map(({ code }) => code)).toEqual(['1.1', '4.1', '9']);
    expect(withoutDescendants(['1.1.9', '1'].map(byCode)).map(({ code }) => code)).toEqual(['1']);
  });
});
