import { z } from 'zod';
import { withoutRedundantZeros } from '../../accounting/money.ts';
import type { CompanyTenant, RoutineCode } from '../../features/access/access.ts';
import type { RecordDefinition, RecordValues } from '../../features/master-data/records/record-definition.ts';
import {
  type RecordOwner,
  type RecordRow,
  selectRecords,
} from '../../features/master-data/records/records.read.sql.ts';
import {
  createRecord,
  deleteRecord,
  getOrThrow,
  replaceRecord,
} from '../../features/master-data/records/save-record.ts';
import { branchCode, companyCode, exactNumber, idParams, instant, readOnly } from '../../http/fields.ts';
import { RECORD_NAMES } from '../../http/problem-texts/record-names.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { type Route, route } from '../../http/route.ts';
import type { Context } from '../../platform/context.ts';

/** The five routes of a record without rules, from its definition and its two shapes on the wire. */
export interface RecordRouteOptions {
  readonly definition: RecordDefinition;
  readonly tag: string;
  /** Writable fields of a request, owner codes not included. */
  readonly fields: z.ZodRawShape;
  /** Fields of a response, key, owner and stamps not included. */
  readonly shown: z.ZodRawShape;
  readonly paths: { readonly create: string; readonly list?: string; readonly item: string };
  /** Who changes them: everybody with the routine, or administrators. */
  readonly changedBy: RoutineCode | 'admins';
  /** Rules of one record by itself, beyond its fields' own. */
  readonly check?: (values: RecordValues) => void;
  /** Use cases of a record with rules among others; the rest is kept as any record is. */
  readonly useCases?: Partial<UseCases>;
}

interface UseCases {
  create(context: Context, owner: RecordOwner, values: RecordValues): Promise<RecordRow>;
  replace(context: Context, key: number | string, owner: RecordOwner, values: RecordValues): Promise<RecordRow>;
  remove(context: Context, key: number | string): Promise<void>;
}

export interface RecordRoutes {
  readonly create: Route;
  readonly list: Route;
  readonly get: Route;
  readonly replace: Route;
  readonly remove: Route;
}

export function recordRoutes(door: RecordRouteOptions): RecordRoutes {
  const { definition, tag, paths } = door;
  const useCases: UseCases = {
    create: (context, owner, values) => createRecord(context, definition, owner, values),
    replace: (context, key, owner, values) => replaceRecord(context, definition, key, owner, values),
    remove: (context, key) => deleteRecord(context, definition, key),
    ...door.useCases,
  };
  const params = keyParams(definition);
  const body = bodyOf(door);
  const answer = asRecordAnswer(answerOf(door));
  const name = RECORD_NAMES[definition.name].en.toLowerCase();
  const access = writeAccess(door);
  // Tenant records are visible to callers with access; all others to every user with a tenant.
  const readAccess = { to: definition.owner === 'TENANT' ? 'anyUser' : 'signedIn' } as const;
  // Routines and their accesses decide what users may do.
  const changed = (context: Context) => {
    if (door.changedBy === 'admins') context.rightsChanged();
  };
  const kept = (body: unknown) => {
    const values = body as RecordValues;
    door.check?.(values);
    return values;
  };
  return {
    create: route({
      method: 'POST',
      path: paths.create,
      summary: `Creates a ${name}`,
      tag,
      access,
      body,
      status: 201,
      answer,
      handle: async ({ body, context, tenants }) => {
        const created = await useCases.create(context, ownerOf(tenants), kept(body));
        changed(context);
        return recordToWire(definition, created);
      },
    }),
    list: route({
      method: 'GET',
      path: paths.list ?? paths.create,
      summary: `Every ${name} that the caller reaches`,
      tag,
      access: readAccess,
      answer: z.array(answer),
      handle: async ({ context }) =>
        (await selectRecords(context.sql, definition)).map((row) => recordToWire(definition, row)),
    }),
    get: route({
      method: 'GET',
      path: paths.item,
      summary: `A ${name}`,
      tag,
      access: readAccess,
      params,
      answer,
      handle: async ({ params, context }) =>
        recordToWire(definition, await getOrThrow(context.sql, definition, keyOf(definition, params))),
    }),
    replace: route({
      method: 'PUT',
      path: paths.item,
      summary: `Replaces a ${name}`,
      tag,
      access,
      params,
      body,
      answer,
      handle: async ({ params, body, context, tenants }) => {
        const key = keyOf(definition, params);
        rejectOtherKey(definition, key, body as RecordValues);
        const replaced = await useCases.replace(context, key, ownerOf(tenants), kept(body));
        changed(context);
        return recordToWire(definition, replaced);
      },
    }),
    remove: route({
      method: 'DELETE',
      path: paths.item,
      summary: `Removes a ${name} that nothing uses`,
      tag,
      access: door.changedBy === 'admins' ? { to: 'admins' } : { to: 'signedIn', routine: door.changedBy },
      // What the record is called by, where something is against its removal.
      fieldNames: { code: 'code' },
      params,
      answer: z.object({ message: z.string() }),
      handle: async ({ params, context }) => {
        await useCases.remove(context, keyOf(definition, params));
        changed(context);
        return { message: 'Registro excluído' };
      },
    }),
  };
}

/** A row as a response: decimals with all their digits, instants as text. */
export function recordToWire(definition: RecordDefinition, row: RecordRow): Record<string, unknown> {
  const shown: Record<string, unknown> = { ...row };
  for (const [wire, { kind }] of Object.entries(definition.fields)) {
    if (kind === 'decimal' && shown[wire] !== null)
      shown[wire] = exactNumber(withoutRedundantZeros(shown[wire] as string));
  }
  return { ...shown, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
}

export function ownerOf(tenants: readonly CompanyTenant[]): RecordOwner {
  const [tenant] = tenants;
  return { companyId: tenant?.companyId ?? null, branchId: tenant?.branchId ?? null };
}

/** An `id` in the body must equal the path's. */
export function rejectOtherKey(definition: RecordDefinition, key: number | string, body: RecordValues): void {
  const given = body[definition.key];
  if (given !== undefined && given !== null && given !== key) rejectRequest('ID_MISMATCH', {}, definition.key);
}

function keyParams({ key }: RecordDefinition) {
  return key === 'id' ? idParams : z.object({ [key]: z.uuid() });
}

function keyOf({ key }: RecordDefinition, params: Record<string, unknown>): number | string {
  return params[key] as number | string;
}

function bodyOf({ definition, fields }: RecordRouteOptions) {
  return z.strictObject({
    [definition.key]: readOnly,
    ...ownerFields(definition),
    ...fields,
    createdAt: readOnly,
    updatedAt: readOnly,
  });
}

function ownerFields({ owner }: RecordDefinition): z.ZodRawShape {
  if (owner === 'GLOBAL') return {};
  return owner === 'TENANT'
    ? { company: companyCode, branch: branchCode }
    : { company: companyCode.nullish(), branch: branchCode.nullish() };
}

/** The fields of a record are data of its definition: the compiler knows none of them in what is made of a row. */
export function asRecordAnswer(schema: z.ZodObject): z.ZodType<unknown, Record<string, unknown>> {
  return schema;
}

function answerOf({ definition, shown }: RecordRouteOptions) {
  const code = z.string().nullable();
  return z.object({
    [definition.key]: definition.key === 'id' ? z.number().int() : z.string(),
    ...(definition.owner === 'GLOBAL' ? {} : { company: code, branch: code }),
    ...shown,
    createdAt: instant,
    updatedAt: instant,
  });
}

function writeAccess({ definition, changedBy }: RecordRouteOptions) {
  if (changedBy === 'admins') return { to: 'admins' } as const;
  if (definition.owner === 'GLOBAL') return { to: 'signedIn', routine: changedBy } as const;
  return {
    to: 'tenant',
    of: (input: Record<string, unknown>) => {
      const { company, branch } = input as { company?: string | null; branch?: string | null };
      if (!company && branch)
        rejectRequest(
          'INVALID_FIELD',
          { reason: { en: 'branch needs company', pt: 'branch exige company' } },
          'company',
        );
      return company ? { company, branch: branch ?? undefined } : [];
    },
    routine: changedBy,
  } as const;
}
