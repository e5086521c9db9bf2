import { expect, test } from 'vitest';
import { z } from 'zod';
import { SERVICE_NAMES, type ServiceName } from '../../src/platform/config.ts';
import { startExamplePlatform } from '../support/example-books.ts';
import { readDocument } from '../support/openapi.ts';
import type { Platform } from '../support/platform.ts';

// The request examples of the documents are sent as they stand, against a bank of the examples' own codes.

interface Schema {
  readonly example?: unknown;
}
interface Content {
  readonly [type: string]: { readonly schema?: Schema; readonly example?: unknown };
}
interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>;
}

const METHODS = ['post', 'put', 'patch'] as const;

/** Examples that are rejected for what they say, each with the only code that may be said of it. */
const REFUSED: Readonly<Record<string, string>> = {
  // Who the installation has is no secret of its documents.
  'authentication POST /api/auth/signin': 'BAD_CREDENTIALS',
  'authentication POST /api/auth/mfa/enrolment': 'BAD_CREDENTIALS',
  'authentication POST /api/auth/external-login': 'INVALID_FIELD',
  'authentication POST /api/auth/password': 'INVALID_FIELD',
  // The codes of the bank that the other examples need.
  'masterdata POST /company': 'DUPLICATE',
  'masterdata POST /branch': 'DUPLICATE',
  'masterdata POST /company/options': 'DUPLICATE',
  'masterdata PUT /company/options/{id}': 'OPTIONS_FROZEN',
  // Its template is not there, and so no fee is.
  'masterdata POST /fund/fee': 'FEE_TEMPLATE_MISSING',
  'masterdata PUT /fund/fee/{id}': 'NOT_FOUND',
  'masterdata POST /feeAccrual/{company}/{branch}': 'FEES_NOT_CONFIGURED',
  'masterdata POST /feeAccrual/{company}/{branch}/reversal': 'FEE_NOT_POSTED',
  'masterdata POST /monthOpening/{company}/{branch}': 'MONTH_NOT_NEXT',
  // Its requester is gone; then it was rejected.
  'movements POST /approvals/{id}/approve': 'APPROVAL_REQUESTER',
  'movements POST /approvals/{id}/withdraw': 'APPROVAL_DECIDED',
  'movements POST /monthOpening/{company}/{branch}': 'MONTH_NOT_NEXT',
  // The statement of the other examples is a balance sheet, and of another chart.
  'masterdata PUT /statements/{id}/facts/{company}/{branch}/{year}': 'NOT_FOUND',
  // Nothing is closed while nothing is posted.
  'compliance POST /api/compliance/run': 'MONTH_NOT_CONSOLIDATED',
  'compliance POST /api/compliance/test': 'MONTH_NOT_CONSOLIDATED',
  // Its chart has no definitions yet.
  'movements POST /taxquotacalculation/{company}/{branch}': 'QUOTA_NOT_CONFIGURED',
  // Another example makes its day a holiday.
  'masterdata POST /quotaMovement': 'INVALID_FIELD',
  'masterdata PUT /quotaMovement/{id}': 'INVALID_FIELD',
  'masterdata POST /quotaCalculation/{company}/{branch}': 'QUOTA_DAYS_OPEN',
  'masterdata POST /quotaCalculation/{company}/{branch}/reprocess': 'NO_QUOTA_TO_REPROCESS',
  // Nothing is written while nothing is posted.
  'reports PUT /regulatory/deliveries/{id}': 'NOT_FOUND',
  'reports POST /reports/demonstracao': 'STATEMENT_MISSING',
  'reports POST /reports/reportTermos': 'BOOK_OF_OPEN_MONTH',
};

/** What other examples name comes first; what takes it away, closes or replaces it last, from the inside out. */
const LATE = [
  /entry\/delete-multiple/,
  /document\/delete-multiple/,
  /delete-multiple|purging|closeday|password|users\/\{id\}/,
];

function turnOf(path: string): number {
  return path === '/batch' ? -1 : LATE.findIndex((late) => late.test(path)) + 1;
}

test.each(SERVICE_NAMES)('%s takes the examples of its document', async (service) => {
  const platform = await startExamplePlatform();
  try {
    const { paths } = await readDocument<{ paths: Record<string, Record<string, Operation>> }>(platform.admin, service);
    const operations = Object.entries(paths)
      .flatMap(([path, methods]) => METHODS.map((method) => ({ path, method, operation: methods[method] })))
      .filter(({ operation }) => operation?.requestBody)
      .sort((a, b) => turnOf(a.path) - turnOf(b.path));
    const wrong: string[] = [];
    const made = new Map<string, Record<string, unknown>>();
    for (const { path, method, operation } of operations) {
      const failure = await send(platform, service, method.toUpperCase(), path, operation!, made);
      if (failure !== undefined) wrong.push(failure);
    }
    expect(wrong).toEqual([]);
    expect(operations.length).toBeGreaterThan(0);
  } finally {
    await platform.stop();
  }
});

/** What is wrong with the response to an operation's own example. `made` has what the creations before answered. */
async function send(
  platform: Platform,
  service: ServiceName,
  method: string,
  path: string,
  operation: Operation,
  made: Map<string, Record<string, unknown>>,
): Promise<string | undefined> {
  const [type, content] = Object.entries(operation.requestBody!.content)[0]!;
  const { example } = content;
  // A file has no example that JSON could hold; the imports have tests of their own.
  if (type === 'multipart/form-data') return undefined;
  const before = made.get(`${path.split('/{')[0]}`);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = operation.parameters?.find((each) => each.in === 'path' && each.name === name);
    return encodeURIComponent(String(before?.[name] ?? parameter?.schema.example ?? 1));
  });
  const query = new URLSearchParams();
  for (const { name, schema } of operation.parameters?.filter((each) => each.in === 'query' && each.required) ?? []) {
    query.set(name, String(schema.example ?? 1));
  }
  const answer = await platform.admin.call(
    service,
    method,
    query.size > 0 ? `${filled}?${query}` : filled,
    bodyOf(type, method === 'PUT' ? withKeyOf(before, example) : example),
    type === 'text/plain' ? { 'content-type': type } : {},
  );
  const name = `${service} ${method} ${path}`;
  const told = `${name}: ${answer.status} ${answer.text.slice(0, 300)}`;
  if (answer.status >= 300) {
    return answer.status < 500 && answer.body?.code === REFUSED[name] ? undefined : told;
  }
  if (REFUSED[name] !== undefined) return `${told}, but it should have been refused`;
  if (method === 'POST' && answer.body !== null && typeof answer.body === 'object')
    made.set(path.replace(/\/$/, ''), answer.body);
  const schema = operation.responses?.[String(answer.status)]?.content?.['application/json']?.schema;
  if (schema === undefined) return undefined;
  const found = z
    .fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0], { defaultTarget: 'openapi-3.0' })
    .safeParse(answer.body);
  return found.success ? undefined : `${name}: ${z.prettifyError(found.error)} in ${answer.text.slice(0, 300)}`;
}

/** An example may repeat the key of the record; it is the path's then. */
function withKeyOf(before: Record<string, unknown> | undefined, example: unknown): unknown {
  if (Array.isArray(example)) return example;
  const keys = ['id', 'planRef_uuid', 'accountRef_uuid'].filter((key) => before?.[key] !== undefined);
  const given = example as Record<string, unknown>;
  return { ...given, ...Object.fromEntries(keys.filter((key) => key in given).map((key) => [key, before![key]])) };
}

function bodyOf(type: string, example: unknown): unknown {
  if (type === 'application/json') return example;
  if (type !== 'application/x-www-form-urlencoded') return String(example);
  return new URLSearchParams(
    Object.entries(example as object).map(([key, value]): [string, string] => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}
