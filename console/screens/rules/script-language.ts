import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippetCompletion,
} from '@codemirror/autocomplete';
import type { Diagnostic } from '@codemirror/lint';
import type { Text } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { compileScript } from '../../../src/accounting/rule-language/compile-script.ts';
import { Diagnostics } from '../../../src/accounting/rule-language/diagnostic.ts';
import { languageReference } from '../../../src/accounting/rule-language/language-reference.ts';
import { lexScript, type TokenKind } from '../../../src/accounting/rule-language/lex-script.ts';
import { findAccounts } from '../../data/find-accounts.ts';
import type { ChartAccount } from '../../data/queries.ts';

// The rule language in the editor: the very lexer, compiler and reference of the server, so that both say the same.

/** What is wrong with the script, as the editor marks it. */
export function problemsIn({ state: { doc } }: EditorView): Diagnostic[] {
  return compileScript(doc.toString()).diagnostics.map(({ line, column, severity, message }) => {
    const from = offsetOf(doc, line, column);
    return { from, to: endOfWord(doc, from), severity, message: message.pt };
  });
}

/** Line and column from 1, the column in characters, as an offset of the editor. */
export function offsetOf(doc: Text, line: number, column: number): number {
  const { from, to, text } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  let at = 0;
  for (const character of text) {
    if (--column < 1) break;
    at += character.length;
  }
  return Math.min(from + at, to);
}

function endOfWord(doc: Text, from: number): number {
  const { to, text, from: begin } = doc.lineAt(from);
  const word = /^\S[\p{L}\p{N}_]*/u.exec(text.slice(from - begin));
  return Math.min(to, from + Math.max(1, word?.[0].length ?? 1));
}

const CLASSES: Readonly<Partial<Record<TokenKind, string>>> = {
  keyword: 'script-keyword',
  function: 'script-function',
  number: 'script-number',
  textStart: 'script-text',
  textPart: 'script-text',
  textEnd: 'script-text',
  insertStart: 'script-insert',
  insertEnd: 'script-insert',
};

/** Colours of the words, made anew with each change: a script is small. */
export const highlighting = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = marksOf(view.state.doc);
    }
    update({ docChanged, state }: ViewUpdate) {
      if (docChanged) this.decorations = marksOf(state.doc);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

function marksOf(doc: Text): DecorationSet {
  const source = doc.toString();
  const { tokens, comments } = lexScript(source, new Diagnostics());
  const marks = tokens.flatMap(({ kind, line, column, spelling }) => {
    const name = CLASSES[kind];
    return name === undefined || spelling === '' ? [] : [markAt(doc, name, line, column, spelling.length)];
  });
  const asides = comments.map(({ line, column }) => {
    const from = offsetOf(doc, line, column);
    return markAt(doc, 'script-comment', line, column, doc.lineAt(from).to - from);
  });
  return Decoration.set(
    [...marks, ...asides].filter(({ from, to }) => to > from),
    true,
  );
}

function markAt(doc: Text, name: string, line: number, column: number, length: number) {
  const from = offsetOf(doc, line, column);
  return Decoration.mark({ class: name }).range(from, Math.min(from + length, doc.lineAt(from).to));
}

const WORDS: readonly Completion[] = wordsOfLanguage();

function wordsOfLanguage(): Completion[] {
  const { keywords, functions } = languageReference();
  return [
    ...functions.map(({ name, signature, description, examples, parameters }) =>
      snippetCompletion(parameters[0]?.type === 'account' ? `${name}("#{}")` : `${name}(#{})`, {
        label: name,
        detail: signature.slice(name.length),
        info: [description.pt, ...examples.slice(0, 1)].join('\n'),
        type: 'function',
      }),
    ),
    ...keywords.map(({ word, description }) => ({ label: word, info: description.pt, type: 'keyword' })),
    snippetCompletion('SE #{condição} ENTAO\n\tERRO "#{mensagem}"\nFIM', {
      label: 'SE … ENTAO … FIM',
      detail: ' uma condição inteira',
      type: 'keyword',
    }),
  ];
}

const MOST_ACCOUNTS = 30;

/** Words of the language and names of the script; inside a text, accounts of the chart by code or name. */
export function completions(accounts: () => readonly ChartAccount[]) {
  return (context: CompletionContext): CompletionResult | null => {
    const text = context.matchBefore(/"[^"{}\n]*/);
    if (text !== null) return accountsFor(accounts(), text.from + 1, text.text.slice(1));
    const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*/u);
    if (word === null && !context.explicit) return null;
    return { from: word?.from ?? context.pos, options: [...WORDS, ...namesIn(context)], validFor: /^[\p{L}\p{N}_]*$/u };
  };
}

function accountsFor(accounts: readonly ChartAccount[], from: number, typed: string): CompletionResult | null {
  if (typed === '' || accounts.length === 0) return null;
  const options = findAccounts(accounts, typed, { most: MOST_ACCOUNTS }).map(({ code, name }) => ({
    label: code,
    detail: ` ${name}`,
    type: 'constant',
  }));
  return options.length === 0 ? null : { from, options, filter: false };
}

function namesIn({ state, pos }: CompletionContext): Completion[] {
  const names = new Set<string>();
  for (const [, name] of state.doc.toString().matchAll(/^\s*([\p{L}_][\p{L}\p{N}_]*)\s*=/gmu)) names.add(name!);
  const { text, from } = state.doc.lineAt(pos);
  const own = /^\s*([\p{L}_][\p{L}\p{N}_]*)$/u.exec(text.slice(0, pos - from))?.[1];
  return [...names].filter((name) => name !== own).map((name) => ({ label: name, type: 'variable' }));
}
