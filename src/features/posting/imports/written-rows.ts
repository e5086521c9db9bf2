import { ecdWrittenRows } from './ecd/ecd-written-rows.ts';
import { jsonWrittenRows } from './import-json.ts';
import type { ImportRecordRow } from './import-records.sql.ts';
import { iplWrittenRows } from './read-ipl.ts';
import { csvWrittenRows } from './read-movements-csv.ts';
import type { SpooledFile } from './spool.ts';
import type { WrittenFile } from './written-row.ts';

/** The rows of an imported file. */
export function writtenRows(kind: ImportRecordRow['kind'], file: SpooledFile): Promise<WrittenFile> {
  if (kind === 'CSV') return csvWrittenRows(file);
  if (kind === 'ECD') return Promise.resolve(ecdWrittenRows(file));
  return Promise.resolve(kind === 'IPL' ? iplWrittenRows(file) : jsonWrittenRows(file));
}
