import type { FindingCode } from './finding-code.ts';
import type { ApprovalState } from './four-eyes.ts';
import type { RecordRef, UsedRecord } from './record-name.ts';
import type { Bilingual } from './rule-language/bilingual.ts';

/**
 * A reason why the books reject something. `code` is stable and public; `params` are the facts that its text says;
 * `path` is where in the input the fault lies, in domain words (`entry.amount`, `lines[3].account`), where there is
 * such a place. Statuses, texts and wire names are the services': src/http/problem-texts.
 */
export interface Problem {
  readonly code: ProblemCode;
  readonly params: Readonly<Record<string, unknown>>;
  readonly path?: string;
  readonly field?: never;
}

export type ProblemCode = keyof ProblemParams;

/** What `problem` takes: parameters may be left out where the code has none. */
type Words =
  | {
      [Code in ProblemCode]: NoParams extends ProblemParams[Code]
        ? [code: Code, params?: NoParams, path?: string]
        : [code: Code, params: ProblemParams[Code], path?: string];
    }[ProblemCode]
  | [code: BareProblemCode, params?: NoParams, path?: string];

/** Codes that need nothing but themselves. */
export type BareProblemCode = {
  [Code in ProblemCode]: NoParams extends ProblemParams[Code] ? Code : never;
}[ProblemCode];

export function problem(...[code, params = {}, path]: Words): Problem {
  const facts = params as Problem['params'];
  return path === undefined ? { code, params: facts } : { code, params: facts, path };
}

/** Rejected by the books: carries at least one reason. Thrown by use cases, answered by the services. */
export class BusinessError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[] | Problem) {
    const list = Array.isArray(problems) ? (problems as readonly Problem[]) : [problems as Problem];
    super(list.map((each) => `${each.code}${each.path ? ` (${each.path})` : ''}`).join(', '));
    this.name = 'BusinessError';
    this.problems = list;
  }
}

/** Not now: the same request may succeed after so many seconds. */
export class RetryLater extends Error {
  readonly problem: Problem;
  readonly seconds: number;

  constructor(reason: Problem, seconds: number) {
    super(reason.code);
    this.problem = reason;
    this.seconds = seconds;
  }
}

/** Throws a BusinessError when there is any reason for one. */
export function throwIfAny(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new BusinessError(problems);
}

/** Throws a BusinessError with one problem; reads well after `??`. */
export function reject(...words: Words): never {
  throw new BusinessError(problem(...words));
}

type Datum = string | number;

/** An input that a text names: the service that took it says what it calls it. */
export interface Path {
  readonly path: string;
}

type NoParams = Readonly<Record<never, never>>;

type DeliveryState = 'GENERATED' | 'SENT' | 'ACCEPTED' | 'REJECTED' | 'REPLACED';

/** Every code and the facts that it takes. Amounts are plain decimals, months 01/2026, days 05/01/2026. */
export interface ProblemParams {
  // What any request may meet
  INVALID_FIELD: Reason;
  UNKNOWN_FIELD: { readonly name: Datum };
  INVALID_BODY: Reason;
  INVALID_HEADER: Reason;
  INVALID_DATE_RANGE: { readonly from: Datum | Path; readonly to: Datum | Path };
  FIELDS_DIFFER: { readonly one: Path; readonly other: Path };
  ONE_OF_FIELDS: { readonly one: Path; readonly other: Path };
  ID_MISMATCH: NoParams;
  MISSING_VALUE: NoParams;
  CONFIRMATION_REQUIRED: { readonly consequences: readonly Consequence[] };
  NOT_FOUND: RecordRef;
  LIST_TOO_LONG: { readonly limit: number };
  DUPLICATE: RecordRef;
  IN_USE: UsedRecord;
  ROUTE_NOT_FOUND: NoParams;
  OPERATION_REMOVED: { readonly instead: Datum };
  BODY_TOO_LARGE: NoParams;
  UNSUPPORTED_MEDIA_TYPE: NoParams;
  IDEMPOTENCY_KEY_REUSED: NoParams;
  INTERNAL: NoParams;
  BUSY: NoParams;
  DATABASE_UNAVAILABLE: NoParams;

  // Access
  UNAUTHENTICATED: NoParams;
  SESSION_REQUIRED: NoParams;
  CROSS_SITE_REQUEST: NoParams;
  INSECURE_CONNECTION: NoParams;
  BAD_CREDENTIALS: NoParams;
  SIGN_IN_CANCELLED: NoParams;
  COMMON_PASSWORD: NoParams;
  TOO_MANY_ATTEMPTS: NoParams;
  MFA_REQUIRED: NoParams;
  MFA_NOT_ENROLLED: NoParams;
  MFA_ALREADY_ENROLLED: NoParams;
  MFA_NOT_OFFERED: NoParams;
  MFA_OWN_RESET: NoParams;
  IDENTITY_PROVIDER_UNAVAILABLE: NoParams;
  TENANT_DENIED: { readonly company: Datum; readonly branch: Datum };
  ROUTINE_DENIED: { readonly routine: Datum };
  CHART_DENIED: { readonly chart: Datum };
  NO_PERMISSION: NoParams;
  ADMIN_ONLY: NoParams;
  LAST_ADMIN: NoParams;
  NOT_FOR_SERVICE_ACCOUNT: NoParams;
  TOO_MANY_SECRETS: { readonly limit: Datum };
  INVALID_CLIENT: NoParams;
  INVALID_REQUEST: NoParams;
  INVALID_SCOPE: NoParams;
  UNSUPPORTED_GRANT_TYPE: NoParams;

  // Master data
  INVALID_ACCOUNT_CODE: { readonly account: Datum };
  ACCOUNT_NOT_FOUND: { readonly account: Datum };
  ACCOUNT_BREAKS_MASK: { readonly account: Datum; readonly mask: Datum };
  ACCOUNT_HAS_CHILDREN: { readonly account: Datum };
  ACCOUNT_CYCLE: { readonly account: Datum; readonly parent: Datum };
  ACCOUNT_IN_BOOKS: { readonly account: string; readonly fact: 'CODE' | 'CLASS' | 'NATURE' | 'TYPE' | 'PARENT' };
  ACCOUNT_IN_CLOSING_GROUP: { readonly account: Datum; readonly group: Datum };
  PARENT_HAS_ENTRIES: { readonly account: Datum };
  PARENT_NOT_SYNTHETIC: { readonly account: Datum };
  CHART_LOOKS_ALIKE: { readonly chart: Datum; readonly other: Datum };
  CHART_NOT_CONFIGURED: { readonly company: Datum; readonly branch: Datum };
  BRANCH_AMBIGUOUS: { readonly branch: Datum };
  OPTIONS_FROZEN: Reason;
  ELIMINATION_PREFIXES_OVERLAP: { readonly prefix: Datum; readonly other: Datum };
  BASE_BALANCES_FROZEN: NoParams;
  BASE_BALANCES_UNBALANCED: { readonly sum: Datum };
  LOOKUP_UNAVAILABLE: NoParams;
  STATEMENT_LINE_ORPHAN: { readonly line: Datum; readonly parent: Datum };
  STATEMENT_LINE_CYCLE: { readonly line: Datum; readonly parent: Datum };
  STATEMENT_PARENT_NOT_TOTAL: { readonly line: Datum; readonly parent: Datum };
  STATEMENT_ROOTS: {
    readonly statement: Datum;
    readonly roots: 'BP' | 'DRE' | 'DLPA' | 'DMPL';
    readonly lines: string;
  };
  STATEMENT_TOTAL_EMPTY: { readonly line: Datum };
  STATEMENT_TOTAL_WITH_ACCOUNTS: { readonly line: Datum };
  STATEMENT_LINE_WITHOUT_ACCOUNTS: { readonly line: Datum };
  STATEMENT_ACCOUNT_TWICE: { readonly account: Datum; readonly lines: string };
  STATEMENT_ACCOUNT_CLASS: { readonly account: Datum; readonly line: Datum; readonly class: string };
  STATEMENT_SUMMARY_ACCOUNT: { readonly account: Datum };
  STATEMENT_VERSIONS_OVERLAP: { readonly code: Datum; readonly from: Datum };
  STATEMENT_MISSING: { readonly statement: Datum; readonly day: Datum };
  STATEMENT_AMBIGUOUS: { readonly statement: Datum; readonly codes: string };
  EQUITY_FACTS_DIFFER: { readonly column: Datum; readonly difference: Datum };
  STATEMENT_WITHOUT_FACTS: { readonly statement: Datum };
  STATEMENT_NO_ACCOUNTS: { readonly statement: Datum; readonly chart: Datum };

  // Posting, months and their archive
  AMOUNT_NOT_POSITIVE: NoParams;
  ACCOUNT_NOT_IN_CHART: { readonly account: Datum };
  ACCOUNT_SYNTHETIC: { readonly account: Datum };
  ACCOUNT_INACTIVE: { readonly account: Datum };
  ACCOUNT_OUT_OF_VALIDITY: { readonly account: string } & Validity;
  SAME_ACCOUNT: NoParams;
  COUNTER_ACCOUNT_REQUIRED: NoParams;
  HISTORY_REQUIRED: NoParams;
  UNKNOWN_HISTORY: { readonly history: Datum };
  HISTORY_INACTIVE: { readonly history: Datum };
  COMPLEMENT_REQUIRED: { readonly history: Datum };
  ENTRY_ON_TWO_DAYS: { readonly entry: Datum };
  UNBALANCED_ENTRY: { readonly entry: Datum; readonly debits: Datum; readonly credits: Datum };
  UNBALANCED_DOCUMENT: { readonly document: Datum; readonly debits: Datum; readonly credits: Datum };
  MEMORANDUM_MIXED: { readonly entry: Datum };
  ENTRY_CHANGED_SINCE: { readonly entry: Datum; readonly user: Datum };
  COMPOUND_ENTRY: { readonly entry: Datum };
  EXTERNAL_ID_REUSED: { readonly origin: Datum; readonly externalId: Datum };
  TOO_MANY_LINES: { readonly limit: number };
  REVERSED_BEFORE: { readonly entry: Datum };
  MIRRORED: { readonly entry: Datum };
  NOTHING_TO_REVERSE: { readonly use: Datum };
  RELEASE_UNBALANCED: { readonly debits: Datum; readonly credits: Datum };
  MONTH_NOT_OPEN: { readonly month: Datum };
  MONTH_NOT_OPEN_IN_BRANCHES: { readonly month: Datum; readonly branches: Datum };
  MONTH_CONSOLIDATED: { readonly month: Datum };
  MONTH_NOT_NEXT: { readonly month: string; readonly expected: string } & Reopening;
  MONTH_PURGED: { readonly month: Datum };
  MONTH_PURGED_IN_BRANCHES: { readonly month: Datum; readonly branches: Datum };
  BATCH_ABOVE_LIMIT: { readonly batch: Datum };
  DRAFT_TOO_LARGE: { readonly limit: number };
  DRAFT_AT_FAULT: { readonly count: number; readonly detail: Datum };
  DRAFTS_WAIT: { readonly month: Datum; readonly count: number };
  APPROVAL_OWN: NoParams;
  APPROVAL_BY_SERVICE: NoParams;
  APPROVAL_DECIDED: { readonly approvalState: ApprovalState };
  APPROVAL_WAITS: { readonly approval: Datum; readonly username: Datum };
  APPROVAL_REQUESTER: { readonly username: Datum };
  APPROVAL_APPROVER: NoParams;
  APPROVAL_NOT_OWN: NoParams;
  APPROVAL_OUTDATED: NoParams;
  APPROVAL_BOOKS_CHANGED: NoParams;
  REASON_REQUIRED: { readonly month: Datum };
  BEFORE_BASE_MONTH: { readonly month: Datum; readonly base: Datum };
  DAY_CLOSED: { readonly day: Datum };
  NOT_CURRENT_DAY: { readonly day: Datum; readonly current: Datum };
  DAY_NOT_IN_MONTH: { readonly month: Datum; readonly day: Datum };
  FACT_NOT_EARLIER: { readonly fact: Datum; readonly day: Datum };
  NO_OPEN_DAY: NoParams;
  PURGE_SELECTION_MODE: NoParams;
  PURGE_RANGE_OF_OTHERS: NoParams;
  PURGE_NO_BRANCHES: NoParams;
  PURGE_RANGE_OF_TWO: NoParams;
  PURGE_NO_MONTHS: { readonly place: Datum; readonly month: Datum };
  PURGE_AWAITS_APPROVAL: { readonly place: Datum; readonly approval: Datum };
  PURGE_MONTH_OPEN: { readonly place: Datum; readonly month: Datum };
  NO_ACCOUNTS: NoParams;

  // Imported files
  ACCOUNT_CHANGED: { readonly account: Datum };
  ACCOUNT_AMBIGUOUS: { readonly account: Datum; readonly candidates: Datum };
  FILE_IMPORTED_BEFORE: { readonly name: Datum };
  FILE_UNREADABLE: Reason;
  TOO_MANY_ROWS: { readonly limit: number };
  TOO_MANY_DOCUMENTS: { readonly limit: number };
  DOCUMENT_TWICE: { readonly document: Datum };
  NO_ROWS: NoParams;
  CONTROL_COUNT_DIFFERS: { readonly said: number; readonly found: number };
  CONTROL_SUM_DIFFERS: { readonly value: Datum; readonly sum: Datum };
  IMPORT_SAVED_NOTHING: { readonly import: Datum };
  ENTRY_NOT_IMPORTED: { readonly entry: Datum };
  IMPORT_FILE_GONE: { readonly import: Datum };
  IMPORT_NOT_MARKED: { readonly import: Datum };
  IMPORT_CHANGED_SINCE: {
    readonly import: Datum;
    readonly changed: number;
    readonly deleted: number;
    readonly reversed: number;
  };
  MISSING_COLUMN: NoParams;
  PROBLEMS_NOT_TOLD: { readonly count: number; readonly told: number };

  // Closing and quotas
  MONTH_NOT_CONSOLIDATED: { readonly month: Datum };
  MONTH_NOT_SEALED: { readonly month: Datum };
  NOT_IN_SEAL: { readonly month: Datum };
  SEAL_MISMATCH: { readonly month: Datum };
  NO_SUCH_HEAD: NoParams;
  SEALING_UNAVAILABLE: NoParams;
  PREVIOUS_MONTH_OPEN: { readonly month: Datum };
  CLOSING_BATCH_TAKEN: { readonly batch: Datum; readonly month: Datum };
  CLOSURE_SETTINGS_MISSING: { readonly month: Datum };
  CLOSING_BLOCKED: { readonly month: Datum; readonly finding: FindingCode; readonly count: number };
  CLOSING_IS_AUTOMATIC: NoParams;
  QUOTA_NOT_CONFIGURED: { readonly company: Datum; readonly branch: Datum };
  NET_EQUITY_NOT_POSITIVE: { readonly value: Datum };
  NO_QUOTAS: NoParams;
  NET_EQUITY_OF_DAY: { readonly day: Datum; readonly value: Datum };
  NO_QUOTAS_ON: { readonly day: Datum };
  QUOTA_DAYS_OPEN: { readonly day: Datum; readonly open: Datum };
  QUOTAS_PENDING: { readonly day: Datum };
  REDEMPTION_ABOVE_BALANCE: { readonly day: Datum; readonly balance: Datum };
  COME_COTAS_MONTH: { readonly day: Datum };
  COME_COTAS_TWICE: { readonly month: Datum };
  QUOTA_TEMPLATE_UNFIT: { readonly template: Datum; readonly amount: Datum; readonly moved: Datum };
  QUOTA_TEMPLATE_REVERSES: { readonly template: Datum };
  INITIAL_QUOTAS_TWICE: NoParams;
  NO_QUOTA_TO_REPROCESS: { readonly from: Datum; readonly to: Datum };
  ECD_IMPORTED_BEFORE: { readonly name: Datum; readonly import: Datum };
  ECD_IMPORT_UNDER_WAY: { readonly company: Datum; readonly branch: Datum };
  QUOTA_RUN_UNDER_WAY: { readonly job: Datum };
  QUOTA_WANTS_APPROVAL: NoParams;
  NO_FUNDS: { readonly company: Datum };
  FEES_NOT_CONFIGURED: { readonly day: Datum };
  FEE_DAY_NOT_BUSINESS: { readonly day: Datum };
  FEE_POSTED_BEFORE: { readonly day: Datum };
  FEE_LATER_DAY: { readonly day: Datum; readonly later: Datum };
  FEE_DAY_MISSING: { readonly day: Datum; readonly missing: Datum };
  FEE_NOT_POSTED: { readonly day: Datum };
  FEE_NEEDS_QUOTA: { readonly day: Datum };
  FEE_TEMPLATE_MISSING: { readonly template: Datum };
  FEE_TEMPLATE_UNFIT: { readonly template: Datum };
  QUOTA_CHANGED: { readonly day: Datum; readonly value: Datum; readonly expected: Datum };

  // Reports
  ACCOUNT_RANGE_REVERSED: { readonly from: Datum; readonly to: Datum };
  FILING_STALE: { readonly days: Datum };
  FILING_HOLDERS: { readonly days: Datum };
  PERIOD_OVER_A_YEAR: NoParams;
  PERIOD_OVER_A_MONTH: NoParams;
  FORMAT_NOT_OFFERED: { readonly formats: Datum };
  REPORT_TOO_LARGE: { readonly limit: number };
  ECD_TOO_LARGE: { readonly limit: number };
  REPORT_NOT_READY: { readonly state: 'PENDING' | 'RUNNING' | 'ERROR' };
  REPORT_GONE: NoParams;
  FILING_WITHHELD: { readonly errors: number };
  DELIVERY_TRANSITION: { readonly deliveryState: DeliveryState; readonly nextState: DeliveryState };
  DELIVERY_HAS_NO_HASH: NoParams;
  DELIVERY_HASH_USED: NoParams;
  DELIVERY_NOT_REPLACEABLE: { readonly deliveryState: DeliveryState };
  DELIVERY_WITHOUT_HASH: NoParams;
  SIGNATORIES_REQUIRED: NoParams;
  ACCOUNTANT_REQUIRED: NoParams;
  LEGAL_REPRESENTATIVE_REQUIRED: NoParams;
  BOOK_OF_SOME_ACCOUNTS: NoParams;
  BOOK_WITHOUT_CLOSING: NoParams;
  BOOK_OF_OPEN_MONTH: { readonly month: Datum };
  BOOK_OUT_OF_SEQUENCE: { readonly book: string; readonly from: string; readonly expected: string };
  BOOK_NUMBER_NOT_NEXT: { readonly book: string; readonly number: number; readonly expected: number };
  BOOK_TOO_LARGE: { readonly limit: number };
  ANNEX_OUTSIDE_BOOK: { readonly from: string; readonly to: string };
  BOOK_PAGES_DIFFER: { readonly bound: number; readonly pages: number };
  VOLUMES_HAVE_TERMS: NoParams;
  INSTITUTION_WITHOUT_BOOKS: { readonly company: Datum };
  INSTITUTION_NOT_OFFERED: NoParams;
  BRANCHES_OF_DIFFERENT_CHARTS: { readonly charts: Datum };

  // Compliance
  SCRIPT_ERROR: { readonly line: number; readonly column: number; readonly message: Bilingual };
  RULE_UNKNOWN: { readonly name: Datum };
  BRANCH_RANGE_REVERSED: { readonly from: Datum; readonly to: Datum };
  TOO_MANY_BRANCHES: { readonly limit: number };

  // Limits and the state of the installation
  SERVICE_DOWN: { readonly service: string };
  TOO_MANY_REQUESTS: { readonly limit: number };
  TOO_MANY_IN_HAND: NoParams;
  TOO_MANY_REQUESTS_OF_COMPANY: { readonly limit: number };
  TOO_MANY_JOBS: { readonly limit: number };
  TOO_MANY_JOBS_OF_COMPANY: { readonly limit: number };
  TOO_MANY_REPORTS: { readonly limit: number };
  JOB_UNREADABLE: { readonly field: Datum };
  KEPT_REPORTS_FULL: { readonly limit: number };
  KEPT_REPORTS_OF_COMPANY_FULL: { readonly limit: number };
  TOO_MUCH_UPLOADED: { readonly limit: number };
  TOO_MANY_WEBHOOKS: { readonly limit: number };
  WEBHOOK_NOT_HTTPS: NoParams;
  WEBHOOK_ADDRESS_PRIVATE: NoParams;
  CURSOR_UNKNOWN: NoParams;
  CURSOR_EXPIRED: NoParams;
  DISK_FULL: NoParams;
  STORAGE_FULL: NoParams;
  LOGS_UNAVAILABLE: NoParams;
}

/** Why a value is not valid, a file not readable, something no longer to be changed. */
export type Reason = {
  [Code in ReasonCode]: { readonly reason: Code } & ReasonParams[Code];
}[ReasonCode];

export type ReasonCode = keyof ReasonParams;

export interface ReasonParams {
  NO_BUSINESS_DAY: NoParams;
  NOT_OF_KIND: { readonly kind: string };
  OTHER_DAY_OF_REDEMPTION: { readonly expected: string };
  NO_SUCH_MONTH: NoParams;
  NO_SUCH_DAY: NoParams;
  OTHER_YEAR: NoParams;
  CANNOT_CHANGE: NoParams;
  REFERS_TO_NOTHING: NoParams;
  USER_OR_GROUP: NoParams;
  NUMBERS_USED_UP: NoParams;
  TOO_MANY_CHARACTERS: { readonly maximum: number };
  CONTROL_CHARACTERS: NoParams;
  NO_PLAIN_CODE: NoParams;
  NO_PLAIN_NAME: NoParams;
  NOT_ONE_OF: { readonly values: string };
  NOT_S_OR_N: NoParams;
  NOT_D_OR_C: NoParams;
  NO_AMOUNT: NoParams;
  NO_SIGNED_AMOUNT: NoParams;
  AMOUNT_TOO_LARGE: { readonly maximumAmount: string };
  NO_WHOLE_NUMBER: { readonly maximum: number };
  NO_DAY_OF_A_MONTH: NoParams;
  NO_OBJECT: NoParams;
  NO_TEXT: NoParams;
  NO_NUMBER: NoParams;
  WRONG_PASSWORD: NoParams;
  UNKNOWN_PROVIDER: NoParams;
  LINES_OUT_OF_RANGE: { readonly maximum: number };
  NO_CEP: NoParams;
  NO_STATE: NoParams;
  NO_IBGE_CODE: NoParams;
  NO_CNPJ: NoParams;
  WRONG_CHECK_DIGITS: NoParams;
  NO_ACCOUNT_MASK: NoParams;
  MONTHS_WERE_OPENED: NoParams;
  BASE_BALANCES_EXIST: NoParams;
  TWO_OWNERS: NoParams;
  TOO_MANY_ACCOUNTS: { readonly maximum: number };
  NO_ACCOUNT_ABOVE: NoParams;
  NO_REFERENCE_CHART: NoParams;
  NO_PARENT_ACCOUNT: { readonly parent: string };
  OTHER_LEVEL: { readonly level: number };
  SEQUENCES_REPEAT: NoParams;
  BANDS_OVERLAP: NoParams;
  BANDS_LEAVE_A_GAP: NoParams;
  RATE_OR_BANDS: NoParams;
  RATE_OR_SERIES: NoParams;
  SERIES_OUT_OF_ORDER: NoParams;
  ONLY_OF_ADMINISTRATION: NoParams;
  ONLY_OF_PERFORMANCE: NoParams;
  ONLY_OF_DAY_RULE: NoParams;
  AMOUNTS_OF_REVERSAL: NoParams;
  REQUIRED_WITH_MOVEMENT: NoParams;
  BINARY_FILE: NoParams;
  SPREADSHEET: NoParams;
  COMPRESSED_FILE: NoParams;
  PDF_FILE: NoParams;
  PICTURE: NoParams;
  UTF16_FILE: NoParams;
  ONE_ENDLESS_LINE: NoParams;
  ENDLESS_LINE: { readonly row: number; readonly length: number };
  NO_IPL_FILE: NoParams;
  OTHER_LINE_LENGTH: { readonly found: number; readonly length: number };
  UNKNOWN_ENCODING: NoParams;
  LINE_AFTER_TRAILER: NoParams;
  HEADER_NOT_FIRST: NoParams;
  OTHER_MONTH: NoParams;
  OTHER_BATCH: NoParams;
  OTHER_THAN_EXPECTED: { readonly found: string; readonly expected: string };
  NO_DATE_OF_THE_MONTH: NoParams;
  NOTHING_TO_COMPLETE: NoParams;
  UNKNOWN_RECORD_TYPE: NoParams;
  NOT_ONLY_DIGITS: NoParams;
  OTHER_LINE_COUNT: { readonly rows: number };
  TRAILER_DIFFERS: { readonly said: Datum; readonly found: Datum };
}

/** What happens beside what was requested, and therefore only when it is confirmed. */
export type Consequence =
  | { readonly consequence: 'QUOTAS_BECOME_STALE'; readonly days: string }
  | { readonly consequence: 'BOOKS_ARE_INVALIDATED'; readonly books: string }
  | { readonly consequence: 'FEES_ARE_POSTED'; readonly day: string; readonly total: string }
  | { readonly consequence: 'LEVELS_ARE_CREATED'; readonly levels: string }
  | { readonly consequence: 'CHECK_DIGIT_IS_KEPT'; readonly code: string; readonly digit: string }
  | { readonly consequence: 'CHECK_DIGIT_DIFFERS'; readonly code: string; readonly digit: string }
  | { readonly consequence: 'ACCOUNT_BECOMES_SYNTHETIC'; readonly code: string };

/** When an account takes entries. */
export type Validity =
  | { readonly validity: 'BETWEEN'; readonly first: string; readonly last: string }
  | { readonly validity: 'FROM'; readonly first: string }
  | { readonly validity: 'UNTIL'; readonly last: string };

/** The one month that may be opened again, if there is one. */
export type Reopening =
  | { readonly reopening: 'OF_NONE' }
  | { readonly reopening: 'OF_LAST_CLOSED'; readonly lastClosed: string };
