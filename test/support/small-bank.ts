import { addMovements, type Movement, type Nature, NO_MOVEMENT } from '../../src/accounting/balance.ts';
import { type AccountId, asId } from '../../src/accounting/ids.ts';
import { sectionsOf } from '../../src/accounting/statement-section.ts';
import type { StatementAccount } from '../../src/accounting/statements/statement.ts';

// The books of the unit tests, written as data: a month of a small bank. Its revenue has been closed, its expense not.

/** In centavos; closing entries moved one side only. */
export function movement(opening: bigint, debit = 0n, credit = 0n, closing = 0n): Movement {
  const [closingDebit, closingCredit] = closing > 0n ? [closing, 0n] : [0n, -closing];
  return { opening, debit, credit, closing, closingDebit, closingCredit };
}

type Leaf = readonly [code: string, accountClass: string, normalBalance: Nature, movement?: Movement];

const LEAVES: readonly Leaf[] = [
  ['1.1', '01', 'D', movement(900_00n, 250_00n, 150_00n)],
  ['1.2', '01', 'D', movement(100_00n)],
  ['1.3', '01', 'D'],
  ['2.1', '02', 'C', movement(-300_00n, 50_00n)],
  ['3.1', '03', 'C', movement(-700_00n, 0n, 0n, -200_00n)],
  ['5.1', '05', 'D', movement(40_00n)],
  ['7.1', '04', 'C', movement(0n, 0n, 200_00n, 200_00n)],
  ['8.1', '04', 'D', movement(0n, 50_00n)],
  ['9.1', '05', 'C', movement(-40_00n)],
];

const accounts: StatementAccount[] = [];
const movements = new Map<AccountId, Movement>();
for (const [code, accountClass, normalBalance, moved] of LEAVES) {
  const group = code.slice(0, 1);
  const ofGroup = {
    accountClass,
    normalBalance,
    description: group,
    code: group,
    type: 'S',
    level: 1,
    parentId: null,
  } as const;
  const parent = accounts.find((account) => account.code === group) ?? {
    ...ofGroup,
    id: asId<AccountId>(accounts.length + 1),
  };
  if (!accounts.includes(parent)) accounts.push(parent);
  const id = asId<AccountId>(accounts.length + 1);
  accounts.push({ id, parentId: parent.id, code, description: code, type: 'A', level: 2, accountClass, normalBalance });
  if (moved === undefined) continue;
  movements.set(id, moved);
  movements.set(parent.id, addMovements(movements.get(parent.id) ?? NO_MOVEMENT, moved));
}

export const SMALL_BANK = { accounts, movements, sectionOf: sectionsOf(accounts) };

export function idOf(code: string): AccountId {
  return accounts.find((account) => account.code === code)!.id;
}

export function codesOf(rows: readonly { readonly account: { readonly code: string } }[]): string {
  return rows.map(({ account }) => account.code).join(' ');
}
