import type { Bank } from './banks.ts';

/** What differs between the books and the entries that somebody was told are saved. */
export interface Harm {
  readonly lost: number;
  readonly twice: number;
  readonly unbalanced: number;
  readonly other: readonly string[];
}

interface Owner {
  // biome-ignore lint/suspicious/noExplicitAny: rows are read by who asks
  query(text: string, values: readonly unknown[]): Promise<{ rows: any[] }>;
}

interface Line {
  readonly key: string;
  readonly entry: string;
  readonly side: string;
  readonly amount: string;
}

/** Of entries that have their key as narration; `sent` has key and amount of the acknowledged ones. */
export async function harmTo(
  owner: Owner,
  bank: Pick<Bank, 'branchId'>,
  sent: ReadonlyMap<string, string>,
): Promise<Harm> {
  const { rows: lines }: { rows: Line[] } = await owner.query(
    `SELECT entry_line.narration AS key, entry_line.document_id || '/' || entry_line.entry_number AS entry,
            entry_line.side::text, entry_line.amount::text
       FROM entry_line WHERE entry_line.branch_id = $1`,
    [bank.branchId],
  );
  const entries = [...Map.groupBy(lines, ({ entry }) => entry).values()];
  const total = (entry: Line[], side: string) =>
    entry.filter((line) => line.side === side).reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n);
  const perKey = Map.groupBy(entries, ([line]) => line!.key);
  const keys = [...sent.keys()];
  const other = [...perKey.keys()].filter((key) => !sent.has(key)).map((key) => `${key} was never sent`);
  for (const [key, amount] of sent) {
    const [entry] = perKey.get(key) ?? [];
    if (entry?.some((line) => line.amount !== amount)) other.push(`${key} has another amount than ${amount}`);
  }
  return {
    lost: keys.filter((key) => !perKey.has(key)).length,
    twice: keys.filter((key) => (perKey.get(key)?.length ?? 0) > 1).length,
    unbalanced: entries.filter((entry) => total(entry, 'D') !== total(entry, 'C')).length,
    other,
  };
}
