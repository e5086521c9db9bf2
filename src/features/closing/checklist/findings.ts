import type { FindingCode } from '../../../accounting/finding-code.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { selectMissingClosures } from '../month-close/missing-closure.ts';
import { proveEntries } from '../month-close/prove-entries.read.sql.ts';
import type { ChecklistBranch } from './checklist-branches.read.sql.ts';
import {
  type ChecklistPlace,
  type Found,
  selectBalanceFindings,
  selectBookDifferences,
  selectFailedImports,
  selectFailedRules,
  selectMissingBooks,
  selectOpenDays,
  selectPendingTemplates,
  selectSealedMonths,
  selectStaleQuotas,
  selectUnbalancedDocuments,
  selectWaitingDrafts,
} from './findings.read.sql.ts';

/** Reads findings of all branches at once, however many; of its codes, a branch without a row has none. */
export type Finder = (sql: Sql, place: ChecklistPlace) => Promise<Found[]>;

/** How each finding is read; those of the balances together. */
export const FINDERS: Readonly<Record<Exclude<FindingCode, 'MONTH_OPEN' | 'CONSOLIDATED'>, Finder>> = {
  DAYS_OPEN: selectOpenDays,
  UNBALANCED_DOCUMENTS: findUnbalancedDocuments,
  BOOKS_DIFFER: selectBookDifferences,
  IMPORTS_WITH_ERRORS: selectFailedImports,
  INVERTED_BALANCES: selectBalanceFindings,
  MEMORANDUM_DIFFERENCE: selectBalanceFindings,
  CLOSURE_SETTINGS_MISSING: findMissingClosures,
  STALE_QUOTAS: selectStaleQuotas,
  TEMPLATES_PENDING: selectPendingTemplates,
  DRAFTS_WAITING: selectWaitingDrafts,
  RULES_FAILED: selectFailedRules,
  SEALED: selectSealedMonths,
  BOOKS_ISSUED: selectMissingBooks,
};

/** What the state of the month itself says, before anything is read. */
export function findingsOfMonth({ branchId, monthState }: Pick<ChecklistBranch, 'branchId' | 'monthState'>): Found[] {
  const isOpened = monthState !== 'NOT_OPENED';
  const isClosed = monthState === 'CLOSED';
  return [
    { code: 'MONTH_OPEN', branchId, count: isOpened ? 0 : 1, items: [] },
    { code: 'CONSOLIDATED', branchId, count: isClosed ? 0 : 1, items: [] },
  ];
}

/** Every branch is proved by one number; only where that fails are its entries grouped. */
async function findUnbalancedDocuments(sql: Sql, place: ChecklistPlace): Promise<Found[]> {
  const proofs = await proveEntries(sql, place.companyId, place.branchIds, place.month);
  const branchIds = proofs.filter(({ balanced }) => !balanced).map(({ branchId }) => branchId);
  return branchIds.length === 0 ? [] : selectUnbalancedDocuments(sql, { ...place, branchIds });
}

async function findMissingClosures(sql: Sql, { companyId, branchIds, month }: ChecklistPlace): Promise<Found[]> {
  const missing = await selectMissingClosures(sql, companyId, branchIds, month);
  return missing.map((branchId) => ({ code: 'CLOSURE_SETTINGS_MISSING', branchId, count: 1, items: [] }));
}
