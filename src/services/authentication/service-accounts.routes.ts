import { z } from 'zod';
import { ROUTINE_CODES } from '../../features/access/access.ts';
import {
  countServiceAccounts,
  type SecretRow,
  selectServiceAccounts,
} from '../../features/access/service-accounts.read.sql.ts';
import {
  addSecret,
  changeServiceAccount,
  createServiceAccount,
  MAX_SECRETS,
  readServiceAccount,
  removeSecret,
  type ServiceAccount,
  secretsOf,
} from '../../features/access/service-accounts.ts';
import {
  branchCode,
  codeText,
  companyCode,
  idParams,
  instant,
  nameText,
  optional,
  pathId,
  readOnly,
  rejectOtherId,
  text,
} from '../../http/fields.ts';
import { pageOf, pageQuery, pageToWire } from '../../http/paging.ts';
import { route } from '../../http/route.ts';
import { instantField } from './users.routes.ts';

const admins = { to: 'admins' } as const;
const tag = 'Service accounts';
const path = '/api/admin/service-accounts';

const secret = z
  .object({
    id: z.number().int(),
    description: z.string().nullable(),
    createdAt: instant,
    expiresAt: instant.nullable(),
    lastUsedAt: instant.nullable(),
  })
  .meta({ title: 'ServiceSecret' });

const account = z
  .object({
    id: z.number().int(),
    clientId: z.string().meta({ example: 'folha' }),
    name: z.string().meta({ example: 'Folha de pagamento' }),
    active: z.boolean(),
    expiresAt: instant.nullable(),
    permissions: z.array(z.object({ company: z.string(), branch: z.string().nullable() })),
    routines: z.array(z.string()).meta({ example: ['IMPORT'] }),
    networks: z.array(z.string()).meta({ example: ['10.20.0.0/16'] }),
    secrets: z.array(secret),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ title: 'ServiceAccount' });

const cidr = z.union([z.cidrv4(), z.cidrv6()]);
const network = text(50, 1)
  .refine(
    (value) => cidr.safeParse(value).success,
    'must be a network such as 10.20.0.0/16 | deve ser uma rede, como 10.20.0.0/16',
  )
  .meta({ example: '10.20.0.0/16' });

const fields = {
  clientId: codeText(200).meta({ example: 'folha' }),
  name: optional(nameText(200)).meta({ example: 'Folha de pagamento' }),
  active: optional(z.boolean()).meta({ example: true }),
  expiresAt: optional(instantField).meta({ example: null }),
  permissions: optional(
    z
      .array(z.strictObject({ company: companyCode, branch: optional(branchCode) }))
      .max(200)
      .meta({ example: [] }),
  ),
  routines: optional(z.array(z.enum(ROUTINE_CODES)).max(ROUTINE_CODES.length)).meta({ example: ['IMPORT'] }),
  networks: optional(z.array(network).max(50)).meta({
    example: ['10.20.0.0/16'],
    description: 'Where it may come from; none: from anywhere',
  }),
};
const readOnlyFields = { secrets: readOnly, createdAt: readOnly, updatedAt: readOnly };

export const listServiceAccountsRoute = route({
  operationId: 'listServiceAccounts',
  method: 'GET',
  path,
  summary: 'Service accounts by client id, a page at a time; search looks into client id and name',
  tag,
  access: admins,
  addition: true,
  query: z.strictObject({ ...pageQuery(100), search: text(200).optional() }),
  answer: pageOf(account),
  handle: async ({ query, context }) => {
    const totalElements = await countServiceAccounts(context.sql, query.search);
    const rows = await selectServiceAccounts(context.sql, query.search, query);
    const secretsOfEach = await secretsOf(
      context.sql,
      rows.map(({ id }) => id),
    );
    return pageToWire(
      rows.map((row) => toWire({ ...row, secrets: secretsOfEach(row.id) })),
      totalElements,
      query,
    );
  },
});

export const createServiceAccountRoute = route({
  operationId: 'createServiceAccount',
  method: 'POST',
  path,
  summary: 'Creates a service account: a machine that signs in with secrets and has exactly these rights',
  tag,
  access: admins,
  addition: true,
  body: z.strictObject({ ...fields, id: readOnly, ...readOnlyFields }).meta({ title: 'NewServiceAccount' }),
  fieldNames: { username: 'clientId' },
  status: 201,
  answer: account,
  handle: async ({ body: { clientId, ...input }, context }) =>
    toWire(
      await createServiceAccount(context, {
        username: clientId,
        name: input.name ?? clientId,
        active: input.active ?? true,
        expiresAt: input.expiresAt,
        permissions: input.permissions ?? [],
        routines: input.routines ?? [],
        networks: input.networks ?? [],
      }),
    ),
});

export const readServiceAccountRoute = route({
  operationId: 'getServiceAccount',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'A service account',
  tag,
  access: admins,
  addition: true,
  params: idParams,
  answer: account,
  handle: async ({ params, context }) => toWire(await readServiceAccount(context.sql, params.id)),
});

export const updateServiceAccountRoute = route({
  operationId: 'updateServiceAccount',
  method: 'PUT',
  path: `${path}/{id}`,
  summary: 'Changes a service account; active, permissions, routines and networks stay as they are when absent',
  tag,
  access: admins,
  addition: true,
  params: idParams,
  body: z.strictObject({ ...fields, id: optional(z.number().meta({ type: 'integer' })), ...readOnlyFields }),
  fieldNames: { username: 'clientId' },
  answer: account,
  handle: async ({
    params,
    body: { id, clientId, expiresAt, name, active, permissions, routines, networks },
    context,
  }) => {
    rejectOtherId(id, params.id);
    const change = {
      ...{ username: clientId, name: name ?? clientId, expiresAt },
      ...(active === undefined ? {} : { active }),
      ...(permissions === undefined ? {} : { permissions }),
      ...(routines === undefined ? {} : { routines }),
      ...(networks === undefined ? {} : { networks }),
    };
    return toWire(await changeServiceAccount(context, params.id, change));
  },
});

export const deactivateServiceAccountRoute = route({
  operationId: 'deactivateServiceAccount',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Deactivates a service account and ends its tokens; what it did stays under its name',
  tag,
  access: admins,
  addition: true,
  params: idParams,
  answer: account,
  handle: async ({ params, context }) => toWire(await changeServiceAccount(context, params.id, { active: false })),
});

export const addSecretRoute = route({
  operationId: 'addServiceAccountSecret',
  method: 'POST',
  path: `${path}/{id}/secrets`,
  summary: `A new secret of a service account, shown only in this answer; at most ${MAX_SECRETS}, of which each works`,
  tag,
  access: admins,
  addition: true,
  params: idParams,
  body: z.strictObject({
    description: optional(text(200)).meta({ example: 'servidor de produção' }),
    expiresAt: optional(instantField).meta({ example: null }),
  }),
  status: 201,
  answer: secret
    .extend({ secret: z.string().meta({ example: 'partidas_secret_…' }) })
    .meta({ title: 'NewServiceSecret' }),
  handle: async ({ params, body: { description, expiresAt }, context }) => {
    const added = await addSecret(context, params.id, { description, expiresAt });
    return { ...secretToWire(added), secret: added.secret };
  },
});

export const removeSecretRoute = route({
  operationId: 'removeServiceAccountSecret',
  method: 'DELETE',
  path: `${path}/{id}/secrets/{secretId}`,
  summary: 'Takes a secret away and ends the tokens of its account; other secrets get new ones',
  tag,
  access: admins,
  addition: true,
  params: idParams.extend({ secretId: pathId }),
  answer: account,
  handle: async ({ params, context }) => toWire(await removeSecret(context, params.id, params.secretId)),
});

function toWire({ username, ...row }: ServiceAccount): z.input<typeof account> {
  return {
    ...row,
    clientId: username,
    permissions: [...row.permissions],
    routines: [...row.routines],
    networks: [...row.networks],
    secrets: row.secrets.map(secretToWire),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function secretToWire({ id, description, createdAt, expiresAt, lastUsedAt }: SecretRow): z.input<typeof secret> {
  return {
    id,
    description,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
