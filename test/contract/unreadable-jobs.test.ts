import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// What a job was asked is read where it is taken: one that another program has written otherwise says so.

let platform: Platform;
let bank: Bank;
let owner: pg.Client;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
});

const selection = { considerClosing: true, showZeroBalances: false };
const trialBalance = { kind: 'monthlyTrialBalance', month: '2026-01', ...selection };

test.each([
  ['COMPLIANCE_RUN', () => ({ documentId: 1 }), 'branchIds'],
  ['COMPLIANCE_RUN', () => ({ documentId: 'x', branchIds: [bank.branchId] }), 'documentId'],
  ['REPORT', () => ({}), 'payload'],
  ['REPORT', () => ({ ...order(), request: { ...trialBalance, month: '2026-13' } }), 'payload'],
  ['REPORT', () => ({ ...order(), request: { ...trialBalance, kind: 'none' } }), 'payload'],
  ['REPORT', () => ({ ...order(), labels: [], parts: [{ problems: [{ reason: 'none' }] }] }), 'payload'],
])('a job %s whose payload does not fit ends as ERROR: case %#', async (kind, payload, field) => {
  expect(await endOf(kind, payload())).toEqual({
    status: 'ERROR',
    message: `O pedido desta tarefa não pode ser lido (${field}); solicite-a novamente`,
  });
});

test('a payload may say more than is read', async () => {
  const more = { ...order(), request: { ...trialBalance, later: 1 } };
  expect(await endOf('REPORT', more)).toMatchObject({ status: 'DONE' });
});

function order() {
  const { companyId, company, branchId, branch } = bank;
  return { tenant: { companyId, company, branchId, branch }, format: 'CSV' };
}

async function endOf(kind: string, payload: unknown) {
  const { rows } = await owner.query(
    `INSERT INTO job (company_id, branch_id, month, kind, payload, requested_by)
     VALUES ($1, $2, '2026-01-01', $3, $4, 'teste') RETURNING id`,
    [bank.companyId, bank.branchId, kind, JSON.stringify(payload)],
  );
  return vi.waitFor(
    async () => {
      const read = 'SELECT job.status, job.message FROM job WHERE job.id = $1';
      const [job] = (await owner.query(read, [rows[0].id])).rows;
      expect(['DONE', 'ERROR']).toContain(job.status);
      return job;
    },
    { timeout: 15_000, interval: 50 },
  );
}
