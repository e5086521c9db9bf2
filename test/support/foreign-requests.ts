/** What the matrix of foreign requests knows of an OpenAPI document. */
export interface Schema {
  readonly type?: string;
  readonly example?: unknown;
  readonly enum?: readonly unknown[];
  readonly readOnly?: boolean;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** A tenant as a request can name it: by its codes, and by the ids of its records. */
export interface Side {
  readonly company: string;
  readonly branch: string;
  readonly chart: string;
  /** Of each table, a record of the tenant. */
  readonly ids: Readonly<Record<string, number>>;
}

export type Kind = 'company' | 'branch' | 'chart' | 'id';

/** A place in a request that names a tenant or one of its records. */
export interface Slot {
  readonly kind: Kind;
  readonly name: string;
  readonly place: 'path' | 'query' | 'body';
  /** Whether the whole request may leave it out. */
  readonly optional: boolean;
}

/** Fills the slots of a request; undefined leaves an optional one out. */
export type Filling = (slot: Slot) => string | number | readonly number[] | undefined;

export interface Built {
  readonly path: string;
  readonly body: unknown;
}

const COMPANY = /^(company|empresa|codigo_empresa|companycode)$/i;
const BRANCH = /^(branch|filial|codigo_filial|branchcode|branchfrom|branchto)$/i;
const CHART = /^(chart|chartcode|plano)$/i;
const ID = /^(ids?|users|contas|contrapartida|idUsuario|selectedBranchId|(company|branch|process)_?id)$|Ids?$/;

/** The slots of an operation, in the order in which `build` fills them. */
export function slotsOf(path: string, operation: Operation): Slot[] {
  const slots: Slot[] = [];
  build(path, operation, (slot) => {
    slots.push(slot);
    return slot.kind === 'id' ? 1 : 'x';
  });
  return slots;
}

/**
 * The request that an operation's document describes, its slots filled and all else as the examples say. `full` also
 * sends the optional parameters of the query, switches turned on: `history=true` reads other tables.
 */
export function build(path: string, operation: Operation, fill: Filling, full = false): Built {
  const parameters = operation.parameters ?? [];
  const value = (parameter: Parameter) => {
    const kind = kindOf(parameter.name);
    const place = parameter.in as 'path' | 'query';
    return kind === undefined
      ? parameter.required || parameter.in === 'path'
        ? plainValue(parameter.schema, parameter.name)
        : full
          ? switchedOn(parameter.schema, parameter.name)
          : undefined
      : fill({ kind, name: parameter.name, place, optional: !parameter.required && parameter.in !== 'path' });
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return encodeURIComponent(String(parameter ? value(parameter) : 'x'));
  });
  const query = new URLSearchParams();
  for (const parameter of parameters.filter((each) => each.in === 'query')) {
    const given = value(parameter);
    if (given !== undefined) query.set(parameter.name, String(given));
  }
  const [content] = Object.values(operation.requestBody?.content ?? {});
  const body = content === undefined ? undefined : bodyOf(content.schema, '', fill, false);
  return { path: query.size > 0 ? `${filled}?${query}` : filled, body };
}

function bodyOf(schema: Schema, name: string, fill: Filling, optional: boolean): unknown {
  const kind = kindOf(name);
  const [variant] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  const shape = schema.properties === undefined && schema.items === undefined && variant ? variant : schema;
  if (kind !== undefined && !isNested(shape)) {
    const given = fill({ kind, name, place: 'body', optional });
    return shape.type === 'array' && given !== undefined && !Array.isArray(given)
      ? [given]
      : shape.type === 'string' && typeof given === 'number'
        ? String(given)
        : given;
  }
  if (shape.properties) {
    return Object.fromEntries(
      Object.entries(shape.properties)
        .filter(([field, each]) => !each.readOnly && !['id', 'createdAt', 'updatedAt'].includes(field))
        .map(([field, each]) => [field, bodyOf(each, field, fill, !shape.required?.includes(field))]),
    );
  }
  if (shape.items)
    return isNested(shape) ? [bodyOf(shape.items, '', fill, false)] : shape.example === undefined ? [] : shape.example;
  return plainValue(shape, name);
}

/** An object, or an array of objects: what names a tenant is inside it. */
function isNested(schema: Schema): boolean {
  return schema.properties !== undefined || (schema.items?.properties ?? schema.items?.anyOf) !== undefined;
}

function plainValue(schema: Schema, name: string): unknown {
  // The only format that a test can read whole.
  if (name === 'visualizationEnum') return 'CSV';
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [variant] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (variant) return plainValue(variant, name);
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1);
  return schema.type === 'boolean' ? false : 'texto';
}

function switchedOn(schema: Schema, name: string): unknown {
  const value = plainValue(schema, name);
  return value === false || value === 'false' ? true : value;
}

function kindOf(name: string): Kind | undefined {
  if (COMPANY.test(name)) return 'company';
  if (BRANCH.test(name)) return 'branch';
  if (CHART.test(name)) return 'chart';
  return ID.test(name) ? 'id' : undefined;
}

/** The table that a name speaks of; undefined when any could be meant. */
export function tableOf(name: string): string | undefined {
  return TABLES.find(([names]) => names.test(name))?.[1];
}

const TABLES: readonly (readonly [RegExp, string])[] = [
  [/^batchId$/i, 'batch'],
  [/^documentId$/, 'document'],
  [/^entryId$/i, 'entry_line'],
  [/^(contas|contrapartida|contaId|contrapartidaId|parentId|.*AccountId)$/i, 'account'],
  [/^(selectedBranchId|branch_?id)$/i, 'branch'],
  [/^company_?id$/i, 'company'],
  [/^(users|userId|idUsuario)$/i, 'app_user'],
  [/^groupId$/i, 'user_group'],
  [/^routineId$/, 'routine'],
  [/^fundTypeId$/, 'fund_type'],
];

/**
 * The tables that an id in the path may be of: the one that the path speaks of and `others` more, each path its own; all
 * of them where the path speaks of none.
 */
export function tablesOfPath(path: string, tables: readonly string[], others: number): readonly string[] {
  const likely = PATHS.find(([start]) => path.startsWith(start))?.[1];
  if (likely === undefined) return tables;
  const rest = tables.filter((table) => table !== likely);
  const first = [...path].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const chosen = Array.from({ length: Math.min(others, rest.length) }, (_, at) => rest[(first + at) % rest.length]!);
  return tables.includes(likely) ? [likely, ...chosen] : chosen;
}

const PATHS: readonly (readonly [string, string])[] = [
  ['/access/', 'routine_access'],
  ['/approvals/', 'approval'],
  ['/api/admin/users/', 'app_user'],
  ['/batch/', 'batch'],
  ['/branch/', 'branch'],
  ['/chartOfAccounts/', 'account'],
  ['/closuresettings/', 'closure_settings'],
  ['/companies/', 'company'],
  ['/company/options/', 'company_options'],
  ['/document/', 'document'],
  ['/entry/', 'entry_line'],
  ['/fund/fee/', 'fund_fee'],
  ['/fund/settings/', 'fund_settings'],
  ['/fundType/', 'fund_type'],
  ['/group/', 'user_group'],
  ['/history/', 'standard_narration'],
  ['/release/', 'entry_template'],
  ['/releasedata/', 'entry_template_data'],
  ['/reports/jobs/', 'job'],
  ['/regulatory/jobs/', 'job'],
  ['/regulatory/deliveries/', 'regulatory_delivery'],
  ['/routine/', 'routine'],
  ['/runconsolidation/', 'job'],
];
