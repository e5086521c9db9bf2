import { expect, test } from 'vitest';
import { cnpjCheckDigits, hasValidCnpjDigits, isCnpj, maskedCnpj, plainCnpj } from './cnpj.ts';

test.each(['12ABC34501DE35', '11222333000181', '19131243000197', '00000000000191'])('%s is right', (cnpj) => {
  expect(cnpjCheckDigits(cnpj.slice(0, 12))).toBe(cnpj.slice(12));
  expect(hasValidCnpjDigits(cnpj)).toBe(true);
});

test('a rest of 0 or 1 gives the digit 0', () => {
  expect(cnpjCheckDigits('000000000000')).toBe('00');
  expect(cnpjCheckDigits('000000000006')).toBe('04');
});

test('a wrong digit shows, and so do the numbers never given', () => {
  for (const cnpj of ['11222333000180', '11222333000191', '12ABC34501DE53', '00000000000000', '1122233300018']) {
    expect(hasValidCnpjDigits(cnpj)).toBe(false);
  }
});

test('form', () => {
  for (const text of [
    '11.222.333/0001-81',
    '12abc34501de35',
    '12ABC34501DEA5',
    '1122233300018',
    '',
    '11222333000181\n',
  ]) {
    expect(isCnpj(text)).toBe(false);
  }
});

test('punctuation goes, anything else stays', () => {
  expect(plainCnpj('12.ABC.345/01DE-35')).toBe('12ABC34501DE35');
  expect(plainCnpj('11222333/0001-81')).toBe('11222333000181');
  for (const text of ['11222333000181', '1-1222333000181', '11.222.333/0001-8', ' '])
    expect(plainCnpj(text)).toBe(text);
});

test('mask', () => {
  expect(maskedCnpj('12ABC34501DE35')).toBe('12.ABC.345/01DE-35');
  expect(maskedCnpj('123')).toBe('123');
});
