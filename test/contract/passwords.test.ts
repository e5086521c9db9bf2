import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/platform/config.ts';
import { rejectionOf } from '../support/admin-command.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
const PASSWORD = 'uma senha qualquer';

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

const create = (user: Record<string, unknown>) => platform.admin.post('authentication', '/api/admin/users', user);

const REFUSED: [string, string, string][] = [
  ['eleven characters', 'onze carac!', 'INVALID_FIELD'],
  ['a common one with digits', 'Senha1234567', 'COMMON_PASSWORD'],
  ['a common one of twelve', '1q2w3e4r5t6y', 'COMMON_PASSWORD'],
  ['the product and a year', 'Partidas2026', 'COMMON_PASSWORD'],
  ['the own name and digits', 'joaquina-1234', 'COMMON_PASSWORD'],
];

test.each(REFUSED)(
  '%s is rejected for a new user and for a new password',
  async (_what, password, code) => {
    const username = 'joaquina';
    const refused = await create({ username, password });
    expect(refused.body).toMatchObject({ status: 400, code, errors: [{ field: 'password' }] });
    const { totalElements, content } = (await platform.admin.get('authentication', '/api/admin/users?search=joaquina'))
      .body;
    const id = totalElements === 0 ? (await create({ username, password: PASSWORD })).body.id : content[0].id;
    const path = `/api/admin/users/${id}/password`;
    const answer = await platform.admin.call('authentication', 'PUT', path, { password });
    expect(answer.body).toMatchObject({ status: 400, code, errors: [{ field: 'password' }] });
    const own = { currentPassword: PASSWORD, newPassword: password };
    const client = await platform.as(username, PASSWORD);
    expect((await client.post('authentication', '/api/auth/password', own)).body).toMatchObject({
      status: 400,
      code,
      errors: [{ field: 'newPassword' }],
    });
    const reason = await rejectionOf(platform, ['user', 'password', username, '--password', password]);
    expect(reason).toMatch(/^.*password.*$/);
    await platform.admin.call('authentication', 'DELETE', `/api/admin/users/${id}`);
    await platform.admin.call('authentication', 'PUT', `/api/admin/users/${id}`, { username, active: true });
  },
  20_000,
);

test.each([
  ['too short', 'onze carac!', 'ADMIN_PASSWORD: must have at least 12 characters'],
  ['common', 'Password1234', 'ADMIN_PASSWORD: is one of the first'],
  ['the name and digits', 'chefe-do-bar-12', 'ADMIN_PASSWORD: is one of the first'],
])('ADMIN_PASSWORD that is %s stops the start with one line', async (_what, password, reason) => {
  const environment = { ...process.env, ADMIN_USERNAME: 'chefe-do-bar', ADMIN_PASSWORD: password };
  const { code, err } = await new Promise<{ code: unknown; err: string }>((resolve) => {
    execFile(process.execPath, [MAIN], { env: environment }, (error, _out, err) => resolve({ code: error?.code, err }));
  });
  expect(code).toBe(1);
  expect(err).toContain(reason);
  expect(err.trim().split('\n')).toHaveLength(1);
  expect(err).not.toContain(password);
});

test('the first administrator’s password is forgotten after the start', () => {
  expect(platform.program.app.config.adminPassword).toBeUndefined();
  expect(JSON.stringify(platform.program.app.config)).not.toContain('uma senha comprida');
  expect(readConfig({ ADMIN_PASSWORD: 'uma senha comprida' }).adminPassword).toBe('uma senha comprida');
});

test.each([
  ['blank', '   '],
  ['of invisible characters', '\u200b\u2060'],
  ['with an invisible one', 'ad\u200bmin'],
  ['in Cyrillic', 'аdmin'],
  ['with a dotless i', 'admın'],
])('a user name that is %s is rejected', async (_what, username) => {
  expect((await create({ username, password: PASSWORD })).body).toMatchObject({
    status: 400,
    errors: [{ field: 'username' }],
  });
  expect(await rejectionOf(platform, ['user', 'add', username])).toMatch(/^username /);
});

test('full-width names are the plain ones', async () => {
  expect((await create({ username: 'ａｄｍｉｎ' })).body).toMatchObject({ status: 400, code: 'DUPLICATE' });
  expect((await create({ username: 'ＺÉ', password: PASSWORD })).body.username).toBe('ZÉ');
  await platform.as('zé', PASSWORD);
});

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
