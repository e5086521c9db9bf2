import { expect, test } from 'vitest';
import { codesOf, movement, SMALL_BANK } from '../../../test/support/small-bank.ts';
import { type ClosingColumn, trialBalance } from './trial-balance.ts';

const ALL = { considerClosing: true, showZeroBalances: false };

test('rows are in the order of the chart, without accounts that have neither balance nor movement', () => {
  const { rows } = trialBalance(SMALL_BANK, ALL, 'APART');
  expect(codesOf(rows)).toBe('1 1.1 1.2 2 2.1 3 3.1 5 5.1 7 7.1 8 8.1 9 9.1');
  expect(codesOf(trialBalance(SMALL_BANK, { ...ALL, showZeroBalances: true }, 'APART').rows)).toContain('1.2 1.3 2');
  expect(codesOf(trialBalance(SMALL_BANK, { ...ALL, level: 1 }, 'APART').rows)).toBe('1 2 3 5 7 8 9');
  expect(rows[1]).toEqual({
    account: SMALL_BANK.accounts[1],
    section: 'ASSET',
    movement: movement(900_00n, 250_00n, 150_00n),
    balance: 1_000_00n,
  });
});

test('the total is that of the posting accounts, whatever level is shown', () => {
  const shown = trialBalance(SMALL_BANK, { ...ALL, level: 1 }, 'APART');
  expect(shown.total).toEqual({ ...movement(0n, 350_00n, 350_00n), closingDebit: 200_00n, closingCredit: 200_00n });
  expect(shown.sides.debit).toEqual({ opening: 1_040_00n, balance: 1_190_00n });
  expect(shown.sides.credit).toEqual({ opening: -1_040_00n, balance: -1_190_00n });
});

test('closing entries are apart, within debits and credits, or not at all', () => {
  const revenue = (selection: typeof ALL, closing: ClosingColumn) =>
    trialBalance(SMALL_BANK, selection, closing).rows.find(({ account }) => account.code === '7.1');
  expect(revenue(ALL, 'APART')).toMatchObject({ movement: movement(0n, 0n, 200_00n, 200_00n), balance: 0n });
  expect(revenue(ALL, 'MERGED')).toMatchObject({ movement: movement(0n, 200_00n, 200_00n), balance: 0n });
  const before = { ...ALL, considerClosing: false };
  expect(revenue(before, 'APART')).toMatchObject({ movement: movement(0n, 0n, 200_00n), balance: -200_00n });
});

test('the balance of a section is that of its posting accounts, debit-positive', () => {
  const { sectionBalance } = trialBalance(SMALL_BANK, { ...ALL, considerClosing: false }, 'APART');
  expect(sectionBalance('ASSET')).toBe(1_100_00n);
  expect(sectionBalance('REVENUE')).toBe(-200_00n);
  expect(sectionBalance('EXPENSE')).toBe(50_00n);
  expect(sectionBalance('MEMORANDUM_CREDIT')).toBe(-40_00n);
  expect(sectionBalance('OTHER_CREDIT')).toBe(0n);
});
