import { type Bank, type BankOptions, createBank, openMonth } from './books.ts';
import { checkPdf } from './pdf.ts';
import type { Client } from './platform.ts';

// A branch with entries, and what its reports must show, recomputed from those entries in the plainest way.

export interface Posting {
  /** YYYY-MM-DD */
  readonly day: string;
  readonly debit: string;
  readonly credit: string;
  /** Plain decimal. */
  readonly amount: string;
  readonly history?: string;
  readonly document?: string;
}

/** A bank with opened months and the postings imported, one batch a month. */
export async function createBooks(
  client: Client,
  postings: readonly Posting[],
  given: BankOptions & { months?: readonly string[] } = {},
): Promise<Bank> {
  const bank = await createBank(client, given);
  for (const month of given.months ?? ['01/2026']) {
    await openMonth(client, bank, month);
    await post(
      client,
      bank,
      postings.filter(({ day }) => slashMonth(day) === month),
    );
  }
  return bank;
}

/** Imports the postings of one month as a batch of its own. */
export async function post(client: Client, bank: Bank, postings: readonly Posting[], batch?: string): Promise<void> {
  const [first] = postings;
  if (!first) return;
  const documents = new Map<string, Posting[]>();
  for (const posting of postings) {
    const document = posting.document ?? '1';
    documents.set(document, [...(documents.get(document) ?? []), posting]);
  }
  const answer = await client.post('movements', '/importMovimentJson', {
    empresa: bank.company,
    filial: bank.branch,
    ...(batch === undefined ? {} : { lote: batch }),
    ano: Number(first.day.slice(0, 4)),
    mes: Number(first.day.slice(5, 7)),
    documentos: [...documents].map(([documento, lines]) => ({
      documento,
      lancamentos: lines.map((each, at) => ({
        lancamento: String(at + 1),
        debcre: 'D',
        day: each.day.slice(8),
        conta: each.debit,
        contrapartida: each.credit,
        valor: Number(each.amount),
        ...(each.history === undefined ? {} : { historico: each.history }),
      })),
    })),
  });
  if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.text}`);
}

/** Closes the month MM/YYYY and waits for it. */
export async function consolidate(
  client: Client,
  { company, branch }: Pick<Bank, 'company' | 'branch'>,
  month: string,
): Promise<void> {
  const body = { company, branch, year: month.slice(3), month: month.slice(0, 2) };
  const asked = await client.post('movements', '/runconsolidation', body);
  if (asked.status >= 300) throw new Error(`${asked.status}: ${asked.text}`);
  for (;;) {
    const run = await client.get('movements', `/runconsolidation/${asked.body.id}`);
    if (run.body.status === 'ERROR') throw new Error(run.body.message);
    if (run.body.status === 'DONE') return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
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

/** Centavos of a printed amount: '-1.234,56', '1234,56'. */
export function centavos(printed: string | undefined): bigint {
  if (printed === undefined || printed === '') return 0n;
  return BigInt(printed.replaceAll('.', '').replace(',', ''));
}

/** Debit, credit and net of an account and all below it, by code, in a span of days. */
export function foldPostings(
  postings: readonly Posting[],
  code: string,
  from: string,
  to: string,
): { debit: bigint; credit: bigint; net: bigint } {
  const isBelow = (each: string) => each === code || each.startsWith(`${code}.`);
  let [debit, credit] = [0n, 0n];
  for (const each of postings) {
    if (each.day < from || each.day > to) continue;
    const amount = BigInt(each.amount.replace('.', ''));
    if (isBelow(each.debit)) debit += amount;
    if (isBelow(each.credit)) credit += amount;
  }
  return { debit, credit, net: debit - credit };
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

function slashMonth(day: string): string {
  return `${day.slice(5, 7)}/${day.slice(0, 4)}`;
}
