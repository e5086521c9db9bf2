import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bulkEntry, plainBulkEntry } from './bulk-entry.ts';

const RIGHT = {
  empresa: '0001',
  filial: '0001',
  ano: 2026,
  mes: 1,
  lote: 'A',
  documento: '1',
  day: '05',
  historico: 'Aplicação',
  lines: [
    { debcre: 'D', conta: '1.1.1', valor: 10 },
    { debcre: 'C', conta: '1.1.2', valor: 10 },
  ],
};

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    ' ',
    '*',
    ' A',
    'A ',
    'ação',
    'Ａ',
    'e\u0301',
    '\u00a0x',
    '\u00ad',
    'a\tb',
    '\ud800',
  ),
  fc.constantFrom<unknown>(
    'x'.repeat(10),
    'x'.repeat(11),
    'x'.repeat(500),
    'x'.repeat(501),
    '5',
    '05',
    '32',
    '00',
    'D',
    'C',
  ),
  fc.constantFrom<unknown>(
    0,
    -0,
    1,
    1.5,
    -1,
    12,
    13,
    2026,
    0.001,
    0.1,
    1e15,
    9999999999999.99,
    1e16,
    Number.NaN,
    2 ** 53,
  ),
  fc.constantFrom<unknown>(true, [], {}, [RIGHT.lines[0]], { a: 1 }, { a: {} }, { b: 'x', a: null }),
  fc.string(),
);
const ofEntry = fc.constantFrom(...Object.keys(bulkEntry.shape), 'toString', 'nada');
const ofLine = fc.constantFrom('debcre', 'conta', 'contaId', 'valor', 'historico', 'constructor');

test('the short way gives what the schema gives, or leaves it to the schema', () => {
  let taken = 0;
  fc.assert(
    fc.property(
      fc.dictionary(ofEntry, odd, { maxKeys: 2 }),
      fc.dictionary(ofLine, odd, { maxKeys: 1 }),
      (change, lineChange) => {
        const lines = [{ ...RIGHT.lines[0], ...lineChange }, RIGHT.lines[1]];
        const given = { ...RIGHT, lines, ...change };
        const plain = plainBulkEntry(given);
        if (plain === undefined) return;
        taken++;
        expect(bulkEntry.parse(given)).toEqual(plain);
      },
    ),
    { numRuns: 5_000 },
  );
  expect(taken).toBeGreaterThan(200);
  expect(plainBulkEntry(RIGHT)).toBeDefined();
});
