import type { ProblemCode } from '../../accounting/problem.ts';
import { TITLES } from '../problem-details.ts';
import { PROBLEM_TEXTS } from '../problem-texts.ts';

const HEAD = `# Codes of refusals

Written by \`npm run codes\` from the one table of codes. Words in braces are filled in. What to do about a status stands in
[integrator.md](integrator.md#errors).
`;

/** The codes by status with their texts, as a page of the documentation. */
export function problemCatalogue(): string {
  const codes = (Object.keys(PROBLEM_TEXTS) as ProblemCode[]).sort();
  const statuses = [...new Set(codes.map((code) => PROBLEM_TEXTS[code].status))].sort((one, other) => one - other);
  const sections = statuses.map((status) => {
    const rows = codes
      .filter((code) => PROBLEM_TEXTS[code].status === status)
      .map((code) => `| \`${code}\` | ${cell(PROBLEM_TEXTS[code].en)} | ${cell(PROBLEM_TEXTS[code].pt)} |`);
    return `\n## ${status}: ${TITLES[status]!.en}\n\n| code | English | português |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return HEAD + sections.join('');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
