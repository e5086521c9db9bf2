import type { Bilingual } from './bilingual.ts';
import { BOUNDS } from './bounds.ts';
import { FUNCTIONS, type FunctionDefinition } from './functions.ts';
import { KEYWORDS } from './keywords.ts';

export interface LanguageReference {
  readonly keywords: readonly { readonly word: string; readonly description: Bilingual }[];
  readonly operators: readonly { readonly operators: readonly string[]; readonly description: Bilingual }[];
  readonly functions: readonly FunctionDefinition[];
  readonly bounds: typeof BOUNDS;
}

/** What an editor needs to know of the language. */
export function languageReference(): LanguageReference {
  return {
    keywords: [...KEYWORDS].map(([word, description]) => ({ word, description })),
    operators: OPERATORS,
    functions: FUNCTIONS,
    bounds: BOUNDS,
  };
}

/** Loosest first. */
const OPERATORS: LanguageReference['operators'] = [
  { operators: ['OU'], description: { pt: 'um dos dois', en: 'either' } },
  { operators: ['E'], description: { pt: 'os dois', en: 'both' } },
  { operators: ['NAO'], description: { pt: 'o contrário', en: 'the opposite' } },
  {
    operators: ['=', '==', '<>', '!=', '<', '<=', '>', '>='],
    description: { pt: 'comparação, sem encadear', en: 'comparison, without chaining' },
  },
  { operators: ['+', '-'], description: { pt: 'soma e diferença exatas', en: 'exact sum and difference' } },
  {
    operators: ['*', '/'],
    description: {
      pt: `produto exato; quociente com ${BOUNDS.divisionDecimals} casas, metade para o par`,
      en: `exact product; quotient to ${BOUNDS.divisionDecimals} decimals, half to even`,
    },
  },
  { operators: ['-'], description: { pt: 'sinal', en: 'sign' } },
];
