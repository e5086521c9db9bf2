import { type Fragment, SQL } from '../../../platform/database/statement.ts';

/** Which narrations a list shows; an absent condition is fulfilled by all. */
export interface NarrationFilter {
  /** Part of code or description, in any case, with or without accents. */
  readonly text: string | undefined;
  /** Those that entries of the company, or of the branch of it, may name: its own, and those above it. */
  readonly company: string | undefined;
  readonly branch: string | undefined;
}

export function matchesNarration({ text, company, branch }: NarrationFilter): Fragment {
  const ofText =
    text === undefined
      ? SQL`true`
      : SQL`strpos(search_text(standard_narration.code || ' ' || standard_narration.description),
                   search_text(${text})) > 0`;
  const ofCompany =
    company === undefined ? SQL`true` : SQL`(standard_narration.company_id IS NULL OR company.code = ${company})`;
  const ofBranch =
    branch === undefined ? SQL`true` : SQL`(standard_narration.branch_id IS NULL OR branch.code = ${branch})`;
  return SQL`${ofText} AND ${ofCompany} AND ${ofBranch}`;
}
