import { centavosFromDecimal } from '../../../accounting/money.ts';
import { type Day, dayFromIso, dayIn, type Month, slashOf } from '../../../accounting/period.ts';
import { codeForm, isPlainCode, isPlainText } from '../../../accounting/plain-text.ts';
import { lineFindings, type PostingLine } from '../../../accounting/posting.ts';
import { type Problem, problem } from '../../../accounting/problem.ts';
import type { ReadingTools } from './import-movements.ts';
import type { StagedRow } from './staged-row.ts';
import type { FindableAccount } from './staging.sql.ts';

/** Cells of one row as text; an empty text counts as absent. */
export interface Cells {
  readonly document: string;
  readonly entry: string;
  readonly day: string;
  readonly side: string;
  readonly account: string;
  readonly offsetAccount: string;
  /** NUMERIC text, or undefined when the reader could not make sense of it. */
  readonly amount: string | undefined;
  readonly narration: string;
  readonly narrationCode: string;
  /** YYYY-MM-DD */
  readonly factDay: string;
}

/** Wire names of the cells, for messages. */
export type Places = Readonly<Record<keyof Cells, string>>;

const NO_PLAIN_CODE = problem('INVALID_FIELD', {
  reason: 'NO_PLAIN_CODE',
});

const MAX_LENGTH = { document: 20, entry: 10, narration: 500, narrationCode: 5 } as const;

/** Checks one row against the chart and the month; reports everything that is wrong with it, or returns it staged. */
export function stageRow(row: number, cells: Cells, places: Places, tools: ReadingTools): StagedRow | undefined {
  // Places at fault: each is reported with its first reason.
  const faults: string[] = [];
  const wrong = (place: string, found: Problem) => {
    if (!faults.includes(place)) tools.problems.add({ row, place, problem: found });
    faults.push(place);
  };
  for (const field of ['document', 'entry'] as const) {
    if (cells[field] === '') wrong(places[field], problem('MISSING_VALUE'));
  }
  for (const field of ['document', 'entry', 'narration', 'narrationCode'] as const) {
    const found = textProblem(cells[field], MAX_LENGTH[field]);
    if (found) wrong(places[field], found);
  }
  const [document, entry] = [codeForm(cells.document), codeForm(cells.entry)];
  if (!isPlainCode(document)) wrong(places.document, NO_PLAIN_CODE);
  if (!isPlainCode(entry)) wrong(places.entry, NO_PLAIN_CODE);
  const day = dayOf(cells.day, tools.posting.month);
  if (typeof day !== 'string') wrong(places.day, day);
  const factDay = cells.factDay === '' ? null : dayFromIso(cells.factDay);
  if (factDay === undefined) wrong(places.factDay, problem('INVALID_FIELD', { reason: 'NO_SUCH_DAY' }));
  const side = cells.side.toUpperCase();
  if (side !== 'D' && side !== 'C') wrong(places.side, problem('INVALID_FIELD', { reason: 'NOT_D_OR_C' }));
  if (cells.amount === undefined) {
    wrong(
      places.amount,
      problem('INVALID_FIELD', {
        reason: 'NO_AMOUNT',
      }),
    );
  }
  const account = accountOf(cells.account, places.account, tools, wrong);
  const counter =
    cells.offsetAccount === '' ? null : accountOf(cells.offsetAccount, places.offsetAccount, tools, wrong);
  const line: PostingLine = {
    side: side === 'C' ? 'C' : 'D',
    day: typeof day === 'string' ? day : undefined,
    accountId: account?.id,
    offsetAccountId: counter === null ? null : counter?.id,
    amount: cells.amount === undefined ? undefined : centavosFromDecimal(cells.amount),
    narration: cells.narration === '' ? null : cells.narration.normalize('NFC'),
    narrationCode: cells.narrationCode === '' ? null : cells.narrationCode,
    factDay,
  };
  for (const found of lineFindings(line, tools.posting)) {
    // A month is read once, not per line.
    if (found.place !== 'month') wrong(places[found.place], found.problem);
  }
  if (faults.length > 0) {
    tools.problems.addFaultyEntry(document, entry);
    return undefined;
  }
  return {
    row,
    document,
    entry,
    day: line.day!,
    side: line.side,
    accountId: account!.id,
    offsetAccountId: counter?.id ?? null,
    amount: line.amount!,
    decimal: cells.amount!,
    narration: line.narration,
    narrationCode: line.narrationCode,
    factDay: factDay ?? null,
  };
}

/**
 * '1234.5', '1234,50', '1.234,50', '1,234.50', '1.234.567' as NUMERIC text; undefined for anything else. '1,234' alone
 * could be three decimals as well as a thousand and is rejected.
 */
export function amountText(text: string): string | undefined {
  const match = PLAIN.exec(text) ?? GROUPED_BY_POINT.exec(text) ?? GROUPED_BY_COMMA.exec(text);
  const whole = match?.[1]?.replace(/[.,]/g, '');
  return whole === undefined || whole.length > 13 ? undefined : `${whole}.${match?.[2] ?? '0'}`;
}

const PLAIN = /^(\d{1,13})(?:[.,](\d{1,2}))?$/;
const GROUPED_BY_POINT = /^(\d{1,3}(?:\.\d{3}){1,4}(?=,)|\d{1,3}(?:\.\d{3}){2,4}$)(?:,(\d{1,2}))?$/;
const GROUPED_BY_COMMA = /^(\d{1,3}(?:,\d{3}){1,4}(?=\.)|\d{1,3}(?:,\d{3}){2,4}$)(?:\.(\d{1,2}))?$/;

function accountOf(
  text: string,
  place: string,
  tools: ReadingTools,
  wrong: (place: string, found: Problem) => void,
): FindableAccount | undefined {
  const found = text === '' ? problem('MISSING_VALUE') : tools.chart.find(text);
  if (!('params' in found)) return found;
  wrong(place, found);
  return undefined;
}

/** A day of the month by its number, or a whole date as YYYY-MM-DD, which may lie elsewhere. */
function dayOf(text: string, month: Month): Day | Problem {
  const dayNumber = /^\d{1,2}$/.test(text) ? Number(text) : undefined;
  if (dayNumber !== undefined && dayNumber >= 1 && dayNumber <= 31) {
    return dayIn(month, dayNumber) ?? problem('DAY_NOT_IN_MONTH', { day: dayNumber, month: slashOf(month) });
  }
  return dayFromIso(text) ?? problem('INVALID_FIELD', { reason: 'NO_DAY_OF_A_MONTH' });
}

function textProblem(text: string, maximum: number): Problem | undefined {
  if (text.length > maximum) {
    return problem('INVALID_FIELD', { reason: 'TOO_MANY_CHARACTERS', maximum });
  }
  return !isPlainText(text) ? problem('INVALID_FIELD', { reason: 'CONTROL_CHARACTERS' }) : undefined;
}
