import { describe, expect, it } from 'vitest';
import {
  add,
  compareDecimals,
  decimal,
  decimalFromText,
  decimalText,
  divide,
  fitsDigits,
  formatDecimal,
  multiply,
  negate,
  roundHalfAwayFromZero,
  subtract,
  wholeNumber,
} from './decimal.ts';

const d = decimalFromText;
const quotient = (a: string, b: string, decimals = 20) => decimalText(divide(d(a), d(b), decimals));

describe('decimal arithmetic', () => {
  it('is exact where floats are not', () => {
    expect(decimalText(add(d('0.1'), d('0.2')))).toBe('0.3');
    expect(decimalText(subtract(d('1'), d('0.9')))).toBe('0.1');
    expect(decimalText(multiply(d('1.10'), d('1.10')))).toBe('1.21');
    expect(decimalText(multiply(d('99999999999999999999'), d('99999999999999999999')))).toBe(
      '9999999999999999999800000000000000000001',
    );
  });

  it('keeps equal numbers equal in form', () => {
    expect(d('1.500')).toEqual(d('1.5'));
    expect(subtract(d('1.50'), d('1.5'))).toEqual(decimal(0n));
    expect(compareDecimals(d('1.5'), d('1.49'))).toBe(1);
    expect(compareDecimals(negate(d('1.5')), d('1.49'))).toBe(-1);
  });

  it('divides half to even', () => {
    expect(quotient('1', '3')).toBe('0.33333333333333333333');
    expect(quotient('2', '3')).toBe('0.66666666666666666667');
    expect(quotient('5', '2', 0)).toBe('2');
    expect(quotient('7', '2', 0)).toBe('4');
    expect(decimalText(divide(negate(d('5')), d('2'), 0))).toBe('-2');
    expect(decimalText(divide(negate(d('7')), d('2'), 0))).toBe('-4');
    expect(decimalText(divide(d('1'), negate(d('3')), 2))).toBe('-0.33');
    expect(quotient('0.00000000000000000001', '2')).toBe('0');
    expect(quotient('0.00000000000000000003', '2')).toBe('0.00000000000000000002');
  });

  it('rounds half away from zero', () => {
    const rounded = (text: string, places: number) => decimalText(roundHalfAwayFromZero(d(text), places));
    expect(rounded('2.345', 2)).toBe('2.35');
    expect(rounded('2.344999', 2)).toBe('2.34');
    expect(rounded('0.5', 0)).toBe('1');
    expect(decimalText(roundHalfAwayFromZero(negate(d('2.345')), 2))).toBe('-2.35');
    expect(decimalText(roundHalfAwayFromZero(negate(d('0.4')), 0))).toBe('0');
    expect(rounded('2.3', 12)).toBe('2.3');
  });

  it('counts digits on both sides of the point', () => {
    expect(fitsDigits(decimal(10n ** 60n - 1n), 60)).toBe(true);
    expect(fitsDigits(decimal(10n ** 60n), 60)).toBe(false);
    expect(fitsDigits(decimal(-(10n ** 60n)), 60)).toBe(false);
    expect(fitsDigits(decimal(1n, 60), 60)).toBe(true);
    expect(fitsDigits(decimal(1n, 61), 60)).toBe(false);
  });

  it('knows whole numbers', () => {
    expect(wholeNumber(d('12.0'))).toBe(12);
    expect(wholeNumber(d('12.5'))).toBeUndefined();
    expect(wholeNumber(d('10000000000'))).toBeUndefined();
  });
});

describe('formatDecimal', () => {
  const shown = (text: string) => formatDecimal(d(text), 10);

  it('writes two decimals at least and up to ten when needed', () => {
    expect(shown('1234.5')).toBe('1.234,50');
    expect(shown('0')).toBe('0,00');
    expect(shown('1234567')).toBe('1.234.567,00');
    expect(shown('0.1234567891')).toBe('0,1234567891');
    expect(shown('0.12345678915')).toBe('0,1234567892');
    expect(shown('0.1200000000001')).toBe('0,12');
    expect(formatDecimal(negate(d('999.005')), 10)).toBe('-999,005');
    expect(formatDecimal(negate(d('0.00000000001')), 10)).toBe('0,00');
  });
});
