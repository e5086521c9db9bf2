import { z } from 'zod';
import { type GivenLine, LINE_GROUPS, STATEMENT_KINDS } from '../../accounting/statements/statement-definition.ts';
import { createDefaultStatements } from '../../features/master-data/statements/create-default-statements.ts';
import {
  changeStatement,
  createStatement,
  deleteStatement,
  requireStatement,
} from '../../features/master-data/statements/save-statement.ts';
import { saveStatementLines } from '../../features/master-data/statements/save-statement-lines.ts';
import type { StatementFact } from '../../features/master-data/statements/statement-facts.sql.ts';
import { readStatementFacts, saveStatementFacts } from '../../features/master-data/statements/statement-facts.ts';
import { readStatementGaps } from '../../features/master-data/statements/statement-gaps.ts';
import {
  MAX_STATEMENTS,
  type StatementRow,
  selectStatementLines,
  selectVisibleStatements,
} from '../../features/master-data/statements/statements.read.sql.ts';
import { assertWholeList } from '../../features/master-data/whole-list.ts';
import {
  amount,
  codeText,
  id,
  idParams,
  instant,
  isoDay,
  messageAnswer,
  money,
  moneyAnswer,
  nameText,
  optional,
  readOnly,
  rejectOtherId,
  tenantParams,
  text,
  wholeText,
} from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import { chartCode } from './company-options.ts';

const tag = 'Statements';
const reading = { to: 'anyUser' } as const;
const changing = { to: 'signedIn', routine: 'CHART_OF_ACCOUNTS' } as const;
const fieldNames = { chart: 'chartCode' };

const kind = z.enum(STATEMENT_KINDS).meta({
  example: 'BP',
  description: 'BP balance sheet, DRE income statement, DLPA retained earnings, DMPL changes in equity',
});
const statementCode = codeText(20).meta({ example: 'GERENCIAL' });

const statementBody = z.strictObject({
  id: readOnly,
  chartCode,
  kind,
  code: statementCode,
  name: nameText(200).meta({ example: 'Balanço patrimonial' }),
  validFrom: isoDay.meta({ example: '2026-01-01' }),
  validTo: optional(isoDay.meta({ example: null })),
  createdAt: readOnly,
  updatedAt: readOnly,
});

const statementAnswer = z.object({
  id,
  chartCode: z.string().meta({ example: 'COSIF' }),
  kind,
  code: z.string().meta({ example: 'PADRAO' }),
  name: z.string(),
  validFrom: z.string().meta({ example: '2026-01-01' }),
  validTo: z.string().nullable().meta({ example: null }),
  createdAt: instant,
  updatedAt: instant,
});

/** Maximum number of lines of a statement, and of selectors of a line. */
const MAX_LINES = 1_000;
const MAX_SELECTORS = 1_000;

const lineCode = codeText(40).meta({ example: 'A' });
const selector = z.strictObject({
  pattern: text(41, 1).meta({ example: '1*', description: 'The code of an account, or a prefix with a star' }),
  exclude: optional(z.boolean().meta({ example: false })),
});

const linesBody = z
  .array(
    z.strictObject({
      code: lineCode,
      indicator: z.enum(['T', 'D']).meta({ description: 'T total of the lines below it, D sum of its accounts' }),
      level: optional(z.number().int().min(1).max(MAX_LINES)),
      parentCode: optional(lineCode),
      group: z.enum(LINE_GROUPS).meta({ description: 'A assets, P liabilities and equity, R revenue, D expense' }),
      description: text(200, 1).meta({ example: 'ATIVO' }),
      note: optional(text(200)),
      selectors: optional(z.array(selector).max(MAX_SELECTORS)),
    }),
  )
  .min(1)
  .max(MAX_LINES)
  .meta({
    example: [
      { code: 'A', indicator: 'T', group: 'A', description: 'ATIVO' },
      { code: 'A1', indicator: 'D', parentCode: 'A', group: 'A', description: 'Ativo', selectors: [{ pattern: '1*' }] },
      { code: 'P', indicator: 'T', group: 'P', description: 'PASSIVO E PATRIMÔNIO LÍQUIDO' },
      {
        code: 'P1',
        indicator: 'D',
        parentCode: 'P',
        group: 'P',
        description: 'Passivo',
        selectors: [{ pattern: '2*' }, { pattern: '3*' }],
      },
    ],
  });

const linesAnswer = z.array(
  z.object({
    code: z.string(),
    indicator: z.enum(['T', 'D']),
    level: z.number().int(),
    parentCode: z.string().nullable(),
    group: z.enum(LINE_GROUPS),
    description: z.string(),
    note: z.string().nullable(),
    selectors: z.array(z.object({ pattern: z.string(), exclude: z.boolean() })),
  }),
);

const gapAccount = z.object({
  contaId: id,
  cdAccounting: z.string().meta({ example: '1.1.1' }),
  description: z.string(),
  accountClass: z.string().meta({ example: '01' }),
});

export const getStatementsRoute = route({
  operationId: 'listStatements',
  method: 'GET',
  path: '/statements',
  summary: 'Definitions of statements over the charts that the caller sees',
  tag,
  addition: true,
  access: reading,
  query: z.strictObject({ chart: codeText(40).optional() }),
  answer: z.array(statementAnswer),
  handle: async ({ query, context }) => {
    const rows = await selectVisibleStatements(context.sql, context.caller.id, query.chart);
    return assertWholeList(rows, MAX_STATEMENTS).map(statementToWire);
  },
});

export const postStatementRoute = route({
  operationId: 'createStatement',
  method: 'POST',
  path: '/statements',
  summary: 'Creates the definition of a statement, whose lines are written next',
  tag,
  addition: true,
  access: changing,
  fieldNames,
  body: statementBody,
  status: 201,
  answer: statementAnswer,
  handle: async ({ body, context }) => statementToWire(await createStatement(context, statementFromWire(body))),
});

export const postDefaultStatementsRoute = route({
  operationId: 'createDefaultStatements',
  method: 'POST',
  path: '/statements/default',
  summary: 'Creates the default statements of a chart: by the table of the COSIF, or by the classes of its accounts',
  tag,
  addition: true,
  access: changing,
  fieldNames,
  body: z.strictObject({
    chartCode,
    kinds: optional(z.array(kind).min(1).max(STATEMENT_KINDS.length)),
    validFrom: optional(isoDay.meta({ example: '2026-01-01' })),
  }),
  status: 201,
  answer: z.array(statementAnswer),
  handle: async ({ body, context }) => {
    const kinds = [...new Set(body.kinds ?? (['BP', 'DRE'] as const))];
    return (await createDefaultStatements(context, body.chartCode, kinds, body.validFrom)).map(statementToWire);
  },
});

export const getStatementRoute = route({
  operationId: 'getStatement',
  method: 'GET',
  path: '/statements/{id}',
  summary: 'The definition of a statement',
  tag,
  addition: true,
  access: reading,
  params: idParams,
  answer: statementAnswer,
  handle: async ({ params, context }) => statementToWire(await requireStatement(context.sql, context, params.id)),
});

export const putStatementRoute = route({
  operationId: 'replaceStatement',
  method: 'PUT',
  path: '/statements/{id}',
  summary: 'Replaces code, name and validity of a definition',
  tag,
  addition: true,
  access: changing,
  fieldNames,
  params: idParams,
  body: statementBody,
  answer: statementAnswer,
  handle: async ({ params, body, context }) => {
    rejectOtherId(body.id, params.id);
    return statementToWire(await changeStatement(context, params.id, statementFromWire(body)));
  },
});

export const deleteStatementRoute = route({
  operationId: 'deleteStatement',
  method: 'DELETE',
  path: '/statements/{id}',
  summary: 'Removes a definition with its lines, unless facts of a branch name it',
  tag,
  addition: true,
  access: changing,
  params: idParams,
  fieldNames,
  answer: messageAnswer,
  handle: async ({ params, context }) => {
    await deleteStatement(context, params.id);
    return { message: 'Demonstração excluída' };
  },
});

export const getStatementLinesRoute = route({
  operationId: 'getStatementLines',
  method: 'GET',
  path: '/statements/{id}/lines',
  summary: 'The lines of a statement with the accounts that each selects',
  tag,
  addition: true,
  access: reading,
  params: idParams,
  answer: linesAnswer,
  handle: async ({ params, context }) => {
    await requireStatement(context.sql, context, params.id);
    return selectStatementLines(context.sql, params.id);
  },
});

export const putStatementLinesRoute = route({
  operationId: 'replaceStatementLines',
  method: 'PUT',
  path: '/statements/{id}/lines',
  summary: 'Replaces all lines of a statement at once; a line that keeps its code stays the same line',
  tag,
  addition: true,
  access: changing,
  params: idParams,
  body: linesBody,
  fieldNames: {
    ...fieldNames,
    '[].code': '[].code',
    '[].group': '[].group',
    '[].indicator': '[].indicator',
    '[].level': '[].level',
    '[].parentCode': '[].parentCode',
    '[].selectors': '[].selectors',
    '[].selectors[].pattern': '[].selectors.[].pattern',
  },
  answer: linesAnswer,
  handle: async ({ params, body, context }) => saveStatementLines(context, params.id, body.map(lineFromWire)),
});

export const getStatementGapsRoute = route({
  operationId: 'getStatementGaps',
  method: 'GET',
  path: '/statements/{id}/gaps',
  summary: 'Analytic accounts that stand on no line of the statement, or on several',
  tag,
  addition: true,
  access: reading,
  params: idParams,
  answer: z.object({
    onNoLine: z.array(gapAccount),
    onTwoLines: z.array(gapAccount.extend({ lines: z.array(z.string()) })),
  }),
  handle: async ({ params, context }) => {
    const { onNoLine, onTwoLines } = await readStatementGaps(context, params.id);
    return {
      onNoLine: onNoLine.map(gapToWire),
      onTwoLines: onTwoLines.map(({ account, lines }) => ({ ...gapToWire(account), lines })),
    };
  },
});

/** Maximum number of facts of a year. */
const MAX_FACTS = 1_000;

const factParams = z.object({
  ...idParams.shape,
  ...tenantParams.shape,
  year: wholeText(1900, 9999).meta({ type: 'integer', example: 2026 }),
});

const factsBody = z
  .array(
    z.strictObject({
      mes: z.number().int().min(1).max(12).meta({ example: 6 }),
      code: codeText(10).meta({ example: 'DIV' }),
      lineCode,
      description: text(200, 1).meta({ example: 'Dividendos' }),
      amount,
    }),
  )
  .max(MAX_FACTS)
  .meta({
    example: [],
    description: 'amount: what the fact adds to the equity of the line, negative where it takes away',
  });

const factsAnswer = z.array(
  z.object({
    mes: z.number().int(),
    code: z.string().meta({ example: 'DIV' }),
    lineCode: z.string(),
    description: z.string(),
    amount: moneyAnswer,
  }),
);

export const getStatementFactsRoute = route({
  operationId: 'getStatementFacts',
  method: 'GET',
  path: '/statements/{id}/facts/{company}/{branch}/{year}',
  summary: 'Facts typed for the changes in equity of a branch in a year',
  tag,
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: factParams,
  answer: factsAnswer,
  handle: async ({ params, context, tenant }) =>
    (await readStatementFacts(context, tenant, params.id, params.year)).map(factToWire),
});

export const putStatementFactsRoute = route({
  operationId: 'replaceStatementFacts',
  method: 'PUT',
  path: '/statements/{id}/facts/{company}/{branch}/{year}',
  summary: 'Replaces the facts of a year; without any, they are taken from the entries of the accounts',
  tag,
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), routine: 'CONSOLIDATION' },
  params: factParams,
  body: factsBody,
  fieldNames: { '[].code': '[].code', '[].lineCode': '[].lineCode' },
  answer: factsAnswer,
  handle: async ({ params, body, context, tenant }) => {
    const facts = body.map(({ mes, ...fact }) => ({ month: mes, ...fact }));
    return (await saveStatementFacts(context, tenant, params.id, params.year, facts)).map(factToWire);
  },
});

function factToWire({ month, amount, ...fact }: StatementFact) {
  return { mes: month, ...fact, amount: money(amount) };
}

function gapToWire(account: { id: number; code: string; description: string; accountClass: string }) {
  const { code, description, accountClass } = account;
  return { contaId: account.id, cdAccounting: code, description, accountClass };
}

function statementFromWire({ chartCode, kind, code, name, validFrom, validTo }: z.output<typeof statementBody>) {
  return { chart: chartCode, kind, code, name, validFrom, validTo };
}

function statementToWire(row: StatementRow): z.output<typeof statementAnswer> {
  return {
    id: row.id,
    chartCode: row.chart,
    kind: row.kind,
    code: row.code,
    name: row.name,
    validFrom: row.validFrom,
    validTo: row.validTo,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function lineFromWire(line: z.output<typeof linesBody>[number]): GivenLine {
  return {
    ...line,
    parentCode: line.parentCode ?? null,
    note: line.note || null,
    selectors: (line.selectors ?? []).map(({ pattern, exclude = false }) => ({ pattern, exclude })),
  };
}
