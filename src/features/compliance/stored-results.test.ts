import fc from 'fast-check';
import { expect, test } from 'vitest';
import { day, month } from '../../../test/support/period.ts';
import type { RuleResult, StoredRead } from './rule-result.ts';
import { resultsOf, storedResults } from './stored-results.ts';

/** Few accounts, months and days, so that rules read the same balances; a balance follows from what was asked. */
const read: fc.Arbitrary<StoredRead> = fc
  .record({
    account: fc.constantFrom('1.1', '1.2', '4'),
    month: fc.constantFrom(month('2026-01'), month('2026-02')),
    kind: fc.constantFrom('ACCUMULATED' as const, 'BEFORE_CLOSING' as const, 'DEBITS' as const),
    day: fc.option(fc.constantFrom(day('2026-02-01'), day('2026-02-28')), { nil: undefined }),
  })
  .map(({ day: date, ...asked }) =>
    date === undefined
      ? { ...asked, balance: `${asked.account.length}${asked.month.at(-1)}${asked.kind.length}.00` }
      : {
          ...asked,
          month: month('2026-02'),
          kind: 'DAY',
          day: date,
          balance: `${asked.account.length}${date.at(-1)}.50`,
        },
  );

const results: fc.Arbitrary<RuleResult[]> = fc.array(
  fc.array(read, { maxLength: 8 }).map((reads) => ({
    ruleId: 1,
    rule: 'Regra',
    severity: 'ERROR',
    businessSystem: 'FISCAL',
    scriptVersion: 1,
    status: 'PASSED' as const,
    value: '12345678901234567890.12',
    messages: [],
    failure: null,
    reads,
    durationMs: 0.5,
  })),
  { maxLength: 6 },
);

test('results come back as they were kept, each balance having been kept once', () => {
  fc.assert(
    fc.property(results, (given) => {
      const kept = JSON.parse(JSON.stringify(storedResults(given)));
      expect(resultsOf(kept)).toEqual(given);
      const once = new Set(kept.balances.map((each: StoredRead) => JSON.stringify(each)));
      expect(kept.balances).toHaveLength(once.size);
    }),
  );
});
