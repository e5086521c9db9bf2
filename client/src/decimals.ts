import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import type { Decimals } from './operation.ts';

// Amounts are JSON numbers on the wire. A floating-point number would lose digits of them on the way, so here they are
// decimal text: '1000.00' comes as it was written, and goes as it is.

/** The value of a JSON text: the decimals named are text with all their digits. */
export function parseExact(text: string, decimals: Decimals | undefined): unknown {
  if (decimals === undefined) return JSON.parse(text);
  return parseMarked(text, decimals) ?? withText(parse(text), decimals);
}

/** Stands before a number that was put between quotes; of the private use area, so that texts hardly have it. */
const MARK = '\uE000';

/**
 * The same by the runtime's own parser, in a tenth of the time: numbers that follow a named field are put between quotes
 * first. A text cannot be taken for such a field, for the quotes inside it are escaped. Undefined where a decimal stands
 * elsewhere, in a list or under any name, or where a text has the mark itself.
 */
function parseMarked(text: string, decimals: Decimals): unknown {
  const marked = text.includes(MARK) || ESCAPED_MARK.test(text) ? undefined : namedNumbers(decimals);
  if (marked === undefined) return undefined;
  const whole = { '': JSON.parse(text.replace(marked, `$1"${MARK}$2"`)) };
  return unmark(whole, { '': decimals }) ? whole[''] : undefined;
}

const ESCAPED_MARK = /\\ue000/i;
const PATTERNS = new WeakMap<Decimals, RegExp | null>();

function namedNumbers(decimals: Decimals): RegExp | undefined {
  let pattern = PATTERNS.get(decimals);
  if (pattern === undefined) {
    const names = [...namesOf(decimals)];
    const isPlain = names.length > 0 && names.every((name) => /^\w+$/.test(name));
    pattern = isPlain ? new RegExp(`([{,\\s]"(?:${names.join('|')})"\\s*:\\s*)(-?\\d[\\d.eE+-]*)`, 'g') : null;
    PATTERNS.set(decimals, pattern);
  }
  return pattern ?? undefined;
}

/** Names of fields that are decimals anywhere, and `*` where any name is one. */
function namesOf(decimals: Decimals): Set<string> {
  const inner = Object.entries(decimals).map(([name, below]) => (below === true ? [name] : [...namesOf(below)]));
  return new Set(inner.flat());
}

/** Takes the marks away, in place: text where the field is a decimal, a number where another has its name. */
function unmark(value: unknown, decimals: Decimals | true | undefined): boolean {
  // Not marked: in a list.
  if (typeof value === 'number') return decimals !== true;
  if (value === null || typeof value !== 'object') return true;
  if (Array.isArray(value)) return value.every((each) => unmark(each, decimals));
  const named = typeof decimals === 'object' ? decimals : undefined;
  const fields = value as Record<string, unknown>;
  for (const name in fields) {
    const field = fields[name];
    const below = named?.[name];
    if (typeof field !== 'string') {
      if (!unmark(field, below)) return false;
    } else if (field.startsWith(MARK)) {
      const number = field.slice(MARK.length);
      fields[name] = below === true ? number : Number(number);
    }
  }
  return true;
}

function withText(value: unknown, decimals: Decimals | true | undefined): unknown {
  if (isLosslessNumber(value)) return decimals === true ? value.value : Number(value.value);
  if (Array.isArray(value)) return value.map((each) => withText(each, decimals));
  if (value === null || typeof value !== 'object') return value;
  const named = typeof decimals === 'object' ? decimals : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, withText(field, named?.[name] ?? named?.['*'])]),
  );
}

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** The JSON text of a value: the decimals named are text such as '1000.00', and become bare numbers. */
export function stringifyExact(value: unknown, decimals: Decimals | undefined): string {
  if (decimals === undefined) return JSON.stringify(value);
  return stringify(withNumbers(value, decimals, '')) ?? '';
}

function withNumbers(value: unknown, decimals: Decimals | true | undefined, path: string): unknown {
  if (Array.isArray(value)) return value.map((each, at) => withNumbers(each, decimals, `${path}[${at}]`));
  if (decimals === true && value !== null && value !== undefined) return exactNumber(value, path);
  if (value === null || typeof value !== 'object' || decimals === undefined) return value;
  const named = decimals as Decimals;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      withNumbers(field, named[name] ?? named['*'], path === '' ? name : `${path}.${name}`),
    ]),
  );
}

function exactNumber(value: unknown, path: string): LosslessNumber {
  const text = typeof value === 'bigint' ? String(value) : value;
  if (typeof text === 'string' && DECIMAL.test(text)) return new LosslessNumber(text);
  throw new TypeError(`${path} must be decimal text such as '1234.56', not ${JSON.stringify(value)}`);
}
