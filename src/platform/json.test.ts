import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { hostileJson } from '../../test/support/hostile-bodies.ts';
import { JsonRejected, parseJson } from './json.ts';

function reasonOf(text: string): string {
  try {
    return `accepted: ${JSON.stringify(parseJson(text))}`;
  } catch (error) {
    if (!(error instanceof JsonRejected)) throw error;
    return error.reason;
  }
}

test.each([
  ['250.50'],
  ['-0'],
  ['0.0'],
  ['1e5'],
  ['1.50e1'],
  ['1E+2'],
  ['-12345678901234.56'],
  ['9007199254740992'],
  ['900719925474099200'],
  ['0.1234567890123456'],
  ['0.00000000000000000001'],
  ['1e300'],
  ['1.7e307'],
  ['1e-300'],
  ['123456789012345e-300'],
])('the number %s is read as it stands', (text) => {
  expect(parseJson(`{"value":${text}}`)).toEqual({ value: JSON.parse(text) });
});

test.each([
  ['1e400', 'cannot be held'],
  ['-1e309', 'cannot be held'],
  ['1e-400', 'cannot be held'],
  ['0.1e-320', 'cannot be held'],
  ['9007199254740993', 'cannot be held'],
  ['-9007199254740993.0', 'cannot be held'],
  ['0.1234567890123456789', 'cannot be held'],
  ['1.00000000000000000001', 'cannot be held'],
  [`1.${'0'.repeat(40)}1`, 'more than 40 characters'],
  [`1e${'0'.repeat(40)}`, 'more than 40 characters'],
  ['1.2.3', 'not valid'],
  ['1e', 'not valid'],
  ['1e5e5', 'not valid'],
  ['--1', 'not valid'],
  ['01', 'not valid'],
])('the number %s is rejected', (text, reason) => {
  expect(reasonOf(`{"value":${text}}`)).toContain(reason);
  expect(reasonOf(`[[${text}]]`)).toContain(reason);
  expect(reasonOf(text)).toContain(reason);
});

test.each([
  ['{"__proto__":{"admin":true}}', '__proto__'],
  ['{"a":[{"\\u005f_proto__":1}]}', '__proto__'],
  ['{"a":1,"\\u0061":2}', 'twice'],
  [`{${Array.from({ length: 2_001 }, (_, at) => `"${at}":1`)}}`, 'different names'],
  [`[${'[],'.repeat(100_000)}1]`, 'lists and objects'],
  ['{"a":1', 'not valid'],
  ['"a', 'not valid'],
  ['', 'not valid'],
  ['"', 'not valid'],
  ['"\\', 'not valid'],
  ['{"a" "b":1}', 'not valid'],
])('%s is rejected', (text, reason) => {
  expect(reasonOf(text)).toContain(reason);
});

test('what looks like a number, a key or a bracket inside a text is a text', () => {
  const texts = ['1e999', ':', '[[[[{"', '\\":1', '-', '__proto__', '9'.repeat(400)];
  expect(parseJson(JSON.stringify({ texts }))).toEqual({ texts });
});

/** The longest block of the event loop by reading a body; an ordinary body takes a tenth of it. */
const MAX_MS = 100;

describe('1 MB takes little time:', () => {
  test.each(Object.entries(hostileJson(1_048_576)))('%s', async (_shape, text) => {
    const bytes = Buffer.byteLength(text);
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(bytes).toBeLessThanOrEqual(1_048_576);
    const worker = new Worker(new URL('../../test/support/json-cost.worker.ts', import.meta.url), {
      workerData: { text, limit: MAX_MS },
    });
    const [milliseconds] = await once(worker, 'message');
    expect(milliseconds).toBeLessThan(MAX_MS);
  });
});
