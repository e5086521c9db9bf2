import { prefixMatches } from '../../accounting/account-code.ts';
import { accountProblem } from '../../accounting/posting.ts';
import { problem, throwIfAny } from '../../accounting/problem.ts';
import { type Context, withTransaction } from '../../platform/context.ts';
import type { Tenant } from '../access/access.ts';
import { masksOfChart } from '../master-data/chart/masks-of-chart.ts';
import { CLOSURE_SETTINGS } from '../master-data/records/definitions.ts';
import type { RecordRow } from '../master-data/records/records.read.sql.ts';
import { createRecord, getOrThrow, replaceRecord } from '../master-data/records/save-record.ts';
import { lockPostingAccounts, selectPostingRules } from '../posting/entries/entries.sql.ts';
import { narrationProblems } from '../posting/entries/posting-facts.ts';

export interface ClosureSettingsInput {
  readonly closingMonths: readonly number[];
  readonly revenueGroups: readonly string[];
  readonly expenseGroups: readonly string[];
  readonly creditResultAccountId: number;
  readonly debitResultAccountId: number;
  readonly profitAccountId: number;
  readonly lossAccountId: number;
  readonly excludeAccounts?: readonly number[] | undefined;
  readonly cdhistorico?: string | undefined;
}

/** Creates the settings, or replaces those of `key`, once the accounts they name are right. */
export async function saveClosureSettings(
  context: Context,
  tenant: Tenant,
  facts: ClosureSettingsInput & Record<string, unknown>,
  key?: number,
): Promise<RecordRow> {
  // In one transaction, so that the accounts stay locked until the settings are written.
  return context.transaction(async (sql) => {
    const inside = withTransaction(context, sql);
    if (key !== undefined) await getOrThrow(sql, CLOSURE_SETTINGS, key);
    await checkAccounts(inside, tenant, facts);
    return key === undefined
      ? createRecord(inside, CLOSURE_SETTINGS, tenant, facts)
      : replaceRecord(inside, CLOSURE_SETTINGS, key, tenant, facts);
  });
}

/**
 * The four accounts are active posting accounts of the branch's chart; the profit and loss accounts are outside of the
 * groups.
 */
async function checkAccounts(context: Context, tenant: Tenant, facts: ClosureSettingsInput): Promise<void> {
  const rules = await selectPostingRules(context.sql, tenant.companyId, tenant.branchId, []);
  if (!rules) {
    throwIfAny([problem('CHART_NOT_CONFIGURED', { company: tenant.company, branch: tenant.branch })]);
    return;
  }
  const fields = ['creditResultAccountId', 'debitResultAccountId', 'profitAccountId', 'lossAccountId'] as const;
  const excluded = facts.excludeAccounts ?? [];
  const accounts = new Map(
    (await lockPostingAccounts(context.sql, rules.chartId, [...fields.map((field) => facts[field]), ...excluded])).map(
      (account) => [account.id, account],
    ),
  );
  const masks = await masksOfChart(context.sql, rules.chartId);
  const groups = [...facts.revenueGroups, ...facts.expenseGroups];
  throwIfAny([
    ...fields.flatMap((field) => accountProblem(facts[field], accounts.get(facts[field]), undefined, field) ?? []),
    ...excluded
      .filter((id) => !accounts.has(id))
      .map((id) => problem('ACCOUNT_NOT_IN_CHART', { account: id }, 'excludeAccounts')),
    ...(['profitAccountId', 'lossAccountId'] as const).flatMap((field) => {
      const account = accounts.get(facts[field]);
      const group = account && groups.find((each) => prefixMatches(each, account.code, masks));
      return group ? [problem('ACCOUNT_IN_CLOSING_GROUP', { account: account.code, group }, field)] : [];
    }),
    ...(await narrationProblems(context.sql, tenant, [{ code: facts.cdhistorico, path: 'narrationCode' }])),
  ]);
}
