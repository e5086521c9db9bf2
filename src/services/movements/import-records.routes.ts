import { z } from 'zod';
import { auditReading } from '../../features/access/audit-reading.ts';
import { findImportedRow } from '../../features/posting/imports/find-imported-row.ts';
import {
  countImportRecords,
  selectImportProblems,
  selectImportRecords,
} from '../../features/posting/imports/import-records.read.sql.ts';
import type { ImportRecordRow } from '../../features/posting/imports/import-records.sql.ts';
import { openKeptFile, requireKeptFile } from '../../features/posting/imports/kept-file.ts';
import { readImportedRows } from '../../features/posting/imports/read-imported-rows.ts';
import { requireImport } from '../../features/posting/imports/require-import.ts';
import { undoImport } from '../../features/posting/imports/undo-import.ts';
import {
  booleanText,
  exactNumber,
  id,
  idParams,
  instant,
  isoMonth,
  moneyAnswer,
  optional,
  pathId,
  tenantParams,
  wholeText,
} from '../../http/fields.ts';
import { importProblem, problemsToWire } from '../../http/import-result.ts';
import { languageOf } from '../../http/language.ts';
import { pageQuery } from '../../http/paging.ts';
import { PROBLEM_TEXTS } from '../../http/problem-texts.ts';
import { RouteResponse, route, streamResponse } from '../../http/route.ts';

const importRecordAnswer = z.object({
  id,
  kind: z.enum(['CSV', 'IPL', 'JSON', 'ECD']),
  fileName: z.string(),
  contentHash: z.string(),
  batchId: id.nullable(),
  month: z.string().nullable().meta({ example: '2026-01' }),
  dryRun: z.boolean(),
  status: z.enum(['PENDING', 'RUNNING', 'DONE', 'REFUSED', 'INTERRUPTED', 'UNDONE']),
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
  query: z.strictObject({ month: optional(isoMonth), dryRun: optional(booleanText), ...pageQuery(1_000) }),
  answer: z.array(importRecordAnswer),
  headers: ['X-Total-Count'],
  handle: async ({ query, context, tenant }) => {
    const { month, dryRun, page, size } = query;
    const total = await countImportRecords(context.sql, tenant, { month, dryRun });
    const records = await selectImportRecords(context.sql, tenant, { month, dryRun }, { page, size });
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

const writtenRow = z.object({
  row: z.number().int().meta({ example: 7, description: 'as problems count rows: of a CSV the header is row 1' }),
  cells: z.array(z.string()).meta({ example: ['10', '1', '5', 'D', '1.1.1', '3.1', '1.000,00', 'Aporte'] }),
  text: z.string().nullable().meta({ description: 'the whole line of a fixed-width or JSON file' }),
});
const columns = z.array(z.string()).meta({
  example: ['documento', 'lancamento', 'dia', 'debcre', 'conta', 'contrapartida', 'valor', 'historico'],
});

export const getImportRowsRoute = route({
  operationId: 'listImportRows',
  method: 'GET',
  path: '/imports/{company}/{branch}/{id}/rows',
  summary: 'Rows of an imported file as it was sent, from a row on; files are kept for IMPORT_KEEP_DAYS',
  tag: 'Imports',
  addition: true,
  cost: 'heavy',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: importParams,
  query: z.strictObject({
    from: wholeText(1, 1_000_000_000).default(1).meta({ type: 'integer', example: 1 }),
    size: wholeText(1, 1_000).default(100).meta({ type: 'integer', example: 100 }),
  }),
  answer: z.object({ columns, rows: z.array(writtenRow) }),
  handle: async ({ params, query, tenant, context }) => readImportedRows(context.sql, tenant, params.id, query),
});

export const downloadImportRoute = route({
  operationId: 'downloadImport',
  method: 'GET',
  path: '/imports/{company}/{branch}/{id}/file',
  summary: 'An imported file, byte for byte; its SHA-256 in Repr-Digest',
  tag: 'Imports',
  addition: true,
  cost: 'heavy',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: importParams,
  files: ['application/octet-stream'],
  headers: ['Content-Disposition', 'Repr-Digest'],
  handle: async ({ params, tenant, context }) => {
    const { fileName, contentHash } = await requireImport(context.sql, tenant, params.id);
    const { bytes } = await requireKeptFile(context.sql, tenant.companyId, params.id);
    const asked = { fileName };
    await auditReading(context, { action: 'DOWNLOAD', entity: 'import', entityId: params.id, tenant, asked });
    const file = openKeptFile(context.sql, tenant.companyId, params.id);
    return streamResponse(file, 'application/octet-stream', {
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(fileName.toWellFormed())}`,
      'content-length': String(bytes),
      'repr-digest': `sha-256=:${Buffer.from(contentHash, 'hex').toString('base64')}:`,
    });
  },
});

export const getImportedRowRoute = route({
  operationId: 'getImportedRow',
  method: 'GET',
  path: '/entry/{id}/importedRow',
  summary: 'The row of the imported file that a line of an entry came from; 404 for a line that was posted otherwise',
  tag: 'Imports',
  addition: true,
  cost: 'heavy',
  access: { to: 'record', record: 'entry', id: (input) => input.id },
  params: idParams,
  answer: writtenRow.extend({ import: importRecordAnswer, columns }).meta({ title: 'ImportedRow' }),
  handle: async ({ params, tenant, context }) => {
    const { record, columns, row } = await findImportedRow(context.sql, tenant, params.id);
    return { ...row, columns, import: importRecordToWire(record) };
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
