import type { RecordDefinition } from './record-definition.ts';

export const HISTORY: RecordDefinition = {
  name: 'Narration',
  table: 'standard_narration',
  owner: 'EITHER',
  key: 'id',
  orderBy: 'natural_sort_key(standard_narration.code), standard_narration.id',
  uniqueField: 'cdHistory',
  fields: {
    cdHistory: { column: 'code' },
    description: { column: 'description' },
    requiresComplement: { column: 'requires_complement' },
    debcre: { column: 'side' },
    active: { column: 'active' },
  },
};

export const FUND_TYPE: RecordDefinition = {
  name: 'Fund type',
  table: 'fund_type',
  owner: 'GLOBAL',
  key: 'id',
  orderBy: 'fund_type.code',
  uniqueField: 'code',
  fields: {
    code: { column: 'code' },
    description: { column: 'description' },
    regulatoryPlan: { column: 'regulatory_plan' },
    taxationTerm: { column: 'taxation_term' },
    comeCotas: { column: 'come_cotas' },
    quotaType: { column: 'quota_type' },
    active: { column: 'active' },
  },
};

export const FUND_SETTINGS: RecordDefinition = {
  name: 'Fund settings',
  table: 'fund_settings',
  owner: 'TENANT',
  key: 'id',
  orderBy: 'fund_settings.name, fund_settings.id',
  uniqueField: 'branch',
  fields: {
    fundTypeId: { column: 'fund_type_id' },
    cnpj: { column: 'cnpj' },
    name: { column: 'name' },
    cvmCode: { column: 'cvm_code' },
    registrationDate: { column: 'registration_date' },
    startDate: { column: 'start_date' },
    fiscalYearStart: { column: 'fiscal_year_start' },
    fiscalYearEnd: { column: 'fiscal_year_end' },
    condominium: { column: 'condominium' },
    administrator: { column: 'administrator', kind: 'json' },
    manager: { column: 'manager', kind: 'json' },
    custodian: { column: 'custodian', kind: 'json' },
    auditor: { column: 'auditor', kind: 'json' },
    administrationFee: { column: 'administration_fee', kind: 'decimal' },
    performanceFee: { column: 'performance_fee', kind: 'decimal' },
    quotaDecimals: { column: 'quota_decimals' },
    active: { column: 'active' },
  },
};

export const ROUTINE: RecordDefinition = {
  name: 'Routine',
  table: 'routine',
  owner: 'GLOBAL',
  key: 'id',
  orderBy: 'routine.code',
  uniqueField: 'code',
  fields: {
    code: { column: 'code' },
    name: { column: 'name' },
    description: { column: 'description' },
    module: { column: 'module' },
    restricted: { column: 'restricted' },
    active: { column: 'active' },
  },
};

export const ROUTINE_ACCESS: RecordDefinition = {
  name: 'Routine access',
  table: 'routine_access',
  owner: 'GLOBAL',
  key: 'id',
  orderBy: 'routine_access.id',
  uniqueField: 'routineId',
  fields: {
    routineId: { column: 'routine_id' },
    userId: { column: 'user_id' },
    groupId: { column: 'group_id' },
    canRead: { column: 'can_read' },
    canWrite: { column: 'can_write' },
    canExecute: { column: 'can_execute' },
    validFrom: { column: 'valid_from' },
    validTo: { column: 'valid_to' },
    active: { column: 'active' },
  },
};

export const REFERENCE_CHART: RecordDefinition = {
  name: 'Reference chart',
  table: 'reference_chart',
  owner: 'GLOBAL',
  key: 'planRef_uuid',
  orderBy: 'reference_chart.code',
  uniqueField: 'code',
  fields: {
    code: { column: 'code' },
    name: { column: 'name' },
    institution: { column: 'institution' },
    version: { column: 'version' },
    validFrom: { column: 'valid_from' },
    validTo: { column: 'valid_to' },
    active: { column: 'active' },
  },
};

export const REFERENCE_ACCOUNT: RecordDefinition = {
  name: 'Reference account',
  table: 'reference_account',
  owner: 'GLOBAL',
  key: 'accountRef_uuid',
  orderBy: 'reference_account.chart_id, reference_account.order_number, reference_account.code',
  uniqueField: 'code',
  fields: {
    planRef_uuid: { column: 'chart_id' },
    code: { column: 'code' },
    description: { column: 'description' },
    validFrom: { column: 'valid_from' },
    validTo: { column: 'valid_to' },
    orderNumber: { column: 'order_number' },
    type: { column: 'account_type' },
    parentCode: { column: 'parent_code' },
    level: { column: 'level' },
    nature: { column: 'nature' },
    active: { column: 'active' },
  },
};

/** A record with rules; its use cases keep it through the same statements. */
export const CLOSURE_SETTINGS: RecordDefinition = {
  name: 'Closure settings',
  table: 'closure_settings',
  owner: 'TENANT',
  key: 'id',
  orderBy: 'closure_settings.id',
  uniqueField: 'branch',
  fields: {
    closingMonths: { column: 'closing_months' },
    revenueGroups: { column: 'revenue_groups' },
    expenseGroups: { column: 'expense_groups' },
    creditResultAccountId: { column: 'credit_result_account_id' },
    debitResultAccountId: { column: 'debit_result_account_id' },
    profitAccountId: { column: 'profit_account_id' },
    lossAccountId: { column: 'loss_account_id' },
    lote: { column: 'batch_number' },
    cdhistorico: { column: 'narration_code' },
    historico: { column: 'narration' },
    excludeAccounts: { column: 'excluded_accounts', kind: 'json' },
    active: { column: 'active' },
  },
};

export const QUOTA_CONFIGURATION: RecordDefinition = {
  name: 'Quota configuration',
  table: 'quota_configuration',
  owner: 'TENANT',
  key: 'id',
  orderBy: 'quota_configuration.id',
  uniqueField: 'branch',
  fields: {
    netEquityAccountId: { column: 'net_equity_account_id' },
    includeOpenResult: { column: 'include_open_result' },
    numberOfQuotas: { column: 'number_of_quotas', kind: 'decimal' },
    quotaQuantityAccountId: { column: 'quota_quantity_account_id' },
    quotaDecimals: { column: 'quota_decimals' },
    roundingMode: { column: 'rounding_mode' },
  },
};

export const ENTRY_TEMPLATE: RecordDefinition = {
  name: 'Entry template',
  table: 'entry_template',
  owner: 'TENANT',
  key: 'id',
  orderBy: 'entry_template.company_id, entry_template.branch_id, natural_sort_key(entry_template.code)',
  uniqueField: 'code',
  fields: {
    code: { column: 'code' },
    description: { column: 'description' },
    documento: { column: 'document_number' },
    cdhistorico: { column: 'narration_code' },
    periodicity: { column: 'periodicity' },
    lines: { column: 'lines', kind: 'json' },
    active: { column: 'active' },
  },
};
