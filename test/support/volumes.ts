/**
 * How much the random and the exhaustive tests do: `test` in npm test, `short` and `full` in the two forms of npm run
 * trust. The volumes of a part of npm run trust keep within its seconds in `trust-parts.ts`; those of the random tests
 * are of npm run trust -- --long. A variable of the same name in the environment wins.
 */
const VOLUMES = {
  /** Sequences of steps that the program and a plain book take. */
  MODEL_RUNS: { test: 16, short: 300, full: 1_000 },
  /** Random books of two months, compared on every endpoint of balances. */
  BOOKS_RUNS: { test: 5, short: 15, full: 100 },
  /** Random banks of three branches over a year, compared on every paper. */
  PAPERS_RUNS: { test: 1, short: 2, full: 30 },
  /** Random books, written as a bookkeeping file, imported, and written again. */
  ROUND_TRIPS: { test: 3, short: 8, full: 40 },
  /** Random files, rejected in SQL as by the posting rules. */
  STAGED_RUNS: { test: 50, short: 200, full: 2_000 },
  /** Random lines, ordered by PostgreSQL and by the comparator. */
  ORDER_RUNS: { test: 60, short: 200, full: 1_000 },
  /** How long writers race with month closes, in milliseconds. */
  RACE_MS: { test: 4_000, short: 12_000, full: 60_000 },
  /** Records of others that the access matrix tries where an id may be of any table, besides the likely ones. */
  MATRIX_TABLES: { test: 3, short: 3, full: 1_000 },
  /** One in so many of the odd values is sent in the place of each value, in turn. */
  ODD_VALUES_ONE_IN: { test: 5, short: 2, full: 1 },
  /** Random sources of the rule language of each kind, times one to six. */
  RULE_SOURCES: { test: 150, short: 500, full: 5_000 },
  /** How often program and database are killed while clients post. */
  KILLS: { test: 2, short: 4, full: 20 },
  /** How often one of several processes is killed, one every ten seconds. */
  PROCESS_KILLS: { test: 3, short: 3, full: 12 },
  /** How often all long works are killed at once, and the entries of each. */
  INTERRUPTIONS: { test: 1, short: 2, full: 8 },
  INTERRUPTED_ENTRIES: { test: 1_000, short: 1_000, full: 5_000 },
  /** Month closes that postings race with. */
  POSTING_RACES: { test: 40, short: 100, full: 2_000 },
  /** Hostile requests over all operations. */
  FUZZ_REQUESTS: { test: 2_000, short: 5_000, full: 50_500 },
  /** Tamperings by SQL as the owner. */
  TAMPERINGS: { test: 60, short: 110, full: 500 },
  /** Random worlds of users, groups and permissions. */
  PERMISSION_RUNS: { test: 60, short: 100, full: 1_000 },
  /** Entries that the client's example posts, and how often the platform is killed meanwhile. */
  CLIENT_ENTRIES: { test: 600, short: 2_000, full: 10_000 },
  CLIENT_KILLS: { test: 2, short: 4, full: 12 },
} satisfies Readonly<Record<string, Readonly<Record<Form, number>>>>;

export type Form = 'test' | 'short' | 'full';

/** npm run trust names its form to the tests that it starts. */
export const FORM = (process.env.TRUST_FORM ?? 'test') as Form;

export function volumeOf(name: keyof typeof VOLUMES): number {
  return Number(process.env[name] ?? VOLUMES[name][FORM]);
}
