import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import type { GivenAmount, ReleaseLine } from './release-entries.ts';

export interface ReleaseRow {
  readonly id: number;
  readonly documentNumber: string | null;
  readonly description: string;
  readonly lines: readonly ReleaseLine[];
  readonly active: boolean;
}

/** The release of a code, held against change while it is used. */
export function lockRelease(sql: Sql, tenant: Tenant, code: string): Promise<ReleaseRow | undefined> {
  return sql.maybe<ReleaseRow>({
    text: `SELECT standard_release.id, standard_release.document_number AS "documentNumber", standard_release.description,
                  standard_release.lines, standard_release.active
             FROM standard_release
            WHERE standard_release.company_id = $1 AND standard_release.branch_id = $2 AND standard_release.code = $3
              FOR SHARE`,
    values: [tenant.companyId, tenant.branchId, code],
  });
}

export interface NewReleaseData {
  readonly code: string;
  readonly day: Day;
  readonly batchNumber: string | undefined;
  readonly documentNumber: string | undefined;
  readonly amounts: readonly GivenAmount[];
  readonly status: 'PENDENTE' | 'LANCADO';
  readonly batchId: number | null;
  readonly documentId: number | null;
}

export async function insertReleaseData(sql: Sql, tenant: Tenant, data: NewReleaseData): Promise<number> {
  const row = await sql.one<{ id: number }>({
    text: `INSERT INTO standard_release_data (company_id, branch_id, code, day, batch_number, document_number, amounts,
                                              status, batch_id, document_id)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING standard_release_data.id`,
    values: [
      tenant.companyId,
      tenant.branchId,
      data.code,
      data.day,
      data.batchNumber ?? null,
      data.documentNumber ?? null,
      JSON.stringify(data.amounts),
      data.status,
      data.batchId,
      data.documentId,
    ],
  });
  return row.id;
}

export async function deleteReleaseDataRow(sql: Sql, companyId: number, id: number): Promise<void> {
  await sql.run({
    text: 'DELETE FROM standard_release_data WHERE standard_release_data.company_id = $1 AND standard_release_data.id = $2',
    values: [companyId, id],
  });
}
