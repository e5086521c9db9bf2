/** What the closing checklist looks for, in the order in which a month is closed (domain: closing checklist, 1). */
export const FINDING_CODES = [
  'MONTH_OPEN',
  'DAYS_OPEN',
  'UNBALANCED_DOCUMENTS',
  'IMPORTS_WITH_ERRORS',
  'INVERTED_BALANCES',
  'MEMORANDUM_DIFFERENCE',
  'CLOSURE_SETTINGS_MISSING',
  'STALE_QUOTAS',
  'TEMPLATES_PENDING',
  'RULES_FAILED',
  'CONSOLIDATED',
  'BOOKS_ISSUED',
] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

/**
 * Findings that may stop a month close. The others cannot: rules look at closed months only, a quota stays stale until
 * its month is closed again, and the rest is the close itself.
 */
export const BLOCKING_CODES = [
  'DAYS_OPEN',
  'UNBALANCED_DOCUMENTS',
  'IMPORTS_WITH_ERRORS',
  'INVERTED_BALANCES',
  'MEMORANDUM_DIFFERENCE',
  'CLOSURE_SETTINGS_MISSING',
  'TEMPLATES_PENDING',
] as const satisfies readonly FindingCode[];
export type BlockingCode = (typeof BLOCKING_CODES)[number];
