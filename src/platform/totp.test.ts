import { expect, test } from 'vitest';
import { base32, codeOfStep, otpauthUri, stepOfCode } from './totp.ts';

const SECRET = Buffer.from('12345678901234567890');

// RFC 6238, appendix B, SHA-1: the last six of the eight digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i seconds the code is %s', (seconds, code) => {
  const step = Math.floor(seconds / 30);
  expect(codeOfStep(SECRET, step)).toBe(code);
  expect(stepOfCode(SECRET, code, new Date(seconds * 1000))).toBe(step);
  expect(stepOfCode(SECRET, code, new Date((seconds + 30) * 1000))).toBe(step);
  expect(stepOfCode(SECRET, code, new Date((seconds + 60) * 1000))).toBeUndefined();
});

test('a secret is written as apps take it', () => {
  // RFC 4648, section 10, without padding.
  expect(['f', 'fo', 'foo', 'foobar'].map((text) => base32(Buffer.from(text)))).toEqual([
    'MY',
    'MZXQ',
    'MZXW6',
    'MZXW6YTBOI',
  ]);
  expect(otpauthUri(SECRET, 'zé:1', 'Partidas')).toBe(
    'otpauth://totp/Partidas:z%C3%A9%3A1?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Partidas&algorithm=SHA1&digits=6&period=30',
  );
});
