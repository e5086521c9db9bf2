import {
  type AccountMask,
  digitsOnly,
  isAccountCode,
  segmentsKey,
  shapeOf,
  significantSegments,
} from '../account-code.ts';
import type { AccountId } from '../ids.ts';
import type { ClassifiedAccount } from '../statement-section.ts';

export interface ChartAccount extends ClassifiedAccount {
  readonly id: AccountId;
  readonly code: string;
  readonly shortCode: string | null;
  /** Ids of the accounts above, in any order; as stored with the chart. */
  readonly ancestorIds: readonly AccountId[];
}

/** Several accounts where the text names a prefix, else one; or why the text names none. */
export type AccountLookup =
  | { readonly accounts: readonly ChartAccount[] }
  | { readonly problem: 'NOT_FOUND' | 'MALFORMED' }
  | { readonly problem: 'AMBIGUOUS'; readonly candidates: readonly ChartAccount[] };

/** One chart made ready for look-ups; build it once for all rules and branches that use the chart. */
export interface ChartIndex {
  find(text: string): AccountLookup;
}

export function indexChart(accounts: Iterable<ChartAccount>, masks: readonly AccountMask[]): ChartIndex {
  return new Index(accounts, masks);
}

/** The accounts without repetition and without those that lie below another of them. */
export function withoutDescendants(accounts: readonly ChartAccount[]): ChartAccount[] {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return [...byId.values()].filter(({ ancestorIds }) => !ancestorIds.some((id) => byId.has(id)));
}

export function isPrefixText(text: string): boolean {
  return text.includes('*');
}

/** The star is the last character and not the only one; the match decides whether the rest is a code. */
function isWellFormedPrefix(text: string): boolean {
  return text.length > 1 && text.indexOf('*') === text.length - 1;
}

/** Look-ups, not scans: a script may ask for thousands of prefixes, and those that match nothing cost it no read. */
class Index implements ChartIndex {
  readonly #byCode = new Map<string, ChartAccount>();
  readonly #byReduced = new Map<string, ChartAccount>();
  readonly #byDigits = new Map<string, Place[]>();
  /** By the whole place, a suffix included. */
  readonly #byPlace = new Map<string, Place[]>();
  /** By every leading run of significant segments: '1', '1.1', '1.1.10'. */
  readonly #bySegments = new Map<string, Place[]>();
  /** Regulatory codes by mask and every leading run of significant digits: 'COSIF 11'. */
  readonly #byLeadingDigits = new Map<string, Place[]>();
  /** Earlier look-ups, also those without a match: rules of all branches use the same texts. */
  readonly #known = new Map<string, AccountLookup>();

  readonly #masks: readonly AccountMask[];

  constructor(accounts: Iterable<ChartAccount>, masks: readonly AccountMask[]) {
    this.#masks = masks;
    for (const account of accounts) this.#insert(account);
  }

  find(text: string): AccountLookup {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const found = this.#look(text);
    if (this.#known.size === MAX_TEXTS_KEPT) this.#known.clear();
    this.#known.set(text, found);
    return found;
  }

  #look(text: string): AccountLookup {
    if (isPrefixText(text)) {
      return isWellFormedPrefix(text) ? { accounts: this.#topsBelow(text.slice(0, -1)) } : { problem: 'MALFORMED' };
    }
    if (text === '') return { problem: 'MALFORMED' };
    const exact = this.#byCode.get(text) ?? this.#byReduced.get(text);
    if (exact !== undefined) return { accounts: [exact] };
    const candidates = (this.#byDigits.get(text) ?? []).map(({ account }) => account);
    if (candidates.length > 1) return { problem: 'AMBIGUOUS', candidates };
    return candidates.length === 1 ? { accounts: candidates } : { problem: 'NOT_FOUND' };
  }

  #insert(account: ChartAccount): void {
    const code = account.code;
    const mask = this.#masks.find((each) => shapeOf(code, [each]) !== 'PLAIN');
    const [body = ''] = code.split('-', 1);
    const place = { account, mask, segmentCount: mask?.digits.length ?? body.split('.').length };
    const key = segmentsKey(code, this.#masks);
    const segments = key.split('-', 1)[0]!.split('.');

    this.#byCode.set(code, account);
    if (account.shortCode !== null) this.#byReduced.set(account.shortCode, account);
    for (const form of digitFormsOf(code, shapeOf(code, this.#masks) === 'REGULATORY'))
      append(this.#byDigits, form, place);
    append(this.#byPlace, key, place);
    for (const prefix of leadingRuns(segments, '.')) append(this.#bySegments, prefix, place);
    if (mask === undefined) return;
    for (const digits of leadingRuns([...segments.join('')], '')) {
      append(this.#byLeadingDigits, digitsKey(mask, digits), place);
    }
  }

  #topsBelow(prefix: string): readonly ChartAccount[] {
    const matches = this.#matches(prefix.replace(/\.$/, ''));
    return withoutDescendants(matches.map(({ account }) => account));
  }

  /** Returns the accounts for which `prefixMatches` is true. */
  #matches(prefix: string): readonly Place[] {
    if (!isAccountCode(prefix)) return [];
    const shape = shapeOf(prefix, this.#masks);
    const significant = significantSegments(prefix, this.#masks).join('.');
    if (shape === 'REGULATORY') return this.#bySegments.get(significant) ?? [];
    if (prefix.includes('-')) return this.#byPlace.get(segmentsKey(prefix, this.#masks)) ?? [];
    const written = this.#bySegments.get(prefix) ?? [];
    if (!prefix.includes('.')) {
      const plain = written.filter(({ mask }) => mask === undefined);
      return [
        ...plain,
        ...this.#masks.flatMap((mask) => this.#byLeadingDigits.get(digitsKey(mask, prefix, true)) ?? []),
      ];
    }
    if (significant === prefix) return written;
    // Zeros at the end mean nothing in a complete code, and a segment each in a partial one.
    const segmentCount = prefix.split('.').length;
    return [
      ...written.filter((place) => place.segmentCount !== segmentCount),
      ...(this.#bySegments.get(significant) ?? []).filter((place) => place.segmentCount === segmentCount),
    ];
  }
}

interface Place {
  readonly account: ChartAccount;
  /** Undefined for a plain code. */
  readonly mask: AccountMask | undefined;
  /** Trailing zeros counted, suffix and check digit not. */
  readonly segmentCount: number;
}

const MAX_TEXTS_KEPT = 10_000;

/** How a code may be written with digits only: with its check digit or without; the dots may stay without it too. */
function digitFormsOf(code: string, hasCheckDigit: boolean): Set<string> {
  const digits = digitsOnly(code);
  if (!hasCheckDigit) return new Set([digits]);
  return new Set([digits, digits.slice(0, -1), code.replace(/-?\d$/, '')]);
}

/** Bare digits that may fill the mask are a code written whole: its trailing zeros and check digit say nothing. */
function digitsKey(mask: AccountMask, digits: string, mayFillMask = false): string {
  const width = mask.digits.reduce((sum, each) => sum + each, 0);
  const isWhole = mayFillMask && (digits.length === width || digits.length === width + 1);
  if (!isWhole) return `${mask.name} ${digits}`;
  const ends = mask.digits.map((_, at) => mask.digits.slice(0, at + 1).reduce((sum, each) => sum + each, 0));
  const segments = ends.map((end, at) => digits.slice(ends[at - 1] ?? 0, end));
  const code = mask.separated ? `${segments.join('.')}-0` : `${segments.join('')}0`;
  return `${mask.name} ${significantSegments(code, [mask]).join('')}`;
}

function leadingRuns(pieces: readonly string[], separator: string): string[] {
  return pieces.map((_, index) => pieces.slice(0, index + 1).join(separator));
}

function append(map: Map<string, Place[]>, key: string, place: Place): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [place]);
  else list.push(place);
}
