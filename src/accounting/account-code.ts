import { cosifCheckDigit } from './cosif.ts';

/**
 * A regulatory code shape: zero-padded segments of fixed width, then a check digit. A mask is data because regulators
 * widen it (the central bank did in 2025): those of an installation are rows of the table account_mask.
 */
export interface AccountMask {
  readonly name: string;
  /** Digits of each segment, the check digit not counted. */
  readonly digits: readonly number[];
  /** True: '1.1.0.00.00-2'; false: the bare '11000002'. */
  readonly separated: boolean;
}

/**
 * PLAIN: '1.1.10'. REGULATORY: '1.1.0.00.00.00-2'. SUB_ACCOUNT: an institution's own account below a regulatory one,
 * whose check digit gives way to a suffix of two digits or more ('1.1.1.10.01.10-001').
 */
export type AccountShape = 'PLAIN' | 'REGULATORY' | 'SUB_ACCOUNT';

const MAX_CODE_LENGTH = 40;

/** Digits in segments parted by dots, optionally a final '-digits'. */
export function isAccountCode(code: string): boolean {
  return code.length <= MAX_CODE_LENGTH && /^\d+(\.\d+)*(-\d+)?$/.test(code);
}

export function shapeOf(code: string, masks: readonly AccountMask[]): AccountShape {
  return segmentsOf(code, masks).shape;
}

/**
 * The segments that define the account's place: without trailing zero ones and without a regulatory check digit. The
 * suffix of an own sub-account counts as one more segment.
 */
export function significantSegments(code: string, masks: readonly AccountMask[]): string[] {
  const { segments, suffix } = segmentsOf(code, masks);
  return suffix === undefined ? segments : [...segments, suffix];
}

/**
 * The significant segments as one text, equal for codes of the same place in the tree: '1.1.10'. A suffix keeps its
 * hyphen ('1.1.1.10-01'), for an own sub-account of 1.1.1.10 is not the regulatory 1.1.1.10.01.
 */
export function segmentsKey(code: string, masks: readonly AccountMask[]): string {
  return keyOf(segmentsOf(code, masks));
}

function keyOf({ segments, suffix }: Anatomy): string {
  return suffix === undefined ? segments.join('.') : `${segments.join('.')}-${suffix}`;
}

export function levelOf(code: string, masks: readonly AccountMask[]): number {
  return significantSegments(code, masks).length;
}

/** Keys of the places above the code, highest first, whether or not the place has an account. */
export function placesAbove(code: string, masks: readonly AccountMask[]): string[] {
  return segmentsAbove(code, masks).map((segments) => segments.join('.'));
}

/**
 * Codes of the levels above the code that do not exist yet, highest first; regulatory ones carry their check digit.
 * `exists` takes a segments key. An inner zero is no level: 3.0.1.00.00.00 hangs under group 3.
 */
export function missingLevels(
  code: string,
  exists: (segmentsKey: string) => boolean,
  masks: readonly AccountMask[],
): string[] {
  const { mask } = segmentsOf(code, masks);
  return segmentsAbove(code, masks)
    .filter((segments) => !exists(segments.join('.')))
    .map((segments) => (mask === undefined ? segments.join('.') : regulatoryCode(segments, mask)));
}

/**
 * Hierarchical order: segments as numbers, shorter first (1.1 < 1.2 < 1.10). A regulatory check digit takes no part, so
 * that own sub-accounts follow the account they hang under.
 */
export function compareCodes(a: string, b: string, masks: readonly AccountMask[]): number {
  const left = codeSortKey(a, masks);
  const right = codeSortKey(b, masks);
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Text whose byte order (COLLATE "C") is the hierarchical order: each segment as a character for its length, then its
 * digits without leading zeros, joined by a blank, which sorts below both.
 */
export function codeSortKey(code: string, masks: readonly AccountMask[]): string {
  const { allSegments, suffix } = segmentsOf(code, masks);
  return [...allSegments, ...(suffix === undefined ? [] : [suffix])]
    .map((segment) => segment.replace(/^0+(?=\d)/, ''))
    .map((digits) => String.fromCharCode(0x30 + digits.length) + digits)
    .join(' ');
}

export function digitsOnly(code: string): string {
  return code.replace(/\D/g, '');
}

/**
 * Whether the account is the one that the prefix names or lies below it: '1.1*' or '1.1' compares significant segments.
 * Digits alike: '11*' reads the digits of a regulatory code, whose widths are fixed; in a plain code, where they are
 * not, a prefix without dots is the first segment.
 */
export function prefixMatches(prefix: string, code: string, masks: readonly AccountMask[]): boolean {
  return matchesAnatomy(anatomyOfPrefix(prefix, masks), segmentsOf(code, masks));
}

/** `prefixMatches` for many prefixes over many codes: reads each of them once. */
export function prefixMatcher(masks: readonly AccountMask[]): (prefix: string, code: string) => boolean {
  const prefixes = new Map<string, PrefixAnatomy | undefined>();
  const codes = new Map<string, Anatomy>();
  return (prefix, code) => {
    if (!prefixes.has(prefix)) prefixes.set(prefix, anatomyOfPrefix(prefix, masks));
    let found = codes.get(code);
    if (found === undefined) {
      found = segmentsOf(code, masks);
      codes.set(code, found);
    }
    return matchesAnatomy(prefixes.get(prefix), found);
  };
}

/** A prefix without its star. */
interface PrefixAnatomy extends Anatomy {
  readonly text: string;
}

/** undefined for what is no code. */
function anatomyOfPrefix(prefix: string, masks: readonly AccountMask[]): PrefixAnatomy | undefined {
  const text = prefix.replace(/\.?\*$/, '');
  return isAccountCode(text) ? { text, ...segmentsOf(text, masks) } : undefined;
}

function matchesAnatomy(asked: PrefixAnatomy | undefined, found: Anatomy): boolean {
  if (asked === undefined) return false;
  if (asked.suffix !== undefined) return keyOf(asked) === keyOf(found);
  if (asked.shape === 'PLAIN' && found.mask !== undefined && /^\d+$/.test(asked.text)) {
    return found.segments.join('').startsWith(significantDigits(asked.text, found.mask));
  }
  // A complete code means its place in the tree; in a partial code every segment counts, so that 3.0* matches 3.0.1 and
  // not all of group 3.
  const whole = asked.mask !== undefined || asked.allSegments.length === found.allSegments.length;
  const wanted = whole ? asked.segments : asked.allSegments;
  return wanted.length <= found.segments.length && wanted.every((segment, at) => segment === found.segments[at]);
}

/** Bare digits that fill the mask, with or without check digit, lose their trailing zero segments; fewer stay. */
function significantDigits(digits: string, mask: AccountMask): string {
  const width = mask.digits.reduce((sum, each) => sum + each, 0);
  if (digits.length !== width && digits.length !== width + 1) return digits;
  const ends = mask.digits.map((_, at) => mask.digits.slice(0, at + 1).reduce((sum, each) => sum + each, 0));
  return withoutTrailingZeros(ends.map((end, at) => digits.slice(ends[at - 1] ?? 0, end))).join('');
}

interface Anatomy {
  readonly shape: AccountShape;
  readonly mask?: AccountMask;
  readonly allSegments: string[];
  /** allSegments without the trailing zero ones. */
  readonly segments: string[];
  /** What follows the hyphen, unless it is a check digit. */
  readonly suffix?: string;
}

function segmentsOf(code: string, masks: readonly AccountMask[]): Anatomy {
  for (const mask of masks) {
    const match = patternOf(mask).exec(code);
    if (match === null) continue;
    const allSegments = match.slice(1, 1 + mask.digits.length);
    const segments = withoutTrailingZeros(allSegments);
    const suffix = match.groups?.suffix;
    if (suffix === undefined) return { shape: 'REGULATORY', mask, allSegments, segments };
    return { shape: 'SUB_ACCOUNT', mask, allSegments, segments, suffix };
  }
  const [body = '', suffix] = code.split('-');
  const allSegments = body.split('.');
  const segments = withoutTrailingZeros(allSegments);
  return suffix === undefined
    ? { shape: 'PLAIN', allSegments, segments }
    : { shape: 'PLAIN', allSegments, segments, suffix };
}

const patterns = new WeakMap<AccountMask, RegExp>();

/** Captures the segments in order; `suffix` only where it replaces the check digit. */
function patternOf(mask: AccountMask): RegExp {
  const known = patterns.get(mask);
  if (known !== undefined) return known;
  const body = mask.digits.map((width) => `(\\d{${width}})`).join(mask.separated ? '\\.' : '');
  // eslint-disable-next-line no-restricted-syntax -- anchored; every part has a length of its own
  const pattern = new RegExp(`^${body}(?:${mask.separated ? '-' : ''}\\d|-(?<suffix>\\d{2,}))$`);
  patterns.set(mask, pattern);
  return pattern;
}

/** At least the first segment stays, so that '0' is an account too. */
function withoutTrailingZeros(segments: readonly string[]): string[] {
  const last = segments.findLastIndex((segment) => /[1-9]/.test(segment));
  return segments.slice(0, Math.max(1, last + 1));
}

/** The proper prefixes that are levels of their own, highest first. */
function segmentsAbove(code: string, masks: readonly AccountMask[]): string[][] {
  const { segments, suffix } = segmentsOf(code, masks);
  const deepest = suffix === undefined ? segments.length - 1 : segments.length;
  return Array.from({ length: deepest }, (_, at) => segments.slice(0, at + 1)).filter((above) =>
    /[1-9]/.test(above.at(-1)!),
  );
}

function regulatoryCode(segments: readonly string[], mask: AccountMask): string {
  const padded = mask.digits.map((width, at) => segments[at] ?? '0'.repeat(width));
  const digit = cosifCheckDigit(padded.join(''));
  return mask.separated ? `${padded.join('.')}-${digit}` : padded.join('') + digit;
}
