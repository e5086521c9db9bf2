import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import type { Sql } from '../../src/platform/database/sql.ts';
import { SQL } from '../../src/platform/database/statement.ts';
import { SYSTEM_SCOPE } from '../../src/platform/database/system-scope.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { askToCloseMonth, endOfMonthClose, openMonth } from '../support/months.ts';
import { bodyOf, type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';

// Who holds a connection and asks for a second one must not wait for others who do the same: more of them than there are
// connections would wait for ever, until they are rejected.

const AT_ONCE = 40;
const LONGEST_MS = 2_000;
/** Half of these write books: the rest of the pool is that of other logins. */
const POOLS = [12, 20];

interface Prepared {
  readonly bank: Bank;
  readonly batchId: number;
  readonly lineId: number;
}

describe.each(POOLS)('%i connections', (connections) => {
  let platform: Platform;
  let branches: Prepared[];
  beforeAll(async () => {
    // More workers than the jobs' share of the pool.
    platform = await startPlatform({
      DATABASE_CONNECTIONS: String(connections),
      JOB_WORKERS: '8',
      REPORT_JOBS_PER_USER: '1000',
    });
    branches = await preparedBranches(platform);
  }, 120_000);
  afterAll(() => platform?.stop());

  /** One request of each branch at once. */
  async function ofAll(ask: (branch: Prepared, at: number) => Promise<HttpAnswer>) {
    const answers = await Promise.all(branches.map(ask));
    return { statuses: new Set(answers.map(({ status }) => status)) };
  }

  test('transactions that read beside themselves', async () => {
    const database = openDatabase(platform.program.logins.app!, { max: connections });
    const nothing = (sql: Sql) => sql.one<{ at: number }>(SQL`SELECT 1 AS at`);
    const began = performance.now();
    try {
      const all = Array.from({ length: AT_ONCE }, () =>
        database.transaction(SYSTEM_SCOPE, async (sql) => {
          await nothing(sql);
          await sleep(50);
          await database.doing('job').snapshot(SYSTEM_SCOPE, nothing);
          await database.transaction(SYSTEM_SCOPE, nothing);
          return nothing(database.under(SYSTEM_SCOPE));
        }),
      );
      expect(await Promise.all(all)).toHaveLength(AT_ONCE);
      expect(performance.now() - began).toBeLessThan(LONGEST_MS);
    } finally {
      await database.close();
    }
  });

  test('reversals, imports and days that are closed', async () => {
    const { admin } = platform;
    const reversals = await ofAll(({ lineId }, at) =>
      admin.post('movements', `/entry/${lineId}/reversal`, { day: '2026-01-20', motivo: 'Teste' }, keyed(`r${at}`)),
    );
    expect([...reversals.statuses]).toEqual([201]);
    const imports = await ofAll(({ batchId }) => {
      const form = new FormData();
      form.set('file', new Blob([ROW]), 'rows.csv');
      return admin.call('movements', 'POST', `/batch/${batchId}/import`, form);
    });
    expect([...imports.statuses]).toEqual([200]);
    const days = await ofAll(({ bank }, at) =>
      admin.post('movements', `/calendar/closeday/${bank.company}/${bank.branch}`, {}, keyed(`d${at}`)),
    );
    expect([...days.statuses]).toEqual([200]);
  }, 60_000);

  test('months that are closed and reports in the background, whose jobs read beside their transaction', async () => {
    const { admin } = platform;
    const closes = await ofAll(async ({ bank }) => {
      const asked = await askToCloseMonth(admin, bank, '01/2026');
      const { status, message } = await endOfMonthClose(admin, asked.body.id);
      expect({ status, message }).toEqual({ status: 'DONE', message: null });
      return asked;
    });
    expect(closes.statuses.has(503)).toBe(false);
    const reports = await ofAll(async ({ bank }) => {
      const month = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1, visualizationEnum: 'CSV' };
      const asked = await admin.post('reports', '/reports/monthlyTrialBalance?async=true', month);
      expect(asked).toMatchObject({ status: 202 });
      const printed = async () => (await bodyOf(admin.get('reports', `/reports/jobs/${asked.body.id}`))).status;
      await expect.poll(printed, { timeout: 60_000, interval: 200 }).toMatch(/DONE|ERROR/);
      expect(await printed()).toBe('DONE');
      return asked;
    });
    expect([...reports.statuses]).toEqual([202]);
  }, 180_000);
});

const ROW = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico\n9;1;5;D;1.1.2;2.1.2;1,00;Aporte\n';

const keyed = (key: string) => ({ 'idempotency-key': key });

/** Branches of one company and chart, each with an open month, a batch and an entry. */
async function preparedBranches({ admin }: Platform): Promise<Prepared[]> {
  const first = await createBank(admin);
  const { company, chartCode, accounts } = first;
  const prepared: Prepared[] = [];
  for (let at = 1; at <= AT_ONCE; at++) {
    const further = { company, branch: String(at).padStart(4, '0'), chartCode, accounts: [], existing: true };
    const bank = at === 1 ? first : await createBank(admin, further);
    await openMonth(admin, bank, '01/2026');
    const place = { empresa: company, filial: bank.branch, ano: 2026, mes: 1 };
    const { id: batchId } = await bodyOf(admin.post('movements', '/batch', place));
    const { id: documentId } = await bodyOf(admin.post('movements', '/document', { batchId }));
    const [contaId, contrapartida] = [accounts.get('1.1.1'), accounts.get('2.1.1')];
    const entry = { documentId, debcre: 'D', day: '15', contaId, contrapartida, valor: 1 };
    prepared.push({ bank, batchId, lineId: (await bodyOf(admin.post('movements', '/entry', entry))).id });
  }
  return prepared;
}
