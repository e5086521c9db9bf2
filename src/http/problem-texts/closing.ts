import type { ProblemTexts } from './problem-text.ts';

export const CLOSING_TEXTS = {
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
  CLOSING_BLOCKED: {
    status: 400,
    en: 'Month {month} is not consolidated while the closing checklist has: {finding} ({count})',
    pt: 'O mês {month} não é consolidado enquanto houver no roteiro de fechamento: {finding} ({count})',
  },
  MONTH_NOT_SEALED: {
    status: 404,
    en: 'Month {month} has no seal in force',
    pt: 'O mês {month} não tem selo em vigor',
  },
  NOT_IN_SEAL: {
    status: 404,
    en: 'The seal of {month} has nothing of that name',
    pt: 'O selo de {month} não contém o que foi pedido',
  },
  SEAL_MISMATCH: {
    status: 400,
    en: 'The books of {month} are not those that were sealed',
    pt: 'Os livros de {month} não são os que foram selados',
  },
  NO_SUCH_HEAD: {
    status: 404,
    en: 'The log of seals has no such head',
    pt: 'O registro de selos não chegou a esse tamanho',
  },
  SEALING_UNAVAILABLE: {
    status: 503,
    en: 'The key that seals cannot be used now; the log says why',
    pt: 'A chave que sela não pode ser usada agora; o log diz por quê',
  },
  CLOSING_IS_AUTOMATIC: {
    status: 400,
    en: 'Closing entries are made by consolidation and cannot be changed',
    pt: 'Os lançamentos de encerramento são gerados pela consolidação e não podem ser alterados',
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
  FEES_NOT_CONFIGURED: {
    status: 400,
    en: 'No fee of the fund is in force on {day}: register its fees and the day from which they are charged',
    pt: 'Nenhuma taxa do fundo está em vigor em {day}: cadastre as taxas e o dia a partir do qual são cobradas',
  },
  FEE_DAY_NOT_BUSINESS: {
    status: 400,
    en: '{day} is no business day: fees are accrued on business days',
    pt: '{day} não é dia útil: as taxas são apropriadas em dias úteis',
  },
  FEE_POSTED_BEFORE: {
    status: 400,
    en: 'The fees of {day} are accrued already; reverse them to accrue them again',
    pt: 'As taxas de {day} já foram apropriadas; estorne-as para apropriar de novo',
  },
  FEE_LATER_DAY: {
    status: 400,
    en: 'Fees of {later} stand on those of {day}: reverse the later ones first',
    pt: 'As taxas de {later} se apoiam nas de {day}: estorne antes as posteriores',
  },
  FEE_DAY_MISSING: {
    status: 400,
    en: 'The fees of {missing} are to be accrued before those of {day}',
    pt: 'As taxas de {missing} devem ser apropriadas antes das de {day}',
  },
  FEE_NOT_POSTED: {
    status: 400,
    en: 'No fees of {day} stand',
    pt: 'Não há taxas apropriadas em {day}',
  },
  FEE_NEEDS_QUOTA: {
    status: 400,
    en: 'A redemption of {day} was given by its amount: confirm the quota of {day} first',
    pt: 'Há resgate de {day} informado por valor: confirme antes a cota de {day}',
  },
  FEE_TEMPLATE_MISSING: {
    status: 400,
    en: 'The branch has no active standard release {template}',
    pt: 'A filial não tem lançamento padrão ativo {template}',
  },
  FEE_TEMPLATE_UNFIT: {
    status: 400,
    en: 'Standard release {template} does not post just the fee: its lines must be given or percentages of one amount, without automatic reversal',
    pt: 'O lançamento padrão {template} não lança apenas a taxa: suas linhas devem ser informadas ou percentuais de um só valor, sem estorno automático',
  },
  QUOTA_CHANGED: {
    status: 400,
    en: 'The quota of {day} is {value} now, not {expected}: read the preview again before confirming',
    pt: 'A cota de {day} agora é {value}, e não {expected}: confira a prévia de novo antes de confirmar',
  },
  NET_EQUITY_OF_DAY: {
    status: 400,
    en: 'Net equity must be greater than zero; on {day} it is {value}',
    pt: 'O patrimônio líquido deve ser maior que zero; em {day} é {value}',
  },
  NO_QUOTAS_ON: {
    status: 400,
    en: 'There are no quotas in circulation on {day}',
    pt: 'Não há cotas em circulação em {day}',
  },
  QUOTA_DAYS_OPEN: {
    status: 400,
    en: 'The quota of {day} needs the days before it closed in the calendar; {open} is open',
    pt: 'A cota de {day} exige os dias anteriores fechados no calendário; {open} está aberto',
  },
  QUOTAS_PENDING: {
    status: 400,
    en: 'A movement of {day} was given by its amount and has no quotas yet: confirm or reprocess the quota of {day} first',
    pt: 'Uma movimentação de {day} foi informada por valor e ainda não tem cotas: confirme ou reprocesse antes a cota de {day}',
  },
  REDEMPTION_ABOVE_BALANCE: {
    status: 400,
    en: 'More quotas would leave than are in circulation on {day}, which are {balance}',
    pt: 'Sairiam mais cotas do que há em circulação em {day}, que são {balance}',
  },
  COME_COTAS_MONTH: {
    status: 400,
    en: 'Come-cotas are of May and November; {day} is not in them',
    pt: 'O come-cotas é de maio e de novembro; {day} não é de um deles',
  },
  COME_COTAS_TWICE: {
    status: 400,
    en: 'The come-cotas of {month} is registered already',
    pt: 'O come-cotas de {month} já está registrado',
  },
  QUOTA_TEMPLATE_UNFIT: {
    status: 400,
    en: 'Standard release {template} would change the net equity by {moved}, not by {amount}',
    pt: 'O lançamento padrão {template} mudaria o patrimônio líquido em {moved}, e não em {amount}',
  },
  QUOTA_TEMPLATE_REVERSES: {
    status: 400,
    en: 'Standard release {template} is reversed automatically: the amount would leave the fund again',
    pt: 'O lançamento padrão {template} tem estorno automático, que desfaria o valor da movimentação',
  },
  INITIAL_QUOTAS_TWICE: {
    status: 400,
    en: 'The fund has its initial quotas already, or movements before them',
    pt: 'O fundo já tem as cotas iniciais, ou movimentações anteriores a elas',
  },
  NO_QUOTA_TO_REPROCESS: {
    status: 400,
    en: 'There is no confirmed quota from {from} to {to}',
    pt: 'Não há cota confirmada de {from} a {to}',
  },
  QUOTA_RUN_UNDER_WAY: {
    status: 400,
    en: 'The quotas of the company are being calculated by job {job}; wait until it has ended',
    pt: 'As cotas da empresa estão sendo calculadas pelo processamento {job}; aguarde o seu término',
  },
  QUOTA_WANTS_APPROVAL: {
    status: 400,
    en: 'The quota of this branch waits for a second person: confirm it by itself',
    pt: 'A cota desta filial depende de uma segunda pessoa: confirme-a individualmente',
  },
  NO_FUNDS: {
    status: 400,
    en: 'No branch of company {company} has a quota configuration',
    pt: 'Nenhuma filial da empresa {company} tem configuração de cota',
  },
  NO_QUOTAS: {
    status: 400,
    en: 'The number of quotas must be greater than zero',
    pt: 'O número de cotas deve ser maior que zero',
  },
} as const satisfies ProblemTexts;
