import type { AccountMask } from '../../../accounting/account-code.ts';

/** A mask in a branch's options: 9 for a digit, D for the check digit, dots and a hyphen between ('9.9.9.99.99.99-D'). */
export function isAccountMask(mask: string): boolean {
  return /^9+(\.9+)*(-?D)?$/.test(mask);
}

/**
 * Whether the code is of the mask. A mask with a check digit is regulatory: its codes are padded with zeros to the full
 * width, and a suffix of two digits or more may replace the check digit (an own sub-account). One without is plain:
 * the codes of its upper levels are shorter.
 */
export function fitsMask(code: string, mask: string): boolean {
  const [body = '', checkDigit] = sectionsOf(mask);
  const segments = body.split('.').map((nines) => `\\d{${nines.length}}`);
  if (checkDigit !== undefined) {
    const digits = segments.join('\\.');
    // eslint-disable-next-line no-restricted-syntax -- anchored; every part has a length of its own
    return new RegExp(`^${digits}(?:${checkDigit === '-D' ? '-' : ''}\\d|-\\d{2,})$`).test(code);
  }
  // eslint-disable-next-line no-restricted-syntax -- anchored; every part begins with its point
  return new RegExp(
    `^${segments[0]}${segments.slice(1).reduceRight((deeper, each) => `(?:\\.${each}${deeper})?`, '')}$`,
  ).test(code);
}

/** Masks to read the chart's codes with: the regulatory ones among its branches' masks, then those of the regulators. */
export function masksToRead(prescribed: readonly string[], known: readonly AccountMask[]): readonly AccountMask[] {
  return [...prescribed.flatMap((mask) => regulatoryMask(mask, mask, mask.includes('.')) ?? []), ...known];
}

/** The mask as rules take it; undefined for a plain one, whose codes need none to be read. */
export function regulatoryMask(name: string, mask: string, separated: boolean): AccountMask | undefined {
  const [body, checkDigit] = sectionsOf(mask);
  if (checkDigit === undefined) return undefined;
  return { name, digits: body.split('.').map((nines) => nines.length), separated };
}

function sectionsOf(mask: string): [string, string | undefined] {
  const match = /^(.*?)(-?D)?$/.exec(mask);
  return [match?.[1] ?? '', match?.[2]];
}
