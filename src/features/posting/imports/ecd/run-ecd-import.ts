import { monthOfDay } from '../../../../accounting/period.ts';
import type { Context } from '../../../../platform/context.ts';
import type { Transaction } from '../../../../platform/database/sql.ts';
import type { Tenant } from '../../../access/access.ts';
import { recordAudit } from '../../../access/audit.sql.ts';
import { CONSTRAINT, violates } from '../../../constraints.ts';
import { selectCompany } from '../../../master-data/companies/companies.read.sql.ts';
import { selectOptions } from '../../../master-data/companies/company-options.read.sql.ts';
import { aboveLimit } from '../../../operations/approvals/batch-limit.ts';
import type { WrittenImport } from '../import-records.sql.ts';
import type { SpooledFile } from '../spool.ts';
import type { ImportMark } from '../staging.sql.ts';
import { placeImport } from './ecd.sql.ts';
import type { EcdImportOptions, EcdImportProgress, EcdImportResult, EcdProof } from './ecd-import.ts';
import { type EcdChart, type EcdSession, nothingCreated } from './ecd-session.ts';
import { importChart, importMapping, referenceChartOf } from './import-chart.ts';
import { importNarrations, importSignatories, importStatements } from './import-master-data.ts';
import { beginBooks, firstMonthOf, importOpening } from './import-opening.ts';
import { proveBooks } from './prove-books.ts';
import { type ReadEcd, readEcd } from './read-ecd.ts';
import { writeEntries } from './write-entries.ts';

/** What an import is asked for, and by what it works. */
export interface EcdImportWork {
  /** Everything in it is one transaction, which `sql` is. */
  readonly context: Context;
  readonly sql: Transaction;
  readonly tenant: Tenant;
  readonly mark: ImportMark;
  readonly file: Pick<SpooledFile, 'path'>;
  readonly options: EcdImportOptions;
  readonly describe: (error: unknown) => string;
  readonly tell: (progress: EcdImportProgress) => void;
}

/** What was done, and what its record says of it. */
export interface EcdOutcome {
  readonly result: EcdImportResult;
  readonly written: WrittenImport | undefined;
}

/**
 * Reads and checks a bookkeeping file and puts it into the books: chart, master data, opening balances and entries, and
 * then the proof against the file's own balances. All of it, or nothing; a dry run does all of it and undoes it.
 */
export async function runEcdImport(work: EcdImportWork): Promise<EcdOutcome> {
  const read = await readEcd(work.file, work.options, (lines) => work.tell({ step: 'LENDO', lines }));
  await lookAtTarget(work, read);
  if (read.findings.stops > 0) return { result: resultOf(work, read, undefined), written: undefined };
  try {
    return await work.context.transaction((sql) => writeAll({ ...work, sql }, read));
  } catch (error) {
    if (error instanceof Undone) return { result: resultOf(work, read, error), written: undefined };
    if (aboveLimit(error) !== undefined) read.findings.own('PARTIDAS_LOTE_ACIMA_DO_LIMITE');
    else if (violates(error, CONSTRAINT.ENTRY_NUMBER)) read.findings.own('PARTIDAS_NUMERO_DE_LANCAMENTO');
    else throw error;
    return { result: resultOf(work, read, undefined), written: undefined };
  }
}

/** Thrown to undo what was tried, or what does not hold; carries what there was. */
class Undone extends Error {
  readonly created: EcdSession['created'] | undefined;
  readonly proof: EcdProof | undefined;

  constructor(created: EcdSession['created'] | undefined, proof: EcdProof | undefined) {
    super('nothing is saved');
    this.created = created;
    this.proof = proof;
  }
}

async function writeAll(work: EcdImportWork, read: ReadEcd): Promise<EcdOutcome> {
  const { sql, tenant, mark, options } = work;
  const { contents, findings } = read;
  const session: EcdSession = { ...work, contents, findings, created: nothingCreated(), newStatements: new Set() };
  const { created } = session;
  work.tell({ step: 'CADASTROS', lines: 0 });
  const chart = await importMasterData(session);
  if (chart === undefined || findings.stops > 0) throw new Undone(undefined, undefined);
  const entries = await writeEntries(session, chart, work.file);
  if (findings.stops > 0) throw new Undone(undefined, undefined);
  const proof = await proveBooks(session, chart);
  if (options.dryRun || findings.stops > 0) throw new Undone(created, proof);
  await placeImport(sql, tenant.companyId, mark.importId, {
    ...{ month: firstMonthOf(session), batchId: entries.firstBatchId },
  });
  await recordAudit(sql, work.context, {
    ...{ action: 'IMPORT', entity: 'import', entityId: mark.importId, ...tenant },
    after: { kind: 'ECD', ...created, proof },
  });
  const { firstBatchId: batchId, debits, credits } = entries;
  const result = { ...resultOf(work, read, { created, proof }), imported: true };
  return { result, written: { batchId, lines: created.lines, debits, credits } };
}

/** Chart, options, narrations, mapping, statements, signatories and opening balances, in the order of their needs. */
async function importMasterData(session: EcdSession): Promise<EcdChart | undefined> {
  const { sql, tenant, options, findings } = session;
  const books = await selectOptions(sql, tenant.companyId, tenant.branchId);
  const chart = await importChart(session, books?.chart ?? options.chart!);
  if (chart === undefined || findings.stops > 0) return undefined;
  const referenceChart = await referenceChartOf(session);
  if (books === undefined) await beginBooks(session, chart, referenceChart);
  else await importSignatories(session);
  await importNarrations(session);
  if (referenceChart !== undefined) await importMapping(session, chart, referenceChart);
  await importStatements(session, chart);
  await importOpening(session, chart);
  return chart;
}

/** Whether the file is of this company, and what is asked fits it. */
async function lookAtTarget({ sql, tenant, options }: EcdImportWork, { contents, findings }: ReadEcd): Promise<void> {
  const { cnpj } = (await selectCompany(sql, tenant.companyId))!;
  const own = cnpj.replace(/[^0-9A-Za-z]/g, '');
  const place = { register: '0000', field: 'CNPJ', value: contents.cnpj };
  if (own.slice(0, 8) !== contents.cnpj.slice(0, 8)) findings.own('PARTIDAS_OUTRO_CNPJ', place);
  else if (own !== contents.cnpj) findings.own('PARTIDAS_OUTRO_ESTABELECIMENTO', place);
  if (contents.withCostCentre > 0) {
    const rule = options.costCentre === 'RECUSAR' ? 'PARTIDAS_CENTRO_DE_CUSTOS' : 'PARTIDAS_CENTRO_DE_CUSTOS_SOMADO';
    findings.own(rule, { line: contents.withCostCentre, field: 'COD_CCUS' });
  }
}

function resultOf(
  { mark }: EcdImportWork,
  { contents, findings, lines, bytes }: ReadEcd,
  made: Pick<Undone, 'created' | 'proof'> | undefined,
): EcdImportResult {
  const { layout, form, from, to } = contents;
  return {
    ...{ imported: false, importId: mark.importId, layout, book: form, lines, bytes },
    ...{ from: from === undefined ? null : monthOfDay(from), to: to === undefined ? null : monthOfDay(to) },
    ...findings.result(),
    ...{ created: made?.created ?? null, proof: made?.proof ?? null },
  };
}
