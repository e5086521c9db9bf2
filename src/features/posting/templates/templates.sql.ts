import type { CompanyId } from '../../../accounting/ids.ts';
import { type Day, firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';
import type { GivenAmount, TemplateLine } from './entries-of-template.ts';
import type { TemplateSchedule } from './template-schedule.ts';
import type { UseOrigin } from './templates.read.sql.ts';

export interface TemplateRow {
  readonly id: number;
  readonly documentNumber: string | null;
  readonly description: string;
  readonly lines: readonly TemplateLine[];
  readonly active: boolean;
  readonly automaticReversal: boolean;
}

/** The template of a code, locked while it is used. */
export function lockTemplate(sql: Sql, tenant: Tenant, code: string): Promise<TemplateRow | undefined> {
  return sql.maybe<TemplateRow>(SQL`${templateOfCode(tenant, code)} FOR SHARE`);
}

/** The same to be looked at. */
export function selectTemplate(sql: Sql, tenant: Tenant, code: string): Promise<TemplateRow | undefined> {
  return sql.maybe<TemplateRow>(SQL`${templateOfCode(tenant, code)}`);
}

const templateOfCode = (tenant: Tenant, code: string): Fragment => SQL`
    SELECT entry_template.id, entry_template.document_number AS "documentNumber", entry_template.description,
           entry_template.lines, entry_template.active, entry_template.automatic_reversal AS "automaticReversal"
      FROM entry_template
     WHERE entry_template.company_id = ${tenant.companyId} AND entry_template.branch_id = ${tenant.branchId}
       AND entry_template.code = ${code}`;

export interface TemplateUse {
  readonly day: Day;
  readonly batchNumber: string | undefined;
  readonly documentNumber: string | undefined;
  readonly amounts: readonly GivenAmount[];
  readonly factDay?: Day | undefined;
  readonly status: 'PENDING' | 'POSTED';
  readonly batchId: number | null;
  readonly documentId: number | null;
}

export interface NewTemplateUse extends TemplateUse {
  readonly code: string;
  readonly origin: UseOrigin;
  readonly reversedUseId: number | null;
}

export async function insertTemplateUse(sql: Sql, tenant: Tenant, data: NewTemplateUse): Promise<number> {
  const row = await sql.one<{ id: number }>(SQL`
    INSERT INTO entry_template_data (company_id, branch_id, code, day, batch_number, document_number, amounts,
                                     status, batch_id, document_id, origin, reversed_use_id, fact_day)
    VALUES (${tenant.companyId}, ${tenant.branchId}, ${data.code}, ${data.day}, ${data.batchNumber ?? null},
            ${data.documentNumber ?? null}, ${JSON.stringify(data.amounts)}, ${data.status}, ${data.batchId},
            ${data.documentId}, ${data.origin}, ${data.reversedUseId}, ${data.factDay ?? null})
    RETURNING entry_template_data.id`);
  return row.id;
}

export async function deleteTemplateUseRow(sql: Sql, companyId: CompanyId, id: number): Promise<void> {
  await sql.run(SQL`
    DELETE FROM entry_template_data
     WHERE entry_template_data.company_id = ${companyId} AND entry_template_data.id = ${id}`);
}

/** What has been given for a use, and what it posted; its template and origin stay. */
export async function updateTemplateUse(sql: Sql, companyId: CompanyId, id: number, use: TemplateUse): Promise<void> {
  await sql.run(SQL`
    UPDATE entry_template_data
       SET day = ${use.day}, batch_number = ${use.batchNumber ?? null}, document_number = ${use.documentNumber ?? null},
           amounts = ${JSON.stringify(use.amounts)}, status = ${use.status}, batch_id = ${use.batchId},
           document_id = ${use.documentId}, fact_day = ${use.factDay ?? null}, updated_at = now()
     WHERE entry_template_data.company_id = ${companyId} AND entry_template_data.id = ${id}`);
}

/** Locks a use, so that two callers neither post nor remove it both. */
export async function lockTemplateUse(sql: Sql, companyId: CompanyId, id: number): Promise<void> {
  await sql.run(SQL`
    SELECT entry_template_data.id FROM entry_template_data
     WHERE entry_template_data.company_id = ${companyId} AND entry_template_data.id = ${id} FOR UPDATE`);
}

export interface ScheduledTemplate {
  readonly code: string;
  readonly periodicity: string | null;
  readonly schedule: TemplateSchedule;
}

/** The branch's active templates with a schedule, or the one of a code. */
export function selectScheduledTemplates(sql: Sql, tenant: Tenant, code?: string): Promise<ScheduledTemplate[]> {
  return sql.rows<ScheduledTemplate>(SQL`
    SELECT entry_template.code, entry_template.periodicity, entry_template.schedule
      FROM entry_template
     WHERE entry_template.company_id = ${tenant.companyId} AND entry_template.branch_id = ${tenant.branchId}
       AND entry_template.schedule IS NOT NULL AND entry_template.active
       AND entry_template.code = coalesce(${code ?? null}, entry_template.code)
     ORDER BY entry_template.code`);
}

/**
 * Makes the uses of a month that a schedule has not made before, removed ones included; returns those that it made.
 */
export function insertScheduledUses(
  sql: Sql,
  tenant: Tenant,
  month: Month,
  uses: readonly { readonly code: string; readonly day: Day }[],
): Promise<{ id: number; code: string; day: Day }[]> {
  return sql.rows(SQL`
    WITH noted AS (
      INSERT INTO entry_template_month (company_id, branch_id, code, month)
      SELECT ${tenant.companyId}, ${tenant.branchId}, due.code, ${firstDay(month)}
        FROM unnest(${uses.map((each) => each.code)}::text[]) AS due (code)
      ON CONFLICT DO NOTHING
      RETURNING entry_template_month.code
    )
    INSERT INTO entry_template_data (company_id, branch_id, code, day, origin)
    SELECT ${tenant.companyId}, ${tenant.branchId}, due.code, due.day, 'SCHEDULED'
      FROM unnest(${uses.map((each) => each.code)}::text[], ${uses.map((each) => each.day)}::date[]) AS due (code, day)
      JOIN noted ON noted.code = due.code
     ORDER BY due.day, due.code
    RETURNING entry_template_data.id, entry_template_data.code, entry_template_data.day`);
}

/** The reversals that wait for a month, oldest first. */
export async function selectWaitingReversals(sql: Sql, tenant: Tenant, month: Month): Promise<number[]> {
  const rows = await sql.rows<{ id: number }>(SQL`
    SELECT entry_template_data.id FROM entry_template_data
     WHERE entry_template_data.company_id = ${tenant.companyId} AND entry_template_data.branch_id = ${tenant.branchId}
       AND entry_template_data.status = 'PENDING' AND entry_template_data.origin = 'REVERSAL'
       AND entry_template_data.day >= ${firstDay(month)}
       AND entry_template_data.day < ${firstDay(month)}::date + interval '1 month'
     ORDER BY entry_template_data.id`);
  return rows.map((row) => row.id);
}
