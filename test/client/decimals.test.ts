import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExact } from '../../client/src/decimals.ts';

const DECIMALS = { content: { valor: true, total: { valor: true } } } as const;

const decimal = fc
  .tuple(fc.constantFrom('', '-'), fc.bigInt(0n, 10n ** 18n), fc.stringMatching(/^\d{0,12}$/))
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`);
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('"valor":1.50', ',"valor":1.50', '{"valor":1}', '\\"valor":2', '\uE0001.00', '\\ue000', 'valor'),
);
const row = fc.record({
  valor: fc.option(decimal),
  name: text,
  count: fc.integer(),
  total: fc.record({ valor: decimal }),
});

test('whatever stands in texts and beside them, the decimals named are text and all other numbers are numbers', () => {
  const given = fc.record({ content: fc.array(row), other: fc.record({ valor: fc.integer(), name: text }) });
  fc.assert(
    fc.property(given, fc.constantFrom('', ' ', '\n  '), (value, space) => {
      // Decimals go out bare, as the platform writes them.
      const written = JSON.stringify(
        value,
        (name, field) => (name === 'valor' && typeof field === 'string' ? JSON.rawJSON(field) : field),
        space,
      );
      expect(parseExact(written, DECIMALS)).toEqual(value);
    }),
  );
});

test.each([
  ['a list of decimals', '{"content":{"valor":[1.00,2.50]}}', { content: { valor: ['1.00', '2.50'] } }],
  [
    'a text with the mark',
    '{"content":{"valor":1.10,"name":"\\ue000 2"}}',
    { content: { valor: '1.10', name: '\uE000 2' } },
  ],
])('%s', (_, written, value) => {
  expect(parseExact(written, DECIMALS)).toEqual(value);
});

test('any name', () => {
  expect(parseExact('{"content":{"a":1.00,"b":-2.50}}', { content: { '*': true } })).toEqual({
    content: { a: '1.00', b: '-2.50' },
  });
});
