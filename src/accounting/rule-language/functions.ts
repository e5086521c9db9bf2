import type { Bilingual } from './bilingual.ts';
import { BOUNDS } from './bounds.ts';
import { foldWord } from './fold-word.ts';

export type FunctionName = keyof typeof DEFINITIONS;

/** What an argument may be: 'months' is a number of months back, 'monthsOrMonth' that or the month itself as text. */
export type ArgumentType = 'account' | 'number' | 'decimals' | 'months' | 'monthsOrMonth' | 'day';

export interface FunctionParameter {
  /** As signatures show it. */
  readonly name: string;
  readonly type: ArgumentType;
  readonly optional?: true;
  /** The last parameter only: it may be repeated. */
  readonly repeated?: true;
}

export interface FunctionDefinition {
  readonly name: FunctionName;
  readonly parameters: readonly FunctionParameter[];
  readonly minimumArguments: number;
  /** Null where only the other bounds limit them. */
  readonly maximumArguments: number | null;
  readonly signature: string;
  readonly description: Bilingual;
  readonly examples: readonly string[];
}

/** By the word as a script writes it, any case, with or without accents. */
export function functionNamed(word: string): FunctionDefinition | undefined {
  const folded = foldWord(word);
  return folded === undefined ? undefined : byName.get(folded);
}

export function parameterAt(definition: FunctionDefinition, index: number): FunctionParameter | undefined {
  const parameter = definition.parameters[index];
  if (parameter !== undefined) return parameter;
  const last = definition.parameters.at(-1);
  return last?.repeated ? last : undefined;
}

interface FunctionText {
  readonly parameters: readonly FunctionParameter[];
  readonly maximumArguments?: number;
  readonly description: Bilingual;
  readonly examples: readonly string[];
}

const ACCOUNT: FunctionParameter = { name: 'conta', type: 'account' };
const WHEN: FunctionParameter = { name: 'meses | "AAAA-MM"', type: 'monthsOrMonth', optional: true };
const MONTHS_BACK: FunctionParameter = { name: 'meses = 1', type: 'months', optional: true };
const EXTREME: Pick<FunctionText, 'parameters' | 'maximumArguments'> = {
  parameters: [{ name: 'x', type: 'number', repeated: true }],
  maximumArguments: BOUNDS.extremeArguments,
};

const DEFINITIONS = {
  SALDO_CONTA: {
    parameters: [ACCOUNT, WHEN],
    description: {
      pt: 'Saldo acumulado da conta no fim do mês, encerramento incluído, com o sinal publicado. Sem o segundo argumento, no mês de referência; com um número, tantos meses antes; com um texto, naquele mês.',
      en: 'Accumulated balance of the account at the end of the month, closing included, with the published sign. Without the second argument, of the reference month; with a number, so many months before; with a text, of that month.',
    },
    examples: [
      'RETORNA SALDO_CONTA("1.1.1")',
      'RETORNA SALDO_CONTA("1.1*", 12)',
      'RETORNA SALDO_CONTA("1.1", "2025-12")',
    ],
  },
  SALDO_ANTES_ENCERRAMENTO: {
    parameters: [ACCOUNT, WHEN],
    description: {
      pt: 'Como SALDO_CONTA, sem os lançamentos de encerramento do mês.',
      en: 'Like SALDO_CONTA, without the closing entries of the month.',
    },
    examples: ['RETORNA SALDO_ANTES_ENCERRAMENTO("7*")'],
  },
  MOVIMENTO_DEBITO: {
    parameters: [ACCOUNT, WHEN],
    description: {
      pt: 'Total dos débitos da conta no mês, sem o encerramento.',
      en: 'Total of the debits of the account in the month, closing left out.',
    },
    examples: ['RETORNA MOVIMENTO_DEBITO("1.1.1")'],
  },
  MOVIMENTO_CREDITO: {
    parameters: [ACCOUNT, WHEN],
    description: {
      pt: 'Total dos créditos da conta no mês, sem o encerramento.',
      en: 'Total of the credits of the account in the month, closing left out.',
    },
    examples: ['RETORNA MOVIMENTO_CREDITO("1.1.1", 1)'],
  },
  SOMA_SALDO_CONTAS: {
    parameters: [{ ...ACCOUNT, repeated: true }],
    description: {
      pt: 'Soma dos saldos das contas no mês de referência. Conta que repete outra, ou está abaixo de outra da lista, não conta de novo.',
      en: 'Sum of the balances of the accounts in the reference month. An account that repeats another, or lies below another of the list, does not count again.',
    },
    examples: ['RETORNA SOMA_SALDO_CONTAS("1*", "2*", "3*")'],
  },
  VARIACAO_SALDO: {
    parameters: [ACCOUNT, MONTHS_BACK],
    description: {
      pt: 'Saldo no mês de referência menos o saldo tantos meses antes.',
      en: 'Balance in the reference month less the balance so many months before.',
    },
    examples: ['RETORNA VARIACAO_SALDO("1.1")', 'RETORNA VARIACAO_SALDO("1.1", 12)'],
  },
  VARIACAO_PERCENTUAL: {
    parameters: [ACCOUNT, MONTHS_BACK],
    description: {
      pt: 'VARIACAO_SALDO em por cento do valor absoluto do saldo anterior; saldo anterior zero é divisão por zero.',
      en: 'VARIACAO_SALDO as a percentage of the absolute earlier balance; an earlier balance of zero is a division by zero.',
    },
    examples: ['SE ABS(VARIACAO_PERCENTUAL("1.1")) > 30 ENTAO\n  ERRO "Variou mais de 30 %"\nFIM'],
  },
  SALDO_DIA: {
    parameters: [ACCOUNT, { name: 'dia', type: 'day' }],
    description: {
      pt: 'Saldo da conta no fim de um dia do mês de referência, com o sinal publicado.',
      en: 'Balance of the account at the end of a day of the reference month, with the published sign.',
    },
    examples: ['RETORNA SALDO_DIA("1.1.1", 15)'],
  },
  ABS: {
    parameters: [{ name: 'x', type: 'number' }],
    description: { pt: 'Valor absoluto.', en: 'Absolute value.' },
    examples: ['RETORNA ABS(-1.5)'],
  },
  MIN: {
    ...EXTREME,
    description: { pt: 'O menor dos números.', en: 'The least of the numbers.' },
    examples: ['RETORNA MIN(3, 1, 2)'],
  },
  MAX: {
    ...EXTREME,
    description: { pt: 'O maior dos números.', en: 'The greatest of the numbers.' },
    examples: ['RETORNA MAX(3, 1, 2)'],
  },
  ARREDONDA: {
    parameters: [
      { name: 'x', type: 'number' },
      { name: 'casas', type: 'decimals' },
    ],
    description: {
      pt: 'O número com tantas casas decimais (0 a 12); a metade arredonda para longe do zero.',
      en: 'The number with so many decimals (0 to 12); a half rounds away from zero.',
    },
    examples: ['RETORNA ARREDONDA(2.345, 2)'],
  },
} as const satisfies Record<string, FunctionText>;

/** The one table of functions, in the order in which the documentation shows them. */
export const FUNCTIONS: readonly FunctionDefinition[] = Object.entries<FunctionText>(DEFINITIONS).map(
  ([name, text]) => {
    const { parameters, description, examples } = text;
    return {
      name: name as FunctionName,
      parameters,
      minimumArguments: parameters.filter(({ optional }) => !optional).length,
      maximumArguments: text.maximumArguments ?? (parameters.at(-1)?.repeated ? null : parameters.length),
      signature: `${name}(${signatureOf(parameters)})`,
      description,
      examples,
    };
  },
);

/** A Map, because 'constructor' and the like are ordinary words here. */
const byName: ReadonlyMap<string, FunctionDefinition> = new Map(FUNCTIONS.map((each) => [each.name, each]));

function signatureOf(parameters: readonly FunctionParameter[]): string {
  return parameters.reduce((text, { name, optional, repeated }, index) => {
    const shown = repeated ? `${name}, …` : name;
    const separated = index === 0 ? shown : optional ? ` [, ${shown}]` : `, ${shown}`;
    return text + separated;
  }, '');
}

export type ValueType = 'number' | 'text' | 'truth';

export const TYPE_NAMES: Readonly<Record<ValueType, Bilingual>> = {
  number: { pt: 'número', en: 'a number' },
  text: { pt: 'texto', en: 'a text' },
  truth: { pt: 'verdadeiro ou falso', en: 'true or false' },
};
