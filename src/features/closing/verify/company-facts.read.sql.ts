import type { CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import { type Finding, MOST_ROWS } from './difference.ts';

/** Columns of a table that name a row of another; where one of them is NULL they name none. */
export interface Reference {
  readonly table: string;
  readonly columns: readonly string[];
  /** Several, where the row may be in each: 'document|document_archive'. */
  readonly target: string;
  readonly targetColumns: readonly string[];
}

/**
 * What rows of companies refer to, with a foreign key or without one: who leaves triggers out leaves out the keys, too.
 * Lines and stored balances are not here; verify reads them month by month.
 * Each line: table, columns, table referred to, its columns where they are not called the same.
 */
export const REFERENCES: readonly Reference[] = referencesOf(`
  account_use           account_id                    account            id
  account_use           company_id,branch_id          branch             company_id,id
  approval              company_id,branch_id          branch             company_id,id
  base_balance          account_id                    account            id
  base_balance          company_id,branch_id          branch             company_id,id
  batch                 company_id,branch_id,month    month
  batch_archive         company_id,branch_id,month    month
  branch                company_id                    company            id
  calendar_day          company_id,branch_id          branch             company_id,id
  closure_settings      company_id,branch_id          branch             company_id,id
  closure_settings      credit_result_account_id      account            id
  closure_settings      debit_result_account_id       account            id
  closure_settings      loss_account_id               account            id
  closure_settings      profit_account_id             account            id
  company_options       chart_id                      chart              id
  company_options       company_id,branch_id          branch             company_id,id
  company_options       reference_chart_id            reference_chart    id
  compliance_process    company_id,branch_id          branch             company_id,id
  compliance_process    document_id                   regulatory_document id
  company_registration  company_id                    company            id
  control_balance       account_id                    account            id
  control_balance       company_id,branch_id          branch             company_id,id
  daily_quota           company_id,branch_id          branch             company_id,id
  daily_quota           net_equity_account_id         account            id
  daily_quota           quota_quantity_account_id     account            id
  document              company_id,batch_id           batch              company_id,id
  document              company_id,branch_id,month    month
  document_archive      company_id,batch_id           batch_archive      company_id,id
  document_archive      company_id,branch_id,month    month
  earlier_record        company_id                    company            id
  entry_reversal        company_id,document_id        document|document_archive company_id,id
  entry_reversal        company_id,reversal_document_id document|document_archive company_id,id
  entry_source          company_id,branch_id          branch             company_id,id
  entry_template        company_id,branch_id          branch             company_id,id
  entry_template_data   company_id,branch_id,code     entry_template
  entry_template_data   company_id,reversed_use_id    entry_template_data company_id,id
  entry_template_month  company_id,branch_id,code     entry_template
  fee_accrual           company_id,branch_id          branch             company_id,id
  fund_fee              company_id,branch_id          branch             company_id,id
  fund_fee              company_id,branch_id,template_code entry_template company_id,branch_id,code
  fund_settings         company_id,branch_id          branch             company_id,id
  fund_settings         fund_type_id                  fund_type          id
  group_permission      company_id                    company            id
  group_permission      company_id,branch_id          branch             company_id,id
  group_permission      group_id                      user_group         id
  import_file           company_id,import_id          import_record      company_id,id
  import_file_piece     company_id,import_id          import_file
  import_record         company_id,branch_id          branch             company_id,id
  issued_book           company_id                    company            id
  issued_book           company_id,branch_id          branch             company_id,id
  issued_book_piece     company_id,book_id            issued_book        company_id,id
  job                   company_id,branch_id          branch             company_id,id
  month                 company_id,branch_id          branch             company_id,id
  month_reopening       company_id,branch_id,month    month
  printed_report        company_id,branch_id          branch             company_id,id
  quota_configuration   company_id,branch_id          branch             company_id,id
  quota_configuration   net_equity_account_id         account            id
  quota_configuration   quota_quantity_account_id     account            id
  quota_configuration   company_id,branch_id,subscription_template entry_template company_id,branch_id,code
  quota_configuration   company_id,branch_id,redemption_template entry_template company_id,branch_id,code
  quota_configuration   company_id,branch_id,come_cotas_template entry_template company_id,branch_id,code
  quota_configuration   company_id,branch_id,amortization_template entry_template company_id,branch_id,code
  quota_movement        company_id,branch_id          branch             company_id,id
  regulatory_delivery   company_id                    company            id
  regulatory_delivery   company_id,replaces_id        regulatory_delivery company_id,id
  regulatory_profile    company_id                    company            id
  regulatory_profile    balance_sheet_id              statement          id
  regulatory_profile    income_statement_id           statement          id
  regulatory_profile    equity_statement_id           statement          id
  report_file_piece     company_id,job_id             job                company_id,id
  seal                  company_id,branch_id,month    month
  seal_checkpoint       company_id,branch_id,position seal
  seal_timestamp        company_id,branch_id,position seal
  standard_narration    company_id                    company            id
  standard_narration    company_id,branch_id          branch             company_id,id
  statement_fact        company_id,branch_id          branch             company_id,id
  statement_fact        statement_id,line_code        statement_line     statement_id,code
  tax_quota             company_id,branch_id          branch             company_id,id
  tax_quota             net_equity_account_id         account            id
  user_permission       company_id                    company            id
  user_permission       company_id,branch_id          branch             company_id,id
  user_permission       user_id                       app_user           id
  verify_result         company_id                    company            id
  verify_result         company_id,branch_id          branch             company_id,id
  webhook               company_id                    company            id
  webhook_delivery      company_id,webhook_id         webhook            company_id,id
  webhook_queue         company_id,webhook_id         webhook            company_id,id
  webhook_secret        company_id,webhook_id         webhook            company_id,id`);

function referencesOf(table: string): Reference[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [name, columns, target, targetColumns = columns] = line.trim().split(/\s+/) as [
        string,
        string,
        string,
        string?,
      ];
      return { table: name, columns: columns.split(','), target, targetColumns: targetColumns!.split(',') };
    });
}

/** Rows of the company that refer to nothing, and lines and balances of branches that it does not have. */
export async function selectOrphans(sql: Sql, companyId: CompanyId): Promise<Finding[]> {
  const found = await selectFound(
    sql,
    REFERENCES.map((each) => orphansOf(each, companyId)),
  );
  for (const table of OF_BRANCHES) found.push(...(await selectFound(sql, [strayBranches(table, companyId)])));
  return found.slice(0, MOST_ROWS);
}

function selectFound(sql: Sql, parts: readonly Fragment[]): Promise<Finding[]> {
  return sql.rows<Finding>(SQL`
    SELECT 'ORPHAN' AS kind, orphan.what, orphan.expected, orphan.found
      FROM (${SQL.join(parts, ' UNION ALL ')}) AS orphan (what, expected, found)
     LIMIT ${MOST_ROWS}`);
}

function orphansOf({ table, columns, target, targetColumns }: Reference, companyId: CompanyId): Fragment {
  const referring = columns.map((column) => SQL.identifier(`referring.${column}`));
  const named = SQL.join(
    referring.map((column) => SQL`${column} IS NOT NULL`),
    ' AND ',
  );
  const equal = SQL.join(
    // The company is named, so that a cluster asks its node alone.
    referring.map((column, at) => {
      const wanted = targetColumns[at] === 'company_id' ? SQL`${companyId}` : column;
      return SQL`${SQL.identifier(`target.${targetColumns[at]}`)} = ${wanted}`;
    }),
    ' AND ',
  );
  const targets = target.split('|');
  const absent = targets.map(
    (each) => SQL`NOT EXISTS (SELECT 1 FROM ${SQL.identifier(each)} AS target WHERE ${equal})`,
  );
  return SQL`
      SELECT ${table} AS what, ${`a row of ${targets.join(' or ')}`} AS expected,
             concat_ws(' ', ${SQL.join(referring)}) AS found
        FROM ${SQL.identifier(table)} AS referring
       WHERE referring.company_id = ${companyId} AND ${named}
         AND ${SQL.join(absent, ' AND ')}`;
}

/** Tables of lines and balances, whose indexes lead with company and branch. */
const OF_BRANCHES = ['entry_line', 'entry_line_archive', 'monthly_balance', 'daily_balance', 'line_sum'];

/** The branches are found by the index that leads with company and branch: one step each, whatever the lines. */
function strayBranches(table: string, companyId: CompanyId): Fragment {
  const rows = SQL.identifier(table);
  return SQL`
      SELECT ${table}, 'a row of branch', jump.branch_id::text
        FROM (WITH RECURSIVE jump AS (
                SELECT (SELECT min(branch_id) FROM ${rows} WHERE company_id = ${companyId}) AS branch_id
                UNION ALL
                SELECT (SELECT min(branch_id) FROM ${rows} WHERE company_id = ${companyId} AND branch_id > jump.branch_id)
                  FROM jump WHERE jump.branch_id IS NOT NULL)
              SELECT jump.branch_id FROM jump WHERE jump.branch_id IS NOT NULL) AS jump
       WHERE NOT EXISTS (SELECT 1 FROM branch WHERE branch.company_id = ${companyId} AND branch.id = jump.branch_id)`;
}

/** Rows whose company does not exist: from company to company of the tables' indexes, all tables together. */
export async function selectStrayCompanies(sql: Sql): Promise<Finding[]> {
  const companies = new Set((await sql.rows<{ id: number }>(SQL`SELECT company.id FROM company`)).map(({ id }) => id));
  const tables = [...new Set([...OF_BRANCHES, ...REFERENCES.map(({ table }) => table)])];
  const found: Finding[] = [];
  for (let last = 0; ; ) {
    const rows = await sql.rows<{ what: string; next: number }>(SQL`
      SELECT ahead.what, ahead.next
        FROM (${SQL.join(
          tables.map(
            (table) =>
              SQL`SELECT ${table} AS what, min(company_id) AS next FROM ${SQL.identifier(table)} WHERE company_id > ${last}`,
          ),
          ' UNION ALL ',
        )}) AS ahead
       WHERE ahead.next IS NOT NULL`);
    if (rows.length === 0) return found;
    last = Math.min(...rows.map(({ next }) => next));
    if (companies.has(last)) continue;
    for (const { what, next } of rows)
      if (next === last) found.push({ kind: 'ORPHAN', what, expected: 'a row of company', found: String(last) });
  }
}
