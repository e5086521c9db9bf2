import { afterAll, beforeAll, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let userId: number;

beforeAll(async () => {
  platform = await startPlatform();
  await withOwnerConnection(platform.ownerUrl, (client) =>
    client.query(`INSERT INTO company (code, name, cnpj, zip_code) VALUES ('A1', 'Um', '11222333000181', '01001000')`),
  );
  const user = { username: 'auditada', password: 'uma senha qualquer' };
  userId = (await platform.admin.post('authentication', '/api/admin/users', user)).body.id;
  await platform.admin.call('authentication', 'PUT', `/api/admin/users/${userId}/permissions`, [{ company: 'A1' }]);
  await platform.admin.call('authentication', 'PUT', `/api/admin/users/${userId}/password`, {
    password: 'outra senha 1',
  });
  await platform.admin.call('authentication', 'DELETE', `/api/admin/users/${userId}`);
});
afterAll(() => platform?.stop());

const audit = async (query: string) => (await platform.admin.get('authentication', `/api/admin/audit${query}`)).body;

test('every change of a user is there: who, when, from where, what, before and after', async () => {
  const { content, totalElements } = await audit(`?entity=user&entityId=${userId}`);
  expect(content.map((each: { action: string }) => each.action)).toEqual([
    'DEACTIVATE',
    'SET_PASSWORD',
    'GRANT',
    'CREATE',
  ]);
  expect(totalElements).toBe(4);
  const [deactivate, , grant, create] = content;
  expect(create).toMatchObject({ username: 'admin', address: '127.0.0.1', before: null, company: null });
  expect(create.after).toMatchObject({ username: 'auditada', active: true, permissions: [] });
  expect(grant.before.permissions).toEqual([]);
  expect(grant.after.permissions).toEqual([{ company: 'A1', branch: null }]);
  expect([deactivate.before.active, deactivate.after.active]).toEqual([true, false]);
  expect(new Date(create.at).getTime()).toBeGreaterThan(Date.now() - 60_000);
  expect(JSON.stringify(content)).not.toMatch(/argon2|senha/);
});

test('filters and pages', async () => {
  expect((await audit(`?action=GRANT&entityId=${userId}`)).totalElements).toBe(1);
  expect((await audit('?username=ADMIN&entity=user')).totalElements).toBe(4);
  expect((await audit('?username=nobody')).totalElements).toBe(0);
  expect((await audit('?company=A1&entity=user')).totalElements).toBe(0);
  const page = await audit(`?entity=user&entityId=${userId}&size=3&page=1`);
  expect(page).toMatchObject({ totalElements: 4, totalPages: 2, size: 3, number: 1 });
  expect(page.content.map((each: { action: string }) => each.action)).toEqual(['CREATE']);
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(new Date());
  expect((await audit(`?entity=user&from=${today}&to=${today}`)).totalElements).toBe(4);
  expect((await audit('?entity=user&to=2020-01-31')).totalElements).toBe(0);
  expect((await audit(`?entity=user&from=${encodeURIComponent('2020-01-31T10:00:00-03:00')}`)).totalElements).toBe(4);
});

test.each(['?from=2026-02-31', '?from=yesterday', '?from=2026-02-02&to=2026-02-01', '?page=-1', '?size=0', '?order=x'])(
  '%s is 400',
  async (query) => {
    expect((await platform.admin.get('authentication', `/api/admin/audit${query}`)).status).toBe(400);
  },
);

test('rows that were written under a former name of an entity are found by its name of today', async () => {
  await withOwnerConnection(platform.ownerUrl, (client) =>
    client.query(
      `INSERT INTO audit (username, action, entity, entity_id)
       VALUES ('admin', 'CREATE', 'standard_release_data', '7'), ('admin', 'UPDATE', 'entry_template_use', '7')`,
    ),
  );
  const { content } = await audit('?entity=entry_template_use&entityId=7');
  expect(content.map((each: { action: string }) => each.action).sort()).toEqual(['CREATE', 'UPDATE']);
});

test('a change that fails leaves no trail', async () => {
  const before = (await audit('?entity=user')).totalElements;
  const body = { username: 'auditada', password: 'uma senha qualquer' };
  expect((await platform.admin.post('authentication', '/api/admin/users', body)).status).toBe(400);
  expect((await audit('?entity=user')).totalElements).toBe(before);
});
