import type { CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { NamedEntry } from '../../operations/events/event-data.ts';

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
