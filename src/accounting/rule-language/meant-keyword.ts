import { foldWord } from './fold-word.ts';
import { KEYWORDS } from './keywords.ts';
import { nearWord } from './near-word.ts';

/** The keyword that was probably meant by a word that is none: a typo, or the keyword of another language. */
export function meantKeyword(word: string): string | undefined {
  const folded = foldWord(word);
  return folded === undefined ? undefined : (ELSEWHERE.get(folded) ?? nearWord(folded, LONG_KEYWORDS));
}

/** Every other word of three letters is near one of three. */
const LONG_KEYWORDS = [...KEYWORDS.keys()].filter((word) => word.length > 3);

const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['IF', 'SE'],
  ['THEN', 'ENTAO'],
  ['ELSE', 'SENAO'],
  ['ELSEIF', 'SENAOSE'],
  ['ELSIF', 'SENAOSE'],
  ['ELIF', 'SENAOSE'],
  ['SENAO_SE', 'SENAOSE'],
  ['END', 'FIM'],
  ['ENDIF', 'FIM'],
  ['END_IF', 'FIM'],
  ['FIMSE', 'FIM'],
  ['FIM_SE', 'FIM'],
  ['ERROR', 'ERRO'],
  ['RETURN', 'RETORNA'],
  ['RETORNAR', 'RETORNA'],
  ['AND', 'E'],
  ['OR', 'OU'],
  ['NOT', 'NAO'],
  ['TRUE', 'VERDADEIRO'],
  ['FALSE', 'FALSO'],
]);
