import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import type { GivenAmount } from './release-entries.ts';

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

const SELECT_DATA = `SELECT standard_release_data.id, company.code AS company, branch.code AS branch,
    standard_release_data.code, standard_release_data.day, standard_release_data.batch_number AS lote,
    standard_release_data.document_number AS documento, standard_release_data.amounts AS valores,
    standard_release_data.status, standard_release_data.batch_id AS "batchId",
    standard_release_data.document_id AS "documentId", standard_release_data.created_at AS "createdAt",
    standard_release_data.updated_at AS "updatedAt"
  FROM standard_release_data
  JOIN company ON company.id = standard_release_data.company_id
  JOIN branch ON branch.company_id = standard_release_data.company_id AND branch.id = standard_release_data.branch_id`;

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

/** The release of a code, as a PUT names it. */
export async function selectReleaseId(sql: Sql, tenant: Tenant, code: string): Promise<number | undefined> {
  const row = await sql.maybe<{ id: number }>({
    text: `SELECT standard_release.id FROM standard_release
            WHERE standard_release.company_id = $1 AND standard_release.branch_id = $2 AND standard_release.code = $3`,
    values: [tenant.companyId, tenant.branchId, code],
  });
  return row?.id;
}
