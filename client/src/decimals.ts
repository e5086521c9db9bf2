import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import type { Decimals } from './operation.ts';

// Amounts are JSON numbers on the wire. A floating-point number would lose digits of them on the way, so here they are
// decimal text: '1000.00' comes as it was written, and goes as it is.

/** The value of a JSON text: the decimals named are text with all their digits. */
export function parseExact(text: string, decimals: Decimals | undefined): unknown {
  if (decimals === undefined) return JSON.parse(text);
  return withText(parse(text), decimals);
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
