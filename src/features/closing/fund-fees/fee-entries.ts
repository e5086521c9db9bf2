import { type LogicalEntry, otherSide, totalOf } from '../../../accounting/entry.ts';
import { type Centavos, decimalOf, magnitudeOf } from '../../../accounting/money.ts';
import type { Day } from '../../../accounting/period.ts';
import { physicalLines } from '../../../accounting/posting.ts';
import { reject, throwIfAny } from '../../../accounting/problem.ts';
import { entriesOfTemplate, missingAmounts } from '../../posting/templates/entries-of-template.ts';
import type { TemplateRow } from '../../posting/templates/templates.sql.ts';

/** What a template is to post. */
export interface FeeToPost {
  readonly code: string;
  /** Negative: what was posted before is taken back, sides exchanged. */
  readonly amount: Centavos;
  readonly day: Day;
  readonly narration: string;
}

/**
 * The entries of a fee by its template, which must take one amount and post just that: lines that are given, or shares of
 * it. FEE_TEMPLATE_MISSING, FEE_TEMPLATE_UNFIT.
 */
export function templateEntries(template: TemplateRow | undefined, fee: FeeToPost): LogicalEntry[] {
  const { code, amount, day, narration } = fee;
  if (!template?.active) return reject('FEE_TEMPLATE_MISSING', { template: code }, 'templateCode');
  const { lines } = template;
  const takesAmount = lines.every(({ valueType }) => valueType === 'GIVEN' || valueType === 'PERCENTAGE');
  if (!takesAmount || template.automaticReversal) rejectUnfit(code);
  const whole = decimalOf(magnitudeOf(amount));
  const given = missingAmounts(lines, []).map((sequence) => ({ sequence, amount: whole, narration: null }));
  const { entries, problems } = entriesOfTemplate(lines, given, day, () => 0n);
  throwIfAny(problems);
  const physical = entries.map((entry) => physicalLines(entry.lines));
  const posted = physical.reduce((sum, each) => sum + (each ? totalOf(each, 'D') : 0n), 0n);
  if (physical.includes(undefined) || posted !== magnitudeOf(amount)) rejectUnfit(code);
  return entries.map(({ number }, at) => ({
    number,
    lines: physical[at]!.map((line) => ({
      ...line,
      narration: line.narration || narration,
      side: amount < 0n ? otherSide(line.side) : line.side,
    })),
  }));
}

function rejectUnfit(template: string): never {
  return reject('FEE_TEMPLATE_UNFIT', { template }, 'templateCode');
}
