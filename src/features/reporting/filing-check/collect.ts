import { centavosOf, readAmount, signedCentavos, Totals } from './amounts.ts';
import { MONTHS } from './balances.ts';
import type { Account, Balance, Book } from './book.ts';
import { dayNumber, dayOf, monthOf } from './dates.ts';
import type { Line } from './line.ts';

// What each register adds to the facts. Fields of the registers of which there are millions are read by their number.

type Collect = (line: Line, book: Book) => void;

/** Before the rules of the line are asked. */
export const COLLECT: Readonly<Record<string, Collect>> = {
  '0000': (line, book) => {
    book.from = dayOf(line.of('DT_INI'));
    book.to = dayOf(line.of('DT_FIN'));
  },
  '0150': (line, book) => {
    const code = line.of('COD_PART');
    if (!book.participants.has(code)) book.participants.set(code, line);
  },
  I010: (line, book) => {
    book.form = line.of('IND_ESC');
  },
  I020: (line, book) => {
    const register = line.of('REG_COD');
    book.additional.set(register, (book.additional.get(register) ?? 0) + 1);
  },
  I050: (line, book) => {
    const code = line.of('COD_CTA');
    if (!book.accounts.has(code)) book.accounts.set(code, accountOf(line, book));
  },
  I075: (line, book) => {
    book.narrations.add(line.of('COD_HIST'));
  },
  I100: (line, book) => {
    const code = line.of('COD_CCUS');
    if (!book.costCentres.has(code)) book.costCentres.set(code, book.costCentres.size + 1);
  },
  I150: (line, book) => {
    const month = book.monthIndex(dayOf(line.of('DT_INI')));
    const sums = { opening: 0n, debits: 0n, credits: 0n, final: 0n };
    book.period = { line, month, details: 0, transfers: 0, ...sums };
    book.periods.push(book.period);
  },
  I155: collectBalance,
  I157: collectTransfer,
  I200: (line, book) => {
    const { fields } = line;
    const day = dayOf(fields[3] ?? '');
    book.entry = { line, day, month: book.monthIndex(day), kind: fields[5] ?? '', debits: 0, credits: 0 };
    if (book.entry.kind === 'E') book.closingEntries++;
    book.entryTotals.set(DEBITS, 0n);
    book.entryTotals.set(CREDITS, 0n);
  },
  I250: collectPosting,
  I300: (line, book) => {
    book.days.push({ line, month: book.monthIndex(dayOf(line.of('DT_BCTE'))), totals: new Totals() });
  },
  I310: collectDay,
  I350: (line, book) => {
    book.resultDay = dayOf(line.of('DT_RES'));
  },
  I355: collectResult,
};

export const DEBITS = 0;
export const CREDITS = 1;

function accountOf(line: Line, book: Book): Account {
  const account: Account = {
    number: book.accountList.length,
    line,
    code: line.of('COD_CTA'),
    nature: line.of('COD_NAT'),
    isAnalytic: line.of('IND_CTA') === 'A',
    level: Number(line.of('NIVEL')) || 0,
    parentCode: line.of('COD_CTA_SUP'),
  };
  book.accountList.push(account);
  return account;
}

/** The account of a line, and with its cost centre the pair that sums are kept by. */
function find(book: Book, code: string, costCentre: string): void {
  const account = book.accounts.get(code);
  book.account = account;
  const centre = costCentre === '' ? 0 : book.costCentres.get(costCentre);
  book.isCostCentreKnown = centre !== undefined;
  book.pair = account === undefined ? -1 : book.balances.pairOf(account.number, centre ?? 0);
}

function collectBalance(line: Line, book: Book): void {
  const { fields, number } = line;
  const { balances, period } = book;
  find(book, fields[2]!, fields[3]!);
  const opening = signedCentavos(fields[4] ?? '', fields[5] ?? '');
  const final = signedCentavos(fields[8] ?? '', fields[9] ?? '');
  const debits = centavosOf(fields[6] ?? '');
  const credits = centavosOf(fields[7] ?? '');
  const balance: Balance = { line: number, opening, debits, credits, final, isRepeated: false, before: undefined };
  book.balance = balance;
  if (opening === 0n && final === 0n && debits === 0n && credits === 0n) book.emptyBalances.push(number);
  if (book.emptyBalances.length > 100_000) book.emptyBalances.length = 100_000;
  if (period === undefined) return;
  period.details++;
  period.opening += opening;
  period.debits += debits;
  period.credits += credits;
  period.final += final;
  if (period.month < 0 || book.pair < 0) return;
  const place = book.pair * MONTHS + period.month;
  balance.isRepeated = Boolean(balances.balanceLines[place]);
  if (balance.isRepeated) return;
  if (period.month > monthOf(book.from) - 1) balance.before = balances.finalOf(book.pair, period.month - 1);
  balances.open(book.pair, period.month, opening);
  balances.markBalance(place, number);
  balances.finals.set(place, final);
  balances.debits.addCentavos(place, debits);
  balances.credits.addCentavos(place, credits);
}

/** Of the accounts that the balance was taken over from, in a chart before. */
function collectTransfer(line: Line, book: Book): void {
  const { fields } = line;
  const signed = signedCentavos(fields[4] ?? '', fields[5] ?? '');
  if (book.period !== undefined) book.period.transfers++;
  const detail = book.balance?.line ?? 0;
  if (book.emptyBalances.at(-1) === detail) book.emptyBalances.pop();
  const last = book.transfers.at(-1);
  if (last?.line === detail) {
    last.sum += signed;
    return;
  }
  book.take();
  book.transfers.push({ line: detail, opening: book.balance?.opening ?? 0n, sum: signed });
}

function collectPosting(line: Line, book: Book): void {
  const { fields, number } = line;
  const { balances, entry } = book;
  find(book, fields[2]!, fields[3]!);
  if (entry === undefined) return;
  const isCredit = fields[5] === 'C';
  if (!isCredit && fields[5] !== 'D') return;
  if (!readAmount(fields[4] ?? '')) return;
  if (isCredit) entry.credits++;
  else entry.debits++;
  book.entryTotals.add(isCredit ? CREDITS : DEBITS, 1);
  if (book.pair < 0 || entry.month < 0) return;
  const place = book.pair * MONTHS + entry.month;
  (isCredit ? balances.credits : balances.debits).add(place, -1);
  balances.markMovement(place, number);
  if (entry.kind === 'E' && book.account!.nature === '04')
    balances.closings.add(book.account!.number, dayNumber(entry.day), isCredit ? -1 : 1, entry.line.number);
}

function collectDay(line: Line, book: Book): void {
  const { fields, number } = line;
  const { balances } = book;
  const day = book.days.at(-1);
  find(book, fields[2]!, fields[3]!);
  if (day === undefined) return;
  const place = book.pair < 0 || day.month < 0 ? -1 : book.pair * MONTHS + day.month;
  book.isRepeatedDetail = book.pair >= 0 && balances.isSeen(book.pair, book.days.length);
  if (readAmount(fields[4] ?? '')) {
    day.totals.add(DEBITS, 1);
    if (place >= 0) balances.debits.add(place, -1);
  }
  if (readAmount(fields[5] ?? '')) {
    day.totals.add(CREDITS, 1);
    if (place >= 0) balances.credits.add(place, -1);
  }
  if (place >= 0) balances.markMovement(place, number);
}

function collectResult(line: Line, book: Book): void {
  const { fields, number } = line;
  find(book, fields[2]!, fields[3]!);
  if (book.pair < 0 || book.resultDay === 0) return;
  const day = dayNumber(book.resultDay);
  book.isRepeatedDetail = book.balances.results.has(book.pair, day);
  if (book.isRepeatedDetail || !readAmount(fields[4] ?? '')) return;
  book.balances.results.add(book.pair, day, fields[5] === 'C' ? -1 : 1, number);
}
