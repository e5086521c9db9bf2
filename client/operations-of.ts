import type { Decimals, Operation, Paging } from './src/operation.ts';

/** A document of OpenAPI, as far as the client is made of it. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Described {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Schema {
  readonly $ref?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

const JSON_TYPE = 'application/json';

/** What the client must know of each operation of a service while it runs, by name. */
export function operationsOf(service: string, document: Document): Record<string, Operation> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const operation = operationOf(document, method.toUpperCase(), path, described);
      // What the queries service is asked by POST is read as well.
      return [described.operationId, service === 'queries' ? { ...operation, reads: true as const } : operation];
    }),
  );
  return Object.fromEntries(operations);
}

function operationOf(document: Document, method: string, path: string, described: Described): Operation {
  const { security, parameters = [], requestBody, responses } = described;
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 400);
  const answers = successes.map(([, { content = {} }]) => content);
  const bodies = Object.keys(requestBody?.content ?? {});
  const sends = bodies.includes(JSON_TYPE) ? JSON_TYPE : bodies[0];
  const answered = answers.map((content) => decimalsIn(document, content[JSON_TYPE]?.schema));
  const sentDecimals = decimalsIn(document, requestBody?.content[JSON_TYPE]?.schema);
  const answeredDecimals = merged(answered);
  const paging = pagingOf(document, parameters, answers[0]?.[JSON_TYPE]?.schema);
  return {
    method,
    path,
    ...(sends === undefined ? {} : { sends }),
    answers: [...new Set(answers.flatMap((content) => Object.keys(content)))],
    ...(security?.length === 0 ? { open: true } : {}),
    ...(parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')) ? { keyed: true } : {}),
    ...(paging ? { pages: paging } : {}),
    ...(typeof sentDecimals === 'object' ? { sentDecimals } : {}),
    ...(typeof answeredDecimals === 'object' ? { answeredDecimals } : {}),
  };
}

type Found = true | Decimals | undefined;

/** Where exact decimals stand in what a schema describes. */
function decimalsIn(document: Document, schema: Schema | undefined, inside: readonly string[] = []): Found {
  if (schema === undefined) return undefined;
  if (schema.$ref !== undefined) {
    // A schema inside itself says nothing new.
    if (inside.includes(schema.$ref)) return undefined;
    return decimalsIn(document, resolved(document, schema), [...inside, schema.$ref]);
  }
  if (schema.format === 'decimal') return true;
  const { items, properties = {}, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
  const named = Object.entries(properties).map(([name, field]) => [name, decimalsIn(document, field, inside)] as const);
  const any = typeof additionalProperties === 'object' ? decimalsIn(document, additionalProperties, inside) : undefined;
  const found = [...named, ['*', any] as const].filter(([, decimals]) => decimals !== undefined);
  const others = [...(items ? [items] : []), ...anyOf, ...oneOf, ...allOf];
  return merged([
    found.length > 0 ? (Object.fromEntries(found) as Decimals) : undefined,
    ...others.map((each) => decimalsIn(document, each, inside)),
  ]);
}

function merged(found: readonly Found[]): Found {
  return found.reduce<Found>((all, each) => {
    if (all === undefined || each === undefined) return all ?? each;
    if (all === true || each === true) return true;
    const names = new Set([...Object.keys(all), ...Object.keys(each)]);
    return Object.fromEntries([...names].map((name) => [name, merged([all[name], each[name]])!]));
  }, undefined);
}

function pagingOf(document: Document, parameters: Described['parameters'], schema?: Schema): Paging | undefined {
  const named = (wanted: string) => parameters?.some(({ name, in: place }) => name === wanted && place === 'query');
  const rows = rowsOf(document, schema);
  if (rows === undefined) return undefined;
  if (named('page')) return { by: 'number', page: 'page', size: 'size', rows };
  if (named('pagina')) return { by: 'number', page: 'pagina', size: 'tamanho', rows };
  if (named('depoisDe')) return { by: 'key', after: 'depoisDe', next: 'proximo', rows };
  return named('after') ? { by: 'key', after: 'after', next: 'next', rows } : undefined;
}

/** The fields that lead to the rows of a list. */
function rowsOf(document: Document, schema: Schema | undefined): string[] | undefined {
  const shape = schema && resolved(document, schema);
  if (shape?.items) return [];
  const name = ['content', 'conteudo', 'events'].find((each) => shape?.properties?.[each]);
  if (name === undefined) return undefined;
  const inner = rowsOf(document, shape!.properties![name]);
  return inner && [name, ...inner];
}

function resolved(document: Document, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : document.components.schemas[name]!;
}

/** The codes of all refusals. */
export function problemCodesOf(documents: readonly Document[]): string[] {
  const codes = documents.flatMap(({ components }) =>
    Object.entries(components.schemas).flatMap(([name, { properties }]) =>
      name.endsWith('Problem') ? (properties?.code?.enum ?? []) : [],
    ),
  );
  return [...new Set(codes)].sort();
}
