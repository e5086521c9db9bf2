import { expect, it } from 'vitest';
import { day, month } from '../../../test/support/period.ts';
import { asId } from '../ids.ts';
import { indexChart } from './chart-index.ts';
import { preloadedBalances } from './preloaded-balances.ts';

const LOADED = {
  chart: indexChart([], []),
  baseMonth: month('2026-01'),
  closedMonths: new Set([month('2026-01'), month('2026-02')]),
  months: new Map([
    [month('2025-12'), new Map()],
    [month('2026-02'), new Map()],
  ]),
};

it('tells months apart by the base month, consolidation and what is loaded', () => {
  const { monthState } = preloadedBalances(LOADED);
  expect(['2025-11', '2025-12', '2026-01', '2026-02', '2026-03'].map(month).map(monthState)).toEqual([
    'BEFORE_BASE',
    'BASE',
    'NOT_LOADED',
    'CLOSED',
    'OPEN',
  ]);
  expect(preloadedBalances({ ...LOADED, months: new Map() }).monthState(month('2025-12'))).toBe('NOT_LOADED');
});

it('knows no base balances without a base month', () => {
  const { monthState } = preloadedBalances({ ...LOADED, baseMonth: null });
  expect(['2025-12', '2026-02'].map(month).map(monthState)).toEqual(['OPEN', 'CLOSED']);
});

it('has days once they are given', () => {
  expect(preloadedBalances(LOADED).daysState()).toBe('NOT_LOADED');
  const reader = preloadedBalances({ ...LOADED, dayBalance: (accountId) => (accountId === 1 ? 5n : undefined) });
  expect([
    reader.daysState(),
    reader.dayBalance(asId(1), day('2026-02-01')),
    reader.dayBalance(asId(2), day('2026-02-01')),
  ]).toEqual(['LOADED', 5n, undefined]);
});
