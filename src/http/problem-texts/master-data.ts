import type { ProblemTexts } from './problem-text.ts';

export const MASTER_DATA_TEXTS = {
  INVALID_ACCOUNT_CODE: { status: 400, en: 'Invalid account code {account}', pt: 'Código de conta inválido {account}' },
  ACCOUNT_NOT_FOUND: { status: 404, en: 'Account {account} not found', pt: 'Conta {account} não encontrada' },
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
  ACCOUNT_IN_BOOKS: {
    status: 400,
    en: 'Account {account} has entries: its {fact} does not change any more; create another account',
    pt: 'A conta {account} tem lançamentos: {fact} não muda mais; crie outra conta',
  },
  ACCOUNT_IN_CLOSING_GROUP: {
    status: 400,
    en: 'Account {account} lies inside the closing group {group}: choose one outside of it',
    pt: 'A conta {account} está dentro do grupo de encerramento {group}: escolha uma fora dele',
  },
  PARENT_HAS_ENTRIES: {
    status: 400,
    en: 'Account {account} has entries and cannot have children',
    pt: 'A conta {account} tem lançamentos e não pode ter contas filhas',
  },
  PARENT_NOT_SYNTHETIC: {
    status: 400,
    en: 'Account {account} is analytic and cannot have children',
    pt: 'A conta {account} é analítica e não pode ter contas filhas',
  },
  CHART_LOOKS_ALIKE: {
    status: 400,
    en: 'The chart code {chart} reads like {other}; choose another',
    pt: 'O código de plano {chart} confunde-se com {other}; escolha outro',
  },
  CHART_NOT_CONFIGURED: {
    status: 400,
    en: 'No chart of accounts is configured for company {company} and branch {branch}',
    pt: 'Nenhum plano de contas está configurado para a empresa {company} e a filial {branch}',
  },
  BRANCH_AMBIGUOUS: {
    status: 400,
    en: 'Several companies have a branch {branch}; name one with ?company=',
    pt: 'Mais de uma empresa tem a filial {branch}; informe uma com ?company=',
  },
  ELIMINATION_PREFIXES_OVERLAP: {
    status: 400,
    en: 'Elimination prefixes {other} and {prefix} have accounts in common',
    pt: 'Os prefixos de eliminação {other} e {prefix} têm contas em comum',
  },
  OPTIONS_FROZEN: {
    status: 400,
    en: 'Chart and base month cannot change any more: {reason}',
    pt: 'O plano e o mês base não podem mais mudar: {reason}',
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
  LOOKUP_UNAVAILABLE: {
    status: 503,
    en: 'The external lookup does not answer; try again later',
    pt: 'A consulta externa não responde; tente mais tarde',
  },
  STATEMENT_LINE_ORPHAN: {
    status: 400,
    en: 'Line {line} hangs under {parent}, and there is no such line',
    pt: 'A linha {line} é subordinada a {parent}, que não existe',
  },
  STATEMENT_LINE_CYCLE: {
    status: 400,
    en: 'Line {line} hangs under {parent}, which lies below it',
    pt: 'A linha {line} é subordinada a {parent}, que é subordinada a ela',
  },
  STATEMENT_PARENT_NOT_TOTAL: {
    status: 400,
    en: 'Line {line} hangs under {parent}, which is no total: only lines with indicator T have lines below them',
    pt: 'A linha {line} é subordinada a {parent}, que não é totalizadora: só linhas de indicador T têm linhas abaixo',
  },
  STATEMENT_ROOTS: {
    status: 400,
    en: '{statement} needs {roots} at level 1; there: {lines}',
    pt: '{statement} exige {roots} no nível 1; há: {lines}',
  },
  STATEMENT_TOTAL_EMPTY: {
    status: 400,
    en: 'Line {line} is a total and has no line below it',
    pt: 'A linha {line} é totalizadora e não tem linha abaixo',
  },
  STATEMENT_TOTAL_WITH_ACCOUNTS: {
    status: 400,
    en: 'Line {line} is a total: accounts stand on the lines below it',
    pt: 'A linha {line} é totalizadora: as contas ficam nas linhas abaixo dela',
  },
  STATEMENT_LINE_WITHOUT_ACCOUNTS: {
    status: 400,
    en: 'Line {line} selects no account',
    pt: 'A linha {line} não seleciona conta alguma',
  },
  STATEMENT_ACCOUNT_TWICE: {
    status: 400,
    en: 'Account {account} stands on more than one line: {lines}',
    pt: 'A conta {account} está em mais de uma linha: {lines}',
  },
  STATEMENT_ACCOUNT_CLASS: {
    status: 400,
    en: 'Account {account} is of class {class}, which line {line} does not hold; exclude it there',
    pt: 'A conta {account} é da natureza {class}, que não cabe na linha {line}; exclua-a dela',
  },
  STATEMENT_SUMMARY_ACCOUNT: {
    status: 400,
    en: 'Account {account} is synthetic: select the accounts below it as {account}*',
    pt: 'A conta {account} é sintética: selecione as contas abaixo dela com {account}*',
  },
  STATEMENT_VERSIONS_OVERLAP: {
    status: 400,
    en: 'There is a version of {code} from {from} on that holds on some of these days',
    pt: 'Já existe uma versão de {code}, válida desde {from}, que abrange parte desses dias',
  },
  STATEMENT_MISSING: {
    status: 400,
    en: 'The chart has no {statement} that holds on {day}: create one, or the default by POST /statements/default',
    pt: 'O plano não tem {statement} válida em {day}: cadastre uma, ou a padrão com POST /statements/default',
  },
  STATEMENT_AMBIGUOUS: {
    status: 400,
    en: 'The chart has several {statement}: name one of {codes}',
    pt: 'O plano tem mais de uma {statement}: informe uma de {codes}',
  },
  EQUITY_FACTS_DIFFER: {
    status: 400,
    en: 'Opening balance and facts of "{column}" do not make its closing balance: {difference} is missing',
    pt: 'O saldo inicial e os fatos de "{column}" não levam ao saldo final: faltam {difference}',
  },
  STATEMENT_WITHOUT_FACTS: {
    status: 400,
    en: 'Facts are of a DLPA or a DMPL; this is a {statement}',
    pt: 'Os fatos são da DLPA ou da DMPL; esta demonstração é {statement}',
  },
  STATEMENT_NO_ACCOUNTS: {
    status: 400,
    en: 'The chart {chart} has no accounts from which a default {statement} could be made',
    pt: 'O plano {chart} não tem contas para montar a demonstração padrão {statement}',
  },
} as const satisfies ProblemTexts;
