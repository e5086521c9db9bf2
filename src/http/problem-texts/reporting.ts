import type { ProblemTexts } from './problem-text.ts';

export const REPORTING_TEXTS = {
  ACCOUNT_RANGE_REVERSED: {
    status: 400,
    en: 'Account {from} comes after {to}',
    pt: 'A conta {from} vem depois de {to}',
  },
  FILING_STALE: {
    status: 400,
    en: 'The quotas of {days} no longer agree with the books: reprocess them first',
    pt: 'As cotas de {days} não conferem mais com os livros: reprocesse-as antes',
  },
  FILING_HOLDERS: {
    status: 400,
    en: 'How many holders the fund had on {days} is not known: give it with the movements of quotas, or here',
    pt: 'Não se sabe quantos cotistas o fundo tinha em {days}: informe nos movimentos de cotas, ou aqui',
  },
  PERIOD_OVER_A_YEAR: { status: 400, en: 'The period is longer than a year', pt: 'O período é maior que um ano' },
  PERIOD_OVER_A_MONTH: {
    status: 400,
    en: 'Both days must lie in the same month',
    pt: 'As duas datas devem estar no mesmo mês',
  },
  FORMAT_NOT_OFFERED: {
    status: 400,
    en: 'This report is printed as {formats} only',
    pt: 'Este relatório só é emitido em {formats}',
  },
  REPORT_TOO_LARGE: {
    status: 400,
    en: 'The report is larger than {limit} MB; ask for it with ?async=true',
    pt: 'O relatório tem mais de {limit} MB; solicite-o com ?async=true',
  },
  ECD_TOO_LARGE: {
    status: 400,
    en: 'The bookkeeping file is larger than {limit} MB, and a book that takes the place of another is not cut into months',
    pt: 'O arquivo da ECD tem mais de {limit} MB, e um livro que substitui outro não é dividido em meses',
  },
  REPORT_NOT_READY: {
    status: 400,
    en: 'The report is not ready: {state}',
    pt: 'O relatório não está pronto: {state}',
  },
  REPORT_GONE: {
    status: 404,
    en: 'The file of the report was removed; ask for the report again',
    pt: 'O arquivo do relatório foi removido; solicite-o novamente',
  },
  FILING_WITHHELD: {
    status: 400,
    en: 'The file has {errors} errors and is withheld: mend them, or ask for it with comErros',
    pt: 'O arquivo tem {errors} erros e não foi guardado: corrija-os ou gere-o com comErros',
  },
  DELIVERY_TRANSITION: {
    status: 400,
    en: 'A delivery that is {deliveryState} does not become {nextState}',
    pt: 'Uma entrega {deliveryState} não passa a {nextState}',
  },
  DELIVERY_HAS_NO_HASH: {
    status: 400,
    en: 'Only a book of the ECD has a hash',
    pt: 'Só o livro da ECD tem hash',
  },
  DELIVERY_HASH_USED: {
    status: 400,
    en: 'Another file was generated with the hash of this book: it stays',
    pt: 'Outro arquivo foi gerado com o hash deste livro: ele não muda mais',
  },
  DELIVERY_NOT_REPLACEABLE: {
    status: 400,
    en: 'Only an accepted delivery of the ECD is replaced by another book; this one is {deliveryState}',
    pt: 'Só uma entrega da ECD aceita é substituída por outro livro; esta está {deliveryState}',
  },
  DELIVERY_WITHOUT_HASH: {
    status: 400,
    en: 'The hash of the book that is replaced is not recorded: record it with its delivery',
    pt: 'O hash do livro substituído não está registrado: registre-o na entrega dele',
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
  BOOK_OUT_OF_SEQUENCE: {
    status: 400,
    en: 'The next {book} begins on {expected}, not on {from}; print without terms for a preview',
    pt: 'O próximo {book} começa em {expected}, e não em {from}; para uma prévia, emita sem os termos',
  },
  BOOK_NUMBER_NOT_NEXT: {
    status: 400,
    en: 'The next {book} has the number {expected}, not {number}; leave numeroLivro out',
    pt: 'O próximo {book} tem o número {expected}, e não {number}; omita numeroLivro',
  },
  BOOK_TOO_LARGE: {
    status: 400,
    en: 'The book is larger than {limit} MB (BOOK_SIZE_LIMIT) and cannot be registered: issue shorter periods',
    pt: 'O livro tem mais de {limit} MB (BOOK_SIZE_LIMIT) e não pode ser registrado: emita períodos menores',
  },
  ANNEX_OUTSIDE_BOOK: {
    status: 400,
    en: 'What is bound with a book is of its period, {from} to {to}',
    pt: 'O que se anexa ao livro é do seu período, de {from} a {to}',
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
  INSTITUTION_WITHOUT_BOOKS: {
    status: 400,
    en: 'No branch of company {company} keeps books of the institution: each is a fund or has no options',
    pt: 'Nenhuma filial da empresa {company} tem escrituração da instituição: são fundos ou não têm opções cadastradas',
  },
  INSTITUTION_NOT_OFFERED: {
    status: 400,
    en: 'This paper is of one fund: name its branch instead of *',
    pt: 'Este demonstrativo é de um fundo: informe a filial dele em vez de *',
  },
  BRANCHES_OF_DIFFERENT_CHARTS: {
    status: 400,
    en: 'The branches of the institution must share one chart of accounts; they have {charts}',
    pt: 'As filiais da instituição devem usar o mesmo plano de contas; elas usam {charts}',
  },
} as const satisfies ProblemTexts;
