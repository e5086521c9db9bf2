import type { AccountId, CompanyId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { NamedEntry } from '../../operations/events/event-data.ts';

/** What was said of an entry; empty and null: nothing. */
export interface EntrySource {
  readonly origin: string;
  readonly externalId: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** What was said of the entry that the line is of. */
export function selectSourceOfLine(sql: Sql, companyId: CompanyId, lineId: number): Promise<EntrySource | undefined> {
  return sql.maybe<EntrySource>(SQL`
    SELECT entry_source.origin, entry_source.external_id AS "externalId", entry_source.metadata
      FROM entry_line
      JOIN entry_source ON entry_source.company_id = entry_line.company_id AND entry_source.id = entry_line.source_id
     WHERE entry_line.company_id = ${companyId} AND entry_line.id = ${lineId}`);
}

/** What feeding systems said of entries, as events name them: by document and number; nothing where nothing was said. */
export async function selectSourcesOfEntries(
  sql: Sql,
  companyId: CompanyId,
  entries: readonly { readonly documentId: number; readonly number: string }[],
): Promise<(documentId: number, number: string) => Pick<NamedEntry, 'origin' | 'externalId'>> {
  const rows = await sql.rows<{
    documentId: number;
    number: string;
    origin: string | null;
    externalId: string | null;
  }>(SQL`
    SELECT DISTINCT entry_line.document_id AS "documentId", entry_line.entry_number AS number,
           nullif(entry_source.origin, '') AS origin, entry_source.external_id AS "externalId"
      FROM unnest(${entries.map(({ documentId }) => documentId)}::bigint[],
                  ${entries.map(({ number }) => number)}::text[]) AS named (document_id, number)
      JOIN entry_line ON entry_line.company_id = ${companyId} AND entry_line.document_id = named.document_id
       AND natural_sort_key(entry_line.entry_number) = natural_sort_key(named.number)
      JOIN entry_source ON entry_source.company_id = entry_line.company_id AND entry_source.id = entry_line.source_id`);
  const known = new Map(
    rows.map(({ documentId, number, origin, externalId }) => [
      `${documentId}/${number}`,
      { ...(origin === null ? {} : { origin }), ...(externalId === null ? {} : { externalId }) },
    ]),
  );
  return (documentId, number) => known.get(`${documentId}/${number}`) ?? {};
}

export interface SourceFilter {
  readonly origin: string | undefined;
  readonly externalId: string | undefined;
}

/** Where a page ends: the next one begins after it. */
export interface SourceKey {
  readonly companyId: CompanyId;
  readonly id: number;
}

export interface SourceRow extends SourceKey, EntrySource {
  readonly company: string;
  readonly branch: string;
  readonly documentId: number;
  readonly number: string;
  readonly createdAt: Date;
  readonly createdBy: string;
}

/**
 * What was said of entries of all branches that the caller reaches, company by company in the order of its coming. Each company with a
 * month is asked by its index, on its own node where companies are spread.
 */
export function selectSources(
  sql: Sql,
  { origin, externalId }: SourceFilter,
  after: SourceKey | undefined,
  most: number,
): Promise<SourceRow[]> {
  // With an external id the origin takes no part in the choice of an index (entry-sources.sql.ts).
  const column = externalId === undefined ? SQL`entry_source.origin` : SQL`entry_source.origin || ''`;
  const ofOrigin = origin === undefined ? SQL`true` : SQL`${column} = ${origin}`;
  const ofId = externalId === undefined ? SQL`true` : SQL`entry_source.external_id = ${externalId}`;
  return sql.rows<SourceRow>(SQL`
    SELECT company.id AS "companyId", company.code AS company, branch.code AS branch, found.id, found.origin,
           found.external_id AS "externalId", found.metadata, found.document_id AS "documentId",
           found.entry_number AS number, found.created_at AS "createdAt", found.created_by AS "createdBy"
      FROM (SELECT DISTINCT month.company_id FROM month WHERE month.company_id >= ${after?.companyId ?? 0}::bigint) AS own
     CROSS JOIN LATERAL (
           SELECT entry_source.* FROM entry_source
            WHERE entry_source.company_id = own.company_id AND ${ofOrigin} AND ${ofId}
              AND can_access(entry_source.company_id, entry_source.branch_id)
              AND (own.company_id > ${after?.companyId ?? 0}::bigint OR entry_source.id > ${after?.id ?? 0}::bigint)
            ORDER BY entry_source.id
            LIMIT ${most}) AS found
      JOIN company ON company.id = found.company_id
      JOIN branch ON branch.company_id = found.company_id AND branch.id = found.branch_id
     ORDER BY company.id, found.id
     LIMIT ${most}`);
}

export interface SourceLine {
  readonly sourceId: number;
  readonly id: number;
  readonly day: Day;
  readonly batchId: number;
  readonly batch: string;
  readonly document: string;
  readonly side: 'D' | 'C';
  readonly accountId: AccountId;
  readonly accountCode: string;
  /** NUMERIC text. */
  readonly amount: string;
  readonly narration: string | null;
}

/** The lines in the books, in the order of their entries. */
export function selectLinesOfSources(sql: Sql, sources: readonly SourceKey[]): Promise<SourceLine[]> {
  return sql.rows<SourceLine>(SQL`
    SELECT entry_line.source_id AS "sourceId", entry_line.id, entry_line.day, batch.id AS "batchId", batch.number AS batch,
           document.number AS document, entry_line.side, entry_line.account_id AS "accountId",
           account.code AS "accountCode", entry_line.amount,
           coalesce(entry_line.printed_narration, entry_line.narration) AS narration
      FROM unnest(${sources.map((each) => each.companyId)}::bigint[], ${sources.map((each) => each.id)}::bigint[])
             AS wanted (company_id, id)
      JOIN entry_line ON entry_line.company_id = wanted.company_id AND entry_line.source_id = wanted.id
      JOIN document ON document.company_id = entry_line.company_id AND document.id = entry_line.document_id
      JOIN batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
      JOIN account ON account.id = entry_line.account_id
     ORDER BY entry_line.source_id, entry_line.sequence`);
}

/** Those whose lines are in the archive. */
export async function selectArchivedSources(
  sql: Sql,
  sources: readonly Pick<SourceRow, 'companyId' | 'id' | 'documentId'>[],
): Promise<Set<number>> {
  if (sources.length === 0) return new Set();
  const rows = await sql.rows<{ id: number }>(SQL`
    SELECT DISTINCT entry_line.source_id AS id
      FROM document_archive
      JOIN entry_line_archive AS entry_line ON entry_line.company_id = document_archive.company_id
       AND entry_line.branch_id = document_archive.branch_id AND entry_line.month = document_archive.month
       AND entry_line.document_id = document_archive.id
     WHERE document_archive.company_id = ANY (${sources.map((each) => each.companyId)}::bigint[])
       AND document_archive.id = ANY (${sources.map((each) => each.documentId)}::bigint[])
       AND entry_line.source_id = ANY (${sources.map((each) => each.id)}::bigint[])`);
  return new Set(rows.map(({ id }) => id));
}
