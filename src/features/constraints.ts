import { constraintOf } from '../platform/database/errors.ts';

/** Constraints and unique indexes of the schema whose violation has an answer of its own. */
export const CONSTRAINT = {
  USERNAME: 'app_user_username',
  IDENTITY: 'user_identity_pkey',
  GROUP_CODE: 'user_group_code_key',
  GROUP_NAME: 'user_group_name_key',
  COMPANY_CODE: 'company_code_key',
  BRANCH_CODE: 'branch_company_id_code_key',
  OPTIONS_OF_BRANCH: 'company_options_company_id_branch_id_key',
  ACCOUNT_CODE: 'account_chart_id_code_key',
  ACCOUNT_PLACE: 'account_chart_id_segments_key_key',
  ACCOUNT_SHORT_CODE: 'account_chart_id_short_code_key',
  REFERENCE_OF_ACCOUNT: 'account_reference_account_id_fkey',
  BATCH_NUMBER: 'batch_company_id_branch_id_month_number_key',
  DOCUMENT_NUMBER: 'document_company_id_batch_id_number_key',
  ENTRY_NUMBER: 'entry_line_entry',
  STATEMENT_VERSION: 'statement_version',
} as const;

type ConstraintName = (typeof CONSTRAINT)[keyof typeof CONSTRAINT];

/** Whether PostgreSQL rejected a row for one of these constraints. */
export function violates(error: unknown, ...constraints: readonly ConstraintName[]): boolean {
  return constraints.some((each) => each === constraintOf(error));
}
