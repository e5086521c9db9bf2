import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { readConfig, SECRET_SETTINGS, settingNames } from '../src/platform/config.ts';

const text = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
const example = parseEnv(text);

test('.env.example names every variable that the program reads, and no other', () => {
  const names = settingNames();
  expect(names.length).toBeGreaterThan(30);
  const files = SECRET_SETTINGS.map((name) => `${name}_FILE`);
  expect(Object.keys(example).sort()).toEqual(names.filter((name) => !(files as string[]).includes(name)).sort());
  const [, listed = ''] = /with _FILE names:(.*?)\./s.exec(text) ?? [];
  expect(listed.match(/[A-Z_]+/g)).toEqual(SECRET_SETTINGS);
});

test('.env.example gives every variable its default', () => {
  expect(readConfig(example)).toEqual(readConfig({}));
});

test('a variable without a value in .env.example has no default to show', () => {
  const empty = Object.entries(example).filter(([, value]) => value === '');
  // Lists are empty by default, or mean all; the others are optional.
  expect(empty.map(([name]) => name).sort()).toEqual([
    'ADMIN_PASSWORD',
    'AUTH_URL',
    'COMPLIANCE_URL',
    'CORS_ORIGINS',
    'DATABASE_APP_URL',
    'DATABASE_AUTH_URL',
    'DATABASE_READER_URL',
    'DATABASE_READ_URL',
    'DATABASE_URL',
    'MASTERDATA_URL',
    'MOVEMENTS_URL',
    'NODE_ENV',
    'QUERIES_URL',
    'REPORTS_URL',
    'REPORT_TEMPLATES',
    'SEAL_KEY_FILE',
    'SEAL_SIGN_COMMAND',
    'SEAL_TIMESTAMP_URL',
    'SERVICES',
    'TRUSTED_PROXIES',
    'WAL_ARCHIVE_DIR',
  ]);
});

test('.env.example reads the same in a shell', () => {
  const lines = text.split('\n');
  const unsafe = lines.filter((line) => !/^(#.*|[A-Z_]+=('[^']*'|[\w.]*))?$/.test(line));
  expect(unsafe).toEqual([]);
});
