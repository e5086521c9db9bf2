import { z } from 'zod';
import { monthOf } from '../../accounting/period.ts';
import { reject } from '../../accounting/problem.ts';
import { INSTITUTION } from '../../features/access/access.ts';
import { precheckCosif, precheckEcd } from '../../features/reporting/filing-precheck/precheck.ts';
import { FILING_KINDS } from '../../features/reporting/filings/deliveries/delivery.ts';
import type { FoundInFile } from '../../features/reporting/filings/filing-finding.ts';
import { assertDocumentOfMonth, ecdRequestOf } from '../../features/reporting/filings/request-filing.ts';
import { booleanText, companyCode, wholeText } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import { filingFinding, findingCounts, findingToWire } from './regulatory-answers.ts';
import { ECD_TERMS, ecdInput, FILING_FIELDS } from './regulatory-files.routes.ts';

const answer = z
  .object({
    arquivo: z.enum(FILING_KINDS).meta({ example: '4010' }),
    erros: z.number().int().meta({ example: 1 }),
    avisos: z.number().int().meta({ example: 0 }),
    achados: z.array(filingFinding).meta({ description: 'at most 20 of a rule' }),
    contagens: findingCounts,
  })
  .meta({ title: 'FilingPrecheck' });

export const precheckRoute = route({
  operationId: 'precheckRegulatoryFile',
  method: 'GET',
  path: '/regulatory/precheck',
  summary:
    'What a file of the books as they are would be found wrong with, and the records to mend; no file is written',
  tag: 'Regulatory files',
  addition: true,
  cost: 'heavy',
  access: {
    to: 'tenant',
    of: ({ empresa }) => ({ company: empresa, branch: INSTITUTION }),
    institution: true,
    routine: 'REGULATORY_FILES',
  },
  query: z.strictObject({
    empresa: companyCode,
    arquivo: z.enum(FILING_KINDS).meta({ example: '4010' }),
    ano: wholeText(1900, 9999).meta({ type: 'integer', example: 2025 }),
    mes: wholeText(1, 12).optional().meta({ type: 'integer', example: 6, description: 'of a 4010 or 4016' }),
    ...ECD_TERMS,
    semestral: booleanText.optional().meta({ example: 'false', description: 'of an ECD: a J005 for each half-year' }),
    completo: booleanText.optional().meta({
      example: 'false',
      description: 'reads every entry of an ECD too; without it the answer takes less than a second',
    }),
  }),
  fieldNames: FILING_FIELDS,
  answer,
  handle: async ({ query, context, tenants, config }) => {
    const { arquivo, ano: year, mes, completo: isComplete = false } = query;
    const { companyId, company } = tenants[0]!;
    const found = await context.snapshot(async (sql) => {
      if (arquivo === 'ECD') {
        const { ecd } = await ecdRequestOf(sql, tenants[0]!, ecdInput(query));
        return precheckEcd(sql, ecd, { isComplete, largestFile: config.largestEcd });
      }
      const month = mes === undefined ? reject('MISSING_VALUE', {}, 'month') : monthOf(year, mes)!;
      assertDocumentOfMonth({ document: arquivo, month });
      return precheckCosif(sql, { companyId, company, document: arquivo, month });
    });
    return precheckToWire(arquivo, found);
  },
});

function precheckToWire(
  arquivo: (typeof FILING_KINDS)[number],
  { errors, warnings, findings, counts }: FoundInFile,
): z.input<typeof answer> {
  return { arquivo, erros: errors, avisos: warnings, achados: findings.map(findingToWire), contagens: { ...counts } };
}
