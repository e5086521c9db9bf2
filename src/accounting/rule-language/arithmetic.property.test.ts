import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileScript } from './compile-script.ts';
import { decimalText } from './decimal.ts';
import { evaluateScript } from './evaluate-script.ts';
import { EXAMPLE_REFERENCE_MONTH, exampleBranch } from './example-branch.ts';

/** The same arithmetic written a second time, over fractions in lowest terms. */
interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

type Result = Fraction | 'DIVISION_BY_ZERO' | 'NUMBER_TOO_LARGE';

interface Case {
  readonly source: string;
  readonly result: Result;
}

const literal: fc.Arbitrary<Case> = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 14n }), fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 3 }))
  .map(([digits, scale, zeros]) => {
    const text = digits.toString().padStart(scale + 1, '0');
    const decimals = text.slice(text.length - scale);
    const point = scale === 0 ? '' : `.${decimals}${'0'.repeat(zeros)}`;
    return { source: text.slice(0, text.length - scale) + point, result: fraction(digits, 10n ** BigInt(scale)) };
  });

const expression = fc.letrec<{ any: Case }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    literal,
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => combine(`(${a.source} + ${b.source})`, [a, b], sum)),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => combine(`(${a.source} - ${b.source})`, [a, b], difference)),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => combine(`(${a.source} * ${b.source})`, [a, b], product)),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => combine(`(${a.source} / ${b.source})`, [a, b], quotient)),
    tie('any').map((a) => combine(`-${a.source}`, [a], negation)),
    tie('any').map((a) => combine(`ABS(${a.source})`, [a], (x) => (x.numerator < 0n ? negation(x) : x))),
    fc
      .tuple(tie('any'), tie('any'))
      .map(([a, b]) => combine(`MIN(${a.source}, ${b.source})`, [a, b], (x, y) => (isLess(y, x) ? y : x))),
    fc
      .tuple(tie('any'), tie('any'))
      .map(([a, b]) => combine(`MAX(${a.source}, ${b.source})`, [a, b], (x, y) => (isLess(x, y) ? y : x))),
    fc
      .tuple(tie('any'), fc.integer({ min: 0, max: 12 }))
      .map(([a, n]) => combine(`ARREDONDA(${a.source}, ${n})`, [a], (x) => away(x, n))),
  ),
})).any;

describe('evaluation', () => {
  it('equals exact rational arithmetic, digits and failures alike', () => {
    const seen = { numbers: 0, zeroDivisions: 0, overflows: 0 };
    fc.assert(
      fc.property(expression, ({ source, result }) => {
        const { value, code } = evaluated(source);
        if (typeof result === 'string') expect(code).toBe(result);
        else expect(value).toBe(textOf(result));
        if (result === 'DIVISION_BY_ZERO') seen.zeroDivisions++;
        else if (result === 'NUMBER_TOO_LARGE') seen.overflows++;
        else seen.numbers++;
      }),
      { numRuns: 3_000, examples: [[{ source: '(1 / 3) * 3', result: fraction(99999999999999999999n, 10n ** 20n) }]] },
    );
    expect(seen.numbers).toBeGreaterThan(1_000);
    expect(seen.zeroDivisions + seen.overflows).toBeGreaterThan(10);
  });

  it('orders numbers as fractions are ordered', () => {
    fc.assert(
      fc.property(literal, literal, (a, b) => {
        const [x, y] = [a.result as Fraction, b.result as Fraction];
        expect(evaluated(`${a.source} < ${b.source}`).value).toBe(isLess(x, y));
        expect(evaluated(`${a.source} >= ${b.source}`).value).toBe(!isLess(x, y));
        expect(evaluated(`${a.source} = ${b.source}`).value).toBe(
          x.numerator * y.denominator === y.numerator * x.denominator,
        );
      }),
      {
        numRuns: 500,
        examples: [
          [
            { source: '1.50', result: fraction(3n, 2n) },
            { source: '1.5', result: fraction(3n, 2n) },
          ],
        ],
      },
    );
  });
});

function evaluated(source: string): { value: string | boolean | null; code: string | undefined } {
  const facts = { referenceMonth: EXAMPLE_REFERENCE_MONTH, balances: exampleBranch([]) };
  const { value, failure } = evaluateScript(compileScript(`RETORNA ${source}`).script!, facts).outcome!;
  return { value: typeof value === 'object' && value !== null ? decimalText(value) : value, code: failure?.code };
}

/** Failures of the parts come first, left to right, as the language evaluates. */
function combine(source: string, parts: readonly Case[], operation: (...values: Fraction[]) => Result): Case {
  const failed = parts.map(({ result }) => result).find((result) => typeof result === 'string');
  if (failed !== undefined) return { source, result: failed };
  const result = operation(...parts.map(({ result: part }) => part as Fraction));
  return { source, result: typeof result === 'string' || fits(result) ? result : 'NUMBER_TOO_LARGE' };
}

function fraction(numerator: bigint, denominator: bigint): Fraction {
  const divisor = commonDivisor(numerator < 0n ? -numerator : numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

function commonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

function sum(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

function difference(a: Fraction, b: Fraction): Fraction {
  return sum(a, negation(b));
}

function negation(a: Fraction): Fraction {
  return { numerator: -a.numerator, denominator: a.denominator };
}

function product(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.numerator, a.denominator * b.denominator);
}

function isLess(a: Fraction, b: Fraction): boolean {
  return a.numerator * b.denominator < b.numerator * a.denominator;
}

function quotient(a: Fraction, b: Fraction): Result {
  if (b.numerator === 0n) return 'DIVISION_BY_ZERO';
  const sign = b.numerator < 0n ? -1n : 1n;
  const exact = fraction(sign * a.numerator * b.denominator, sign * b.numerator * a.denominator);
  const unit = 10n ** 20n;
  const below = floor(exact.numerator * unit, exact.denominator);
  const rest = difference(fraction(exact.numerator * unit, exact.denominator), { numerator: below, denominator: 1n });
  const half = { numerator: 1n, denominator: 2n };
  const isTie = rest.numerator * 2n === rest.denominator;
  const isUp = isTie ? below % 2n !== 0n : isLess(half, rest);
  return fraction(isUp ? below + 1n : below, unit);
}

function away(x: Fraction, places: number): Fraction {
  const unit = 10n ** BigInt(places);
  const size = x.numerator < 0n ? -x.numerator : x.numerator;
  const rounded = floor(2n * size * unit + x.denominator, 2n * x.denominator);
  return fraction(x.numerator < 0n ? -rounded : rounded, unit);
}

function floor(numerator: bigint, denominator: bigint): bigint {
  const towardsZero = numerator / denominator;
  return numerator % denominator < 0n ? towardsZero - 1n : towardsZero;
}

function fits(x: Fraction): boolean {
  const [whole = '', decimals = ''] = textOf(x).replace('-', '').split('.');
  return (whole === '0' ? 0 : whole.length) + decimals.length <= 60;
}

/** Long division: every fraction here ends. */
function textOf({ numerator, denominator }: Fraction): string {
  const size = numerator < 0n ? -numerator : numerator;
  let text = (size / denominator).toString();
  let rest = size % denominator;
  if (rest !== 0n) text += '.';
  while (rest !== 0n) {
    rest *= 10n;
    text += (rest / denominator).toString();
    rest %= denominator;
  }
  return numerator < 0n ? `-${text}` : text;
}
