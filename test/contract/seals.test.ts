import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, closureSettings, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { archiveMonth, closeMonth, openMonth, unarchiveMonth } from '../support/months.ts';
import { plainRoots } from '../support/plain-seals.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

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

/** A branch with a month of lines in an order that is not that of the books, open still. */
async function filledBank(): Promise<Bank> {
  const bank = await createBank(platform.admin);
  await bodyOf(platform.admin.post('masterdata', '/closuresettings', closureSettings(bank, [1])));
  await openMonth(platform.admin, bank, '01/2026');
  await post(
    platform.admin,
    bank,
    book`
    20/01  10  8.1    D     50,00       "Folha"
               8.2    D      5,00
               1.1.2  C     55,00
    05/01  2   1.1.2  D  1.000,00  3.1  "Aporte"
    05/01  A   1.1.1  D     10,00  7.1  "Juros"
    31/01  2   1.1.1  D      7,00  7.2  "Tarifa\\de “ação”"
    05/01  2   1.1.2  D      1,00  7.1  "Juros"
  `,
  );
  return bank;
}

async function sealsOf(bank: Bank) {
  const { rows } = await owner.query('SELECT * FROM seal WHERE branch_id = $1 ORDER BY position', [bank.branchId]);
  return rows.map((row) => ({
    lines: Number(row.lines),
    linesRoot: row.lines_root.toString('hex'),
    balances: Number(row.balances),
    balancesRoot: row.balances_root.toString('hex'),
  }));
}

test('a close seals what its lines and balances are by another reading of docs/seals.md, closing entries included', async () => {
  const bank = await filledBank();
  // What no route lets in, a migration may have brought.
  await owner.query(`UPDATE entry_line SET narration = narration || E'\\t\\\\\\n' WHERE branch_id = $1`, [
    bank.branchId,
  ]);
  await closeMonth(platform.admin, bank, '01/2026');
  const roots = await plainRoots(owner, bank.branchId, '2026-01-01');
  expect(roots.lines).toBe(21);
  expect(await sealsOf(bank)).toEqual([roots]);
  await archiveMonth(platform.admin, bank, '01/2026');
  expect(await plainRoots(owner, bank.branchId, '2026-01-01')).toEqual(roots);
  await unarchiveMonth(platform.admin, bank, '01/2026');
});
