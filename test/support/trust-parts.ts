import { FORM } from './volumes.ts';

/** A part of `npm run trust`: a file of tests that record at least one figure with its negative control. */
export interface TrustPart {
  readonly name: string;
  /** `test/trust/<name>.test.ts`, unless it says otherwise. */
  readonly file?: string;
  /** Seconds that it may take on two quiet cores; its volumes are chosen so (`volumes.ts`). */
  readonly seconds: { readonly short: number; readonly full: number };
  /** Runs from the first to the last of the others, in a process of its own: it measures what only time shows. */
  readonly isBeside?: true;
}

/**
 * In the order in which they run, one after the other, because many measure: what needs a machine that did nothing before
 * comes first. Together they may take 780 s, or 165 s in the short form; starting takes the rest of 15 and 3 minutes.
 */
export const TRUST_PARTS: readonly TrustPart[] = [
  { name: 'overload', seconds: { short: 20, full: 110 } },
  { name: 'kills', seconds: { short: 25, full: 100 } },
  { name: 'interruptions', seconds: { short: 20, full: 80 } },
  { name: 'posting-against-closing', seconds: { short: 12, full: 90 } },
  { name: 'fuzz', seconds: { short: 15, full: 90 } },
  { name: 'tenants', file: 'test/contract/access-matrix.test.ts', seconds: { short: 15, full: 60 } },
  { name: 'tokens', file: 'test/contract/tokens.test.ts', seconds: { short: 4, full: 10 } },
  { name: 'permissions', seconds: { short: 4, full: 20 } },
  { name: 'outages', seconds: { short: 20, full: 90 } },
  { name: 'clock', seconds: { short: 5, full: 20 } },
  { name: 'tamperings', seconds: { short: 12, full: 80 } },
  { name: 'hostile-uploads', seconds: { short: 8, full: 20 } },
  { name: 'anonymous-cost', seconds: { short: 5, full: 10 } },
  { name: 'soak', seconds: { short: 120, full: 780 }, isBeside: true },
];

export function fileOf({ name, file }: TrustPart): string {
  return file ?? `test/trust/${name}.test.ts`;
}

/** How long a test of the part may take before it counts as stuck: five times its seconds, for a slower machine. */
export function timeLimitOf(name: string): number {
  const part = TRUST_PARTS.find((each) => each.name === name);
  if (part === undefined) throw new Error(`${name} is no part`);
  return Math.max(180, 5 * part.seconds[FORM === 'full' ? 'full' : 'short']) * 1_000;
}
