// What the papers of a bank must show, computed from its lines alone by adding them up. It shares no line with the program:
// no module of src is imported. Amounts are whole centavos, debit-positive where signed; a month is '2026-01', a day
// '2026-01-31'.

export interface PaperAccount {
  readonly code: string;
  readonly takesEntries: boolean;
}

export interface PaperLine {
  readonly day: string;
  readonly batch: string;
  readonly document: string;
  readonly entry: number;
  readonly account: string;
  readonly side: 'D' | 'C';
  readonly cents: bigint;
  readonly isClosing: boolean;
}

/** The books of one branch: what it began with and all its lines, in any order. */
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

/** The books with the lines that closing adds in these months, one after the other. */
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

/** Without `closes`, as if the closing of the span had not been made. */
export function figuresOf(books: PaperBooks, code: string, from: string, to: string, closes = true): Figures {
  const within = books.lines.filter(({ account, day }) => isWithin(account, code) && day <= to);
  const sum = (side: 'D' | 'C', isClosing: boolean) =>
    add(
      within
        .filter((line) => line.day >= from && line.side === side && line.isClosing === isClosing)
        .map(({ cents }) => cents),
    );
  const opening =
    add([...books.openings].filter(([account]) => isWithin(account, code)).map(([, cents]) => cents)) +
    add(within.filter((line) => line.day < from).map(signed));
  const [debit, credit] = [sum('D', false), sum('C', false)];
  const [closingDebit, closingCredit] = closes ? [sum('D', true), sum('C', true)] : [0n, 0n];
  const balance = opening + debit - credit + closingDebit - closingCredit;
  return { opening, debit, credit, closingDebit, closingCredit, balance };
}

function balanceAt(books: PaperBooks, code: string, day: string): bigint {
  return figuresOf(books, code, day, day).balance;
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

/** The order of the books: day, batch, document, entry, line. A batch of letters comes behind those of numbers. */
export function inBookOrder(lines: readonly PaperLine[]): PaperLine[] {
  const keyOf = ({ day, batch, document, entry }: PaperLine) =>
    [day, ...[batch, document, String(entry)].map((code) => (/^\d+$/.test(code) ? code.padStart(9, '0') : code))].join(
      ' ',
    );
  return lines.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
}
