import { Readable } from 'node:stream';
import { z } from 'zod';
import type { CompanyId } from '../../accounting/ids.ts';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import type { Tenant } from '../../features/access/access.ts';
import { AwaitingApproval } from '../../features/operations/approvals/ask-approval.ts';
import type { Draft } from '../../features/operations/approvals/draft-effects.ts';
import { postOrKeep } from '../../features/operations/approvals/keep-draft.ts';
import { selectBatch } from '../../features/posting/batches/batches.read.sql.ts';
import type { ControlTotals } from '../../features/posting/imports/control-totals.ts';
import { importCsv } from '../../features/posting/imports/import-csv.ts';
import { importIpl } from '../../features/posting/imports/import-ipl.ts';
import { importJson } from '../../features/posting/imports/import-json.ts';
import type { ImportOutcome } from '../../features/posting/imports/import-movements.ts';
import { writeToTemporaryFile } from '../../features/posting/imports/spool.ts';
import type { RowProblem } from '../../features/posting/imports/staged-row.ts';
import { approvalAnswer, awaitingAnswer } from '../../http/approvals.ts';
import {
  amountText,
  booleanText,
  exactNumber,
  id,
  moneyAnswer,
  pathId,
  tenantParams,
  text,
  wholeText,
} from '../../http/fields.ts';
import { importResult, placeIn, resultToWire, sortByRow } from '../../http/import-result.ts';
import { type Language, languageOf } from '../../http/language.ts';
import { BATCH_FIELDS, batchAnswer, batchToWire } from '../../http/movements/batches.routes.ts';
import { wireProblem } from '../../http/problem-details.ts';
import { RequestError } from '../../http/request-error.ts';
import { RouteResponse, route } from '../../http/route.ts';
import { uploadBody, uploadOf } from '../../http/upload.ts';
import type { Context } from '../../platform/context.ts';
import { jsonImportBody, receiveJsonImport } from './json-import.ts';

/** Of all three formats: check and save nothing, import a content again, and what the sender says that the file has. */
const importQuery = {
  dryRun: booleanText.optional(),
  force: booleanText.optional(),
  controlRows: wholeText(0, 1_000_000_000).optional().meta({ type: 'integer', example: 5 }),
  controlDebits: amountText.optional(),
  controlCredits: amountText.optional(),
};

function controlOf(query: z.output<z.ZodObject<typeof importQuery>>): ControlTotals {
  return { rows: query.controlRows, debits: query.controlDebits, credits: query.controlCredits };
}

/** What an import says of itself beside the rest of its answer. */
const importFacts = {
  importId: id,
  debits: moneyAnswer
    .nullable()
    .meta({ description: 'sum of the lines that the file stands for; null: it has faults' }),
  credits: moneyAnswer.nullable(),
};

const fileResult = importResult.extend(importFacts).meta({ title: 'FileImportResult' });

/** The batch that a file became. */
const importedBatch = batchAnswer
  .extend({ ...importFacts, rows: z.number().int().meta({ example: 5 }) })
  .meta({ title: 'ImportedBatch' });

type FileAnswer = z.input<typeof importedBatch> | z.input<typeof fileResult> | z.input<typeof approvalAnswer>;

/** A file that is only checked is never a draft. */
function importOrKeep<Imported>(
  context: Context,
  tenant: Tenant,
  draft: Draft,
  dryRun: boolean,
  work: () => Promise<Imported>,
): Promise<Imported | AwaitingApproval> {
  return dryRun ? work() : postOrKeep(context, tenant, draft, work);
}

function factsOf({ importId, debits, credits }: ImportOutcome) {
  const sum = (decimal: string | undefined) => (decimal === undefined ? null : exactNumber(decimal));
  return { importId, debits: sum(debits), credits: sum(credits) };
}

function resultOf(outcome: ImportOutcome, dryRun: boolean, language: Language) {
  return { ...resultToWire(outcome, dryRun, language), ...factsOf(outcome) };
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
  query: z.strictObject(importQuery),
  accepts: ['stream'],
  body: uploadBody,
  answer: fileResult,
  otherAnswers: { 202: approvalAnswer },
  idempotent: 'byHandler',
  handle: async ({ params, query, tenant, config, raw, metrics, once }) => {
    const upload = await uploadOf(raw, query, config.uploadLimit);
    const { name, dryRun, force } = upload;
    try {
      return await once<z.input<typeof fileResult> | z.input<typeof approvalAnswer>>(
        `${upload.file.sha256} ${JSON.stringify({ name, dryRun, force })}`,
        async (context) => {
          const asked = { name, dryRun, force, maxRows: config.importMaxRows, control: controlOf(query) };
          const { file } = upload;
          const draft = { operation: 'importCsv', input: [params.batchId, asked], file } as const;
          const outcome = await importOrKeep(context, tenant, draft, dryRun, () =>
            importCsv(context, tenant, params.batchId, { ...asked, file }),
          );
          if (outcome instanceof AwaitingApproval) return awaitingAnswer(outcome, context.caller);
          metrics.importRows.inc(
            { kind: 'csv', outcome: outcome.problems.count === 0 ? 'right' : 'refused' },
            outcome.rows,
          );
          return resultOf(outcome, dryRun, languageOf(raw.headers['accept-language']));
        },
      );
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
  answer: importedBatch,
  otherAnswers: { 200: fileResult, 202: approvalAnswer },
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
      const { dryRun = false, force = false } = query;
      return await once<FileAnswer>(file.sha256, async (context) => {
        const asked = { name: params.fname, dryRun, force, maxRows: config.importMaxRows, control: controlOf(query) };
        const imported = await importOrKeep(
          context,
          tenant,
          { operation: 'importIpl', input: [asked], file },
          dryRun,
          () => importIpl(context, tenant, { ...asked, file }),
        );
        if (imported instanceof AwaitingApproval) return awaitingAnswer(imported, context.caller);
        const { outcome, batchId } = imported;
        const language = languageOf(raw.headers['accept-language']);
        if (dryRun) return new RouteResponse(200, resultOf(outcome, dryRun, language));
        const line = language === 'pt' ? 'linha' : 'line';
        rejectProblems(outcome, (found) => `${line} ${found.row}, ${placeIn(found.place, language)}`);
        metrics.importRows.inc({ kind: 'ipl', outcome: 'right' }, outcome.rows);
        return batchOf(context, tenant.companyId, batchId, outcome);
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
  answer: importedBatch,
  otherAnswers: { 200: fileResult, 202: approvalAnswer },
  idempotent: 'byHandler',
  handle: async (request) => {
    const { query, config, raw, metrics, user } = request;
    const { dryRun = false, force = false } = query;
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
      return await once<FileAnswer>(batch.file.sha256, async (context) => {
        const asked = { dryRun, force, control: controlOf(query) };
        const { file, ...rest } = batch;
        const draft = { operation: 'importJson', input: [{ ...asked, batch: rest }], file } as const;
        const imported = await importOrKeep(context, tenant, draft, dryRun, () =>
          importJson(context, tenant, { ...asked, batch }),
        );
        if (imported instanceof AwaitingApproval) return awaitingAnswer(imported, context.caller);
        const { outcome, batchId } = imported;
        if (dryRun) {
          const language = languageOf(raw.headers['accept-language']);
          return new RouteResponse(200, resultOf(outcome, dryRun, language));
        }
        rejectProblems(outcome, (found) => found.place);
        metrics.importRows.inc({ kind: 'json', outcome: 'right' }, outcome.rows);
        return batchOf(context, tenant.companyId, batchId, outcome);
      });
    } finally {
      await batch.file.remove();
    }
  },
});

async function batchOf(
  context: Context,
  companyId: CompanyId,
  batchId: number | undefined,
  outcome: ImportOutcome,
): Promise<z.input<typeof importedBatch>> {
  const batch = batchId === undefined ? undefined : await selectBatch(context.sql, companyId, batchId);
  const wire = batchToWire(batch ?? reject('NOT_FOUND', recordRef('Batch')));
  return { ...wire, ...factsOf(outcome), rows: outcome.rows };
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
