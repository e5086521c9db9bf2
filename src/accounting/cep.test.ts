import { expect, test } from 'vitest';
import { isCep, maskedCep, plainCep } from './cep.ts';

test('eight digits, masked with a hyphen', () => {
  expect(isCep('01001000')).toBe(true);
  for (const text of ['01001-000', '0100100', '010010000', 'abcdefgh', '01001000\n']) expect(isCep(text)).toBe(false);
  expect(maskedCep('01001000')).toBe('01001-000');
  expect(maskedCep('123')).toBe('123');
  for (const text of ['01001000', '01001-000', '01.001-000']) expect(plainCep(text)).toBe('01001000');
  expect(plainCep('0100-1000')).toBe('0100-1000');
});
