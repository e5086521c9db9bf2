import { expect, test } from 'vitest';
import { leastProcessorMs } from '../../test/support/processor-time.ts';
import { redactLine } from './redact.ts';

const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl-_x';

test.each([
  [`authorization: Bearer ${TOKEN}`],
  [`{"accessToken":"${TOKEN}","status":200}`],
  [`GET /x?token=${TOKEN}&page=1`],
  [`the token was ${TOKEN}.`],
  ['{"body":"{\\"password\\":\\"c2lnbmF0dXJl\\"}"}'],
  ['{"password":"c2lnbmF0dXJl \\" more"}'],
  ['{"senha" : "c2lnbmF0dXJl"}'],
  ['password=c2lnbmF0dXJl user=maria'],
  ['client_secret: c2lnbmF0dXJl'],
  ['postgres PGPASSWORD=c2lnbmF0dXJl'],
])('removes tokens and passwords: %s', (line) => {
  expect(redactLine(line)).not.toContain('c2lnbmF0dXJl');
  expect(redactLine(line)).toContain('[removed]');
});

test.each([
  'signatário 529.982.247-25',
  '{"cpf":"52998224725"}',
  'cpf 52998224725 inválido',
  '{"document":52998224725}',
])('removes CPFs: %s', (line) => {
  expect(redactLine(line)).not.toMatch(/529\.?982/);
});

test.each([
  '{"level":30,"time":1790000000000,"pid":12345,"service":"movements","ms":12,"msg":"request"}',
  '{"cnpj":"11222333000181","valor":12345678901.23}',
  'the user typed a wrong password',
  '{"route":"/api/auth/password","method":"POST","status":200}',
  'entry 12345678900 of document 7',
])('keeps the rest: %s', (line) => {
  expect(redactLine(line)).toBe(line);
});

test('what is left of a JSON line is still JSON', () => {
  const line = JSON.stringify({
    a: 1,
    token: TOKEN,
    nested: { password: 'x"y\\z' },
    list: ['Bearer abc'],
    cpf: 52998224725,
  });
  expect(JSON.parse(redactLine(line))).toMatchObject({
    a: 1,
    token: '[removed]',
    nested: { password: '[removed]' },
    cpf: '[removed]',
  });
});

const MAX_MS = 1_000;

test('a hostile line takes no time', () => {
  const least = leastProcessorMs(() => {
    redactLine(`"password${'-password'.repeat(20_000)}`);
    redactLine('\\'.repeat(100_000));
    redactLine('"password":"'.repeat(10_000));
    redactLine('eyJ-'.repeat(20_000));
    redactLine('Bearer '.repeat(20_000));
  }, MAX_MS);
  expect(least).toBeLessThan(MAX_MS);
});
