import type { Day } from '../../accounting/period.ts';
import type { Sql } from '../../platform/sql.ts';
import type { Tenant } from '../access/access.ts';
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

export interface ReleaseDataRow {
  readonly id: number;
  readonly company: string;
  readonly branch: string;
  readonly code: string;
  readonly day: Day;
  readonly lote: string | null;
  readonly documento: string | null;
  readonly valores: readonly GivenAmount[];
  readonly status: 'PENDENTE' | 'LANCADO';
  readonly batchId: number | null;
  readonly documentId: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
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

const SELECT_DATA = `SELECT standard_release_data.id, company.code AS company, branch.code AS branch,
    standard_release_data.code, standard_release_data.day, standard_release_data.batch_number AS lote,
    standard_release_data.document_number AS documento, standard_release_data.amounts AS valores,
    standard_release_data.status, standard_release_data.batch_id AS "batchId",
    standard_release_data.document_id AS "documentId", standard_release_data.created_at AS "createdAt",
    standard_release_data.updated_at AS "updatedAt"
  FROM standard_release_data
  JOIN company ON company.id = standard_release_data.company_id
  JOIN branch ON branch.company_id = standard_release_data.company_id AND branch.id = standard_release_data.branch_id`;

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

/** Uses of a branch's releases, newest first; of one release, or one use. */
export function selectReleaseData(
  sql: Sql,
  tenant: Pick<Tenant, 'companyId' | 'branchId'>,
  which: { code?: string; id?: number } = {},
): Promise<ReleaseDataRow[]> {
  return sql.rows<ReleaseDataRow>({
    text: `${SELECT_DATA}
            WHERE standard_release_data.company_id = $1 AND standard_release_data.branch_id = $2
              AND ($3::text IS NULL OR standard_release_data.code = $3)
              AND ($4::bigint IS NULL OR standard_release_data.id = $4)
            ORDER BY standard_release_data.id DESC LIMIT 10000`,
    values: [tenant.companyId, tenant.branchId, which.code ?? null, which.id ?? null],
  });
}

export async function deleteReleaseDataRow(sql: Sql, companyId: number, id: number): Promise<void> {
  await sql.run({
    text: 'DELETE FROM standard_release_data WHERE standard_release_data.company_id = $1 AND standard_release_data.id = $2',
    values: [companyId, id],
  });
}
