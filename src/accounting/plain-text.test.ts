import { expect, test } from 'vitest';
import { codeForm, isPlainCode, isPlainName } from './plain-text.ts';

test.each(['0001', 'COSIF', 'Ação 1', 'maria@exemplo.com.br', '1.1.1.10-001', 'İ'])('%s is a code', (code) => {
  expect(codeForm(code)).toBe(code);
  expect(isPlainCode(code)).toBe(true);
});

test('full-width and ligature forms of a code become the plain characters', () => {
  expect(codeForm(' ＣＯＳＩＦ　')).toBe('COSIF');
  expect(codeForm('ﬁm')).toBe('fim');
  expect(isPlainCode(codeForm('００１'))).toBe(true);
});

test.each([
  ['a Cyrillic letter', 'СOSIF'],
  ['a whole Cyrillic word', 'СОЅІ'],
  ['a Greek letter', 'ΑDMIN'],
  ['a zero-width space', 'CO\u200bSIF'],
  ['a soft hyphen', 'CO\u00adSIF'],
  ['a right-to-left override', '\u202eFISOC'],
  ['a filler drawn as a blank', 'A\u3164'],
  ['a dotless i', 'admın'],
  ['a phonetic a', 'ɑdmin'],
  ['digits of another script', '١٢'],
  ['a dash that is no hyphen', '1–1'],
  ['an accent on nothing', '\u0301A'],
])('%s makes no code', (_, code) => expect(isPlainCode(codeForm(code))).toBe(false));

test.each(['Banco São João S.A.', "Caixa d'Água – 2ª filial", 'Ярослав', '東京 Branch', 'µ-fundo', 'ρ fundo'])(
  '%s is a name',
  (name) => expect(isPlainName(name)).toBe(true),
);

test.each(['Bаnco', 'Caixa\u200b', '\u2800', '\u3164', 'a\u202eb', 'Ευro'])('%j is no name', (name) =>
  expect(isPlainName(name)).toBe(false),
);
