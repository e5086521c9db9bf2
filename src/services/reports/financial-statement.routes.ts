import { z } from 'zod';
import { lastDay, monthOf, slashOf } from '../../accounting/period.ts';
import { accountsOfRow } from '../../accounting/statements/financial-statement.ts';
import { showFinancialStatement } from '../../features/reporting/statements/show-financial-statement.ts';
import {
  accountId,
  booleanText,
  branchOrInstitution,
  companyParams,
  money,
  moneyAnswer,
  optional,
  text,
  wholeText,
} from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import { wireWords } from '../../http/wire-words.ts';
import { REPORT_FIELDS } from './report-requests.ts';

const lengths = wireWords({ MONTH: 'MES', SEMESTER: 'SEMESTRE', YEAR: 'ANO' });
const comparatives = ['PREVIOUS_MONTH', 'PREVIOUS_YEAR_END', 'PREVIOUS_YEAR', 'NONE'] as const;
const amounts = z.array(moneyAnswer).meta({ description: 'by column, in the published sign' });

const rowAnswer = z
  .object({
    line: z.string().nullable().meta({ example: '1.1', description: 'null: no line of the definition' }),
    source: z.enum(['LINE', 'OPEN_RESULT', 'UNPLACED']),
    name: z.string().nullable().meta({ example: 'Disponibilidades' }),
    level: z.number().int(),
    group: z.enum(['A', 'P', 'R', 'D']),
    amounts,
    accounts: z
      .array(z.object({ contaId: accountId, cdContabil: z.string(), descricao: z.string(), amounts }))
      .meta({ description: 'what a line is made of; of a total: what stands on it itself' }),
  })
  .meta({ title: 'StatementRow' });

export const getFinancialStatementRoute = route({
  operationId: 'getStatement',
  method: 'GET',
  path: '/statements/{company}/{branch}',
  summary: 'Balance sheet or income statement by its definition, with the accounts that each line is made of',
  tag: 'Reports',
  addition: true,
  cost: 'heavy',
  fieldNames: REPORT_FIELDS,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), institution: true },
  params: z.object({ ...companyParams.shape, branch: branchOrInstitution }),
  query: z.strictObject({
    tipo: z.enum(['BP', 'DRE']).meta({ example: 'BP' }),
    ano: wholeText(1900, 9999).meta({ type: 'integer', example: 2026 }),
    mes: wholeText(1, 12).meta({ type: 'integer', example: 1 }),
    periodo: lengths.inputOr('YEAR'),
    periodos: wholeText(1, 12).default(1).meta({ type: 'integer', example: 1 }),
    comparativo: z.enum(comparatives).default('NONE'),
    considerClosing: booleanText.default(true),
    demonstracao: optional(text(20, 1)).meta({ example: null, description: 'code of the definition' }),
  }),
  answer: z.object({
    code: z.string(),
    name: z.string(),
    state: z.enum(['OPEN', 'CLOSED']),
    columns: z.array(z.object({ from: z.string(), to: z.string(), day: z.string() })),
    rows: z.array(rowAnswer),
    differences: amounts,
  }),
  handle: async ({ query, context, branchOrInstitution: tenant }) => {
    const month =
      monthOf(query.ano, query.mes) ??
      rejectRequest('INVALID_FIELD', { reason: { en: 'there is no such month', pt: 'este mês não existe' } }, 'mes');
    const { statement, made, definition, periods, state } = await showFinancialStatement(context, tenant, {
      type: query.tipo,
      month,
      length: query.periodo,
      periods: query.periodos,
      comparative: query.comparativo,
      considerClosing: query.considerClosing,
      definition: query.demonstracao,
    });
    return {
      code: definition.code,
      name: definition.name,
      state,
      columns: periods.map(({ from, to }) => ({ from: slashOf(from), to: slashOf(to), day: lastDay(to) })),
      rows: statement.rows.map((row) => ({
        line: row.line?.code ?? null,
        source: row.source,
        name: row.line?.description ?? null,
        level: row.level,
        group: row.group,
        amounts: row.amounts.map(money),
        accounts: accountsOfRow(row, made).map(({ account, amounts: own }) => ({
          contaId: account.id,
          cdContabil: account.code,
          descricao: account.description,
          amounts: own.map(money),
        })),
      })),
      differences: statement.differences.map(money),
    };
  },
});
