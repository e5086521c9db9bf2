import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createBank } from '../support/banks.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { readDocument } from '../support/openapi.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// What the OpenAPI document of the service shows as examples can be sent as it stands, and the answers look like those
// that it shows.

interface Media {
  readonly example?: unknown;
}

interface Operation {
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: { example?: unknown } }[];
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<string, { readonly content?: Record<string, Media> }>;
}

let platform: Platform;
let document: { readonly paths: Record<string, Record<string, Operation>> };

/** A branch whose ids and codes are those of the examples, a rule, and two runs of which the second is a job. */
beforeAll(async () => {
  platform = await startPlatform();
  const { admin } = platform;
  const bank = await createBank(admin, { company: '0001' });
  expect([bank.companyId, bank.branchId]).toEqual([1, 1]);
  const balances = [
    { cdAccounting: '1.1.1', balance: 1234.56, dc: 'D' },
    { cdAccounting: '3.1', balance: 1234.56, dc: 'C' },
  ];
  await admin.call('masterdata', 'PUT', '/baseBalance/0001/0001', balances);
  await openMonth(admin, bank, '01/2026');
  await closeMonth(admin, bank, '01/2026');
  document = await readDocument(platform.admin, 'compliance');
}, 60_000);
afterAll(() => platform?.stop());

const operation = (method: string, path: string) => document.paths[path]![method]!;
const bodyOf = (path: string, type: string) => operation('post', path).requestBody!.content[type]!.example;
const shownBy = (method: string, path: string) =>
  operation(method, path).responses['200']!.content!['application/json']!.example;

/** Names of the fields, through lists and records; null and other plain values are alike. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (value === null || typeof value !== 'object') return 'value';
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)]));
}

function asForm(example: object): URLSearchParams {
  return new URLSearchParams(
    Object.entries(example).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

test('every body, as JSON and as a form, and what it answers', async () => {
  const paths = ['rule/add', 'rule/update', 'run', 'test', 'check'].map((each) => `/api/compliance/${each}`);
  const posts = Object.keys(document.paths).filter((path) => document.paths[path]!.post);
  expect(posts.sort()).toEqual(paths.toSorted());
  for (const path of paths) {
    const json = bodyOf(path, 'application/json') as Record<string, unknown>;
    const form = bodyOf(path, 'application/x-www-form-urlencoded') as Record<string, unknown>;
    const asJson = await platform.admin.post('compliance', path, json);
    const named = path === '/api/compliance/rule/add' ? { ...form, name: 'A mesma por formulário' } : form;
    const asAForm = await platform.admin.post('compliance', path, asForm(named));
    for (const { status, text, body } of [asJson, asAForm]) {
      expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, '']);
      expect([path, shapeOf(body)]).toEqual([path, shapeOf(shownBy('post', path))]);
    }
  }
  const inBackground = await platform.admin.post(
    'compliance',
    '/api/compliance/run?async=true',
    bodyOf('/api/compliance/run', 'application/json'),
  );
  const jobPath = `/api/compliance/run/${inBackground.body.jobid}`;
  await vi.waitUntil(async () => (await platform.admin.get('compliance', jobPath)).body.status === 'DONE');
  const job = await platform.admin.get('compliance', jobPath);
  expect(shapeOf(job.body)).toEqual(shapeOf(shownBy('get', '/api/compliance/run/{jobid}')));
});

test('every question, and what it answers', async () => {
  const gets = Object.entries(document.paths).flatMap(([path, { get }]) =>
    get === undefined || path.includes('{jobid}') ? [] : [{ path, get }],
  );
  expect(gets.length).toBeGreaterThan(12);
  for (const { path, get } of gets) {
    const inPath = (get.parameters ?? []).filter((each) => each.in === 'path');
    const inQuery = (get.parameters ?? []).filter((each) => each.in === 'query' && each.schema.example !== undefined);
    const filled = inPath.reduce(
      (text, { name, schema }) => text.replace(`{${name}}`, encodeURIComponent(String(schema.example))),
      path.replace('{processid}', '2'),
    );
    const query = new URLSearchParams(
      inQuery.map(({ name, schema }): [string, string] => [name, String(schema.example)]),
    );
    const { status, body, text } = await platform.admin.get('compliance', `${filled}?${query}`);
    expect([filled, status, status === 200 ? '' : text]).toEqual([filled, 200, '']);
    const shown = shownBy('get', path);
    // An example shows what may be there; an empty list of findings shows nothing.
    if (path.endsWith('{processid}')) expect(Object.keys(body).sort()).toEqual(Object.keys(shown as object).sort());
    else expect([filled, shapeOf(body)]).toEqual([filled, shapeOf(shown)]);
  }
});

test('the YAML says what the JSON says', async () => {
  const { text } = await platform.withToken('').get('compliance', '/v3/api-docs.yaml');
  const folder = await mkdtemp(join(tmpdir(), 'partidas-yaml-'));
  try {
    const file = join(folder, 'compliance.yaml');
    await writeFile(file, text);
    expect(await SwaggerParser.parse(file)).toEqual((await platform.admin.get('compliance', '/v3/api-docs')).body);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
