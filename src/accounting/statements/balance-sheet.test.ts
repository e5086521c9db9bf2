import { expect, test } from 'vitest';
import { codesOf, idOf, SMALL_BANK } from '../../../test/support/small-bank.ts';
import { balanceOf } from '../balance.ts';
import { balanceSheet, isZero } from './balance-sheet.ts';

const ALL = { showZeroBalances: false };
const { accounts, movements, sectionOf } = SMALL_BANK;
const current = new Map([...movements].map(([id, movement]) => [id, balanceOf(movement)]));
const previous = new Map([...movements].map(([id, { opening }]) => [id, opening]));
const FACTS = { accounts, sectionOf, current, previous };

test('both sides add up to the same; what is not closed of the result is part of net equity', () => {
  const { assets, liabilities, equity, totals, difference } = balanceSheet(FACTS, ALL, true);
  expect([assets, liabilities, equity].map(codesOf)).toEqual(['1 1.1 1.2', '2 2.1', '3 3.1']);
  expect(totals).toEqual({
    assets: { current: 1_100_00n, previous: 1_000_00n },
    liabilities: { current: 250_00n, previous: 300_00n },
    result: { current: -50_00n, previous: 0n },
    netEquity: { current: 850_00n, previous: 700_00n },
    liabilitiesAndNetEquity: { current: 1_100_00n, previous: 1_000_00n },
  });
  expect(isZero(difference)).toBe(true);
});

test('figures carry the published sign of their section', () => {
  const { liabilities, equity } = balanceSheet(FACTS, ALL, true);
  expect(liabilities[1]?.figures).toEqual({ current: 250_00n, previous: 300_00n });
  expect(equity[1]?.figures).toEqual({ current: 900_00n, previous: 700_00n });
});

test('without a comparative there is one column', () => {
  const { assets, totals, difference } = balanceSheet({ ...FACTS, previous: undefined }, ALL, true);
  expect(assets[0]?.figures).toEqual({ current: 1_100_00n, previous: undefined });
  expect(totals.netEquity).toEqual({ current: 850_00n, previous: undefined });
  expect(difference).toEqual({ current: 0n, previous: undefined });
});

test('levels and empty accounts are chosen, totals are not', () => {
  const { assets, totals } = balanceSheet(FACTS, { ...ALL, level: 1 }, true);
  expect(codesOf(assets)).toBe('1');
  expect(totals.assets.current).toBe(1_100_00n);
  expect(codesOf(balanceSheet(FACTS, { showZeroBalances: true }, true).assets)).toBe('1 1.1 1.2 1.3');
});

test('sides that differ say by how much in each column, unless only some accounts are shown', () => {
  const wrong = { ...FACTS, current: new Map(current).set(idOf('2.1'), -250_01n) };
  expect(balanceSheet(wrong, ALL, true).difference).toEqual({ current: -1n, previous: 0n });
  expect(isZero(balanceSheet(wrong, ALL, false).difference)).toBe(true);
});
