import type { Sql } from '../../platform/database/sql.ts';
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
  /** Both included. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** The trail, newest first. */
export async function selectAudit(sql: Sql, filter: AuditFilter, slice: PageRequest): Promise<AuditRow[]> {
  const rows = await sql.rows<AuditRow>({
    text: `SELECT audit.id, audit.at, audit.user_id AS "userId", audit.username, audit.address, audit.action,
                  audit.entity, audit.entity_id AS "entityId", company.code AS company, branch.code AS branch,
                  audit.before, audit.after
             FROM ${FILTERED}
            ORDER BY audit.id DESC LIMIT $9 OFFSET $10`,
    values: [...valuesOf(filter), slice.size, offsetOf(slice)],
  });
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
  const { count } = await sql.one<{ count: number }>({
    text: `SELECT count(*) AS count FROM ${FILTERED}`,
    values: valuesOf(filter),
  });
  return count;
}

const FILTERED = `audit
  LEFT JOIN company ON company.id = audit.company_id
  LEFT JOIN branch ON branch.company_id = audit.company_id AND branch.id = audit.branch_id
 WHERE ($1::text IS NULL OR lower(audit.username) = lower($1))
   AND ($2::text IS NULL OR audit.action = $2)
   AND ($3::text IS NULL OR audit.entity = $3)
   AND ($4::text IS NULL OR audit.entity_id = $4)
   AND ($5::text IS NULL OR company.code = $5)
   AND ($6::text IS NULL OR branch.code = $6)
   AND ($7::timestamptz IS NULL OR audit.at >= $7)
   AND ($8::timestamptz IS NULL OR audit.at <= $8)`;

function valuesOf(filter: AuditFilter): unknown[] {
  const { username, action, entity, entityId, company, branch, from, to } = filter;
  return [username, action, entity, entityId, company, branch, from, to].map((each) => each ?? null);
}
