import { problem } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Config } from '../../../platform/config.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { ELEVATION } from '../../access/elevation-reasons.ts';
import type { FileProblems } from '../../posting/imports/staged-row.ts';
import { importTable, type TableOutcome } from '../table-imports/import-table.ts';
import { csvColumns, readFields } from '../table-imports/read-fields.ts';
import type { TableFile, TableLayout, TableRow } from '../table-imports/read-table.ts';
import { notesOn, RowReader } from '../table-imports/row-reader.ts';
import {
  type CompanyInput,
  grantCompanies,
  insertBranches,
  insertCompanies,
  type NewBranch,
  type NewCompany,
  selectTakenCodes,
} from './companies.sql.ts';
import { ADDRESS_FIELDS, COMPANY_FIELDS } from './company-fields.ts';

/** A row has the fields of its company, and of a branch those that a company does not have under the same name. */
const COLUMNS = {
  company: ['company', 'empresa'],
  ...csvColumns(COMPANY_FIELDS),
  branch: ['branch', 'filial'],
  branchName: ['branchName', 'nomeFilial'],
  branchCnpj: ['branchCnpj', 'cnpjFilial'],
  headOffice: ['headOffice', 'matriz'],
} as const;

type Field = keyof typeof COLUMNS;

const LAYOUT: TableLayout<Field> = { columns: COLUMNS, required: ['company'] };

/** A row: a company where the code stands for the first time, and a branch where one is named. */
interface ParsedRow {
  readonly row: number;
  readonly code: string;
  readonly company: NewCompany | undefined;
  readonly branch: Omit<NewBranch, 'companyId'> | undefined;
}

/**
 * Creates companies with their branches from a file (domain: imports and bulk): a row a branch, the company's fields on the first
 * row of its code; or branches of a company that the caller has whole. The caller gets access to what is created.
 */
export async function importCompanies(
  context: Context,
  config: Pick<Config, 'cnpjCheckDigits'>,
  upload: { readonly file: TableFile; readonly dryRun: boolean },
): Promise<TableOutcome> {
  const transaction = (work: (sql: Transaction) => Promise<void>) =>
    context.elevated(ELEVATION.newCompany, (system) => system.transaction(work));
  const strict = config.cnpjCheckDigits === 'strict';
  const outcome = await importTable(transaction, upload.file, upload.dryRun, {
    layout: LAYOUT,
    read: (row, problems) => readRow(row, problems, strict),
    write: (sql, rows, problems) => addCompanies(sql, context, rows, problems),
  });
  if (outcome.problems.count === 0 && !upload.dryRun) context.rightsChanged();
  return outcome;
}

function readRow(row: TableRow<Field>, problems: FileProblems, strict: boolean): ParsedRow | undefined {
  const cells = new RowReader(row, LAYOUT, problems);
  const code = cells.required('company', 10, 'code');
  const branchCode = cells.code('branch', 10);
  const given = readFields(cells, COMPANY_FIELDS, { strictCnpj: strict });
  const { name, cnpj = '', zipCode = '' } = given;
  const branch: Omit<NewBranch, 'companyId'> | undefined =
    branchCode === undefined
      ? undefined
      : {
          ...sharedFields(given),
          code: branchCode,
          name: cells.name('branchName', 200) ?? name ?? branchCode,
          cnpj: cells.cnpj('branchCnpj', strict),
          headOffice: cells.flag('headOffice') ?? false,
          active: true,
        };
  const company = name === undefined ? undefined : { ...given, code, name, cnpj, zipCode, active: true };
  return cells.sound ? { row: row.row, code, company, branch } : undefined;
}

/** Postal code and address: a branch created by a file has its company's address. */
function sharedFields(company: Partial<CompanyInput>): Partial<NewBranch> {
  const { zipCode } = company;
  return { zipCode, ...Object.fromEntries(Object.keys(ADDRESS_FIELDS).map((name) => [name, company[name as 'city']])) };
}

async function addCompanies(
  sql: Transaction,
  context: Context,
  rows: readonly ParsedRow[],
  problems: FileProblems,
): Promise<void> {
  const wrong = notesOn(problems, LAYOUT);
  const { companies: taken, branches: takenBranches } = await selectTakenCodes(sql, [
    ...new Set(rows.map((row) => row.code)),
  ]);
  const existing = new Map(taken.map((each) => [each.code, each.id]));
  const seenBranches = new Set(takenBranches.map((each) => `${each.company}/${each.branch}`));
  const created = new Map<string, NewCompany>();
  const branches: { companyCode: string; branch: Omit<NewBranch, 'companyId'> }[] = [];
  const { companies: reach, wholeCompanies } = context.scope;
  for (const { row, code, company, branch } of rows) {
    const id = existing.get(code);
    if (id !== undefined) {
      if (branch === undefined) wrong(row, 'company', problem('DUPLICATE', recordRef('Company', code)));
      else if (reach !== '*' && !wholeCompanies.includes(id)) {
        wrong(row, 'company', problem('TENANT_DENIED', { company: code, branch: branch.code }));
      }
    } else if (!created.has(code)) {
      const missing = (['name', 'cnpj', 'zipCode'] as const).filter((field) => !company?.[field]);
      for (const field of missing) wrong(row, field, problem('MISSING_VALUE'));
      if (company) created.set(code, company);
    } else if (branch === undefined) wrong(row, 'company', problem('DUPLICATE', recordRef('Company', code)));
    if (branch === undefined) continue;
    const key = `${code}/${branch.code}`;
    if (seenBranches.has(key)) wrong(row, 'branch', problem('DUPLICATE', recordRef('Branch', branch.code)));
    seenBranches.add(key);
    branches.push({ companyCode: code, branch });
  }
  if (problems.count > 0) return;
  const companyIds = await insertCompanies(sql, [...created.values()]);
  const idOf = new Map([...existing, ...companyIds.map((each) => [each.code, each.id] as const)]);
  await insertBranches(
    sql,
    branches.map((each) => ({ ...each.branch, companyId: idOf.get(each.companyCode)! })),
  );
  const ids = companyIds.map((each) => each.id);
  if (context.caller.id > 0) await grantCompanies(sql, context.caller.id, ids);
  await recordAudit(sql, context, {
    action: 'IMPORT',
    entity: 'company',
    after: { companies: [...created.keys()], branches: branches.length },
  });
}
