import { firstDay } from '../../../accounting/period.ts';
import type { SealedLine } from '../../../accounting/seal-leaf.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { MonthKey } from '../../posting/months/months.sql.ts';
import type { SealedMonth } from './seal-leaves.read.sql.ts';

/** The seal in force of a month that is closed, and where its movements are. */
export interface SealInForce {
  readonly seal: string;
  readonly jws: string;
  readonly archived: boolean;
  /** RFC 3161; null: none was asked for, or none has come yet. */
  readonly timestamp: Buffer | null;
}

export function selectSealInForce(
  sql: Sql,
  { companyId, branchId, month }: MonthKey,
): Promise<SealInForce | undefined> {
  return sql.maybe<SealInForce>(SQL`
    SELECT encode(seal.seal, 'hex') AS seal, seal.jws, month.archived, seal_timestamp.token AS timestamp
      FROM month
      JOIN seal ON seal.company_id = month.company_id AND seal.branch_id = month.branch_id AND seal.month = month.month
      LEFT JOIN seal_timestamp
        ON seal_timestamp.company_id = seal.company_id AND seal_timestamp.branch_id = seal.branch_id
       AND seal_timestamp.position = seal.position
     WHERE month.company_id = ${companyId} AND month.branch_id = ${branchId} AND month.month = ${firstDay(month)}
       AND month.state = 'CLOSED'
     ORDER BY seal.position DESC LIMIT 1`);
}

/** An entry by what the books print of it. */
export interface EntryName {
  readonly batch: string;
  readonly document: string;
  readonly entry: string;
}

/** The entry's lines, at most `limit`. */
export function selectEntryLines(
  sql: Sql,
  { companyId, branchId, month, archived }: SealedMonth,
  { batch, document, entry }: EntryName,
  limit: number,
): Promise<SealedLine[]> {
  const from = (name: string): Fragment => SQL.identifier(archived ? `${name}_archive` : name);
  return sql.rows<SealedLine>(SQL`
    SELECT line.day, batch.number AS batch, document.number AS document, line.entry_number AS entry, line.sequence,
           account.code AS account, other.code AS offset, line.side, line.amount, line.closing,
           coalesce(line.printed_narration, line.narration, '') AS "printedNarration"
      FROM ${from('document')} AS document
      JOIN ${from('batch')} AS batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
      JOIN ${from('entry_line')} AS line ON line.company_id = document.company_id AND line.document_id = document.id
      JOIN account ON account.id = line.account_id
      LEFT JOIN account AS other ON other.id = line.offset_account_id
     WHERE document.company_id = ${companyId} AND document.branch_id = ${branchId}
       AND document.month = ${firstDay(month)} AND document.number = ${document} AND batch.number = ${batch}
       AND line.entry_number = ${entry}
     ORDER BY line.day, line.sequence
     LIMIT ${limit}`);
}
