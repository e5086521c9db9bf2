import { type Bank, type BankOptions, createBank } from './banks.ts';
import { type BookEntry, post } from './books.ts';
import { openMonth } from './months.ts';
import { checkPdf } from './pdf.ts';
import type { Client } from './platform.ts';

// A branch with entries, and what its reports must show, recomputed from those entries in the plainest way.

/** A bank with opened months and the entries posted, one batch a month. */
export async function createBooks(
  client: Client,
  entries: readonly BookEntry[],
  given: BankOptions & { months?: readonly string[] } = {},
): Promise<Bank> {
  const bank = await createBank(client, given);
  for (const month of given.months ?? ['01/2026']) await openMonth(client, bank, month);
  await post(client, bank, entries);
  return bank;
}

/** The body of a request for `demonstracao` of December 2025 as CSV, alone. */
export function statementRequest({ company, branch }: Bank, tipo: string, more: Record<string, unknown> = {}) {
  return {
    empresa: company,
    filial: branch,
    tipo,
    ano: 2025,
    mes: 12,
    comparativo: 'NONE',
    visualizationEnum: 'CSV',
    ...more,
  };
}

export interface ReportText {
  readonly bytes: Buffer;
  readonly text: string;
  /** Cells of the CSV's lines, without the byte order mark. */
  readonly cells: string[][];
}

/** Asks for a report and decodes its file. */
export async function print(client: Client, path: string, body: Record<string, unknown>): Promise<ReportText> {
  const answer = await client.post('reports', `/reports/${path}`, body);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  const bytes = Buffer.from(answer.body.conteudo, 'base64');
  if (body.visualizationEnum === 'PDF') checkPdf(bytes);
  const text = bytes.toString('utf8');
  return { bytes, text, cells: cellsOf(text) };
}

function cellsOf(text: string): string[][] {
  const lines: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  const body = text.replace(/^\uFEFF/, '');
  for (let at = 0; at < body.length; at++) {
    const character = body[at]!;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (body[at + 1] === '"') cell += body[at++];
      else isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === ';' || character === '\n') {
      lines.at(-1)!.push(cell.replace(/\r$/, ''));
      cell = '';
      if (character === '\n') lines.push([]);
    } else cell += character;
  }
  return lines.filter((line) => line.length > 0);
}
