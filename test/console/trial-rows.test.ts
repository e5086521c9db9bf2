import { describe, expect, test } from 'vitest';
import { differenceOf, filterRows, openTo, trialRows } from '../../console/screens/trial-balance/trial-rows.ts';
import { variationText } from '../../console/screens/trial-balance/variation.ts';

describe('the variation of a balance', () => {
  test.each([
    [100_00n, 112_44n, '+12,4 %'],
    [100_00n, 112_45n, '+12,5 %'],
    [-100_00n, -90_00n, '-10,0 %'],
    [-100_00n, -150_00n, '+50,0 %'],
    [100_00n, 0n, '-100,0 %'],
    [0n, 5n, 'novo'],
    [0n, -5n, 'novo'],
    [5n, -5n, 'virou'],
    [-1n, 1n, 'virou'],
    [7n, 7n, ''],
    [0n, 0n, ''],
    [1n, 1_000n, '+>999 %'],
    [900_719_925_474_099_300n, 900_719_925_474_099_301n, '+0,0 %'],
  ])('from %s to %s: %s', (before, now, expected) => {
    expect(variationText(before, now)).toBe(expected);
  });
});

const row = (code: string, level: number, balance: bigint, id: number | null = Number(code.replaceAll('.', ''))) => ({
  ...{ month: '2026-01' as never, id, code, reduced: code, name: `Conta ${code}`, level, balance },
  ...{ type: level === 1 ? ('S' as const) : ('A' as const), opening: 0n, debit: balance, credit: 0n, closing: 0n },
});
const account = (code: string, level: number) => ({
  ...{ id: Number(code.replaceAll('.', '')), code, reduced: code, name: `Conta ${code}`, level },
  ...{ type: level === 1 ? ('S' as const) : ('A' as const), normalBalance: 'D' as const },
  ...{ accountClass: '01' as const, parentId: null, active: true, uses: 0 },
});
const CHART = [account('1', 1), account('1.1', 2), account('1.2', 2), account('2', 1), account('2.1', 2)];

describe('the rows of two months', () => {
  test('an account of either month has its row in the order of the chart', () => {
    const rows = trialRows([row('1', 1, 5n), row('1.1', 2, 5n)], [row('1', 1, 3n), row('1.2', 2, 3n)], CHART, false);
    expect(rows.map(({ code, balance, compared }) => [code, balance, compared])).toEqual([
      ['1', 5n, 3n],
      ['1.1', 5n, 0n],
      ['1.2', 0n, 3n],
    ]);
  });

  test('every account of the chart, where asked', () => {
    expect(trialRows([row('2.1', 2, 1n)], undefined, CHART, true).map(({ code }) => code)).toEqual(
      CHART.map(({ code }) => code),
    );
  });

  test('a line that is no account stays behind the one that it came after', () => {
    const now = [row('1', 1, 5n), row('1.1', 2, 4n), row('1', 2, 1n, null), row('2', 1, 2n)];
    const rows = trialRows(now, [row('1.2', 2, 9n)], CHART, false);
    expect(rows.map(({ code, id }) => [code, id])).toEqual([
      ['1', 1],
      ['1.1', 11],
      ['1', null],
      ['1.2', 12],
      ['2', 2],
    ]);
  });
});

test('a filter keeps what fits and everything above it', () => {
  const rows = trialRows(
    [row('1', 1, 5n), row('1.1', 2, 5n), row('2', 1, 1n), row('2.1', 2, 1n)],
    undefined,
    CHART,
    false,
  );
  expect(filterRows(rows, 'CÓNTA 2.1').map(({ code }) => code)).toEqual(['2', '2.1']);
  expect(filterRows(rows, '  ')).toBe(rows);
  expect(filterRows(rows, 'nada')).toEqual([]);
  expect([...openTo(rows, 2)]).toEqual(['1', '2']);
});

test('debits less credits of the posting accounts, closing entries with them', () => {
  const rows = [
    { ...row('1', 1, 0n), debit: 999n },
    { ...row('1.1', 2, 0n), debit: 10n, credit: 4n },
    { ...row('2.1', 2, 0n), debit: 0n, credit: 5n, closing: -1n },
  ];
  expect(differenceOf(rows)).toBe(0n);
});
