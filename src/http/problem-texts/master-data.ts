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
} as const satisfies ProblemTexts;
