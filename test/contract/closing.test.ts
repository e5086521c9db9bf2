import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { expectBalances } from '../support/balances.ts';
import { type Bank, closureSettings, createBank } from '../support/banks.ts';
import { book, entryBody, post } from '../support/books.ts';
import { askToCloseMonth, closeMonth, endOfMonthClose, openMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

test('a closing month clears the result, keeps it apart, and gives it back when reopened', async () => {
  const bank = await createBank(platform.admin);
  await settingsOf(bank);
  await openMonth(platform.admin, bank, '01/2026');
  await post(
    platform.admin,
    bank,
    book`
      10/01  1.1.1  D  100,10  7.1  "Juros"
      10/01  8.1    D   30,05  1.1.1  "Salários"
    `,
  );

  for (const _ of ['first', 'again after reopening']) {
    await closeMonth(platform.admin, bank, '01/2026');
    await expectBalances(
      platform.admin,
      bank,
      '01/2026',
      `
      account  debit   credit  closing   balance
      1        100,10  30,05   0,00      70,05 D
      3        0,00    0,00    70,05 C   70,05 C
      3.2      0,00    0,00    70,05 C   70,05 C
      3.3      0,00    0,00    0,00      0,00
      7.1      0,00    100,10  100,10 D  0,00
      8.1      30,05   0,00    30,05 C   0,00
      `,
    );
    await openMonth(platform.admin, bank, '01/2026');
    await expectBalances(
      platform.admin,
      bank,
      '01/2026',
      `
      account  closing  balance
      3.2      0,00     0,00
      7.1      0,00     100,10 C
      `,
    );
  }
});

async function settingsOf(bank: Bank, more: Record<string, unknown> = {}) {
  const body = { ...closureSettings(bank, [1]), ...more };
  const settings = await platform.admin.post('masterdata', '/closuresettings', body);
  expect(settings.status, settings.text).toBe(201);
}

const monthOf = async (bank: Bank) =>
  (await platform.admin.get('masterdata', `/calendar/monthclosed/${bank.company}/${bank.branch}/01/2026`)).body;

test('a batch made by hand under the closing number stops the closing with a reason, and no month is closed', async () => {
  const bank = await createBank(platform.admin);
  await settingsOf(bank);
  await openMonth(platform.admin, bank, '01/2026');
  await post(platform.admin, bank, book`10/01 1.1.1 D 10,00 7.1`);
  const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1, lote: 'ENC' };
  const batch = await platform.admin.post('movements', '/batch', place);
  await platform.admin.post('movements', '/document', { batchId: batch.body.id, documento: 'ENCERRAMENTO' });
  const failed = await closeMonth(platform.admin, bank, '01/2026', 'ERROR');
  expect(failed.message).toBe(
    'O lote ENC de 01/2026 foi criado manualmente, mas é o lote dos lançamentos de encerramento: exclua-o ou informe ' +
      'outro lote nas configurações de encerramento',
  );
  expect(await monthOf(bank)).toBe(false);
  await post(platform.admin, bank, book`10/01 1.1.1 D 1,00 7.1`);
  expect((await platform.admin.call('movements', 'DELETE', `/batch/${batch.body.id}`)).status).toBe(200);
  await closeMonth(platform.admin, bank, '01/2026');
  expect(await monthOf(bank)).toBe(true);
  await expectBalances(platform.admin, bank, '01/2026', 'account  closing\n3.2  11,00 C');
});

test("closing lines are nobody's to add to, change, reverse or delete", async () => {
  const bank = await createBank(platform.admin);
  await settingsOf(bank);
  await openMonth(platform.admin, bank, '01/2026');
  await post(platform.admin, bank, book`10/01 1.1.1 D 10,00 7.1`);
  await closeMonth(platform.admin, bank, '01/2026');
  await openMonth(platform.admin, bank, '02/2026');
  const { body: batches } = await platform.admin.get('movements', `/allbatch/${bank.company}/${bank.branch}`);
  const closing = batches.find((each: { lote: string }) => each.lote === 'ENC');
  const [document] = (await platform.admin.get('movements', `/alldocument/${closing.id}`)).body;
  const [line] = (await platform.admin.get('movements', `/allentry/${document.id}`)).body;
  const body = entryBody(bank, document.id, book`31/01  1.1.1  D  1,00  1.1.2`);
  const tries = [
    platform.admin.post('movements', '/document', { batchId: closing.id }),
    platform.admin.post('movements', '/entry', body),
    platform.admin.call('movements', 'PUT', `/entry/${line.id}`, body),
    platform.admin.post('movements', `/entry/${line.id}/reversal`, {
      day: '2026-02-10',
      motivo: 'Lançado em duplicidade',
    }),
    platform.admin.call('movements', 'DELETE', `/entry/${line.id}`),
    platform.admin.call('masterdata', 'DELETE', `/document/${document.id}`),
    platform.admin.call('movements', 'DELETE', `/batch/${closing.id}`),
  ];
  expect((await Promise.all(tries)).map((answer) => [answer.status, answer.body.code])).toEqual([
    [400, 'MONTH_CONSOLIDATED'],
    [400, 'MONTH_CONSOLIDATED'],
    [400, 'MONTH_CONSOLIDATED'],
    [400, 'CLOSING_IS_AUTOMATIC'],
    [400, 'MONTH_CONSOLIDATED'],
    [400, 'MONTH_CONSOLIDATED'],
    [400, 'MONTH_CONSOLIDATED'],
  ]);
});

test('a fund closes in the last month of its own year, not in the months of the settings', async () => {
  const bank = await createBank(platform.admin);
  await settingsOf(bank, { closingMonths: [1, 12] });
  const type = await platform.admin.post('masterdata', '/fundType', {
    code: 'FIF-ENC',
    description: 'Fundo de investimento financeiro',
    regulatoryPlan: 'COFI',
  });
  const fund = {
    company: bank.company,
    branch: bank.branch,
    fundTypeId: type.body.id,
    cnpj: '11222333000181',
    name: 'Fundo de fevereiro',
    fiscalYearEnd: '28/02',
  };
  expect((await platform.admin.post('masterdata', '/fund/settings', { ...fund, fiscalYearEnd: '2802' })).status).toBe(
    400,
  );
  expect((await platform.admin.post('masterdata', '/fund/settings', fund)).status).toBe(201);
  await openMonth(platform.admin, bank, '01/2026');
  await openMonth(platform.admin, bank, '02/2026');
  await post(platform.admin, bank, book`10/01 1.1.1 D 10,00 7.1`);
  await closeMonth(platform.admin, bank, '01/2026');
  await expectBalances(platform.admin, bank, '01/2026', 'account  closing  balance\n7.1  0,00  10,00 C');
  await closeMonth(platform.admin, bank, '02/2026');
  await expectBalances(platform.admin, bank, '02/2026', 'account  closing  balance\n7.1  10,00 D  0,00');
});

test('excluded accounts keep their balance; result accounts inside the groups are not cleared against themselves', async () => {
  const bank = await createBank(platform.admin);
  const id = (code: string) => bank.accounts.get(code)!;
  await settingsOf(bank, {
    creditResultAccountId: id('7.2'),
    debitResultAccountId: id('8.2'),
    excludeAccounts: [id('8.1')],
  });
  await openMonth(platform.admin, bank, '01/2026');
  await post(
    platform.admin,
    bank,
    book`
      10/01  1.1.1  D  100,00  7.1
      10/01  8.1    D   30,00  1.1.1
    `,
  );
  for (const _ of ['first', 'again after reopening']) {
    await closeMonth(platform.admin, bank, '01/2026');
    await expectBalances(
      platform.admin,
      bank,
      '01/2026',
      `
      account  closing   balance
      3.2      100,00 C  100,00 C
      7.1      100,00 D  0,00
      7.2      0,00      0,00
      8.1      0,00      30,00 D
      8.2      0,00      0,00
      `,
    );
    await openMonth(platform.admin, bank, '01/2026');
  }
});

test('unbalanced entries that cancel each other are found and named, and no month is closed', async () => {
  const bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  await post(platform.admin, bank, book`10/01 1.1.1 D 10,00 7.1`);
  await withOwnerConnection(platform.ownerUrl, async (owner) => {
    await owner.query('ALTER TABLE entry_line DISABLE TRIGGER USER');
    await owner.query(
      `INSERT INTO entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id, side, amount)
       SELECT company_id, branch_id, id, month, month, bad.number, 1, $2, bad.side::"char", 5
         FROM document CROSS JOIN (VALUES ('8', 'D'), ('9', 'C')) AS bad (number, side)
        WHERE document.company_id = $1`,
      [bank.companyId, bank.accounts.get('1.1.1')],
    );
    await owner.query('ALTER TABLE entry_line ENABLE TRIGGER USER');
  });
  const failed = await closeMonth(platform.admin, bank, '01/2026', 'ERROR');
  expect(failed.message).toBe(
    'O lançamento 8 (1/1) não fecha: débitos 5,00, créditos 0,00; O lançamento 9 (1/1) não fecha: débitos 0,00, créditos 5,00',
  );
  expect(await monthOf(bank)).toBe(false);
});

describe('a closing month without closure settings', () => {
  const withLayout = async (regulatoryLayout: string, baseYearMonth: string, more: object = {}) => {
    const options = { regulatoryLayout, ...more };
    const bank = await createBank(platform.admin, { baseYearMonth, options });
    await openMonth(platform.admin, bank, baseYearMonth);
    return bank;
  };
  const ended = async (asked: ReturnType<typeof askToCloseMonth>) =>
    endOfMonthClose(platform.admin, (await bodyOf(asked)).id);

  test.each([
    ['COSIF', '12/2025'],
    ['COSIF', '06/2025'],
    ['CVM', '12/2025'],
  ])('%s %s with a result is rejected, at once and as a part of all branches', async (layout, month) => {
    const bank = await withLayout(layout, month);
    await post(platform.admin, bank, book`05/${month} 1.1.1 D 10,00 7.1`);
    const ask = () => askToCloseMonth(platform.admin, bank, month);
    expect(await ask()).toMatchObject({ status: 400, body: { code: 'CLOSURE_SETTINGS_MISSING' } });
    const record = await ended(askToCloseMonth(platform.admin, { ...bank, branch: '*' }, month));
    expect(record).toMatchObject({ status: 'ERROR', branches: { failed: 1 } });
    expect(record.message).toContain('não tem configuração de encerramento ativa');
    const inactive = { ...closureSettings(bank, [6, 12]), active: false };
    const settings = await platform.admin.post('masterdata', '/closuresettings', inactive);
    expect((await ask()).status).toBe(400);
    const path = `/closuresettings/${settings.body.id}`;
    await platform.admin.call('masterdata', 'PUT', path, { ...inactive, active: true });
    expect(await ended(ask())).toMatchObject({ status: 'DONE', message: null });
  });

  test('without a regulatory layout it is done, with a word on the record', async () => {
    const bank = await withLayout('NONE', '12/2025');
    await post(platform.admin, bank, book`05/12/2025 8.1 D 10,00 1.1.1`);
    const { message } = await closeMonth(platform.admin, bank, '12/2025');
    expect(message).toContain('O mês 12/2025 é de encerramento');
  });

  test.each([
    ['no result', 'COSIF', '12/2025', '3.1', {}],
    ['another month', 'COSIF', '05/2025', '7.1', {}],
    ['a half-year of CVM', 'CVM', '06/2025', '7.1', {}],
    ['December of a year that ends in March', 'CVM', '12/2025', '7.1', { fiscalYearEndMonth: 3 }],
  ])('%s: nothing is said', async (_name, layout, month, credit, more) => {
    const bank = await withLayout(layout, month, more);
    await post(platform.admin, bank, book`05/${month} 1.1.1 D 10,00 ${credit}`);
    expect(await closeMonth(platform.admin, bank, month)).toMatchObject({ message: null });
  });

  test('what closing would post keeps the rules of posting', async () => {
    const bank = await createBank(platform.admin);
    await settingsOf(bank);
    await openMonth(platform.admin, bank, '01/2026');
    await post(platform.admin, bank, book`10/01 1.1.1 D 10,00 7.1`);
    const account = (await platform.admin.get('masterdata', `/chartOfAccounts/${bank.accounts.get('3.2')}`)).body;
    const path = `/chartOfAccounts/${account.id}`;
    await platform.admin.call('masterdata', 'PUT', path, { ...account, endDate: '2025-12-31' });
    const { message } = await closeMonth(platform.admin, bank, '01/2026', 'ERROR');
    expect(message).toContain('A conta 3.2 só é válida até 31/12/2025');
  });
});
