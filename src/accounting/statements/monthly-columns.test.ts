import { expect, test } from 'vitest';
import { idOf, movement, SMALL_BANK } from '../../../test/support/small-bank.ts';
import { type MonthlyFigure, monthlyColumns } from './monthly-columns.ts';

const FIRST = new Map([
  [idOf('1.1'), movement(100n, 50n, 20n)],
  [idOf('7.1'), movement(0n, 0n, 30n, 30n)],
]);
const SECOND = new Map([[idOf('1.1'), movement(130n)]]);
const WHOLE = { considerClosing: true, showZeroBalances: false };

const shown = (figure: MonthlyFigure, more: object = {}) =>
  monthlyColumns(SMALL_BANK.accounts, [FIRST, SECOND], figure, { ...WHOLE, ...more }).map(
    ({ account, figures }) => `${account.code} ${figures.join(' ')}`,
  );

test('balances and movements of each month, accounts without any left out', () => {
  expect(shown('BALANCE')).toEqual(['1.1 130 130']);
  expect(shown('MOVEMENT')).toEqual(['1.1 30 0']);
});

test('without closing entries a result is seen; the level bounds the accounts', () => {
  expect(shown('MOVEMENT', { considerClosing: false })).toEqual(['1.1 30 0', '7.1 -30 0']);
  expect(shown('BALANCE', { level: 1, showZeroBalances: true })).toEqual(
    SMALL_BANK.accounts.filter(({ level }) => level === 1).map(({ code }) => `${code} 0 0`),
  );
});
