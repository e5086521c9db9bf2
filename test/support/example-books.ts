import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type AccountFixture, createAccounts, createBank, createHistories } from './banks.ts';
import { openMonth } from './months.ts';
import { type Platform, startPlatform } from './platform.ts';

const account = (code: string, type: 'S' | 'A'): AccountFixture => ({
  code,
  description: 'Conta',
  type,
  nature: 'M',
  accountClass: '01',
});

/** As examples write a uuid. */
const UUID = '00000000-0000-4000-8000-000000000000';

/** A bank of the codes and ids that the request examples of the documents name, January 2026 open. */
export async function startExamplePlatform(environment: Record<string, string> = { JOBS: 'off' }): Promise<Platform> {
  const platform = await startPlatform({ ALLOW_TEST_DATA: 'on', ...environment });
  await withOwnerConnection(platform.ownerUrl, async (owner) => {
    const accountsFrom = (id: number) =>
      owner.query(`SELECT setval(pg_get_serial_sequence('account', 'id'), ${id}, false)`);
    await owner.query('INSERT INTO reference_chart (id, code, name) VALUES ($1, $2, $2)', [UUID, 'EXEMPLO']);
    // Examples name accounts by the ids 1 and 2, or by the codes 1.1.1 and 1.1.2: both take entries.
    await accountsFrom(101);
    await createAccounts(platform.admin, 'EXEMPLO', [account('1', 'S'), account('1.1', 'S')]);
    await accountsFrom(1);
    await createAccounts(platform.admin, 'EXEMPLO', [account('1.1.1', 'A'), account('1.1.2', 'A')]);
    await accountsFrom(201);
  });
  const bank = await createBank(platform.admin, {
    company: '0001',
    branch: '0001',
    chartCode: 'EXEMPLO',
    accounts: [],
    options: {
      signatories: [
        { name: 'Ana Souza', cpf: '52998224725', role: 'Diretora', legalResponsible: true },
        { name: 'Rui Lima', cpf: '52998224725', role: 'Contador', crc: '123456', ufCrc: 'SP' },
      ],
    },
  });
  // The one that examples name; they make another of the branch under the same code.
  await createHistories(platform.admin, ['00010']);
  await openMonth(platform.admin, bank, '01/2026');
  await withOwnerConnection(platform.ownerUrl, (owner) =>
    owner.query(
      `INSERT INTO approval (company_id, branch_id, kind, month, request, request_hash, books, requested_by_id, requested_by)
       VALUES ($1, $2, 'QUOTA', '2026-01-01', '{}', '', 'null', 0, 'ana')`,
      [bank.companyId, bank.branchId],
    ),
  );
  return platform;
}
