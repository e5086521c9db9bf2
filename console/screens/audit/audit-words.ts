// What the trail calls things, in the words of an accountant. What is not here is shown as the trail has it.

const ACTIONS: Readonly<Record<string, string>> = {
  CREATE: 'incluiu',
  UPDATE: 'alterou',
  DELETE: 'excluiu',
  IMPORT: 'importou',
  POST: 'lançou',
  REVERSE: 'estornou',
  OPEN: 'abriu',
  REOPEN: 'reabriu',
  CONSOLIDATE: 'consolidou',
  CLOSE_DAY: 'fechou o dia',
  REOPEN_DAY: 'reabriu o dia',
  PURGE: 'expurgou',
  RESTORE: 'restaurou',
  ISSUE: 'emitiu',
  INVALIDATE: 'invalidou',
  PRINT: 'imprimiu',
  DOWNLOAD: 'baixou',
  EXPORT: 'exportou',
  GRANT: 'mudou permissões',
  DEACTIVATE: 'desativou',
  SET_PASSWORD: 'deu nova senha',
  SIGN_IN: 'entrou',
  SIGN_IN_REFUSED: 'entrada recusada',
  SIGN_OUT: 'saiu',
  SIGN_OUT_EVERYWHERE: 'encerrou os acessos',
  END_SESSION: 'encerrou a sessão',
  ENROL_MFA: 'cadastrou o segundo fator',
  RESET_MFA: 'retirou o segundo fator',
  READ_LOGS: 'leu o registro',
  RETIRE: 'aposentou',
  SWITCH_OFF: 'desligou',
};

const ENTITIES: Readonly<Record<string, string>> = {
  account: 'conta',
  base_balance: 'saldo inicial',
  batch: 'lote',
  book: 'livro',
  branch: 'filial',
  calendar_day: 'dia do calendário',
  chart: 'plano de contas',
  closure_settings: 'encerramento',
  company: 'empresa',
  company_options: 'opções da empresa',
  compliance_rule: 'regra',
  control_balance: 'saldo de controle',
  document: 'documento',
  entry: 'lançamento',
  entry_template: 'lançamento padrão',
  entry_template_use: 'uso de lançamento padrão',
  fund_settings: 'fundo',
  group: 'grupo',
  import: 'importação',
  log: 'registro de serviço',
  month: 'mês',
  reference_chart: 'plano referencial',
  report: 'relatório',
  routine: 'rotina',
  routine_access: 'acesso a rotina',
  session: 'sessão',
  signingKey: 'chave de assinatura',
  standard_narration: 'histórico padrão',
  statement: 'demonstração',
  statement_fact: 'fato do patrimônio',
  tax_quota: 'cota',
  user: 'usuário',
  webhook: 'webhook',
};

/** Fields of the images, where the trail has another word than an accountant. */
const FIELDS: Readonly<Record<string, string>> = {
  accountId: 'conta',
  accounts: 'contas',
  accountType: 'tipo da conta',
  active: 'ativo',
  admin: 'administra',
  amount: 'valor',
  approval: 'aprovação',
  approvedBy: 'aprovado por',
  batchId: 'lote',
  books: 'livros',
  branch: 'filial',
  branches: 'filiais',
  chart: 'plano de contas',
  chartId: 'plano de contas',
  closingEntries: 'lançamentos de encerramento',
  code: 'código',
  companies: 'empresas',
  company: 'empresa',
  copiedFrom: 'copiado de',
  credit: 'crédito',
  day: 'dia',
  debit: 'débito',
  description: 'descrição',
  document: 'documento',
  documentId: 'documento',
  email: 'e-mail',
  entryNumber: 'lançamento',
  expiresAt: 'válido até',
  format: 'formato',
  groups: 'grupos',
  import: 'importação',
  invalidatedBooks: 'livros invalidados',
  level: 'nível',
  lines: 'partidas',
  month: 'mês',
  months: 'meses',
  name: 'nome',
  narration: 'histórico',
  narrationCode: 'histórico padrão',
  narrations: 'históricos',
  normalBalance: 'natureza',
  number: 'número',
  offsetAccountId: 'contrapartida',
  parentId: 'conta superior',
  percent: 'percentual',
  permissions: 'permissões',
  reason: 'motivo',
  requestedBy: 'pedido por',
  routine: 'rotina',
  routineId: 'rotina',
  session: 'sessão',
  sessions: 'sessões',
  shortCode: 'código reduzido',
  side: 'débito ou crédito',
  staleQuotas: 'cotas a recalcular',
  type: 'tipo',
  userId: 'usuário',
  username: 'usuário',
  validFrom: 'vale desde',
  validTo: 'vale até',
  value: 'valor',
  version: 'versão',
  year: 'ano',
  zipCode: 'CEP',
};

export function actionText(action: string): string {
  return ACTIONS[action] ?? action;
}

export function entityText(entity: string): string {
  return ENTITIES[entity] ?? entity;
}

/** 'nome' for 'name'; a field that is not here is shown as the trail has it. */
export function fieldText(field: string): string {
  return Object.hasOwn(FIELDS, field) ? FIELDS[field]! : field;
}

export const ACTION_CHOICES = choicesOf(ACTIONS);
export const ENTITY_CHOICES = choicesOf(ENTITIES);

/** One choice for each word, by the first name that has it. */
function choicesOf(words: Readonly<Record<string, string>>): readonly { value: string; text: string }[] {
  const seen = new Map<string, string>();
  for (const [value, text] of Object.entries(words)) if (!seen.has(text)) seen.set(text, value);
  return [...seen].map(([text, value]) => ({ value, text })).sort((a, b) => a.text.localeCompare(b.text, 'pt'));
}
