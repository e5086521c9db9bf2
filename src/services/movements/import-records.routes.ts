import { z } from 'zod';
import {
  countImportRecords,
  selectImportProblems,
  selectImportRecords,
} from '../../features/posting/imports/import-records.read.sql.ts';
import type { ImportRecordRow } from '../../features/posting/imports/import-records.sql.ts';
import { requireImport } from '../../features/posting/imports/require-import.ts';
import { undoImport } from '../../features/posting/imports/undo-import.ts';
import {
  exactNumber,
  id,
  idParams,
  instant,
  isoMonth,
  moneyAnswer,
  optional,
  pathId,
  tenantParams,
} from '../../http/fields.ts';
import { importProblem, problemsToWire } from '../../http/import-result.ts';
import { languageOf } from '../../http/language.ts';
import { pageQuery } from '../../http/paging.ts';
import { PROBLEM_TEXTS } from '../../http/problem-texts.ts';
import { RouteResponse, route } from '../../http/route.ts';

const importRecordAnswer = z.object({
  id,
  kind: z.enum(['CSV', 'IPL', 'JSON']),
  fileName: z.string(),
  contentHash: z.string(),
  batchId: id.nullable(),
  month: z.string().nullable().meta({ example: '2026-01' }),
  dryRun: z.boolean(),
  status: z.enum(['RUNNING', 'DONE', 'REFUSED', 'INTERRUPTED', 'UNDONE']),
  rowsRead: z.number().int(),
  rowsRefused: z.number().int(),
  lines: z.number().int().nullable().meta({ example: 10 }),
  debits: moneyAnswer.nullable(),
  credits: moneyAnswer.nullable(),
  controlRows: z.number().int().nullable().meta({ example: 5 }),
  controlDebits: moneyAnswer.nullable(),
  controlCredits: moneyAnswer.nullable(),
  message: z.string().nullable(),
  requestedBy: z.string(),
  startedAt: instant,
  finishedAt: instant.nullable(),
  undoneAt: instant.nullable(),
  undoneBy: z.string().nullable().meta({ example: 'ana' }),
});

export const getImportsRoute = route({
  operationId: 'listImports',
  method: 'GET',
  path: '/imports/{company}/{branch}',
  summary:
    'A page of the imports of a branch, or of those into a month, running ones included, newest first; their number in X-Total-Count',
  tag: 'Imports',
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  query: z.strictObject({ month: optional(isoMonth), ...pageQuery(1_000) }),
  answer: z.array(importRecordAnswer),
  headers: ['X-Total-Count'],
  handle: async ({ query, context, tenant }) => {
    const { month, page, size } = query;
    const total = await countImportRecords(context.sql, tenant, { month });
    const records = await selectImportRecords(context.sql, tenant, { month }, { page, size });
    return new RouteResponse(200, records.map(importRecordToWire), { 'x-total-count': String(total) });
  },
});

const importParams = tenantParams.extend({ id: pathId });

export const getImportRoute = route({
  operationId: 'getImport',
  method: 'GET',
  path: '/imports/{company}/{branch}/{id}',
  summary: 'An import as it stands; of a rejected one, the first 200 of its problems',
  tag: 'Imports',
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: importParams,
  answer: importRecordAnswer.extend({ problems: z.array(importProblem) }).meta({ title: 'ImportWithProblems' }),
  handle: async ({ params, tenant, context, raw }) => {
    const record = await requireImport(context.sql, tenant, params.id);
    const kept = await selectImportProblems(context.sql, tenant, params.id);
    // One that an earlier version of the program found may have no text any more.
    const problems = kept.filter(({ problem }) => problem.code in PROBLEM_TEXTS);
    const language = languageOf(raw.headers['accept-language']);
    return { ...importRecordToWire(record), problems: problemsToWire(problems, language) };
  },
});

export const deleteImportRoute = route({
  operationId: 'undoImport',
  method: 'DELETE',
  path: '/imports/{id}',
  cost: 'bulk',
  summary: 'Undoes an import while its month is open: the documents and entries that it made are removed, all or none',
  tag: 'Imports',
  addition: true,
  access: { to: 'record', record: 'importRecord', id: (input) => input.id, routine: 'DELETE_MOVEMENTS' },
  params: idParams,
  answer: importRecordAnswer,
  handle: async ({ params, tenant, context }) => importRecordToWire(await undoImport(context, tenant, params.id)),
});

function importRecordToWire(record: ImportRecordRow): z.input<typeof importRecordAnswer> {
  const sum = (value: string | null) => (value === null ? null : exactNumber(value));
  return {
    ...record,
    debits: sum(record.debits),
    credits: sum(record.credits),
    controlDebits: sum(record.controlDebits),
    controlCredits: sum(record.controlCredits),
    startedAt: record.startedAt.toISOString(),
    finishedAt: record.finishedAt?.toISOString() ?? null,
    undoneAt: record.undoneAt?.toISOString() ?? null,
  };
}
