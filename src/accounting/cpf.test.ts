import { expect, test } from 'vitest';
import { isCpf, plainCpf } from './cpf.ts';

test('punctuation goes, anything else stays', () => {
  for (const text of ['12345678909', '123.456.789-09', '123456789-09']) expect(plainCpf(text)).toBe('12345678909');
  for (const text of ['123.456.789-0', '12.3456.789-09', '123456789-09\n', 'x']) expect(plainCpf(text)).toBe(text);
});

test('form', () => {
  expect(isCpf('12345678909')).toBe(true);
  for (const text of ['1234567890', '123.456.789-09', '']) expect(isCpf(text)).toBe(false);
});
