import type { Centavos } from '../../src/accounting/money.ts';
import { amountText, sideOf } from './format.ts';

interface AmountProps {
  /** Debit-positive; undefined leaves the place empty. */
  readonly value: Centavos | undefined;
  /** D or C beside it: by the sign, or as given. */
  readonly side?: boolean | 'D' | 'C';
  /** A dash for zero. */
  readonly dash?: boolean;
}

/** An amount whose cents stand below each other: D and C have a narrow place of their own. */
export function Amount({ value, side = false, dash = false }: AmountProps) {
  if (value === undefined) return null;
  const letter = side === true ? sideOf(value) : side || '';
  return (
    <span className="amount">
      <span className="amount-figure">{dash && value === 0n ? '–' : amountText(value)}</span>
      {side !== false && <span className="amount-side">{letter}</span>}
    </span>
  );
}
