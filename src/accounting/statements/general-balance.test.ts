import { expect, test } from 'vitest';
import { codesOf, idOf, movement, SMALL_BANK } from '../../../test/support/small-bank.ts';
import { generalBalance } from './general-balance.ts';

const ALL = { considerClosing: true, showZeroBalances: false };

test('assets and memorandum accounts of debit nature stand on one side, all the rest on the other', () => {
  const { debit, credit, difference } = generalBalance(SMALL_BANK, ALL, true);
  expect(codesOf(debit.rows)).toBe('1 1.1 1.2 5 5.1');
  expect(codesOf(credit.rows)).toBe('2 2.1 3 3.1 7 7.1 8 8.1 9 9.1');
  expect(debit.total).toEqual(movement(1_040_00n, 250_00n, 150_00n));
  expect(credit.total).toEqual(movement(-1_040_00n, 300_00n, 400_00n));
  expect(difference).toEqual({ opening: 0n, balance: 0n });
});

test('sides that differ say by how much, unless only some accounts are shown', () => {
  const wrong = new Map(SMALL_BANK.movements).set(idOf('1.2'), movement(100_01n, 5n));
  expect(generalBalance({ ...SMALL_BANK, movements: wrong }, ALL, true).difference).toEqual({
    opening: 1n,
    balance: 6n,
  });
  expect(generalBalance({ ...SMALL_BANK, movements: wrong }, ALL, false).difference).toEqual({
    opening: 0n,
    balance: 0n,
  });
});
