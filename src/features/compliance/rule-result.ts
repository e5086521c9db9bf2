import { decimalOf } from '../../accounting/money.ts';
import type { Day, Month } from '../../accounting/period.ts';
import { decimalText } from '../../accounting/rule-language/decimal.ts';
import type {
  BalanceKind,
  RuleMessage,
  RuleOutcome,
  RuleStatus,
} from '../../accounting/rule-language/evaluate-script.ts';
import type { Failure } from '../../accounting/rule-language/failure.ts';

/** What one script found, as it is kept and shown. */
export interface ScriptResult {
  readonly status: RuleStatus | 'SKIPPED';
  /** JSON text of RETORNA's value, numbers with all their digits; null without one. */
  readonly value: string | null;
  readonly messages: readonly RuleMessage[];
  readonly failure: Failure | null;
  readonly reads: readonly StoredRead[];
  readonly durationMs: number;
}

export interface StoredRead {
  readonly account: string;
  readonly month: Month;
  readonly kind: BalanceKind;
  readonly day?: Day;
  /** Decimal text. */
  readonly balance: string;
}

/** The result of one rule in a process. */
export interface RuleResult extends ScriptResult {
  readonly ruleId: number;
  readonly rule: string;
  readonly severity: string;
  readonly businessSystem: string;
  readonly scriptVersion: number;
}

export function scriptResult(outcome: RuleOutcome, durationMs: number): ScriptResult {
  const { status, value, messages, failure, reads } = outcome;
  return {
    status,
    value: value === null ? null : typeof value === 'object' ? decimalText(value) : JSON.stringify(value),
    messages,
    failure,
    reads: reads.map((read) => ({ ...read, balance: decimalOf(read.balance) })),
    durationMs: Math.round(durationMs * 1000) / 1000,
  };
}

export const SKIPPED: ScriptResult = {
  status: 'SKIPPED',
  value: null,
  messages: [],
  failure: null,
  reads: [],
  durationMs: 0,
};
