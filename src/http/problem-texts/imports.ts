import type { ProblemTexts } from './problem-text.ts';

export const IMPORTS_TEXTS = {
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
  FILE_IMPORTED_BEFORE: {
    status: 400,
    en: 'This file was imported before as {name}; use force=true to import it again',
    pt: 'Este arquivo já foi importado como {name}; use force=true para importá-lo de novo',
  },
  ECD_IMPORTED_BEFORE: {
    status: 400,
    en: 'This file was imported before as {name} (import {import}); undo that import first',
    pt: 'Este arquivo já foi importado como {name} (importação {import}); desfaça antes aquela importação',
  },
  ECD_IMPORT_UNDER_WAY: {
    status: 400,
    en: 'A bookkeeping file is being imported into {company}/{branch}; wait until it has ended',
    pt: 'Uma ECD está sendo importada em {company}/{branch}; aguarde o seu término',
  },
  CONTROL_COUNT_DIFFERS: {
    status: 400,
    en: 'the control total says {said}, the file has {found}',
    pt: 'o total de controle informa {said}, o arquivo tem {found}',
  },
  CONTROL_SUM_DIFFERS: {
    status: 400,
    en: 'the control total says {value}, the file sums to {sum}',
    pt: 'o total de controle informa {value}, o arquivo soma {sum}',
  },
  IMPORT_SAVED_NOTHING: {
    status: 400,
    en: 'Import {import} saved nothing that could be undone',
    pt: 'A importação {import} não gravou nada que possa ser desfeito',
  },
  ENTRY_NOT_IMPORTED: {
    status: 404,
    en: 'Entry {entry} was not imported from a file',
    pt: 'O lançamento {entry} não veio de um arquivo importado',
  },
  IMPORT_FILE_GONE: {
    status: 404,
    en: 'The file of import {import} is not kept',
    pt: 'O arquivo da importação {import} não está guardado',
  },
  IMPORT_NOT_MARKED: {
    status: 400,
    en: 'The entries of import {import} do not say that they came from it; delete its documents instead',
    pt: 'Os lançamentos da importação {import} não indicam que vieram dela; exclua os documentos',
  },
  IMPORT_CHANGED_SINCE: {
    status: 400,
    en: 'Import {import} cannot be undone: since then {changed} of its lines were changed, {deleted} deleted, {reversed} reversed',
    pt: 'A importação {import} não pode ser desfeita: desde então {changed} de suas partidas foram alteradas, {deleted} excluídas, {reversed} estornadas',
  },
  FILE_UNREADABLE: {
    status: 400,
    en: 'The file cannot be read: {reason}',
    pt: 'O arquivo não pode ser lido: {reason}',
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
  NO_ROWS: { status: 400, en: 'The file has no entries', pt: 'O arquivo não tem lançamentos' },
  MISSING_COLUMN: { status: 400, en: 'The file lacks this column', pt: 'Falta esta coluna no arquivo' },
  PROBLEMS_NOT_TOLD: {
    status: 400,
    en: '{count} problems in all; the first {told} are told',
    pt: '{count} problemas ao todo; são mostrados os primeiros {told}',
  },
} as const satisfies ProblemTexts;
