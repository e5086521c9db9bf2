import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { SYSTEM_SCOPE } from '../../src/platform/database/system-scope.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, newDocument, postEntry } from '../support/books.ts';
import { recordFigure } from '../support/figures.ts';
import { lateLines } from '../support/late-lines.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { timeLimitOf } from '../support/trust-parts.ts';
import { volumeOf } from '../support/volumes.ts';

// A month closes while entries are posted into it, again and again: an entry is in the stored balances or was refused.

const RACES = volumeOf('POSTING_RACES');
const BRANCHES = 8;
const POSTERS = 2;
const MONTH = '01/2026';
const [ENTRY] = book`15/01  1.1.1  D  1,01  2.1.1`;
/** Of the control: without locks most races leave late lines, and one is enough. */
const CONTROL_RACES = 40;

let platform: Platform | undefined;
afterEach(() => platform?.stop());

let control: Races;

test('without the locks on the month, late lines are seen', {
  timeout: timeLimitOf('posting-against-closing'),
}, async () => {
  const parse = pg.Connection.prototype.parse;
  // What every statement of the program looks like when it reaches the driver.
  pg.Connection.prototype.parse = function (this: pg.Connection, query, more) {
    return parse.call(this, { ...query, text: withoutMonthLock(query.text) }, more);
  };
  try {
    platform = await startPlatform({ DATABASE_CONNECTIONS: '40', CONSOLIDATION_WORKERS: '4' });
    // The last word of the database is taken out as well, and takes its time as a full disk would: longer than a close,
    // so that what is being saved when the month closes is saved after it, and no close can notice it.
    await withOwnerConnection(platform.ownerUrl, (owner) =>
      owner.query(`CREATE OR REPLACE FUNCTION hold_open_month(company bigint, branch bigint, held date, changed oid)
                   RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.3); RETURN false; END $$`),
    );
    control = await race(platform, CONTROL_RACES, 'without locks');
    expect(control.late).toBeGreaterThan(0);
  } finally {
    pg.Connection.prototype.parse = parse;
  }
});

test(`${RACES} races leave no late line`, { timeout: timeLimitOf('posting-against-closing') }, async () => {
  platform = await startPlatform({ DATABASE_CONNECTIONS: '40', CONSOLIDATION_WORKERS: '4' });
  const { races, posted, refused, late } = await race(platform, RACES);
  recordFigure({
    part: 'posting-against-closing',
    what: `posting against closing, ${races} races`,
    figure: `${posted} entries saved until the months were closed, late lines ${late}`,
    control: `locks and triggers of the month taken out, ${control.races} races: ${control.late} late lines, and ${control.noticed} closes that found lines come in while they sealed`,
  });
  expect(late).toBe(0);
  // They do meet: whoever posts goes on until the month is closed.
  expect(refused).toBe(POSTERS * races);
  expect(posted).toBeGreaterThan(races);
});

const withoutMonthLock = (text: string) =>
  text
    .replace(/FOR SHARE OF month( SKIP LOCKED)?/, '')
    .replace(/pg_(try_)?advisory_xact_lock(_shared)?\(hashint8extended\(month\.[^)]*\)\)/, 'true');

interface Races {
  readonly races: number;
  readonly posted: number;
  readonly refused: number;
  readonly late: number;
  /** Closes that failed because lines came in while they hashed them: the last word, where no lock keeps them out. */
  readonly noticed: number;
}

/** Rounds of all branches at once: each closes its month while entries are posted, is looked at and opened again. */
async function race({ admin, program }: Platform, atLeast: number, how?: 'without locks'): Promise<Races> {
  const sql = program.database.under(SYSTEM_SCOPE);
  const branches = await Promise.all(Array.from({ length: BRANCHES }, newBranch));
  const counts = { races: 0, posted: 0, refused: 0, late: 0, noticed: 0 };
  while (counts.races < atLeast) {
    await Promise.all(
      branches.map(async ({ bank, document }) => {
        let isHalted = false;
        const poster = async () => {
          while (!isHalted) {
            const { status, body, text } = await postEntry(admin, bank, document, [ENTRY!]);
            if (status === 201) counts.posted++;
            else if (body.code === 'MONTH_CONSOLIDATED') break;
            else throw new Error(`${status} ${text}`);
          }
          counts.refused++;
        };
        const posters = Promise.all(Array.from({ length: POSTERS }, poster));
        const close = async () => {
          try {
            await closeMonth(admin, bank, MONTH);
          } catch (error) {
            if (how === undefined) throw error;
            counts.noticed++;
            isHalted = true;
            await posters;
            await closeMonth(admin, bank, MONTH);
          }
        };
        await Promise.all([close(), posters]);
      }),
    );
    counts.races += branches.length;
    counts.late += (
      await lateLines(
        sql,
        branches.map(({ bank }) => bank.branchId),
      )
    ).length;
    await Promise.all(branches.map(({ bank }) => openMonth(admin, bank, MONTH)));
  }
  return counts;

  async function newBranch(): Promise<{ bank: Bank; document: number }> {
    const bank = await createBank(admin);
    await openMonth(admin, bank, MONTH);
    return { bank, document: await newDocument(admin, bank, MONTH) };
  }
}
