import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

/** The end of the chain: how many links it has, and what they hash to, in hexadecimal. */
export interface AuditHead {
  readonly position: number;
  readonly hash: string;
}

/** Undefined while nothing is chained. */
export function selectAuditHead(sql: Sql): Promise<AuditHead | undefined> {
  return sql.maybe<AuditHead>(SQL`
    SELECT audit_link.position, encode(audit_link.hash, 'hex') AS hash
      FROM audit_link ORDER BY audit_link.position DESC LIMIT 1`);
}

/** What the link at a position hashes to; undefined: there is none. */
export async function selectAuditLinkHash(sql: Sql, position: number): Promise<string | undefined> {
  const link = await sql.maybe<{ hash: string }>(SQL`
    SELECT encode(audit_link.hash, 'hex') AS hash FROM audit_link WHERE audit_link.position = ${position}`);
  return link?.hash;
}

/** A link with the row that it is of, column by column as text; `at` in UTC to the microsecond. */
export interface AuditLink {
  readonly position: number;
  readonly auditId: number;
  readonly hash: string;
  /** null: the row is gone. */
  readonly id: string | null;
  readonly at: string | null;
  readonly userId: string | null;
  readonly username: string | null;
  readonly address: string | null;
  readonly action: string | null;
  readonly entity: string | null;
  readonly entityId: string | null;
  readonly companyId: string | null;
  readonly branchId: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** The next links after a position, in their order. */
export function selectAuditLinks(sql: Sql, after: number, most: number): Promise<AuditLink[]> {
  return sql.rows<AuditLink>(SQL`
    SELECT audit_link.position, audit_link.audit_id AS "auditId", encode(audit_link.hash, 'hex') AS hash,
           audit.id::text AS id, to_char(audit.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at,
           audit.user_id::text AS "userId", audit.username, audit.address, audit.action, audit.entity,
           audit.entity_id AS "entityId", audit.company_id::text AS "companyId", audit.branch_id::text AS "branchId",
           audit.before::text AS before, audit.after::text AS after
      FROM audit_link
      LEFT JOIN audit ON audit.id = audit_link.audit_id
     WHERE audit_link.position > ${after}
     ORDER BY audit_link.position
     LIMIT ${most}`);
}

/** Rows that the chain has passed without them: put in later, with an old id. */
export function selectUnchainedRows(sql: Sql, most: number): Promise<{ id: number; at: string }[]> {
  return sql.rows<{ id: number; at: string }>(SQL`
    SELECT audit.id, audit.at::text AS at
      FROM audit
     WHERE audit.id <= (SELECT audit_chain.settled_id FROM audit_chain)
       AND NOT EXISTS (SELECT 1 FROM audit_link WHERE audit_link.audit_id = audit.id)
     ORDER BY audit.id
     LIMIT ${most}`);
}

/** Signed ends of the chain, in their order. */
export function selectAuditHeads(sql: Sql): Promise<{ position: number; jws: string }[]> {
  return sql.rows<{ position: number; jws: string }>(SQL`
    SELECT audit_head.position, audit_head.jws FROM audit_head ORDER BY audit_head.position`);
}

/** The newest signed end that is kept beside the chain. */
export function selectNewestAuditHead(sql: Sql): Promise<{ position: number; jws: string } | undefined> {
  return sql.maybe<{ position: number; jws: string }>(SQL`
    SELECT audit_head.position, audit_head.jws FROM audit_head ORDER BY audit_head.position DESC LIMIT 1`);
}
