import { z } from 'zod';
import { ROUTINE_CODES } from '../../features/access/access.ts';
import { isRoutineGranted } from '../../features/access/authorize.ts';
import { defaultClaim, IDENTITY_CLAIMS, type Identity } from '../../features/access/identity.ts';
import { resetSecondFactor } from '../../features/access/second-factor.ts';
import { countUsers, selectGroupsOfUser, selectUsers, type UserRow } from '../../features/access/users.read.sql.ts';
import {
  changeOwnPassword,
  changeUser,
  createUser,
  readUser,
  setPassword as setUserPassword,
  signOutEverywhere,
} from '../../features/access/users.ts';
import {
  branchCode,
  codeText,
  companyCode,
  idParams,
  instant,
  nameText,
  optional,
  readOnly,
  text,
} from '../../http/fields.ts';
import { pageOf, pageQuery, pageToWire } from '../../http/paging.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import { PASSWORD_LENGTH } from '../../platform/password-rule.ts';

const admins = { to: 'admins' } as const;
const tag = 'Users';

const permission = z.strictObject({ company: companyCode, branch: optional(branchCode) });
/** Thousands of branches are granted by their companies or through groups. */
const permissions = z.array(permission).max(1_000).meta({ example: [] });
const identity = z.strictObject({
  provider: text(100, 1).meta({ example: 'AZURE' }),
  subject: text(255, 1).meta({ example: '3f0c2a7e-5d0b-4a52-9d35-0a4ce6c2a4b1' }),
  claim: optional(z.enum(IDENTITY_CLAIMS)).meta({
    example: 'oid',
    description: 'Claim of the id token that holds the subject; by default oid for AZURE and sub for all others',
  }),
});
const identities = z
  .array(identity.transform((each): Identity => ({ ...each, claim: each.claim ?? defaultClaim(each.provider) })))
  .max(20)
  .meta({ example: [] });
const newPassword = z
  .string()
  .min(PASSWORD_LENGTH.least)
  .max(PASSWORD_LENGTH.most)
  .refine((value) => value.isWellFormed() && !value.includes('\0'), 'must be plain text | deve ser texto simples')
  .meta({ example: 'correct horse battery' });

export const instantField = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value))
  .meta({ format: 'date-time', example: '2030-01-31T18:15:00.000Z' });

const fields = {
  username: codeText(200).meta({ example: 'maria' }),
  name: optional(nameText(200)).meta({ example: 'Maria da Silva' }),
  email: optional(text(200)).meta({ example: 'maria@exemplo.com.br' }),
  expiresAt: optional(instantField).meta({ example: null }),
};
/** A changed user keeps those that are absent. */
const rights = {
  active: optional(z.boolean()).meta({ example: true }),
  admin: optional(z.boolean()),
  permissions: optional(permissions),
  identities: optional(identities),
};
const readOnlyFields = { kind: readOnly, createdAt: readOnly, updatedAt: readOnly };

const user = z.object({
  id: z.number().int(),
  username: z.string(),
  name: z.string(),
  kind: z.enum(['PERSON', 'SERVICE']).meta({ description: 'SERVICE: a service account, which has secrets' }),
  email: z.string().nullable(),
  active: z.boolean(),
  expiresAt: instant.nullable(),
  admin: z.boolean(),
  permissions: z.array(z.object({ company: z.string(), branch: z.string().nullable() })),
  identities: z.array(z.object({ provider: z.string(), claim: z.enum(IDENTITY_CLAIMS), subject: z.string() })),
  createdAt: instant,
  updatedAt: instant,
});

export const listUsersRoute = route({
  operationId: 'listUsers',
  method: 'GET',
  path: '/api/admin/users',
  summary: 'Users by name, a page at a time; search looks into user name, name and e-mail',
  tag,
  access: admins,
  addition: true,
  query: z.strictObject({ ...pageQuery(100), search: text(200).optional() }),
  answer: pageOf(user),
  handle: async ({ query, context }) => {
    const totalElements = await countUsers(context.sql, query.search);
    const rows = await selectUsers(context.sql, query.search, query);
    return pageToWire(rows.map(toWire), totalElements, query);
  },
});

export const createUserRoute = route({
  operationId: 'createUser',
  method: 'POST',
  path: '/api/admin/users',
  summary: 'Creates a user; without a password only an external provider signs it in',
  tag,
  access: admins,
  addition: true,
  body: z
    .strictObject({
      ...fields,
      id: readOnly,
      ...readOnlyFields,
      password: optional(newPassword),
      ...rights,
    })
    .meta({ title: 'NewUser' }),
  status: 201,
  answer: user,
  handle: async ({ body, context }) =>
    toWire(
      await createUser(context, {
        username: body.username,
        name: body.name ?? body.username,
        email: body.email,
        expiresAt: body.expiresAt,
        active: body.active ?? true,
        admin: body.admin ?? false,
        password: body.password,
        permissions: body.permissions ?? [],
        identities: body.identities ?? [],
      }),
    ),
});

export const readUserRoute = route({
  operationId: 'getUser',
  method: 'GET',
  path: '/api/admin/users/{id}',
  summary: 'A user',
  tag,
  access: admins,
  addition: true,
  params: idParams,
  answer: user,
  handle: async ({ params, context }) => toWire(await readUser(context.sql, params.id)),
});

export const updateUserRoute = route({
  operationId: 'updateUser',
  method: 'PUT',
  path: '/api/admin/users/{id}',
  summary: 'Changes a user; active, admin, permissions and identities stay as they are when absent',
  tag,
  access: admins,
  addition: true,
  params: idParams,
  body: z.strictObject({
    ...fields,
    id: optional(z.number().meta({ type: 'integer' })),
    ...readOnlyFields,
    ...rights,
  }),
  answer: user,
  handle: async ({ params, body, context }) => {
    if (body.id !== undefined && body.id !== params.id) rejectRequest('ID_MISMATCH', {}, 'id');
    return toWire(
      await changeUser(context, params.id, {
        fields: {
          username: body.username,
          name: body.name ?? body.username,
          email: body.email,
          expiresAt: body.expiresAt,
          ...(body.active === undefined ? {} : { active: body.active }),
          ...(body.admin === undefined ? {} : { admin: body.admin }),
        },
        ...(body.permissions === undefined ? {} : { permissions: body.permissions }),
        ...(body.identities === undefined ? {} : { identities: body.identities }),
      }),
    );
  },
});

export const deactivateUserRoute = route({
  operationId: 'deactivateUser',
  method: 'DELETE',
  path: '/api/admin/users/{id}',
  summary: 'Deactivates a user; what it did stays under its name',
  tag,
  access: admins,
  addition: true,
  params: idParams,
  answer: user,
  handle: async ({ params, context }) => toWire(await changeUser(context, params.id, { active: false })),
});

export const setPasswordRoute = route({
  operationId: 'setUserPassword',
  method: 'PUT',
  path: '/api/admin/users/{id}/password',
  summary: 'Gives a user a new password and ends its tokens',
  tag,
  access: admins,
  addition: true,
  params: idParams,
  body: z.strictObject({ password: newPassword }),
  answer: user,
  handle: async ({ params, body, context }) => toWire(await setUserPassword(context, params.id, body.password)),
});

export const setPermissionsRoute = route({
  operationId: 'setUserPermissions',
  method: 'PUT',
  path: '/api/admin/users/{id}/permissions',
  summary: 'Replaces the companies and branches of a user; a bare array is taken too',
  tag,
  access: admins,
  addition: true,
  params: idParams,
  body: z.union([z.strictObject({ permissions }), permissions]),
  answer: user,
  handle: async ({ params, body, context }) =>
    toWire(await changeUser(context, params.id, { permissions: 'permissions' in body ? body.permissions : body })),
});

export const ownPasswordRoute = route({
  operationId: 'changeOwnPassword',
  method: 'POST',
  path: '/api/auth/password',
  summary: 'Changes the own password and ends the own tokens: sign in again',
  tag,
  access: { to: 'anyUser' },
  addition: true,
  body: z.strictObject({ currentPassword: z.string().min(1).max(1_000), newPassword }),
  answer: z.object({ success: z.boolean() }),
  handle: async ({ body, context, user }) => {
    await changeOwnPassword(context, user.credentialVersion, body.currentPassword, body.newPassword);
    return { success: true };
  },
});

export const signOutEverywhereRoute = route({
  operationId: 'signOutEverywhere',
  method: 'POST',
  path: '/api/auth/signout-everywhere',
  summary: 'Ends every token of the signed-in user, the one of this request included',
  tag,
  access: { to: 'anyUser' },
  addition: true,
  answer: z.object({ success: z.boolean() }),
  handle: async ({ context }) => {
    await signOutEverywhere(context, context.caller.id);
    return { success: true };
  },
});

export const signUserOutRoute = route({
  operationId: 'signUserOutEverywhere',
  method: 'POST',
  path: '/api/admin/users/{id}/signout-everywhere',
  summary: 'Ends every token of a user',
  tag,
  access: admins,
  addition: true,
  params: idParams,
  answer: user,
  handle: async ({ params, context }) => toWire(await signOutEverywhere(context, params.id)),
});

export const resetSecondFactorRoute = route({
  operationId: 'resetSecondFactor',
  method: 'DELETE',
  path: '/api/admin/users/{id}/mfa',
  summary: "Takes another user's second factor away and ends the tokens",
  tag,
  access: admins,
  addition: true,
  params: idParams,
  answer: user,
  handle: async ({ params, context }) => toWire(await resetSecondFactor(context, params.id)),
});

export const ownUserRoute = route({
  operationId: 'getOwnUser',
  method: 'GET',
  path: '/api/auth/me',
  summary: 'The signed-in user with its groups and the routines that it may not use',
  tag,
  access: { to: 'anyUser' },
  addition: true,
  answer: user.extend({
    groups: z.array(
      z.object({
        id: z.number().int(),
        name: z.string(),
        permissions: z.array(z.object({ company: z.string(), branch: z.string().nullable() })),
      }),
    ),
    deniedRoutines: z.array(z.string()),
  }),
  handle: async ({ user: caller, context }) => ({
    ...toWire(await readUser(context.sql, caller.id)),
    groups: await selectGroupsOfUser(context.sql, caller.id),
    deniedRoutines: ROUTINE_CODES.filter((routine) => !isRoutineGranted(caller, routine)),
  }),
});

function toWire(row: UserRow): z.input<typeof user> {
  return {
    ...row,
    permissions: [...row.permissions],
    identities: [...row.identities],
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
