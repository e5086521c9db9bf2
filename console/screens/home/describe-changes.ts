import { dayText } from '../../ui/format.ts';

/** A row of the trail, as far as it is told here. */
interface TrailRow {
  readonly id: number;
  readonly at: string;
  readonly username: string;
  readonly action: string;
  readonly entity: string;
  readonly entityId: string | null;
  readonly branch: string | null;
}

/** One line: who did what, and how often more. */
interface Change extends Pick<TrailRow, 'id' | 'at' | 'username' | 'branch'> {
  readonly did: string;
  readonly more: number;
}

/** Changes to books, newest first; a run of the same by the same user is one line with its newest. */
export function describeChanges(rows: readonly TrailRow[]): readonly Change[] {
  const changes: (Change & { readonly kind: string })[] = [];
  for (const row of rows) {
    const did = wordsOf(row);
    if (did === undefined) continue;
    const kind = `${row.username} ${row.action} ${row.entity} ${row.branch}`;
    const before = changes.at(-1);
    if (before?.kind === kind) changes[changes.length - 1] = { ...before, more: before.more + 1 };
    else changes.push({ id: row.id, at: row.at, username: row.username, branch: row.branch, did, kind, more: 0 });
  }
  return changes;
}

const month = (id: string | null) => (id === null ? '' : id.split('-').reverse().join('/'));

/** What happens to books, by action and entity. */
const DEEDS: Readonly<Record<string, (id: string | null) => string>> = {
  'OPEN month': (id) => `abriu o mês ${month(id)}`,
  'REOPEN month': (id) => `reabriu o mês ${month(id)}`,
  'CONSOLIDATE month': (id) => `consolidou o mês ${month(id)}`,
  'PURGE month': () => 'expurgou meses',
  'RESTORE month': () => 'trouxe meses do expurgo',
  'CLOSE_DAY calendar_day': (id) => `fechou o dia ${id === null ? '' : dayText(id)}`,
  'IMPORT batch': (id) => `importou o lote de número interno ${id}`,
  'DELETE import': (id) => `desfez a importação ${id}`,
  'ISSUE book': () => 'emitiu um livro',
  'INVALIDATE book': () => 'cancelou um livro',
  'CREATE tax_quota': (id) => `confirmou a cota de ${id === null ? '' : dayText(id)}`,
};

const ACTIONS: Readonly<Record<string, string>> = {
  CREATE: 'criou',
  UPDATE: 'alterou',
  DELETE: 'excluiu',
  POST: 'lançou',
  REVERSE: 'estornou',
  IMPORT: 'importou',
  PRINT: 'imprimiu',
  EXPORT: 'exportou',
  DOWNLOAD: 'baixou',
};

const ENTITIES: Readonly<Record<string, string>> = {
  account: 'uma conta do plano',
  balance: 'saldos',
  base_balance: 'saldos iniciais',
  batch: 'um lote',
  book: 'um livro',
  branch: 'a filial',
  calendar_day: 'um dia do calendário',
  closure_settings: 'a configuração de encerramento',
  company: 'a empresa',
  company_options: 'as opções da filial',
  compliance_rule: 'uma regra',
  control_balance: 'saldos de controle',
  document: 'um documento',
  entry: 'lançamentos',
  entry_template: 'um lançamento padrão',
  entry_template_use: 'um lançamento agendado',
  fund_settings: 'a configuração do fundo',
  import: 'um arquivo',
  quota_configuration: 'a configuração de cotas',
  report: 'um relatório',
  standard_narration: 'um histórico padrão',
  statement: 'uma demonstração',
  monthlyTrialBalance: 'o balancete',
  monthlyTrialCvmBalance: 'o balancete CVM',
  dailyTrialBalance: 'o balancete diário',
  cosifGeneralBalance: 'o balancete geral',
  patrimonialBalance: 'o balanço',
  patrimonialCvmBalance: 'o balanço CVM',
  ledgerBook: 'o razão',
  journal: 'o diário',
  postingListing: 'a relação de lançamentos',
  monthlyColumns: 'saldos mensais',
  financialStatement: 'uma demonstração',
  financialStatements: 'uma demonstração',
  equityChanges: 'a DMPL',
  bookTerms: 'termos de livro',
};

/** Undefined for what changes no books: sign-ins, keys, logs. */
function wordsOf({ action, entity, entityId }: TrailRow): string | undefined {
  const deed = DEEDS[`${action} ${entity}`];
  if (deed !== undefined) return deed(entityId);
  const [verb, object] = [ACTIONS[action], ENTITIES[entity]];
  return verb === undefined || object === undefined ? undefined : `${verb} ${object}`;
}
