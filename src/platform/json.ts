import { isUtf8 } from 'node:buffer';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

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

/** Why a JSON text was rejected, for the client. */
export class JsonRejected extends Error {
  readonly reason: string;
  readonly reasonPt: string;

  constructor(reason: string, reasonPt: string) {
    super(reason);
    this.reason = reason;
    this.reasonPt = reasonPt;
  }
}

/** No body of the platform nests deeper than a dozen levels. */
export const MAX_JSON_DEPTH = 64;

/** New names slow the engine's own parser: 80,000 of them in 1 MB take 70 ms, as many known ones 15. */
const MAX_JSON_NAMES = 2_000;

/** Lists and objects together: half a million empty ones in 1 MB take 100 ms, ten thousand entries have 30,000. */
const MAX_JSON_CONTAINERS = 100_000;

/** Parses a request body at once: what may have more than 1 MB is read by JsonStream or line by line. */
export function parseJsonBody(body: Buffer): unknown {
  return parseJson(textOf(body));
}

/** Characters of one line of NDJSON, which is parsed at once. */
const MAX_LINE = 1_048_576;

/**
 * Parses NDJSON, one value a line, and lets others have their turn between the lines; empty lines are none. What is wrong
 * with a line is its value; what all lines together may not have, they may not have here either. `tooMany` says that there
 * are more values than the limit.
 */
export async function parseJsonLines(
  body: Buffer,
  limit: number,
): Promise<{ values: { line: number; value: unknown }[]; tooMany: boolean }> {
  const text = textOf(body);
  const names = new Set<string>();
  const values: { line: number; value: unknown }[] = [];
  const yieldIfLong = yieldToEventLoop();
  for (let at = 0, line = 1; at < text.length; line++) {
    const end = text.indexOf('\n', at);
    const own = text.slice(at, end < 0 ? text.length : end).trim();
    at = end < 0 ? text.length : end + 1;
    if (own === '') continue;
    if (values.length === limit) return { values, tooMany: true };
    values.push({ line, value: parseLine(own, names) });
    await yieldIfLong();
  }
  return { values, tooMany: false };
}

/** The text of a body; invalid UTF-8 would be replaced silently. */
export function textOf(body: Buffer): string {
  if (!isUtf8(body)) throw new JsonRejected('not UTF-8', 'não está em UTF-8');
  return body.toString();
}

function parseLine(text: string, names: Set<string>): unknown {
  if (text.length > MAX_LINE) return new JsonRejected('larger than 1 MB', 'maior que 1 MB');
  try {
    return parseJson(text, names);
  } catch (error) {
    if (error instanceof JsonRejected) return error;
    throw error;
  }
}

/**
 * Rejects nesting over MAX_JSON_DEPTH, the key __proto__, a key that an object has twice, and numbers that a double
 * does not represent exactly (1e400, 9007199254740993, 0.1234567890123456789), so that the program computes with what
 * was sent. Takes linear time: 1 MB of anything costs some milliseconds. `names` are those of other texts of the same body.
 */
export function parseJson(text: string, names = new Set<string>()): unknown {
  const keys = countKeys(text, names);
  const value = parseOrThrow(text);
  // Of a key that comes twice the value holds the last only.
  if (keysOf(value) !== keys)
    throw new JsonRejected('an object has a key twice', 'um objeto traz a mesma chave duas vezes');
  return value;
}

function parseOrThrow(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonRejected('not valid JSON', 'não é um JSON válido');
  }
}

/** How many keys an object has, with those of what is within it. */
function keysOf(value: unknown): number {
  if (!isObject(value)) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const each of value) if (isObject(each)) keys += keysOf(each);
    return keys;
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__')
      throw new JsonRejected('the key __proto__ is not allowed', 'a chave __proto__ não é permitida');
    const inner = (value as Record<string, unknown>)[key];
    keys += isObject(inner) ? 1 + keysOf(inner) : 1;
  }
  return keys;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Parses JSON of ours and keeps numbers that a double writes otherwise (250.50, twenty digits) as they stand. */
export function parseExactly(text: string): unknown {
  const keep = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && context.source !== String(value)
      ? JSON.rawJSON(context.source)
      : value;
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown);
}

/** Characters of a number in a body; an amount of eighteen digits has fewer than half of it. */
const MAX_NUMBER_LENGTH = 40;
/** Decimals of so many digits go into a double and come out the same, between 1e-307 and 1e308. */
const SAFE_DIGITS = 15;
const SAFE_POWERS = { least: -307, most: 308 };

const QUOTE = 34;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const BACKSLASH = 92;

/**
 * Reads the text once: counts the keys (each has a colon after it, and outside of texts no other is there) and rejects
 * what is nested too deep, has too many lists or names, or a number that a double does not hold.
 */
function countKeys(text: string, names: Set<string>): number {
  let depth = 0;
  let containers = 0;
  let keys = 0;
  let textAt = 0;
  let textEnd = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      textAt = at;
      at = textEnd = endOfText(text, at);
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) at = endOfNumber(text, at) - 1;
    else if (code === 91 || code === 123) {
      if (++depth > MAX_JSON_DEPTH)
        throw new JsonRejected(`nested deeper than ${MAX_JSON_DEPTH} levels`, `tem mais de ${MAX_JSON_DEPTH} níveis`);
      if (++containers > MAX_JSON_CONTAINERS)
        throw new JsonRejected(
          `more than ${MAX_JSON_CONTAINERS} lists and objects`,
          `tem mais de ${MAX_JSON_CONTAINERS} listas e objetos`,
        );
    } else if (code === 93 || code === 125) depth--;
    else if (code === COLON) {
      keys++;
      if (names.add(text.slice(textAt, textEnd)).size > MAX_JSON_NAMES)
        throw new JsonRejected(
          `more than ${MAX_JSON_NAMES} different names of fields`,
          `tem mais de ${MAX_JSON_NAMES} nomes de campo diferentes`,
        );
    }
  }
  return keys;
}

/** Where the closing quotation mark stands. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) break;
  }
  return at;
}

/** Where the number ends that begins here; rejects one that is too long or that a double does not hold. */
function endOfNumber(text: string, start: number): number {
  let digits = 0;
  let fraction = 0;
  let exponentAt = -1;
  let inFraction = false;
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      if (exponentAt >= 0) continue;
      digits++;
      if (inFraction) fraction++;
    } else if (code === POINT) inFraction = true;
    else if (code === 69 || code === 101) exponentAt = at;
    else if (code !== MINUS && code !== 43) break;
  }
  if (at - start > MAX_NUMBER_LENGTH)
    throw new JsonRejected(
      `a number has more than ${MAX_NUMBER_LENGTH} characters`,
      `um número tem mais de ${MAX_NUMBER_LENGTH} caracteres`,
    );
  if (digits <= SAFE_DIGITS && exponentAt < 0) return at;
  const exponent = exponentAt < 0 ? 0 : Number(text.slice(exponentAt + 1, at));
  const isNear = exponent - fraction >= SAFE_POWERS.least && exponent + digits - fraction <= SAFE_POWERS.most;
  const token = text.slice(start, at);
  if (!isNear || (digits > SAFE_DIGITS && !isExactNumber(token)))
    throw new JsonRejected(
      `the number ${token} cannot be held exactly`,
      `o número ${token} não pode ser guardado com exatidão`,
    );
  return at;
}

/** Does a double hold the number, so that it would be written with the same digits? */
function isExactNumber(token: string): boolean {
  const value = Number(token);
  const written = String(value);
  // What is no number at all, JSON.parse rejects.
  return written === token || Number.isNaN(value) || plainDigits(token) === plainDigits(written);
}

/** Digits and power of ten of a number's text without redundant zeros, so that 1.50e1 equals 15. */
function plainDigits(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  const digits = whole.slice(sign.length) + fraction;
  let first = 0;
  while (digits[first] === '0') first++;
  let end = digits.length;
  while (end > first && digits[end - 1] === '0') end--;
  if (first === end) return '0';
  return `${sign}${digits.slice(first, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
