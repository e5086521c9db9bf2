import type { ProblemTexts } from './problem-text.ts';

export const OPERATIONS_TEXTS = {
  BATCH_ABOVE_LIMIT: {
    status: 400,
    en: 'Batch {batch} would pass the limit of the branch, above which a second person approves',
    pt: 'O lote {batch} passaria do limite da filial, acima do qual uma segunda pessoa aprova',
  },
  DRAFT_TOO_LARGE: {
    status: 400,
    en: 'The batch passes the limit of the branch, and a file of more than {limit} MB is not kept as a draft: send it in parts',
    pt: 'O lote passa do limite da filial, e um arquivo de mais de {limit} MB não fica como rascunho: envie-o em partes',
  },
  DRAFT_AT_FAULT: {
    status: 400,
    en: 'The file of the draft has {count} fault(s) now, the first {detail}: reject it and have it sent again',
    pt: 'O arquivo do rascunho agora tem {count} erro(s), o primeiro {detail}: rejeite-o e peça novo envio',
  },
  DRAFTS_WAIT: {
    status: 400,
    en: 'Month {month} has {count} draft(s) that wait for a second person: approve, reject or withdraw them first',
    pt: 'O mês {month} tem {count} rascunho(s) à espera de uma segunda pessoa: aprove, rejeite ou retire-os antes',
  },
  APPROVAL_OWN: {
    status: 403,
    en: 'Who asks does not decide: another user approves or rejects this request',
    pt: 'Quem pede não decide: outro usuário deve aprovar ou rejeitar este pedido',
  },
  APPROVAL_BY_SERVICE: {
    status: 403,
    en: 'A person decides: a service account neither approves nor rejects',
    pt: 'Quem decide é uma pessoa: uma conta de serviço não aprova nem rejeita',
  },
  APPROVAL_NOT_OWN: {
    status: 403,
    en: 'Only who made the request withdraws it; others reject it',
    pt: 'Só quem fez o pedido pode retirá-lo; os demais o rejeitam',
  },
  APPROVAL_APPROVER: {
    status: 403,
    en: 'You may not do what this request asks, so you do not decide on it',
    pt: 'Você não tem permissão para o que este pedido solicita e por isso não decide sobre ele',
  },
  APPROVAL_REQUESTER: {
    status: 400,
    en: 'User {username}, who made the request, is inactive or may no longer do this: reject it',
    pt: 'O usuário {username}, que fez o pedido, está inativo ou perdeu a permissão para isto: rejeite o pedido',
  },
  APPROVAL_DECIDED: {
    status: 400,
    en: 'The request does not wait any more: it {approvalState}',
    pt: 'O pedido já não espera aprovação: ele {approvalState}',
  },
  APPROVAL_WAITS: {
    status: 400,
    en: 'Request {approval} of {username} for this waits already: it must be decided or withdrawn first',
    pt: 'O pedido {approval}, de {username}, já espera aprovação para isto: decida-o ou retire-o antes',
  },
  APPROVAL_OUTDATED: {
    status: 400,
    en: 'What the request would replace has been changed since: reject it and ask again',
    pt: 'O que o pedido substituiria foi alterado depois dele: rejeite-o e peça de novo',
  },
  APPROVAL_BOOKS_CHANGED: {
    status: 400,
    en: 'The books have changed since the request: look at them and confirm',
    pt: 'Os livros mudaram desde o pedido: confira-os e confirme',
  },
  SERVICE_DOWN: {
    status: 503,
    en: 'The service {service} does not answer; try again in a moment',
    pt: 'O serviço {service} não responde; tente novamente em instantes',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    en: 'You have too many requests of this kind at once (limit {limit}); wait for their answers',
    pt: 'Você tem requisições demais deste tipo em andamento (limite: {limit}); aguarde as respostas',
  },
  TOO_MANY_IN_HAND: {
    status: 429,
    en: 'The service has much to do, and you have many requests under way; wait for their answers',
    pt: 'O serviço está muito ocupado, e você tem muitas requisições em andamento; aguarde as respostas',
  },
  TOO_MANY_REQUESTS_OF_COMPANY: {
    status: 429,
    en: 'The company has too many requests of this kind at once (limit {limit}); try again in a moment',
    pt: 'A empresa tem requisições demais deste tipo em andamento (limite: {limit}); tente novamente em instantes',
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
  TOO_MANY_REPORTS: {
    status: 429,
    en: 'You have {limit} reports waiting or being printed; wait until one of them is done',
    pt: 'Você já tem {limit} relatórios na fila ou em impressão; aguarde o término de um deles',
  },
  JOB_UNREADABLE: {
    status: 500,
    en: 'What the job was asked cannot be read ({field}); ask for it again',
    pt: 'O pedido desta tarefa não pode ser lido ({field}); solicite-a novamente',
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
  TOO_MANY_WEBHOOKS: {
    status: 400,
    en: 'A company has at most {limit} webhooks',
    pt: 'Uma empresa tem no máximo {limit} webhooks',
  },
  WEBHOOK_NOT_HTTPS: {
    status: 400,
    en: 'A webhook needs an https address',
    pt: 'O webhook exige um endereço https',
  },
  WEBHOOK_ADDRESS_PRIVATE: {
    status: 400,
    en: 'Addresses of private networks and of this machine are not allowed for webhooks',
    pt: 'Endereços de redes privadas e da própria máquina não são permitidos para webhooks',
  },
  CURSOR_UNKNOWN: {
    status: 400,
    en: 'The cursor is not of these events: read again without one, and compare your records with the books',
    pt: 'O cursor não é destes eventos: leia de novo sem cursor e confira os seus registros com os livros',
  },
  CURSOR_EXPIRED: {
    status: 400,
    en: 'Events after the cursor have been removed: compare your records with the books, then read without a cursor',
    pt: 'Eventos posteriores ao cursor já foram removidos: confira os seus registros com os livros e depois leia sem cursor',
  },
  DISK_FULL: {
    status: 503,
    en: 'The disk of the server is nearly full: files and reports are not taken now; tell whoever operates it',
    pt: 'O disco do servidor está quase cheio: arquivos e relatórios não são aceitos agora; avise o responsável pelo sistema',
  },
  LOGS_UNAVAILABLE: {
    status: 503,
    en: 'The logs cannot be read now; try again later',
    pt: 'Os logs do sistema não podem ser lidos agora; tente mais tarde',
  },
} as const satisfies ProblemTexts;
