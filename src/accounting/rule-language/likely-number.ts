/** The number that was meant by '1.000,50': whole and decimals as they were written on both sides of a decimal comma. */
export function withDecimalPoint(whole: string, decimals: string): string {
  return `${THOUSANDS.test(whole) ? whole.replaceAll('.', '') : whole}.${decimals}`;
}

const THOUSANDS = /^\d{1,3}(\.\d{3})+$/;
