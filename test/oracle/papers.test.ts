import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { printedAmount } from '../support/amounts.ts';
import { setOpenings } from '../support/balances.ts';
import { type AccountFixture, type Bank, createBank } from '../support/banks.ts';
import { type BookEntry, post } from '../support/books.ts';
import { cosifGroupOf } from '../support/cosif-groups.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { day as dayOf } from '../support/period.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { volumeOf } from '../support/volumes.ts';
import { expectPapers } from './compare-papers.ts';
import {
  add,
  CHART,
  CLOSING_MONTHS,
  isWithin,
  LEAVES,
  lastDayOf,
  type PaperBooks,
  type PaperLine,
  together,
  withClosings,
} from './plain-papers.ts';

// Random books of a bank with three branches over two semesters, both closed. Every figure of every paper, as CSV over HTTP,
// is the one that plain-papers adds up from the lines alone.

/** Seeds of books that once differed. */
const KEPT_SEEDS: readonly number[] = [];
const FIRST_SEED = Number(process.env.PAPERS_SEED ?? Date.now() % 2 ** 31);
const SEEDS = [...Array.from({ length: volumeOf('PAPERS_RUNS') }, (_, at) => FIRST_SEED + at), ...KEPT_SEEDS];

const MONTHS = Array.from({ length: 12 }, (_, at) => `2026-${String(at + 1).padStart(2, '0')}`);
const BRANCHES = ['0001', '0002', '0003'];

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

test.each(SEEDS)(
  'papers of a bank of three branches over two semesters (PAPERS_SEED=%i)',
  async (seed) => {
    const drawn = BRANCHES.map((_, at) => drawBooks(seed, at));
    const banks = await createBanks(drawn);
    await Promise.all(banks.map((bank, at) => postAndClose(bank, drawn[at]!)));
    const closed = drawn.map((books) => withClosings(books, MONTHS));
    const { company } = banks[0]!;
    for (const [at, branch] of BRANCHES.entries()) {
      await expectPapers({ client: platform.admin, company, branch, books: closed[at]! }, MONTHS);
    }
    await expectPapers({ client: platform.admin, company, branch: '*', books: together(closed) }, MONTHS);
  },
  120_000,
);

// What is drawn

const MEMORANDUM = LEAVES.filter((code) => isWithin(code, '3') || isWithin(code, '9'));
const ORDINARY = LEAVES.filter((code) => !MEMORANDUM.includes(code));
const ENTRIES = 60;

/** Books of one branch before any closing: pairs, and entries of several lines, within one of the two systems of accounts. */
function drawBooks(seed: number, branch: number): PaperBooks {
  const cents = fc.oneof(fc.bigInt(1n, 999n), fc.bigInt(1n, 9_999_999_999n));
  const entry = fc
    .record({
      leaves: fc.oneof(
        { weight: 5, arbitrary: fc.constant(ORDINARY) },
        { weight: 1, arbitrary: fc.constant(MEMORANDUM) },
      ),
      month: fc.constantFrom(...MONTHS),
      day: fc.integer({ min: 1, max: 31 }),
      document: fc.integer({ min: 1, max: 12 }),
      places: fc.uniqueArray(fc.nat(999), { minLength: 2, maxLength: 2 }),
      amounts: fc.array(cents, { minLength: 1, maxLength: 4 }),
      isDebit: fc.boolean(),
      more: fc.array(fc.nat(999), { minLength: 4, maxLength: 4 }),
    })
    .map(({ leaves, month, day, document, places, amounts, isDebit, more }) => {
      const at = (place: number) => leaves[place % leaves.length]!;
      const single = at(places[0]!);
      const others = amounts.map((amount, n) => ({ account: at(n === 0 ? places[1]! : more[n]!), amount }));
      const lines = others.filter(({ account }) => account !== single);
      const [side, other] = isDebit ? (['D', 'C'] as const) : (['C', 'D'] as const);
      return {
        day: `${month}-${String(Math.min(day, Number(lastDayOf(month).slice(8)))).padStart(2, '0')}`,
        document: String(document),
        lines: [
          { account: single, side, cents: add(lines.map(({ amount }) => amount)) },
          ...lines.map(({ account, amount }) => ({ account, side: other, cents: amount })),
        ],
      };
    })
    .filter(({ lines }) => lines.length > 1);
  const entries = fc.sample(entry, { numRuns: ENTRIES, seed: seed * 3 + branch });
  const opening = fc.array(fc.bigInt(-9_999_999n, 9_999_999n), { minLength: LEAVES.length, maxLength: LEAVES.length });
  const [amounts] = fc.sample(opening, { numRuns: 1, seed: seed * 3 + branch });
  const numbers = new Map<string, number>();
  return {
    openings: openingsOf(amounts!),
    lines: entries.flatMap(({ day, document, lines }) => {
      const folder = `${day.slice(0, 7)} ${document}`;
      const place = { branch: BRANCHES[branch]!, day, batch: '1', document, entry: (numbers.get(folder) ?? 0) + 1 };
      numbers.set(folder, place.entry);
      return lines.map((line) => ({ ...line, ...place, isClosing: false }));
    }),
  };
}

/** Each system of accounts begins balanced: its first account takes the rest. */
function openingsOf(amounts: readonly bigint[]): Map<string, bigint> {
  const drawn = new Map(LEAVES.map((code, at) => [code, at % 3 === 0 ? 0n : amounts[at]!]));
  for (const leaves of [ORDINARY, MEMORANDUM]) {
    drawn.set(leaves[0]!, -add(leaves.slice(1).map((code) => drawn.get(code)!)));
  }
  return drawn;
}

// What is posted

async function createBanks(drawn: readonly PaperBooks[]): Promise<Bank[]> {
  const accounts = CHART.map(({ code, takesEntries }): AccountFixture => {
    const type = takesEntries ? 'A' : 'S';
    const { nature, accountClass } = cosifGroupOf(code)!;
    return { code, description: `Conta ${code}`, type, nature, accountClass };
  });
  const banks: Bank[] = [];
  for (const [at, branch] of BRANCHES.entries()) {
    const [first] = banks;
    const shared = first && { company: first.company, chartCode: first.chartCode, accounts: [], existing: true };
    const bank = await createBank(platform.admin, {
      branch,
      accounts,
      options: { regulatoryLayout: 'COSIF' },
      ...shared,
    });
    const account = (code: string) => bank.accounts.get(code)!;
    const closing = await platform.admin.post('masterdata', '/closuresettings', {
      company: bank.company,
      branch,
      closingMonths: CLOSING_MONTHS,
      revenueGroups: ['7'],
      expenseGroups: ['8'],
      creditResultAccountId: account('7.9'),
      debitResultAccountId: account('8.9'),
      profitAccountId: account('6.2'),
      lossAccountId: account('6.3'),
    });
    expect(closing.status, closing.text).toBe(201);
    const openings = [...drawn[at]!.openings].filter(([, cents]) => cents !== 0n);
    const table = openings.map(
      ([code, cents]) => `${code}  ${printedAmount(cents < 0n ? -cents : cents)} ${cents < 0n ? 'C' : 'D'}`,
    );
    await setOpenings(platform.admin, bank, table.join('\n'));
    banks.push(bank);
  }
  await bodyOf(platform.admin.post('masterdata', '/statements/default', { chartCode: banks[0]!.chartCode }));
  return banks;
}

async function postAndClose(bank: Bank, books: PaperBooks): Promise<void> {
  for (const month of MONTHS) {
    await openMonth(platform.admin, bank, slash(month));
    await post(platform.admin, bank, entriesOf(books.lines.filter(({ day }) => day.startsWith(month))));
    await closeMonth(platform.admin, bank, slash(month));
  }
}

/** Entries in the order in which they were numbered. */
function entriesOf(lines: readonly PaperLine[]): BookEntry[] {
  const entries = Map.groupBy(lines, ({ document, entry }) => `${document} ${entry}`);
  return [...entries.values()].map((ofEntry) => ({
    day: dayOf(ofEntry[0]!.day),
    batch: ofEntry[0]!.batch,
    document: ofEntry[0]!.document,
    lines: ofEntry.map(({ side, account, cents }) => ({
      side,
      account,
      amount: cents,
      offset: undefined,
      narration: 'x',
    })),
  }));
}

function slash(month: string): string {
  return `${month.slice(5)}/${month.slice(0, 4)}`;
}
