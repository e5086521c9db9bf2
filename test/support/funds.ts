import { expect } from 'vitest';
import { type Bank, type BankOptions, createBank } from './banks.ts';
import { book, post } from './books.ts';
import { openMonth } from './months.ts';
import { bodyOf, type Client } from './platform.ts';

/** A fund with its first month open, an equity of 1,000.00 and 100 quotas before it. */
export interface Fund extends Bank {
  /** Of master data: the quotas of days. */
  readonly quotas: string;
}

export async function createFund(client: Client, options: BankOptions = {}, settings: object = {}): Promise<Fund> {
  const bank = await createBank(client, options);
  const fund = { ...bank, quotas: `/quotaCalculation/${bank.company}/${bank.branch}` };
  const { company, branch, accounts } = bank;
  const cdAccounting = (code: string, balance: number, dc: 'D' | 'C') => ({ cdAccounting: code, balance, dc });
  await bodyOf(
    client.call('masterdata', 'PUT', `/baseBalance/${company}/${branch}`, [
      cdAccounting('1.1.1', 1000, 'D'),
      cdAccounting('3.1', 1000, 'C'),
    ]),
  );
  await configureFund(client, fund, { numberOfQuotas: 100, ...settings });
  await openMonth(client, bank, options.baseYearMonth ?? '01/2026');
  expect(accounts.size).toBeGreaterThan(0);
  return fund;
}

export async function configureFund(client: Client, { company, branch, accounts }: Bank, settings: object) {
  const netEquityAccountId = accounts.get('3');
  const body = { company, branch, netEquityAccountId, includeOpenResult: true, ...settings };
  await bodyOf(client.post('masterdata', '/quotacalculation/', body));
}

/** Interest of a day. */
export const earn = (client: Client, fund: Bank, day: string, amount: string) =>
  post(client, fund, book`${day} 1.1.1 D ${amount} 7.1`);

/** Money that comes from holders, as somebody else posts it. */
export const payIn = (client: Client, fund: Bank, day: string, amount: string) =>
  post(client, fund, book`${day} 1.1.1 D ${amount} 3.1`);

export function calculate(client: Client, fund: Fund, body: object) {
  return client.post('masterdata', fund.quotas, body);
}

export function move(client: Client, { company, branch }: Bank, movement: object) {
  return client.post('masterdata', '/quotaMovement', { company, branch, ...movement });
}

/** Closes the branch's current day. */
export async function closeDay(client: Client, { company, branch }: Bank): Promise<void> {
  await bodyOf(client.post('movements', `/calendar/closeday/${company}/${branch}`, {}));
}

export async function reopenDay(client: Client, { company, branch }: Bank, date: string): Promise<void> {
  await bodyOf(client.post('masterdata', `/calendar/${company}/${branch}`, { date, businessDay: true, status: 'A' }));
}
