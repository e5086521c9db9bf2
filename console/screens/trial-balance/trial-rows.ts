import type { Centavos } from '../../../src/accounting/money.ts';
import { fold } from '../../ui/format.ts';

/** An account of the chart, as far as a row shows it. */
interface ShownAccount {
  readonly id: number;
  readonly code: string;
  readonly reduced: string;
  readonly name: string;
  readonly type: 'S' | 'A';
  readonly level: number;
}

/** What a month has of an account, debit-positive. */
interface MonthOfAccount extends Omit<ShownAccount, 'id'> {
  /** null: what the eliminations of an institution leave. */
  readonly id: number | null;
  readonly opening: Centavos;
  readonly debit: Centavos;
  readonly credit: Centavos;
  readonly closing: Centavos;
  readonly balance: Centavos;
}

/** A row of the trial balance. */
export interface TrialRow extends MonthOfAccount {
  readonly key: string;
  /** At the end of the month compared with. */
  readonly compared: Centavos;
}

const NOTHING = { opening: 0n, debit: 0n, credit: 0n, closing: 0n, balance: 0n };

/**
 * The balances of a month beside those of another, in the order of the chart. An account that only the other month has
 * has its row too, and with `everything` each account of the chart. The chart is needed for these alone.
 */
export function trialRows(
  now: readonly MonthOfAccount[],
  other: readonly MonthOfAccount[] | undefined,
  chart: readonly ShownAccount[] | undefined,
  everything: boolean,
): readonly TrialRow[] {
  const before = new Map(other?.map((row) => [keyOf(row), row]));
  const rows = now.map((row) => rowOf(row, before.get(keyOf(row))?.balance ?? 0n));
  if (chart === undefined || (other === undefined && !everything)) return rows;
  const present = new Map(rows.map((row) => [row.key, row]));
  const leftovers = leftoversAfter(rows);
  return chart.flatMap((account) => {
    const key = String(account.id);
    const compared = before.get(key)?.balance;
    const isAbsent = !present.has(key) && compared === undefined && !everything;
    const row = present.get(key) ?? rowOf({ ...account, ...NOTHING }, compared ?? 0n);
    return [...(isAbsent ? [] : [row]), ...(leftovers.get(key) ?? [])];
  });
}

/** Lines that are no accounts, by the row that they come after. */
function leftoversAfter(rows: readonly TrialRow[]): ReadonlyMap<string, TrialRow[]> {
  const after = new Map<string, TrialRow[]>();
  let last = '';
  for (const row of rows) {
    if (row.id === null) after.set(last, [...(after.get(last) ?? []), row]);
    else last = row.key;
  }
  return after;
}

function rowOf(row: MonthOfAccount, compared: Centavos): TrialRow {
  const { id, code, reduced, name, type, level, opening, debit, credit, closing, balance } = row;
  const key = keyOf(row);
  return { key, id, code, reduced, name, type, level, opening, debit, credit, closing, balance, compared };
}

function keyOf({ id, code, reduced }: Pick<MonthOfAccount, 'id' | 'code' | 'reduced'>): string {
  return id === null ? `${code} ${reduced}` : String(id);
}

/** The rows whose code or name fits the text, and all those above them. */
export function filterRows(rows: readonly TrialRow[], text: string): readonly TrialRow[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  const kept = new Set<TrialRow>();
  const above: TrialRow[] = [];
  for (const row of rows) {
    while (above.length > 0 && above.at(-1)!.level >= row.level) above.pop();
    const shown = fold(`${row.code} ${row.reduced} ${row.name}`);
    if (words.every((word) => shown.includes(word))) for (const each of [...above, row]) kept.add(each);
    above.push(row);
  }
  return rows.filter((row) => kept.has(row));
}

/** What debits of the posting accounts exceed credits by: nothing in books that balance. */
export function differenceOf(rows: readonly Pick<TrialRow, 'type' | 'debit' | 'credit' | 'closing'>[]): Centavos {
  return rows.reduce((sum, row) => (row.type === 'A' ? sum + row.debit - row.credit + row.closing : sum), 0n);
}

/** Keys of the rows above a level: what is open at first. */
export function openTo(rows: readonly TrialRow[], level: number): ReadonlySet<string | number> {
  return new Set(rows.filter((row) => row.type === 'S' && row.level < level).map(({ key }) => key));
}
