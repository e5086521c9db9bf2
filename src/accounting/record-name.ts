/** What a problem says of the record at fault: its name in both languages, and what a Portuguese participle ends in. */
export type NamedRecord = {
  readonly record: string;
  readonly recordPt: string;
  readonly ending: 'o' | 'a';
};

/** The same, and what stands in the way of removing or changing it. */
export type UsedRecord = NamedRecord & { readonly by: string; readonly byPt: string };

export type RecordName = keyof typeof RECORD_NAMES;

export type RecordUser = keyof typeof RECORD_USERS;

/** The record of that name, and the one that the key tells from others: `named('Branch', '0001')`. */
export function recordRef(name: RecordName, key?: string | number | null): NamedRecord {
  const [namePt, ending] = RECORD_NAMES[name];
  const which = key === undefined || key === null || key === '' ? '' : ` ${key}`;
  return { record: name + which, recordPt: namePt + which, ending };
}

/** The record and what uses it. */
export function usedBy(record: NamedRecord, users: readonly RecordUser[]): UsedRecord {
  return { ...record, by: users.join(', '), byPt: users.map((user) => RECORD_USERS[user]).join(', ') };
}

/** Every kind of record that a problem may name: its Portuguese name, and its gender by the ending that goes with it. */
export const RECORD_NAMES = {
  Account: ['Conta', 'a'],
  Batch: ['Lote', 'o'],
  Branch: ['Filial', 'a'],
  'Business system': ['Sistema de negócio', 'o'],
  CEP: ['CEP', 'o'],
  CNPJ: ['CNPJ', 'o'],
  Chart: ['Plano de contas', 'o'],
  'Closure settings': ['Configuração de encerramento', 'a'],
  'Clue type': ['Tipo de indício', 'o'],
  Code: ['Código', 'o'],
  Column: ['Coluna', 'a'],
  Company: ['Empresa', 'a'],
  'Company options': ['Configuração da empresa', 'a'],
  Consolidation: ['Consolidação', 'a'],
  Day: ['Dia', 'o'],
  Document: ['Documento', 'o'],
  Entry: ['Lançamento', 'o'],
  'Fund settings': ['Configuração de fundo', 'a'],
  'Fund type': ['Tipo de fundo', 'o'],
  Group: ['Grupo', 'o'],
  History: ['Histórico padrão', 'o'],
  Identity: ['Identidade externa', 'a'],
  Job: ['Tarefa', 'a'],
  Process: ['Processo', 'o'],
  'Quota configuration': ['Configuração de cota', 'a'],
  'Reduced code': ['Código reduzido', 'o'],
  'Reference account': ['Conta referencial', 'a'],
  'Reference chart': ['Plano referencial', 'o'],
  'Release data': ['Uso de lançamento padrão', 'o'],
  Report: ['Relatório', 'o'],
  Routine: ['Rotina', 'a'],
  'Routine access': ['Acesso à rotina', 'o'],
  Rule: ['Regra', 'a'],
  'Signing key': ['Chave de assinatura', 'a'],
  'Standard release': ['Lançamento padrão', 'o'],
  'Tax quota': ['Cota calculada', 'a'],
  User: ['Usuário', 'o'],
} as const satisfies Readonly<Record<string, readonly [string, 'o' | 'a']>>;

/** What may use a record. */
const RECORD_USERS = {
  'a posted document': 'um documento lançado',
  accesses: 'acessos',
  accounts: 'contas',
  'base balances': 'saldos iniciais',
  batches: 'lotes',
  branches: 'filiais',
  'calendar days': 'dias do calendário',
  'child accounts': 'contas filhas',
  'closure settings': 'configuração de encerramento',
  'company options': 'configuração da empresa',
  'compliance processes': 'processos de conformidade',
  documents: 'documentos',
  entries: 'lançamentos',
  'fund settings': 'configuração de fundo',
  histories: 'históricos padrão',
  imports: 'importações',
  members: 'membros',
  'opened months': 'meses abertos',
  'other records': 'outros registros',
  'quota configuration': 'configuração de cota',
  'quotas calculated': 'cotas calculadas',
  'reference accounts': 'contas referenciais',
  'release data': 'usos do lançamento padrão',
  'standard releases': 'lançamentos padrão',
} as const satisfies Readonly<Record<string, string>>;
