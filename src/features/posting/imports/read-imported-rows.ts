import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { withKeptFile } from './kept-file.ts';
import { requireImport } from './require-import.ts';
import type { WrittenRow } from './written-row.ts';
import { writtenRows } from './written-rows.ts';

/** At most `size` rows of an imported file, those from row `from` on. */
export async function readImportedRows(
  sql: Sql,
  tenant: Tenant,
  importId: number,
  { from, size }: { readonly from: number; readonly size: number },
): Promise<{ columns: readonly string[]; rows: readonly WrittenRow[] }> {
  const { kind } = await requireImport(sql, tenant, importId);
  return withKeptFile(sql, tenant.companyId, importId, async (file) => {
    const { columns, rows } = await writtenRows(kind, file);
    const found: WrittenRow[] = [];
    for await (const chunk of rows) {
      found.push(...chunk.filter(({ row }) => row >= from));
      if (found.length >= size) break;
    }
    return { columns, rows: found.slice(0, size) };
  });
}
