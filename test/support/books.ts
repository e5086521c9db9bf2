import { otherSide, type Side } from '../../src/accounting/entry.ts';
import { type Centavos, decimalOf, sumOf } from '../../src/accounting/money.ts';
import { type Day, dayIn, monthOf, monthOfDay, slashOf } from '../../src/accounting/period.ts';
import { centavos, printedAmount } from './amounts.ts';
import type { Bank } from './banks.ts';
import { bodyOf, type Client, type HttpAnswer } from './platform.ts';

/** One accounting fact. */
export interface BookEntry {
  readonly day: Day;
  /** Without one, all entries of a month that are posted together make a batch of the next free number. */
  readonly batch: string | undefined;
  readonly document: string;
  readonly lines: readonly BookLine[];
}

/** A debit or a credit; one with an offset account is an entry by itself. Accounts by their codes. */
export interface BookLine {
  readonly side: Side;
  readonly account: string;
  readonly amount: Centavos;
  readonly offset: string | undefined;
  readonly narration: string | undefined;
}

/**
 * A book as text, one line a debit or credit:
 *
 *     05/01      1.1.2  D  1.000,00  3.1  "Aporte"      day, account, side, amount, offset account, narration
 *     20/01  2   8.1    D     50,00       "Folha"       document 2 (else 1); without an offset account the entry
 *                8.2    D      5,00                     goes on in the lines below, which have no day,
 *                1.1.2  C     55,00                     until its debits equal its credits
 *     03/02  7/2 1.1.1  D      1,00  1.1.2              document 2 of batch 7
 *
 * Days are of 2026 unless the year is written: 31/12/2025. Narration and batch may be left out.
 * @throws Error with the number of the line at fault
 */
export function book(text: TemplateStringsArray, ...values: readonly (string | number)[]): BookEntry[] {
  const entries: { at: number; entry: BookEntry & { lines: BookLine[] } }[] = [];
  for (const [at, line] of String.raw({ raw: text }, ...values)
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue;
    const { date, place, ...read } = LINE.exec(line.trim())?.groups ?? refuse(at, 'cannot be read', line);
    if (date !== undefined) {
      const [document = '1', batch] = (place ?? '1').split('/').toReversed();
      const day = dayOf(date) ?? refuse(at, 'has no such day', line);
      entries.push({ at, entry: { day, batch, document, lines: [] } });
    }
    const { entry } = entries.at(-1) ?? refuse(at, 'has no day, and no entry above that it could belong to', line);
    entry.lines.push({
      side: read.side as Side,
      account: read.account!,
      amount: centavos(read.amount),
      offset: read.offset,
      narration: read.narration,
    });
  }
  for (const { at, entry } of entries) {
    const wrong = faultOf(entry);
    if (wrong !== undefined) refuse(at, wrong);
  }
  return entries.map(({ entry }) => entry);
}

const LINE =
  /^(?:(?<date>\d\d\/\d\d(?:\/\d{4})?)\s+(?:(?<place>\S+)\s+)??)?(?<account>\d\S*)\s+(?<side>[DC])\s+(?<amount>[\d.]+,\d\d)(?:\s+(?<offset>\d\S*))?(?:\s+"(?<narration>.*)")?$/;

function refuse(at: number, what: string, line = ''): never {
  throw new Error(`line ${at + 1} of the book ${what}${line === '' ? '' : `: ${line.trim()}`}`);
}

function dayOf(date: string): Day | undefined {
  const [day, month, year = 2026] = date.split('/').map(Number);
  const found = monthOf(year, month!);
  return found && dayIn(found, day!);
}

function faultOf({ lines }: BookEntry): string | undefined {
  if (lines.length === 1)
    return lines[0]!.offset === undefined ? 'has neither offset account nor further lines' : undefined;
  const total = (side: Side) => sumOf(lines.map((line) => (line.side === side ? line.amount : 0n)));
  if (total('D') === total('C')) return undefined;
  return `begins an entry of ${printedAmount(total('D'))} debit and ${printedAmount(total('C'))} credit`;
}

/** Posts the entries: one request a batch. */
export async function post(
  client: Client,
  bank: Pick<Bank, 'company' | 'branch'>,
  entries: readonly BookEntry[],
): Promise<void> {
  const batches = Map.groupBy(entries, ({ day, batch = '' }) => `${day.slice(0, 7)} ${batch}`);
  for (const batch of batches.values()) {
    // The same entry may well be posted twice.
    await bodyOf(client.post('movements', '/importMovimentJson?force=true', importOf(bank, batch)));
  }
}

function importOf({ company, branch }: Pick<Bank, 'company' | 'branch'>, entries: readonly BookEntry[]) {
  const { day, batch } = entries[0]!;
  return {
    empresa: company,
    filial: branch,
    ano: Number(day.slice(0, 4)),
    mes: Number(day.slice(5, 7)),
    lote: batch,
    documentos: [...Map.groupBy(entries, ({ document }) => document)].map(([documento, ofDocument]) => ({
      documento,
      lancamentos: ofDocument.flatMap((entry, at) =>
        entry.lines.map((line) => ({
          lancamento: String(at + 1),
          debcre: line.side,
          day: entry.day.slice(8),
          conta: line.account,
          contrapartida: line.offset,
          valor: Number(decimalOf(line.amount)),
          historico: line.narration,
        })),
      ),
    })),
  };
}

/**
 * Posts the entries as a person does, one request each, in a batch and a document of their own; returns the document's
 * id. All of them are of the first one's document, and every line names its offset account.
 */
export async function postByHand(client: Client, bank: Bank, entries: readonly BookEntry[]): Promise<number> {
  const { day, batch, document } = entries[0]!;
  const documentId = await newDocument(client, bank, slashOf(monthOfDay(day)), { batch, document });
  for (const { lines, ...of } of entries) {
    for (const line of lines) await bodyOf(postEntry(client, bank, documentId, [{ ...of, lines: [line] }]));
  }
  return documentId;
}

/** A new document in a new batch of the month MM/YYYY, of the next free numbers unless they are given; returns its id. */
export async function newDocument(
  client: Client,
  bank: Pick<Bank, 'company' | 'branch'>,
  month: string,
  { batch, document }: { readonly batch?: string | undefined; readonly document?: string } = {},
): Promise<number> {
  const [mes, ano] = month.split('/').map(Number);
  const place = { empresa: bank.company, filial: bank.branch, ano, mes };
  const { id: batchId } = await bodyOf(client.post('movements', '/batch', { ...place, lote: batch }));
  return (await bodyOf(client.post('movements', '/document', { batchId, documento: document }))).id;
}

/** Posts an entry of one line into a document, whatever the answer. */
export function postEntry(
  client: Client,
  bank: Pick<Bank, 'accounts'>,
  documentId: number,
  entries: readonly BookEntry[],
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
): Promise<HttpAnswer<any>> {
  return client.post('movements', '/entry', entryBody(bank, documentId, entries));
}

/** The body of POST and PUT /entry for an entry of one line. */
export function entryBody({ accounts }: Pick<Bank, 'accounts'>, documentId: number, entries: readonly BookEntry[]) {
  const [entry, ...more] = entries;
  const [line, ...others] = entry?.lines ?? [];
  if (!entry || !line || line.offset === undefined || more.length + others.length > 0)
    throw new Error('one entry of one line with an offset account was wanted');
  return {
    documentId,
    debcre: line.side,
    day: entry.day.slice(8),
    contaId: accounts.get(line.account),
    contrapartida: accounts.get(line.offset),
    valor: Number(decimalOf(line.amount)),
    historico: line.narration,
  };
}

/** Debit, credit and their difference of an account and all below it, in a span of days. */
export function movementOf(
  entries: readonly BookEntry[],
  code: string,
  from: Day,
  to: Day,
): { debit: Centavos; credit: Centavos; net: Centavos } {
  const lines = entries.filter(({ day }) => day >= from && day <= to).flatMap(debitsAndCredits);
  const total = (side: Side) =>
    sumOf(
      lines
        .filter((line) => line.side === side && (line.account === code || line.account.startsWith(`${code}.`)))
        .map(({ amount }) => amount),
    );
  const [debit, credit] = [total('D'), total('C')];
  return { debit, credit, net: debit - credit };
}

/** What the entry moves: a line with an offset account moves that too, unless further lines do. */
export function debitsAndCredits({ lines }: BookEntry): Pick<BookLine, 'side' | 'account' | 'amount'>[] {
  const [line] = lines;
  if (lines.length > 1 || line?.offset === undefined) return [...lines];
  return [line, { side: otherSide(line.side), account: line.offset, amount: line.amount }];
}
