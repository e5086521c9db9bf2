import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';

/** A key of a screen. */
export interface KeyBinding {
  /** 'Enter', 'F', 'Ctrl+Enter', 'Alt+PageUp', '*', 'F8'; several that do the same in a list. */
  readonly keys: string | readonly string[];
  /** What it does, in the key bar and the list of all keys: 'fecha o dia'. Without it neither shows the key. */
  readonly label?: string;
  /** How the key bar writes the key, where its name does not do: '↑ ↓'. */
  readonly shown?: string;
  /** Comes last in the key bar. */
  readonly minor?: boolean;
  /** Returns false where it has nothing to do now: the key goes on to whoever else wants it. */
  readonly run?: (event: KeyboardEvent) => unknown;
  /** Acts inside fields as well: keys with Ctrl, Alt or F1 to F12 do so by themselves. */
  readonly inFields?: boolean;
  /** For what changes the books at one key: not in the midst of a text that was typed into nowhere. */
  readonly alone?: boolean;
}

interface Layer {
  readonly bindings: { current: readonly KeyBinding[] };
  /** screen: shown in the bar; shell: in the list of all keys; dialog: nothing below it hears a key. */
  readonly at: 'shell' | 'screen' | 'dialog';
}

const layers: Layer[] = [];
const listeners = new Set<() => void>();
let snapshot: readonly Layer[] = [];

function changed(): void {
  snapshot = [...layers];
  for (const listener of listeners) listener();
}

/**
 * Keys of a part of a screen, as long as it is there. What came last hears first. Letters act outside fields only.
 * Bindings may change with each rendering; the key bar follows.
 */
export function useKeys(bindings: readonly KeyBinding[], at: Layer['at'] = 'screen'): void {
  const current = useRef(bindings);
  const labels = bindings.map(({ keys, label, shown }) => `${keys} ${label} ${shown}`).join('\n');
  useLayoutEffect(() => {
    current.current = bindings;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the bar is drawn again when what it shows has changed
  useEffect(changed, [labels]);
  useLayoutEffect(() => {
    const layer: Layer = { bindings: current, at };
    layers.push(layer);
    changed();
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      changed();
    };
  }, [at]);
}

/** The keys with a label: those of the screen first, then those of the shell. */
export function useShownKeys(): { readonly screen: readonly KeyBinding[]; readonly shell: readonly KeyBinding[] } {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => snapshot,
  );
  const of = (at: Layer['at']) =>
    now.filter((layer) => layer.at === at).flatMap((layer) => layer.bindings.current.filter(({ label }) => label));
  return { screen: of('screen'), shell: of('shell') };
}

/** How a key is written: 'Ctrl Enter', '↑'. */
export function keyText({ keys, shown }: KeyBinding): string {
  if (shown !== undefined) return shown;
  const first = typeof keys === 'string' ? keys : keys[0]!;
  return first === '+'
    ? '+'
    : first
        .split('+')
        .map((part) => NAMES[part] ?? part)
        .join(' ');
}

const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Escape: 'Esc',
  Delete: 'Del',
  ' ': 'Espaço',
};

/** Listens for the whole page; the shell calls it once. */
export function listenForKeys(): () => void {
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}

/** Whoever types a text presses its keys quicker after one another, in milliseconds. */
const PAUSE = 200;
let lastTyped = { key: '', at: Number.NEGATIVE_INFINITY };

function onKeyDown(event: KeyboardEvent): void {
  const isTyped = !event.ctrlKey && !event.altKey && !event.metaKey && !/^F\d+$/.test(event.key);
  // Of what stands in a shadow root the event names the host alone.
  const inField = isTyped && isField(event.composedPath()[0] ?? event.target);
  const isAlone = event.key === lastTyped.key || event.timeStamp - lastTyped.at >= PAUSE;
  if (isTyped && !inField && event.key.length === 1) lastTyped = { key: event.key, at: event.timeStamp };
  if (event.defaultPrevented || event.isComposing) return;
  for (const layer of layers.toReversed()) {
    for (const binding of layer.bindings.current) {
      if (!binding.run || (inField && !binding.inFields) || !matches(binding, event)) continue;
      if (binding.alone && !isAlone) continue;
      if (binding.run(event) === false) continue;
      event.preventDefault();
      return;
    }
    if (layer.at === 'dialog') return;
  }
}

/** Whether keys go into it as text. */
export function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return target instanceof HTMLInputElement && !/^(?:button|checkbox|radio|submit|file|range)$/.test(target.type);
}

function matches({ keys }: KeyBinding, event: KeyboardEvent): boolean {
  return (typeof keys === 'string' ? [keys] : keys).some((key) => matchesOne(key, event));
}

function matchesOne(key: string, event: KeyboardEvent): boolean {
  const parts = key === '+' ? ['+'] : key.split('+');
  const name = parts.at(-1)!;
  const has = (modifier: string) => parts.slice(0, -1).includes(modifier);
  // Ctrl is Command on a Mac.
  if (has('Ctrl') !== (event.ctrlKey || event.metaKey) || has('Alt') !== event.altKey) return false;
  // The Shift that a sign needs depends on the keyboard; Alt changes what a digit writes on some.
  const isSign = name.length === 1 && !/[a-z0-9]/i.test(name);
  if (!isSign && has('Shift') !== event.shiftKey) return false;
  return event.key.toLowerCase() === name.toLowerCase() || (/^\d$/.test(name) && event.code === `Digit${name}`);
}
