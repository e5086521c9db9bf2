import type { Bilingual } from './bilingual.ts';

const KEYWORD_TEXTS = {
  SE: { pt: 'Começa uma condição.', en: 'Begins a condition.' },
  ENTAO: { pt: 'Separa a condição dos comandos.', en: 'Parts the condition from its statements.' },
  SENAOSE: {
    pt: 'Outra condição, quando as anteriores não valem.',
    en: 'Another condition, when those before do not hold.',
  },
  SENAO: { pt: 'Quando nenhuma condição vale.', en: 'When no condition holds.' },
  FIM: { pt: 'Termina o SE.', en: 'Ends the SE.' },
  ERRO: { pt: 'Registra uma mensagem; a regra falha.', en: 'Records a message; the rule fails.' },
  RETORNA: { pt: 'Guarda um valor e termina o script.', en: 'Keeps a value and ends the script.' },
  OU: { pt: 'Verdadeiro se um dos lados é.', en: 'True if either side is.' },
  E: { pt: 'Verdadeiro se os dois lados são.', en: 'True if both sides are.' },
  NAO: { pt: 'Inverte verdadeiro e falso.', en: 'Turns true and false around.' },
  VERDADEIRO: { pt: 'O valor verdadeiro.', en: 'The value true.' },
  FALSO: { pt: 'O valor falso.', en: 'The value false.' },
} as const satisfies Record<string, Bilingual>;

export const KEYWORDS: ReadonlyMap<string, Bilingual> = new Map(Object.entries(KEYWORD_TEXTS));
