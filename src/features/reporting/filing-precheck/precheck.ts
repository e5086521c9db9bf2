import type { Month } from '../../../accounting/period.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { RuleResult } from '../../compliance/rule-result.ts';
import { type TriedRules, tryRules } from '../../compliance/try-rules.ts';
import type { CosifRequest } from '../filings/cosif/cosif-file.ts';
import { readInstitution } from '../filings/ecd/ecd-books.ts';
import type { EcdRequest } from '../filings/ecd/ecd-file.ts';
import { EcdFindings } from '../filings/ecd/ecd-findings.ts';
import type { FilingFinding, FoundInFile } from '../filings/filing-finding.ts';
import { orderNumberOf } from '../filings/order-number.ts';
import { countsOf, firstOfRule } from './checked.ts';
import { writeCheckedBooks } from './write-checked-books.ts';
import { writeCheckedCosif } from './write-checked-cosif.ts';
import { writeCheckedEcd } from './write-checked-ecd.ts';

/** Rules that compare balances with entries, or want these to be there. */
const OF_ENTRIES = new Set([
  'I155 REGRA_VALIDACAO_VALOR_DEB',
  'I155 REGRA_VALIDACAO_VALOR_CRED',
  'I155 REGRA_VALIDACAO_VALOR_DEB_BALANCETE',
  'I155 REGRA_VALIDACAO_VALOR_CRED_BALANCETE',
  'I355 REGRA_REGISTRO_OBRIGATORIO_I350',
  ...['I200', 'I250', 'I300', 'I310'].map((register) => `${register} REGRA_REGISTRO_OBRIGATORIO`),
  'I200 REGRA_REGISTRO_OBRIGATORIO_I350',
]);

/**
 * What an ECD of the books as they are would be found wrong with: it is written into the checker, and nothing of it is kept. Without its entries
 * it takes less than a second; with them (`isComplete`) it foretells every error of the check.
 */
export async function precheckEcd(
  sql: Transaction,
  request: EcdRequest,
  { isComplete, largestFile }: { readonly isComplete: boolean; readonly largestFile: number },
): Promise<FoundInFile> {
  if (isComplete) {
    const numbered = { ...request, orderNumber: await orderNumberOf(sql, request) };
    return writeCheckedBooks(sql, numbered, (work) => work(async () => {}), { largestFile });
  }
  return writeCheckedEcd(sql, request, {
    withoutEntries: true,
    isMuted: ({ register, rule }) => OF_ENTRIES.has(`${register} ${rule}`),
  });
}

/** The same of a document 4010 or 4016, with what the rules of that document say of each branch that is part of it. */
export async function precheckCosif(sql: Transaction, request: CosifRequest): Promise<FoundInFile> {
  const { found } = await writeCheckedCosif(sql, request, 'PUBLISHED');
  const ofRules = await complianceFindings(sql, request);
  const severe = ofRules.filter(({ severity }) => severity === 'ERRO').length;
  return {
    errors: found.errors + severe,
    warnings: found.warnings + ofRules.length - severe,
    findings: [...found.findings, ...firstOfRule(ofRules)],
    counts: { ...found.counts, ...countsOf(ofRules) },
  };
}

async function complianceFindings(sql: Transaction, request: CosifRequest): Promise<FilingFinding[]> {
  const institution = await readInstitution(sql, request, new EcdFindings());
  if (institution === undefined) return [];
  const branchIds = institution.members.map(({ branchId }) => branchId);
  const findings: FilingFinding[] = [];
  for await (const tried of tryRules(sql, { companyId: request.companyId, branchIds }, request.document, request.month))
    for (const result of tried.results) findings.push(...findingsOf(result, tried, request.month));
  return findings;
}

/** Severities of rules that keep a document back. */
const SEVERE = new Set(['ERROR', 'CRITICAL']);

/** A finding for each message of a rule that failed, one for a rule that could not run. */
function findingsOf(
  { ruleId, rule, severity, messages, failure }: RuleResult,
  { branch }: TriedRules,
  month: Month,
): FilingFinding[] {
  const found = {
    rule: `PARTIDAS_REGRA_${ruleId}`,
    severity: SEVERE.has(severity) ? 'ERRO' : 'AVISO',
    value: `${branch} ${month}`,
    origin: { resource: 'compliance_rule', id: ruleId, code: rule, path: '/api/compliance/rule/list' },
  } as const;
  const failed = messages.map(({ text }) => ({ ...found, message: `${rule}: ${text}` }));
  return failure === null
    ? failed
    : [...failed, { ...found, severity: 'AVISO', message: `${rule}: ${failure.message.pt}` }];
}
