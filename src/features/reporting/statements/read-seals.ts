import type { Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type KeptSeal, selectSealsInForce } from '../../closing/seals/seals.read.sql.ts';
import { isOfBranches, type ReportedBooks } from '../../master-data/companies/institution.ts';

/** A seal as papers name it. */
export type SealInForce = Pick<KeptSeal, 'year' | 'month' | 'seal'>;

/** Those in force of a branch's closed months, in their order; the institution has none of its own. */
export async function readSeals(sql: Sql, books: ReportedBooks, from: Month, to: Month): Promise<SealInForce[]> {
  return isOfBranches(books) ? [] : selectSealsInForce(sql, books, { from, to });
}
