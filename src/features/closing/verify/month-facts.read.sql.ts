import type { AccountId, ChartId } from '../../../accounting/ids.ts';
import { addMonths, type Day, firstDay, lastDay } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { MonthKey } from '../../posting/months/months.sql.ts';
import { type Finding, MOST_ROWS } from './difference.ts';

// What a month holds, read anew for verify. None of these statements is one that wrote what they check: the rules of
// balances are not asked, lines are summed and compared as they stand, in the books and in the archive.

/** Rows of a month in the books and in the archive, which of the two they are in, as `table`. */
export function bothStores(
  table: 'batch' | 'document' | 'entry_line',
  columns: readonly string[],
  key: MonthKey,
): Fragment {
  const from = (name: string, archived: Fragment) => {
    const rows = SQL.identifier(name);
    return SQL`SELECT ${archived} AS archived, ${SQL.join(columns.map(SQL.identifier))} FROM ${rows}
       WHERE ${rows}.company_id = ${key.companyId} AND ${rows}.branch_id = ${key.branchId}
         AND ${rows}.month = ${firstDay(key.month)}`;
  };
  return SQL`(${from(table, SQL`false`)} UNION ALL ${from(`${table}_archive`, SQL`true`)}) AS ${SQL.identifier(table)}`;
}

/** The row of the month, and what its branch is kept by. */
export interface VerifiedMonth {
  readonly state: 'OPEN' | 'CLOSED';
  readonly archived: boolean;
  readonly summed: boolean;
  readonly closedAt: Date | null;
  readonly entries: number | null;
  /** NUMERIC text. */
  readonly debits: string | null;
  readonly previousState: 'OPEN' | 'CLOSED' | null;
  readonly nextState: 'OPEN' | 'CLOSED' | null;
  /** First day of the base month. */
  readonly baseMonth: Day | null;
  readonly chartId: ChartId | null;
}

/** Undefined where the branch has no such month. */
export function selectVerifiedMonth(sql: Sql, key: MonthKey): Promise<VerifiedMonth | undefined> {
  const beside = (count: number) => SQL`
           (SELECT beside.state FROM month AS beside
             WHERE beside.company_id = ${key.companyId} AND beside.branch_id = month.branch_id
               AND beside.month = ${firstDay(addMonths(key.month, count))})`;
  return sql.maybe<VerifiedMonth>(SQL`
    SELECT month.state, month.archived, month.summed, month.closed_at AS "closedAt", month.entries, month.debits,
           ${beside(-1)} AS "previousState", ${beside(1)} AS "nextState",
           company_options.base_month AS "baseMonth", company_options.chart_id AS "chartId"
      FROM month
      LEFT JOIN company_options ON company_options.company_id = month.company_id
       AND company_options.branch_id = month.branch_id
     WHERE month.company_id = ${key.companyId} AND month.branch_id = ${key.branchId}
       AND month.month = ${firstDay(key.month)}`);
}

/** What the lines of a month add up to on an account and day; amounts as NUMERIC text. */
export interface SummedLines {
  readonly accountId: AccountId;
  readonly day: Day;
  readonly lines: number;
  readonly debit: string;
  readonly credit: string;
  readonly closingDebit: string;
  readonly closingCredit: string;
}

export function selectSummedLines(sql: Sql, key: MonthKey): Promise<SummedLines[]> {
  const sum = (side: 'D' | 'C', closing: boolean) =>
    SQL`coalesce(sum(CASE WHEN entry_line.side = ${side} AND entry_line.closing = ${closing}
                          THEN entry_line.amount END), 0)::numeric(20,2)`;
  return sql.rows<SummedLines>(SQL`
    SELECT entry_line.account_id AS "accountId", entry_line.day, count(*) AS lines, ${sum('D', false)} AS debit,
           ${sum('C', false)} AS credit, ${sum('D', true)} AS "closingDebit", ${sum('C', true)} AS "closingCredit"
      FROM ${bothStores('entry_line', ['account_id', 'day', 'side', 'closing', 'amount'], key)}
     GROUP BY entry_line.account_id, entry_line.day`);
}

/** A stored balance, its days as the text of their arrays; amounts as NUMERIC text. Null: there is no such row. */
export interface StoredBalance {
  readonly accountId: AccountId;
  readonly monthly: string | null;
  readonly days: string | null;
  readonly debits: string | null;
  readonly credits: string | null;
  readonly closingDebits: string | null;
  readonly closingCredits: string | null;
  readonly balances: string | null;
}

/** Stored balances of the month: of each account opening, debit, credit, closing debit and credit, and balance as one text. */
export function selectStoredBalances(sql: Sql, key: MonthKey): Promise<StoredBalance[]> {
  const of = (table: string) => {
    const name = SQL.identifier(table);
    return SQL`${name}.company_id = ${key.companyId} AND ${name}.branch_id = ${key.branchId}
                  AND ${name}.month = ${firstDay(key.month)}`;
  };
  return sql.rows<StoredBalance>(SQL`
    SELECT coalesce(monthly.account_id, daily.account_id) AS "accountId", monthly.amounts AS monthly,
           daily.days::text AS days, daily.debits::text AS debits, daily.credits::text AS credits,
           daily.closing_debits::text AS "closingDebits", daily.closing_credits::text AS "closingCredits",
           daily.balances::text AS balances
      FROM (SELECT monthly_balance.account_id,
                   concat_ws(' ', monthly_balance.opening, monthly_balance.debit, monthly_balance.credit,
                             monthly_balance.closing_debit, monthly_balance.closing_credit, monthly_balance.closing,
                             monthly_balance.balance) AS amounts
              FROM monthly_balance WHERE ${of('monthly_balance')}) AS monthly
      FULL JOIN (SELECT daily_balance.* FROM daily_balance WHERE ${of('daily_balance')}) AS daily
        ON daily.account_id = monthly.account_id`);
}

/** What posting accounts bring into the month: stored for the month before, or the base balances. NUMERIC text. */
export interface BroughtBalance {
  readonly accountId: AccountId;
  readonly balance: string;
}

export function selectBroughtBalances(sql: Sql, key: MonthKey, isFirst: boolean): Promise<BroughtBalance[]> {
  const { companyId, branchId, month } = key;
  return isFirst
    ? sql.rows<BroughtBalance>(SQL`
    SELECT base_balance.account_id AS "accountId", base_balance.balance FROM base_balance
     WHERE base_balance.company_id = ${companyId} AND base_balance.branch_id = ${branchId}`)
    : sql.rows<BroughtBalance>(SQL`
    SELECT monthly_balance.account_id AS "accountId", monthly_balance.balance
      FROM monthly_balance
     WHERE monthly_balance.company_id = ${companyId} AND monthly_balance.branch_id = ${branchId}
       AND monthly_balance.month = ${firstDay(addMonths(month, -1))}
       AND NOT EXISTS (SELECT 1 FROM account AS below WHERE below.parent_id = monthly_balance.account_id)`);
}

/** An account as the books and its chart know it. */
export interface VerifiedAccount {
  readonly id: AccountId;
  readonly code: string;
  readonly parentId: AccountId | null;
  readonly accountClass: string;
}

/** All accounts of the charts to which the accounts belong, and the chart of the branch. */
export function selectVerifiedAccounts(
  sql: Sql,
  chartId: ChartId | null,
  accountIds: readonly AccountId[],
): Promise<VerifiedAccount[]> {
  return sql.rows<VerifiedAccount>(SQL`
    SELECT account.id, account.code, account.parent_id AS "parentId", account.account_class AS "accountClass"
      FROM account
     WHERE account.chart_id = ${chartId}
        OR account.chart_id IN (SELECT other.chart_id FROM account AS other WHERE other.id = ANY (${accountIds}::bigint[]))`);
}

/** Entries of which debits and credits differ, or that number a line twice. */
export function selectWrongEntries(sql: Sql, key: MonthKey): Promise<Finding[]> {
  const columns = ['document_id', 'entry_number', 'sequence', 'side', 'amount'];
  return sql.rows<Finding>(SQL`
    SELECT CASE WHEN entry.debits <> entry.credits THEN 'ENTRY_UNBALANCED' ELSE 'DUPLICATE' END AS kind,
           'entry ' || entry.entry_number || ' of document ' || entry.document_id AS what,
           CASE WHEN entry.debits <> entry.credits THEN 'debits ' || entry.debits ELSE entry.lines || ' lines' END AS expected,
           CASE WHEN entry.debits <> entry.credits THEN 'credits ' || entry.credits
                ELSE entry.numbers || ' numbers of lines' END AS found
      FROM (SELECT entry_line.document_id, entry_line.entry_number, count(*) AS lines,
                   count(DISTINCT entry_line.sequence) AS numbers,
                   coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'D'), 0) AS debits,
                   coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'C'), 0) AS credits
              FROM ${bothStores('entry_line', columns, key)}
             GROUP BY entry_line.document_id, entry_line.entry_number) AS entry
     WHERE entry.debits <> entry.credits OR entry.lines <> entry.numbers
     LIMIT ${MOST_ROWS}`);
}

/** What the lines add up to as a whole. */
export interface LineFigures {
  /** Logical entries. */
  readonly entries: number;
  /** NUMERIC text. */
  readonly debits: string;
}

export function selectLineFigures(sql: Sql, key: MonthKey): Promise<LineFigures> {
  const columns = ['document_id', 'entry_number', 'side', 'amount'];
  return sql.one<LineFigures>(SQL`
    SELECT count(*) AS entries, coalesce(sum(entry.debits), 0)::numeric(20,2) AS debits
      FROM (SELECT sum(entry_line.amount) FILTER (WHERE entry_line.side = 'D') AS debits
              FROM ${bothStores('entry_line', columns, key)}
             GROUP BY entry_line.document_id, entry_line.entry_number) AS entry`);
}

/** Kept sums of an open month that are not those of its lines; a month that is not summed has none. */
export function selectWrongSums(sql: Sql, key: MonthKey): Promise<Finding[]> {
  return sql.rows<Finding>(SQL`
    SELECT 'KEPT_SUM' AS kind, 'account ' || coalesce(account.code, coalesce(kept.account_id, lines.account_id)::text) AS what,
           lines.amounts AS expected, kept.amounts AS found
      FROM (SELECT line_sum.account_id,
                   concat_ws(' ', sum(line_sum.lines), sum(line_sum.debit), sum(line_sum.credit),
                             sum(line_sum.closing_debit), sum(line_sum.closing_credit)) AS amounts
              FROM line_sum
             WHERE line_sum.company_id = ${key.companyId} AND line_sum.branch_id = ${key.branchId}
               AND line_sum.month = ${firstDay(key.month)}
             GROUP BY line_sum.account_id
            HAVING sum(line_sum.lines) <> 0 OR sum(line_sum.net) <> 0) AS kept
      FULL JOIN (SELECT entry_line.account_id,
                        concat_ws(' ', count(*),
                          sum(CASE WHEN entry_line.side = 'D' AND NOT entry_line.closing THEN entry_line.amount ELSE 0.00 END),
                          sum(CASE WHEN entry_line.side = 'C' AND NOT entry_line.closing THEN entry_line.amount ELSE 0.00 END),
                          sum(CASE WHEN entry_line.side = 'D' AND entry_line.closing THEN entry_line.amount ELSE 0.00 END),
                          sum(CASE WHEN entry_line.side = 'C' AND entry_line.closing THEN entry_line.amount ELSE 0.00 END))
                          AS amounts
                   FROM entry_line
                  WHERE entry_line.company_id = ${key.companyId} AND entry_line.branch_id = ${key.branchId}
                    AND entry_line.month = ${firstDay(key.month)}
                    AND EXISTS (SELECT 1 FROM month
                                 WHERE month.company_id = ${key.companyId} AND month.branch_id = ${key.branchId}
                                   AND month.month = ${firstDay(key.month)} AND month.summed)
                  GROUP BY entry_line.account_id) AS lines ON lines.account_id = kept.account_id
      LEFT JOIN account ON account.id = coalesce(kept.account_id, lines.account_id)
     WHERE kept.amounts IS DISTINCT FROM lines.amounts
     LIMIT ${MOST_ROWS}`);
}

/** Lines, documents and batches of the month that do not hang together. */
export function selectBrokenReferences(
  sql: Sql,
  key: MonthKey,
  { archived, chartId }: Pick<VerifiedMonth, 'archived' | 'chartId'>,
): Promise<Finding[]> {
  const lines = bothStores('entry_line', LINE_COLUMNS, key);
  const documentsOf = (table: 'document' | 'document_archive', inArchive: Fragment) => {
    const rows = SQL.identifier(table);
    return SQL`SELECT own_batch.archived, ${rows}.id, ${rows}.batch_id, ${rows}.number, ${rows}.import_id,
                   ${rows}.branch_id = ${key.branchId} AND ${rows}.month = ${firstDay(key.month)} AS in_place
              FROM own_batch
              JOIN ${rows} ON ${rows}.company_id = ${key.companyId} AND ${rows}.batch_id = own_batch.id
             WHERE own_batch.archived = ${inArchive}`;
  };
  return sql.rows<Finding>(SQL`
    WITH own_batch AS MATERIALIZED (SELECT batch.* FROM ${bothStores('batch', ['id', 'number', 'closing'], key)}),
         own_document AS MATERIALIZED (
           ${documentsOf('document', SQL`false`)} UNION ALL ${documentsOf('document_archive', SQL`true`)}),
         own_import AS MATERIALIZED (
           SELECT import_record.id FROM import_record
            WHERE import_record.company_id = ${key.companyId} AND import_record.branch_id = ${key.branchId}),
         own_account AS MATERIALIZED (SELECT account.id, account.chart_id, account.account_type FROM account)
    SELECT 'REFERENCE' AS kind, wrong.what, wrong.expected, wrong.found
      FROM (SELECT 'line ' || entry_line.id || ', entry ' || entry_line.entry_number || ' of document '
                   || entry_line.document_id AS what,
                   fault.expected, fault.found
              FROM ${lines}
              LEFT JOIN own_document ON own_document.id = entry_line.document_id
               AND own_document.archived = entry_line.archived AND own_document.in_place
              LEFT JOIN own_batch ON own_batch.id = own_document.batch_id AND own_batch.archived = entry_line.archived
              LEFT JOIN own_import ON own_import.id = entry_line.import_id
              LEFT JOIN own_account ON own_account.id = entry_line.account_id
              LEFT JOIN own_account AS offset_account ON offset_account.id = entry_line.offset_account_id
             CROSS JOIN LATERAL (
                     SELECT CASE
                       WHEN entry_line.archived <> ${archived} THEN 'a line of the other store'
                       WHEN own_document.id IS NULL THEN 'a document of the branch and month'
                       WHEN own_batch.id IS NULL THEN 'a batch of the branch and month'
                       WHEN own_account.id IS NULL THEN 'an account'
                       WHEN own_account.account_type <> 'A' THEN 'a posting account'
                       WHEN own_account.chart_id IS DISTINCT FROM ${chartId}::bigint THEN 'an account of the branch''s chart'
                       WHEN entry_line.offset_account_id IS NOT NULL AND offset_account.id IS NULL THEN 'an offset account'
                       WHEN entry_line.import_id IS NOT NULL AND own_import.id IS NULL THEN 'an import of the branch'
                       WHEN entry_line.day NOT BETWEEN ${firstDay(key.month)} AND ${lastDay(key.month)} THEN 'a day of the month'
                       WHEN entry_line.closing <> own_batch.closing THEN 'closing entries in their batch alone'
                       WHEN entry_line.amount <= 0 OR entry_line.side NOT IN ('D', 'C') THEN 'a debit or credit above zero'
                       WHEN entry_line.source_id IS NOT NULL AND NOT EXISTS (
                              SELECT 1 FROM entry_source
                               WHERE entry_source.company_id = ${key.companyId} AND entry_source.id = entry_line.source_id)
                         THEN 'the source of the entry' END AS expected,
                       concat_ws(' ', 'account', entry_line.account_id, 'day', entry_line.day,
                                 CASE WHEN entry_line.archived THEN 'archived' END) AS found) AS fault
             WHERE fault.expected IS NOT NULL
            UNION ALL
            SELECT 'document ' || own_document.id, 'branch and month of its batch', 'batch ' || own_document.batch_id
              FROM own_document
             WHERE NOT own_document.in_place
            UNION ALL
            SELECT 'document ' || own_document.id, 'an import of the branch', 'import ' || own_document.import_id
              FROM own_document
             WHERE own_document.import_id IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM own_import WHERE own_import.id = own_document.import_id)
            UNION ALL
            SELECT 'batch ' || own_batch.id, 'a batch of the other store', CASE WHEN own_batch.archived THEN 'archived' END
              FROM own_batch WHERE own_batch.archived <> ${archived}) AS wrong
    UNION ALL
    SELECT 'DUPLICATE', 'batch number ' || own_batch.number, '1', count(*)::text
      FROM own_batch GROUP BY own_batch.number HAVING count(*) > 1
    UNION ALL
    SELECT 'DUPLICATE', 'document number ' || own_document.number || ' of batch ' || own_document.batch_id, '1', count(*)::text
      FROM own_document GROUP BY own_document.batch_id, own_document.number HAVING count(*) > 1
     LIMIT ${MOST_ROWS}`);
}

const LINE_COLUMNS = [
  ...['id', 'document_id', 'account_id', 'offset_account_id', 'day', 'side', 'closing', 'amount', 'entry_number'],
  ...['source_id', 'import_id'],
];
