import { type Day, firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';
import { assertWholeList } from '../../master-data/whole-list.ts';
import type { GivenAmount, TemplateLine } from './entries-of-template.ts';

export interface TemplateUseRow {
  readonly id: number;
  readonly company: string;
  readonly branch: string;
  readonly code: string;
  readonly day: Day;
  readonly batchNumber: string | null;
  readonly documentNumber: string | null;
  readonly amounts: readonly GivenAmount[];
  readonly factDay: Day | null;
  readonly status: 'PENDING' | 'POSTED';
  readonly batchId: number | null;
  readonly documentId: number | null;
  readonly origin: UseOrigin;
  /** The use that this one reverses. */
  readonly reversedUseId: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** MANUAL: somebody made it; SCHEDULED: the schedule of its template; REVERSAL: it reverses another use. */
export type UseOrigin = 'MANUAL' | 'SCHEDULED' | 'REVERSAL';

const USE_COLUMNS = SQL`entry_template_data.id, company.code AS company, branch.code AS branch, entry_template_data.code,
    entry_template_data.day, entry_template_data.batch_number AS "batchNumber",
    entry_template_data.document_number AS "documentNumber", entry_template_data.amounts,
    entry_template_data.fact_day AS "factDay",
    entry_template_data.status, entry_template_data.batch_id AS "batchId",
    entry_template_data.document_id AS "documentId", entry_template_data.origin,
    entry_template_data.reversed_use_id AS "reversedUseId", entry_template_data.created_at AS "createdAt",
    entry_template_data.updated_at AS "updatedAt"`;

const USE_SOURCE = SQL`entry_template_data
  JOIN company ON company.id = entry_template_data.company_id
  JOIN branch ON branch.company_id = entry_template_data.company_id AND branch.id = entry_template_data.branch_id`;

/** Most uses in one answer, which has no pages. */
const MAX_TEMPLATE_USES = 10_000;

/** Uses of a branch's templates, newest first. */
export async function selectTemplateUses(
  sql: Sql,
  tenant: Pick<Tenant, 'companyId' | 'branchId'>,
): Promise<TemplateUseRow[]> {
  const rows = await sql.rows<TemplateUseRow>(SQL`
    SELECT ${USE_COLUMNS} FROM ${USE_SOURCE}
     WHERE entry_template_data.company_id = ${tenant.companyId} AND entry_template_data.branch_id = ${tenant.branchId}
     ORDER BY entry_template_data.id DESC LIMIT ${MAX_TEMPLATE_USES + 1}`);
  return assertWholeList(rows, MAX_TEMPLATE_USES);
}

/** The last use of one template, or the use of that id. */
export function selectLastTemplateUse(
  sql: Sql,
  tenant: Pick<Tenant, 'companyId' | 'branchId'>,
  which: { code: string } | { id: number },
): Promise<TemplateUseRow | undefined> {
  const isAsked =
    'code' in which ? SQL`entry_template_data.code = ${which.code}` : SQL`entry_template_data.id = ${which.id}`;
  return sql.maybe<TemplateUseRow>(SQL`
    SELECT ${USE_COLUMNS} FROM ${USE_SOURCE}
     WHERE entry_template_data.company_id = ${tenant.companyId} AND entry_template_data.branch_id = ${tenant.branchId}
       AND ${isAsked}
     ORDER BY entry_template_data.id DESC LIMIT 1`);
}

export interface PendingUse extends TemplateUseRow {
  readonly description: string;
  readonly lines: readonly TemplateLine[];
}

/** What is still to be posted in a month, by day. */
export async function selectPendingUses(sql: Sql, tenant: Tenant, month: Month): Promise<PendingUse[]> {
  const rows = await sql.rows<PendingUse>(SQL`
    SELECT ${USE_COLUMNS}, entry_template.description, entry_template.lines
      FROM ${USE_SOURCE}
      JOIN entry_template ON entry_template.company_id = entry_template_data.company_id
       AND entry_template.branch_id = entry_template_data.branch_id AND entry_template.code = entry_template_data.code
     WHERE entry_template_data.company_id = ${tenant.companyId} AND entry_template_data.branch_id = ${tenant.branchId}
       AND entry_template_data.status = 'PENDING' AND entry_template_data.day >= ${firstDay(month)}
       AND entry_template_data.day < ${firstDay(month)}::date + interval '1 month'
     ORDER BY entry_template_data.day, natural_sort_key(entry_template_data.code), entry_template_data.id
     LIMIT ${MAX_PENDING_USES + 1}`);
  return assertWholeList(rows, MAX_PENDING_USES);
}

/** Most uses of a month in one answer, which has no pages and shows the lines of each. */
const MAX_PENDING_USES = 1_000;

/** The template of a code, as a PUT names it. */
export async function selectTemplateId(sql: Sql, tenant: Tenant, code: string): Promise<number | undefined> {
  const row = await sql.maybe<{ id: number }>(SQL`
    SELECT entry_template.id FROM entry_template
     WHERE entry_template.company_id = ${tenant.companyId} AND entry_template.branch_id = ${tenant.branchId}
       AND entry_template.code = ${code}`);
  return row?.id;
}
