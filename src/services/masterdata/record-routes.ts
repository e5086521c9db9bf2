import { z } from 'zod';
import type { CompanyTenant, RoutineCode } from '../../features/access/access.ts';
import { changeRecord, createRecord, deleteRecord } from '../../features/master-data/records/plain-records.ts';
import {
  EVERYBODY,
  type RecordDefinition,
  type RecordInput,
  type RecordKey,
  type RecordOwner,
  type RecordRow,
} from '../../features/master-data/records/record-definition.ts';
import { requireRecord, selectRecords } from '../../features/master-data/records/records.read.sql.ts';
import {
  answerFields,
  bodyFields,
  fieldsFromWire,
  fieldsToWire,
  type Structures,
  type WireNames,
} from '../../http/field-schemas.ts';
import { branchCode, companyCode, id, idParams, instant, messageAnswer, readOnly } from '../../http/fields.ts';
import { RECORD_NAMES } from '../../http/problem-texts/record-names.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { type Route, route } from '../../http/route.ts';
import type { Context } from '../../platform/context.ts';

/** How a service shows the records of a definition. */
export interface RecordRouteOptions<Definition extends RecordDefinition = RecordDefinition> {
  readonly definition: Definition;
  /** What the key, `id`, and the fields are called on the wire, where that is not their own name. */
  readonly names?: WireNames;
  readonly tag: string;
  /** The specification does not have them. */
  readonly addition?: boolean;
  readonly paths: { readonly create: string; readonly list?: string; readonly item: string };
  /** Who changes them: everybody with the routine, or administrators. */
  readonly changedBy: RoutineCode | 'admins';
  /** Schemas of the fields of kind `decimal`, `array` and `json`, in requests and in answers, by domain name. */
  readonly structures?: { readonly body: Structures; readonly answer: Structures };
}

/** The use cases behind the three routes that change something. `company` is the code that the request names. */
export interface RecordUseCases<Definition extends RecordDefinition> {
  create(
    context: Context,
    input: RecordInput<Definition>,
    owner: RecordOwner,
    company: unknown,
  ): Promise<RecordRow<Definition>>;
  change(
    context: Context,
    key: RecordKey,
    input: RecordInput<Definition>,
    owner: RecordOwner,
    company: unknown,
  ): Promise<RecordRow<Definition>>;
  remove(context: Context, key: RecordKey): Promise<void>;
}

export interface RecordRoutes {
  readonly create: Route;
  readonly list: Route;
  readonly get: Route;
  readonly replace: Route;
  readonly remove: Route;
}

/** The five routes of a record without rules. */
export function recordRoutes<Definition extends RecordDefinition>(options: RecordRouteOptions<Definition>) {
  const { definition } = options;
  return resourceRoutes(options, {
    create: (context, input, owner) => createRecord(context, definition, owner, input),
    change: (context, key, input, owner) => changeRecord(context, definition, key, owner, input),
    remove: (context, key) => deleteRecord(context, definition, key),
  });
}

/** The five routes of a resource that has use cases of its own. */
export function resourceRoutes<Definition extends RecordDefinition>(
  options: RecordRouteOptions<Definition>,
  useCases: RecordUseCases<Definition>,
): RecordRoutes {
  return { ...readRoutes(options), ...writeRoutes(options, useCases), remove: removeRoute(options, useCases.remove) };
}

/** The routes that read: the list of what the caller can access, and one record. */
export function readRoutes(options: RecordRouteOptions): Pick<RecordRoutes, 'list' | 'get'> {
  const { definition, names = {}, tag, paths, addition = false } = options;
  const answer = recordAnswer(options);
  const name = nameOf(definition);
  // Tenant records are visible to callers with access; all others to every user with a tenant.
  const access = { to: definition.owner === 'TENANT' ? 'anyUser' : 'signedIn' } as const;
  return {
    list: route({
      operationId: `list${pluralOf(operationNoun(definition))}`,
      method: 'GET',
      path: paths.list ?? paths.create,
      summary: `Every ${name} that the caller reaches`,
      tag,
      addition,
      access,
      answer: z.array(answer),
      handle: async ({ context }) =>
        (await selectRecords(context.sql, definition)).map((row) => recordToWire(definition, row, names)),
    }),
    get: route({
      operationId: `get${operationNoun(definition)}`,
      method: 'GET',
      path: paths.item,
      summary: `A ${name}`,
      tag,
      addition,
      access,
      params: keyParams(names),
      answer,
      handle: async ({ params, context }) =>
        recordToWire(definition, await requireRecord(context.sql, definition, keyOf(names, params)), names),
    }),
  };
}

function writeRoutes<Definition extends RecordDefinition>(
  options: RecordRouteOptions<Definition>,
  useCases: RecordUseCases<Definition>,
): Pick<RecordRoutes, 'create' | 'replace'> {
  const { definition, names = {}, tag, paths, addition = false } = options;
  const body = recordBody(options);
  const answer = recordAnswer(options);
  const name = nameOf(definition);
  const access = writeAccess(options);
  const inputOf = (body: unknown) =>
    fieldsFromWire(definition.fields, body as RecordInput, names) as RecordInput<Definition>;
  const companyOf = (body: unknown) => (body as { company?: unknown }).company;
  return {
    create: route({
      operationId: `create${operationNoun(definition)}`,
      method: 'POST',
      path: paths.create,
      summary: `Creates a ${name}`,
      tag,
      addition,
      access,
      fieldNames: names,
      body,
      status: 201,
      answer,
      handle: async ({ body, context, tenants }) =>
        recordToWire(
          definition,
          await useCases.create(context, inputOf(body), ownerOf(tenants), companyOf(body)),
          names,
        ),
    }),
    replace: route({
      operationId: `replace${operationNoun(definition)}`,
      method: 'PUT',
      path: paths.item,
      summary: `Replaces a ${name}`,
      tag,
      addition,
      access,
      fieldNames: names,
      params: keyParams(names),
      body,
      answer,
      handle: async ({ params, body, context, tenants }) => {
        const key = keyOf(names, params);
        rejectOtherKey(key, body, names);
        const changed = await useCases.change(context, key, inputOf(body), ownerOf(tenants), companyOf(body));
        return recordToWire(definition, changed, names);
      },
    }),
  };
}

export function removeRoute(
  { definition, names = {}, tag, paths, changedBy, addition = false }: RecordRouteOptions,
  remove: (context: Context, key: RecordKey) => Promise<void>,
): Route {
  return route({
    operationId: `delete${operationNoun(definition)}`,
    method: 'DELETE',
    path: paths.item,
    summary: `Removes a ${nameOf(definition)} that nothing uses`,
    tag,
    addition,
    access: changedBy === 'admins' ? { to: 'admins' } : { to: 'signedIn', routine: changedBy },
    params: keyParams(names),
    // What the record is called by, where something is against its removal.
    fieldNames: { code: 'code', ...names },
    answer: messageAnswer,
    handle: async ({ params, context }) => {
      await remove(context, keyOf(names, params));
      return { message: 'Registro excluído' };
    },
  });
}

/** A row as a response: decimals with all their digits, instants as text. */
export function recordToWire<Definition extends RecordDefinition, const N extends WireNames = Record<never, never>>(
  definition: Definition,
  row: RecordRow<Definition>,
  names?: N,
) {
  const { id, company, branch } = row as Readonly<Record<string, unknown>>;
  return {
    [keyNameOf(names)]: id,
    ...(definition.owner === 'GLOBAL' ? {} : { company, branch }),
    ...fieldsToWire<Definition['fields'], N>(definition.fields, row, names),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function ownerOf([tenant]: readonly CompanyTenant[]): RecordOwner {
  return tenant ? { companyId: tenant.companyId, branchId: tenant.branchId ?? null } : EVERYBODY;
}

/** A key in the body must equal the path's. */
export function rejectOtherKey(key: RecordKey, body: object, names?: WireNames): void {
  const name = keyNameOf(names);
  const given = (body as Record<string, unknown>)[name];
  if (given !== undefined && given !== null && given !== key) rejectRequest('ID_MISMATCH', {}, name);
}

function nameOf({ name }: RecordDefinition): string {
  return RECORD_NAMES[name].en.toLowerCase();
}

/** `FundType` of the fund types: what the names of the operations end in. */
function operationNoun({ name }: RecordDefinition): string {
  return name.replace(/(?:^| )(\w)/g, (_, first: string) => first.toUpperCase());
}

function pluralOf(noun: string): string {
  return noun.endsWith('s') ? noun : `${noun}s`;
}

function keyNameOf(names: WireNames = {}): string {
  return names.id ?? 'id';
}

/** A key with a name of its own is a uuid. */
function keyParams(names: WireNames) {
  const name = keyNameOf(names);
  return name === 'id' ? idParams : z.object({ [name]: z.uuid() });
}

function keyOf(names: WireNames, params: Record<string, unknown>): RecordKey {
  return params[keyNameOf(names)] as RecordKey;
}

function recordBody({ definition, names, structures }: RecordRouteOptions) {
  return z.strictObject({
    [keyNameOf(names)]: readOnly,
    ...ownerFields(definition),
    ...bodyFields(definition.fields, structures?.body, names),
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
export function recordAnswer(
  { definition, names, structures }: Pick<RecordRouteOptions, 'definition' | 'names' | 'structures'>,
  more: z.ZodRawShape = {},
): z.ZodType<unknown, Record<string, unknown>> {
  const { owner, fields } = definition;
  const key = keyNameOf(names);
  const code = owner === 'TENANT' ? z.string() : z.string().nullable();
  return z.object({
    [key]: key === 'id' ? id : z.string(),
    ...(owner === 'GLOBAL' ? {} : { company: code, branch: code }),
    ...answerFields(fields, structures?.answer, names),
    ...more,
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
