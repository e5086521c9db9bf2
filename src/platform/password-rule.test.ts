import { expect, test } from 'vitest';
import { isCommonPassword } from './password-rule.ts';

test.each([
  'password1234',
  'Password1234!',
  '!!PASSWORD!!2026',
  'senha1234567',
  'Flamengo2026!',
  'contabilidade1',
  'administrador2026',
  '123456789012',
  '345678901234',
  '987654321098',
  'aaaaaaaaaaaaaaaa',
  'senhasenhasenha',
  'qwertyqwerty12',
  'abcdefghijklm',
  'Partidas2026!',
  'partidas-senha-1',
  'PARTIDASPARTIDAS',
  'maria.souza-2026',
  'ＰＡＳＳＷＯＲＤ1234',
])('%s is common', (password) => {
  expect(isCommonPassword(password, 'maria.souza')).toBe(true);
});

test.each([
  'uma senha comprida',
  'correct horse battery',
  'partidas dobradas desde 1494',
  'maria.souza gosta de bolo',
  'aX7#kk2pQ!vb',
  'a senha certa 1',
  '839201847362',
  '\u{1f600}\u{1f601}\u{1f602}\u{1f603}\u{1f604}\u{1f605}',
])('%s is not', (password) => {
  expect(isCommonPassword(password, 'maria.souza')).toBe(false);
});

test('a short user name takes nothing away', () => {
  expect(isCommonPassword('abracadabra de ana', 'a')).toBe(false);
});
