import type { ProblemCode } from '../../accounting/problem.ts';

/** HTTP status and texts of a code; `{name}` is replaced by the parameter of that name. */
export interface ProblemText {
  readonly status: number;
  readonly en: string;
  readonly pt: string;
}

export type ProblemTexts = Partial<Record<ProblemCode, ProblemText>>;
