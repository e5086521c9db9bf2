import { jsonParser } from 'stream-json/core/parser.js';
import { JsonRejected, MAX_JSON_DEPTH, parseJson } from './json.ts';

/** Which container of a JSON text is handed over member by member instead of as one value; undefined: none. */
export type Container = 'object' | 'array' | undefined;

/** Names and indexes from the root; the same array at every call, to be read before the next. */
export type JsonPath = readonly (string | number)[];

export interface JsonHandler {
  /** Called for every container directly inside a streamed one, and for the root ([]). */
  streams(path: JsonPath): Container;
  /** A member of a streamed container. */
  value(path: JsonPath, value: unknown): void;
  /** A streamed container has ended. */
  closed(path: JsonPath): void;
}

/** Largest value that is built in memory, in characters of its texts and numbers and a few for each of its members. */
const MAX_VALUE = 1_048_576;

/** Different names of one text; no body of the platform has a tenth of them, and each new one costs memory. */
const MAX_NAMES = 1_000;

/** No number of the platform has as many digits. */
const MAX_NUMBER = 64;

/** Digits that a double holds whatever they are. */
const EXACT_DIGITS = 15;

/** A container that is open. */
interface Frame {
  /** undefined: streamed. */
  readonly value: Record<string, unknown> | unknown[] | undefined;
  readonly isArray: boolean;
  /** Where the next member goes; of a streamed container it is in the path. */
  key: string;
  /** Names of a streamed object so far. */
  readonly keys: Set<string>;
  /** What was built in a streamed object, or in the element of a streamed array. */
  size: number;
}

/**
 * Reads a JSON text piece by piece in bounded memory and hands over the members of the containers that its handler
 * wants streamed. As strict as parseJson: depth, keys that come twice, __proto__, numbers that a double does not hold.
 */
export class JsonStream {
  readonly #handler: JsonHandler;
  readonly #parse = jsonParser({ packValues: true, streamValues: false });
  readonly #frames: Frame[] = [];
  readonly #path: (string | number)[] = [];
  readonly #names = new Set<string>();
  /** The innermost streamed container. */
  #holder: Frame | undefined;
  #charactersWithoutValue = 0;
  #ended = false;

  constructor(handler: JsonHandler) {
    this.#handler = handler;
  }

  /** Takes the next piece; pieces of some 64 KiB keep each call to a few milliseconds. */
  write(text: string): void {
    const tokens = this.#tokensOf(text);
    this.#charactersWithoutValue = tokens.length > 0 ? 0 : this.#charactersWithoutValue + text.length;
    if (this.#charactersWithoutValue > MAX_VALUE) throw tooLarge();
    for (const token of tokens) this.#take(token);
  }

  /** Rejects a text that ended in the middle. */
  end(): void {
    if (!this.#ended) throw new JsonRejected('not valid JSON', 'não é um JSON válido');
  }

  #tokensOf(text: string): readonly Token[] {
    try {
      return (this.#parse(text) as { values?: Token[] }).values ?? [];
    } catch {
      throw new JsonRejected('not valid JSON', 'não é um JSON válido');
    }
  }

  #take(token: Token): void {
    switch (token.name) {
      case 'startObject':
        return this.#open(false);
      case 'startArray':
        return this.#open(true);
      case 'endObject':
      case 'endArray':
        return this.#close();
      case 'keyValue':
        return this.#name(token.value as string);
      case 'numberValue':
        return this.#add(exactNumber(token.value as string), (token.value as string).length);
      case 'stringValue':
        return this.#add(token.value, (token.value as string).length);
      default:
        return this.#add(token.value, 0);
    }
  }

  #open(isArray: boolean): void {
    if (this.#frames.length >= MAX_JSON_DEPTH) {
      throw new JsonRejected(`nested deeper than ${MAX_JSON_DEPTH} levels`, `tem mais de ${MAX_JSON_DEPTH} níveis`);
    }
    const parent = this.#frames.at(-1);
    const isMember = parent === undefined || parent.value === undefined;
    const streamed = isMember && this.#handler.streams(this.#path) === (isArray ? 'array' : 'object');
    const value = streamed ? undefined : isArray ? [] : {};
    if (!isMember) {
      this.#weigh(0);
      put(parent, value);
    }
    const frame: Frame = { value, isArray, key: '', keys: NO_KEYS, size: 0 };
    this.#frames.push(streamed && !isArray ? { ...frame, keys: new Set() } : frame);
    if (streamed) {
      this.#path.push(isArray ? 0 : '');
      this.#holder = this.#frames.at(-1);
    }
  }

  #close(): void {
    const frame = this.#frames.pop()!;
    if (frame.value === undefined) {
      this.#path.pop();
      this.#holder = this.#frames.findLast((each) => each.value === undefined);
      this.#handler.closed(this.#path);
      this.#next();
    } else if (this.#frames.at(-1)?.value === undefined) this.#hand(frame.value);
    this.#ended = this.#frames.length === 0;
  }

  #name(name: string): void {
    const frame = this.#frames.at(-1)!;
    if (name === '__proto__')
      throw new JsonRejected('the key __proto__ is not allowed', 'a chave __proto__ não é permitida');
    if (frame.value === undefined ? frame.keys.has(name) : Object.hasOwn(frame.value, name)) {
      throw new JsonRejected('an object has a key twice', 'um objeto traz a mesma chave duas vezes');
    }
    this.#names.add(name);
    if (this.#names.size > MAX_NAMES)
      throw new JsonRejected(
        `more than ${MAX_NAMES} different names`,
        `tem mais de ${MAX_NAMES} nomes de campo diferentes`,
      );
    this.#weigh(name.length);
    if (frame.value !== undefined) frame.key = name;
    else {
      frame.keys.add(name);
      this.#path[this.#path.length - 1] = name;
    }
  }

  #add(value: unknown, length: number): void {
    this.#weigh(length);
    const frame = this.#frames.at(-1);
    if (frame?.value === undefined) this.#hand(value);
    else put(frame, value);
  }

  /** A member of the innermost streamed container is whole. */
  #hand(value: unknown): void {
    this.#handler.value(this.#path, value);
    this.#next();
  }

  #next(): void {
    if (!this.#holder?.isArray) return;
    this.#holder.size = 0;
    this.#path[this.#path.length - 1] = (this.#path.at(-1) as number) + 1;
  }

  /** Counts what memory a member takes beside its text; a root that is not streamed is one value. */
  #weigh(length: number): void {
    const bounded = this.#holder ?? this.#frames[0];
    if (bounded === undefined) return;
    bounded.size += length + 16;
    if (bounded.size > MAX_VALUE) throw tooLarge();
  }
}

interface Token {
  readonly name: string;
  readonly value?: unknown;
}

const NO_KEYS: Set<string> = new Set();

function put({ value, key }: Frame, member: unknown): void {
  if (Array.isArray(value)) value.push(member);
  else (value as Record<string, unknown>)[key] = member;
}

function exactNumber(text: string): number {
  if (text.length > MAX_NUMBER)
    throw new JsonRejected(
      `the number ${text.slice(0, 40)} cannot be held exactly`,
      `o número ${text.slice(0, 40)} não pode ser guardado com exatidão`,
    );
  const isShort = text.length <= EXACT_DIGITS && !text.includes('e') && !text.includes('E');
  return isShort ? Number(text) : (parseJson(text) as number);
}

function tooLarge(): JsonRejected {
  return new JsonRejected('a value of more than 1 MB', 'um valor tem mais de 1 MB');
}
