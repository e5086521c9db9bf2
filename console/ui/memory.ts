import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

// What a place of the history looked like: rows open, the marked row, how far it was scrolled. Esc and the browser's
// back button find it again.

const remembered = new Map<string, unknown>();
const MOST = 200;

/**
 * State that belongs to this entry of the history: back finds it, a new visit begins afresh. `name` tells the parts of a
 * screen apart.
 */
export function useRemembered<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const entry = useLocation({ select: (location) => location.state.__TSR_key ?? 'first' });
  const key = `${entry} ${name}`;
  const [value, setValue] = useState(() => (remembered.has(key) ? (remembered.get(key) as Value) : initial));
  const latest = useRef(value);
  latest.current = value;
  useEffect(() => {
    keep(key, latest.current);
  }, [key]);
  return [
    value,
    (next) => {
      keep(key, next);
      setValue(next);
    },
  ];
}

/** The same without drawing again: for what changes with each scroll. */
export function useRememberedRef<Value>(name: string): { get(): Value | undefined; set(value: Value): void } {
  const entry = useLocation({ select: (location) => location.state.__TSR_key ?? 'first' });
  const key = `${entry} ${name}`;
  return { get: () => remembered.get(key) as Value | undefined, set: (value) => keep(key, value) };
}

function keep(key: string, value: unknown): void {
  remembered.delete(key);
  remembered.set(key, value);
  for (const oldest of remembered.keys()) {
    if (remembered.size <= MOST) break;
    remembered.delete(oldest);
  }
}
