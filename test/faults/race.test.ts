import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVERYTHING, type Sql } from '../../src/platform/sql.ts';
import { type Bank, createBank, openMonth } from '../support/books.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

const POSTERS = 8;
const RACE_MS = 5_000;

let platform: Platform;
let bank: Bank;
let sql: Sql;
beforeAll(async () => {
  platform = await startPlatform({ DATABASE_CONNECTIONS: '20' });
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  sql = platform.program.database.under(EVERYTHING);
});
afterAll(() => platform?.stop());

async function consolidated(): Promise<boolean> {
  const body = { company: bank.company, branch: bank.branch, year: '2026', month: '01' };
  const { body: run } = await platform.admin.post('movements', '/runconsolidation', body);
  for (;;) {
    const { body: state } = await platform.admin.get('movements', `/runconsolidation/${run.id}`);
    if (state.status === 'DONE' || state.status === 'ERROR') return state.status === 'DONE';
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Accounts whose frozen debits differ from the lines that are in the month now: late lines, or lost ones. */
async function differences(): Promise<unknown[]> {
  return sql.rows({
    text: `SELECT account.code, frozen.debit, lines.debit AS lines
             FROM (SELECT entry_line.account_id, sum(entry_line.amount) FILTER (WHERE entry_line.side = 'D') AS debit,
                          sum(entry_line.amount) FILTER (WHERE entry_line.side = 'C') AS credit
                     FROM entry_line WHERE entry_line.branch_id = $1 GROUP BY 1) AS lines
             FULL JOIN (SELECT monthly_balance.account_id, monthly_balance.debit, monthly_balance.credit
                          FROM monthly_balance
                          JOIN account ON account.id = monthly_balance.account_id AND account.account_type = 'A'
                         WHERE monthly_balance.branch_id = $1) AS frozen ON frozen.account_id = lines.account_id
             JOIN account ON account.id = coalesce(lines.account_id, frozen.account_id)
            WHERE coalesce(frozen.debit, 0) <> coalesce(lines.debit, 0)
               OR coalesce(frozen.credit, 0) <> coalesce(lines.credit, 0)`,
    values: [bank.branchId],
  });
}

test('posters against consolidations and reopenings: no line comes late, none is lost', async () => {
  const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
  const batch = (await platform.admin.post('movements', '/batch', place)).body;
  const end = Date.now() + RACE_MS;
  const posted: number[] = [];
  const unexpected: string[] = [];
  const poster = async (number: number) => {
    const document = (
      await platform.admin.post('movements', '/document', { batchId: batch.id, documento: `P${number}` })
    ).body;
    while (Date.now() < end) {
      const answer = await platform.admin.post('movements', '/entry', {
        documentId: document.id,
        debcre: 'D',
        day: '15',
        contaId: bank.accounts.get('1.1.1'),
        contrapartida: bank.accounts.get('2.1.1'),
        valor: 1.01,
      });
      if (answer.status === 201) posted.push(answer.body.id);
      else if (answer.body.code !== 'MONTH_CONSOLIDATED') unexpected.push(answer.text);
    }
  };
  let freezes = 0;
  const freezer = async () => {
    while (Date.now() < end) {
      if (!(await consolidated())) continue;
      freezes++;
      // Whoever was late would land now.
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect(await differences()).toEqual([]);
      await openMonth(platform.admin, bank, '01/2026');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const documents = Array.from({ length: POSTERS }, (_, number) => poster(number));
  await Promise.all([...documents, freezer()]);
  expect(unexpected).toEqual([]);
  expect(await consolidated()).toBe(true);
  expect(await differences()).toEqual([]);
  const kept = await sql.rows<{ id: number }>({
    text: 'SELECT entry_line.id FROM entry_line WHERE entry_line.branch_id = $1 AND entry_line.id = ANY ($2::bigint[])',
    values: [bank.branchId, posted],
  });
  expect(kept).toHaveLength(posted.length);
  console.log(`${posted.length} entries posted against ${freezes} consolidations`);
  expect(freezes).toBeGreaterThan(1);
  expect(posted.length).toBeGreaterThan(100);
}, 60_000);
