import type { FindingCode } from '../../accounting/finding-code.ts';
import type { ApprovalState } from '../../accounting/four-eyes.ts';
import type { Consequence, ProblemParams, ReasonCode, Reopening, Validity } from '../../accounting/problem.ts';
import type { Bilingual } from '../../accounting/rule-language/bilingual.ts';

// Parts of a problem's sentence that differ by language; `{name}` is the parameter of that name.

export const REASONS: Record<ReasonCode, Bilingual> = {
  NO_SUCH_MONTH: { en: 'there is no such month', pt: 'este mês não existe' },
  NO_SUCH_DAY: { en: 'no such day', pt: 'dia inexistente' },
  NO_BUSINESS_DAY: { en: 'is no business day of the branch', pt: 'não é dia útil da filial' },
  NOT_OF_KIND: { en: 'does not go with {kind}', pt: 'não se informa com {kind}' },
  OTHER_DAY_OF_REDEMPTION: {
    en: 'the redemption gets the quota of {expected}: leave the date out',
    pt: 'o resgate recebe a cota de {expected}: não informe a data',
  },
  CANNOT_CHANGE: { en: 'cannot change', pt: 'não pode mudar' },
  USER_OR_GROUP: { en: 'give userId or groupId, one of them', pt: 'informe userId ou groupId, um só' },
  REFERS_TO_NOTHING: { en: 'refers to nothing that exists', pt: 'não corresponde a nada que exista' },
  OTHER_YEAR: { en: 'another year', pt: 'outro ano' },
  NUMBERS_USED_UP: { en: 'the numbers are used up; name a free one', pt: 'os números se esgotaram; informe um livre' },
  TOO_MANY_CHARACTERS: { en: 'more than {maximum} characters', pt: 'mais de {maximum} caracteres' },
  CONTROL_CHARACTERS: { en: 'control characters', pt: 'caracteres de controle' },
  NO_PLAIN_CODE: {
    en: 'not only letters, digits and keyboard signs',
    pt: 'há caracteres que não são letras, algarismos ou sinais do teclado',
  },
  NO_PLAIN_NAME: { en: 'invisible characters or mixed scripts', pt: 'caracteres invisíveis ou alfabetos misturados' },
  NOT_ONE_OF: { en: 'must be one of {values}', pt: 'deve ser um de {values}' },
  NOT_S_OR_N: { en: 'must be S or N', pt: 'deve ser S ou N' },
  NOT_D_OR_C: { en: 'must be D or C', pt: 'deve ser D ou C' },
  NO_AMOUNT: { en: 'not an amount with at most two decimals', pt: 'não é um valor com até duas casas decimais' },
  NO_SIGNED_AMOUNT: {
    en: 'not an amount with at most two decimals, unsigned beside a side',
    pt: 'não é um valor com até duas casas decimais, sem sinal ao lado de D ou C',
  },
  AMOUNT_TOO_LARGE: { en: 'must be at most {maximumAmount}', pt: 'deve ser de no máximo {maximumAmount}' },
  NO_WHOLE_NUMBER: { en: 'must be a whole number up to {maximum}', pt: 'deve ser um número inteiro até {maximum}' },
  NO_DAY_OF_A_MONTH: { en: 'must be a day from 01 to 31', pt: 'deve ser um dia de 01 a 31' },
  NO_OBJECT: { en: 'must be an object', pt: 'deve ser um objeto' },
  NO_TEXT: { en: 'must be a text', pt: 'deve ser um texto' },
  NO_NUMBER: { en: 'must be a number', pt: 'deve ser um número' },
  WRONG_PASSWORD: { en: 'wrong password', pt: 'senha incorreta' },
  UNKNOWN_PROVIDER: { en: 'not a configured provider', pt: 'provedor não configurado' },
  LINES_OUT_OF_RANGE: { en: 'must be from 1 to {maximum}', pt: 'deve estar entre 1 e {maximum}' },
  NO_STATE: { en: 'must be two capital letters', pt: 'deve ter duas letras maiúsculas' },
  NO_IBGE_CODE: { en: 'must be 7 digits', pt: 'deve ter 7 dígitos' },
  NO_CEP: { en: 'must be 8 digits', pt: 'deve ter 8 algarismos' },
  NO_CNPJ: { en: 'must be 14 characters', pt: 'deve ter 14 caracteres' },
  WRONG_CHECK_DIGITS: { en: 'its check digits are wrong', pt: 'dígitos verificadores incorretos' },
  NO_ACCOUNT_MASK: {
    en: 'use 9 for digits and D for the check digit, such as 9.9.9.99.99.99-D',
    pt: 'use 9 para dígitos e D para o dígito verificador, como 9.9.9.99.99.99-D',
  },
  MONTHS_WERE_OPENED: { en: 'months were opened', pt: 'há meses abertos' },
  BASE_BALANCES_EXIST: { en: 'there are base balances', pt: 'há saldos iniciais' },
  TWO_OWNERS: { en: 'one owner only', pt: 'informe um só dono' },
  TOO_MANY_ACCOUNTS: { en: 'has more than {maximum} accounts', pt: 'tem mais de {maximum} contas' },
  NO_ACCOUNT_ABOVE: { en: 'no account above it', pt: 'não há conta acima dela' },
  NO_REFERENCE_CHART: { en: 'there is no such reference chart', pt: 'não há plano referencial assim' },
  NO_PARENT_ACCOUNT: { en: 'there is no account {parent}', pt: 'não há conta {parent}' },
  OTHER_LEVEL: { en: 'must be {level}', pt: 'deve ser {level}' },
  SEQUENCES_REPEAT: { en: 'sequences must differ', pt: 'as sequências devem ser distintas' },
  BANDS_OVERLAP: { en: 'bands must not overlap', pt: 'as faixas não podem se sobrepor' },
  BANDS_LEAVE_A_GAP: {
    en: 'bands must begin with zero and follow each other; the last one has no end',
    pt: 'as faixas devem começar em zero e seguir sem intervalo; a última não tem fim',
  },
  RATE_OR_BANDS: { en: 'give either a rate or bands', pt: 'informe uma taxa ou faixas, e só uma das duas' },
  RATE_OR_SERIES: {
    en: 'give either a rate or a series of the benchmark, not both',
    pt: 'informe uma taxa ou uma série do índice de referência, não as duas',
  },
  SERIES_OUT_OF_ORDER: {
    en: 'days must ascend, the first one not after the start of the fee',
    pt: 'os dias devem ser crescentes, e o primeiro não posterior ao início da taxa',
  },
  ONLY_OF_ADMINISTRATION: { en: 'is of administration fees only', pt: 'só cabe em taxa de administração' },
  ONLY_OF_PERFORMANCE: { en: 'is of performance fees only', pt: 'só cabe em taxa de performance' },
  ONLY_OF_DAY_RULE: { en: 'belongs to the dayRule DIA only', pt: 'só se informa com dayRule DIA' },
  AMOUNTS_OF_REVERSAL: {
    en: 'a reversal has the amounts of what it reverses',
    pt: 'o estorno tem os valores do lançamento estornado',
  },
  REQUIRED_WITH_MOVEMENT: { en: 'is required with onlyWithMovement', pt: 'é obrigatório com onlyWithMovement' },
  BINARY_FILE: {
    en: 'it is not a text: save it as CSV and send the CSV',
    pt: 'não é um texto: salve como CSV e envie o CSV',
  },
  SPREADSHEET: {
    en: 'it is an Excel workbook or a ZIP: save it as CSV and send the CSV',
    pt: 'é uma planilha do Excel ou um ZIP: salve como CSV e envie o CSV',
  },
  COMPRESSED_FILE: {
    en: 'it is compressed: unpack it and send the file that is in it',
    pt: 'é um arquivo compactado: descompacte e envie o arquivo que está nele',
  },
  PDF_FILE: { en: 'it is a PDF: send the data as a text file', pt: 'é um PDF: envie os dados em arquivo texto' },
  PICTURE: { en: 'it is a picture: send the data as a text file', pt: 'é uma imagem: envie os dados em arquivo texto' },
  UTF16_FILE: {
    en: 'it is UTF-16: save it as "CSV UTF-8" and send that',
    pt: 'está em UTF-16: salve como "CSV UTF-8" e envie esse arquivo',
  },
  ONE_ENDLESS_LINE: { en: 'it is one line without end', pt: 'é uma única linha, sem fim' },
  ENDLESS_LINE: {
    en: 'line {row} has no end; lines have {length} characters',
    pt: 'a linha {row} não tem fim; as linhas têm {length} caracteres',
  },
  NO_IPL_FILE: {
    en: 'no line says the batch (columns 12–17) and the month; it is no IPL file',
    pt: 'nenhuma linha informa o lote (colunas 12–17) e o mês; não é um arquivo IPL',
  },
  OTHER_LINE_LENGTH: {
    en: 'the line has {found} characters; it must have {length}',
    pt: 'a linha tem {found} caracteres; são {length}',
  },
  UNKNOWN_ENCODING: { en: 'neither UTF-8 nor ISO-8859-1', pt: 'nem UTF-8 nem ISO-8859-1' },
  LINE_AFTER_TRAILER: { en: 'a line behind the trailer', pt: 'uma linha depois do trailer' },
  HEADER_NOT_FIRST: { en: 'the header must be the first line', pt: 'o cabeçalho deve ser a primeira linha' },
  OTHER_MONTH: { en: 'another month', pt: 'outro mês' },
  OTHER_BATCH: { en: 'another batch', pt: 'outro lote' },
  OTHER_THAN_EXPECTED: { en: '{found} is not {expected}', pt: '{found} não é {expected}' },
  NO_DATE_OF_THE_MONTH: { en: 'no date of the month', pt: 'não é uma data do mês' },
  NOTHING_TO_COMPLETE: { en: 'no line before it to complete', pt: 'não há lançamento anterior a complementar' },
  UNKNOWN_RECORD_TYPE: { en: 'unknown record type', pt: 'tipo de registro desconhecido' },
  NOT_ONLY_DIGITS: { en: 'only digits, filled with zeros from the left', pt: 'só dígitos, com zeros à esquerda' },
  OTHER_LINE_COUNT: { en: 'the file has {rows} lines', pt: 'o arquivo tem {rows} linhas' },
  TRAILER_DIFFERS: {
    en: 'the trailer says {said}, the file has {found}',
    pt: 'o trailer informa {said}, o arquivo tem {found}',
  },
};

const CONSEQUENCES: Record<Consequence['consequence'], Bilingual> = {
  QUOTAS_BECOME_STALE: {
    en: 'the confirmed quotas of {days} become stale',
    pt: 'as cotas confirmadas de {days} ficam desatualizadas',
  },
  BOOKS_ARE_INVALIDATED: {
    en: 'the issued books {books} are invalidated; their successors take the same numbers',
    pt: 'os livros emitidos {books} ficam cancelados, e os seus substitutos recebem os mesmos números',
  },
  FEES_ARE_POSTED: {
    en: 'fees of {day} are posted, {total} in all',
    pt: 'as taxas de {day} serão lançadas, no total de {total}',
  },
  LEVELS_ARE_CREATED: { en: 'levels {levels} are created', pt: 'os níveis {levels} serão criados' },
  CHECK_DIGIT_IS_KEPT: {
    en: 'code {code} is kept although its check digit should be {digit}',
    pt: 'o código {code} será mantido, embora o dígito verificador devesse ser {digit}',
  },
  CHECK_DIGIT_DIFFERS: {
    en: 'the check digit of {code} should be {digit}',
    pt: 'o dígito verificador de {code} deveria ser {digit}',
  },
  ACCOUNT_BECOMES_SYNTHETIC: {
    en: 'analytic account {code} becomes synthetic',
    pt: 'a conta analítica {code} passará a sintética',
  },
};

const FACTS: Record<ProblemParams['ACCOUNT_IN_BOOKS']['fact'], Bilingual> = {
  CODE: { en: 'code', pt: 'o código' },
  CLASS: { en: 'class', pt: 'a classe' },
  NATURE: { en: 'nature', pt: 'a natureza' },
  TYPE: { en: 'type', pt: 'o tipo' },
  PARENT: { en: 'parent', pt: 'a conta superior' },
};

const VALIDITIES: Record<Validity['validity'], Bilingual> = {
  BETWEEN: { en: 'from {first} to {last}', pt: 'de {first} a {last}' },
  FROM: { en: 'from {first} on', pt: 'a partir de {first}' },
  UNTIL: { en: 'until {last}', pt: 'até {last}' },
};

const REOPENINGS: Record<Reopening['reopening'], Bilingual> = {
  OF_NONE: { en: '', pt: '' },
  OF_LAST_CLOSED: { en: ' and only {lastClosed} may be opened again', pt: ' e só {lastClosed} pode ser reaberto' },
};

const REPORT_STATES: Record<ProblemParams['REPORT_NOT_READY']['state'], Bilingual> = {
  PENDING: { en: 'it waits for its turn', pt: 'está na fila' },
  RUNNING: { en: 'it is being printed', pt: 'está em emissão' },
  ERROR: { en: 'it failed; ask for it again', pt: 'a emissão falhou; solicite-o novamente' },
};

const DELIVERY_STATES: Record<ProblemParams['DELIVERY_TRANSITION']['nextState'], Bilingual> = {
  GENERATED: { en: 'generated', pt: 'gerada' },
  SENT: { en: 'sent', pt: 'enviada' },
  ACCEPTED: { en: 'accepted', pt: 'aceita' },
  REJECTED: { en: 'rejected', pt: 'rejeitada' },
  REPLACED: { en: 'replaced', pt: 'substituída' },
};

const STATEMENT_ROOTS: Record<ProblemParams['STATEMENT_ROOTS']['roots'], Bilingual> = {
  BP: {
    en: 'two totals, one of group A and one of group P,',
    pt: 'duas linhas totalizadoras, uma do grupo A e uma do grupo P,',
  },
  DRE: { en: 'one total', pt: 'uma só linha, totalizadora,' },
  DLPA: { en: 'one line', pt: 'uma só linha' },
  DMPL: { en: 'one total', pt: 'uma só linha, totalizadora,' },
};

/** Titles of the closing checklist. */
const FINDINGS: Record<FindingCode, Bilingual> = {
  MONTH_OPEN: { en: 'Month opened', pt: 'Mês aberto' },
  DAYS_OPEN: { en: 'Business days not closed', pt: 'Dias úteis sem fechamento' },
  UNBALANCED_DOCUMENTS: { en: 'Documents that do not balance', pt: 'Documentos que não fecham' },
  BOOKS_DIFFER: { en: 'Books that differ from what they add up to', pt: 'Livros que não conferem' },
  IMPORTS_WITH_ERRORS: { en: 'Imports with errors', pt: 'Importações com erro' },
  INVERTED_BALANCES: { en: 'Accounts with an inverted balance', pt: 'Contas com saldo invertido' },
  MEMORANDUM_DIFFERENCE: {
    en: 'Memorandum accounts whose two sides differ',
    pt: 'Compensação ativa diferente da passiva',
  },
  CLOSURE_SETTINGS_MISSING: {
    en: 'Closing month without closure settings',
    pt: 'Mês de encerramento sem configuração de encerramento',
  },
  STALE_QUOTAS: { en: 'Stale quotas', pt: 'Cotas desatualizadas' },
  TEMPLATES_PENDING: { en: 'Entry templates not posted', pt: 'Lançamentos padrão pendentes' },
  DRAFTS_WAITING: { en: 'Drafts that wait for approval', pt: 'Rascunhos à espera de aprovação' },
  RULES_FAILED: { en: 'Compliance rules that failed', pt: 'Regras de conformidade com falha' },
  CONSOLIDATED: { en: 'Month consolidated', pt: 'Mês consolidado' },
  SEALED: { en: 'Month sealed', pt: 'Mês selado' },
  BOOKS_ISSUED: { en: 'Journal issued', pt: 'Diário emitido' },
};

/** By the parameter whose value is the phrase's code. */
const APPROVAL_STATE_WORDS: Record<ApprovalState, Bilingual> = {
  PENDING: { en: 'waits', pt: 'espera' },
  APPROVED: { en: 'was approved', pt: 'foi aprovado' },
  REJECTED: { en: 'was rejected', pt: 'foi rejeitado' },
  WITHDRAWN: { en: 'was withdrawn', pt: 'foi retirado' },
  EXPIRED: { en: 'has expired', pt: 'expirou' },
};

export const PHRASES: Readonly<Record<string, Readonly<Record<string, Bilingual>>>> = {
  reason: REASONS,
  consequence: CONSEQUENCES,
  fact: FACTS,
  validity: VALIDITIES,
  reopening: REOPENINGS,
  state: REPORT_STATES,
  deliveryState: DELIVERY_STATES,
  nextState: DELIVERY_STATES,
  roots: STATEMENT_ROOTS,
  finding: FINDINGS,
  approvalState: APPROVAL_STATE_WORDS,
};
