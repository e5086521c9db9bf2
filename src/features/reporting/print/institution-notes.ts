import { balanceOf, sideOf } from '../../../accounting/balance.ts';
import type { Residue } from '../../../accounting/eliminations.ts';
import { decimalOf, magnitudeOf } from '../../../accounting/money.ts';
import { brazilian } from '../../../platform/render/rows.ts';
import type { ShownFigures } from '../statements/statement-source.ts';

/** What the reader of an institution's paper must know: dealings between branches that did not cancel, and who is not in it. */
export function institutionNotes({ entity, residues = [] }: Pick<ShownFigures, 'entity' | 'residues'>): string[] {
  const { institution } = entity;
  if (institution === undefined) return [];
  const { funds } = institution;
  return [
    ...residues.map(residueNote),
    ...(funds.length === 0 ? [] : [`as filiais de fundos não compõem a instituição (${funds.join(', ')})`]),
  ];
}

function residueNote({ pair, movement }: Residue): string {
  const pairOf = `${pair.debit}/${pair.credit}`;
  const balance = balanceOf(movement);
  const left =
    balance !== 0n
      ? `${sided(balance)} no saldo atual`
      : movement.opening !== 0n
        ? `${sided(movement.opening)} no saldo anterior`
        : `débitos de ${inReais(movement.debit)} e créditos de ${inReais(movement.credit)} no período`;
  return `ATENÇÃO: eliminações não casadas ${pairOf}: ${left}`;
}

function sided(amount: bigint): string {
  return `${inReais(magnitudeOf(amount))} ${sideOf(amount)}`;
}

function inReais(amount: bigint): string {
  return `R$ ${brazilian(decimalOf(amount))}`;
}

/** The column of the branches is for the books of an institution. */
export function withoutBranches({ entity }: Pick<ShownFigures, 'entity'>): string[] {
  return entity.institution === undefined ? ['branch'] : [];
}
