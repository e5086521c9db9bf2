import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../platform/database/statement.ts';
import { offsetOf, type PageRequest } from '../../platform/page-request.ts';

export interface AuditRow {
  readonly id: number;
  readonly at: Date;
  readonly userId: number | null;
  readonly username: string;
  readonly address: string | null;
  readonly action: string;
  readonly entity: string;
  readonly entityId: string | null;
  /** Codes; null for what belongs to no tenant and for tenants that no longer exist. */
  readonly company: string | null;
  readonly branch: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

export interface AuditFilter {
  readonly username?: string | undefined;
  readonly action?: string | undefined;
  readonly entity?: string | undefined;
  readonly entityId?: string | undefined;
  readonly company?: string | undefined;
  readonly branch?: string | undefined;
  /** Of these alone, by their ids; without a branch, of the whole company. */
  readonly tenant?: { readonly companyId: CompanyId; readonly branchId?: BranchId | undefined } | undefined;
  /** Both included. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** The trail, newest first. */
export async function selectAudit(sql: Sql, filter: AuditFilter, slice: PageRequest): Promise<AuditRow[]> {
  const rows = await sql.rows<AuditRow>(SQL`
    SELECT audit.id, audit.at, audit.user_id AS "userId", audit.username, audit.address, audit.action,
           audit.entity, audit.entity_id AS "entityId", company.code AS company, branch.code AS branch,
           audit.before, audit.after
      FROM ${filtered(filter)}
     ORDER BY audit.id DESC LIMIT ${slice.size} OFFSET ${offsetOf(slice)}`);
  return rows.map((row) => ({ ...row, before: withRows(row.before) }));
}

/** Deleted lines and documents are kept as one array for each column (deletion-trail.sql.ts), and shown as objects. */
function withRows(image: unknown): unknown {
  if (image === null || typeof image !== 'object' || !('part' in image)) return image;
  return Object.fromEntries(
    Object.entries(image).map(([name, columns]) => [name, name === 'part' ? columns : objectsOf(columns as Columns)]),
  );
}

type Columns = Readonly<Record<string, readonly unknown[]>>;

function objectsOf(columns: Columns): object[] {
  const [first = []] = Object.values(columns);
  return first.map((_, at) =>
    Object.fromEntries(Object.entries(columns).map(([column, values]) => [column, values[at]])),
  );
}

export async function countAudit(sql: Sql, filter: AuditFilter): Promise<number> {
  const { count } = await sql.one<{ count: number }>(SQL`SELECT count(*) AS count FROM ${filtered(filter)}`);
  return count;
}

/** By the name of an entity of today, those that rows of the trail were written under before: no row of it is changed. */
const FORMER_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['entry_template_use', ['standard_release_data']],
  ['standard_narration', ['standard_history']],
]);

function filtered(filter: AuditFilter): Fragment {
  const { username = null, action = null, entity, entityId = null, company = null, branch = null } = filter;
  const { from = null, to = null, tenant } = filter;
  const entities = entity === undefined ? null : [entity, ...(FORMER_NAMES.get(entity) ?? [])];
  return SQL`audit
      LEFT JOIN company ON company.id = audit.company_id
      LEFT JOIN branch ON branch.company_id = audit.company_id AND branch.id = audit.branch_id
     WHERE (${username}::text IS NULL OR lower(audit.username) = lower(${username}))
       AND (${action}::text IS NULL OR audit.action = ${action})
       AND (${entities}::text[] IS NULL OR audit.entity = ANY (${entities}::text[]))
       AND (${entityId}::text IS NULL OR audit.entity_id = ${entityId})
       AND (${company}::text IS NULL OR company.code = ${company})
       AND (${branch}::text IS NULL OR branch.code = ${branch})
       AND ${tenant === undefined ? SQL`true` : SQL`audit.company_id = ${tenant.companyId}`}
       AND ${tenant?.branchId === undefined ? SQL`true` : SQL`audit.branch_id = ${tenant.branchId}`}
       AND (${from}::timestamptz IS NULL OR audit.at >= ${from})
       AND (${to}::timestamptz IS NULL OR audit.at <= ${to})`;
}
