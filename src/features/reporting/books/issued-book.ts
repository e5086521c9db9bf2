import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { brazilianDate, type Day } from '../../../accounting/period.ts';
import type { ReportedTenant } from '../../access/access.ts';

/** The books that the law binds, as the wire and the register call them. */
export type BookKind = 'JOURNAL' | 'LEDGER' | 'TRIAL_BALANCES';

export const BOOK_NAMES: Readonly<Record<BookKind, string>> = {
  JOURNAL: 'Livro Diário',
  LEDGER: 'Livro Razão',
  TRIAL_BALANCES: 'Livro Balancetes Diários e Balanços',
};

/** Whose books they are; `branchId` null: the institution's, of all branches. */
export interface BookOwner {
  readonly companyId: CompanyId;
  readonly branchId: BranchId | null;
}

/** Whose books a report binds. */
export function ownerOf({ companyId, branchId }: ReportedTenant): BookOwner {
  return { companyId, branchId: branchId ?? null };
}

/** A volume as it was bound: a book of its own number. */
export interface BoundVolume {
  readonly number: number;
  readonly folhas: number;
  readonly firstFolha: number;
  readonly from: Day;
  readonly to: Day;
}

/** A report that is bound with a book before its last closing term, by the kind of its request. */
export interface BoundAnnex {
  readonly kind: string;
  readonly folhas: number;
}

/** 'Livro Diário nº 7 (01/01/2026 a 30/06/2026)' */
export function bookInWords(book: {
  readonly kind: BookKind;
  readonly firstNumber: number;
  readonly lastNumber: number;
  readonly from: Day;
  readonly to: Day;
}): string {
  const { kind, firstNumber, lastNumber, from, to } = book;
  const number = firstNumber === lastNumber ? `nº ${firstNumber}` : `nº ${firstNumber} a ${lastNumber}`;
  return `${BOOK_NAMES[kind]} ${number} (${brazilianDate(from)} a ${brazilianDate(to)})`;
}
