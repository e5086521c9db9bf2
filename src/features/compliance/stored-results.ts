import type { RuleResult, StoredRead } from './rule-result.ts';

/**
 * The results of a process as they are stored, one JSON value: rules read the same balances again and again, so each
 * balance is stored once and results refer to it.
 */
export interface StoredResults {
  readonly balances: readonly StoredRead[];
  readonly results: readonly StoredResult[];
}

interface StoredResult extends Omit<RuleResult, 'reads'> {
  /** Places in `balances`. */
  readonly reads: readonly number[];
}

export function storedResults(results: readonly RuleResult[]): StoredResults {
  const places = new Map<string, number>();
  const balances: StoredRead[] = [];
  const placeOf = (read: StoredRead): number => {
    const key = `${read.account} ${read.kind} ${read.day ?? read.month}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, balances.length);
    return balances.push(read) - 1;
  };
  const kept = results.map((result) => ({ ...result, reads: result.reads.map(placeOf) }));
  return { balances, results: kept };
}

export function resultsOf({ balances, results }: StoredResults): RuleResult[] {
  return results.map((result) => ({ ...result, reads: result.reads.map((place) => balances[place]!) }));
}
