import type { ProblemTexts } from './problem-text.ts';

export const POSTING_TEXTS = {
  AMOUNT_NOT_POSITIVE: {
    status: 400,
    en: 'The amount must be greater than zero',
    pt: 'O valor deve ser maior que zero',
  },
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
    pt: 'A conta {account} só é válida {validity}',
  },
  SAME_ACCOUNT: {
    status: 400,
    en: 'The counter account must differ from the account',
    pt: 'A contrapartida deve ser diferente da conta',
  },
  COUNTER_ACCOUNT_REQUIRED: {
    status: 400,
    en: 'An entry without counter account does not balance: give the counter account',
    pt: 'O lançamento sem contrapartida não fecha: informe a contrapartida',
  },
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
  ENTRY_ON_TWO_DAYS: {
    status: 400,
    en: 'Entry {entry} has lines on different days: give all of them the same day',
    pt: 'O lançamento {entry} tem partidas em dias diferentes: informe o mesmo dia em todas',
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
  ENTRY_CHANGED_SINCE: {
    status: 400,
    en: 'Entry {entry} was changed by {user} since it was read: read it again',
    pt: 'O lançamento {entry} foi alterado por {user} depois de lido: leia-o de novo',
  },
  EXTERNAL_ID_REUSED: {
    status: 400,
    en: 'External id {externalId} of origin {origin} was used for an entry with another content',
    pt: 'O externalId {externalId} da origem {origin} já foi usado em lançamento com outro conteúdo',
  },
  TOO_MANY_LINES: {
    status: 400,
    en: 'More than {limit} lines: send them in several requests',
    pt: 'Mais de {limit} partidas: envie-as em várias requisições',
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
  NOTHING_TO_REVERSE: {
    status: 400,
    en: 'What release data {use} would reverse was deleted, archived or reversed before; delete it',
    pt: 'O lançamento que o registro {use} estornaria foi excluído, expurgado ou já estornado; exclua o registro',
  },
  RELEASE_UNBALANCED: {
    status: 400,
    en: 'The lines do not balance: debits {debits}, credits {credits}',
    pt: 'As partidas do lançamento padrão não fecham: débitos {debits}, créditos {credits}',
  },
  MONTH_NOT_OPEN: { status: 400, en: 'Month {month} is not open', pt: 'O mês {month} não está aberto' },
  MONTH_NOT_OPEN_IN_BRANCHES: {
    status: 400,
    en: 'The institution has no month {month} yet: it is not open in branches {branches}',
    pt: 'A instituição ainda não tem o mês {month}: ele não foi aberto nas filiais {branches}',
  },
  MONTH_CONSOLIDATED: { status: 400, en: 'Month {month} is consolidated', pt: 'O mês {month} está consolidado' },
  MONTH_NOT_NEXT: {
    status: 400,
    en: 'Month {month} cannot be opened; the next one to open is {expected}{reopening}',
    pt: 'O mês {month} não pode ser aberto; o próximo a abrir é {expected}{reopening}',
  },
  MONTH_PURGED: {
    status: 400,
    en: 'Entries of month {month} were purged; restore them first',
    pt: 'Os lançamentos do mês {month} foram expurgados; restaure-os antes',
  },
  MONTH_PURGED_IN_BRANCHES: {
    status: 400,
    en: 'Entries of month {month} were purged in branches {branches}; restore them first',
    pt: 'Os lançamentos do mês {month} foram expurgados nas filiais {branches}; restaure-os antes',
  },
  REASON_REQUIRED: {
    status: 400,
    en: 'Opening the closed month {month} again needs a reason',
    pt: 'Reabrir o mês {month} exige um motivo: informe-o em reason',
  },
  BEFORE_BASE_MONTH: {
    status: 400,
    en: 'Month {month} is before the base month {base}',
    pt: 'O mês {month} é anterior ao mês base {base}',
  },
  DAY_CLOSED: { status: 400, en: 'Day {day} is closed', pt: 'O dia {day} está fechado' },
  DAY_NOT_IN_MONTH: { status: 400, en: 'Month {month} has no day {day}', pt: 'O mês {month} não tem o dia {day}' },
  FACT_NOT_EARLIER: {
    status: 400,
    en: 'The day of the fact, {fact}, must be before the day of posting, {day}',
    pt: 'A data do fato, {fact}, deve ser anterior à data do lançamento, {day}',
  },
  NOT_CURRENT_DAY: {
    status: 400,
    en: 'Day {day} is not the current one; that is {current}',
    pt: 'O dia {day} não é o dia corrente, que é {current}',
  },
  NO_OPEN_DAY: { status: 400, en: 'The branch has no open day', pt: 'A filial não tem dia em aberto' },
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
  PURGE_AWAITS_APPROVAL: {
    status: 400,
    en: '{place}: request {approval} awaits the approval of a second person',
    pt: '{place}: o pedido {approval} aguarda a aprovação de uma segunda pessoa',
  },
  PURGE_MONTH_OPEN: {
    status: 400,
    en: 'Branch {place}: month {month} is not consolidated',
    pt: 'Filial {place}: o mês {month} não está consolidado',
  },
  NO_ACCOUNTS: {
    status: 400,
    en: 'The chart has fewer than two active analytic accounts',
    pt: 'O plano tem menos de duas contas analíticas ativas',
  },
} as const satisfies ProblemTexts;
