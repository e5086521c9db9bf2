import type { CompanyId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';
import type { GivenAmount, TemplateLine } from './entries-of-template.ts';

export interface TemplateRow {
  readonly id: number;
  readonly documentNumber: string | null;
  readonly description: string;
  readonly lines: readonly TemplateLine[];
  readonly active: boolean;
}

/** The template of a code, locked while it is used. */
export function lockTemplate(sql: Sql, tenant: Tenant, code: string): Promise<TemplateRow | undefined> {
  return sql.maybe<TemplateRow>(SQL`
    SELECT entry_template.id, entry_template.document_number AS "documentNumber", entry_template.description,
           entry_template.lines, entry_template.active
      FROM entry_template
     WHERE entry_template.company_id = ${tenant.companyId} AND entry_template.branch_id = ${tenant.branchId}
       AND entry_template.code = ${code}
       FOR SHARE`);
}

export interface NewTemplateUse {
  readonly code: string;
  readonly day: Day;
  readonly batchNumber: string | undefined;
  readonly documentNumber: string | undefined;
  readonly amounts: readonly GivenAmount[];
  readonly status: 'PENDENTE' | 'LANCADO';
  readonly batchId: number | null;
  readonly documentId: number | null;
}

export async function insertTemplateUse(sql: Sql, tenant: Tenant, data: NewTemplateUse): Promise<number> {
  const row = await sql.one<{ id: number }>(SQL`
    INSERT INTO entry_template_data (company_id, branch_id, code, day, batch_number, document_number, amounts,
                                     status, batch_id, document_id)
    VALUES (${tenant.companyId}, ${tenant.branchId}, ${data.code}, ${data.day}, ${data.batchNumber ?? null},
            ${data.documentNumber ?? null}, ${JSON.stringify(data.amounts)}, ${data.status}, ${data.batchId},
            ${data.documentId})
    RETURNING entry_template_data.id`);
  return row.id;
}

export async function deleteTemplateUseRow(sql: Sql, companyId: CompanyId, id: number): Promise<void> {
  await sql.run(SQL`
    DELETE FROM entry_template_data
     WHERE entry_template_data.company_id = ${companyId} AND entry_template_data.id = ${id}`);
}
