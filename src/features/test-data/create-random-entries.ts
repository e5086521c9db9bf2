import { type Centavos, decimalOf } from '../../accounting/money.ts';
import { firstDay, type Month, monthNumberOf, yearOf } from '../../accounting/period.ts';
import { refuse } from '../../accounting/problem.ts';
import { type Context, joined } from '../../platform/context.ts';
import type { Sql } from '../../platform/sql.ts';
import type { Tenant } from '../access/access.ts';
import { recordAudit } from '../access/audit.sql.ts';
import { insertDocument } from '../batches/batches.sql.ts';
import { createBatch } from '../batches/create-batch.ts';
import { selectPostingRules } from '../entries/entries.sql.ts';
import { selectBranchMonths } from '../months/months.read.sql.ts';
import { lockMonthShared, requireOpen, selectCurrentDay } from '../months/months.sql.ts';

export interface RandomEntries {
  readonly batches: number;
  /** Logical entries in all, spread evenly over the batches. */
  readonly entries: number;
  readonly minimum: Centavos;
  readonly maximum: Centavos;
  /** Over all open days of the month, else on the current day. */
  readonly wholeMonth: boolean;
}

/** Random but balanced entries in the branch's last open month, for development and tests (domain: bulk creation). */
export async function createRandomEntries(
  context: Context,
  tenant: Tenant,
  request: RandomEntries,
): Promise<{ batches: number; entries: number }> {
  return context.transaction(async (sql) => {
    const { lastOpen } = await selectBranchMonths(sql, tenant.companyId, tenant.branchId);
    const month = lastOpen ?? refuse('NO_OPEN_DAY');
    requireOpen(await lockMonthShared(sql, { ...tenant, month }), month);
    const days = await openDays(sql, tenant, month, request.wholeMonth);
    if (days.length === 0) refuse('NO_OPEN_DAY');
    const accounts = await drawableAccounts(sql, tenant, month);
    if (accounts.length < 2) refuse('NO_ACCOUNTS');
    const documents: number[] = [];
    for (let at = 0; at < request.batches; at++) {
      const facts = {
        year: yearOf(month),
        month: monthNumberOf(month),
        number: undefined,
        description: 'Dados de teste',
      };
      const batch = await createBatch(joined(context, sql), tenant, facts);
      const document = {
        batchId: batch.id,
        number: '1',
        referenceDay: undefined,
        text: undefined,
        standardHistory: undefined,
      };
      documents.push((await insertDocument(sql, { ...document, companyId: tenant.companyId })).id);
    }
    await insertRandomEntries(sql, tenant, month, request, { days, accounts, documents });
    await recordAudit(sql, context, { action: 'CREATE', entity: 'test_entries', ...tenant, after: { ...request } });
    return { batches: documents.length, entries: request.entries };
  });
}

async function openDays(sql: Sql, tenant: Tenant, month: Month, wholeMonth: boolean): Promise<string[]> {
  if (!wholeMonth) {
    const current = await selectCurrentDay(sql, tenant.companyId, tenant.branchId);
    if (current?.month === month) return [current.day];
  }
  const rows = await sql.rows<{ day: string }>({
    text: `SELECT calendar_day.day FROM calendar_day
            WHERE calendar_day.company_id = $1 AND calendar_day.branch_id = $2 AND NOT calendar_day.closed
              AND calendar_day.day >= $3 AND calendar_day.day < $3::date + interval '1 month'
            ORDER BY calendar_day.day`,
    values: [tenant.companyId, tenant.branchId, firstDay(month)],
  });
  const days = rows.map((row) => row.day);
  return wholeMonth ? days : days.slice(0, 1);
}

async function drawableAccounts(sql: Sql, tenant: Tenant, month: Month): Promise<number[]> {
  const rules =
    (await selectPostingRules(sql, tenant.companyId, tenant.branchId, firstDay(month))) ??
    refuse('CHART_NOT_CONFIGURED', { company: tenant.company, branch: tenant.branch });
  const rows = await sql.rows<{ id: number }>({
    text: `SELECT account.id FROM account
            WHERE account.chart_id = $1 AND account.account_type = 'A' AND account.active
              AND (account.start_date IS NULL OR account.start_date <= $2) AND account.end_date IS NULL
            ORDER BY account.id FOR KEY SHARE`,
    values: [rules.chartId, firstDay(month)],
  });
  return rows.map((row) => row.id);
}

/** One statement: every entry draws a day, two different accounts and a value of its own. */
async function insertRandomEntries(
  sql: Sql,
  tenant: Tenant,
  month: Month,
  request: RandomEntries,
  from: { days: string[]; accounts: number[]; documents: number[] },
): Promise<void> {
  await sql.run({
    text: `WITH drawn AS MATERIALIZED (
             SELECT entry.n, floor(random() * cardinality($6::bigint[]))::integer AS debited,
                    floor(random() * (cardinality($6::bigint[]) - 1))::integer AS distance,
                    ($5::date[])[1 + floor(random() * cardinality($5::date[]))::integer] AS day,
                    $8::numeric + floor(random() * (($9::numeric - $8::numeric) * 100 + 1))::numeric / 100 AS amount
               FROM generate_series(1, $7::integer) AS entry (n)
           )
           INSERT INTO entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id,
                                   counter_account_id, side, amount, history)
           SELECT $1, $2, ($4::bigint[])[1 + (drawn.n - 1) % cardinality($4::bigint[])], $3, drawn.day,
                  (1 + (drawn.n - 1) / cardinality($4::bigint[]))::text, twin.sequence,
                  CASE twin.sequence WHEN 1 THEN pair.debit ELSE pair.credit END,
                  CASE twin.sequence WHEN 1 THEN pair.credit ELSE pair.debit END,
                  CASE twin.sequence WHEN 1 THEN 'D' ELSE 'C' END::"char", drawn.amount, 'Lançamento de teste'
             FROM drawn
            CROSS JOIN LATERAL (
                  SELECT ($6::bigint[])[1 + drawn.debited] AS debit,
                         ($6::bigint[])[1 + (drawn.debited + 1 + drawn.distance) % cardinality($6::bigint[])] AS credit
                  ) AS pair
            CROSS JOIN (VALUES (1), (2)) AS twin (sequence)`,
    values: [
      tenant.companyId,
      tenant.branchId,
      firstDay(month),
      from.documents,
      from.days,
      from.accounts,
      request.entries,
      decimalOf(request.minimum),
      decimalOf(request.maximum),
    ],
  });
}
