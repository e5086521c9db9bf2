import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import SwaggerParser from '@apidevtools/swagger-parser';
import { expect, test } from 'vitest';
import { documentOf } from '../../src/http/openapi/document.ts';
import { SERVICE_NAMES } from '../../src/platform/config.ts';
import { describedService } from '../../src/services/services.ts';
import { breaksBetween, type Document, type Schema } from '../support/openapi-breaks.ts';

// Clients made for the last release go on working with the next: `test/openapi` has its documents, written by
// `npm run openapi -- test/openapi/VERSION --compact` when it was released.

const RELEASES = new URL('../openapi/', import.meta.url);
const LAST = readdirSync(RELEASES)
  .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  .at(-1)!;

test.each(SERVICE_NAMES)(`what a client of release ${LAST} knows of %s is as it was`, async (service) => {
  const released = JSON.parse(await readFile(new URL(`${LAST}/${service}.json`, RELEASES), 'utf8'));
  const old = (await SwaggerParser.dereference(released)) as unknown as Document;
  const now = (await SwaggerParser.dereference(
    structuredClone(documentOf(describedService(service))) as never,
  )) as never;
  expect(Object.keys(old.paths).length).toBeGreaterThan(5);
  expect(breaksBetween(old, now)).toEqual([]);
});

const text: Schema = { type: 'string' };
const SENT: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['conta'],
  properties: { conta: text, side: { type: 'string', enum: ['D', 'C'] }, note: { type: 'string', nullable: true } },
};
const ANSWERED: Schema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, amount: { type: 'number', format: 'decimal' } },
};

function documentWith(change: {
  sent?: Schema;
  answered?: Schema;
  status?: string;
  headers?: object;
  operationId?: string;
  path?: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
}): Document {
  const { sent = SENT, answered = ANSWERED, status = '201', headers = { Location: {} } } = change;
  const {
    operationId = 'postEntry',
    path = '/entry',
    parameters = [{ name: 'page', in: 'query', schema: text }],
  } = change;
  const json = (schema: Schema) => ({ 'application/json': { schema } });
  const operation = {
    operationId,
    parameters,
    requestBody: { content: json(sent) },
    responses: { [status]: { headers, content: json(answered) } },
  };
  return { paths: { [path]: { post: operation } } };
}

const changed = (schema: Schema, fields: Readonly<Record<string, Schema>>, more: Schema = {}): Schema => ({
  ...schema,
  ...more,
  properties: { ...schema.properties, ...fields },
});
const { id: _id, ...withoutId } = ANSWERED.properties!;
const { note: _note, ...withoutNote } = SENT.properties!;

test.each<[string, Document]>([
  ['is gone', documentWith({ path: '/entries' })],
  ['is called addEntry, not postEntry', documentWith({ operationId: 'addEntry' })],
  ['page is not taken any more', documentWith({ parameters: [] })],
  ['page must be given', documentWith({ parameters: [{ name: 'page', in: 'query', required: true, schema: text }] })],
  ['page is integer', documentWith({ parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }] })],
  ['body.side must be given', documentWith({ sent: { ...SENT, required: ['conta', 'side'] } })],
  ['body.side does not take C', documentWith({ sent: changed(SENT, { side: { type: 'string', enum: ['D'] } }) })],
  [
    'body.conta does not take any text',
    documentWith({ sent: changed(SENT, { conta: { type: 'string', enum: ['1'] } }) }),
  ],
  [
    'body.conta has another maxLength',
    documentWith({ sent: changed(SENT, { conta: { type: 'string', maxLength: 5 } }) }),
  ],
  ['body.note may not be null', documentWith({ sent: changed(SENT, { note: text }) })],
  ['body.note is gone', documentWith({ sent: { ...SENT, properties: withoutNote } })],
  ['201.id is gone', documentWith({ answered: { ...ANSWERED, properties: withoutId } })],
  ['201.id may be absent', documentWith({ answered: { ...ANSWERED, required: [] } })],
  ['201.id may be null', documentWith({ answered: changed(ANSWERED, { id: { type: 'integer', nullable: true } }) })],
  ['201.amount is number, not', documentWith({ answered: changed(ANSWERED, { amount: { type: 'number' } }) })],
  ['does not answer 201', documentWith({ status: '200' })],
  ['201 has no header Location', documentWith({ headers: {} })],
])('a client would break: %s', (told, now) => {
  expect(breaksBetween(documentWith({}), now).join('\n')).toContain(told);
});

test('what only adds breaks nobody', () => {
  const now = documentWith({
    sent: changed(SENT, { origin: text, conta: { type: 'string', nullable: true } }),
    answered: changed(ANSWERED, { origin: text }, { required: ['id', 'origin'] }),
    parameters: [
      { name: 'page', in: 'query', schema: text },
      { name: 'size', in: 'query', schema: text },
    ],
    headers: { Location: {}, 'X-Total-Count': {} },
  });
  expect(breaksBetween(documentWith({}), now)).toEqual([]);
});
