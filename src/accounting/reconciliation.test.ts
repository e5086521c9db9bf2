import { expect, test } from 'vitest';
import { day } from '../../test/support/period.ts';
import { type ComparedFigure, differences, keysDifferingFromTheStart } from './reconciliation.ts';

/** 'A 05/01 10 12': of key A the system sent 10 for the day, the books have 12. */
const figure = (text: string): ComparedFigure => {
  const [key, date, sent, books] = text.split(' ') as [string, string, string, string];
  const [ofDay, ofMonth] = date.split('/');
  return { key, day: day(`2026-${ofMonth}-${ofDay}`), sent: BigInt(sent), books: BigInt(books) };
};
const shown = (from: string, ...texts: string[]) =>
  differences(texts.map(figure), day(from)).map(
    ({ figure: { key, day: of }, difference, since, days }) => `${key} ${of} ${difference} ${since} ${days}`,
  );

test('a difference counts from the first figure since which none agreed', () => {
  const figures = ['A 05/01 10 12', 'A 06/01 12 12', 'A 30/01 9 12', 'A 31/01 7 12', 'A 02/02 8 12'];
  expect(shown('2026-02-01', ...figures)).toEqual(['A 2026-02-02 -4 2026-01-30 3']);
  expect(shown('2026-01-31', ...figures.toReversed())).toEqual([
    'A 2026-01-31 -5 2026-01-30 1',
    'A 2026-02-02 -4 2026-01-30 3',
  ]);
});

test('each key has its own age; what agrees is not listed', () => {
  expect(shown('2026-01-02', 'B 02/01 1 0', 'A 02/01 5 5', 'A 01/01 5 4', 'B 01/01 1 1', 'C 02/01 -1 1')).toEqual([
    'B 2026-01-02 1 2026-01-02 0',
    'C 2026-01-02 -2 2026-01-02 0',
  ]);
});

test('a key whose first figure differs may have begun before', () => {
  const figures = ['A 05/01 1 2', 'A 04/01 2 2', 'B 04/01 1 2', 'B 05/01 2 2'].map(figure);
  expect(keysDifferingFromTheStart(figures)).toEqual(new Set(['B']));
});
