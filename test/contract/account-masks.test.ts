import { afterAll, beforeAll, expect, test } from 'vitest';
import { cosifCheckDigit } from '../../src/accounting/cosif.ts';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { createBank } from '../support/banks.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// Masks and groups are data: the regulator's next mask is a row, not a release of the program.

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ SERVICES: 'authentication,masterdata,reports' });
});
afterAll(() => platform?.stop());

const WIDER = '9.9.9.999.99.99.99-D';

/** The code with its check digit. */
function wide(digits: string): string {
  return `${digits}-${cosifCheckDigit(digits.replace(/\D/g, ''))}`;
}

const create = (chartCode: string, cdAccounting: string, confirmed = true) =>
  platform.admin.post('masterdata', `/chartOfAccounts?confirmed=${confirmed}`, {
    chartCode,
    cdAccounting,
    description: 'Conta',
    accountType: 'A',
    nature: 'D',
    accountClass: '01',
  });
const codesOf = async (chartCode: string) =>
  (await platform.admin.get('masterdata', `/chartOfAccounts/?chart=${chartCode}`)).body.map(
    (each: { cdAccounting: string; level: number; description: string }) => [
      each.cdAccounting,
      each.level,
      each.description,
    ],
  );

test('a wider mask takes effect as soon as it is in the table', async () => {
  const code = wide('1.1.1.100.10.00.00');
  // Unknown, it is a plain code, whose levels are its segments as they stand.
  expect((await create('ANTES', code, false)).body.detail).not.toContain(wide('1.1.0.000.00.00.00'));
  await withOwnerConnection(platform.ownerUrl, async (client) => {
    await client.query(`INSERT INTO account_mask (name, mask) VALUES ('COSIF_2030', '${WIDER}')`);
    await client.query(`INSERT INTO account_group (mask_name, code, name, account_class, section)
                        VALUES ('COSIF_2030', '1', 'ATIVO TOTAL', '01', 'ATIVO')`);
  });
  expect((await create('DEPOIS', code, false)).body).toMatchObject({ status: 400, code: 'CONFIRMATION_REQUIRED' });
  expect((await create('DEPOIS', code)).status).toBe(201);
  expect(await codesOf('DEPOIS')).toEqual([
    [wide('1.0.0.000.00.00.00'), 1, 'ATIVO TOTAL'],
    [wide('1.1.0.000.00.00.00'), 2, `Nível ${wide('1.1.0.000.00.00.00')}`],
    [wide('1.1.1.000.00.00.00'), 3, `Nível ${wide('1.1.1.000.00.00.00')}`],
    [wide('1.1.1.100.00.00.00'), 4, `Nível ${wide('1.1.1.100.00.00.00')}`],
    [code, 5, 'Conta'],
  ]);
  const wrong = `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`;
  expect((await create('DIGITO', wrong, false)).body.detail).toContain('check digit');
});

test('ranges of accounts in reports read codes by it too', async () => {
  const { company, branch } = await createBank(platform.admin, { chartCode: 'DEPOIS', accounts: [] });
  const codes = async (range: object) =>
    (
      await platform.admin.post('reports', '/reports/planos', {
        empresa: company,
        filial: branch,
        visualizationEnum: 'CSV',
        ...range,
      })
    ).body;
  const above = wide('1.1.1.100.00.00.00');
  const below = wide('1.1.1.100.10.00.00');
  // To an account means with all below it.
  expect(await codes({ accountFrom: above, accountTo: above })).toEqual([above, below]);
  expect(await codes({ accountFrom: below, accountTo: above })).toEqual([below]);
  expect(await codes({ accountFrom: below, accountTo: wide('1.0.0.000.00.00.00') })).toEqual([below]);
  expect(await codes({ accountFrom: above, accountTo: wide('1.1.0.100.00.00.00') })).toMatchObject({
    status: 400,
    code: 'ACCOUNT_RANGE_REVERSED',
  });
});

test('the masks that an installation begins with read as they always did', async () => {
  const bare = (digits: string) => digits + cosifCheckDigit(digits);
  for (const [chart, code, levels] of [
    ['C25', '1.1.1.10.00.00-8', ['1.0.0.00.00.00-9', '1.1.0.00.00.00-2', '1.1.1.00.00.00-9']],
    ['C24', wide('1.1.1.10.00'), [wide('1.0.0.00.00'), wide('1.1.0.00.00'), wide('1.1.1.00.00')]],
    ['COFI', bare('1111000'), [bare('1000000'), bare('1100000'), bare('1110000')]],
  ] as const) {
    const answer = await create(chart, code);
    expect(answer.status, answer.text).toBe(201);
    expect((await codesOf(chart)).map(([each]: [string]) => each)).toEqual([...levels, code]);
  }
});
