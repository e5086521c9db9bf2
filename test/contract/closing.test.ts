import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Bank, closureSettings, createBank, openMonth, postInJanuary } from '../support/books.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

test('a closing month clears the result, keeps it apart, and gives it back when reopened', async () => {
  const bank = await createBank(platform.admin);
  await settingsOf(bank);
  await openMonth(platform.admin, bank, '01/2026');
  await post(bank, '1.1.1', '7.1', 100.1);
  await post(bank, '8.1', '1.1.1', 30.05);

  for (const _ of ['first', 'again after reopening']) {
    await consolidate(bank);
    expect(await balance(bank, '7.1')).toMatchObject({ movcred: 100.1, movenc: 100.1, accumulatedBalance: 0 });
    expect(await balance(bank, '8.1')).toMatchObject({ movdeb: 30.05, movenc: -30.05, accumulatedBalance: 0 });
    expect(await balance(bank, '3.3')).toMatchObject({ movdeb: 0, movcred: 0, movenc: 0, accumulatedBalance: 0 });
    expect(await balance(bank, '3.2')).toMatchObject({ movcred: 0, movenc: -70.05, accumulatedBalance: -70.05 });
    expect(await balance(bank, '3')).toMatchObject({ movenc: -70.05, accumulatedBalance: -70.05 });
    expect(await balance(bank, '1')).toMatchObject({ movenc: 0, accumulatedBalance: 70.05 });
    await openMonth(platform.admin, bank, '01/2026');
    expect(await balance(bank, '7.1')).toMatchObject({ movenc: 0, accumulatedBalance: -100.1 });
    expect(await balance(bank, '3.2')).toMatchObject({ movenc: 0, accumulatedBalance: 0 });
  }
});

async function settingsOf(bank: Bank, more: Record<string, unknown> = {}) {
  const body = { ...closureSettings(bank, [1]), ...more };
  const settings = await platform.admin.post('masterdata', '/closuresettings', body);
  expect(settings.status, settings.text).toBe(201);
}

const monthOf = async (bank: Bank) =>
  (await platform.admin.get('masterdata', `/calendar/monthclosed/${bank.company}/${bank.branch}/01/2026`)).body;

test('a batch made by hand under the closing number stops the closing with a reason, and nothing is frozen', async () => {
  const bank = await createBank(platform.admin);
  await settingsOf(bank);
  await openMonth(platform.admin, bank, '01/2026');
  await post(bank, '1.1.1', '7.1', 10);
  const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1, lote: 'ENC' };
  const batch = await platform.admin.post('movements', '/batch', place);
  await platform.admin.post('movements', '/document', { batchId: batch.body.id, documento: 'ENCERRAMENTO' });
  const failed = await consolidate(bank, '01', 'ERROR');
  expect(failed.message).toBe(
    'O lote ENC de 01/2026 foi criado manualmente, mas é o lote dos lançamentos de encerramento: exclua-o ou informe ' +
      'outro lote nas configurações de encerramento',
  );
  expect(await monthOf(bank)).toBe(false);
  await post(bank, '1.1.1', '7.1', 1);
  expect((await platform.admin.call('movements', 'DELETE', `/batch/${batch.body.id}`)).status).toBe(200);
  await consolidate(bank);
  expect(await monthOf(bank)).toBe(true);
  expect(await balance(bank, '3.2')).toMatchObject({ movenc: -11 });
});

test("closing lines are nobody's to add to, change, reverse or delete", async () => {
  const bank = await createBank(platform.admin);
  await settingsOf(bank);
  await openMonth(platform.admin, bank, '01/2026');
  await post(bank, '1.1.1', '7.1', 10);
  await consolidate(bank);
  await openMonth(platform.admin, bank, '02/2026');
  const { body: batches } = await platform.admin.get('movements', `/allbatch/${bank.company}/${bank.branch}`);
  const closing = batches.find((each: { lote: string }) => each.lote === 'ENC');
  const [document] = (await platform.admin.get('movements', `/alldocument/${closing.id}`)).body;
  const [line] = (await platform.admin.get('movements', `/allentry/${document.id}`)).body;
  const body = {
    documentId: document.id,
    debcre: 'D',
    day: '31',
    contaId: bank.accounts.get('1.1.1'),
    contrapartida: bank.accounts.get('1.1.2'),
    valor: 1,
  };
  const tries = [
    platform.admin.post('movements', '/document', { batchId: closing.id }),
    platform.admin.post('movements', '/entry', body),
    platform.admin.call('movements', 'PUT', `/entry/${line.id}`, body),
    platform.admin.post('movements', `/entry/${line.id}/reversal`, { day: '2026-02-10' }),
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
  await post(bank, '1.1.1', '7.1', 10);
  await consolidate(bank, '01');
  expect(await balance(bank, '7.1')).toMatchObject({ movenc: 0, accumulatedBalance: -10 });
  await consolidate(bank, '02');
  expect(await balance(bank, '7.1', '02/2026')).toMatchObject({ movenc: 10, accumulatedBalance: 0 });
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
  await post(bank, '1.1.1', '7.1', 100);
  await post(bank, '8.1', '1.1.1', 30);
  for (const _ of ['first', 'again after reopening']) {
    await consolidate(bank);
    expect(await balance(bank, '7.1')).toMatchObject({ accumulatedBalance: 0 });
    expect(await balance(bank, '7.2')).toMatchObject({ accumulatedBalance: 0 });
    expect(await balance(bank, '8.1')).toMatchObject({ movenc: 0, accumulatedBalance: 30 });
    expect(await balance(bank, '8.2')).toMatchObject({ accumulatedBalance: 0 });
    expect(await balance(bank, '3.2')).toMatchObject({ accumulatedBalance: -100 });
    await openMonth(platform.admin, bank, '01/2026');
  }
});

test('unbalanced entries that cancel each other are found and named, and nothing is frozen', async () => {
  const bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  await post(bank, '1.1.1', '7.1', 10);
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
  const failed = await consolidate(bank, '01', 'ERROR');
  expect(failed.message).toBe(
    'O lançamento 8 (1/1) não fecha: débitos 5,00, créditos 0,00; O lançamento 9 (1/1) não fecha: débitos 0,00, créditos 5,00',
  );
  expect(await monthOf(bank)).toBe(false);
});

async function post(bank: Bank, debit: string, credit: string, valor: number): Promise<void> {
  await postInJanuary(platform.admin, bank, { debit, credit, valor, day: '10' });
}

/** The outcome of consolidating a month, which must be DONE unless a reason against it is expected. */
async function consolidate(bank: Bank, month = '01', expected: 'DONE' | 'ERROR' = 'DONE') {
  const body = { company: bank.company, branch: bank.branch, year: '2026', month };
  const { body: run } = await platform.admin.post('movements', '/runconsolidation', body);
  for (;;) {
    const { body: now } = await platform.admin.get('movements', `/runconsolidation/${run.id}`);
    if (now.status === 'DONE' || now.status === 'ERROR') {
      expect(now.status, now.message).toBe(expected);
      return now;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function balance(bank: Bank, code: string, month = '01/2026') {
  const { body } = await platform.admin.post('queries', '/balanceInquiryDetails', {
    contaId: bank.accounts.get(code),
    empresa: bank.company,
    filial: bank.branch,
    anomesini: month,
    anomesfim: month,
  });
  return body[0];
}

describe('a closing month without closure settings', () => {
  const withLayout = async (regulatoryLayout: string, baseYearMonth: string, more: object = {}) => {
    const options = { regulatoryLayout, ...more };
    const bank = await createBank(platform.admin, { baseYearMonth, options });
    await openMonth(platform.admin, bank, baseYearMonth);
    return bank;
  };
  const postIn = async (bank: Bank, [month, year]: readonly [string, string], debit: string, credit: string) => {
    const place = { empresa: bank.company, filial: bank.branch, ano: Number(year), mes: Number(month) };
    const batch = await platform.admin.post('movements', '/batch', place);
    const document = await platform.admin.post('movements', '/document', { batchId: batch.body.id });
    const posted = await platform.admin.post('movements', '/entry', {
      documentId: document.body.id,
      debcre: 'D',
      day: '05',
      contaId: bank.accounts.get(debit),
      contrapartida: bank.accounts.get(credit),
      valor: 10,
    });
    expect(posted.status, posted.text).toBe(201);
  };
  const ask = (bank: Bank, month: string, year: string, branch = bank.branch) =>
    platform.admin.post('movements', '/runconsolidation', { company: bank.company, branch, year, month });
  const ended = (id: number) =>
    vi.waitUntil(
      async () => {
        const { body } = await platform.admin.get('movements', `/runconsolidation/${id}`);
        return (body.status === 'DONE' || body.status === 'ERROR') && body;
      },
      { timeout: 10_000, interval: 50 },
    );

  test.each([
    ['COSIF', '12/2025'],
    ['COSIF', '06/2025'],
    ['CVM', '12/2025'],
  ])('%s %s with a result is refused, at once and as a part of all branches', async (layout, date) => {
    const [month, year] = date.split('/') as [string, string];
    const bank = await withLayout(layout, date);
    await postIn(bank, [month, year], '1.1.1', '7.1');
    const refused = await ask(bank, month, year);
    expect(refused).toMatchObject({ status: 400, body: { code: 'CLOSURE_SETTINGS_MISSING' } });
    const all = await ask(bank, month, year, '*');
    const record = await ended(all.body.id);
    expect(record).toMatchObject({ status: 'ERROR', branches: { failed: 1 } });
    expect(record.message).toContain('não tem configuração de encerramento ativa');
    const inactive = { ...closureSettings(bank, [6, 12]), active: false };
    const settings = await platform.admin.post('masterdata', '/closuresettings', inactive);
    expect((await ask(bank, month, year)).status).toBe(400);
    const path = `/closuresettings/${settings.body.id}`;
    await platform.admin.call('masterdata', 'PUT', path, { ...inactive, active: true });
    const asked = await ask(bank, month, year);
    expect(await ended(asked.body.id)).toMatchObject({ status: 'DONE', message: null });
  });

  test('without a regulatory layout it is done, with a word on the record', async () => {
    const bank = await withLayout('NONE', '12/2025');
    await postIn(bank, ['12', '2025'], '8.1', '1.1.1');
    const record = await ended((await ask(bank, '12', '2025')).body.id);
    expect(record).toMatchObject({ status: 'DONE' });
    expect(record.message).toContain('O mês 12/2025 é de encerramento');
  });

  test.each([
    ['no result', 'COSIF', '12/2025', '3.1', {}],
    ['another month', 'COSIF', '05/2025', '7.1', {}],
    ['a half-year of CVM', 'CVM', '06/2025', '7.1', {}],
    ['December of a year that ends in March', 'CVM', '12/2025', '7.1', { fiscalYearEndMonth: 3 }],
  ])('%s: nothing is said', async (_name, layout, date, credit, more) => {
    const [month, year] = date.split('/') as [string, string];
    const bank = await withLayout(layout, date, more);
    await postIn(bank, [month, year], '1.1.1', credit);
    const asked = await ask(bank, month, year);
    expect(asked.status, asked.text).toBeLessThan(300);
    expect(await ended(asked.body.id)).toMatchObject({ status: 'DONE', message: null });
  });

  test('what closing would post keeps the rules of posting', async () => {
    const bank = await createBank(platform.admin);
    await settingsOf(bank);
    await openMonth(platform.admin, bank, '01/2026');
    await post(bank, '1.1.1', '7.1', 10);
    const account = (await platform.admin.get('masterdata', `/chartOfAccounts/${bank.accounts.get('3.2')}`)).body;
    const path = `/chartOfAccounts/${account.id}`;
    await platform.admin.call('masterdata', 'PUT', path, { ...account, endDate: '2025-12-31' });
    const { message } = await consolidate(bank, '01', 'ERROR');
    expect(message).toContain('A conta 3.2 só é válida até 31/12/2025');
  });
});
