import { expect, test } from 'vitest';
import { day, month } from '../../test/support/period.ts';
import { type AccountId, asId } from './ids.ts';
import { MAX_ENTRY_AMOUNT } from './money.ts';
import {
  type PlaceInEntry,
  type PostingAccount,
  type PostingFacts,
  type PostingLine,
  physicalLines,
  postingFindings,
  postingProblems,
} from './posting.ts';

const accountId = asId<AccountId>;

const account = (id: number, more: Partial<PostingAccount> = {}): PostingAccount => ({
  id: asId(id),
  code: `1.${id}`,
  type: 'A',
  accountClass: '01',
  active: true,
  startDate: null,
  endDate: null,
  ...more,
});

const ACCOUNTS = new Map(
  [
    account(1),
    account(2),
    account(3, { type: 'S' }),
    account(4, { active: false }),
    account(5, { startDate: day('2025-01-01'), endDate: day('2025-12-31') }),
    account(6, { startDate: day('2026-02-01') }),
    account(7, { endDate: day('2025-12-31') }),
    account(8, { accountClass: '05' }),
    account(9, { accountClass: '09' }),
  ].map((each) => [each.id, each]),
);

const NARRATIONS = new Map([
  ['ATIVO', { active: true, requiresComplement: false }],
  ['COMPL', { active: true, requiresComplement: true }],
  ['VELHO', { active: false, requiresComplement: false }],
]);

const FACTS: PostingFacts = {
  month: month('2026-01'),
  monthState: 'OPEN',
  narrationRequired: false,
  mixesMemorandum: false,
  isDayClosed: (day) => day === '2026-01-02',
  account: (id) => ACCOUNTS.get(id),
  narration: (code) => NARRATIONS.get(code),
};

const line = (more: Partial<PostingLine> = {}): PostingLine => ({
  side: 'D',
  day: day('2026-01-05'),
  accountId: accountId(1),
  offsetAccountId: accountId(2),
  amount: 100n,
  narration: 'Depósito',
  narrationCode: null,
  ...more,
});

const credit = (more: Partial<PostingLine> = {}) =>
  line({ side: 'C', accountId: accountId(2), offsetAccountId: accountId(1), ...more });

const found = (lines: readonly PostingLine[], facts: Partial<PostingFacts> = {}) =>
  postingFindings({ number: '7', lines }, { ...FACTS, ...facts }).map(({ place, problem }) => [place, problem.code]);

/** Every rule in its order, with the least change of a right line that breaks it. */
const RULES: [PlaceInEntry, string, Partial<PostingLine>, Partial<PostingFacts>?][] = [
  ['amount', 'AMOUNT_NOT_POSITIVE', { amount: 0n }],
  ['amount', 'INVALID_FIELD', { amount: MAX_ENTRY_AMOUNT + 1n }],
  ['day', 'DAY_NOT_IN_MONTH', { day: day('2026-02-05') }],
  ['day', 'DAY_CLOSED', { day: day('2026-01-02') }],
  ['account', 'ACCOUNT_NOT_IN_CHART', { accountId: accountId(99) }],
  ['account', 'ACCOUNT_SYNTHETIC', { accountId: accountId(3) }],
  ['account', 'ACCOUNT_INACTIVE', { accountId: accountId(4) }],
  ['account', 'ACCOUNT_OUT_OF_VALIDITY', { accountId: accountId(5) }],
  ['offsetAccount', 'ACCOUNT_NOT_IN_CHART', { offsetAccountId: accountId(99) }],
  ['offsetAccount', 'ACCOUNT_SYNTHETIC', { offsetAccountId: accountId(3) }],
  ['offsetAccount', 'ACCOUNT_INACTIVE', { offsetAccountId: accountId(4) }],
  ['offsetAccount', 'ACCOUNT_OUT_OF_VALIDITY', { offsetAccountId: accountId(7) }],
  ['offsetAccount', 'SAME_ACCOUNT', { offsetAccountId: accountId(1) }],
  ['narrationCode', 'UNKNOWN_HISTORY', { narrationCode: 'NADA' }],
  ['narrationCode', 'HISTORY_INACTIVE', { narrationCode: 'VELHO' }],
  ['narration', 'HISTORY_REQUIRED', { narration: null }, { narrationRequired: true }],
  ['narration', 'COMPLEMENT_REQUIRED', { narration: null, narrationCode: 'COMPL' }],
];

test('a right line has no problem, alone with its counter account or as both sides', () => {
  expect(found([line()])).toEqual([]);
  expect(found([line(), credit()])).toEqual([]);
  expect(found([line({ amount: MAX_ENTRY_AMOUNT }), credit({ amount: MAX_ENTRY_AMOUNT })])).toEqual([]);
  expect(found([line({ narration: null, narrationCode: 'ATIVO' })], { narrationRequired: true })).toEqual([]);
});

test('each rule is broken by its own change', () => {
  for (const [place, code, change, facts] of RULES) expect(found([line(change)], facts)).toEqual([[place, code]]);
});

test('of two reasons the one that comes first in the list is reported first', () => {
  for (const [at, [place, code, change, facts]] of RULES.entries()) {
    for (const [otherPlace, otherCode, otherChange, otherFacts] of RULES.slice(at + 1)) {
      const isApart = Object.keys(change).every((field) => !(field in otherChange));
      // Two that cannot stand together: a code given, whatever it is worth, is a history given.
      if (!isApart || otherCode === 'SAME_ACCOUNT') continue;
      if (otherCode === 'HISTORY_REQUIRED' && 'narrationCode' in change) continue;
      expect(found([line({ ...change, ...otherChange })], { ...facts, ...otherFacts }).slice(0, 2)).toEqual([
        [place, code],
        [otherPlace, otherCode],
      ]);
    }
  }
});

test('a month that takes nothing is the only reason', () => {
  expect(found([line({ amount: 0n })], { monthState: 'CLOSED' })).toEqual([['month', 'MONTH_CONSOLIDATED']]);
  expect(found([line({ amount: 0n })], { monthState: 'NOT_OPENED' })).toEqual([['month', 'MONTH_NOT_OPEN']]);
});

test('of an entry the day comes before the sums, and these before memorandum accounts', () => {
  const lonely = { offsetAccountId: null };
  expect(found([line(lonely), credit({ ...lonely, day: day('2026-01-06'), amount: 1n })])).toEqual([
    ['day', 'ENTRY_ON_TWO_DAYS'],
  ]);
  expect(found([line({ ...lonely, accountId: accountId(8) }), credit({ ...lonely, amount: 99n })])).toEqual([
    ['amount', 'UNBALANCED_ENTRY'],
  ]);
  const [problem] = postingProblems({ number: '7', lines: [line(lonely), credit({ ...lonely, amount: 99n })] }, FACTS);
  expect(problem).toEqual({
    code: 'UNBALANCED_ENTRY',
    params: { entry: '7', debits: '1.00', credits: '0.99' },
    path: 'entry.amount',
  });
});

test('sums over a wrong line are not reported', () => {
  expect(found([line({ accountId: accountId(99), offsetAccountId: null })])).toEqual([
    ['account', 'ACCOUNT_NOT_IN_CHART'],
  ]);
});

test('memorandum accounts balance among themselves, in pairs and in compound entries', () => {
  const mixed = [['account', 'MEMORANDUM_MIXED']];
  expect(found([line({ accountId: accountId(8) })])).toEqual(mixed);
  expect(found([line({ offsetAccountId: accountId(9) })])).toEqual(mixed);
  expect(found([line({ accountId: accountId(8), offsetAccountId: accountId(9) })])).toEqual([]);
  const part = (side: 'D' | 'C', accountId: AccountId, amount: bigint) =>
    line({ side, accountId, amount, offsetAccountId: null });
  const both = [
    part('D', accountId(8), 30n),
    part('C', accountId(9), 30n),
    part('D', accountId(1), 70n),
    part('C', accountId(2), 70n),
  ];
  expect(found(both)).toEqual([]);
  expect(found([...both, part('D', accountId(8), 1n), part('C', accountId(2), 1n)])).toEqual(mixed);
  expect(found([line({ accountId: accountId(8) })], { mixesMemorandum: true })).toEqual([]);
});

test('the message of a validity tells its days', () => {
  const validity = (accountId: AccountId) =>
    postingFindings({ number: '1', lines: [line({ accountId })] }, FACTS)[0]!.problem.params;
  expect(validity(accountId(5))).toMatchObject({
    account: '1.5',
    validity: 'BETWEEN',
    first: '01/01/2025',
    last: '31/12/2025',
  });
  expect(validity(accountId(6))).toMatchObject({ validity: 'FROM', first: '01/02/2026' });
  expect(validity(accountId(7))).toMatchObject({ validity: 'UNTIL', last: '31/12/2025' });
});

test('physical lines: as they are when they balance, pairs when every line names its counter account', () => {
  const given = { side: 'D', accountId: accountId(1), offsetAccountId: accountId(2), amount: 5n } as const;
  const mirrored = { side: 'C', accountId: accountId(2), offsetAccountId: accountId(1), amount: 5n } as const;
  expect(physicalLines([given])).toEqual([given, mirrored]);
  expect(physicalLines([given, mirrored])).toEqual([given, mirrored]);
  expect(physicalLines([{ ...given, offsetAccountId: null }])).toBeUndefined();
});
