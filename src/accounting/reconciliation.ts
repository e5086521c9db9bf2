import type { Centavos } from './money.ts';
import { type Day, daysBetween } from './period.ts';

// The books beside the figures of the systems that feed them.

/** What a feeding system has of an account at the end of a day, and what the books have; debit-positive. */
export interface ComparedFigure {
  /** Account and origin: figures of one key follow one another. */
  readonly key: string;
  readonly day: Day;
  readonly sent: Centavos;
  readonly books: Centavos;
}

export interface Difference<Figure extends ComparedFigure> {
  readonly figure: Figure;
  /** What was sent less what the books have. */
  readonly difference: Centavos;
  /** The first day since which no figure of the key has agreed, and how many days ago that was. */
  readonly since: Day;
  readonly days: number;
}

/**
 * The figures from `from` on that differ, in the order of their days and keys. Figures before `from` only say since
 * when.
 */
export function differences<Figure extends ComparedFigure>(
  figures: readonly Figure[],
  from: Day,
): Difference<Figure>[] {
  const inOrder = figures.toSorted((a, b) => compare(a.day, b.day) || compare(a.key, b.key));
  const since = new Map<string, Day>();
  return inOrder.flatMap((figure) => {
    const difference = figure.sent - figure.books;
    if (difference === 0n) {
      since.delete(figure.key);
      return [];
    }
    const first = since.get(figure.key) ?? figure.day;
    since.set(figure.key, first);
    return figure.day < from ? [] : [{ figure, difference, since: first, days: daysBetween(first, figure.day) }];
  });
}

/** Keys whose first figure differs: whether they differed before is not known yet. */
export function keysDifferingFromTheStart(figures: readonly ComparedFigure[]): Set<string> {
  const first = new Map<string, ComparedFigure>();
  for (const figure of figures) {
    const known = first.get(figure.key);
    if (known === undefined || figure.day < known.day) first.set(figure.key, figure);
  }
  return new Set([...first.values()].filter(({ sent, books }) => sent !== books).map(({ key }) => key));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
