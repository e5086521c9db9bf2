// A branch's books as a schoolbook keeps them: lists, and sums over lists. It knows no lock, no index, no closed balance.
// Amounts are whole centavos, debit-positive where signed; months count from 0, which is January 2026.

export interface PlainLine {
  readonly account: string;
  readonly counter: string | null;
  readonly side: 'D' | 'C';
  readonly cents: number;
}

export interface PlainEntry {
  readonly number: string;
  readonly day: number;
  readonly history: string | null;
  readonly lines: readonly PlainLine[];
}

export interface PlainDocument {
  /** Unknown for the one that closing makes. */
  readonly id: number | undefined;
  readonly number: string;
  entries: PlainEntry[];
}

export interface PlainBatch {
  readonly id: number | undefined;
  readonly number: string;
  readonly month: number;
  readonly closing: boolean;
  documents: PlainDocument[];
}

export interface PlainBook {
  readonly openings: ReadonlyMap<string, number>;
  readonly closingMonths: ReadonlySet<number>;
  /** The months that have been opened, in order. */
  readonly months: ('open' | 'consolidated')[];
  readonly purged: Set<number>;
  /** 'month/day' */
  readonly closedDays: Set<string>;
  batches: PlainBatch[];
}

export interface PlainBalance {
  readonly opening: number;
  readonly debit: number;
  readonly credit: number;
  readonly closing: number;
}

export const DAYS_IN_MONTH = [31, 28, 31] as const;
/** January to March of 2026: the year's first day, and Carnival. */
const HOLIDAYS = ['0/1', '1/16', '1/17'];
/** Cleared by closing: revenues against the credit result, expenses against the debit result. */
export const REVENUES = ['7.1', '7.2'];
export const EXPENSES = ['8.1'];
export const CREDIT_RESULT = '3.3';
export const DEBIT_RESULT = '3.4';
export const PROFIT = '3.1';
export const LOSS = '3.2';
export const LEAVES = ['1.1.1', '1.1.2', '2.1', PROFIT, LOSS, CREDIT_RESULT, DEBIT_RESULT, ...REVENUES, ...EXPENSES];

export function dayTakesEntries(book: PlainBook, month: number, day: number): boolean {
  return book.months[month] === 'open' && day <= DAYS_IN_MONTH[month]! && !book.closedDays.has(`${month}/${day}`);
}

export function documentsOf(batches: readonly PlainBatch[]): PlainDocument[] {
  return batches.flatMap((batch) => batch.documents);
}

/** What is not in the archive. */
export function batchesInBooks(book: PlainBook): PlainBatch[] {
  return book.batches.filter((batch) => !book.purged.has(batch.month));
}

export function lastClosed(book: PlainBook): number {
  return book.months.lastIndexOf('consolidated');
}

/** Whether the month may be opened: the one after the last, or the last closed one again. */
export function mayOpen(book: PlainBook, month: number): boolean {
  return month === book.months.length || (month === lastClosed(book) && !book.purged.has(month));
}

export function openMonth(book: PlainBook, month: number): void {
  book.months[month] = 'open';
  book.batches = book.batches.filter((batch) => batch.month !== month || !batch.closing);
}

export function mayClose(book: PlainBook, month: number): boolean {
  return book.months[month] === 'open' && month === lastClosed(book) + 1;
}

export function consolidate(book: PlainBook, month: number): void {
  if (book.closingMonths.has(month)) book.batches.push(...closingBatch(book, month));
  book.months[month] = 'consolidated';
}

export function mayArchive(book: PlainBook, month: number): boolean {
  return month <= lastClosed(book);
}

/** The earliest business day of the open months that is not closed. */
export function currentDay(book: PlainBook): { month: number; day: number } | undefined {
  for (const month of book.months.keys()) {
    if (book.months[month] !== 'open') continue;
    for (let day = 1; day <= DAYS_IN_MONTH[month]!; day++) {
      if (isBusinessDay(month, day) && !book.closedDays.has(`${month}/${day}`)) return { month, day };
    }
  }
  return undefined;
}

/** Closes it, and the weekends and holidays before it. */
export function closeDay(book: PlainBook, current: { month: number; day: number }): void {
  for (let month = 0; month <= current.month; month++) {
    for (let day = 1; day <= (month < current.month ? DAYS_IN_MONTH[month]! : current.day); day++) {
      if (!isBusinessDay(month, day)) book.closedDays.add(`${month}/${day}`);
    }
  }
  book.closedDays.add(`${current.month}/${current.day}`);
}

function isBusinessDay(month: number, day: number): boolean {
  const weekday = new Date(Date.UTC(2026, month, day)).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !HOLIDAYS.includes(`${month}/${day}`);
}

/** What happened to the account, and to all below it, in a month or on a day of it. */
export function balanceOf(book: PlainBook, account: string, month: number, onDay?: number): PlainBalance {
  const isBelow = (code: string) => code === account || code.startsWith(`${account}.`);
  const balance = { opening: 0, debit: 0, credit: 0, closing: 0 };
  for (const [code, cents] of book.openings) if (isBelow(code)) balance.opening += cents;
  for (const batch of book.batches) {
    if (batch.month > month) continue;
    for (const { day, lines } of batch.documents.flatMap((document) => document.entries)) {
      for (const line of lines) {
        if (!isBelow(line.account)) continue;
        const signed = line.side === 'D' ? line.cents : -line.cents;
        const isEarlier = batch.month < month || (onDay !== undefined && day < onDay);
        if (isEarlier) balance.opening += signed;
        else if (onDay !== undefined && day > onDay) continue;
        else if (batch.closing) balance.closing += signed;
        else if (line.side === 'D') balance.debit += line.cents;
        else balance.credit += line.cents;
      }
    }
  }
  return balance;
}

export function accumulated({ opening, debit, credit, closing }: PlainBalance): number {
  return opening + debit - credit + closing;
}

/** Every result account to its result account, those to profit or loss: one batch, or none when nothing is to clear. */
function closingBatch(book: PlainBook, month: number): PlainBatch[] {
  const left = new Map<string, number>();
  const before = (code: string) => accumulated(balanceOf(book, code, month));
  const facts: PlainLine[][] = [];
  for (const [codes, result] of [
    [REVENUES, CREDIT_RESULT],
    [EXPENSES, DEBIT_RESULT],
  ] as const) {
    left.set(result, before(result));
    for (const code of codes) {
      const cents = before(code);
      if (cents === 0) continue;
      facts.push([clearing(code, result, cents), clearing(result, code, -cents)]);
      left.set(result, left.get(result)! + cents);
    }
  }
  const open = [...left].filter(([, cents]) => cents !== 0);
  const net = open.reduce((sum, [, cents]) => sum + cents, 0);
  const equity = net < 0 ? PROFIT : LOSS;
  const cleared = open.map(([code, cents], at) => clearing(code, net === 0 ? open[1 - at]![0] : equity, cents));
  const single = open.length === 1 ? open[0]![0] : null;
  if (cleared.length > 0) facts.push(net === 0 ? cleared : [...cleared, clearing(equity, single, -net)]);
  if (facts.length === 0) return [];
  const history = 'Apuração do resultado do período';
  const entries = facts.map((lines, at) => ({ number: String(at + 1), day: DAYS_IN_MONTH[month]!, history, lines }));
  const document = { id: undefined, number: 'ENCERRAMENTO', entries };
  return [{ id: undefined, number: 'ENC', month, closing: true, documents: [document] }];
}

/** The line that takes a balance out of an account. */
function clearing(account: string, counter: string | null, balance: number): PlainLine {
  return { account, counter, side: balance > 0 ? 'C' : 'D', cents: Math.abs(balance) };
}
