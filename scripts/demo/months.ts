import { fileForm, type Send } from './steps.ts';

// A month of a branch: opened, filled from a file, closed.

export interface Place {
  readonly company: string;
  readonly branch: string;
}

/** The year that the sample keeps its books of. */
export const YEAR = 2025;

/** '01/2025'; month 13 is the first of the year after. */
export function monthText(month: number): string {
  const day = new Date(Date.UTC(YEAR, month - 1));
  return `${String(day.getUTCMonth() + 1).padStart(2, '0')}/${day.getUTCFullYear()}`;
}

export async function openMonth(send: Send, { company, branch }: Place, month: number): Promise<void> {
  await send('movements', 'POST', `/monthOpening/${company}/${branch}`, { newyearmonth: monthText(month) });
}

/** Imports a movements CSV into a batch of its own; returns how many rows it has. */
export async function importMonth(
  send: Send,
  { company, branch }: Place,
  month: number,
  { batch, description, csv }: { readonly batch: string; readonly description: string; readonly csv: string },
): Promise<number> {
  const { id } = await send<{ id: number }>('movements', 'POST', '/batch', {
    empresa: company,
    filial: branch,
    ano: YEAR,
    mes: month,
    lote: batch,
    descricao: description,
  });
  const { success, totalRows, errors } = await send<{ success: boolean; totalRows: number; errors: string[] }>(
    'movements',
    'POST',
    `/batch/${id}/import`,
    fileForm(`${company}-${branch}-${month}.csv`, csv),
  );
  if (!success) throw new Error(errors.slice(0, 3).join('\n'));
  return totalRows;
}

/** Posts what the schedules of the templates have made for the month. */
export async function postPending(send: Send, { company, branch }: Place, month: number): Promise<void> {
  const pending = await send<{ id: number; code: string; year: number; month: number; day: number }[]>(
    'masterdata',
    'GET',
    `/releasedata/pending/${company}/${branch}/${YEAR}/${month}`,
  );
  for (const { id, code, year, day } of pending) {
    const use = { company, branch, code, year, month, day, status: 'LANCADO' };
    await send('masterdata', 'PUT', `/releasedata/${id}`, use);
  }
}

/** Closes the month and waits for the end; returns how many balances were written. */
export async function closeMonth(send: Send, { company, branch }: Place, month: number): Promise<number> {
  const { id } = await send<{ id: number }>('movements', 'POST', '/runconsolidation', {
    company,
    branch,
    year: String(YEAR),
    month: String(month).padStart(2, '0'),
  });
  for (;;) {
    const run = await send<MonthCloseRun>('movements', 'GET', `/runconsolidation/${id}`);
    if (run.status === 'DONE') return run.progress.accountsWritten;
    if (run.status === 'ERROR') throw new Error(run.message ?? 'the month close failed');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface MonthCloseRun {
  readonly status: string;
  readonly message: string | null;
  readonly progress: { readonly accountsWritten: number };
}
