// What a client that was made for the old document would find broken in the new one. References are resolved before.

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly headers?: object }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly [bound: string]: unknown;
}

/** A break a line, each with its place; none where every client goes on. */
export function breaksBetween(old: Document, now: Document): string[] {
  return Object.entries(old.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const place = `${method.toUpperCase()} ${path}`;
      const found = now.paths[path]?.[method];
      return found ? breaksOf(operation, found).map((each) => `${place}: ${each}`) : [`${place}: is gone`];
    }),
  );
}

function breaksOf(old: Operation, now: Operation): string[] {
  const renamed = old.operationId === now.operationId ? [] : [`is called ${now.operationId}, not ${old.operationId}`];
  return [...renamed, ...parameterBreaks(old, now), ...bodyBreaks(old, now), ...answerBreaks(old, now)];
}

function parameterBreaks({ parameters: old = [] }: Operation, { parameters: now = [] }: Operation): string[] {
  const isSame = (one: Parameter) => (other: Parameter) => one.name === other.name && one.in === other.in;
  const gone = old.filter((each) => !now.some(isSame(each))).map(({ name }) => `${name} is not taken any more`);
  const changed = now.flatMap((each) => {
    const before = old.find(isSame(each));
    const mustBeGiven = each.required && !before?.required ? [`${each.name} must be given`] : [];
    return [...mustBeGiven, ...(before ? schemaBreaks(before.schema, each.schema, 'sent', each.name) : [])];
  });
  return [...gone, ...changed];
}

function bodyBreaks({ requestBody: old }: Operation, { requestBody: now }: Operation): string[] {
  if (now === undefined) return old === undefined ? [] : ['takes no body any more'];
  if (old === undefined) return ['a body must be given'];
  return contentBreaks(old.content, now.content, 'sent', 'body');
}

function answerBreaks({ responses: old }: Operation, { responses: now }: Operation): string[] {
  return Object.entries(old).flatMap(([status, { content = {}, headers = {} }]) => {
    // Refusals are alike everywhere, and codes may come.
    if (Number(status) >= 400) return [];
    const found = now[status];
    if (found === undefined) return [`does not answer ${status} any more`];
    const lost = Object.keys(headers).filter((name) => !(name in (found.headers ?? {})));
    return [
      ...lost.map((name) => `${status} has no header ${name} any more`),
      ...contentBreaks(content, found.content ?? {}, 'answered', status),
    ];
  });
}

/** What clients send may become more, what they are answered less. */
type Side = 'sent' | 'answered';

function contentBreaks(old: Content, now: Content, side: Side, place: string): string[] {
  return Object.entries(old).flatMap(([type, { schema }]) => {
    const found = now[type];
    return found ? schemaBreaks(schema, found.schema, side, place) : [`${place} is not ${type} any more`];
  });
}

function schemaBreaks(old: Schema, now: Schema, side: Side, place: string): string[] {
  // A schema without anything says nothing about its values.
  if (Object.keys(side === 'sent' ? now : old).length === 0) return [];
  if (kindOf(old) !== kindOf(now)) return [`${place} is ${kindOf(now)}, not ${kindOf(old)}`];
  const [narrow, wide] = side === 'sent' ? [now, old] : [old, now];
  return [
    ...(wide.nullable && !narrow.nullable ? [`${place} ${side === 'sent' ? 'may not' : 'may'} be null`] : []),
    ...(side === 'sent' ? sentBreaks(old, now, place) : answeredBreaks(old, now, place)),
    ...Object.entries(old.properties ?? {}).flatMap(([name, field]) => {
      const found = now.properties?.[name];
      return found ? schemaBreaks(field, found, side, `${place}.${name}`) : [`${place}.${name} is gone`];
    }),
    ...(old.items && now.items ? schemaBreaks(old.items, now.items, side, `${place}[]`) : []),
    ...variantBreaks(old, now, side, place),
  ];
}

function kindOf({ type = 'anything', format }: Schema): string {
  return format === 'decimal' || format === 'binary' ? `${type} (${format})` : type;
}

function sentBreaks(old: Schema, now: Schema, place: string): string[] {
  const demanded = (now.required ?? []).filter((name) => !old.required?.includes(name));
  const lost = now.enum === undefined ? [] : (old.enum ?? ['any text']).filter((each) => !now.enum?.includes(each));
  const tighter = BOUNDS.filter(([name, isTighter]) => isTighter(old[name] as number, now[name] as number));
  return [
    ...demanded.map((name) => `${place}.${name} must be given`),
    ...lost.map((each) => `${place} does not take ${each} any more`),
    ...tighter.map(([name]) => `${place} has another ${name}: ${now[name]}, not ${old[name]}`),
    ...(now.pattern !== undefined && now.pattern !== old.pattern ? [`${place} has another pattern`] : []),
    ...(now.additionalProperties === false && old.properties && old.additionalProperties !== false
      ? [`${place} does not take other fields any more`]
      : []),
  ];
}

const isLess = (old: number | undefined, now: number | undefined) => now !== undefined && !(old! <= now);
const isMore = (old: number | undefined, now: number | undefined) => now !== undefined && !(old! >= now);
const BOUNDS = [
  ['maximum', isLess],
  ['maxLength', isLess],
  ['maxItems', isLess],
  ['minimum', isMore],
  ['minLength', isMore],
  ['minItems', isMore],
] as const;

function answeredBreaks(old: Schema, now: Schema, place: string): string[] {
  const missing = (old.required ?? []).filter((name) => now.properties?.[name] && !now.required?.includes(name));
  return [
    ...missing.map((name) => `${place}.${name} may be absent`),
    ...(old.enum && !now.enum ? [`${place} may be anything`] : []),
  ];
}

/** Variants in their order; what is sent may get more of them, what is answered fewer. */
function variantBreaks(old: Schema, now: Schema, side: Side, place: string): string[] {
  const before = old.anyOf ?? old.oneOf ?? [];
  const after = now.anyOf ?? now.oneOf ?? [];
  const [few, many] = side === 'sent' ? [before, after] : [after, before];
  if (few.length > many.length && many.length > 0) return [`${place} has ${after.length} forms, not ${before.length}`];
  return before
    .slice(0, after.length)
    .flatMap((each, at) => schemaBreaks(each, after[at]!, side, `${place}(${at + 1})`));
}
