import { type Bilingual, interpolate } from './bilingual.ts';
import { BOUNDS } from './bounds.ts';
import type { Position } from './diagnostic.ts';

/** Why a rule could not run to its end, and where. */
export interface Failure extends Position {
  readonly code: FailureCode;
  readonly message: Bilingual;
}

export type FailureCode = keyof typeof FAILURES;

export function failure(
  code: FailureCode,
  at: Position,
  params: Readonly<Record<string, Bilingual | string>>,
): Failure {
  return { code, line: at.line, column: at.column, message: interpolate(FAILURES[code], params) };
}

export const FAILURES = {
  DIVISION_BY_ZERO: { pt: 'Divisão por zero', en: 'Division by zero' },
  NUMBER_TOO_LARGE: {
    pt: `O resultado passa de ${BOUNDS.resultDigits} algarismos`,
    en: `The result has more than ${BOUNDS.resultDigits} digits`,
  },
  TYPE_MISMATCH: {
    pt: 'Tipo errado: encontrado {found}; esperado {expected}',
    en: 'Wrong type: found {found}; expected {expected}',
  },
  NAME_NOT_ASSIGNED: {
    pt: 'O nome {name} ainda não recebeu valor',
    en: 'The name {name} has not been assigned yet',
  },
  INVALID_ARGUMENT: {
    pt: 'Argumento inválido {found}: esperado {expected}',
    en: 'Invalid argument {found}: expected {expected}',
  },
  INVALID_MONTH: {
    pt: 'Mês inválido {found}: esperado um texto "AAAA-MM"',
    en: 'Invalid month {found}: expected a text "YYYY-MM"',
  },
  INVALID_DAY: {
    pt: 'O mês {month} não tem o dia {found}',
    en: 'Month {month} has no day {found}',
  },
  INVALID_ACCOUNT: {
    pt: 'Conta inválida {account}: o asterisco fica no fim e não sozinho',
    en: 'Invalid account {account}: the star stands last and not alone',
  },
  ACCOUNT_NOT_FOUND: {
    pt: 'A conta {account} não existe no plano de contas da filial',
    en: 'Account {account} does not exist in the chart of the branch',
  },
  ACCOUNT_AMBIGUOUS: {
    pt: '{account} corresponde a mais de uma conta: {candidates}',
    en: '{account} names more than one account: {candidates}',
  },
  MONTH_NOT_CONSOLIDATED: {
    pt: 'O mês {month} não está consolidado',
    en: 'Month {month} is not consolidated',
  },
  BEFORE_BASE_MONTH: {
    pt: 'O mês {month} é anterior ao mês base da filial',
    en: 'Month {month} is before the base month of the branch',
  },
  NO_MOVEMENT_BEFORE_BASE_MONTH: {
    pt: 'O mês {month}, anterior ao mês base, tem saldos e não tem movimento',
    en: 'Month {month}, before the base month, has balances and no movement',
  },
  AFTER_REFERENCE_MONTH: {
    pt: 'O mês {month} é posterior ao mês de referência {reference}',
    en: 'Month {month} is after the reference month {reference}',
  },
  TOO_MANY_READS: {
    pt: `O script lê mais de ${BOUNDS.reads} saldos`,
    en: `The script reads more than ${BOUNDS.reads} balances`,
  },
  TOO_MANY_NODES: {
    pt: 'O script calcula mais do que o permitido ({limit} passos)',
    en: 'The script computes more than allowed ({limit} steps)',
  },
  TOO_MANY_MESSAGES: {
    pt: `O script dá mais de ${BOUNDS.messages} mensagens`,
    en: `The script gives more than ${BOUNDS.messages} messages`,
  },
  TEXT_TOO_LARGE: {
    pt: `Os textos do script passam de ${BOUNDS.textBytes} bytes`,
    en: `The texts of the script exceed ${BOUNDS.textBytes} bytes`,
  },
} as const satisfies Record<string, Bilingual>;
