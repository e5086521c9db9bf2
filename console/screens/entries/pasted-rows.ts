import { digitsOnly } from '../../../src/accounting/account-code.ts';
import type { Side } from '../../../src/accounting/entry.ts';
import type { Centavos } from '../../../src/accounting/money.ts';
import { type Day, dayIn, type Month, monthOfDay } from '../../../src/accounting/period.ts';
import type { ChartAccount } from '../../data/queries.ts';
import { amountFromTyped, amountText, fold } from '../../ui/format.ts';
import { dayFromTyped } from '../../ui/typed-field.tsx';

// Rows copied from a spreadsheet: cells apart by tabs, as an accountant writes days and amounts. A row with a day begins an
// entry; one without goes on with the entry above it.

export type PastedField = 'day' | 'side' | 'account' | 'offset' | 'code' | 'narration' | 'amount' | 'debit' | 'credit';

/** A cell as it was copied, and what is wrong with it. */
export interface PastedCell {
  readonly text: string;
  readonly problem?: string | undefined;
}

export interface PastedLine {
  readonly side: Side;
  readonly accountId: number;
  readonly amount: Centavos;
  readonly narration: string | null;
}

export interface PastedRow {
  /** Of the copied text, from 1. */
  readonly number: number;
  readonly cells: Readonly<Partial<Record<PastedField, PastedCell>>>;
}

/** Rows that make one entry; without lines where a cell is at fault. */
export interface PastedEntry {
  readonly rows: readonly PastedRow[];
  readonly day: Day | undefined;
  readonly code: string | null;
  readonly narration: string | null;
  readonly lines: readonly PastedLine[] | undefined;
  /** What is wrong with the entry as a whole. */
  readonly problem: string | undefined;
}

export interface Pasted {
  readonly fields: readonly (PastedField | undefined)[];
  readonly entries: readonly PastedEntry[];
}

/** What cells are checked against. */
export interface PasteFacts {
  readonly month: Month;
  readonly accounts: readonly ChartAccount[];
  readonly closedDays: ReadonlySet<string>;
}

const HEADINGS: readonly (readonly [PastedField, RegExp])[] = [
  ['day', /^(?:dia|data|day)$/],
  ['side', /^(?:d\/?c|debcre|natureza|tipo)$/],
  ['debit', /^(?:conta )?(?:a )?debito$/],
  ['credit', /^(?:conta )?(?:a )?credito$/],
  ['offset', /^contra(?:partida)?$/],
  ['account', /^conta(?: contabil)?$/],
  ['code', /^(?:hist\.?|cod(?:igo)?\.? hist(?:orico)?\.?|cdhistorico|historico padrao)$/],
  ['narration', /^(?:historico|descricao|complemento|texto)$/],
  ['amount', /^valor(?: r\$| \(r\$\))?$/],
];

/** Columns without headings, by how many there are: those of the posting row, or the two accounts of a plain journal. */
const BY_COUNT: Readonly<Record<number, readonly PastedField[]>> = {
  4: ['day', 'debit', 'credit', 'amount'],
  5: ['day', 'debit', 'credit', 'narration', 'amount'],
  6: ['day', 'side', 'account', 'offset', 'narration', 'amount'],
  7: ['day', 'side', 'account', 'offset', 'code', 'narration', 'amount'],
};

/** The copied text as entries; every cell at fault says why. */
export function readPasted(text: string, facts: PasteFacts): Pasted {
  const table = text
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line, at) => ({ number: at + 1, cells: line.split('\t').map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const named = table[0]?.cells.map(fieldOfHeading) ?? [];
  const hasHeading = named.filter(Boolean).length >= 3;
  const width = Math.max(0, ...table.map(({ cells }) => cells.length));
  const fields = hasHeading ? named : (BY_COUNT[width] ?? BY_COUNT[7]!);
  const find = accountFinder(facts.accounts);
  const rows = table.slice(hasHeading ? 1 : 0).map(({ number, cells }) => readRow(number, cells, fields));
  const groups: PastedRow[][] = [];
  for (const row of rows) {
    if (groups.length === 0 || row.cells.day?.text) groups.push([row]);
    else groups.at(-1)!.push(row);
  }
  return { fields, entries: groups.map((group) => readEntry(group, facts, find)) };
}

function fieldOfHeading(heading: string): PastedField | undefined {
  const folded = fold(heading).replace(/\s+/g, ' ').trim();
  return HEADINGS.find(([, pattern]) => pattern.test(folded))?.[0];
}

function readRow(number: number, texts: readonly string[], fields: Pasted['fields']): PastedRow {
  const cells: Partial<Record<PastedField, PastedCell>> = {};
  fields.forEach((field, at) => {
    if (field !== undefined) cells[field] = { text: texts[at] ?? '' };
  });
  return { number, cells };
}

type Find = (text: string) => ChartAccount | string;

function readEntry(group: readonly PastedRow[], { month, closedDays }: PasteFacts, find: Find): PastedEntry {
  const rows: PastedRow[] = [];
  const lines: PastedLine[] = [];
  const [head] = group;
  const dayCell = head!.cells.day?.text ?? '';
  const day = dayOfCell(dayCell, month);
  const dayProblem =
    day === undefined
      ? dayCell === ''
        ? 'Falta o dia.'
        : 'Não é um dia do mês.'
      : closedDays.has(day)
        ? 'O dia está fechado.'
        : undefined;
  for (const [at, row] of group.entries()) {
    const read = readLines(row, find);
    lines.push(...read.lines);
    const cells = { ...row.cells, ...read.cells };
    if (at === 0 && dayProblem !== undefined) cells.day = { text: dayCell, problem: dayProblem };
    rows.push({ ...row, cells });
  }
  const isSound = rows.every(({ cells }) => Object.values(cells).every((cell) => cell.problem === undefined));
  const sum = (side: Side) => lines.reduce((total, line) => (line.side === side ? total + line.amount : total), 0n);
  const difference = sum('D') - sum('C');
  return {
    rows,
    day,
    code: head!.cells.code?.text || null,
    narration: head!.cells.narration?.text || null,
    lines: isSound && difference === 0n ? lines : undefined,
    problem: isSound && difference !== 0n ? `Débitos e créditos diferem em ${amountText(difference)}.` : undefined,
  };
}

/** The lines of a row: one, or two where it names both accounts. */
function readLines(row: PastedRow, find: Find): { lines: PastedLine[]; cells: PastedRow['cells'] } {
  const { side, account, offset, debit, credit, amount, narration } = row.cells;
  const cells: Partial<Record<PastedField, PastedCell>> = {};
  const accountOf = (field: PastedField, cell: PastedCell | undefined, isNeeded: boolean): number | undefined => {
    const text = cell?.text ?? '';
    if (text === '' && !isNeeded) return undefined;
    const found = text === '' ? 'Falta a conta.' : find(text);
    if (typeof found !== 'string') return found.id;
    cells[field] = { text, problem: found };
    return undefined;
  };
  const centavos = amount?.text ? amountFromTyped(amount.text) : undefined;
  if (centavos === undefined || centavos <= 0n) {
    cells.amount = { text: amount?.text ?? '', problem: amount?.text ? 'Não é um valor.' : 'Falta o valor.' };
  }
  const text = narration?.text || null;
  const line = (of: Side, accountId: number | undefined): PastedLine[] =>
    accountId === undefined || centavos === undefined
      ? []
      : [{ side: of, accountId, amount: centavos, narration: text }];
  if (debit !== undefined || credit !== undefined) {
    const isPair = row.cells.day?.text !== '';
    const one = accountOf('debit', debit, isPair);
    const other = accountOf('credit', credit, isPair);
    return { lines: [...line('D', one), ...line('C', other)], cells };
  }
  const letter = fold(side?.text ?? '')[0]?.toUpperCase();
  if (letter !== 'D' && letter !== 'C') cells.side = { text: side?.text ?? '', problem: 'D ou C.' };
  const given = letter === 'C' ? 'C' : 'D';
  return {
    lines: [
      ...line(given, accountOf('account', account, true)),
      ...line(given === 'D' ? 'C' : 'D', accountOf('offset', offset, false)),
    ],
    cells,
  };
}

function dayOfCell(text: string, month: Month): Day | undefined {
  const day = /^\d{1,2}$/.test(text) ? dayIn(month, Number(text)) : dayFromTyped(text, month);
  return day !== undefined && monthOfDay(day) === month ? day : undefined;
}

/** By code, reduced code, or the digits of the code; a text where none or several fit. */
function accountFinder(accounts: readonly ChartAccount[]): Find {
  const byText = new Map<string, ChartAccount[]>();
  const put = (key: string, account: ChartAccount) => {
    const known = byText.get(key) ?? [];
    if (!known.includes(account)) byText.set(key, [...known, account]);
  };
  for (const account of accounts) {
    put(account.code, account);
    if (account.reduced !== '') put(account.reduced, account);
    put(digitsOnly(account.code), account);
  }
  return (text) => {
    const [code] = text.split(/\s+/);
    const found = byText.get(text) ?? byText.get(code!) ?? byText.get(digitsOnly(code!)) ?? [];
    const exact = found.filter((account) => account.code === code);
    const [account, ...others] = exact.length === 1 ? exact : found;
    if (account === undefined) return 'Conta não encontrada.';
    if (others.length > 0) return 'Mais de uma conta.';
    return account.type === 'A' ? account : 'Conta sintética.';
  };
}
