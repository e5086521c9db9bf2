import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { selectImportRecord } from './import-records.read.sql.ts';
import type { ImportRecordRow } from './import-records.sql.ts';

/** An import of the branch; one of another is answered like one that does not exist. */
export async function requireImport(sql: Sql, tenant: Tenant, id: number): Promise<ImportRecordRow> {
  return (await selectImportRecord(sql, tenant, id)) ?? reject('NOT_FOUND', recordRef('Import', id), 'id');
}
