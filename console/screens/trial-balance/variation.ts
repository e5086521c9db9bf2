import { type Centavos, magnitudeOf } from '../../../src/accounting/money.ts';

/** More than this says nothing more. */
const MOST_PERMILLE = 9_999n;

/**
 * How much a balance grew or shrank on its own side: '+12,4 %', '-3,0 %'. A balance that came to stand on the other side
 * did neither: 'virou'. What was not there before is 'novo', what is gone '-100,0 %'. Debit-positive.
 */
export function variationText(before: Centavos, now: Centavos): string {
  if (before === now) return '';
  if (before === 0n) return 'novo';
  if (now !== 0n && before < 0n !== now < 0n) return 'virou';
  const [was, is] = [magnitudeOf(before), magnitudeOf(now)];
  const sign = is < was ? '-' : '+';
  // Rounded half up, as percentages are printed.
  const permille = (magnitudeOf(is - was) * 2_000n + was) / (was * 2n);
  if (permille > MOST_PERMILLE) return `${sign}>999 %`;
  return `${sign}${permille / 10n},${permille % 10n} %`;
}
