import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import { type Day, firstDay, type Month } from '../../accounting/period.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../platform/database/statement.ts';
import { JOB_COLUMNS, type JobRow } from '../operations/jobs/jobs.sql.ts';
import type { RuleResult } from './rule-result.ts';
import { resultsOf, type StoredResults } from './stored-results.ts';

export interface ProcessRow {
  readonly id: number;
  readonly companyId: CompanyId;
  readonly company: string;
  readonly branchId: BranchId;
  readonly branch: string;
  readonly documentId: number;
  readonly document: string;
  readonly month: Month;
  readonly executedAt: Date;
  readonly executedBy: string;
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
  readonly skipped: number;
}

const PROCESS = SQL`compliance_process.id, compliance_process.company_id AS "companyId", company.code AS company,
  compliance_process.branch_id AS "branchId", branch.code AS branch, compliance_process.document_id AS "documentId",
  regulatory_document.code AS document, to_char(compliance_process.month, 'YYYY-MM') AS month,
  compliance_process.executed_at AS "executedAt", compliance_process.executed_by AS "executedBy",
  compliance_process.passed, compliance_process.failed, compliance_process.broken, compliance_process.skipped`;

const SOURCE = SQL`compliance_process
  JOIN company ON company.id = compliance_process.company_id
  JOIN branch ON branch.company_id = compliance_process.company_id AND branch.id = compliance_process.branch_id
  JOIN regulatory_document ON regulatory_document.id = compliance_process.document_id`;

export interface ProcessFilter {
  /** Executed on this day of São Paulo or later. */
  readonly since?: Day | undefined;
  readonly companyId?: CompanyId | undefined;
  readonly branchId?: BranchId | undefined;
  readonly month?: Month | undefined;
  readonly documentId?: number | undefined;
  /** All of them instead of the newest of each branch, document and month. */
  readonly history: boolean;
  readonly limit: number;
  readonly offset: number;
}

const later = (companyId: CompanyId | undefined): Fragment => SQL`
  SELECT FROM compliance_process AS later
   WHERE later.company_id = compliance_process.company_id AND later.branch_id = compliance_process.branch_id
     AND later.document_id = compliance_process.document_id AND later.month = compliance_process.month
     AND later.id > compliance_process.id${companyId === undefined ? SQL`` : SQL` AND later.company_id = ${companyId}`}`;

/** The processes that the caller can access, newest first, and how many there are. */
export async function selectProcesses(sql: Sql, filter: ProcessFilter): Promise<{ rows: ProcessRow[]; total: number }> {
  const { since, companyId, branchId, month, documentId, history } = filter;
  const conditions = [
    SQL`can_access(compliance_process.company_id, compliance_process.branch_id)`,
    ...(companyId === undefined ? [] : [SQL`compliance_process.company_id = ${companyId}`]),
    ...(branchId === undefined ? [] : [SQL`compliance_process.branch_id = ${branchId}`]),
    ...(documentId === undefined ? [] : [SQL`compliance_process.document_id = ${documentId}`]),
    ...(month === undefined ? [] : [SQL`compliance_process.month = ${firstDay(month)}`]),
    ...(since === undefined
      ? []
      : [SQL`compliance_process.executed_at >= ${since}::date::timestamp AT TIME ZONE 'America/Sao_Paulo'`]),
    ...(history ? [] : [SQL`NOT EXISTS (${later(companyId)})`]),
  ];
  const rows = await sql.rows<ProcessRow & { total: number }>(SQL`
    SELECT ${PROCESS}, count(*) OVER () AS total
      FROM ${SOURCE}
     WHERE ${SQL.join(conditions, ' AND ')}
     ORDER BY compliance_process.id DESC
     LIMIT ${filter.limit} OFFSET ${filter.offset}`);
  return { rows, total: rows[0]?.total ?? 0 };
}

export function selectProcess(sql: Sql, companyId: CompanyId, id: number): Promise<ProcessRow | undefined> {
  return sql.maybe<ProcessRow>(SQL`
    SELECT ${PROCESS} FROM ${SOURCE}
     WHERE compliance_process.company_id = ${companyId} AND compliance_process.id = ${id}`);
}

/** The process of the same branch, document and month that this one replaced. */
export function selectPreviousProcess(sql: Sql, process: ProcessRow): Promise<{ id: number } | undefined> {
  return sql.maybe<{ id: number }>(SQL`
    SELECT compliance_process.id FROM compliance_process
     WHERE compliance_process.company_id = ${process.companyId} AND compliance_process.branch_id = ${process.branchId}
       AND compliance_process.document_id = ${process.documentId}
       AND compliance_process.month = ${firstDay(process.month)}
       AND compliance_process.id < ${process.id}
     ORDER BY compliance_process.id DESC LIMIT 1`);
}

export async function selectResults(sql: Sql, companyId: CompanyId, processId: number): Promise<RuleResult[]> {
  const { results } = await sql.one<{ results: StoredResults }>(SQL`
    SELECT compliance_process.results FROM compliance_process
     WHERE compliance_process.company_id = ${companyId} AND compliance_process.id = ${processId}`);
  return resultsOf(results);
}

/** A run in the background; other kinds of job are none. */
export function selectRunJob(
  sql: Sql,
  companyId: CompanyId,
  id: number,
): Promise<JobRow<'COMPLIANCE_RUN'> | undefined> {
  return sql.maybe<JobRow<'COMPLIANCE_RUN'>>(SQL`
    SELECT ${JOB_COLUMNS} FROM job WHERE job.company_id = ${companyId} AND job.id = ${id}
    AND job.kind = 'COMPLIANCE_RUN'`);
}
