import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

/** An external id as it is unique: in company and origin. */
export interface ExternalKey {
  readonly companyId: CompanyId;
  readonly origin: string;
  readonly externalId: string;
}

/** The first entry that was sent under an external id. */
export interface EarlierEntry extends ExternalKey {
  readonly documentId: number;
  readonly number: string;
  /** In hexadecimal. */
  readonly hash: string;
}

/**
 * Those of the external ids that were used before. The origin takes no part in the choice of an index: before the table's
 * first statistics the planner would read all entries of the origin for each of the ids.
 */
export function selectEarlierEntries(sql: Sql, keys: readonly ExternalKey[]): Promise<EarlierEntry[]> {
  return sql.rows<EarlierEntry>(SQL`
    SELECT entry_source.company_id AS "companyId", entry_source.origin, entry_source.external_id AS "externalId",
           entry_source.document_id AS "documentId", entry_source.entry_number AS number,
           encode(entry_source.content_hash, 'hex') AS hash
      FROM unnest(${keys.map((key) => key.companyId)}::bigint[], ${keys.map((key) => key.origin)}::text[],
                  ${keys.map((key) => key.externalId)}::text[]) AS wanted (company_id, origin, external_id)
      JOIN entry_source ON entry_source.company_id = wanted.company_id
       AND entry_source.external_id = wanted.external_id AND entry_source.origin || '' = wanted.origin`);
}

export interface NewSource {
  readonly companyId: CompanyId;
  readonly branchId: BranchId;
  readonly documentId: number;
  readonly number: string;
  readonly origin: string;
  readonly externalId: string | null;
  /** In hexadecimal. */
  readonly hash: string;
  /** JSON text. */
  readonly metadata: string | null;
}

/**
 * Writes what is said of new entries, in the order of their external ids, so that of two requests with the same ones the
 * second waits for the first and neither for the other in turn. Those whose id was taken meanwhile are missing.
 */
export function insertSources(
  sql: Sql,
  sources: readonly NewSource[],
  by: string,
): Promise<{ id: number; documentId: number; number: string }[]> {
  return sql.rows(SQL`
    INSERT INTO entry_source (company_id, branch_id, document_id, origin, external_id, content_hash, entry_number,
                              metadata, created_by)
    SELECT added.company_id, added.branch_id, added.document_id, added.origin, added.external_id,
           decode(added.hash, 'hex'), added.number, added.metadata::jsonb, ${by}
      FROM unnest(${sources.map((each) => each.companyId)}::bigint[], ${sources.map((each) => each.branchId)}::bigint[],
                  ${sources.map((each) => each.documentId)}::bigint[], ${sources.map((each) => each.origin)}::text[],
                  ${sources.map((each) => each.externalId)}::text[], ${sources.map((each) => each.hash)}::text[],
                  ${sources.map((each) => each.number)}::text[], ${sources.map((each) => each.metadata)}::text[])
             AS added (company_id, branch_id, document_id, origin, external_id, hash, number, metadata)
     ORDER BY added.company_id, added.external_id, added.origin
    ON CONFLICT DO NOTHING
    RETURNING entry_source.id, entry_source.document_id AS "documentId", entry_source.entry_number AS number`);
}
