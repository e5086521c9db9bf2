import type { AccountClass } from '../../src/accounting/balance.ts';

/** What the first digit of a COSIF or COFI code says about every account of the group. */
export interface CosifGroup {
  readonly group: string;
  readonly name: string;
  readonly accountClass: AccountClass;
  /** The side that increases the group; its contra accounts are on the other. */
  readonly nature: 'D' | 'C';
  /** Where the group is printed: groups 1 + 2 + 3 equal groups 4 + 6 + 7 + 8 + 9. */
  readonly section: 'ATIVO' | 'PASSIVO';
}

/** As the table account_group has them (there is no group 5 today). Names as in the central bank's elenco. */
export const COSIF_GROUPS: readonly CosifGroup[] = [
  { group: '1', name: 'ATIVO REALIZÁVEL', accountClass: '01', nature: 'D', section: 'ATIVO' },
  { group: '2', name: 'ATIVO PERMANENTE', accountClass: '01', nature: 'D', section: 'ATIVO' },
  { group: '3', name: 'COMPENSAÇÃO ATIVA', accountClass: '05', nature: 'D', section: 'ATIVO' },
  { group: '4', name: 'PASSIVO EXIGÍVEL', accountClass: '02', nature: 'C', section: 'PASSIVO' },
  { group: '6', name: 'PATRIMÔNIO LÍQUIDO', accountClass: '03', nature: 'C', section: 'PASSIVO' },
  { group: '7', name: 'RESULTADO CREDOR', accountClass: '04', nature: 'C', section: 'PASSIVO' },
  { group: '8', name: '(-) RESULTADO DEVEDOR', accountClass: '04', nature: 'D', section: 'PASSIVO' },
  { group: '9', name: 'COMPENSAÇÃO PASSIVA', accountClass: '05', nature: 'C', section: 'PASSIVO' },
];

/** The group of a regulatory code, or undefined when no group has its first digit. */
export function cosifGroupOf(code: string): CosifGroup | undefined {
  return COSIF_GROUPS.find(({ group }) => code.startsWith(group));
}
