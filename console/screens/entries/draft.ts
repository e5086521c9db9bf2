import { otherSide, type Side } from '../../../src/accounting/entry.ts';
import { type Centavos, decimalOf, MAX_ENTRY_AMOUNT } from '../../../src/accounting/money.ts';
import { dayIn, type Month } from '../../../src/accounting/period.ts';
import { amountFromTyped, amountText } from '../../ui/format.ts';
import { dayNumberText } from '../../ui/typed-field.tsx';
import type { Entry } from './entries-data.ts';

// The row being typed: what it holds, what its cells are, and what it says to the server.

/** One debit or credit as it is typed. */
export interface DraftLine {
  /** Stays while lines come and go around it. */
  readonly id: number;
  readonly side: Side;
  readonly accountId: number | undefined;
  readonly amount: string;
  /** A text of its own, kept while an entry is changed; undefined: the entry's. */
  readonly narration?: string | undefined;
}

export interface Draft {
  /** The Idempotency-Key of the row: however often it is sent, it is posted once. */
  readonly key: string;
  /** The entry that it replaces, as it was read. */
  readonly replaces: Entry | undefined;
  readonly day: string;
  readonly code: string;
  readonly narration: string;
  readonly factDay: string | undefined;
  /** One line and its counterpart, or several lines. */
  readonly lines: readonly DraftLine[];
  readonly offsetId: number | undefined;
}

/** 'day', 'side.0', 'account.1', 'offset' …: what the keys walk through, and what problems name. */
export type CellName = string;

let lastLineId = 0;

export function emptyLine(side: Side = 'D', amount = ''): DraftLine {
  return { id: ++lastLineId, side, accountId: undefined, amount };
}

/** A row that was kept over a reload: lines typed after it have ids of their own. */
export function reopenedDraft(draft: Draft): Draft {
  return { ...draft, lines: draft.lines.map((line) => ({ ...line, id: ++lastLineId })) };
}

/** A new row; day and side stay as they were. */
export function newDraft(before?: Draft): Draft {
  return {
    key: crypto.randomUUID(),
    replaces: undefined,
    day: before?.day ?? '',
    code: '',
    narration: '',
    factDay: undefined,
    lines: [emptyLine(before?.lines[0]?.side)],
    offsetId: undefined,
  };
}

/** Nothing was typed that would be missed. */
export function isPristine({ lines, offsetId, code, narration, replaces }: Draft): boolean {
  const [line] = lines;
  return (
    replaces === undefined &&
    lines.length === 1 &&
    line!.accountId === undefined &&
    line!.amount === '' &&
    offsetId === undefined &&
    code === '' &&
    narration === ''
  );
}

export function isCompound({ lines }: Draft): boolean {
  return lines.length > 1;
}

export function cellsOf(draft: Draft): readonly CellName[] {
  const [, ...more] = draft.lines;
  return [
    'day',
    'side.0',
    'account.0',
    ...(isCompound(draft) ? [] : ['offset']),
    'code',
    'narration',
    'amount.0',
    ...more.flatMap((_, at) => [`side.${at + 1}`, `account.${at + 1}`, `amount.${at + 1}`]),
  ];
}

/** '1.250,00+310,40-10': what a column of figures adds up to. */
export function sumOfTyped(text: string): Centavos | undefined {
  const parts = text.replace(/\s/g, '').match(/^-?[^+-]*|[+-][^+-]*/g) ?? [];
  let sum = 0n;
  for (const part of parts) {
    const bare = part.replace(/^[+-]/, '');
    // The sign was typed, its figure is still to come.
    if (bare === '' && parts.length > 1) continue;
    const amount = amountFromTyped(bare);
    if (amount === undefined) return undefined;
    sum += part.startsWith('-') ? -amount : amount;
  }
  return parts.length === 0 || text.trim() === '' ? undefined : sum;
}

/** Debits less credits of what is typed so far. */
export function differenceOf(draft: Draft): Centavos {
  if (!isCompound(draft)) return 0n;
  return draft.lines.reduce((sum, { side, amount }) => {
    const value = sumOfTyped(amount) ?? 0n;
    return side === 'D' ? sum + value : sum - value;
  }, 0n);
}

/** The amounts as they are read: '1.000+650' is '1.650,00'. */
export function withReadAmounts(draft: Draft): Draft {
  const lines = draft.lines.map((line) => {
    const sum = sumOfTyped(line.amount);
    return sum === undefined || sum <= 0n ? line : { ...line, amount: amountText(sum) };
  });
  return { ...draft, lines };
}

/** One more line, on the side that is short and with what it is short of; first, a counterpart becomes a line itself. */
export function withAnotherLine(draft: Draft): Draft {
  const [first] = draft.lines;
  const side = otherSide(first!.side);
  if (draft.offsetId !== undefined) {
    const sum = sumOfTyped(first!.amount);
    const offset = { ...emptyLine(side, sum === undefined ? '' : amountText(sum)), accountId: draft.offsetId };
    return { ...draft, lines: [...draft.lines, offset], offsetId: undefined };
  }
  const difference = differenceOf({ ...draft, lines: [...draft.lines, emptyLine()] });
  const line = difference === 0n ? emptyLine(side) : emptyLine(difference > 0n ? 'C' : 'D', amountText(difference));
  return { ...draft, lines: [...draft.lines, line] };
}

/** Without a line; the last of two is the counterpart again. */
export function withoutLine(draft: Draft, at: number): Draft {
  const lines = draft.lines.filter((_, index) => index !== at);
  const [, second] = draft.lines;
  return lines.length === 1 && at === 1 ? { ...draft, lines, offsetId: second!.accountId } : { ...draft, lines };
}

/** What is missing or cannot be read, cell by cell: found before anything is sent. */
export function problemsInDraft(draft: Draft, month: Month, closedDays: ReadonlySet<string>): Record<CellName, string> {
  const problems: Record<CellName, string> = {};
  const day = /^\d{1,2}$/.test(draft.day.trim()) ? dayIn(month, Number(draft.day)) : undefined;
  if (day === undefined) problems.day = draft.day.trim() === '' ? 'Falta o dia.' : 'O mês não tem este dia.';
  else if (closedDays.has(day)) problems.day = `O dia ${draft.day} está fechado.`;
  draft.lines.forEach(({ accountId, amount }, at) => {
    if (accountId === undefined) problems[`account.${at}`] = 'Falta a conta.';
    const value = sumOfTyped(amount);
    if (value === undefined) {
      problems[`amount.${at}`] = amount.trim() === '' ? 'Falta o valor.' : 'Escreva um valor como 1.234,56.';
    } else if (value <= 0n) problems[`amount.${at}`] = 'O valor deve ser maior que zero.';
    else if (value > MAX_ENTRY_AMOUNT) problems[`amount.${at}`] = 'O valor é grande demais.';
  });
  if (!isCompound(draft)) {
    if (draft.offsetId === undefined) problems.offset = 'Falta a contrapartida.';
    else if (draft.offsetId === draft.lines[0]!.accountId) problems.offset = 'Deve ser diferente da conta.';
  } else if (Object.keys(problems).length === 0) {
    const difference = differenceOf(draft);
    if (difference !== 0n) {
      problems[`amount.${draft.lines.length - 1}`] =
        `Faltam ${amountText(difference)} a ${difference > 0n ? 'crédito' : 'débito'}.`;
    }
  }
  return problems;
}

/** The entry as the server takes it; the row must be without problems. */
export function bodyOf(draft: Draft) {
  const [first] = draft.lines;
  const valorOf = (amount: string) => decimalOf(sumOfTyped(amount) ?? 0n);
  const lines = isCompound(draft)
    ? draft.lines
    : [first!, { ...first!, side: otherSide(first!.side), accountId: draft.offsetId }];
  return {
    day: draft.day.trim().padStart(2, '0'),
    historico: draft.narration.trim() || null,
    cdhistorico: draft.code || null,
    ...(draft.factDay === undefined ? {} : { dataFato: draft.factDay }),
    ...(draft.replaces === undefined ? {} : { updatedAt: draft.replaces.updatedAt }),
    partidas: lines.map(({ side, accountId, amount, narration }) => ({
      debcre: side,
      contaId: accountId!,
      valor: valorOf(amount),
      historico: narration ?? null,
    })),
  };
}

/** The server's fields as cells of the row; what has no cell is under ''. */
export function problemsByCell(draft: Draft, problems: Readonly<Record<string, string>>): Record<CellName, string> {
  return Object.fromEntries(Object.entries(problems).map(([field, message]) => [cellOfField(draft, field), message]));
}

function cellOfField(draft: Draft, field: string): CellName {
  const [, index, name] = /^partidas\.(\d+)\.(\w+)$/.exec(field) ?? [];
  if (index !== undefined) {
    if (name === 'historico') return 'narration';
    const cell = name === 'contaId' ? 'account' : 'amount';
    if (isCompound(draft)) return `${cell}.${index}`;
    return cell === 'account' && index === '1' ? 'offset' : `${cell}.0`;
  }
  const cells: Record<string, CellName> = { day: 'day', cdhistorico: 'code', historico: 'narration' };
  if (field === 'partidas') return `amount.${draft.lines.length - 1}`;
  return cells[field] ?? '';
}

/** An entry of the books as a row: a copy of it, or the entry itself to be changed. */
export function draftOf(entry: Entry, purpose: 'copy' | 'change'): Draft {
  const [first, second] = entry.lines;
  const isPair = entry.offset !== undefined;
  const lines = (isPair ? [first!] : entry.lines).map(({ side, accountId, amount, narration }): DraftLine => {
    const own = narration !== entry.narration ? { narration: narration ?? undefined } : {};
    return { ...emptyLine(side, amountText(amount)), accountId, ...own };
  });
  return {
    key: crypto.randomUUID(),
    replaces: purpose === 'change' ? entry : undefined,
    day: dayNumberText(entry.day),
    code: entry.code ?? '',
    narration: entry.narration ?? '',
    factDay: entry.factDay,
    lines,
    offsetId: isPair ? second!.accountId : undefined,
  };
}
