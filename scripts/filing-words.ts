import type { CompanyId } from '../src/accounting/ids.ts';
import { reject } from '../src/accounting/problem.ts';
import { recordRef } from '../src/accounting/record-name.ts';
import { selectCompanies } from '../src/features/master-data/companies/companies.read.sql.ts';
import type { FilingFinding, FoundInFile } from '../src/features/reporting/filings/filing-finding.ts';
import { codeText } from '../src/http/fields.ts';
import type { Transaction } from '../src/platform/database/sql.ts';
import { operand } from './operand.ts';

/** The company that a word of the command line names by its code. */
export async function companyOf(
  sql: Transaction,
  word: string | undefined,
): Promise<{ readonly companyId: CompanyId; readonly company: string }> {
  const code = operand('company', word, codeText(40));
  const found = (await selectCompanies(sql)).find((each) => each.code === code);
  return found === undefined ? reject('NOT_FOUND', recordRef('Company', code)) : { companyId: found.id, company: code };
}

/** What was found in a file that the platform writes: a line a finding, parted by tabs, and how many of a rule are not listed. */
export function foundRows({ findings, counts }: Pick<FoundInFile, 'findings' | 'counts'>): string[] {
  return [...findings.map(rowOf), ...unlistedRows(findings, counts)];
}

/** 'REGRA_…: 120 ao todo, 20 mostrados'. */
export function unlistedRows(
  findings: readonly { readonly rule: string }[],
  counts: Readonly<Record<string, number>>,
): string[] {
  return Object.entries(counts).flatMap(([rule, count]) => {
    const listed = findings.filter((finding) => finding.rule === rule).length;
    return count > listed ? [`${rule}: ${count} ao todo, ${listed} mostrados`] : [];
  });
}

function rowOf({ severity, rule, register, field, value, message, origin }: FilingFinding): string {
  return [severity, rule, [register, field].filter(Boolean).join('.'), value ?? '', message, origin?.path ?? ''].join(
    '\t',
  );
}
