// The types of records that Cadastros keeps. What their forms look like comes from the documents of the services
// (generated/forms), what their fields are called from labels.ts.

export type RecordService = 'masterdata' | 'movements' | 'compliance';

/** A type of records: the operations that keep it, and what its list shows. */
export interface RecordType {
  /** Its name in the address and in labels.ts. */
  readonly slug: string;
  readonly group: RecordGroup;
  readonly service?: RecordService;
  /** Without a list, records are only sent. */
  readonly list?: string;
  readonly create?: string;
  /** Whole records replace each other. */
  readonly replace?: string;
  readonly remove?: string;
  /** The list is one document, right only as a whole: its rows are changed here and saved together. */
  readonly isSheet?: boolean;
  /** Fields that another one says already. */
  readonly hidden?: readonly string[];
  /** Who changes them; absent: whoever reaches the branch. */
  readonly routine?: string;
  readonly adminOnly?: boolean;
  /** What a record is known by in the list, in the address and in the path of its operations. */
  readonly key: string;
  /** Fields of the list; the first is what a record is called by. */
  readonly columns: readonly string[];
  /** Records of one company or branch: the list keeps to those of the address. */
  readonly of?: 'company' | 'branch';
  /** The records that it belongs to, and the name in the path for them. */
  readonly parent?: { readonly slug: string; readonly param: string };
  /** Has a screen of its own, beside Cadastros. */
  readonly screen?: 'plano';
  /** What a new record begins with, beside company and branch of the address. */
  readonly initial?: Readonly<Record<string, unknown>>;
}

export const RECORD_GROUPS = ['institution', 'accounts', 'posting', 'funds', 'statements', 'access', 'links'] as const;
export type RecordGroup = (typeof RECORD_GROUPS)[number];

const ACTIVE = { active: true };

export const RECORD_TYPES: readonly RecordType[] = [
  {
    ...operations('Company', 'Companies'),
    ...{ slug: 'empresas', group: 'institution', key: 'id', routine: 'COMPANIES', initial: ACTIVE },
    columns: ['name', 'company', 'cnpj', 'city', 'state', 'active'],
  },
  {
    ...operations('Branch', 'Branches'),
    ...{ slug: 'filiais', group: 'institution', key: 'id', of: 'company', routine: 'COMPANIES' },
    columns: ['name', 'branch', 'cnpj', 'headOffice', 'city', 'active'],
    initial: { ...ACTIVE, headOffice: false },
  },
  {
    ...operations('CompanyOptions'),
    ...{ slug: 'opcoes', group: 'institution', key: 'id', of: 'company', routine: 'SETTINGS' },
    columns: ['branch', 'chartCode', 'baseYearMonth', 'accountMask', 'regulatoryLayout'],
    initial: { historyRequired: false },
  },
  {
    ...operations('ClosureSettings'),
    ...{ slug: 'encerramento', group: 'institution', key: 'id', of: 'company', routine: 'SETTINGS', initial: ACTIVE },
    columns: ['branch', 'closingMonths', 'profitAccountId', 'lossAccountId', 'active'],
  },
  {
    ...{ slug: 'perfil-regulatorio', group: 'institution', key: 'company', of: 'company', routine: 'COMPANIES' },
    ...{ list: 'getRegulatoryProfile', replace: 'replaceRegulatoryProfile' },
    columns: ['company', 'ecdBook', 'bookkeeping', 'audited', 'updatedAt'],
  },
  {
    ...{ slug: 'calendario', group: 'institution', key: 'date' },
    ...{ list: 'listCalendarDays', create: 'saveCalendarDay', replace: 'saveCalendarDay' },
    columns: ['date', 'businessDay', 'holidayName', 'status', 'hasEntries', 'closedBy'],
    initial: { businessDay: false },
  },
  {
    ...{ slug: 'reaberturas', group: 'institution', key: 'reopenedAt', list: 'listMonthReopenings' },
    columns: ['yearmonth', 'reason', 'reopenedBy', 'reopenedAt'],
  },
  {
    ...{ slug: 'planos', group: 'accounts', key: 'chartCode', list: 'listCharts', replace: 'updateChart' },
    routine: 'CHART_OF_ACCOUNTS',
    columns: ['chartCode', 'owner', 'installation', 'shared', 'changeable'],
  },
  {
    ...operations('Account'),
    ...{ slug: 'contas', group: 'accounts', key: 'id', routine: 'CHART_OF_ACCOUNTS', screen: 'plano' },
    list: 'listAccountDetails',
    columns: ['description', 'cdAccounting', 'cdReduced', 'accountType', 'nature', 'accountClass', 'active'],
    initial: { ...ACTIVE, rectifying: false },
  },
  {
    ...operations('ReferenceChart'),
    ...{ slug: 'planos-referenciais', group: 'accounts', key: 'planRef_uuid', routine: 'SETTINGS', initial: ACTIVE },
    columns: ['name', 'code', 'institution', 'version', 'validFrom', 'active'],
  },
  {
    ...operations('ReferenceAccount'),
    ...{ slug: 'contas-referenciais', group: 'accounts', key: 'accountRef_uuid', routine: 'SETTINGS', initial: ACTIVE },
    columns: ['description', 'code', 'type', 'level', 'nature', 'planRef_uuid'],
  },
  {
    ...{ slug: 'saldos-base', group: 'accounts', key: 'contaId', routine: 'SETTINGS', isSheet: true },
    ...{ list: 'getBaseBalances', replace: 'replaceBaseBalances' },
    columns: ['contaId', 'balance', 'dc'],
    hidden: ['cdAccounting', 'description'],
  },
  {
    ...{ slug: 'saldos-de-controle', group: 'accounts', key: 'origin', routine: 'IMPORT' },
    ...{ create: 'sendControlBalances', columns: ['origin'] },
  },
  {
    ...operations('Narration'),
    ...{ slug: 'historicos', group: 'posting', key: 'id', routine: 'SETTINGS' },
    columns: ['description', 'cdHistory', 'debcre', 'requiresComplement', 'company', 'branch', 'active'],
    initial: { ...ACTIVE, requiresComplement: false },
  },
  {
    ...operations('EntryTemplate'),
    ...{ slug: 'lancamentos-padrao', group: 'posting', key: 'id', of: 'branch', routine: 'SETTINGS', initial: ACTIVE },
    columns: ['description', 'code', 'periodicity', 'cdhistorico', 'automaticReversal', 'active'],
  },
  {
    ...operations('TemplateUse'),
    ...{ slug: 'usos-de-lancamento-padrao', group: 'posting', key: 'id' },
    columns: ['code', 'day', 'month', 'year', 'lote', 'documento', 'status'],
    initial: { valores: [] },
  },
  {
    ...operations('FundType'),
    ...{ slug: 'tipos-de-fundo', group: 'funds', key: 'id', routine: 'SETTINGS' },
    columns: ['description', 'code', 'regulatoryPlan', 'comeCotas', 'active'],
    initial: { ...ACTIVE, comeCotas: false },
  },
  {
    ...operations('FundSettings'),
    ...{ slug: 'fundos', group: 'funds', key: 'id', of: 'company', routine: 'SETTINGS', initial: ACTIVE },
    columns: ['name', 'branch', 'cnpj', 'fundTypeId', 'condominium', 'active'],
  },
  {
    ...{ slug: 'cotas', group: 'funds', key: 'id', of: 'company', routine: 'SETTINGS' },
    ...{ list: 'listQuotaConfigurations', create: 'saveQuotaConfiguration', replace: 'saveQuotaConfiguration' },
    columns: ['branch', 'netEquityAccountId', 'numberOfQuotas', 'roundingMode', 'lastCalculationDate'],
  },
  {
    ...operations('QuotaMovement'),
    ...{ slug: 'movimentacoes-de-cotas', group: 'funds', key: 'id', of: 'branch', routine: 'TAX_QUOTA' },
    columns: ['date', 'kind', 'amount', 'quotas', 'holders', 'requestDate'],
    initial: { kind: 'SUBSCRIPTION' },
  },
  {
    ...operations('FundFee'),
    ...{ slug: 'taxas-do-fundo', group: 'funds', key: 'id', of: 'branch', routine: 'SETTINGS' },
    columns: ['kind', 'rate', 'dayBasis', 'startDate', 'template', 'active'],
    initial: { ...ACTIVE, kind: 'ADMINISTRATION', dayBasis: 252 },
  },
  {
    ...operations('Statement'),
    ...{ slug: 'demonstracoes', group: 'statements', key: 'id', routine: 'CHART_OF_ACCOUNTS' },
    columns: ['name', 'kind', 'code', 'chartCode', 'validFrom', 'validTo'],
  },
  {
    ...{
      slug: 'linhas-de-demonstracao',
      group: 'statements',
      key: 'code',
      routine: 'CHART_OF_ACCOUNTS',
      isSheet: true,
    },
    ...{ list: 'getStatementLines', replace: 'replaceStatementLines' },
    columns: ['description', 'code', 'indicator', 'level', 'parentCode', 'group'],
    parent: { slug: 'demonstracoes', param: 'id' },
  },
  {
    ...{ slug: 'fatos-de-demonstracao', group: 'statements', key: 'code', routine: 'CONSOLIDATION', isSheet: true },
    ...{ list: 'getStatementFacts', replace: 'replaceStatementFacts' },
    columns: ['description', 'mes', 'code', 'lineCode', 'amount'],
    parent: { slug: 'demonstracoes', param: 'id' },
  },
  {
    ...operations('Group'),
    ...{ slug: 'grupos', group: 'access', key: 'id', adminOnly: true, initial: ACTIVE },
    columns: ['name', 'code', 'description', 'users', 'active'],
  },
  {
    ...operations('Routine'),
    ...{ slug: 'rotinas', group: 'access', key: 'id', adminOnly: true },
    columns: ['name', 'code', 'module', 'restricted', 'active'],
    initial: { ...ACTIVE, restricted: false },
  },
  {
    ...operations('RoutineAccess'),
    ...{ slug: 'acessos', group: 'access', key: 'id', adminOnly: true },
    columns: ['userId', 'groupId', 'canRead', 'canWrite', 'canExecute', 'validFrom', 'validTo', 'active'],
    initial: { ...ACTIVE, canRead: true, canWrite: true, canExecute: true },
    parent: { slug: 'rotinas', param: 'id' },
  },
  {
    ...{ slug: 'severidades', group: 'access', service: 'compliance', key: 'id', list: 'listSeverities' },
    columns: ['name', 'code'],
  },
  {
    ...{ slug: 'sistemas', group: 'access', service: 'compliance', key: 'id', list: 'listBusinessSystems' },
    columns: ['name', 'code'],
  },
  {
    ...{ slug: 'documentos', group: 'access', service: 'compliance', key: 'id', list: 'listRegulatoryDocuments' },
    columns: ['name', 'code'],
  },
  {
    ...{ slug: 'avisos', group: 'links', service: 'movements', key: 'id', of: 'company', routine: 'WEBHOOKS' },
    ...{ list: 'listWebhooks', create: 'createWebhook', replace: 'changeWebhook', remove: 'deleteWebhook' },
    columns: ['url', 'types', 'waiting', 'dead', 'active'],
    initial: ACTIVE,
  },
  {
    ...{ slug: 'entregas', group: 'links', service: 'movements', key: 'event', list: 'listWebhookDeliveries' },
    columns: ['event', 'type', 'branch', 'state', 'attempts', 'lastStatus', 'lastError', 'attemptedAt', 'deliveredAt'],
    parent: { slug: 'avisos', param: 'id' },
  },
];

/** The four operations as most types have them. */
function operations(noun: string, plural = noun.endsWith('s') ? noun : `${noun}s`) {
  return {
    list: `list${plural}`,
    create: `create${noun}`,
    replace: `replace${noun}`,
    remove: `delete${noun}`,
  };
}
