import type { ProblemTexts } from './problem-text.ts';

export const ANY_REQUEST_TEXTS = {
  INVALID_FIELD: { status: 400, en: 'Invalid value: {reason}', pt: 'Valor inválido: {reason}' },
  UNKNOWN_FIELD: { status: 400, en: 'Unknown field {name}', pt: 'Campo desconhecido: {name}' },
  INVALID_BODY: { status: 400, en: 'The body could not be read: {reason}', pt: 'O corpo não pôde ser lido: {reason}' },
  INVALID_HEADER: { status: 400, en: 'Invalid header: {reason}', pt: 'Cabeçalho inválido: {reason}' },
  INVALID_DATE_RANGE: { status: 400, en: '{from} must not be after {to}', pt: '{from} não pode ser posterior a {to}' },
  FIELDS_DIFFER: { status: 400, en: '{one} and {other} differ', pt: '{one} e {other} divergem' },
  ONE_OF_FIELDS: {
    status: 400,
    en: 'Give {one} or {other}, one of them',
    pt: 'Informe {one} ou {other}, somente um deles',
  },
  ID_MISMATCH: {
    status: 400,
    en: 'The id in the body differs from the one in the path',
    pt: 'O id informado no corpo difere do id do caminho',
  },
  MISSING_VALUE: { status: 400, en: 'A value is required', pt: 'O preenchimento é obrigatório' },
  CONFIRMATION_REQUIRED: {
    status: 400,
    en: 'Confirmation required: {consequences}',
    pt: 'Confirmação necessária: {consequences}',
  },
  NOT_FOUND: { status: 404, en: '{record} not found', pt: '{record} não encontrad{ending}' },
  DUPLICATE: { status: 400, en: '{record} already exists', pt: '{record} já existe' },
  IN_USE: { status: 400, en: '{record} is in use by {by}', pt: '{record} está em uso por {by}' },
  ROUTE_NOT_FOUND: { status: 404, en: 'There is no such operation here', pt: 'Esta operação não existe aqui' },
  OPERATION_REMOVED: {
    status: 404,
    en: 'This operation was removed; use {instead}',
    pt: 'Esta operação foi removida; use {instead}',
  },
  LIST_TOO_LONG: {
    status: 400,
    en: 'The list has more than {limit} records: read them one by one, or ask for less',
    pt: 'A lista tem mais de {limit} registros: consulte-os um a um ou restrinja a consulta',
  },
  BODY_TOO_LARGE: { status: 413, en: 'The body is larger than allowed', pt: 'O corpo é maior que o permitido' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    en: 'This operation does not take what Content-Type says',
    pt: 'Esta operação não aceita o tipo informado em Content-Type',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 400,
    en: 'This Idempotency-Key was used with another body',
    pt: 'Esta Idempotency-Key já foi usada com outro corpo',
  },
  INTERNAL: { status: 500, en: 'Internal error', pt: 'Erro interno' },
  BUSY: { status: 503, en: 'The service is busy; try again', pt: 'O serviço está ocupado; tente novamente' },
  STORAGE_FULL: {
    status: 503,
    en: 'The disk of the database is full: nothing can be saved now, and nothing of this was; tell whoever operates it',
    pt: 'O disco do banco de dados está cheio: nada pode ser gravado agora, e nada disto foi gravado; avise o responsável pelo sistema',
  },
  DATABASE_UNAVAILABLE: {
    status: 503,
    en: 'The database does not answer at the moment; try again. Whether a change under way was saved, reading it tells',
    pt: 'O banco de dados não responde no momento; antes de tentar novamente, consulte se a alteração em curso foi gravada',
  },
} as const satisfies ProblemTexts;
