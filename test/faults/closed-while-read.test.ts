import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';

// A month that is reopened between two statements of a calculation: the calculation is stopped there by a lock on the
// table of closed balances, which it reads after it has decided which month to read.

let platform: Platform;
let bank: Bank;
/** Somebody else at the database. */
let other: pg.Client;
beforeAll(async () => {
  platform = await startPlatform({ SERVICES: 'authentication,masterdata,movements' });
  other = new pg.Client({ connectionString: platform.ownerUrl });
  await other.connect();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  await post(platform.admin, bank, book`10/01  1.1.1  D  900,00  3.1`);
  const { company, branch } = bank;
  await closeMonth(platform.admin, bank, '01/2026');
  await openMonth(platform.admin, bank, '02/2026');
  const quota = { company, branch, netEquityAccountId: bank.accounts.get('3.1'), numberOfQuotas: 300 };
  expect((await platform.admin.post('masterdata', '/quotacalculation/', quota)).status).toBe(201);
  const lines = [
    {
      sequence: 1,
      debcre: 'C',
      valueType: 'SALDO_CONTA',
      contaId: bank.accounts.get('1.1.1'),
      contrapartida: bank.accounts.get('1.2'),
    },
  ];
  const release = { code: 'APLICA', description: 'Aplicação do caixa', lines };
  expect((await platform.admin.post('masterdata', `/release/${company}/${branch}`, release)).status).toBe(201);
}, 60_000);
afterAll(async () => {
  await other?.end();
  await platform?.stop();
});

const quotaPath = () => `/taxquotacalculation/${bank.company}/${bank.branch}`;
const QUOTA = ['02/02/2026', '3.00000000', '900.00', '300.00000000'];

test('a quota shown is calculated from one moment', async () => {
  const answer = await stopped(
    () => platform.admin.get('movements', quotaPath()),
    async () => {
      await other.query(`UPDATE month SET state = 'OPEN' WHERE month = '2026-01-01'`);
      await other.query('CREATE TEMPORARY TABLE closed AS SELECT * FROM monthly_balance');
      await other.query('DELETE FROM monthly_balance');
    },
    'COMMIT',
  );
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 302, body: QUOTA });
  expect((await platform.admin.get('movements', quotaPath())).body).toMatchObject({ code: 'MONTH_NOT_CONSOLIDATED' });
  await other.query('INSERT INTO monthly_balance SELECT * FROM closed');
  await other.query(`UPDATE month SET state = 'CLOSED' WHERE month = '2026-01-01'`);
});

test('what is stored holds the month it was read from', async () => {
  const quota = await stopped(
    () => platform.admin.get('movements', `${quotaPath()}?confirmed=true`),
    monthIsHeld,
    'ROLLBACK',
  );
  expect({ status: quota.status, body: quota.body }).toEqual({ status: 200, body: QUOTA });
  const use = { company: bank.company, branch: bank.branch, code: 'APLICA', year: 2026, month: 2, day: 3 };
  const posted = await stopped(
    () => platform.admin.post('masterdata', '/releasedata/', { ...use, status: 'LANCADO' }),
    monthIsHeld,
    'ROLLBACK',
  );
  expect(posted.status, posted.text).toBe(201);
  const [line] = (await platform.admin.get('movements', `/allentry/${posted.body.documentId}`)).body;
  expect(line).toMatchObject({ valor: 900, debcre: 'C' });
});

/** Nobody may reopen or archive the closed month now. */
async function monthIsHeld(): Promise<void> {
  await other.query('SAVEPOINT attempt');
  const attempt = other.query(`SELECT month FROM month WHERE month = '2026-01-01' FOR UPDATE NOWAIT`);
  await expect(attempt).rejects.toMatchObject({ code: '55P03' });
  await other.query('ROLLBACK TO SAVEPOINT attempt');
}

/** The response of a request that has to wait where it reads the closed balances, while something else happens. */
async function stopped(
  request: () => Promise<HttpAnswer<Record<string, unknown>>>,
  meanwhile: () => Promise<void>,
  end: 'COMMIT' | 'ROLLBACK',
): Promise<HttpAnswer<Record<string, unknown>>> {
  await other.query('BEGIN');
  try {
    await other.query('LOCK TABLE monthly_balance IN ACCESS EXCLUSIVE MODE');
    const answer = request();
    const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'monthly_balance'::regclass`;
    for (let turn = 0; (await other.query(waiting)).rows.length === 0; turn++) {
      if (turn > 250) throw new Error(`never waited: ${(await answer).text}`);
      await sleep(20);
    }
    await meanwhile();
    await other.query(end);
    return await answer;
  } catch (error) {
    await other.query('ROLLBACK');
    throw error;
  }
}
