import { expect, test } from 'vitest';
import { printedCrc } from './crc.ts';

test.each([
  ['1SP214567/O-3', 'SP'],
  ['1SP214567/O-3', undefined],
  ['CRC 1SP214567/O-3', undefined],
  ['crc/sp 1sp214567/o-3', 'SP'],
  ['1 SP 214567 / O-3', undefined],
  ['SP-214567/O-3', undefined],
  ['214567/O-3', 'SP'],
  ['1SP214567O3', undefined],
])('%s of %s is printed as CRC 1SP214567/O-3', (text, state) => {
  expect(printedCrc(text, state)).toBe('CRC 1SP214567/O-3');
});

test.each([
  ['214567', 'RJ', 'CRC 1RJ214567'],
  ['4567/P', 'RJ', 'CRC 1RJ004567/P'],
  ['SP214567/O-3 T-RJ', undefined, 'CRC 1SP214567/O-3 T-RJ'],
  ['214567', undefined, 'CRC 214567'],
  ['em andamento', 'SP', 'CRC em andamento'],
])('%s of %s says no more than was typed', (text, state, printed) => {
  expect(printedCrc(text, state)).toBe(printed);
});
