import type { Bank } from './banks.ts';
import { bodyOf, type Client, type HttpAnswer } from './platform.ts';

/** Opens the month MM/YYYY of the bank, again where it is closed. */
export async function openMonth(client: Client, bank: Pick<Bank, 'company' | 'branch'>, month: string): Promise<void> {
  await bodyOf(
    client.post('movements', `/monthOpening/${bank.company}/${bank.branch}`, { newyearmonth: month, ...REOPENING }),
  );
}

/** What reopening a closed month needs. */
export const REOPENING = { reason: 'Lançamento esquecido', confirmed: true };

/** What the record of a month close says at its end. */
export interface MonthClose {
  readonly status: 'DONE' | 'ERROR';
  readonly message: string | null;
}

/** Closes the month MM/YYYY and waits for it. @throws Error unless it ends as expected */
export async function closeMonth(
  client: Client,
  bank: Pick<Bank, 'company' | 'branch'>,
  month: string,
  expected: MonthClose['status'] = 'DONE',
): Promise<MonthClose> {
  const { id } = await bodyOf(askToCloseMonth(client, bank, month));
  const close = await endOfMonthClose(client, id);
  if (close.status === expected) return close;
  throw new Error(`the close of ${month} ended ${close.status}: ${close.message}`);
}

/** Asks for the close of the month MM/YYYY; the branch * is all of them. */
export function askToCloseMonth(
  client: Client,
  { company, branch }: Pick<Bank, 'company' | 'branch'>,
  month: string,
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
): Promise<HttpAnswer<any>> {
  const [number, year] = month.split('/');
  return client.post('movements', '/runconsolidation', { company, branch, year, month: number });
}

/** Waits for the end of the month close that was requested. */
export async function endOfMonthClose(client: Client, id: number): Promise<MonthClose> {
  for (;;) {
    const record = await bodyOf(client.get('movements', `/runconsolidation/${id}`));
    if (record.status === 'DONE' || record.status === 'ERROR') return record;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

type Branch = Pick<Bank, 'branchId'>;

/** Moves the entries of the closed month MM/YYYY to the archive. */
export const archiveMonth = (client: Client, bank: Branch, month: string) => moveEntries(client, bank, month, true);

/** Brings them back. */
export const unarchiveMonth = (client: Client, bank: Branch, month: string) => moveEntries(client, bank, month, false);

async function moveEntries(client: Client, bank: Branch, month: string, intoArchive: boolean): Promise<void> {
  const problems = await bodyOf(askToMoveEntries(client, bank, month, intoArchive));
  if (problems.length > 0) throw new Error(problems.join('; '));
}

/** Asks for the entries of the closed month MM/YYYY to be moved into the archive, or back; answers what is in the way. */
export function askToMoveEntries(
  client: Client,
  { branchId }: Branch,
  yearmonth: string,
  intoArchive: boolean,
): Promise<HttpAnswer<string[]>> {
  const body = { useRange: false, alternate: true, selectedBranchId: [branchId], yearmonth, doSend: intoArchive };
  return client.post('movements', '/purging', body);
}
