import { isUtf8 } from 'node:buffer';

declare global {
  interface JSON {
    /** A value that stringify writes as the given JSON text (in Node since 21; missing from the library's types). */
    rawJSON(text: string): RawJson;
  }
}

/** An exact decimal as a bare JSON number. */
export interface RawJson {
  readonly rawJSON: string;
}

/** Why a JSON text was refused; `reason` is for the client. */
export class JsonRefused extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** No body of the platform nests deeper than a dozen levels. */
export const MAX_JSON_DEPTH = 64;

/** Parses a request body; bytes that are no UTF-8 would become other letters than were sent. */
export function parseJsonBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw new JsonRefused('not UTF-8');
  return parseJson(body.toString());
}

/**
 * Refuses nesting over MAX_JSON_DEPTH, the key __proto__, a key that an object has twice, and numbers whose text says
 * more than a double holds (1e400, 9007199254740993, 0.1234567890123456789): what was sent is what is computed with.
 */
export function parseJson(text: string): unknown {
  const keys = countKeys(text);
  const value = parsed(text);
  // Of a key that comes twice the value holds the last only.
  if (keysOf(value) !== keys) throw new JsonRefused('an object has a key twice');
  return value;
}

function parsed(text: string): unknown {
  try {
    return LONG_NUMBER.test(text) || text.includes('__proto__')
      ? JSON.parse(text, refuseLossyNumbers as (key: string, value: unknown) => unknown)
      : JSON.parse(text);
  } catch (error) {
    if (error instanceof JsonRefused) throw error;
    throw new JsonRefused('not valid JSON');
  }
}

/** How many keys the objects of a value have, those within it too. */
function keysOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) for (const each of value) keys += keysOf(each);
  else for (const key of Object.keys(value)) keys += 1 + keysOf((value as Record<string, unknown>)[key]);
  return keys;
}

/** Parses JSON of ours and keeps numbers that a double writes otherwise (250.50, twenty digits) as they stand. */
export function parseExactly(text: string): unknown {
  const keep = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && context.source !== String(value)
      ? JSON.rawJSON(context.source)
      : value;
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown);
}

/** A number token that a double may not hold: many characters, or an exponent. Texts that look so only cost time. */
const LONG_NUMBER = /[-+0-9.]{16,}|\d[eE][-+]?\d/;

function refuseLossyNumbers(this: unknown, key: string, value: unknown, context?: { source?: string }): unknown {
  if (key === '__proto__') throw new JsonRefused('the key __proto__ is not allowed');
  if (typeof value === 'number' && context?.source !== undefined && !sameNumber(context.source, value)) {
    throw new JsonRefused(`the number ${context.source.slice(0, 40)} cannot be held exactly`);
  }
  return value;
}

function sameNumber(source: string, value: number): boolean {
  return Number.isFinite(value) && plainDigits(source) === plainDigits(String(value));
}

/** Digits and power of ten of a number's text without redundant zeros, so that 1.50e1 equals 15. */
function plainDigits(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return kept === '' ? '0' : `${sign}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`;
}

/** Each key has a colon behind it, and no other stands outside of texts. Refuses nesting over MAX_JSON_DEPTH. */
function countKeys(text: string): number {
  let depth = 0;
  let keys = 0;
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inText) {
      if (code === 92) at++;
      else if (code === 34) inText = false;
    } else if (code === 34) inText = true;
    else if (code === 91 || code === 123) {
      if (++depth > MAX_JSON_DEPTH) throw new JsonRefused(`nested deeper than ${MAX_JSON_DEPTH} levels`);
    } else if (code === 93 || code === 125) depth--;
    else if (code === 58) keys++;
  }
  return keys;
}
