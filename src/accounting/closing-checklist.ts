import { ALWAYS_BLOCKING, BLOCKING_CODES, type BlockingCode, type FindingCode } from './finding-code.ts';
import type { MonthState } from './posting.ts';

/** BLOCKED stops the month close; PENDING is still to be done; WARNING looks wrong and stops nothing. */
export type FindingState = 'OK' | 'PENDING' | 'WARNING' | 'BLOCKED' | 'NOT_APPLICABLE';

/** What is to be done before the month is finished, rather than wrong. */
const STEPS: ReadonlySet<FindingCode> = new Set([
  'MONTH_OPEN',
  'DAYS_OPEN',
  'TEMPLATES_PENDING',
  'CONSOLIDATED',
  'BOOKS_ISSUED',
]);

/** Only branches that were verified, have quotas, or that rules have run over, and closed months can have these findings. */
const NOT_FOR_ALL: ReadonlySet<FindingCode> = new Set(['BOOKS_DIFFER', 'STALE_QUOTAS', 'RULES_FAILED', 'SEALED']);

/**
 * The findings that stop a month close of the branch: those that always do, and its choice. Without one, books that
 * differ stop it, and a closing month without closure settings those of a regulator's layout: in others it is a warning.
 */
export function blockingCodes(
  layout: 'COSIF' | 'CVM' | 'NONE',
  chosen: readonly BlockingCode[] | null,
): readonly BlockingCode[] {
  const byDefault: BlockingCode[] = [
    'BOOKS_DIFFER',
    ...(layout === 'NONE' ? [] : (['CLOSURE_SETTINGS_MISSING'] as const)),
  ];
  const others = chosen ?? byDefault;
  return BLOCKING_CODES.filter((code) => ALWAYS_BLOCKING.includes(code) || others.includes(code));
}

/** The state of a finding of a branch's month; `count` is undefined where the branch has nothing of the kind. */
export function findingState(
  code: FindingCode,
  count: number | undefined,
  month: MonthState,
  blocking: readonly FindingCode[],
): FindingState {
  if (month === 'NOT_OPENED' && code !== 'MONTH_OPEN') return 'NOT_APPLICABLE';
  if (count === undefined && NOT_FOR_ALL.has(code)) return 'NOT_APPLICABLE';
  if (count === undefined || count === 0) return 'OK';
  if (month === 'OPEN' && blocking.includes(code)) return 'BLOCKED';
  return STEPS.has(code) ? 'PENDING' : 'WARNING';
}
