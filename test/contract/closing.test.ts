import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank, openMonth } from '../support/books.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

test('a closing month clears the result, keeps it apart, and gives it back when reopened', async () => {
  const bank = await createBank(platform.admin);
  const id = (code: string) => bank.accounts.get(code)!;
  const settings = await platform.admin.post('masterdata', '/closuresettings', {
    company: bank.company,
    branch: bank.branch,
    closingMonths: [1],
    revenueGroups: ['7'],
    expenseGroups: ['8'],
    creditResultAccountId: id('3.3'),
    debitResultAccountId: id('3.3'),
    profitAccountId: id('3.2'),
    lossAccountId: id('3.2'),
  });
  expect(settings.status, settings.text).toBeLessThan(300);
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

async function post(bank: Bank, debit: string, credit: string, valor: number): Promise<void> {
  const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
  const batch = await platform.admin.post('movements', '/batch', place);
  const document = await platform.admin.post('movements', '/document', { batchId: batch.body.id });
  const entry = await platform.admin.post('movements', '/entry', {
    documentId: document.body.id,
    debcre: 'D',
    day: '10',
    contaId: bank.accounts.get(debit),
    contrapartida: bank.accounts.get(credit),
    valor,
  });
  expect(entry.status, entry.text).toBe(201);
}

async function consolidate(bank: Bank): Promise<void> {
  const body = { company: bank.company, branch: bank.branch, year: '2026', month: '01' };
  const { body: run } = await platform.admin.post('movements', '/runconsolidation', body);
  for (;;) {
    const { body: now } = await platform.admin.get('movements', `/runconsolidation/${run.id}`);
    expect(now.status, now.message).not.toBe('ERROR');
    if (now.status === 'DONE') return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function balance(bank: Bank, code: string) {
  const { body } = await platform.admin.post('queries', '/balanceInquiryDetails', {
    contaId: bank.accounts.get(code),
    empresa: bank.company,
    filial: bank.branch,
    anomesini: '01/2026',
    anomesfim: '01/2026',
  });
  return body[0];
}
