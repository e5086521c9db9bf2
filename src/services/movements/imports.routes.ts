import { Readable } from 'node:stream';
import { z } from 'zod';
import type { CompanyId } from '../../accounting/ids.ts';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import { selectBatch } from '../../features/posting/batches/batches.read.sql.ts';
import type { ControlTotals } from '../../features/posting/imports/control-totals.ts';
import { importCsv } from '../../features/posting/imports/import-csv.ts';
import { importIpl } from '../../features/posting/imports/import-ipl.ts';
import { importJson } from '../../features/posting/imports/import-json.ts';
import type { ImportOutcome } from '../../features/posting/imports/import-movements.ts';
import { countImportRecords, selectImportRecords } from '../../features/posting/imports/import-records.read.sql.ts';
import type { ImportRecordRow } from '../../features/posting/imports/import-records.sql.ts';
import { writeToTemporaryFile } from '../../features/posting/imports/spool.ts';
import type { RowProblem } from '../../features/posting/imports/staged-row.ts';
import { undoImport } from '../../features/posting/imports/undo-import.ts';
import {
  amountText,
  booleanText,
  exactNumber,
  id,
  idParams,
  instant,
  moneyAnswer,
  pathId,
  tenantParams,
  text,
  wholeText,
} from '../../http/fields.ts';
import { importResult, placeIn, resultToWire, sortByRow } from '../../http/import-result.ts';
import { languageOf } from '../../http/language.ts';
import { BATCH_FIELDS, batchAnswer, batchToWire } from '../../http/movements/batches.routes.ts';
import { pageQuery } from '../../http/paging.ts';
import { wireProblem } from '../../http/problem-details.ts';
import { RequestError } from '../../http/request-error.ts';
import { RouteResponse, route } from '../../http/route.ts';
import { uploadBody, uploadOf } from '../../http/upload.ts';
import type { Context } from '../../platform/context.ts';
import { jsonImportBody, receiveJsonImport } from './json-import.ts';

/** Of all three formats: import a content again, and what the sender says that the file has. */
const importQuery = {
  force: booleanText.optional(),
  controlRows: wholeText(0, 1_000_000_000).optional().meta({ type: 'integer', example: 5 }),
  controlDebits: amountText.optional(),
  controlCredits: amountText.optional(),
};

function controlOf(query: z.output<z.ZodObject<typeof importQuery>>): ControlTotals {
  return { rows: query.controlRows, debits: query.controlDebits, credits: query.controlCredits };
}

export const importCsvRoute = route({
  operationId: 'importEntriesCsv',
  method: 'POST',
  path: '/batch/{batchId}/import',
  cost: 'upload',
  summary: 'Imports entries from a CSV file into a batch',
  tag: 'Imports',
  access: { to: 'record', record: 'batch', id: ({ batchId }) => batchId, routine: 'IMPORT' },
  params: z.object({ batchId: pathId }),
  query: z.strictObject({ dryRun: booleanText.optional(), ...importQuery }),
  accepts: ['stream'],
  body: uploadBody,
  answer: importResult,
  idempotent: 'byHandler',
  handle: async ({ params, query, tenant, config, raw, metrics, once }) => {
    const upload = await uploadOf(raw, query, config.uploadLimit);
    const { name, dryRun, force } = upload;
    try {
      return await once(`${upload.file.sha256} ${JSON.stringify({ name, dryRun, force })}`, async (context) => {
        const outcome = await importCsv(context, tenant, params.batchId, {
          ...upload,
          maxRows: config.importMaxRows,
          control: controlOf(query),
        });
        metrics.importRows.inc(
          { kind: 'csv', outcome: outcome.problems.count === 0 ? 'right' : 'refused' },
          outcome.rows,
        );
        return resultToWire(outcome, dryRun, languageOf(raw.headers['accept-language']));
      });
    } finally {
      await upload.file.remove();
    }
  },
});

/** The lines of the file, which is read as a stream. */
const iplText = z.any().meta({
  type: 'string',
  example:
    '20001 0001 000009000000000120260105000001D1.1.1               1.1.2               00000000000010000     Aporte                                              ',
});

export const importIplRoute = route({
  operationId: 'importEntriesFixedWidth',
  method: 'POST',
  path: '/importMoviment/{company}/{branch}/{fname}',
  fieldNames: BATCH_FIELDS,
  cost: 'upload',
  summary: 'Imports entries from a fixed-width file (IPL) as a new batch',
  tag: 'Imports',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), routine: 'IMPORT' },
  params: tenantParams.extend({ fname: text(200, 1) }),
  query: z.strictObject(importQuery),
  accepts: ['text'],
  body: iplText,
  status: 201,
  answer: batchAnswer,
  idempotent: 'byHandler',
  handle: async ({ params, query, tenant, config, raw, metrics, once }) => {
    // Nothing sent at all is an empty file.
    const file = await writeToTemporaryFile(
      (raw.body as Readable | undefined) ?? Readable.from([]),
      'latin1',
      config.uploadLimit,
      raw.takeUpload,
    );
    try {
      return await once(file.sha256, async (context) => {
        const { outcome, batchId } = await importIpl(context, tenant, {
          name: params.fname,
          file,
          force: query.force ?? false,
          maxRows: config.importMaxRows,
          control: controlOf(query),
        });
        const language = languageOf(raw.headers['accept-language']);
        const line = language === 'pt' ? 'linha' : 'line';
        rejectProblems(outcome, (found) => `${line} ${found.row}, ${placeIn(found.place, language)}`);
        metrics.importRows.inc({ kind: 'ipl', outcome: 'right' }, outcome.rows);
        return batchOf(context, tenant.companyId, batchId);
      });
    } finally {
      await file.remove();
    }
  },
});

export const importJsonRoute = route({
  operationId: 'importEntriesJson',
  method: 'POST',
  path: '/importMovimentJson',
  fieldNames: BATCH_FIELDS,
  cost: 'upload',
  summary: 'Imports documents and entries from JSON as a new batch',
  tag: 'Imports',
  // The body names the branch: access is checked as soon as the name has been read.
  access: { to: 'signedIn', routine: 'IMPORT' },
  query: z.strictObject(importQuery),
  body: jsonImportBody,
  streamedJson: true,
  status: 201,
  answer: batchAnswer,
  idempotent: 'byHandler',
  handle: async (request) => {
    const { query, config, raw, metrics, user } = request;
    const force = query.force ?? false;
    // A user without any branch is rejected before a byte of the body is read.
    if (!user.admin && user.wholeCompanies.length + user.branches.length === 0) {
      reject('ROUTINE_DENIED', { routine: 'IMPORT' });
    }
    let admitted: typeof request | undefined;
    const limits = { bytes: config.uploadLimit, rows: config.importMaxRows };
    const batch = await receiveJsonImport(raw, limits, async (tenant) => {
      admitted = await request.admit({ to: 'tenant', of: () => tenant, routine: 'IMPORT' });
    });
    try {
      const { tenant, once } = admitted!;
      return await once(batch.file.sha256, async (context) => {
        const { outcome, batchId } = await importJson(context, tenant, { batch, force, control: controlOf(query) });
        rejectProblems(outcome, (found) => found.place);
        metrics.importRows.inc({ kind: 'json', outcome: 'right' }, outcome.rows);
        return batchOf(context, tenant.companyId, batchId);
      });
    } finally {
      await batch.file.remove();
    }
  },
});

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
  summary: 'A page of the imports of a branch, running ones included, newest first; their number in X-Total-Count',
  tag: 'Imports',
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  query: z.strictObject(pageQuery(1_000)),
  answer: z.array(importRecordAnswer),
  headers: ['X-Total-Count'],
  handle: async ({ query, context, tenant }) => {
    const total = await countImportRecords(context.sql, tenant);
    const records = await selectImportRecords(context.sql, tenant, query);
    return new RouteResponse(200, records.map(importRecordToWire), { 'x-total-count': String(total) });
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

async function batchOf(context: Context, companyId: CompanyId, batchId: number | undefined) {
  const batch = batchId === undefined ? undefined : await selectBatch(context.sql, companyId, batchId);
  return batchToWire(batch ?? reject('NOT_FOUND', recordRef('Batch')));
}

/** A file that is a batch of its own is rejected as a whole, with a field for each place. */
function rejectProblems(outcome: ImportOutcome, fieldOf: (found: RowProblem) => string): void {
  if (outcome.problems.count === 0) return;
  const { count } = outcome.problems;
  const reported = sortByRow(outcome.problems.told);
  throw new RequestError([
    ...reported.map((found) => ({ code: found.problem.code, params: found.problem.params, field: fieldOf(found) })),
    ...(count > reported.length ? [wireProblem('PROBLEMS_NOT_TOLD', { count, told: reported.length }, 'file')] : []),
  ]);
}
