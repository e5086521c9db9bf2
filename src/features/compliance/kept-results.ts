import type { KeptRead, RuleResult } from './rule-result.ts';

/**
 * The results of a process as they are stored, one JSON value: rules read the same balances again and again, so each
 * balance stands once and results point at it.
 */
export interface KeptResults {
  readonly balances: readonly KeptRead[];
  readonly results: readonly KeptResult[];
}

interface KeptResult extends Omit<RuleResult, 'reads'> {
  /** Places in `balances`. */
  readonly reads: readonly number[];
}

export function keptResults(results: readonly RuleResult[]): KeptResults {
  const places = new Map<string, number>();
  const balances: KeptRead[] = [];
  const placeOf = (read: KeptRead): number => {
    const key = `${read.account} ${read.kind} ${read.day ?? read.month}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, balances.length);
    return balances.push(read) - 1;
  };
  const kept = results.map((result) => ({ ...result, reads: result.reads.map(placeOf) }));
  return { balances, results: kept };
}

export function resultsOf({ balances, results }: KeptResults): RuleResult[] {
  return results.map((result) => ({ ...result, reads: result.reads.map((place) => balances[place]!) }));
}
