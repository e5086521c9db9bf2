import { type AccountMask, prefixMatches } from './account-code.ts';
import { addMovements, balanceOf, isNoMovement, type Movement, NO_MOVEMENT } from './balance.ts';
import { type AccountId, asId } from './ids.ts';
import type { Centavos } from './money.ts';
import { type Problem, problem } from './problem.ts';
import type { StatementAccount } from './statements/statement.ts';

/** Prefixes of the accounts by which branches owe one another: what one side claims, the other owes. */
export interface EliminationPair {
  readonly debit: string;
  readonly credit: string;
}

/** What the central bank's chart has for dealings between branches. */
const COSIF_PAIRS: readonly EliminationPair[] = [{ debit: '1.5', credit: '4.5' }];

/** The pairs that hold where a branch's options name none. */
export function defaultPairs(regulatoryLayout: string): readonly EliminationPair[] {
  return regulatoryLayout === 'COSIF' ? COSIF_PAIRS : [];
}

/** An account lies on one side of one pair at most. */
export function pairProblems(
  pairs: readonly EliminationPair[],
  masks: readonly AccountMask[],
  path: string,
): Problem[] {
  const sides = pairs.flatMap(({ debit, credit }) => [debit, credit]);
  return sides.flatMap((prefix, at) =>
    sides
      .slice(0, at)
      .filter((other) => prefixMatches(other, prefix, masks) || prefixMatches(prefix, other, masks))
      .map((other) => problem('ELIMINATION_PREFIXES_OVERLAP', { prefix, other }, path)),
  );
}

/** What a pair leaves: its two sides together, where debits of one cancel credits of the other. */
export interface Residue {
  readonly pair: EliminationPair;
  readonly movement: Movement;
}

type EliminatedAccount = StatementAccount & { readonly shortCode: string };

interface PreparedPair {
  readonly pair: EliminationPair;
  readonly debit: readonly AccountId[];
  readonly credit: readonly AccountId[];
  /** Ids of the lines of what is left, by the side that keeps it. */
  readonly residueLine: { readonly debit: AccountId; readonly credit: AccountId };
}

/**
 * Takes the dealings between branches out of their summed balances. All accounts of both sides of a pair are emptied,
 * and what does not cancel stands on a line of its own under the prefix of the side that its balance is on; the
 * accounts above are summed anew. So debits still equal credits, and a summary account is still the sum of those below.
 */
export class Eliminations<Account extends EliminatedAccount> {
  /** The chart with the lines of what is left, each after the accounts of its prefix. */
  readonly accounts: readonly Account[];
  readonly #pairs: readonly PreparedPair[];
  readonly #parents: ReadonlyMap<number, number | null>;

  /** `chart` in its order. */
  constructor(chart: readonly Account[], pairs: readonly EliminationPair[], masks: readonly AccountMask[]) {
    const lines = new Map<number, Account[]>();
    this.#pairs = pairs.flatMap((pair, at) => {
      const below = (prefix: string) => chart.filter(({ code }) => prefixMatches(prefix, code, masks));
      const sides = { debit: below(pair.debit), credit: below(pair.credit) };
      const anchors = { debit: sides.debit.length > 0 ? sides.debit : sides.credit, credit: sides.credit };
      if (anchors.debit.length === 0) return [];
      if (anchors.credit.length === 0) anchors.credit = anchors.debit;
      const residueLine = { debit: asId<AccountId>(-2 * at - 1), credit: asId<AccountId>(-2 * at - 2) };
      for (const side of ['debit', 'credit'] as const) {
        const after = anchors[side].at(-1)!.id;
        const line = lineOf(pair, anchors[side][0]!, residueLine[side]);
        lines.set(after, [...(lines.get(after) ?? []), line]);
      }
      return { pair, debit: postingIds(sides.debit), credit: postingIds(sides.credit), residueLine };
    });
    this.accounts = lines.size === 0 ? chart : chart.flatMap((account) => [account, ...(lines.get(account.id) ?? [])]);
    this.#parents = new Map(this.accounts.map(({ id, parentId }) => [id, parentId]));
  }

  /** Movements by account id, of summary accounts too. */
  eliminate(movements: ReadonlyMap<number, Movement>): ReadonlyMap<number, Movement> {
    if (this.#pairs.length === 0) return movements;
    const eliminated = new Map(movements);
    for (const { debit, credit, residueLine } of this.#pairs) {
      for (const id of [...debit, ...credit]) {
        const movement = movements.get(id);
        if (movement !== undefined) this.#add(eliminated, id, negate(movement));
      }
      const residue = residueOf(sumMovements(debit, movements), sumMovements(credit, movements));
      if (!isNoMovement(residue)) this.#add(eliminated, residueLine[sideOfResidue(residue)], residue);
    }
    return eliminated;
  }

  /** The same for balances of one moment. */
  eliminateBalances(balances: ReadonlyMap<number, Centavos>): ReadonlyMap<number, Centavos> {
    if (this.#pairs.length === 0) return balances;
    const openings = new Map([...balances].map(([id, opening]) => [id, { ...NO_MOVEMENT, opening }]));
    return new Map([...this.eliminate(openings)].map(([id, { opening }]) => [id, opening]));
  }

  /** What is left on the lines of the pairs in eliminated movements. */
  residuesIn(eliminated: ReadonlyMap<number, Movement>): Residue[] {
    return this.#pairs.flatMap(({ pair, residueLine }) => {
      const movement = eliminated.get(residueLine.debit) ?? eliminated.get(residueLine.credit);
      return movement === undefined ? [] : { pair, movement };
    });
  }

  /** To the account and all above it; an account that is empty then has no movement. */
  #add(movements: Map<number, Movement>, id: number, movement: Movement): void {
    for (let each: number | null | undefined = id; each != null; each = this.#parents.get(each)) {
      const sum = addMovements(movements.get(each) ?? NO_MOVEMENT, movement);
      if (isNoMovement(sum)) movements.delete(each);
      else movements.set(each, sum);
    }
  }
}

function lineOf<Account extends EliminatedAccount>(pair: EliminationPair, anchor: Account, id: AccountId): Account {
  const isSummary = anchor.type === 'S';
  return {
    ...anchor,
    id,
    parentId: isSummary ? anchor.id : anchor.parentId,
    shortCode: '',
    description: `Eliminações não casadas ${pair.debit}/${pair.credit}`,
    type: 'A',
    level: isSummary ? anchor.level + 1 : anchor.level,
  };
}

function postingIds(accounts: readonly EliminatedAccount[]): AccountId[] {
  return accounts.filter(({ type }) => type === 'A').map(({ id }) => id);
}

function sumMovements(ids: readonly number[], movements: ReadonlyMap<number, Movement>): Movement {
  return ids.map((id) => movements.get(id) ?? NO_MOVEMENT).reduce(addMovements, NO_MOVEMENT);
}

/** Debits of one side cancel credits of the other, those of closing entries among themselves. */
function residueOf(debit: Movement, credit: Movement): Movement {
  const both = addMovements(debit, credit);
  const cancelled = least(debit.debit, credit.credit) + least(debit.credit, credit.debit);
  const closing = least(debit.closingDebit, credit.closingCredit) + least(debit.closingCredit, credit.closingDebit);
  return {
    ...both,
    debit: both.debit - cancelled,
    credit: both.credit - cancelled,
    closingDebit: both.closingDebit - closing,
    closingCredit: both.closingCredit - closing,
  };
}

function least(a: Centavos, b: Centavos): Centavos {
  return a < b ? a : b;
}

/** The side of its balance at the end of the period, else of that at the start. */
function sideOfResidue(residue: Movement): 'debit' | 'credit' {
  return (balanceOf(residue) || residue.opening) < 0n ? 'credit' : 'debit';
}

function negate(movement: Movement): Movement {
  const { opening, debit, credit, closing, closingDebit, closingCredit } = movement;
  return {
    opening: -opening,
    debit: -debit,
    credit: -credit,
    closing: -closing,
    closingDebit: -closingDebit,
    closingCredit: -closingCredit,
  };
}
