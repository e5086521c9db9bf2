import { type Bilingual, interpolate } from './bilingual.ts';
import { BOUNDS } from './bounds.ts';

/** A place in a script: line and column from 1, the column in code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A message of the compiler about one place of a script; errors keep it from running, warnings do not. */
export interface Diagnostic extends Position {
  readonly severity: 'error' | 'warning';
  readonly code: DiagnosticCode;
  readonly found: Bilingual;
  readonly expected: Bilingual;
  readonly message: Bilingual;
}

export type DiagnosticCode = keyof typeof DIAGNOSTICS;

/** Collects what is said about one script, up to the bound. */
export class Diagnostics {
  readonly #list: Diagnostic[] = [];

  report(code: DiagnosticCode, at: Position, found: Bilingual, expected: Bilingual): void {
    const last = this.#list.at(-1);
    // Already reported by an inner expression.
    if (last?.code === code && comparePositions(last, at) === 0) return;
    if (this.#list.length < BOUNDS.diagnostics - 1) this.#list.push(diagnostic(code, at, found, expected));
    else if (this.#list.length < BOUNDS.diagnostics)
      this.#list.push(diagnostic('TOO_MANY_DIAGNOSTICS', at, found, expected));
  }

  /** Beyond the bound nothing is collected. */
  get isFull(): boolean {
    return this.#list.length === BOUNDS.diagnostics;
  }

  get hasErrors(): boolean {
    return this.#list.some(({ severity }) => severity === 'error');
  }

  inOrder(): Diagnostic[] {
    return this.#list.toSorted(comparePositions);
  }
}

export function comparePositions(a: Position, b: Position): number {
  return a.line - b.line || a.column - b.column;
}

function diagnostic(code: DiagnosticCode, at: Position, found: Bilingual, expected: Bilingual): Diagnostic {
  const { severity, pt, en } = DIAGNOSTICS[code];
  const message = interpolate({ pt, en }, { found, expected });
  return { severity, code, line: at.line, column: at.column, found, expected, message };
}

interface DiagnosticText extends Bilingual {
  readonly severity: Diagnostic['severity'];
}

export const DIAGNOSTICS = {
  SOURCE_TOO_LARGE: {
    severity: 'error',
    pt: 'Script grande demais: esperado {expected}',
    en: 'The script is too large: expected {expected}',
  },
  TOO_MANY_DIAGNOSTICS: {
    severity: 'error',
    pt: 'Erros demais; os seguintes não são mostrados',
    en: 'Too many errors; the following ones are not shown',
  },
  INVALID_CHARACTER: {
    severity: 'error',
    pt: 'Caractere inválido {found}; esperado {expected}',
    en: 'Invalid character {found}; expected {expected}',
  },
  UNTERMINATED_TEXT: {
    severity: 'error',
    pt: 'Texto sem fim: encontrado {found}, esperado {expected}',
    en: 'Unterminated text: found {found}, expected {expected}',
  },
  INVALID_ESCAPE: {
    severity: 'error',
    pt: 'Sequência inválida {found} no texto: esperado {expected}',
    en: 'Invalid escape {found} in a text: expected {expected}',
  },
  INVALID_NUMBER: {
    severity: 'error',
    pt: 'Número inválido {found}: esperado {expected}',
    en: 'Invalid number {found}: expected {expected}',
  },
  NUMBER_TOO_LONG: {
    severity: 'error',
    pt: 'Número longo demais {found}: esperado {expected}',
    en: 'Number too long {found}: expected {expected}',
  },
  UNEXPECTED: {
    severity: 'error',
    pt: 'Encontrado {found}; esperado {expected}',
    en: 'Found {found}; expected {expected}',
  },
  RESERVED_NAME: {
    severity: 'error',
    pt: '{found} é palavra reservada; esperado {expected}',
    en: '{found} is a reserved word; expected {expected}',
  },
  CHAINED_COMPARISON: {
    severity: 'error',
    pt: 'Comparações não se encadeiam: encontrado {found}; esperado {expected}',
    en: 'Comparisons do not chain: found {found}; expected {expected}',
  },
  EXPRESSION_TOO_DEEP: {
    severity: 'error',
    pt: 'Expressão aninhada demais em {found}: esperado {expected}',
    en: 'Expression nested too deeply at {found}: expected {expected}',
  },
  BLOCK_TOO_DEEP: {
    severity: 'error',
    pt: 'SE aninhado demais: esperado {expected}',
    en: 'SE nested too deeply: expected {expected}',
  },
  UNKNOWN_FUNCTION: {
    severity: 'error',
    pt: 'Função desconhecida {found}; esperado {expected}',
    en: 'Unknown function {found}; expected {expected}',
  },
  WRONG_ARGUMENT_COUNT: {
    severity: 'error',
    pt: 'Número errado de argumentos: encontrado {found}; esperado {expected}',
    en: 'Wrong number of arguments: found {found}; expected {expected}',
  },
  NAME_NEVER_ASSIGNED: {
    severity: 'error',
    pt: 'O nome {found} nunca recebe valor; esperado {expected}',
    en: 'The name {found} is never assigned; expected {expected}',
  },
  UNREACHABLE: {
    severity: 'error',
    pt: 'Comando inalcançável {found} depois de RETORNA; esperado {expected}',
    en: 'Unreachable statement {found} after RETORNA; expected {expected}',
  },
  UNUSED_NAME: {
    severity: 'warning',
    pt: 'O nome {found} recebe valor e nunca é usado',
    en: 'The name {found} is assigned and never used',
  },
  TYPE_MISMATCH: {
    severity: 'warning',
    pt: 'Tipo errado: encontrado {found}; esperado {expected}',
    en: 'Wrong type: found {found}; expected {expected}',
  },
  SUSPECT_ACCOUNT: {
    severity: 'warning',
    pt: 'Conta duvidosa {found}: esperado {expected}',
    en: 'Doubtful account {found}: expected {expected}',
  },
  INVALID_MONTH: {
    severity: 'warning',
    pt: 'Mês inválido {found}: esperado {expected}',
    en: 'Invalid month {found}: expected {expected}',
  },
} as const satisfies Record<string, DiagnosticText>;
