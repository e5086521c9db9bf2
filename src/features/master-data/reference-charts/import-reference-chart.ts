import iconv from 'iconv-lite';
import { problem, reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import type { FileProblems } from '../../posting/imports/staged-row.ts';
import { requireRecord } from '../records/records.read.sql.ts';
import { importTable, type TableOutcome } from '../table-imports/import-table.ts';
import type { TableFile, TableLayout, TableRow } from '../table-imports/read-table.ts';
import { RowReader } from '../table-imports/row-reader.ts';
import { validityProblems } from '../validity.ts';
import {
  insertReferenceAccounts,
  lockReferenceChart,
  type NewReferenceAccount,
  selectReferencePlaces,
} from './reference-charts.sql.ts';
import { parentProblems } from './save-reference-account.ts';
import { REFERENCE_CHART } from './save-reference-chart.ts';

/** The wire's names and those of the tables that the Receita Federal publishes. */
const COLUMNS = {
  code: ['code', 'codigo'],
  description: ['description', 'descricao'],
  validFrom: ['validFrom', 'dt_ini'],
  validTo: ['validTo', 'dt_fim'],
  orderNumber: ['orderNumber', 'ordem'],
  type: ['type', 'tipo'],
  parentCode: ['parentCode', 'cod_sup'],
  level: ['level', 'nivel'],
  nature: ['nature', 'natureza'],
} as const;

type Field = keyof typeof COLUMNS;

const LAYOUT: TableLayout<Field> = {
  columns: COLUMNS,
  required: ['code', 'description', 'validFrom', 'type', 'level', 'nature'],
};

interface ParsedRow extends NewReferenceAccount {
  readonly row: number;
}

/**
 * Adds the accounts of a file to a reference chart (domain: imports and bulk). `confirmed` keeps accounts without their
 * parent: some published tables are so (ten accounts of the Receita Federal's plan 6).
 */
export async function importReferenceChart(
  context: Context,
  chartId: string,
  upload: { readonly file: TableFile; readonly dryRun: boolean; readonly confirmed: boolean },
): Promise<TableOutcome> {
  await requireReferenceChart(context, chartId);
  return importTable(context.transaction, upload.file, upload.dryRun, {
    layout: LAYOUT,
    read: readRow,
    write: (sql, rows, problems) => addAccounts(sql, context, { chartId, confirmed: upload.confirmed }, rows, problems),
  });
}

/** Checked before the file is read: 404 for an unknown chart. */
export async function requireReferenceChart(context: Context, chartId: string): Promise<void> {
  await requireRecord(context.sql, REFERENCE_CHART, chartId);
}

function readRow({ row, cells: written }: TableRow<Field>, problems: FileProblems): ParsedRow | undefined {
  const readable = {
    ...written,
    description: withPunctuation(written.description),
    validFrom: toSlashDate(written.validFrom),
    validTo: toSlashDate(written.validTo),
  };
  const cells = new RowReader({ row, cells: readable }, LAYOUT, problems);
  const code = cells.required('code', 40, 'code');
  const description = cells.required('description', 500);
  const nature = cells.required('nature', 2);
  const validFrom = cells.day('validFrom');
  const validTo = cells.day('validTo');
  const type = cells.oneOf('type', ['S', 'A']);
  const level = wholeOf(cells, 'level', written.level, 20);
  if (written.validFrom === '') cells.refuse('validFrom', 'MISSING_VALUE');
  if (written.type === '') cells.refuse('type', 'MISSING_VALUE');
  if (written.level === '') cells.refuse('level', 'MISSING_VALUE');
  for (const each of validityProblems(validFrom, validTo)) cells.refuse('validTo', each);
  const parentCode = cells.text('parentCode', 40);
  const orderNumber = wholeOf(cells, 'orderNumber', written.orderNumber, 1_000_000);
  if (!cells.sound || validFrom === undefined || type === undefined || level === undefined) return undefined;
  return { row, code, description, validFrom, validTo, orderNumber, type, parentCode, level, nature };
}

/** Published tables write days as DDMMYYYY. */
function toSlashDate(written: string): string {
  return written.replace(/^(\d{2})(\d{2})(\d{4})$/, '$1/$2/$3');
}

/** They also carry dashes and quotes of Windows-1252 that went through a conversion from Latin-1. */
function withPunctuation(written: string): string {
  return written.replace(/[\u0080-\u009f]/g, (character) =>
    iconv.decode(Buffer.from(character, 'latin1'), 'windows-1252'),
  );
}

function wholeOf(cells: RowReader<Field>, field: Field, written: string, most: number): number | undefined {
  if (written === '') return undefined;
  if (/^\d{1,7}$/.test(written) && Number(written) <= most) return Number(written);
  return cells.invalid(field, { reason: 'NO_WHOLE_NUMBER', maximum: most });
}

async function addAccounts(
  sql: Transaction,
  context: Context,
  { chartId, confirmed }: { readonly chartId: string; readonly confirmed: boolean },
  rows: readonly ParsedRow[],
  problems: FileProblems,
): Promise<void> {
  const chart = (await lockReferenceChart(sql, chartId)) ?? reject('NOT_FOUND', recordRef('Reference chart', chartId));
  const levels = new Map<string, number[]>();
  for (const { code, level } of [...(await selectReferencePlaces(sql, chartId)), ...rows]) {
    levels.set(code, [...(levels.get(code) ?? []), level]);
  }
  const accounts = new Map<string, ParsedRow>();
  const duplicate = ({ row, code }: ParsedRow) =>
    problems.add({
      row,
      place: COLUMNS.code[0],
      problem: problem('DUPLICATE', recordRef('Reference account', code)),
    });
  for (const account of rows) {
    const key = keyOf(account);
    if (accounts.has(key)) duplicate(account);
    else accounts.set(key, account);
    const { row, parentCode, level } = account;
    const above = parentCode === undefined ? undefined : levels.get(parentCode);
    if (confirmed && parentCode !== undefined && above === undefined) continue;
    for (const each of parentProblems(parentCode, level, above)) {
      problems.add({ row, place: COLUMNS[each.path as 'parentCode' | 'level'][0], problem: each });
    }
  }
  if (problems.count > 0) return;
  const written = new Set((await insertReferenceAccounts(sql, chartId, [...accounts.values()])).map(keyOf));
  for (const [key, account] of accounts) if (!written.has(key)) duplicate(account);
  await recordAudit(sql, context, {
    action: 'IMPORT',
    entity: 'reference_chart',
    entityId: chartId,
    after: { code: chart.code, accounts: written.size },
  });
}

function keyOf({ code, validFrom }: Pick<NewReferenceAccount, 'code' | 'validFrom'>): string {
  return `${validFrom} ${code}`;
}
