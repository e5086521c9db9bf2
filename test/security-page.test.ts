import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';

const root = new URL('..', import.meta.url);
const page = readFileSync(new URL('docs/security.md', root), 'utf8');

test('every test that docs/security.md names is there', () => {
  const named = [...page.matchAll(/`((?:src|test)\/[^`]+)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});

test('every setting that it names is one', () => {
  const settings = parseEnv(readFileSync(new URL('.env.example', root), 'utf8'));
  const named = [...page.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !(name in settings))).toEqual([]);
});
