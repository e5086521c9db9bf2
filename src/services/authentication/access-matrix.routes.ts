import { z } from 'zod';
import {
  type MatrixUser,
  selectMatrixGroups,
  selectMatrixRoutines,
  selectMatrixUsers,
} from '../../features/access/access-matrix.read.sql.ts';
import { countUsers } from '../../features/access/users.read.sql.ts';
import { assertWholeList } from '../../features/master-data/whole-list.ts';
import { instant, text } from '../../http/fields.ts';
import { pageOf, pageQuery, pageToWire } from '../../http/paging.ts';
import { route } from '../../http/route.ts';

const grant = z
  .object({
    id: z.number().int(),
    userId: z.number().int().nullable(),
    groupId: z.number().int().nullable(),
    canRead: z.boolean(),
    canWrite: z.boolean(),
    canExecute: z.boolean(),
    validFrom: z.string().nullable().meta({ example: '2026-01-31' }),
    validTo: z.string().nullable().meta({ example: null }),
    active: z.boolean(),
  })
  .meta({ title: 'RoutineGrant' });

const routine = z
  .object({
    id: z.number().int(),
    code: z.string().meta({ example: 'IMPORT' }),
    name: z.string().meta({ example: 'Importação' }),
    description: z.string().nullable(),
    module: z.string().nullable().meta({ example: 'MOVIMENTO' }),
    restricted: z.boolean(),
    grants: z.array(grant).meta({
      description:
        'Who stands on its rows. One without rows that is not restricted is open to every user with a company',
    }),
  })
  .meta({ title: 'MatrixRoutine' });

const person = z
  .object({
    id: z.number().int(),
    username: z.string().meta({ example: 'maria' }),
    name: z.string().meta({ example: 'Maria da Silva' }),
    admin: z.boolean(),
    active: z.boolean(),
    expiresAt: instant.nullable(),
    groups: z.array(z.number().int()).meta({ description: 'Ids of its groups, inactive ones included' }),
    routines: z
      .array(z.string())
      .meta({ example: ['IMPORT'], description: 'Codes of the routines that it may use now, through whatever' }),
  })
  .meta({ title: 'MatrixUser' });

const group = z
  .object({ id: z.number().int(), code: z.string().nullable(), name: z.string(), active: z.boolean() })
  .meta({ title: 'MatrixGroup' });

export const accessMatrixRoute = route({
  operationId: 'getAccessMatrix',
  method: 'GET',
  path: '/api/admin/access-matrix',
  summary: 'Who may use which routine, and through what: a page of users, and all routines and groups',
  tag: 'Users',
  access: { to: 'admins' },
  addition: true,
  query: z.strictObject({ ...pageQuery(200), search: text(200).optional() }),
  answer: z.object({ routines: z.array(routine), groups: z.array(group), users: pageOf(person) }),
  handle: ({ query: { search, ...slice }, context }) =>
    context.snapshot(async (sql) => {
      const [routines, groups, users, total] = await sql.pipelined((reads) =>
        Promise.all([
          selectMatrixRoutines(reads),
          selectMatrixGroups(reads),
          selectMatrixUsers(reads, search, slice),
          countUsers(reads, search),
        ]),
      );
      return {
        routines: assertWholeList(routines),
        groups: assertWholeList(groups),
        users: pageToWire(users.map(userToWire), total, slice),
      };
    }),
});

function userToWire({ expiresAt, groups, routines, ...user }: MatrixUser): z.input<typeof person> {
  return {
    ...user,
    expiresAt: expiresAt?.toISOString() ?? null,
    groups: [...groups],
    routines: [...routines],
  };
}
