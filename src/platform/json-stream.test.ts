import { expect, test } from 'vitest';
import { type Container, JsonStream } from './json-stream.ts';

const read = (text: string, root: Container) => {
  const values: unknown[] = [];
  const stream = new JsonStream({
    streams: (path) => (path.length === 0 ? root : undefined),
    value: (_path, value) => values.push(value),
    closed: () => {},
  });
  stream.write(text);
  stream.end();
  return values;
};

const LARGE = `[${'1,'.repeat(100_000)}1]`;

test.each([
  ['a root that is not streamed', LARGE, 'object'],
  ['a member of a streamed list', `[${LARGE}]`, 'array'],
  ['a field of a streamed object', `{"entries":${LARGE}}`, 'object'],
] as const)('%s is one value of 1 MB at the most', (_name, text, root) => {
  expect(() => read(text, root)).toThrow('a value of more than 1 MB');
});

test('the members of a streamed list may be more than 1 MB together', () => {
  expect(read(LARGE, 'array')).toHaveLength(100_001);
});
