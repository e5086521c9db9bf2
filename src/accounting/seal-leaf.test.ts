import { expect, test } from 'vitest';
import type { Day } from './period.ts';
import { balanceLeaf, lineLeaf, type SealedLine } from './seal-leaf.ts';

const LINE: SealedLine = {
  day: '2026-01-05' as Day,
  batch: '1',
  document: '10',
  entry: '01',
  sequence: 1,
  account: '1.1.2',
  offset: '3.1',
  side: 'D',
  amount: '1000.00',
  closing: false,
  printedNarration: 'Aporte de capital',
};

test('a line is its fields in their order, with tabs between them', () => {
  expect(lineLeaf(LINE)).toBe('2026-01-05\t1\t10\t01\t1\t1.1.2\t3.1\tD\t1000.00\t0\tAporte de capital');
  expect(lineLeaf({ ...LINE, offset: null, closing: true, side: 'C', printedNarration: '' })).toBe(
    '2026-01-05\t1\t10\t01\t1\t1.1.2\t\tC\t1000.00\t1\t',
  );
});

test('no field can pass for two', () => {
  expect(lineLeaf({ ...LINE, printedNarration: 'a\tb\\c\nd\re\bf\fg\vh' })).toMatch(
    /\ta\\tb\\\\c\\nd\\re\\bf\\fg\\vh$/,
  );
  expect(lineLeaf({ ...LINE, batch: '1\t1', document: '0' }).split('\t')).toHaveLength(11);
});

test('a balance is its account and six amounts', () => {
  const amounts = { opening: '0.00', debit: '1000.00', credit: '55.00', closingDebit: '0.00', closingCredit: '0.00' };
  expect(balanceLeaf({ account: '1.1.2', ...amounts, balance: '945.00' })).toBe(
    '1.1.2\t0.00\t1000.00\t55.00\t0.00\t0.00\t945.00',
  );
});
