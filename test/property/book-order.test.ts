import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BookPlace, linesInBookOrder, naturalKey } from '../../src/accounting/book-order.ts';
import { bookOrder } from '../../src/features/posting/entries/book-order.sql.ts';
import { day } from '../support/period.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { volumeOf } from '../support/volumes.ts';

// One list says the order of the books: PostgreSQL and the comparator must put random lines into the same one.

let platform: Platform;
let owner: pg.Client;
beforeAll(async () => {
  platform = await startPlatform();
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
});

/** Few numbers, with leading zeros, so that they meet; more digits than count as a number; letters of every plane. */
const code = fc.oneof(
  fc.constantFrom('1', '01', '001', '2', '02', '10', '010', '9'),
  fc.integer({ min: 0, max: 12 }).map(String),
  fc.stringMatching(/^[0-9]{19,22}$/),
  fc.constantFrom('', 'A', 'a', 'Á', '1A', 'ENC', '-1', '\uffee', '\u{10000}', '\u{1f4b0}', '\u{1f4b1}', '\ue000'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }).filter((text) => !text.includes('\0')),
);
/** Lines whose codes are of a small pool, so that many share their first keys. */
const places: fc.Arbitrary<BookPlace[]> = fc.array(code, { minLength: 1, maxLength: 6 }).chain((pool) => {
  const pooled = fc.constantFrom(...pool);
  const place = fc.record({
    day: fc.integer({ min: 1, max: 2 }).map((each) => day(`2026-01-0${each}`)),
    batch: pooled,
    document: pooled,
    entry: pooled,
    sequence: fc.integer({ min: 1, max: 12 }),
  });
  return fc.array(place, { minLength: 2, maxLength: 60 });
});

test('PostgreSQL orders random lines as the comparator does', async () => {
  await fc.assert(
    fc.asyncProperty(places, async (lines) => {
      const { rows } = await owner.query<{ at: number }>({
        text: `SELECT line.at
                 FROM unnest($1::date[], $2::text[], $3::text[], $4::text[], $5::integer[]) WITH ORDINALITY
                      AS line (day, batch, document, entry, sequence, at)
                ORDER BY ${bookOrder(COLUMNS).text}, line.at`,
        values: KEYS.map((key) => lines.map((each) => each[key])),
      });
      const sorted = linesInBookOrder({
        days: lines.map((each) => each.day),
        documents: lines.map(({ batch, document }) => ({
          batchKey: naturalKey(batch),
          documentKey: naturalKey(document),
        })),
        entries: lines.map(({ entry }) => entry),
        sequences: lines.map(({ sequence }) => sequence),
      });
      expect(rows.map(({ at }) => at)).toEqual(sorted.map((at) => at + 1));
    }),
    { numRuns: volumeOf('ORDER_RUNS') },
  );
});

test('columns that are left out leave the order of the others', () => {
  expect(bookOrder({ sequence: 's', document: { rank: 'place' }, day: 'd' }).text).toBe('d, place, s');
  expect(bookOrder({ entry: 'e', batch: 'b' }).text).toBe('natural_sort_key(b), natural_sort_key(e)');
});

const KEYS = ['day', 'batch', 'document', 'entry', 'sequence'] as const;
const COLUMNS = Object.fromEntries(KEYS.map((key) => [key, `line.${key}`]));
