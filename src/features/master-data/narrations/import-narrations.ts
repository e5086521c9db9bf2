import { problem } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import type { FileProblems } from '../../posting/imports/staged-row.ts';
import { importTable, type TableOutcome } from '../table-imports/import-table.ts';
import type { TableFile, TableLayout, TableRow } from '../table-imports/read-table.ts';
import { notesOn, RowReader } from '../table-imports/row-reader.ts';
import { insertNarrations, type NewNarration, type ReachedBranch, selectReachedBranches } from './narrations.sql.ts';

const COLUMNS = {
  company: ['company', 'empresa'],
  branch: ['branch', 'filial'],
  code: ['cdHistory', 'cdhistorico', 'codigo'],
  description: ['description', 'descricao', 'historico'],
  requiresComplement: ['requiresComplement', 'exigeComplemento'],
  side: ['debcre', 'dc'],
  active: ['active', 'ativo'],
} as const;

type Field = keyof typeof COLUMNS;

const LAYOUT: TableLayout<Field> = { columns: COLUMNS, required: ['code', 'description'] };

interface ParsedRow extends Omit<NewNarration, 'companyId' | 'branchId'> {
  readonly row: number;
  /** Both absent: everybody's. */
  readonly company: string | undefined;
  readonly branch: string | undefined;
}

/** Adds the standard narrations of a file (domain: imports and bulk); without company and branch they are everybody's. */
export function importNarrations(
  context: Context,
  upload: { readonly file: TableFile; readonly dryRun: boolean },
): Promise<TableOutcome> {
  return importTable(context.transaction, upload.file, upload.dryRun, {
    layout: LAYOUT,
    read: readRow,
    write: (sql, rows, problems) => addNarrations(sql, context, rows, problems),
  });
}

function readRow(row: TableRow<Field>, problems: FileProblems): ParsedRow | undefined {
  const cells = new RowReader(row, LAYOUT, problems);
  const company = cells.code('company', 10);
  const branch = cells.code('branch', 10);
  if ((company === undefined) !== (branch === undefined)) {
    cells.refuse(company === undefined ? 'company' : 'branch', 'MISSING_VALUE');
  }
  const given: ParsedRow = {
    row: row.row,
    company,
    branch,
    code: cells.required('code', 5, 'code'),
    description: cells.required('description', 500),
    requiresComplement: cells.flag('requiresComplement') ?? false,
    side: cells.oneOf('side', ['D', 'C']),
    active: cells.flag('active') ?? true,
  };
  return cells.sound ? given : undefined;
}

async function addNarrations(
  sql: Transaction,
  context: Context,
  rows: readonly ParsedRow[],
  problems: FileProblems,
): Promise<void> {
  const wrong = notesOn(problems, LAYOUT);
  const companies = new Set(rows.flatMap(({ company }) => company ?? []));
  const branches = new Map<string, ReachedBranch>(
    (await selectReachedBranches(sql, [...companies])).map((each) => [placeOf(each.company, each.branch), each]),
  );
  const narrations = new Map<string, NewNarration & { readonly row: number }>();
  for (const { company, branch, ...given } of rows) {
    const owner = company === undefined ? undefined : branches.get(placeOf(company, branch));
    if (company !== undefined && owner === undefined) {
      wrong(given.row, 'branch', problem('NOT_FOUND', recordRef('Branch', `${company}/${branch}`)));
      continue;
    }
    const { companyId, branchId } = owner ?? { companyId: null, branchId: null };
    const key = placeOf(branchId, given.code);
    if (narrations.has(key)) wrong(given.row, 'code', problem('DUPLICATE', recordRef('Narration', given.code)));
    else narrations.set(key, { ...given, companyId, branchId });
  }
  if (problems.count > 0) return;
  const written = await insertNarrations(sql, [...narrations.values()]);
  const added = new Set(written.map((each) => placeOf(each.branchId, each.code)));
  for (const [key, { row, code }] of narrations) {
    if (!added.has(key)) wrong(row, 'code', problem('DUPLICATE', recordRef('Narration', code)));
  }
  await recordAudit(sql, context, {
    action: 'IMPORT',
    entity: 'standard_narration',
    after: { narrations: added.size },
  });
}

function placeOf(...parts: (string | number | null | undefined)[]): string {
  return JSON.stringify(parts);
}
