import { reject } from '../../accounting/problem.ts';
import { type RecordRef, type RecordUser, usedBy } from '../../accounting/record-name.ts';
import { SQLSTATE, sqlState, tableOf } from '../../platform/database/errors.ts';

/** Does the removal; a row that other rows still name by foreign key is rejected as in use, saying by what. */
export async function rejectWhenReferenced<T>(record: RecordRef, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return rejectInUse(error, record);
  }
}

/**
 * Throws IN_USE for a foreign key that stands against a removal; anything else as it came. PostgreSQL has one code for
 * a row removed from under another and for a row that names nothing: only a failed removal may be brought here.
 */
export function rejectInUse(error: unknown, record: RecordRef): never {
  if (sqlState(error) !== SQLSTATE.FOREIGN_KEY_VIOLATION) throw error;
  const user = USING_TABLES[tableOf(error) ?? ''] ?? 'other records';
  return reject('IN_USE', usedBy(record, [user]));
}

/** The name of a table's rows in an error. */
export const USING_TABLES: Readonly<Record<string, RecordUser>> = {
  account: 'accounts',
  approval: 'approval requests',
  base_balance: 'base balances',
  batch: 'batches',
  branch: 'branches',
  calendar_day: 'calendar days',
  closure_settings: 'closure settings',
  company_options: 'company options',
  control_balance: 'control balances',
  compliance_process: 'compliance processes',
  entry_source: 'entries',
  fee_accrual: 'fees accrued',
  fund_fee: 'fund fees',
  fund_settings: 'fund settings',
  group_member: 'members',
  import_record: 'imports',
  issued_book: 'issued books',
  month: 'opened months',
  month_reopening: 'opened months',
  printed_report: 'printed reports',
  quota_configuration: 'quota configuration',
  quota_movement: 'quota configuration',
  daily_quota: 'quotas calculated',
  tax_quota: 'quotas calculated',
  reference_account: 'reference accounts',
  regulatory_delivery: 'deliveries to regulators',
  regulatory_profile: 'regulatory profiles',
  routine_access: 'accesses',
  standard_narration: 'narrations',
  statement_fact: 'statement facts',
  entry_template: 'entry templates',
  entry_template_data: 'template uses',
};
