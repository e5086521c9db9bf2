import type { Rows, TableRow } from '../../src/platform/render/rows.ts';

const CHUNK = 500;

/** Rows such as a trial balance has: a code, a name of common length, five amounts; the same for the same number. */
export async function* trialBalanceRows(count: number): Rows {
  for (let from = 0; from < count; from += CHUNK) {
    yield Array.from({ length: Math.min(CHUNK, count - from) }, (_, at) => rowOf(from + at));
  }
}

function rowOf(index: number): TableRow {
  const amount = (factor: number) => `${(index * factor) % 90_000_000}.${String(index % 100).padStart(2, '0')}`;
  return {
    kind: 'detail',
    level: 1 + (index % 5),
    cells: {
      account: `1.${index % 9}.${index % 7}.${String(index % 99).padStart(2, '0')}.${String(index % 97).padStart(2, '0')}-${index % 10}`,
      reduced: String(index),
      level: String(1 + (index % 5)),
      name: `Conta ${index} com um nome de tamanho comum`,
      opening: amount(7_919),
      debit: amount(104_729),
      credit: amount(1_299_709),
      closing: '0.00',
      balance: `-${amount(15_485_863)}`,
    },
  };
}
