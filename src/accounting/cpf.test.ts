import { expect, test } from 'vitest';
import { hasValidCpfDigits, isCpf, plainCpf } from './cpf.ts';

test('punctuation goes, anything else stays', () => {
  for (const text of ['12345678909', '123.456.789-09', '123456789-09']) expect(plainCpf(text)).toBe('12345678909');
  for (const text of ['123.456.789-0', '12.3456.789-09', '123456789-09\n', 'x']) expect(plainCpf(text)).toBe(text);
});

test('form', () => {
  expect(isCpf('12345678909')).toBe(true);
  for (const text of ['1234567890', '123.456.789-09', '']) expect(isCpf(text)).toBe(false);
});

test('check digits', () => {
  for (const text of ['12345678909', '11144477735', '00000000191']) expect(hasValidCpfDigits(text)).toBe(true);
  for (const text of ['12345678900', '12345678919', '11111111111', '1234567890', '']) {
    expect(hasValidCpfDigits(text)).toBe(false);
  }
});
