import { type Bank, createBank } from './banks.ts';
import { openMonth } from './months.ts';
import { bodyOf, type Client, type HttpAnswer } from './platform.ts';

/** A new bank with an empty batch in the open month MM/YYYY. */
export async function emptyBatch(
  client: Client,
  month: string,
  options?: Record<string, unknown>,
): Promise<{ bank: Bank; batch: number }> {
  const bank = await createBank(client, options && { options });
  await openMonth(client, bank, month);
  const [mes, ano] = month.split('/').map(Number);
  const place = { empresa: bank.company, filial: bank.branch, ano, mes };
  return { bank, batch: (await bodyOf(client.post('movements', '/batch', place))).id };
}

/** Imports a file into the batch: one entry a row, of 1,00 each, in document 9. */
export function sendLargeFile(client: Client, batch: number, entries: number): Promise<HttpAnswer> {
  const rows = Array.from({ length: entries }, (_, at) => `9;${at + 1};5;D;1.1.1;2.1.1;1,00;Aporte nº ${at}`);
  const form = new FormData();
  const header = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico';
  form.set('file', new Blob([[header, ...rows].join('\n')]), 'rows.csv');
  return client.post('movements', `/batch/${batch}/import`, form);
}
