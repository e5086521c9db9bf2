import { prefixMatches } from '../../accounting/account-code.ts';
import type { AccountId } from '../../accounting/ids.ts';
import { accountProblem } from '../../accounting/posting.ts';
import { problem, throwIfAny } from '../../accounting/problem.ts';
import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';
import type { Tenant } from '../access/access.ts';
import { masksOfChart } from '../master-data/chart/masks-of-chart.ts';
import { requireBooks } from '../master-data/companies/require-books.ts';
import { defaulted, optional, required } from '../master-data/records/fields.ts';
import type { RecordDefinition, RecordInput, RecordRow } from '../master-data/records/record-definition.ts';
import { requireRecord } from '../master-data/records/records.read.sql.ts';
import { addRecord, removeRecord, replaceRecord } from '../master-data/records/save-record.ts';
import { lockPostingAccounts } from '../posting/entries/entries.sql.ts';
import { narrationProblems } from '../posting/entries/posting-facts.ts';

export const CLOSURE_SETTINGS = {
  name: 'Closure settings',
  table: 'closure_settings',
  owner: 'TENANT',
  orderBy: SQL`closure_settings.id`,
  uniqueField: 'branch',
  fields: {
    closingMonths: required.array<number>(),
    revenueGroups: required.array<string>(),
    expenseGroups: required.array<string>(),
    creditResultAccountId: required.accountId(),
    debitResultAccountId: required.accountId(),
    profitAccountId: required.accountId(),
    lossAccountId: required.accountId(),
    batchNumber: defaulted.code(10, { example: 'ENC' }),
    narrationCode: optional.text(5, { example: '00010' }),
    narration: optional.text(500, { example: 'Apuração do resultado' }),
    excludedAccounts: defaulted.json<readonly AccountId[]>(),
    active: defaulted.flag(),
  },
} as const satisfies RecordDefinition;

export type ClosureSettingsInput = RecordInput<typeof CLOSURE_SETTINGS>;
export type ClosureSettingsRow = RecordRow<typeof CLOSURE_SETTINGS>;

/** Creates the settings, or replaces those of `key`, once the accounts they name are right. */
export async function saveClosureSettings(
  context: Context,
  tenant: Tenant,
  input: ClosureSettingsInput,
  key?: number,
): Promise<ClosureSettingsRow> {
  // In one transaction, so that the accounts stay locked until the settings are written.
  return context.transaction(async (sql) => {
    if (key !== undefined) await requireRecord(sql, CLOSURE_SETTINGS, key);
    await checkAccounts(sql, tenant, input);
    return key === undefined
      ? addRecord(sql, context, CLOSURE_SETTINGS, tenant, input)
      : replaceRecord(sql, context, CLOSURE_SETTINGS, key, tenant, input);
  });
}

export function deleteClosureSettings(context: Context, key: number): Promise<void> {
  return context.transaction((sql) => removeRecord(sql, context, CLOSURE_SETTINGS, key));
}

/** The four accounts are active posting accounts of the branch's chart; profit and loss are outside of the groups. */
async function checkAccounts(sql: Sql, tenant: Tenant, facts: ClosureSettingsInput): Promise<void> {
  const { chartId } = await requireBooks(sql, tenant);
  const fields = ['creditResultAccountId', 'debitResultAccountId', 'profitAccountId', 'lossAccountId'] as const;
  const excluded = facts.excludedAccounts ?? [];
  const accounts = new Map(
    (await lockPostingAccounts(sql, chartId, [...fields.map((field) => facts[field]), ...excluded])).map((account) => [
      account.id,
      account,
    ]),
  );
  const masks = await masksOfChart(sql, chartId);
  const groups = [...facts.revenueGroups, ...facts.expenseGroups];
  throwIfAny([
    ...fields.flatMap((field) => accountProblem(facts[field], accounts.get(facts[field]), undefined, field) ?? []),
    ...excluded
      .filter((id) => !accounts.has(id))
      .map((id) => problem('ACCOUNT_NOT_IN_CHART', { account: id }, 'excludedAccounts')),
    ...(['profitAccountId', 'lossAccountId'] as const).flatMap((field) => {
      const account = accounts.get(facts[field]);
      const group = account && groups.find((each) => prefixMatches(each, account.code, masks));
      return group ? [problem('ACCOUNT_IN_CLOSING_GROUP', { account: account.code, group }, field)] : [];
    }),
    ...(await narrationProblems(sql, tenant, [{ code: facts.narrationCode, path: 'narrationCode' }])),
  ]);
}
