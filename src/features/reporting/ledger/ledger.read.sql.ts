import type { AccountId, ChartId, CompanyId } from '../../../accounting/ids.ts';
import { type Day, firstDay, monthOfDay } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import { subtreeLeaves } from '../../closing/balances/balance-rules.sql.ts';
import { bookOrder } from '../../posting/entries/book-order.sql.ts';

export interface LedgerRow {
  readonly batch: string;
  readonly document: string;
  readonly entry: string;
  readonly side: 'D' | 'C';
  readonly day: Day;
  readonly narration: string | null;
  /** NUMERIC text. */
  readonly amount: string;
  readonly accountCode: string;
}

export interface Ledger {
  readonly chartId: ChartId | null;
  /** null when the account is not in the branch's chart. */
  readonly code: string | null;
  /** Is the month in the archive? Then there are no lines. */
  readonly archived: boolean;
  readonly lines: readonly LedgerRow[];
}

const PLACE = { batch: { rank: 'batch.sort_key' }, document: { rank: 'document.sort_key' } } as const;

/** Column by column: an answer of few fields is read in half the time of one of many rows. */
type LedgerColumns = { readonly [Column in keyof LedgerRow]: readonly LedgerRow[Column][] | null };

type AskedLedger = BranchKey & {
  readonly accountId: AccountId;
  readonly month: Day;
  readonly from: Day;
  readonly to: Day;
  readonly most: number;
};

const IN_BOOK_ORDER = bookOrder({
  batch: { rank: 'batch.sort_key' },
  document: { rank: 'folder.sort_key' },
  day: 'line.day',
  entry: 'line.entry_number',
  sequence: 'line.sequence',
});

/**
 * One statement, so that account, archive and lines are of one moment without a transaction. Its plan is good whatever
 * the statistics say, old ones or none right after an import: lines are found account by account (OFFSET 0 keeps it so),
 * documents and batches at once, and an outer join, here of rows that all have a partner, cannot be a nested loop.
 */
const LEDGER = SQL.prepared<AskedLedger>(
  'ledger',
  ({ companyId, branchId, accountId, month, from, to, most }) => SQL`
    WITH leaf AS MATERIALIZED (${subtreeLeaves(accountId)}
    ), line AS MATERIALIZED (
      SELECT leaf.code, line.*
        FROM leaf
       CROSS JOIN LATERAL (
             SELECT entry_line.document_id, entry_line.entry_number, entry_line.sequence, entry_line.side,
                    entry_line.day, entry_line.amount,
                    coalesce(entry_line.printed_narration, entry_line.narration) AS narration
               FROM entry_line
              WHERE entry_line.company_id = ${companyId} AND entry_line.branch_id = ${branchId}
                AND entry_line.month = ${month} AND entry_line.account_id = leaf.id
                AND entry_line.day BETWEEN ${from} AND ${to}
             OFFSET 0) AS line
    ), folder AS MATERIALIZED (
      SELECT document.id, document.number, document.sort_key, document.batch_id
        FROM document
       WHERE document.company_id = ${companyId}
         AND document.id = ANY (ARRAY(SELECT DISTINCT line.document_id FROM line))
    )
    SELECT company_options.chart_id AS "chartId", asked.code, coalesce(month.archived, false) AS archived, answer.*
      FROM company_options
      LEFT JOIN leaf AS asked ON asked.id = ${accountId} AND asked.chart_id = company_options.chart_id
      LEFT JOIN month ON month.company_id = ${companyId} AND month.branch_id = ${branchId} AND month.month = ${month}
     CROSS JOIN (
           SELECT json_agg(placed.batch) AS batch, json_agg(placed.document) AS document,
                  json_agg(placed.entry_number) AS entry, json_agg(placed.side) AS side, json_agg(placed.day) AS day,
                  json_agg(placed.narration) AS narration, json_agg(placed.amount::text) AS amount,
                  json_agg(placed.code) AS "accountCode"
             FROM (SELECT batch.number AS batch, folder.number AS document, line.entry_number, line.side, line.day,
                          line.narration, line.amount, line.code
                     FROM line
                     FULL JOIN folder ON folder.id = line.document_id
                     FULL JOIN (SELECT batch.id, batch.number, batch.sort_key FROM batch
                                 WHERE batch.company_id = ${companyId}
                                   AND batch.id = ANY (ARRAY(SELECT DISTINCT folder.batch_id FROM folder))
                               ) AS batch ON batch.id = folder.batch_id
                    ORDER BY ${IN_BOOK_ORDER}
                    LIMIT ${most}) AS placed) AS answer
     WHERE company_options.company_id = ${companyId} AND company_options.branch_id = ${branchId}`,
);

/**
 * Lines of an account, or of the accounts below it, on the days of one month, in the order of the books; undefined while
 * the branch has no options.
 */
export async function selectLedger(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  accountId: AccountId,
  from: Day,
  to: Day,
  most: number,
): Promise<Ledger | undefined> {
  const month = firstDay(monthOfDay(from));
  const row = await sql.maybe<Omit<Ledger, 'lines'> & LedgerColumns>(
    LEDGER({ companyId, branchId, accountId, month, from, to, most }),
  );
  if (row === undefined) return undefined;
  const { chartId, code, archived, ...columns } = row;
  return { chartId, code, archived, lines: rowsOfColumns(columns) };
}

function rowsOfColumns({
  batch,
  document,
  entry,
  side,
  day,
  narration,
  amount,
  accountCode,
}: LedgerColumns): LedgerRow[] {
  return (entry ?? []).map((number, at) => ({
    batch: batch![at]!,
    document: document![at]!,
    entry: number,
    side: side![at]!,
    day: day![at]!,
    narration: narration![at]!,
    amount: amount![at]!,
    accountCode: accountCode![at]!,
  }));
}

export interface PostedRow {
  readonly company: string;
  readonly branch: string;
  readonly batch: string;
  readonly document: string;
  readonly entry: string;
  readonly day: Day;
  readonly accountCode: string;
  readonly offsetCode: string | null;
  readonly side: 'D' | 'C';
  readonly amount: string;
  readonly narrationCode: string | null;
  readonly narration: string | null;
  readonly closed: boolean;
}

/** Orderings of posted lines; a closed list, so that no request text becomes SQL. */
const POSTED_ORDERS = {
  day: SQL`entry_line.day`,
  document: bookOrder({ document: PLACE.document }),
  amount: SQL`entry_line.amount`,
  account: SQL`account.sort_key`,
} as const;

export interface PostedOrder {
  readonly by: keyof typeof POSTED_ORDERS;
  readonly direction: 'ASC' | 'DESC';
}

const POSTED_SOURCE = SQL`entry_line
  JOIN document ON document.company_id = entry_line.company_id AND document.id = entry_line.document_id
  JOIN batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
  JOIN company ON company.id = entry_line.company_id
  JOIN branch ON branch.company_id = entry_line.company_id AND branch.id = entry_line.branch_id
  JOIN month ON month.company_id = entry_line.company_id AND month.branch_id = entry_line.branch_id
   AND month.month = entry_line.month
  JOIN account ON account.id = entry_line.account_id
  LEFT JOIN account AS offset_account ON offset_account.id = entry_line.offset_account_id`;

export interface PostedChoice {
  readonly branches: readonly BranchKey[];
  readonly from: Day;
  readonly to: Day;
}

/** The branches and months chosen, of lines or of batches. */
function inMonths(table: 'entry_line' | 'batch', { branches, from, to }: PostedChoice): Fragment {
  const of = SQL.identifier(table);
  return SQL`${of}.company_id = ANY (${branches.map((each) => each.companyId)}::bigint[])
  AND ${of}.branch_id = ANY (${branches.map((each) => each.branchId)}::bigint[])
  AND ${of}.month BETWEEN ${firstDay(monthOfDay(from))} AND ${firstDay(monthOfDay(to))}`;
}

/** The months keep the ledger index in play, the days cut its ends. */
function isPosted(choice: PostedChoice): Fragment {
  return SQL`${inMonths('entry_line', choice)} AND entry_line.day BETWEEN ${choice.from} AND ${choice.to}`;
}

/**
 * The conditions on the lines are repeated for their batches, or the planner would read the batches of all branches.
 */
export function selectPosted(
  sql: Sql,
  choice: PostedChoice,
  cut: { offset: number; limit: number },
  order: PostedOrder,
): Promise<PostedRow[]> {
  return sql.rows<PostedRow>(SQL`
    SELECT company.code AS company, branch.code AS branch, batch.number AS batch, document.number AS document,
           entry_line.entry_number AS entry, entry_line.day, account.code AS "accountCode",
           offset_account.code AS "offsetCode", entry_line.side, entry_line.amount,
           entry_line.narration_code AS "narrationCode",
           coalesce(entry_line.printed_narration, entry_line.narration) AS narration,
           month.state = 'CLOSED' AS closed
      FROM ${POSTED_SOURCE}
     WHERE ${isPosted(choice)} AND ${inMonths('batch', choice)}
     ORDER BY ${POSTED_ORDERS[order.by]} ${SQL.direction(order.direction)}, entry_line.day, company.code, branch.code,
              ${bookOrder({ ...PLACE, entry: 'entry_line.entry_number', sequence: 'entry_line.sequence' })}
     LIMIT ${cut.limit} OFFSET ${cut.offset}`);
}

/** Lines of each day that has any, by the ledger index alone. */
export function countPostedByDay(sql: Sql, choice: PostedChoice): Promise<{ day: Day; lines: number }[]> {
  return sql.rows(SQL`
    SELECT entry_line.day, count(*) AS lines FROM entry_line WHERE ${isPosted(choice)}
     GROUP BY entry_line.day ORDER BY entry_line.day`);
}

/** Branches that the caller can access, of one company or of all. */
export function selectReachedBranches(sql: Sql, companyId: CompanyId | null): Promise<BranchKey[]> {
  return sql.rows<BranchKey>(SQL`
    SELECT branch.company_id AS "companyId", branch.id AS "branchId"
      FROM branch
     WHERE (${companyId}::bigint IS NULL OR branch.company_id = ${companyId})
       AND can_access(branch.company_id, branch.id)`);
}

/** Code of the branch's chart; empty while it has none. */
export async function selectChartCode(sql: Sql, branch: BranchKey): Promise<string> {
  const row = await sql.maybe<{ code: string }>(SQL`
    SELECT chart.code FROM company_options JOIN chart ON chart.id = company_options.chart_id
     WHERE company_options.company_id = ${branch.companyId} AND company_options.branch_id = ${branch.branchId}`);
  return row?.code ?? '';
}
