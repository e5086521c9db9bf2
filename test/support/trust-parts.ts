import { FORM } from './volumes.ts';

/** A part of `npm run trust`: a file of tests that record at least one figure with its negative control. */
export interface TrustPart {
  readonly name: string;
  /** `test/trust/<name>.test.ts`, unless it is a test of `npm test`: the short form, which runs after that, leaves it out. */
  readonly file?: string;
  /** Seconds that it may take on two quiet cores; its volumes are chosen so (`volumes.ts`). */
  readonly seconds: { readonly short: number; readonly full: number };
  /** Runs before the others, which run two at a time: it measures what the whole machine can do. */
  readonly isAlone?: true;
  /** Runs in full only where it is named: it measures what time alone shows. */
  readonly isNamed?: true;
}

/**
 * In the order of the table. What loads the machine runs first and alone, the others two at a time: within 15 minutes on
 * two quiet cores, or within 3 in the short form. The soak of 15 minutes is a run of its own.
 */
export const TRUST_PARTS: readonly TrustPart[] = [
  { name: 'overload', seconds: { short: 45, full: 130 }, isAlone: true },
  { name: 'kills', seconds: { short: 30, full: 100 } },
  { name: 'processes', file: 'test/faults/several-processes.test.ts', seconds: { short: 0, full: 180 } },
  { name: 'interruptions', seconds: { short: 31, full: 80 } },
  { name: 'posting-against-closing', seconds: { short: 22, full: 120 } },
  { name: 'fuzz', seconds: { short: 15, full: 90 } },
  { name: 'tenants', file: 'test/contract/access-matrix.test.ts', seconds: { short: 0, full: 60 } },
  { name: 'tokens', file: 'test/contract/tokens.test.ts', seconds: { short: 0, full: 10 } },
  { name: 'permissions', seconds: { short: 4, full: 20 } },
  { name: 'outages', seconds: { short: 20, full: 90 } },
  { name: 'clock', seconds: { short: 5, full: 20 } },
  { name: 'tamperings', seconds: { short: 12, full: 80 } },
  { name: 'hostile-uploads', seconds: { short: 20, full: 20 } },
  { name: 'anonymous-cost', seconds: { short: 10, full: 10 } },
  { name: 'soak', seconds: { short: 75, full: 1_100 }, isNamed: true },
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
