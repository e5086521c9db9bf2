import { acceptCompletion, autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { linter, lintGutter, lintKeymap, nextDiagnostic } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { ChartAccount } from '../../data/queries.ts';
import { completions, highlighting, offsetOf, problemsIn } from './script-language.ts';

/** What a screen may do with its editor. */
export interface EditorHandle {
  focus(): void;
  /** Line and column from 1. */
  goTo(line: number, column: number): void;
  nextProblem(): void;
}

interface ScriptEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (script: string) => void;
  readonly readOnly: boolean;
  /** Of the branch's chart, for completion. */
  readonly accounts: readonly ChartAccount[];
  /** Ctrl Enter, which the editor would take for a new line. */
  readonly onTry: () => void;
  readonly ref?: Ref<EditorHandle>;
}

/** The time without a key after which the script is checked. */
const CHECK_AFTER_MS = 250;

/**
 * A script of the rule language. It stands in a shadow root with adopted style sheets: the Content-Security-Policy of the
 * pages allows no style elements. Tab indents; Esc and Tab leave the editor.
 */
export function ScriptEditor(props: ScriptEditorProps) {
  const { label, value, readOnly, ref } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: made once; what changes is read from `latest` or set below
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const view = new EditorView({ root, parent: root, state: stateOf(latest) });
    editor.current = view;
    return () => view.destroy();
  }, [label, readOnly]);
  useEffect(() => {
    const view = editor.current!;
    if (view.state.doc.toString() === value) return;
    // Another rule: what was undone of the one before is not its history.
    view.setState(stateOf(latest));
  }, [value]);
  useImperativeHandle(ref, () => ({
    focus: () => editor.current?.focus(),
    goTo: (line, column) => {
      const view = editor.current!;
      const at = offsetOf(view.state.doc, line, column);
      view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
      view.focus();
    },
    nextProblem: () => {
      editor.current?.focus();
      if (editor.current) nextDiagnostic(editor.current);
    },
  }));
  return <div ref={host} className="script-editor" />;
}

function stateOf(latest: { readonly current: ScriptEditorProps }): EditorState {
  const { label, value, readOnly } = latest.current;
  return EditorState.create({
    doc: value,
    extensions: [
      Prec.highest(
        keymap.of([
          { key: 'Mod-Enter', run: () => latest.current.onTry() === undefined },
          { key: 'Tab', run: acceptCompletion },
        ]),
      ),
      Prec.lowest(keymap.of([{ key: 'Escape', run: leaveByTab }])),
      keymap.of([...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
      lineNumbers(),
      lintGutter(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      bracketMatching(),
      closeBrackets(),
      indentUnit.of('  '),
      EditorState.tabSize.of(2),
      EditorView.lineWrapping,
      autocompletion({ override: [completions(() => latest.current.accounts)], icons: false }),
      linter(problemsIn, { delay: CHECK_AFTER_MS }),
      highlighting,
      THEME,
      PHRASES,
      EditorState.readOnly.of(readOnly),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) latest.current.onChange(state.doc.toString());
      }),
    ],
  });
}

/** Else Esc would leave the screen. */
const LEAVE_WITHIN_MS = 2_000;

function leaveByTab(view: EditorView): boolean {
  view.setTabFocusMode(LEAVE_WITHIN_MS);
  return true;
}

const PHRASES = EditorState.phrases.of({
  Completions: 'Sugestões',
  'No diagnostics': 'Nada errado',
  Diagnostics: 'Problemas',
  close: 'fechar',
});

const MONOSPACE = 'ui-monospace, "DejaVu Sans Mono", "Cascadia Mono", Consolas, monospace';

const THEME = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', fontSize: '13.5px' },
  // The frame around it shows that it has the focus.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: MONOSPACE, lineHeight: '1.45' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { background: 'var(--sheet-soft)', color: 'var(--ink-soft)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { background: 'var(--accent-soft)' },
  '&:not(.cm-focused) .cm-activeLine': { background: 'none' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 30%, transparent)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { background: 'var(--none-soft)' },
  '.cm-tooltip': {
    background: 'var(--sheet)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: MONOSPACE, fontSize: '13px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--accent)',
    color: 'var(--accent-ink)',
  },
  '.cm-completionDetail': { opacity: '1', fontStyle: 'normal' },
  '.cm-completionInfo': { maxWidth: '40ch', whiteSpace: 'pre-wrap' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-diagnostic': { fontFamily: '"IBM Plex Sans", system-ui, sans-serif', maxWidth: '60ch' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--wrong)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--open)' },
  '.script-keyword': { color: 'var(--accent)', fontWeight: '700' },
  '.script-function': { color: 'var(--seal)' },
  '.script-text': { color: 'var(--done)' },
  '.script-number': { color: 'var(--open)' },
  '.script-insert': { color: 'var(--seal)', fontWeight: '700' },
  '.script-comment': { color: 'var(--ink-soft)', fontStyle: 'italic' },
});
