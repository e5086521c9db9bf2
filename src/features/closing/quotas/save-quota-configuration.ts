import { addDays, firstDay, todayInSaoPaulo } from '../../../accounting/period.ts';
import { problem, throwIfAny } from '../../../accounting/problem.ts';
import { scaledFromDecimal } from '../../../accounting/quota.ts';
import { STORED_DECIMALS } from '../../../accounting/quota-series.ts';
import type { Context } from '../../../platform/context.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';
import { selectBooks } from '../../master-data/companies/books.read.sql.ts';
import { lockBranch } from '../../master-data/companies/companies.sql.ts';
import { noBooksProblem } from '../../master-data/companies/require-books.ts';
import { defaulted, optional, required } from '../../master-data/records/fields.ts';
import type { RecordDefinition, RecordInput, RecordRow } from '../../master-data/records/record-definition.ts';
import { selectRecordOfBranch } from '../../master-data/records/records.read.sql.ts';
import { addRecord, replaceRecord } from '../../master-data/records/save-record.ts';
import { lockPostingAccounts } from '../../posting/entries/entries.sql.ts';
import { moveToNumberOfQuotas } from './quotas.sql.ts';

export const QUOTA_CONFIGURATION = {
  name: 'Quota configuration',
  table: 'quota_configuration',
  owner: 'TENANT',
  orderBy: SQL`quota_configuration.id`,
  uniqueField: 'branch',
  fields: {
    netEquityAccountId: required.accountId(),
    includeOpenResult: defaulted.flag({ default: false }),
    numberOfQuotas: optional.decimal({ example: 810000.12345678 }),
    quotaQuantityAccountId: optional.accountId({ example: null }),
    quotaDecimals: defaulted.integer(0, 12, { default: 8 }),
    roundingMode: defaulted.oneOf(['TRUNC', 'HALF_UP', 'HALF_EVEN'], { default: 'TRUNC' }),
    quantityDecimals: defaulted.integer(0, 12, { default: 8 }),
    redemptionDays: defaulted.integer(0, 365, { default: 0 }),
    subscriptionTemplate: optional.code(20, { example: null }),
    redemptionTemplate: optional.code(20, { example: null }),
    comeCotasTemplate: optional.code(20, { example: null }),
    amortizationTemplate: optional.code(20, { example: null }),
  },
} as const satisfies RecordDefinition;

export type QuotaConfigurationInput = RecordInput<typeof QUOTA_CONFIGURATION>;
export type QuotaConfigurationRow = RecordRow<typeof QUOTA_CONFIGURATION>;

/**
 * Creates or replaces the configuration of a branch; its accounts are of the branch's chart. A number of quotas is
 * valid from today on (domain: quota, 2).
 */
export async function saveQuotaConfiguration(
  context: Context,
  tenant: Tenant,
  facts: QuotaConfigurationInput,
): Promise<QuotaConfigurationRow> {
  // In one transaction, so that the accounts stay locked until the configuration is written.
  return context.transaction(async (sql) => {
    // Of two concurrent first configurations, the second one replaces the first.
    await lockBranch(sql, tenant.companyId, tenant.branchId);
    const books = await selectBooks(sql, tenant);
    const named = (['netEquityAccountId', 'quotaQuantityAccountId'] as const).filter(
      (field) => facts[field] !== undefined,
    );
    const accounts = books
      ? await lockPostingAccounts(
          sql,
          books.chartId,
          named.map((field) => facts[field]!),
        )
      : [];
    throwIfAny([
      ...(books ? [] : [noBooksProblem(tenant)]),
      ...named
        .filter((field) => books && !accounts.some((account) => account.id === facts[field]))
        .map((field) => problem('ACCOUNT_NOT_IN_CHART', { account: facts[field]! }, field)),
      ...(facts.numberOfQuotas === undefined && facts.quotaQuantityAccountId === undefined
        ? [problem('NO_QUOTAS', {}, 'numberOfQuotas')]
        : []),
    ]);
    const existing = await selectRecordOfBranch(sql, QUOTA_CONFIGURATION, tenant);
    // Written again as it is, the number says nothing new: movements have gone on from it since.
    if (facts.numberOfQuotas !== undefined && !isSameNumber(existing?.numberOfQuotas, facts.numberOfQuotas)) {
      await moveToNumberOfQuotas(sql, tenant, {
        numberOfQuotas: facts.numberOfQuotas,
        baseDay: addDays(firstDay(books!.baseMonth), -1),
        today: todayInSaoPaulo(context.now()),
        createdBy: context.caller.username,
      });
    }
    return existing
      ? replaceRecord(sql, context, QUOTA_CONFIGURATION, existing.id as number, tenant, facts)
      : addRecord(sql, context, QUOTA_CONFIGURATION, tenant, facts);
  });
}

function isSameNumber(before: string | null | undefined, given: string): boolean {
  return scaledFromDecimal(before ?? '', STORED_DECIMALS) === scaledFromDecimal(given, STORED_DECIMALS);
}
