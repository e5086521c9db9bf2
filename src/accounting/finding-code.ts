/** What the closing checklist looks for, in the order in which a month is closed (domain: closing checklist, 1). */
export const FINDING_CODES = [
  'MONTH_OPEN',
  'DAYS_OPEN',
  'UNBALANCED_DOCUMENTS',
  'BOOKS_DIFFER',
  'IMPORTS_WITH_ERRORS',
  'INVERTED_BALANCES',
  'MEMORANDUM_DIFFERENCE',
  'CLOSURE_SETTINGS_MISSING',
  'STALE_QUOTAS',
  'TEMPLATES_PENDING',
  'DRAFTS_WAITING',
  'RULES_FAILED',
  'CONSOLIDATED',
  'SEALED',
  'BOOKS_ISSUED',
] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

/**
 * Findings that may stop a month close. The others cannot: rules look at closed months only, a quota stays stale until
 * its month is closed again, and the rest is the close itself and its seal.
 */
export const BLOCKING_CODES = [
  'DAYS_OPEN',
  'UNBALANCED_DOCUMENTS',
  'BOOKS_DIFFER',
  'IMPORTS_WITH_ERRORS',
  'INVERTED_BALANCES',
  'MEMORANDUM_DIFFERENCE',
  'CLOSURE_SETTINGS_MISSING',
  'TEMPLATES_PENDING',
  'DRAFTS_WAITING',
] as const satisfies readonly FindingCode[];
export type BlockingCode = (typeof BLOCKING_CODES)[number];

/**
 * Those that stop every month close, whatever the branch has chosen: no balance could be computed from lines that do not
 * balance, and what waits for a second person would come too late (domain: four eyes, 7).
 */
export const ALWAYS_BLOCKING: readonly BlockingCode[] = ['UNBALANCED_DOCUMENTS', 'DRAFTS_WAITING'];
