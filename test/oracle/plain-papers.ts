// What the papers of a bank must show, computed from its lines alone by adding them up. It shares no line with the program:
// no module of src is imported. Amounts are whole centavos, debit-positive where signed; a month is '2026-01', a day
// '2026-01-31'.

export interface PaperAccount {
  readonly code: string;
  readonly takesEntries: boolean;
}

export interface PaperLine {
  readonly branch: string;
  readonly day: string;
  readonly batch: string;
  readonly document: string;
  readonly entry: number;
  readonly account: string;
  readonly side: 'D' | 'C';
  readonly cents: bigint;
  readonly isClosing: boolean;
}

/** The books of one branch, or of several together: what they began with and all their lines, in any order. */
export interface PaperBooks {
  readonly openings: ReadonlyMap<string, bigint>;
  readonly lines: readonly PaperLine[];
}

/** In the order of the chart. Groups as in the central bank's chart: 1, 2 and 3 stand on the side of the assets. */
export const CHART: readonly PaperAccount[] = [
  ...accountsOf('1', '1.1', '+1.1.1', '+1.1.2', '1.5', '+1.5.1', '1.6', '+1.6.1', '+1.6.2', '+1.6.10'),
  ...accountsOf('2', '+2.1', '3', '+3.1', '+3.2', '4', '4.1', '+4.1.1', '+4.1.2', '4.5', '+4.5.1'),
  ...accountsOf('6', '+6.1', '+6.2', '+6.3', '7', '7.1', '+7.1.1', '+7.1.2', '+7.9'),
  ...accountsOf('8', '8.1', '+8.1.1', '+8.1.2', '+8.9', '9', '+9.1', '+9.2'),
];

export const LEAVES = CHART.filter((account) => account.takesEntries).map(({ code }) => code);

/** Results close through 7.9 and 8.9 to 6.2 (profit) or 6.3 (loss), at the end of June and of December. */
const CREDIT_RESULT = '7.9';
const DEBIT_RESULT = '8.9';
const PROFIT = '6.2';
const LOSS = '6.3';
export const CLOSING_MONTHS = [6, 12];

function accountsOf(...codes: readonly string[]): PaperAccount[] {
  return codes.map((code) => ({ code: code.replace('+', ''), takesEntries: code.startsWith('+') }));
}

/** The branches summed, nothing eliminated. */
export function together(branches: readonly PaperBooks[]): PaperBooks {
  const openings = LEAVES.map((code) => [code, add(branches.map((books) => books.openings.get(code) ?? 0n))] as const);
  return { openings: new Map(openings), lines: branches.flatMap(({ lines }) => lines) };
}

/** The books of one branch with the lines that closing adds in these months, one after the other. */
export function withClosings(books: PaperBooks, months: readonly string[]): PaperBooks {
  const lines = [...books.lines];
  for (const month of months) {
    if (CLOSING_MONTHS.includes(Number(month.slice(5)))) lines.push(...closingLines({ ...books, lines }, month));
  }
  return { ...books, lines };
}

function closingLines(books: PaperBooks, month: string): PaperLine[] {
  const day = lastDayOf(month);
  const left = new Map([CREDIT_RESULT, DEBIT_RESULT].map((code) => [code, balanceAt(books, code, day)]));
  const entries: (readonly [account: string, moved: bigint])[][] = [];
  for (const [group, result] of [
    ['7', CREDIT_RESULT],
    ['8', DEBIT_RESULT],
  ] as const) {
    for (const code of LEAVES.filter((each) => isWithin(each, group) && each !== result)) {
      const cents = balanceAt(books, code, day);
      if (cents === 0n) continue;
      entries.push([
        [code, -cents],
        [result, cents],
      ]);
      left.set(result, left.get(result)! + cents);
    }
  }
  const open = [...left].filter(([, cents]) => cents !== 0n);
  const net = open.reduce((sum, [, cents]) => sum + cents, 0n);
  const transfer = open.map(([code, cents]) => [code, -cents] as const);
  if (net !== 0n) transfer.push([net < 0n ? PROFIT : LOSS, net]);
  if (transfer.length > 0) entries.push(transfer);
  return entries.flatMap((moves, at) =>
    moves.map(([account, moved]) => ({
      branch: books.lines[0]!.branch,
      day,
      batch: 'ENC',
      document: 'ENCERRAMENTO',
      entry: at + 1,
      account,
      side: moved > 0n ? ('D' as const) : ('C' as const),
      cents: moved > 0n ? moved : -moved,
      isClosing: true,
    })),
  );
}

/** What an account and all below it brought, moved and hold in a span of days. */
export interface Figures {
  readonly opening: bigint;
  readonly debit: bigint;
  readonly credit: bigint;
  readonly closingDebit: bigint;
  readonly closingCredit: bigint;
  readonly balance: bigint;
}

export interface AccountFigures extends PaperAccount {
  /** How deep it stands: a group is on the first level. */
  readonly level: number;
  readonly figures: Figures;
}

export interface Span {
  readonly from: string;
  readonly to: string;
  /** False: as if the closing of the span had not been made. */
  readonly closes: boolean;
  /** What branches owe one another is eliminated. */
  readonly eliminates: boolean;
}

/** What one branch claims of another, and what it owes another. */
const CLAIMS = '1.5';
const DEBTS = '4.5';

/**
 * Every account in the order of the chart. Eliminating empties claims and debts, and puts what does not cancel behind the
 * accounts of the side that its balance is on, or of the side that it was on before.
 */
export function accountFigures(books: PaperBooks, span: Span): AccountFigures[] {
  const leaves = LEAVES.map((code) => ({ code, figures: leafFigures(books, code, span) }));
  const isReciprocal = ({ code }: { code: string }) =>
    span.eliminates && [CLAIMS, DEBTS].some((each) => isWithin(code, each));
  const kept = leaves.filter((leaf) => !isReciprocal(leaf));
  const residue = residueOf(leaves.filter(isReciprocal));
  const place = (residue.balance || residue.opening) < 0n ? DEBTS : CLAIMS;
  const all = [...kept, { code: place, figures: residue }];
  const accounts = CHART.map((account) => ({
    ...account,
    level: levelOf(account.code),
    figures: sumOf(all.filter(({ code }) => isWithin(code, account.code)).map(({ figures }) => figures)),
  }));
  if (!span.eliminates) return accounts;
  const last = accounts.findLastIndex(({ code }) => isWithin(code, place));
  return accounts.toSpliced(last + 1, 0, {
    code: place,
    takesEntries: true,
    level: levelOf(place) + 1,
    figures: residue,
  });
}

function residueOf(leaves: readonly { readonly code: string; readonly figures: Figures }[]): Figures {
  const ofSide = (prefix: string) =>
    sumOf(leaves.filter(({ code }) => isWithin(code, prefix)).map(({ figures }) => figures));
  const [claims, debts] = [ofSide(CLAIMS), ofSide(DEBTS)];
  const least = (a: bigint, b: bigint) => (a < b ? a : b);
  const cancelled = least(claims.debit, debts.credit) + least(claims.credit, debts.debit);
  const both = sumOf([claims, debts]);
  return { ...both, debit: both.debit - cancelled, credit: both.credit - cancelled };
}

function leafFigures(books: PaperBooks, code: string, { from, to, closes }: Span): Figures {
  const lines = books.lines.filter(({ account, day }) => account === code && day <= to);
  const sum = (side: 'D' | 'C', isClosing: boolean) =>
    add(
      lines
        .filter((line) => line.day >= from && line.side === side && line.isClosing === isClosing)
        .map(({ cents }) => cents),
    );
  const opening = (books.openings.get(code) ?? 0n) + add(lines.filter((line) => line.day < from).map(signed));
  const [debit, credit] = [sum('D', false), sum('C', false)];
  const [closingDebit, closingCredit] = closes ? [sum('D', true), sum('C', true)] : [0n, 0n];
  const balance = opening + debit - credit + closingDebit - closingCredit;
  return { opening, debit, credit, closingDebit, closingCredit, balance };
}

function sumOf(figures: readonly Figures[]): Figures {
  const sum = (name: keyof Figures) => add(figures.map((each) => each[name]));
  return {
    opening: sum('opening'),
    debit: sum('debit'),
    credit: sum('credit'),
    closingDebit: sum('closingDebit'),
    closingCredit: sum('closingCredit'),
    balance: sum('balance'),
  };
}

function levelOf(code: string): number {
  return code.split('.').length;
}

function balanceAt(books: PaperBooks, code: string, day: string): bigint {
  return leafFigures(books, code, { from: day, to: day, closes: true, eliminates: false }).balance;
}

export function signed({ side, cents }: Pick<PaperLine, 'side' | 'cents'>): bigint {
  return side === 'D' ? cents : -cents;
}

export function add(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, each) => sum + each, 0n);
}

export function isWithin(code: string, above: string): boolean {
  return code === above || code.startsWith(`${above}.`);
}

export function lastDayOf(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return `${month}-${new Date(Date.UTC(year!, number!, 0)).getUTCDate()}`;
}

/** The order of the books: day, branch, batch, document, entry, line. A batch of letters comes behind those of numbers. */
export function inBookOrder(lines: readonly PaperLine[]): PaperLine[] {
  const keyOf = ({ day, branch, batch, document, entry }: PaperLine) =>
    [
      day,
      branch,
      ...[batch, document, String(entry)].map((code) => (/^\d+$/.test(code) ? code.padStart(9, '0') : code)),
    ].join(' ');
  return lines.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
}
