import type { NamedRecord, UsedRecord } from './record-name.ts';

/**
 * A reason why the books refuse something. `code` is stable and public; `params` fill the placeholders of its text;
 * `field` is the wire name of the input at fault, where there is one.
 */
export interface Problem {
  readonly code: ProblemCode;
  readonly params: Readonly<Record<string, string | number>>;
  readonly field?: string;
}

/** Why, as a part of a sentence in both languages. */
export type Reason = {
  readonly reason: string;
  readonly reasonPt: string;
};

/**
 * The problems that name a record say its name in both languages (see `named`), and those with a reason the reason:
 * nothing English stands in a Portuguese sentence.
 */
type Words =
  | [code: 'IN_USE', params: UsedRecord, field?: string]
  | [code: 'NOT_FOUND' | 'DUPLICATE', params: NamedRecord, field?: string]
  | {
      [Code in TranslatedProblem]: [code: Code, params: Problem['params'] & Translated<Code>, field?: string];
    }[TranslatedProblem]
  | [code: UnnamedProblem, params?: Problem['params'], field?: string];

export function problem(...[code, params = {}, field]: Words): Problem {
  return field === undefined ? { code, params } : { code, params, field };
}

/** Refused by the books: carries at least one reason. Thrown by use cases, answered by the doors. */
export class BusinessError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[] | Problem) {
    const list = Array.isArray(problems) ? (problems as readonly Problem[]) : [problems as Problem];
    super(list.map((each) => `${each.code}${each.field ? ` (${each.field})` : ''}`).join(', '));
    this.name = 'BusinessError';
    this.problems = list;
  }
}

/** Throws the refusal when there is any reason for it. */
export function throwIfAny(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new BusinessError(problems);
}

/** Refuses with one problem; reads well behind `??`. */
export function reject(...words: Words): never {
  throw new BusinessError(problem(...words));
}

export type ProblemCode = keyof typeof PROBLEMS;

/** What a text takes in as a part of its sentence: `{reason}` in English is `{reasonPt}` in Portuguese. */
type Part = 'reason' | 'consequence' | 'validity' | 'fact' | 'message' | 'reopening' | 'status';

type PartOf<Code extends ProblemCode> = {
  [Name in Part]: (typeof PROBLEMS)[Code]['pt'] extends `${string}{${Name}Pt}${string}` ? Name : never;
}[Part];

type Translated<Code extends ProblemCode> = Readonly<Record<PartOf<Code> | `${PartOf<Code>}Pt`, string>>;

type TranslatedProblem = {
  [Code in ProblemCode]: [PartOf<Code>] extends [never] ? never : Code;
}[ProblemCode];

/** A problem whose text takes in nothing that differs by language. */
export type UnnamedProblem = Exclude<ProblemCode, 'NOT_FOUND' | 'DUPLICATE' | 'IN_USE' | TranslatedProblem>;

interface ProblemText {
  readonly status: number;
  readonly en: string;
  readonly pt: string;
}

/**
 * The one table of failures: HTTP status and texts. `{name}` is replaced by the parameter of that name.
 */
export const PROBLEMS = {
  // What any request may meet
  INVALID_FIELD: { status: 400, en: 'Invalid value: {reason}', pt: 'Valor inválido: {reasonPt}' },
  UNKNOWN_FIELD: { status: 400, en: 'Unknown field {name}', pt: 'Campo desconhecido: {name}' },
  INVALID_BODY: {
    status: 400,
    en: 'The body could not be read: {reason}',
    pt: 'O corpo não pôde ser lido: {reasonPt}',
  },
  INVALID_HEADER: { status: 400, en: 'Invalid header: {reason}', pt: 'Cabeçalho inválido: {reasonPt}' },
  INVALID_DATE_RANGE: { status: 400, en: '{from} must not be after {to}', pt: '{from} não pode ser posterior a {to}' },
  UNAUTHENTICATED: {
    status: 401,
    en: 'A valid access token is required',
    pt: 'É necessário um token de acesso válido',
  },
  COMMON_PASSWORD: {
    status: 400,
    en: 'This password is one of the first that would be guessed; choose another',
    pt: 'Esta senha é das primeiras que alguém tentaria; escolha outra',
  },
  MFA_REQUIRED: {
    status: 401,
    en: 'The code of the second factor is required: send it as totp',
    pt: 'Informe o código do segundo fator no campo totp',
  },
  MFA_NOT_ENROLLED: {
    status: 401,
    en: 'Administrators need a second factor: enrol with POST /api/auth/mfa/enrolment',
    pt: 'Administradores precisam de um segundo fator: cadastre-o com POST /api/auth/mfa/enrolment',
  },
  MFA_ALREADY_ENROLLED: {
    status: 400,
    en: 'There is a second factor already; another administrator can take it away',
    pt: 'Já há um segundo fator; outro administrador pode retirá-lo',
  },
  MFA_NOT_OFFERED: {
    status: 400,
    en: 'A second factor is not offered to this user',
    pt: 'O segundo fator não está disponível para este usuário',
  },
  MFA_OWN_RESET: {
    status: 400,
    en: 'Your own second factor is taken away by another administrator or on the command line',
    pt: 'O seu próprio segundo fator é retirado por outro administrador ou pela linha de comando',
  },
  BAD_CREDENTIALS: { status: 401, en: 'Invalid credentials', pt: 'Credenciais inválidas' },
  TENANT_DENIED: {
    status: 403,
    en: 'Access denied: the user lacks permission for company {company} and branch {branch}',
    pt: 'Acesso negado: o usuário não tem permissão para a empresa {company} e a filial {branch}',
  },
  ROUTINE_DENIED: {
    status: 403,
    en: 'Access denied: the user lacks permission for the routine {routine}',
    pt: 'Acesso negado: o usuário não tem permissão para a rotina {routine}',
  },
  NO_PERMISSION: {
    status: 403,
    en: 'Access denied: the user lacks permission for any company; an administrator grants it',
    pt: 'Acesso negado: o usuário não tem permissão para nenhuma empresa; peça-a a um administrador',
  },
  ADMIN_ONLY: { status: 403, en: 'Only administrators may do this', pt: 'Somente administradores podem fazer isto' },
  OPERATION_REMOVED: {
    status: 404,
    en: 'This operation was removed; use {instead}',
    pt: 'Esta operação foi removida; use {instead}',
  },
  IDENTITY_PROVIDER_UNAVAILABLE: {
    status: 503,
    en: 'The keys of the identity provider cannot be read now; try again later',
    pt: 'As chaves do provedor de identidade não podem ser lidas agora; tente mais tarde',
  },
  LOGS_UNAVAILABLE: {
    status: 503,
    en: 'The logs cannot be read now; try again later',
    pt: 'Os logs do sistema não podem ser lidos agora; tente mais tarde',
  },
  LAST_ADMIN: {
    status: 400,
    en: 'This is the only active administrator: make another user one first',
    pt: 'Este é o único administrador ativo: torne outro usuário administrador antes',
  },
  NOT_FOUND: { status: 404, en: '{record} not found', pt: '{recordPt} não encontrad{ending}' },
  ROUTE_NOT_FOUND: { status: 404, en: 'There is no such operation here', pt: 'Esta operação não existe aqui' },
  BODY_TOO_LARGE: { status: 413, en: 'The body is larger than allowed', pt: 'O corpo é maior que o permitido' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    en: 'This operation does not take what Content-Type says',
    pt: 'Esta operação não aceita o tipo informado em Content-Type',
  },
  TOO_MANY_ATTEMPTS: {
    status: 429,
    en: 'Too many attempts; try again later',
    pt: 'Tentativas demais; tente mais tarde',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    en: 'You have too many requests of this kind at once (limit {limit}); wait for their answers',
    pt: 'Você tem requisições demais deste tipo em andamento (limite: {limit}); aguarde as respostas',
  },
  TOO_MANY_REQUESTS_OF_COMPANY: {
    status: 429,
    en: 'The company has too many requests of this kind at once (limit {limit}); try again in a moment',
    pt: 'A empresa tem requisições demais deste tipo em andamento (limite: {limit}); tente novamente em instantes',
  },
  DISK_FULL: {
    status: 503,
    en: 'The disk of the server is nearly full: files and reports are not taken now; tell whoever operates it',
    pt: 'O disco do servidor está quase cheio: arquivos e relatórios não são aceitos agora; avise o responsável pelo sistema',
  },
  INTERNAL: { status: 500, en: 'Internal error', pt: 'Erro interno' },
  BUSY: { status: 503, en: 'The service is busy; try again', pt: 'O serviço está ocupado; tente novamente' },
  DATABASE_UNAVAILABLE: {
    status: 503,
    en: 'The database does not answer at the moment; try again. Whether a change under way was saved, reading it tells',
    pt: 'O banco de dados não responde no momento; antes de tentar novamente, consulte se a alteração em curso foi gravada',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 400,
    en: 'This Idempotency-Key was used with another body',
    pt: 'Esta Idempotency-Key já foi usada com outro corpo',
  },
  ID_MISMATCH: {
    status: 400,
    en: 'The id in the body differs from the one in the path',
    pt: 'O id informado no corpo difere do id do caminho',
  },
  DUPLICATE: { status: 400, en: '{record} already exists', pt: '{recordPt} já existe' },
  IN_USE: { status: 400, en: '{record} is in use by {by}', pt: '{recordPt} está em uso por {byPt}' },
  CONFIRMATION_REQUIRED: {
    status: 400,
    en: 'Confirmation required: {consequence}',
    pt: 'Confirmação necessária: {consequencePt}',
  },

  // Accounts
  INVALID_ACCOUNT_CODE: { status: 400, en: 'Invalid account code {account}', pt: 'Código de conta inválido {account}' },
  ACCOUNT_NOT_FOUND: { status: 404, en: 'Account {account} not found', pt: 'Conta {account} não encontrada' },
  ACCOUNT_NOT_IN_CHART: {
    status: 400,
    en: 'Account {account} does not exist in the chart of the branch',
    pt: 'A conta {account} não existe no plano de contas da filial',
  },
  ACCOUNT_SYNTHETIC: {
    status: 400,
    en: 'Account {account} is synthetic and takes no entries: use an analytic account',
    pt: 'A conta {account} é sintética e não recebe lançamentos: use uma conta analítica',
  },
  ACCOUNT_INACTIVE: {
    status: 400,
    en: 'Account {account} is inactive: activate it or use another',
    pt: 'A conta {account} está inativa: ative-a ou use outra',
  },
  ACCOUNT_OUT_OF_VALIDITY: {
    status: 400,
    en: 'Account {account} is valid only {validity}',
    pt: 'A conta {account} só é válida {validityPt}',
  },
  ACCOUNT_CHANGED: {
    status: 400,
    en: 'Account {account} was changed while the file was read; send the file again',
    pt: 'A conta {account} foi alterada durante a leitura do arquivo; envie o arquivo novamente',
  },
  ACCOUNT_AMBIGUOUS: {
    status: 400,
    en: '{account} names more than one account: {candidates}',
    pt: '{account} corresponde a mais de uma conta: {candidates}',
  },
  ACCOUNT_IN_CLOSING_GROUP: {
    status: 400,
    en: 'Account {account} lies inside the closing group {group}: choose one outside of it',
    pt: 'A conta {account} está dentro do grupo de encerramento {group}: escolha uma fora dele',
  },
  QUOTA_NOT_CONFIGURED: {
    status: 400,
    en: 'No net equity account is configured for company {company} and branch {branch}',
    pt: 'Nenhuma conta de patrimônio líquido está configurada para a empresa {company} e a filial {branch}',
  },
  NET_EQUITY_NOT_POSITIVE: {
    status: 400,
    en: 'Net equity must be greater than zero; it is {value}',
    pt: 'O patrimônio líquido deve ser maior que zero; é {value}',
  },
  NO_QUOTAS: {
    status: 400,
    en: 'The number of quotas must be greater than zero',
    pt: 'O número de cotas deve ser maior que zero',
  },
  RELEASE_UNBALANCED: {
    status: 400,
    en: 'The lines do not balance: debits {debits}, credits {credits}',
    pt: 'As partidas do lançamento padrão não fecham: débitos {debits}, créditos {credits}',
  },
  LOOKUP_UNAVAILABLE: {
    status: 503,
    en: 'The external lookup does not answer; try again later',
    pt: 'A consulta externa não responde; tente mais tarde',
  },
  PARENT_HAS_ENTRIES: {
    status: 400,
    en: 'Account {account} has entries and cannot have children',
    pt: 'A conta {account} tem lançamentos e não pode ter contas filhas',
  },
  ACCOUNT_BREAKS_MASK: {
    status: 400,
    en: 'Account code {account} does not fit the mask {mask}',
    pt: 'O código de conta {account} não segue a máscara {mask}',
  },
  ACCOUNT_HAS_CHILDREN: {
    status: 400,
    en: 'Account {account} has child accounts and must stay synthetic',
    pt: 'A conta {account} tem contas filhas e deve continuar sintética',
  },
  ACCOUNT_CYCLE: {
    status: 400,
    en: 'Account {account} cannot hang under {parent}, which lies below it',
    pt: 'A conta {account} não pode ser subordinada a {parent}, que já é subordinada a ela',
  },
  PARENT_NOT_SYNTHETIC: {
    status: 400,
    en: 'Account {account} is analytic and cannot have children',
    pt: 'A conta {account} é analítica e não pode ter contas filhas',
  },
  CHART_DENIED: {
    status: 403,
    en: 'Access denied: the user lacks permission for the chart of accounts {chart}',
    pt: 'Acesso negado: o usuário não tem permissão para o plano de contas {chart}',
  },
  CHART_LOOKS_ALIKE: {
    status: 400,
    en: 'The chart code {chart} reads like {other}; choose another',
    pt: 'O código de plano {chart} confunde-se com {other}; escolha outro',
  },
  ACCOUNT_IN_BOOKS: {
    status: 400,
    en: 'Account {account} has entries: its {fact} does not change any more; create another account',
    pt: 'A conta {account} tem lançamentos: {factPt} não muda mais; crie outra conta',
  },
  BRANCH_AMBIGUOUS: {
    status: 400,
    en: 'Several companies have a branch {branch}; name one with ?company=',
    pt: 'Mais de uma empresa tem a filial {branch}; informe uma com ?company=',
  },
  OPTIONS_FROZEN: {
    status: 400,
    en: 'Chart and base month cannot change any more: {reason}',
    pt: 'O plano e o mês base não podem mais mudar: {reasonPt}',
  },
  CHART_NOT_CONFIGURED: {
    status: 400,
    en: 'No chart of accounts is configured for company {company} and branch {branch}',
    pt: 'Nenhum plano de contas está configurado para a empresa {company} e a filial {branch}',
  },
  BASE_BALANCES_FROZEN: {
    status: 400,
    en: 'Base balances do not change any more after the first consolidation',
    pt: 'Os saldos iniciais não podem mais ser alterados depois da primeira consolidação',
  },
  BASE_BALANCES_UNBALANCED: {
    status: 400,
    en: 'Base balances must sum to zero; they sum to {sum}',
    pt: 'A soma dos saldos iniciais deve ser zero, devedores iguais aos credores; é {sum}',
  },

  // Periods
  MONTH_NOT_OPEN: { status: 400, en: 'Month {month} is not open', pt: 'O mês {month} não está aberto' },
  MONTH_CONSOLIDATED: { status: 400, en: 'Month {month} is consolidated', pt: 'O mês {month} está consolidado' },
  MONTH_PURGED: {
    status: 400,
    en: 'Entries of month {month} were purged; restore them first',
    pt: 'Os lançamentos do mês {month} foram expurgados; restaure-os antes',
  },
  MONTH_NOT_NEXT: {
    status: 400,
    en: 'Month {month} cannot be opened; the next one to open is {expected}{reopening}',
    pt: 'O mês {month} não pode ser aberto; o próximo a abrir é {expected}{reopeningPt}',
  },
  REASON_REQUIRED: {
    status: 400,
    en: 'Opening the closed month {month} again needs a reason',
    pt: 'Reabrir o mês {month} exige um motivo: informe-o em reason',
  },
  MONTH_NOT_CONSOLIDATED: {
    status: 400,
    en: 'Month {month} is not consolidated',
    pt: 'O mês {month} não está consolidado',
  },
  PREVIOUS_MONTH_OPEN: {
    status: 400,
    en: 'Month {month} must be consolidated first',
    pt: 'O mês {month} deve ser consolidado antes',
  },
  BEFORE_BASE_MONTH: {
    status: 400,
    en: 'Month {month} is before the base month {base}',
    pt: 'O mês {month} é anterior ao mês base {base}',
  },
  DAY_CLOSED: { status: 400, en: 'Day {day} is closed', pt: 'O dia {day} está fechado' },
  DAY_NOT_IN_MONTH: { status: 400, en: 'Month {month} has no day {day}', pt: 'O mês {month} não tem o dia {day}' },
  NO_OPEN_DAY: { status: 400, en: 'The branch has no open day', pt: 'A filial não tem dia em aberto' },

  // Purging
  PURGE_SELECTION_MODE: {
    status: 400,
    en: 'Choose either useRange or alternate',
    pt: 'Escolha useRange ou alternate, somente um deles',
  },
  PURGE_RANGE_OF_OTHERS: {
    status: 400,
    en: 'The range holds branches that the user lacks permission for; they stay as they are',
    pt: 'O intervalo contém filiais para as quais o usuário não tem permissão; elas não foram alteradas',
  },
  PURGE_NO_BRANCHES: { status: 400, en: 'No branches are selected', pt: 'Nenhuma filial foi selecionada' },
  PURGE_RANGE_OF_TWO: {
    status: 400,
    en: 'A range is exactly two branch ids',
    pt: 'O intervalo deve ter exatamente dois ids de filial',
  },
  PURGE_NO_MONTHS: {
    status: 400,
    en: 'Branch {place} has no month to treat at {month}',
    pt: 'A filial {place} não tem mês a tratar em {month}',
  },
  PURGE_MONTH_OPEN: {
    status: 400,
    en: 'Branch {place}: month {month} is not consolidated',
    pt: 'Filial {place}: o mês {month} não está consolidado',
  },

  // Test data
  NO_ACCOUNTS: {
    status: 400,
    en: 'The chart has fewer than two active analytic accounts',
    pt: 'O plano tem menos de duas contas analíticas ativas',
  },

  // Reports
  REPORT_TOO_LARGE: {
    status: 400,
    en: 'The report is larger than {limit} MB; ask for it with ?async=true',
    pt: 'O relatório tem mais de {limit} MB; solicite-o com ?async=true',
  },
  TOO_MANY_REPORTS: {
    status: 429,
    en: 'You have {limit} reports waiting or being printed; wait until one of them is done',
    pt: 'Você já tem {limit} relatórios na fila ou em impressão; aguarde o término de um deles',
  },
  TOO_MANY_JOBS: {
    status: 429,
    en: 'You have {limit} jobs waiting or running; wait until one of them is done',
    pt: 'Você já tem {limit} tarefas na fila ou em execução; aguarde o término de uma delas',
  },
  TOO_MANY_JOBS_OF_COMPANY: {
    status: 429,
    en: 'The company has {limit} jobs waiting or running; wait until one of them is done',
    pt: 'A empresa já tem {limit} tarefas na fila ou em execução; aguarde o término de uma delas',
  },
  KEPT_REPORTS_FULL: {
    status: 429,
    en: 'Your reports of the last hours take {limit} MB; ask for others when those have been removed',
    pt: 'Os seus relatórios das últimas horas ocupam {limit} MB; solicite outros depois que estes forem removidos',
  },
  KEPT_REPORTS_OF_COMPANY_FULL: {
    status: 429,
    en: 'The reports of the company of the last hours take {limit} MB; ask for others when those have been removed',
    pt: 'Os relatórios da empresa das últimas horas ocupam {limit} MB; solicite outros depois que estes forem removidos',
  },
  TOO_MUCH_UPLOADED: {
    status: 429,
    en: 'The files being imported at once take more than {limit} MB; send this one when the others are done',
    pt: 'Os arquivos em importação simultânea passam de {limit} MB; envie este quando os outros terminarem',
  },
  REPORT_NOT_READY: {
    status: 400,
    en: 'The report is not ready: {status}',
    pt: 'O relatório não está pronto: {statusPt}',
  },
  REPORT_GONE: {
    status: 404,
    en: 'The file of the report was removed; ask for the report again',
    pt: 'O arquivo do relatório foi removido; solicite-o novamente',
  },
  ACCOUNT_RANGE_REVERSED: {
    status: 400,
    en: 'Account {from} comes after {to}',
    pt: 'A conta {from} vem depois de {to}',
  },
  PERIOD_OVER_A_YEAR: { status: 400, en: 'The period is longer than a year', pt: 'O período é maior que um ano' },
  PERIOD_OVER_A_MONTH: {
    status: 400,
    en: 'Both days must lie in the same month',
    pt: 'As duas datas devem estar no mesmo mês',
  },
  SIGNATORIES_REQUIRED: {
    status: 400,
    en: 'Terms need signatories, an accountant with CRC and a legal representative: name them in the request or in the options of the branch',
    pt: 'Os termos exigem signatários, entre eles um contador com CRC e um representante legal: informe-os na requisição ou nas opções da filial',
  },
  ACCOUNTANT_REQUIRED: {
    status: 400,
    en: 'No signatory of the terms has a CRC: name the accountant with crc and ufCrc',
    pt: 'Nenhum signatário dos termos tem CRC: informe o contador com crc e ufCrc',
  },
  LEGAL_REPRESENTATIVE_REQUIRED: {
    status: 400,
    en: 'No signatory of the terms is the legal representative: mark one with legalResponsible',
    pt: 'Nenhum signatário dos termos é o representante legal: marque um com legalResponsible',
  },
  BOOK_OF_SOME_ACCOUNTS: {
    status: 400,
    en: 'A book with terms holds all accounts: leave this field out, or print without terms',
    pt: 'O livro com termos traz todas as contas: retire este campo ou emita sem os termos',
  },
  BOOK_WITHOUT_CLOSING: {
    status: 400,
    en: 'A book with terms holds the closing entries: leave considerClosing out or true',
    pt: 'O livro com termos traz os lançamentos de encerramento: omita considerClosing ou informe true',
  },
  BOOK_OF_OPEN_MONTH: {
    status: 400,
    en: 'A book with terms holds consolidated months only, and {month} is not consolidated',
    pt: 'O livro com termos só traz meses consolidados, e {month} não está consolidado',
  },
  BOOK_PAGES_DIFFER: {
    status: 400,
    en: 'The book of this period has {bound} folhas with its terms and what is bound with it (paginasAnexas), not {pages}',
    pt: 'O livro deste período tem {bound} folhas com os termos e as anexas (paginasAnexas), e não {pages}',
  },
  VOLUMES_HAVE_TERMS: {
    status: 400,
    en: 'Each volume has terms of its own: leave includeTerms out or true',
    pt: 'Cada volume tem os seus termos: omita includeTerms ou informe true',
  },
  FORMAT_NOT_OFFERED: {
    status: 400,
    en: 'This report is printed as {formats} only',
    pt: 'Este relatório só é emitido em {formats}',
  },

  // Entries
  AMOUNT_NOT_POSITIVE: {
    status: 400,
    en: 'The amount must be greater than zero',
    pt: 'O valor deve ser maior que zero',
  },
  UNBALANCED_ENTRY: {
    status: 400,
    en: 'Entry {entry} does not balance: debits {debits}, credits {credits}',
    pt: 'O lançamento {entry} não fecha: débitos {debits}, créditos {credits}',
  },
  UNBALANCED_DOCUMENT: {
    status: 400,
    en: 'Document {document} does not balance: debits {debits}, credits {credits}',
    pt: 'O documento {document} não fecha: débitos {debits}, créditos {credits}',
  },
  COUNTER_ACCOUNT_REQUIRED: {
    status: 400,
    en: 'An entry without counter account does not balance: give the counter account',
    pt: 'O lançamento sem contrapartida não fecha: informe a contrapartida',
  },
  SAME_ACCOUNT: {
    status: 400,
    en: 'The counter account must differ from the account',
    pt: 'A contrapartida deve ser diferente da conta',
  },
  ENTRY_ON_TWO_DAYS: {
    status: 400,
    en: 'Entry {entry} has lines on different days: give all of them the same day',
    pt: 'O lançamento {entry} tem partidas em dias diferentes: informe o mesmo dia em todas',
  },
  PROBLEMS_NOT_TOLD: {
    status: 400,
    en: '{count} problems in all; the first {told} are told',
    pt: '{count} problemas ao todo; são mostrados os primeiros {told}',
  },
  FILE_IMPORTED_BEFORE: {
    status: 400,
    en: 'This file was imported before as {name}; use force=true to import it again',
    pt: 'Este arquivo já foi importado como {name}; use force=true para importá-lo de novo',
  },
  FILE_UNREADABLE: {
    status: 400,
    en: 'The file cannot be read: {reason}',
    pt: 'O arquivo não pode ser lido: {reasonPt}',
  },
  TOO_MANY_ROWS: {
    status: 400,
    en: 'More than {limit} rows: split the file',
    pt: 'Mais de {limit} linhas: divida o arquivo',
  },
  TOO_MANY_DOCUMENTS: {
    status: 400,
    en: 'More than {limit} documents: split the file',
    pt: 'Mais de {limit} documentos: divida o arquivo',
  },
  DOCUMENT_TWICE: {
    status: 400,
    en: 'Document {document} stands twice: put its entries together',
    pt: 'O documento {document} aparece duas vezes: reúna os seus lançamentos',
  },
  NO_ROWS: {
    status: 400,
    en: 'The file has no entries',
    pt: 'O arquivo não tem lançamentos',
  },
  MISSING_COLUMN: { status: 400, en: 'The file lacks this column', pt: 'Falta esta coluna no arquivo' },
  MISSING_VALUE: { status: 400, en: 'A value is required', pt: 'O preenchimento é obrigatório' },
  HISTORY_REQUIRED: { status: 400, en: 'A history is required', pt: 'O histórico é obrigatório' },
  UNKNOWN_HISTORY: {
    status: 400,
    en: 'Standard history {history} does not exist for the branch, its company or the installation; create it or use another',
    pt: 'O histórico padrão {history} não existe para a filial, a empresa ou a instalação; cadastre-o ou use outro',
  },
  HISTORY_INACTIVE: {
    status: 400,
    en: 'Standard history {history} is inactive; activate it or use another',
    pt: 'O histórico padrão {history} está inativo; ative-o ou use outro',
  },
  COMPLEMENT_REQUIRED: {
    status: 400,
    en: 'Standard history {history} needs a text of its own in the entry',
    pt: 'O histórico padrão {history} exige complemento; informe o texto do lançamento',
  },
  MEMORANDUM_MIXED: {
    status: 400,
    en: 'Entry {entry} mixes memorandum accounts with others: its memorandum lines must balance among themselves',
    pt: 'O lançamento {entry} mistura contas de compensação com outras: as partidas de compensação devem fechar entre si',
  },
  COMPOUND_ENTRY: {
    status: 400,
    en: 'Entry {entry} has more than two lines: delete or reverse it',
    pt: 'O lançamento {entry} tem mais de duas partidas: exclua-o ou estorne-o',
  },
  REVERSED_BEFORE: {
    status: 400,
    en: 'Entry {entry} was reversed before',
    pt: 'O lançamento {entry} já foi estornado',
  },
  MIRRORED: {
    status: 400,
    en: 'Entry {entry} and its reversal mirror each other: delete the reversal first',
    pt: 'O lançamento {entry} e seu estorno se espelham: exclua antes o estorno',
  },
  CLOSING_BATCH_TAKEN: {
    status: 400,
    en: 'Batch {batch} of {month} was made by hand but is the one for closing entries: remove it, or name another batch in the closure settings',
    pt: 'O lote {batch} de {month} foi criado manualmente, mas é o lote dos lançamentos de encerramento: exclua-o ou informe outro lote nas configurações de encerramento',
  },
  CLOSURE_SETTINGS_MISSING: {
    status: 400,
    en: 'Month {month} closes the result, which has balances, but the branch has no active closure settings: register or activate them',
    pt: 'O mês {month} é de encerramento e há contas de resultado com saldo, mas a filial não tem configuração de encerramento ativa: cadastre-a ou ative-a',
  },
  CLOSING_IS_AUTOMATIC: {
    status: 400,
    en: 'Closing entries are made by consolidation and cannot be changed',
    pt: 'Os lançamentos de encerramento são gerados pela consolidação e não podem ser alterados',
  },

  // Compliance
  SCRIPT_ERROR: {
    status: 400,
    en: 'Line {line}, column {column}: {message}',
    pt: 'Linha {line}, coluna {column}: {messagePt}',
  },
  RULE_UNKNOWN: { status: 400, en: 'There is no rule named {name}', pt: 'Não existe regra com o nome {name}' },
  FIELDS_DIFFER: { status: 400, en: '{one} and {other} differ', pt: '{one} e {other} divergem' },
  ONE_OF_FIELDS: {
    status: 400,
    en: 'Give {one} or {other}, one of them',
    pt: 'Informe {one} ou {other}, somente um deles',
  },
  BRANCH_RANGE_REVERSED: {
    status: 400,
    en: 'Branch {from} comes after {to}',
    pt: 'A filial {from} vem depois de {to}',
  },
  TOO_MANY_BRANCHES: {
    status: 400,
    en: 'More than {limit} branches: run them with ?async=true',
    pt: 'Mais de {limit} filiais: execute com ?async=true',
  },
} as const satisfies Record<string, ProblemText>;
