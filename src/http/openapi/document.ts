import { z } from 'zod';
import { MEDIA_TYPES, type Route, takesBody } from '../route.ts';
import { Components, capitalized, type Root, singular } from './components.ts';
import { successHeaders } from './declared-headers.ts';
import { exampleOf } from './examples.ts';
import { headerComponents, headerRefs, REQUEST_HEADERS } from './headers.ts';
import { problemResponses, problemSchemas, problemsOf, rejection } from './problems.ts';
import { answeredSchema, type Schema, sentSchema } from './schema.ts';

/** What a document is made of. */
export interface Described {
  readonly title: string;
  readonly version: string;
  readonly routes: readonly Route[];
}

/** The OpenAPI document of a service: its routes say all of it, nothing needs to run. */
export function documentOf({ title, version, routes }: Described): object {
  const operations = routes.map(operationOf);
  const components = new Components(rootsOf(operations));
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const { path, method } = operation.route;
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = described(operation, components);
  }
  const responses = usedOf('responses', problemResponses(), paths);
  return {
    openapi: '3.0.3',
    info: { title, version, license: { name: 'MIT', url: 'https://opensource.org/license/mit' } },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      parameters: usedOf('parameters', REQUEST_HEADERS, paths),
      headers: usedOf('headers', headerComponents(), { paths, responses }),
      responses,
      schemas: { ...components.schemas, ...problemSchemas() },
    },
  };
}

/** Those components of a kind that something refers to. */
function usedOf<Part>(kind: string, parts: Readonly<Record<string, Part>>, by: object): Record<string, Part> {
  const text = JSON.stringify(by);
  const used = Object.entries(parts).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`));
  return Object.fromEntries(used);
}

/** A route with the schemas of its parts. */
interface Operation {
  readonly route: Route;
  readonly body: Schema | undefined;
  /** By status. */
  readonly answers: Readonly<Record<number, Schema>>;
}

function operationOf(route: Route): Operation {
  const answers = { ...(route.answer && { [route.status]: route.answer }), ...route.otherAnswers };
  return {
    route,
    body: takesBody(route) ? sentSchema(route.body ?? z.string()) : undefined,
    answers: Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, answeredSchema(answer)])),
  };
}

/** Verbs whose answer is the record that the rest of the name says, those first that name it best. */
const RECORD_VERBS = ['get', 'create', 'post', 'save', 'replace', 'update', 'list', 'find'];

/** What the operations take and answer, with a name; equal ones have the name of the first. */
function rootsOf(operations: readonly Operation[]): Root[] {
  const named = operations.flatMap(({ route, body, answers }) => {
    const { verb, noun } = wordsOf(route.operationId);
    const rank = RECORD_VERBS.indexOf(verb);
    const isRecord = rank >= 0;
    const record = verb === 'list' || verb === 'find' ? singular(noun) : noun;
    const all = capitalized(route.operationId);
    const answered = Object.values(answers).flatMap((schema) =>
      namedAnswers(schema, isRecord ? record : `${all}Answer`),
    );
    const sent = body ? [{ schema: body, name: isRecord ? `${record}Input` : `${all}Request` }] : [];
    const order = isRecord ? rank : RECORD_VERBS.length;
    return [...answered.map((root) => ({ ...root, order })), ...sent.map((root) => ({ ...root, order: order + 100 }))];
  });
  return named.sort((one, other) => one.order - other.order);
}

/** An answer, and what its list or page holds. */
function namedAnswers(schema: Schema, name: string): Root[] {
  if (schema.items) return [{ schema: schema.items, name }];
  const item = schema.properties?.content?.items;
  if (!item) return [{ schema, name }];
  const record = name.replace(/Page$/, '');
  return [
    { schema: item, name: record },
    { schema, name: `${record}Page` },
  ];
}

function wordsOf(operationId: string): { verb: string; noun: string } {
  const [, verb = '', noun = ''] = /^([a-z]+)([A-Z].*)?$/.exec(operationId) ?? [];
  return { verb, noun };
}

function described({ route, body, answers }: Operation, components: Components): object {
  const { operationId, summary, tag, access, deprecated } = route;
  return {
    operationId,
    summary,
    tags: [tag],
    ...(deprecated ? { deprecated: true } : {}),
    security: access.to === 'anyone' ? [] : [{ bearer: [] }],
    parameters: parametersOf(route),
    ...(body && { requestBody: { required: true, content: bodyContent(route, body, components) } }),
    responses: { ...successes(route, answers, components), ...problemsOf(route) },
  };
}

function parametersOf({ params, query, idempotent, conditional, reads = [] }: Route): object[] {
  const headers = [
    ...(idempotent ? ['IdempotencyKey'] : []),
    ...(conditional ? ['IfNoneMatch'] : []),
    ...reads,
    'AcceptLanguage',
  ];
  return [
    ...parametersIn('path', params),
    ...parametersIn('query', query),
    ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function parametersIn(place: 'path' | 'query', schema: z.ZodType | undefined): object[] {
  const { properties = {}, required = [] } = schema ? sentSchema(schema) : {};
  return Object.entries(properties).map(([name, { description, ...field }]) => ({
    name,
    in: place,
    ...(description === undefined ? {} : { description }),
    ...(place === 'path' || required.includes(name) ? { required: true } : {}),
    schema: field,
  }));
}

function bodyContent({ accepts = ['json'] }: Route, body: Schema, components: Components): object {
  const content = contentOf(body, components);
  return Object.fromEntries(
    accepts.map((kind) => [MEDIA_TYPES[kind], kind === 'ndjson' ? linesContent(body) : content]),
  );
}

/** What a JSON body has as its list, one item a line. */
function linesContent(body: Schema): object {
  const list = Object.values(exampleOf(body) as Record<string, unknown>).find(Array.isArray) ?? [];
  return { schema: { type: 'string' }, example: list.map((item) => JSON.stringify(item)).join('\n') };
}

function contentOf(schema: Schema, components: Components): object {
  return { schema: components.refer(schema), example: exampleOf(schema) };
}

function successes(route: Route, answers: Operation['answers'], components: Components): Record<string, object> {
  const { status, files = [], otherAnswers = {}, conditional } = route;
  if (status >= 400) return { [status]: rejection(status) };
  const statuses = [status, ...Object.keys(otherAnswers).map(Number), ...(conditional ? [304] : [])];
  const described = statuses.map((which) => {
    const answer = answers[which];
    const content = {
      ...(answer && { [MEDIA_TYPES.json]: contentOf(answer, components) }),
      ...(which === status && Object.fromEntries(files.map((type) => [type, { schema: fileSchema(type) }]))),
    };
    const headers = headerRefs(successHeaders(route, which));
    const hasContent = Object.keys(content).length > 0;
    return [which, { description: DESCRIPTIONS[which] ?? 'Done', headers, ...(hasContent && { content }) }] as const;
  });
  return Object.fromEntries(described);
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted: it goes on in the background',
  301: 'Moved',
  302: 'A preview: nothing is stored',
  303: 'Elsewhere: the browser goes there',
  304: 'The answer is the one that If-None-Match names',
  503: 'The service does not work',
};

function fileSchema(type: string): Schema {
  return type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
}
