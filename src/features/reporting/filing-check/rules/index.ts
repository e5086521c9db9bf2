import type { Severity } from '../findings.ts';
import type { Rule, Rules } from '../rule.ts';
import { rowsOf } from '../tables.ts';
import { BALANCES } from './balances.ts';
import { BOOKS } from './books.ts';
import { CHART } from './chart.ts';
import { COUNTS, EVERYWHERE } from './counts.ts';
import { ENTRIES } from './entries.ts';
import { EQUITY } from './equity.ts';
import { HEAD } from './head.ts';
import { PARTICIPANTS } from './participants.ts';
import { RESULTS } from './results.ts';
import { SIGNATORIES } from './signatories.ts';
import { STATEMENTS } from './statements.ts';

/** The function of every rule of the ECD that a file proves, by register and code. */
export const ECD_RULES: Rules = {
  ...EVERYWHERE,
  ...HEAD,
  ...PARTICIPANTS,
  ...BOOKS,
  ...CHART,
  ...BALANCES,
  ...ENTRIES,
  ...RESULTS,
  ...STATEMENTS,
  ...EQUITY,
  ...SIGNATORIES,
  ...COUNTS,
};

/** A rule with what the manual's table says of it. */
export interface Listed {
  readonly register: string;
  readonly code: string;
  readonly severity: Severity;
  readonly rule: Rule;
}

/** The rules of the table that a file proves, alone or with the tables of codes. */
export function provableRules(): readonly { register: string; code: string; severity: string }[] {
  return rowsOf('regulatory/ecd9-rules.csv').flatMap(({ register, rule, severity, provable }) =>
    provable === 'file' || provable === 'table' ? [{ register: register!, code: rule!, severity: severity! }] : [],
  );
}

/** Those that need the file before it, or that only the official program proves. */
export function unprovenRules(): readonly string[] {
  return rowsOf('regulatory/ecd9-rules.csv').flatMap(({ register, rule, provable }) =>
    provable === 'prior' || provable === 'pge' ? [`${register} ${rule}`] : [],
  );
}

let remembered: ReadonlyMap<string, Listed> | undefined;

/** Every rule by register and code; what the table gives no severity is an error. */
export function listedRules(): ReadonlyMap<string, Listed> {
  remembered ??= new Map(
    provableRules().map(({ register, code, severity }) => {
      const key = `${register} ${code}`;
      const rule = ECD_RULES[key];
      if (rule === undefined) throw new Error(`no function for ${key}`);
      return [key, { register, code, severity: severity === 'aviso' ? 'AVISO' : 'ERRO', rule }];
    }),
  );
  return remembered;
}
