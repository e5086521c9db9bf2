import { inBothLanguages } from './bilingual.ts';
import { BOUNDS } from './bounds.ts';
import { checkScript } from './check-script.ts';
import { type Diagnostic, Diagnostics, type Position } from './diagnostic.ts';
import { parseScript } from './parse-script.ts';
import type { Script, SyntaxTree } from './script.ts';
import { utf8Length } from './utf8.ts';

export interface Compilation {
  /** Present when there is no error among the diagnostics; warnings leave it. */
  readonly script?: Script;
  /** In the order of the source. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads and checks a rule's source. Whatever the source, it answers quickly and never throws. */
export function compileScript(source: string): Compilation {
  const diagnostics = new Diagnostics();
  const tree = readScript(source, diagnostics);
  if (tree !== undefined) checkScript(tree, diagnostics);
  const list = diagnostics.inOrder();
  return tree === undefined || diagnostics.hasErrors
    ? { diagnostics: list }
    : { script: { statements: tree.statements }, diagnostics: list };
}

/** The tree of a source within its bound, with all that is wrong with its syntax. */
export function readScript(source: string, diagnostics: Diagnostics): SyntaxTree | undefined {
  return fitsBound(source, diagnostics) ? parseScript(source, diagnostics) : undefined;
}

export function fitsBound(source: string, diagnostics: Diagnostics): boolean {
  if (utf8Length(source, BOUNDS.sourceBytes) <= BOUNDS.sourceBytes) return true;
  diagnostics.report('SOURCE_TOO_LARGE', placeOfBound(source), inBothLanguages('…'), {
    pt: `no máximo ${BOUNDS.sourceBytes} bytes`,
    en: `at most ${BOUNDS.sourceBytes} bytes`,
  });
  return false;
}

/** The first character that does not fit. */
function placeOfBound(source: string): Position {
  let line = 1;
  let column = 1;
  let bytes = 0;
  for (const character of source) {
    bytes += utf8Length(character);
    if (bytes > BOUNDS.sourceBytes) break;
    column++;
    if (character === '\n') {
      line++;
      column = 1;
    }
  }
  return { line, column };
}
