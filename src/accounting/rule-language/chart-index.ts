import { digitsOnly, isAccountCode, segmentsKey, shapeOf, significantSegments } from '../account-code.ts';
import type { SignedAccount } from './published-balance.ts';

export interface ChartAccount extends SignedAccount {
  readonly id: number;
  readonly cdAccounting: string;
  readonly cdReduced: string | null;
  /** Ids of the accounts above, in any order; as stored with the chart. */
  readonly ancestorIds: readonly number[];
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

export function indexChart(accounts: Iterable<ChartAccount>): ChartIndex {
  return new Index(accounts);
}

/** The accounts without repetition and without those that lie below another of them. */
export function withoutDescendants(accounts: readonly ChartAccount[]): ChartAccount[] {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return [...byId.values()].filter(({ ancestorIds }) => !ancestorIds.some((id) => byId.has(id)));
}

export function isPrefixText(text: string): boolean {
  return text.includes('*');
}

/** The star stands last and nowhere else, behind something; whether that is a code at all only decides the match. */
export function isWellFormedPrefix(text: string): boolean {
  return text.length > 1 && text.indexOf('*') === text.length - 1;
}

/** Maps, not scans: a script may ask for thousands of prefixes that match nothing, which cost it no read. */
class Index implements ChartIndex {
  readonly #byCode = new Map<string, ChartAccount>();
  readonly #byReduced = new Map<string, ChartAccount>();
  readonly #byDigits = new Map<string, ChartAccount[]>();
  /** By every leading run of segments, '1', '1.1', '1.1.10'. */
  readonly #bySegments = new Map<string, ChartAccount[]>();
  /** The same of plain codes alone: in them digits without dots are the first segment. */
  readonly #plainByFirstSegment = new Map<string, ChartAccount[]>();
  /** Regulatory codes by every leading run of significant digits. */
  readonly #byLeadingDigits = new Map<string, ChartAccount[]>();
  readonly #byPlace = new Map<string, ChartAccount[]>();
  readonly #topsOfPrefix = new Map<string, readonly ChartAccount[]>();

  constructor(accounts: Iterable<ChartAccount>) {
    for (const account of accounts) this.#insert(account);
  }

  find(text: string): AccountLookup {
    if (isPrefixText(text)) {
      return isWellFormedPrefix(text) ? { accounts: this.#topsBelow(text.slice(0, -1)) } : { problem: 'MALFORMED' };
    }
    if (text === '') return { problem: 'MALFORMED' };
    const exact = this.#byCode.get(text) ?? this.#byReduced.get(text);
    if (exact !== undefined) return { accounts: [exact] };
    const candidates = this.#byDigits.get(text) ?? [];
    if (candidates.length > 1) return { problem: 'AMBIGUOUS', candidates };
    return candidates.length === 1 ? { accounts: candidates } : { problem: 'NOT_FOUND' };
  }

  #insert(account: ChartAccount): void {
    const code = account.cdAccounting;
    this.#byCode.set(code, account);
    if (account.cdReduced !== null) this.#byReduced.set(account.cdReduced, account);
    const shape = shapeOf(code);
    const key = segmentsKey(code);
    const segments = key.split('-', 1)[0]!.split('.');
    for (const digits of digitFormsOf(code, shape === 'REGULATORY')) append(this.#byDigits, digits, account);
    append(this.#byPlace, key, account);
    for (const prefix of leadingRuns(segments, '.')) append(this.#bySegments, prefix, account);
    if (shape === 'PLAIN') append(this.#plainByFirstSegment, segments[0]!, account);
    else for (const prefix of leadingRuns([...segments.join('')], '')) append(this.#byLeadingDigits, prefix, account);
  }

  #topsBelow(prefix: string): readonly ChartAccount[] {
    const known = this.#topsOfPrefix.get(prefix);
    if (known !== undefined) return known;
    const matches = this.#matches(prefix);
    if (matches.length === 0) return matches;
    const tops = withoutDescendants(matches);
    this.#topsOfPrefix.set(prefix, tops);
    return tops;
  }

  /** Says the same as `prefixMatches` of every account, by look-up. */
  #matches(prefix: string): readonly ChartAccount[] {
    if (!isAccountCode(prefix)) return [];
    const shape = shapeOf(prefix);
    if (shape === 'PLAIN' && /^\d+$/.test(prefix)) {
      return [...(this.#byLeadingDigits.get(prefix) ?? []), ...(this.#plainByFirstSegment.get(prefix) ?? [])];
    }
    if (shape === 'REGULATORY') return this.#bySegments.get(significantSegments(prefix).join('.')) ?? [];
    return (prefix.includes('-') ? this.#byPlace.get(segmentsKey(prefix)) : this.#bySegments.get(prefix)) ?? [];
  }
}

/** How a code may be written with digits only: with its check digit or without; the dots may stay without it too. */
function digitFormsOf(code: string, hasCheckDigit: boolean): Set<string> {
  const digits = digitsOnly(code);
  if (!hasCheckDigit) return new Set([digits]);
  return new Set([digits, digits.slice(0, -1), code.replace(/-?\d$/, '')]);
}

function leadingRuns(pieces: readonly string[], separator: string): string[] {
  return pieces.map((_, index) => pieces.slice(0, index + 1).join(separator));
}

function append(map: Map<string, ChartAccount[]>, key: string, account: ChartAccount): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [account]);
  else list.push(account);
}
