import { firstDay, lastDay, type Month } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { BranchRow, CompanyRow } from '../../master-data/companies/companies.read.sql.ts';
import type { CompanyOptionsRow } from '../../master-data/companies/company-options.read.sql.ts';
import {
  type Institution,
  isOfBranches,
  type Member,
  membersIn,
  type ReportedBooks,
} from '../../master-data/companies/institution.ts';
import { rejectNoBooks } from '../../master-data/companies/require-books.ts';
import { readMonthStates } from './month-states.ts';
import {
  type Moment,
  type PrintedFund,
  selectPrintedBranch,
  selectPrintedCompany,
  selectPrintedFund,
  selectPrintedOptions,
} from './printed-names.read.sql.ts';

/** The entity of the books and their options, as of the shown month. */
export interface ReportingEntity {
  readonly company: CompanyRow;
  readonly branch: BranchRow;
  readonly options: CompanyOptionsRow;
  /** The fund that the branch keeps the books of; undefined where there is none. */
  readonly fund: PrintedFund | undefined;
  /** When the month shown was closed: its names are those of then. undefined: they are those of now. */
  readonly namesAt: Moment | undefined;
  /** Of an institution; `branch` and `options` are those of its head office then. */
  readonly institution?: {
    /** The branches whose books are summed. */
    readonly members: readonly Member[];
    /** Codes of the branches left out because they keep the books of funds. */
    readonly funds: readonly string[];
  };
}

/** `month` is the last one shown. Rejects a branch that has no chart of accounts yet. */
export async function readReportingEntity(
  { sql, tenant: books }: { readonly sql: Sql; readonly tenant: ReportedBooks },
  month: Month,
): Promise<ReportingEntity> {
  const [state] = await readMonthStates(sql, books, firstDay(month), lastDay(month));
  const namesAt = state?.closedAt ?? undefined;
  const tenant = isOfBranches(books) ? books.seat : books;
  const [company, branch, found, fund] = await sql.pipelined((reads) =>
    Promise.all([
      selectPrintedCompany(reads, tenant, namesAt),
      selectPrintedBranch(reads, tenant, namesAt),
      selectPrintedOptions(reads, tenant, namesAt),
      isOfBranches(books) ? undefined : selectPrintedFund(reads, tenant, namesAt),
    ]),
  );
  if (!company || !branch) reject('NOT_FOUND', recordRef('Branch', tenant.branch));
  const options = found ?? rejectNoBooks(tenant);
  const entity = { company, branch, options, fund, namesAt };
  return isOfBranches(books) ? asInstitution(entity, books, month) : entity;
}

/** The company's register stands in the place of the branch's; the address is the head office's where only that is known. */
function asInstitution(entity: ReportingEntity, institution: Institution, month: Month): ReportingEntity {
  const { company, branch, options } = entity;
  return {
    ...entity,
    branch: {
      ...branch,
      cnpj: null,
      nire: null,
      nireDate: null,
      street: company.street === null ? branch.street : null,
    },
    options: { ...options, baseMonth: institution.baseMonth },
    institution: { members: membersIn(institution, month), funds: institution.funds },
  };
}
