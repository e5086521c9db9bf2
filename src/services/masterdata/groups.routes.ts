import { z } from 'zod';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import { type GroupRow, selectGroup, selectGroups } from '../../features/access/groups.read.sql.ts';
import { changeGroup, createGroup, deleteGroup, type GroupInput } from '../../features/access/save-group.ts';
import {
  branchCode,
  codeText,
  companyCode,
  id,
  idParams,
  instant,
  messageAnswer,
  nameText,
  optional,
  readOnly,
  rejectOtherId,
  text,
} from '../../http/fields.ts';
import { route } from '../../http/route.ts';

const tag = 'Groups';

/** Maximum number of members or permissions of a group. */
const MAX_LIST = 10_000;

const groupBody = z.strictObject({
  id: readOnly,
  createdAt: readOnly,
  updatedAt: readOnly,
  code: optional(codeText(20).meta({ example: 'CONTAB' })),
  name: nameText(200).meta({ example: 'Contabilidade' }),
  description: optional(text(500).meta({ example: 'Equipe da contabilidade' })),
  users: optional(z.array(id).max(MAX_LIST).meta({ example: [] })),
  companies: optional(
    z
      .array(z.strictObject({ company: companyCode, branch: optional(branchCode) }))
      .max(MAX_LIST)
      .meta({ example: [] }),
  ),
  active: optional(z.boolean().meta({ example: true })),
});

const groupAnswer = z.object({
  id,
  code: z.string().nullable(),
  name: z.string(),
  description: z.string().nullable(),
  users: z.array(z.number().int()),
  companies: z.array(z.object({ company: z.string(), branch: z.string().nullable() })),
  active: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});

export const postGroupRoute = route({
  operationId: 'createGroup',
  method: 'POST',
  path: '/group',
  summary: 'Creates a group; its members inherit its permissions',
  tag,
  access: { to: 'admins' },
  body: groupBody,
  status: 201,
  answer: groupAnswer,
  handle: async ({ body, context }) => groupToWire(await createGroup(context, groupFromWire(body))),
});

export const getGroupsRoute = route({
  operationId: 'listGroups',
  method: 'GET',
  path: '/group/getall',
  summary: 'All groups; for who is no administrator, their own',
  tag,
  access: { to: 'anyUser' },
  answer: z.array(groupAnswer),
  handle: async ({ context, user }) =>
    (await selectGroups(context.sql, user.admin ? undefined : user.id)).map(groupToWire),
});

export const getGroupRoute = route({
  operationId: 'getGroup',
  method: 'GET',
  path: '/group/{id}',
  summary: 'A group, for administrators and its members',
  tag,
  access: { to: 'anyUser' },
  params: idParams,
  answer: groupAnswer,
  handle: async ({ params, context, user }) =>
    groupToWire(
      (await selectGroup(context.sql, params.id, user.admin ? undefined : user.id)) ??
        reject('NOT_FOUND', recordRef('Group', params.id)),
    ),
});

export const putGroupRoute = route({
  operationId: 'replaceGroup',
  method: 'PUT',
  path: '/group/{id}',
  summary: 'Replaces a group, its members and its permissions',
  tag,
  addition: true,
  access: { to: 'admins' },
  params: idParams,
  body: groupBody,
  answer: groupAnswer,
  handle: async ({ params, body, context }) => {
    rejectOtherId(body.id, params.id);
    return groupToWire(await changeGroup(context, params.id, groupFromWire(body)));
  },
});

export const deleteGroupRoute = route({
  operationId: 'deleteGroup',
  method: 'DELETE',
  path: '/group/{id}',
  summary: 'Removes a group without members',
  tag,
  access: { to: 'admins' },
  params: idParams,
  answer: messageAnswer,
  handle: async ({ params, context }) => {
    await deleteGroup(context, params.id);
    return { message: 'Grupo excluído' };
  },
});

function groupFromWire(body: z.output<typeof groupBody>): GroupInput {
  return {
    code: body.code,
    name: body.name,
    description: body.description,
    users: body.users ?? [],
    companies: body.companies ?? [],
    active: body.active ?? true,
  };
}

function groupToWire({ users, companies, createdAt, updatedAt, ...row }: GroupRow): z.output<typeof groupAnswer> {
  return {
    ...row,
    users: [...users],
    companies: [...companies],
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
