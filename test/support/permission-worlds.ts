import fc from 'fast-check';
import type pg from 'pg';
import type { RoutineCode } from '../../src/features/access/access.ts';
import type { ModelTenant, PermissionWorld } from './permission-model.ts';

// Random users, groups, permissions and access rows, and the statements that make a database hold them.

export const MODEL_ROUTINES = ['SETTINGS', 'IMPORT', 'CALENDAR_CLOSE'] as const satisfies readonly RoutineCode[];
const COMPANIES = ['M1', 'M2', 'M3'];
const BRANCHES = ['0001', '0002'];
const USERS = 4;
const GROUPS = 3;

export const MODEL_TENANTS: readonly ModelTenant[] = COMPANIES.flatMap((company) => [
  { company },
  ...BRANCHES.map((branch) => ({ company, branch })),
]);

const permissions = fc.uniqueArray(fc.constantFrom(...MODEL_TENANTS), { maxLength: 2 });
const seldom = fc.integer({ min: 0, max: 5 }).map((value) => value === 0);
const mostly = seldom.map((value) => !value);
const aDay = fc.option(fc.integer({ min: -2, max: 2 }));
const at = (count: number) => fc.integer({ min: 0, max: count - 1 });

export const permissionWorlds: fc.Arbitrary<PermissionWorld> = fc.record({
  users: fc.array(fc.record({ admin: seldom, active: mostly, expired: seldom, permissions }), {
    minLength: USERS,
    maxLength: USERS,
  }),
  groups: fc.array(fc.record({ active: mostly, members: fc.uniqueArray(at(USERS), { maxLength: 3 }), permissions }), {
    minLength: GROUPS,
    maxLength: GROUPS,
  }),
  restricted: fc.subarray([...MODEL_ROUTINES]),
  rows: fc.uniqueArray(
    fc.record({
      routine: fc.constantFrom(...MODEL_ROUTINES),
      holder: fc.oneof(fc.record({ user: at(USERS) }), fc.record({ group: at(GROUPS) })),
      canRead: fc.boolean(),
      canWrite: fc.boolean(),
      canExecute: fc.boolean(),
      validFrom: aDay,
      validTo: aDay,
      active: mostly,
    }),
    { maxLength: 6, selector: ({ routine, holder }) => JSON.stringify([routine, holder]) },
  ),
});

/** Makes the tenants that the worlds speak of. */
export async function createModelTenants(owner: pg.Client): Promise<void> {
  await owner.query(
    `INSERT INTO company (code, name, cnpj, zip_code) SELECT code, code, '11222333000181', '01001000' FROM unnest($1::text[]) AS code`,
    [COMPANIES],
  );
  await owner.query(
    `INSERT INTO branch (company_id, code, name)
     SELECT company.id, branch.code, branch.code FROM company, unnest($2::text[]) AS branch (code)
      WHERE company.code = ANY ($1::text[])`,
    [COMPANIES, BRANCHES],
  );
}

/** Makes the database hold this world and no other; returns the ids of its users. `today` is the program's day. */
export async function writeWorld(owner: pg.Client, world: PermissionWorld): Promise<number[]> {
  const made = 'modelo-%';
  await owner.query('BEGIN');
  await owner.query('DELETE FROM routine_access');
  await owner.query(`DELETE FROM group_member USING user_group WHERE group_id = user_group.id AND name LIKE $1`, [
    made,
  ]);
  await owner.query('DELETE FROM user_group WHERE name LIKE $1', [made]);
  await owner.query('DELETE FROM app_user WHERE username LIKE $1', [made]);
  const users = await inserted(
    owner,
    world.users.map(({ admin, active, expired }, place) => ({
      text: `INSERT INTO app_user (username, name, admin, active, expires_at)
             VALUES ($1, $1, $2, $3, CASE WHEN $4 THEN now() - interval '1 hour' END) RETURNING id::float8`,
      values: [`modelo-${place}`, admin, active, expired],
    })),
  );
  const groups = await inserted(
    owner,
    world.groups.map(({ active }, place) => ({
      text: 'INSERT INTO user_group (name, active) VALUES ($1, $2) RETURNING id::float8',
      values: [`modelo-${place}`, active],
    })),
  );
  for (const [place, group] of world.groups.entries()) {
    await owner.query('INSERT INTO group_member (group_id, user_id) SELECT $1, unnest($2::bigint[])', [
      groups[place],
      group.members.map((member) => users[member]),
    ]);
    await grant(owner, 'group', groups[place]!, group.permissions);
  }
  for (const [place, user] of world.users.entries()) await grant(owner, 'user', users[place]!, user.permissions);
  for (const row of world.rows) {
    await owner.query(
      `INSERT INTO routine_access (routine_id, user_id, group_id, can_read, can_write, can_execute, valid_from, valid_to, active)
       SELECT routine.id, $2, $3, $4, $5, $6, today.day + $7::int, today.day + $8::int, $9
         FROM routine, (SELECT (now() AT TIME ZONE 'America/Sao_Paulo')::date AS day) AS today WHERE routine.code = $1`,
      [
        row.routine,
        'user' in row.holder ? users[row.holder.user] : null,
        'group' in row.holder ? groups[row.holder.group] : null,
        row.canRead,
        row.canWrite,
        row.canExecute,
        row.validFrom,
        row.validTo,
        row.active,
      ],
    );
  }
  await owner.query('UPDATE routine SET restricted = code = ANY ($1::text[])', [world.restricted]);
  await owner.query('COMMIT');
  return users;
}

async function grant(owner: pg.Client, kind: 'user' | 'group', id: number, tenants: readonly ModelTenant[]) {
  for (const { company, branch } of tenants) {
    await owner.query(
      `INSERT INTO ${kind}_permission (${kind}_id, company_id, branch_id)
       SELECT $1, company.id, branch.id FROM company
         LEFT JOIN branch ON branch.company_id = company.id AND branch.code = $3 WHERE company.code = $2`,
      [id, company, branch ?? null],
    );
  }
}

async function inserted(owner: pg.Client, statements: readonly { text: string; values: unknown[] }[]) {
  const ids: number[] = [];
  for (const statement of statements) ids.push((await owner.query(statement)).rows[0].id);
  return ids;
}
