import type { AccountId } from '../../../accounting/ids.ts';
import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import { type Day, firstDay, monthOfDay } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';

/** Filters of lines; an absent filter matches everything. */
export interface LineFilter {
  readonly from: Day;
  readonly to: Day;
  readonly accountId: AccountId | undefined;
  readonly offsetAccountId: AccountId | undefined;
  readonly minimum: Centavos | undefined;
  readonly maximum: Centavos | undefined;
  /** Part of the narration, in any case. */
  readonly text: string | undefined;
  readonly batch: string | undefined;
  readonly document: string | undefined;
}

/** Where a page ends: the next one begins after it. */
export interface LineKey {
  readonly day: Day;
  readonly id: number;
}

export interface FoundLine extends LineKey {
  readonly batchId: number;
  readonly batch: string;
  readonly documentId: number;
  readonly document: string;
  readonly entry: string;
  readonly accountId: AccountId;
  readonly accountCode: string;
  readonly offsetAccountId: AccountId | null;
  readonly offsetCode: string | null;
  readonly side: 'D' | 'C';
  /** NUMERIC text. */
  readonly amount: string;
  readonly narrationCode: string | null;
  readonly narration: string | null;
  readonly closing: boolean;
}

/**
 * Lines of a branch by day and id, after the key given. The months keep the ledger index in play, for the batches too,
 * or the planner would read those of all branches.
 */
export function selectFoundLines(
  sql: Sql,
  branch: BranchKey,
  filter: LineFilter,
  after: LineKey | undefined,
  most: number,
): Promise<FoundLine[]> {
  const first = firstOf(filter, after);
  const { companyId, branchId } = branch;
  const [firstMonth, lastMonth] = [firstDay(monthOfDay(first)), firstDay(monthOfDay(filter.to))];
  const { accountId = null, offsetAccountId = null, text = null, batch = null, document = null } = filter;
  const minimum = filter.minimum === undefined ? null : decimalOf(filter.minimum);
  const maximum = filter.maximum === undefined ? null : decimalOf(filter.maximum);
  return sql.rows<FoundLine>(SQL`
    SELECT entry_line.id, entry_line.day, batch.id AS "batchId", batch.number AS batch,
           document.id AS "documentId", document.number AS document, entry_line.entry_number AS entry,
           entry_line.account_id AS "accountId", account.code AS "accountCode",
           entry_line.offset_account_id AS "offsetAccountId", offset_account.code AS "offsetCode", entry_line.side,
           entry_line.amount, entry_line.narration_code AS "narrationCode",
           coalesce(entry_line.printed_narration, entry_line.narration) AS narration, entry_line.closing
      FROM entry_line
      JOIN document ON document.company_id = entry_line.company_id AND document.id = entry_line.document_id
      JOIN batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
      JOIN account ON account.id = entry_line.account_id
      LEFT JOIN account AS offset_account ON offset_account.id = entry_line.offset_account_id
     WHERE entry_line.company_id = ${companyId} AND entry_line.branch_id = ${branchId}
       AND entry_line.month BETWEEN ${firstMonth} AND ${lastMonth} AND entry_line.day BETWEEN ${first} AND ${filter.to}
       AND batch.company_id = ${companyId} AND batch.branch_id = ${branchId}
       AND batch.month BETWEEN ${firstMonth} AND ${lastMonth}
       AND (${accountId}::bigint IS NULL OR entry_line.account_id = ${accountId})
       AND (${offsetAccountId}::bigint IS NULL OR entry_line.offset_account_id = ${offsetAccountId})
       AND (${minimum}::numeric IS NULL OR entry_line.amount >= ${minimum})
       AND (${maximum}::numeric IS NULL OR entry_line.amount <= ${maximum})
       AND (${text}::text IS NULL
            OR strpos(lower(coalesce(entry_line.printed_narration, entry_line.narration)), lower(${text})) > 0)
       AND (${batch}::text IS NULL OR batch.number = ${batch})
       AND (${document}::text IS NULL OR document.number = ${document})
       AND (${after?.day ?? null}::date IS NULL
            OR (entry_line.day, entry_line.id) > (${after?.day ?? null}, ${after?.id ?? null}::bigint))
     ORDER BY entry_line.day, entry_line.id
     LIMIT ${most}`);
}

/** Lines of each day that has any, in the accounts of the filter: the ledger index alone, so other filters do not count. */
export function countLinesByDay(
  sql: Sql,
  branch: BranchKey,
  filter: LineFilter,
  after: LineKey | undefined,
): Promise<{ day: Day; lines: number }[]> {
  const first = firstOf(filter, after);
  return sql.rows(SQL`
    SELECT entry_line.day, count(*) AS lines
      FROM entry_line
     WHERE entry_line.company_id = ${branch.companyId} AND entry_line.branch_id = ${branch.branchId}
       AND entry_line.month BETWEEN ${firstDay(monthOfDay(first))} AND ${firstDay(monthOfDay(filter.to))}
       AND entry_line.day BETWEEN ${first} AND ${filter.to}
       AND (${filter.accountId ?? null}::bigint IS NULL OR entry_line.account_id = ${filter.accountId ?? null})
     GROUP BY entry_line.day ORDER BY entry_line.day`);
}

function firstOf(filter: LineFilter, after: LineKey | undefined): Day {
  return after !== undefined && after.day > filter.from ? after.day : filter.from;
}
