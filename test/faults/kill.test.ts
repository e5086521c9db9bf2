import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectBalances } from '../support/balances.ts';
import type { Bank } from '../support/banks.ts';
import { emptyBatch, sendLargeFile } from '../support/large-file.ts';
import {
  archiveMonth,
  askToCloseMonth,
  askToMoveEntries,
  closeMonth,
  endOfMonthClose,
  openMonth,
  unarchiveMonth,
} from '../support/months.ts';
import { OwnProcess } from '../support/own-process.ts';
import { bodyOf, type Client, type HttpAnswer } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

// kill -9 in the middle of the long works. Each is made to wait in its middle for a row that the test has locked, so
// that the kill never falls before or after; then every row of the books must be as it was, and a second try must work.

/** Logical entries of a file. */
const ENTRIES = 2_000;
const MONTH = '01/2026';
const BOOKS = ['batch', 'document', 'entry_line'] as const;
const ARCHIVE = ['batch_archive', 'document_archive', 'entry_line_archive'] as const;
const SEALS = ['seal', 'seal_checkpoint'] as const;
const TABLES = [
  ...[...BOOKS, ...ARCHIVE, ...SEALS],
  ...['entry_reversal', 'month', 'monthly_balance', 'daily_balance', 'approval', 'tax_quota'],
] as const;

let program: OwnProcess;
let admin: Client;
beforeAll(async () => {
  ({ program, admin } = await OwnProcess.begin());
});
afterAll(() => program?.remove());

test('import: no line, no document, no staged row; the same file again is imported whole', async () => {
  const { bank, batch } = await openBooks();
  await killedInTheMiddle({
    // The document of the file waits for one of the same number that is not committed.
    hold: `INSERT INTO document (company_id, branch_id, month, batch_id, number)
           SELECT batch.company_id, batch.branch_id, batch.month, batch.id, '9' FROM batch WHERE batch.id = ${batch}`,
    waits: 'INSERT INTO document',
    work: () => sendLargeFile(admin, batch, ENTRIES),
  });
  await killedInTheMiddle({ ...importing(batch), work: () => sendLargeFile(admin, batch, ENTRIES) });
  const imports = (await admin.get('movements', `/imports/${bank.company}/${bank.branch}`)).body;
  expect(imports.map((each: { status: string }) => each.status)).toEqual(['INTERRUPTED', 'INTERRUPTED']);
  expect(await program.rowsOf(['import_line'])).toEqual({ import_line: null });
  expect((await sendLargeFile(admin, batch, ENTRIES)).body).toMatchObject({ success: true, totalRows: ENTRIES });
  await expectImported(bank);
});

test('month close: the month is open without a balance or a seal; the next start closes it, with one seal', async () => {
  const { bank } = await fullBooks();
  let run = 0;
  await killedInTheMiddle({
    hold: balanceRow(bank),
    waits: 'opening_leaf AS',
    work: async () => {
      const answer = await askToCloseMonth(admin, bank, MONTH);
      run = answer.body.id;
      return answer;
    },
    // Asked for and answered at once; the work goes on after.
    isAnswered: true,
  });
  await closed(run);
  await expectImported(bank);
  const seals = await admin.get('queries', `/seals/${bank.company}/${bank.branch}`);
  expect(seals.body).toMatchObject([{ position: 0, month: '01', lines: 2 * ENTRIES, replacedBy: null }]);
});

test.each([
  ['the program', false],
  ['the database server', true],
])('%s killed between a seal and its commit: the month is open, then closed with one seal', async (_killed, server) => {
  const { bank } = await fullBooks();
  let run = 0;
  await killedInTheMiddle({
    // The head of the log is signed and kept after its seal.
    hold: `SET LOCAL session_replication_role = replica;
           INSERT INTO seal_checkpoint (company_id, branch_id, position, root, note)
           VALUES (${bank.companyId}, ${bank.branchId}, 0, sha256(''), '')`,
    waits: 'INSERT INTO seal_checkpoint',
    work: async () => {
      const answer = await askToCloseMonth(admin, bank, MONTH);
      run = answer.body.id;
      return answer;
    },
    isAnswered: true,
    server,
  });
  await closed(run);
  await expectImported(bank);
  const log = `/seals/${bank.company}/${bank.branch}`;
  const { body: seals } = await admin.get('queries', log);
  expect(seals).toMatchObject([{ position: 0, month: '01', lines: 2 * ENTRIES, previous: null, replacedBy: null }]);
  expect((await admin.get('queries', `${log}/checkpoint`)).text.split('\n')[1]).toBe('1');
});

test('archiving: nothing is in the archive; then all of it, byte for byte', async () => {
  const { bank, batch } = await closedBooks();
  const before = await program.rowsOf(BOOKS, bank.branchId);
  await killedInTheMiddle(archiving(bank, batch));
  await archiveMonth(admin, bank, MONTH);
  expect(Object.values(await program.rowsOf(ARCHIVE, bank.branchId))).toEqual(Object.values(before));
  expect(Object.values(await program.rowsOf(BOOKS, bank.branchId))).toEqual([null, null, null]);
});

test('approvals: they wait still, and nothing of what they let happen is done; then both, once', {
  timeout: 60_000,
}, async () => {
  const books = await Promise.all([
    fullBooks({ fourEyes: { monthClose: true } }),
    closedBooks({ fourEyes: { archiving: true } }),
    closedBooks({ fourEyes: { quotas: true } }),
    openBooks({ fourEyes: { batchLimit: '1000.00' } }),
  ]);
  const [toClose, toArchive, ofQuota, toPost] = books;
  const permissions = books.map(({ bank }) => ({ company: bank.company }));
  const ana = await program.signedIn(await createUser(admin, { username: 'ana', permissions, routines: ['PURGING'] }));
  const kinds = await Promise.all([
    closeApproval(ana, toClose.bank),
    archivingApproval(ana, toArchive),
    quotaApproval(ana, ofQuota.bank),
    draftApproval(ana, toPost),
  ]);
  const approvals: (Approval & { readonly id: number })[] = [];
  for (const kind of kinds) {
    expect((await kind.ask()).status).toBe(202);
    const waiting = await bodyOf(admin.get('movements', `/approvals?company=${kind.company}`));
    approvals.push({ ...kind, id: waiting.content[0].id });
  }
  const approve = ({ id }: { readonly id: number }) => admin.post('movements', `/approvals/${id}/approve`, {});
  await killedInTheMiddle({
    prepare: kinds.flatMap(({ prepare = [] }) => prepare).join('; '),
    hold: kinds.map(({ hold }) => hold).join('; '),
    waits: kinds.flatMap(({ waits }) => waits),
    work: async () => (await Promise.all(approvals.map(approve)))[0]!,
  });
  for (const approval of approvals) {
    expect((await approve(approval)).body).toMatchObject({ status: 'APPROVED', decidedBy: 'admin' });
    await approval.expectDone();
    expect((await approve(approval)).body).toMatchObject({ code: 'APPROVAL_DECIDED' });
  }
});

test('bringing back: everything is still in the archive; then all of it is back, byte for byte', async () => {
  const { bank } = await closedBooks();
  const before = await program.rowsOf(BOOKS, bank.branchId);
  await archiveMonth(admin, bank, MONTH);
  await killedInTheMiddle({
    hold: `SELECT 1 FROM entry_line_archive WHERE entry_line_archive.branch_id = ${bank.branchId}
            ORDER BY entry_line_archive.id DESC LIMIT 1 FOR KEY SHARE`,
    waits: 'move_movements',
    work: () => askToMoveEntries(admin, bank, MONTH, false),
  });
  await unarchiveMonth(admin, bank, MONTH);
  expect(await program.rowsOf(BOOKS, bank.branchId)).toEqual(before);
  expect(Object.values(await program.rowsOf(ARCHIVE, bank.branchId))).toEqual([null, null, null]);
});

test('batch delete: every line is there; then none', async () => {
  const { bank, batch } = await fullBooks();
  const remove = () => admin.call('movements', 'DELETE', `/batch/${batch}`);
  await killedInTheMiddle({
    hold: `SELECT 1 FROM entry_line WHERE entry_line.branch_id = ${bank.branchId}
            ORDER BY entry_line.id DESC LIMIT 1 FOR KEY SHARE`,
    waits: 'DELETE FROM entry_line',
    work: remove,
  });
  expect((await remove()).status).toBe(200);
  expect(Object.values(await program.rowsOf(BOOKS, bank.branchId))).toEqual([null, null, null]);
  expect((await remove()).status).toBe(404);
});

test('the database server itself killed in the middle of an archiving: recovered to before, then archived', async () => {
  const { bank, batch } = await closedBooks();
  const before = await program.rowsOf(BOOKS, bank.branchId);
  await killedInTheMiddle({ ...archiving(bank, batch), server: true });
  expect(await program.rowsOf(BOOKS, bank.branchId)).toEqual(before);
  await archiveMonth(admin, bank, MONTH);
  expect(Object.values(await program.rowsOf(ARCHIVE, bank.branchId))).toEqual(Object.values(before));
});

test('the database server killed while the program goes on: 503 for a moment, then all as before, jobs too', async () => {
  const { bank } = await fullBooks();
  let run = 0;
  await program.asOwner(async (holder) => {
    await holder.query('BEGIN');
    await holder.query(balanceRow(bank));
    run = (await askToCloseMonth(admin, bank, MONTH)).body.id;
    await program.asOwner((client) => untilSomebodyWaits(client, 'opening_leaf AS'));
    const killed = await program.serverPid();
    process.kill(killed, 'SIGKILL');
    const answers = new Set<string>();
    for (;;) {
      const answer = await admin.get('movements', `/monthOpening/${bank.company}/${bank.branch}`);
      answers.add(`${answer.status} ${answer.body.code ?? ''}`.trim());
      if (answer.status === 200 && (await program.serverPid()) !== killed) break;
      await sleep(10);
    }
    expect([...answers].sort()).toEqual(['200', '503 DATABASE_UNAVAILABLE']);
  });
  await closed(run);
  await expectImported(bank);
  expect(program.hasEnded).toBe(false);
});

test('asked to stop while statements are stuck: the end comes in time with code 0, and what was stuck is done later', async () => {
  const { bank } = await fullBooks();
  const { bank: other, batch } = await fullBooks();
  let run = 0;
  await program.asOwner(async (holder) => {
    await holder.query('BEGIN');
    await holder.query(balanceRow(bank));
    await holder.query(`SELECT 1 FROM entry_line WHERE entry_line.branch_id = ${other.branchId} LIMIT 1 FOR KEY SHARE`);
    run = (await askToCloseMonth(admin, bank, MONTH)).body.id;
    await program.asOwner((client) => untilSomebodyWaits(client, 'opening_leaf AS'));
    const removed = admin.call('movements', 'DELETE', `/batch/${batch}`);
    const events = admin.get('movements', `/runconsolidation/${run}/events`);
    await program.asOwner((client) => untilSomebodyWaits(client, 'DELETE FROM entry_line'));
    // Asked after the stream, answered after its first part.
    await admin.get('movements', `/runconsolidation/${run}`);
    await program.end('SIGTERM');
    // After ten seconds it would have ended itself with code 1.
    expect([program.process.exitCode, program.process.signalCode]).toEqual([0, null]);
    expect(await removed).toMatchObject({ status: 503, body: { code: 'BUSY' } });
    expect((await events).text).toContain('"status":"RUNNING"');
    // The server may have been left to this connection, which its end would break.
    await holder.query('ROLLBACK').catch(() => {});
  });
  admin = await program.start();
  await closed(run);
  await expectImported(bank);
  expect((await admin.get('movements', `/entrysummary/${batch}`)).body.totalEntries).toBe(2 * ENTRIES);
});

interface Interruption {
  /** Committed before the rows are looked at for the first time. */
  readonly prepare?: string;
  /** Taken in a transaction of the test's own. */
  readonly hold: string;
  /** The statement in the middle of the work that then waits; of several works, one of each. */
  readonly waits: string | readonly string[];
  work(): Promise<HttpAnswer>;
  /** The work is requested by a request that is answered before it begins. */
  readonly isAnswered?: boolean;
  /** Kills PostgreSQL instead, and the program after it. */
  readonly server?: boolean;
}

/** Kills while the work waits, sees that no row differs, and starts the program again. */
async function killedInTheMiddle({ prepare, hold, waits, work, isAnswered, server }: Interruption): Promise<void> {
  if (prepare) await program.asOwner((client) => client.query(prepare));
  const before = await program.rowsOf(TABLES);
  await program
    .asOwner(async (holder) => {
      await holder.query('BEGIN');
      await holder.query(hold);
      const answer = work().catch(() => undefined);
      for (const statement of [waits].flat()) await program.asOwner((client) => untilSomebodyWaits(client, statement));
      if (server) process.kill(await program.serverPid(), 'SIGKILL');
      else await program.end('SIGKILL');
      if (isAnswered) expect((await answer)?.status).toBe(200);
      else if (server) expect((await answer)?.status).toBe(503);
      else expect(await answer).toBeUndefined();
      await holder.query('ROLLBACK').catch(() => {});
    })
    .catch((error) => {
      if (!server) throw error;
    });
  if (server) {
    await program.end('SIGKILL');
    // Without jobs, for one that was interrupted goes on at once.
    await program.start({ JOBS: 'off' });
  } else await program.untilAlone();
  expect(await program.rowsOf(TABLES)).toEqual(before);
  if (server) await program.end('SIGTERM');
  admin = await program.start();
}

type Connection = Parameters<Parameters<OwnProcess['asOwner']>[0]>[0];

/** The statement waits for the lock, and its transaction has written already. */
async function untilSomebodyWaits(client: Connection, statement: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      `SELECT 1 FROM pg_stat_activity
        WHERE pg_stat_activity.wait_event_type = 'Lock' AND pg_stat_activity.backend_xid IS NOT NULL
          AND strpos(pg_stat_activity.query, $1) > 0`,
      [statement],
    );
    if (rows.length > 0) return;
    await sleep(10);
  }
}

const openBooks = (options?: Record<string, unknown>) => emptyBatch(admin, MONTH, options);

async function fullBooks(options?: Record<string, unknown>): Promise<{ bank: Bank; batch: number }> {
  const books = await openBooks(options);
  expect((await sendLargeFile(admin, books.batch, ENTRIES)).body).toMatchObject({ success: true });
  return books;
}

async function closedBooks(options?: Record<string, unknown>): Promise<{ bank: Bank; batch: number }> {
  const books = await fullBooks(options);
  await closeMonth(admin, books.bank, MONTH);
  return books;
}

/** A balance that the month close of January is about to write; without its triggers, which would lock the month. */
function balanceRow({ companyId, branchId, accounts }: Bank): string {
  return `SET LOCAL session_replication_role = replica;
          INSERT INTO monthly_balance (company_id, branch_id, month, account_id, opening, debit, credit, closing, balance)
          VALUES (${companyId}, ${branchId}, '2026-01-01', ${accounts.get('1')}, 0, 0, 0, 0, 0)`;
}

/** An import, caught at the last line of the file: it waits for one of the same number that is not committed. */
function importing(batch: number): Pick<Interruption, 'prepare' | 'hold' | 'waits'> {
  return {
    prepare: `INSERT INTO document (company_id, branch_id, month, batch_id, number)
              SELECT batch.company_id, batch.branch_id, batch.month, batch.id, '9' FROM batch WHERE batch.id = ${batch}`,
    hold: `INSERT INTO entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id,
                                   offset_account_id, side, amount)
           SELECT document.company_id, document.branch_id, document.id, document.month, document.month, '${ENTRIES}',
                  side.sequence, 1, 2, side.side::"char", 1
             FROM document CROSS JOIN (VALUES (1, 'D'), (2, 'C')) AS side (sequence, side)
            WHERE document.batch_id = ${batch} AND document.number = '9'`,
    waits: 'INSERT INTO entry_line',
  };
}

/** An archiving, caught while it deletes the batch. */
function archiving(bank: Bank, batch: number): Interruption {
  return {
    hold: `SELECT 1 FROM batch WHERE batch.id = ${batch} FOR KEY SHARE`,
    waits: 'move_movements',
    work: () => askToMoveEntries(admin, bank, MONTH, true),
  };
}

/** A request for a second person, and what holds its approval in the middle. */
interface Approval extends Pick<Interruption, 'prepare' | 'hold' | 'waits'> {
  readonly company: string;
  ask(): Promise<HttpAnswer>;
  /** @throws Error unless what was asked has happened, once */
  expectDone(): Promise<void>;
}

async function closeApproval(ana: Client, bank: Bank): Promise<Approval> {
  const { company, branch, companyId, branchId } = bank;
  return {
    company,
    ask: () => askToCloseMonth(ana, bank, MONTH),
    hold: `SET LOCAL session_replication_role = replica;
           INSERT INTO job (company_id, branch_id, month, kind, requested_by)
           VALUES (${companyId}, ${branchId}, '2026-01-01', 'CONSOLIDATION', 'ana')`,
    waits: 'INSERT INTO job',
    expectDone: async () => {
      const jobs = await bodyOf(admin.get('movements', `/consolidations/${company}/${branch}?month=2026-01`));
      expect(jobs).toMatchObject([{ requestedBy: 'ana' }]);
      await closed(jobs[0].id);
      await expectImported(bank);
    },
  };
}

async function archivingApproval(
  ana: Client,
  { bank, batch }: { readonly bank: Bank; readonly batch: number },
): Promise<Approval> {
  const before = await program.rowsOf(BOOKS, bank.branchId);
  return {
    ...archiving(bank, batch),
    company: bank.company,
    ask: () => askToMoveEntries(ana, bank, MONTH, true),
    expectDone: async () => {
      expect(Object.values(await program.rowsOf(ARCHIVE, bank.branchId))).toEqual(Object.values(before));
    },
  };
}

/** Of a branch with closed books in January: its day is the first business day of February. */
async function quotaApproval(ana: Client, bank: Bank): Promise<Approval> {
  const { company, branch, companyId, branchId } = bank;
  await openMonth(admin, bank, '02/2026');
  const settings = { company, branch, netEquityAccountId: bank.accounts.get('2'), numberOfQuotas: 100 };
  await bodyOf(admin.post('masterdata', '/quotacalculation/', settings));
  const path = `/taxquotacalculation/${company}/${branch}`;
  return {
    company,
    ask: () => ana.get('movements', `${path}?confirmed=true`),
    hold: `SET LOCAL session_replication_role = replica;
           INSERT INTO tax_quota (company_id, branch_id, day, quota_value, net_equity, number_of_quotas, quota_decimals,
                                  confirmed_by, reference_day, net_equity_account_id, include_open_result)
           VALUES (${companyId}, ${branchId}, '2026-02-02', 1, 1, 1, 8, 'ana', '2026-01-31', 1, false)`,
    waits: 'INSERT INTO tax_quota',
    expectDone: async () => {
      const quota = { quotaValue: '20.00000000', confirmedBy: 'ana' };
      expect(await bodyOf(admin.get('masterdata', path))).toMatchObject(quota);
    },
  };
}

async function draftApproval(
  ana: Client,
  { bank, batch }: { readonly bank: Bank; readonly batch: number },
): Promise<Approval> {
  return {
    ...importing(batch),
    company: bank.company,
    ask: () => sendLargeFile(ana, batch, ENTRIES),
    expectDone: () => expectImported(bank),
  };
}

async function closed(run: number): Promise<void> {
  expect(await endOfMonthClose(admin, run)).toMatchObject({ status: 'DONE' });
}

/** The 2,000 entries of 1,00 are in the balances of January. */
function expectImported(bank: Bank): Promise<void> {
  return expectBalances(
    admin,
    bank,
    MONTH,
    `
    account  opening  debit     credit    balance
    1.1.1    0,00     2.000,00  0,00      2.000,00 D
    2        0,00     0,00      2.000,00  2.000,00 C
    `,
  );
}
