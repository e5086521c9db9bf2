/** A seal in groups of eight digits, so that a line can break and a reader can compare it with paper. */
export function groupedSeal(seal: string): string {
  return seal.replace(/.{8}(?=.)/g, '$& ');
}
