import type { ProblemCode, ProblemParams } from '../accounting/problem.ts';
import { ACCESS_TEXTS } from './problem-texts/access.ts';
import { ANY_REQUEST_TEXTS } from './problem-texts/any-request.ts';
import { CLOSING_TEXTS } from './problem-texts/closing.ts';
import { COMPLIANCE_TEXTS } from './problem-texts/compliance.ts';
import { IMPORTS_TEXTS } from './problem-texts/imports.ts';
import { MASTER_DATA_TEXTS } from './problem-texts/master-data.ts';
import { OPERATIONS_TEXTS } from './problem-texts/operations.ts';
import { POSTING_TEXTS } from './problem-texts/posting.ts';
import type { ProblemText } from './problem-texts/problem-text.ts';
import { REPORTING_TEXTS } from './problem-texts/reporting.ts';

const TEXTS = {
  ...ANY_REQUEST_TEXTS,
  ...ACCESS_TEXTS,
  ...MASTER_DATA_TEXTS,
  ...POSTING_TEXTS,
  ...IMPORTS_TEXTS,
  ...CLOSING_TEXTS,
  ...REPORTING_TEXTS,
  ...COMPLIANCE_TEXTS,
  ...OPERATIONS_TEXTS,
};

/** The one table code → status and texts. A code without a text, or a text with a parameter that its code lacks, is a type error. */
export const PROBLEM_TEXTS: Readonly<Record<ProblemCode, ProblemText>> & Unfilled = TEXTS;

/** Nothing; where texts name parameters that their codes lack, those codes, so that the assignment above fails. */
type Unfilled = {
  readonly [Code in ProblemCode as [MissingParam<Code>] extends [never]
    ? never
    : Code]: `no parameter ${MissingParam<Code>}`;
};

type MissingParam<Code extends ProblemCode> = Exclude<
  Placeholder<(typeof TEXTS)[Code]['en' | 'pt']>,
  KeyOfAny<ProblemParams[Code]> | DerivedParam
>;

/** The ending of a Portuguese participle that agrees with the record's name. */
type DerivedParam = 'ending';

type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

type KeyOfAny<Params> = Params extends unknown ? keyof Params : never;
