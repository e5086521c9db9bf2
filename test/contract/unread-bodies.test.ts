import { connect } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServiceName } from '../../src/platform/config.ts';
import { createFullBank } from '../support/full-books.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';

// A rejection that needs no body comes before the body: these send the head of a request and then nothing more.

let platform: Platform;
let nobody: Client;
let batchId: number;
beforeAll(async () => {
  platform = await startPlatform();
  const owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  const bank = await createFullBank(platform, owner, {}, 'texto', '10.00');
  await owner.end();
  const [batch] = (await platform.admin.get('movements', `/allbatch/${bank.company}/${bank.branch}`)).body;
  batchId = batch.id;
  codes = `${bank.company}/${bank.branch}`;
  await platform.admin.post('authentication', '/api/admin/users', {
    username: 'ninguem',
    password: PASSWORD,
    name: 'N',
  });
  nobody = await platform.as('ninguem', PASSWORD);
});
afterAll(() => platform?.stop());

const PASSWORD = 'uma senha bem comprida';
let codes: string;

/** The status of the response to a head alone; 0 when none comes within two seconds. */
function statusOfHead(service: ServiceName, line: string, client: Client, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(platform.address(service));
  const sent = { host: 'x', 'content-type': 'application/json', 'content-length': '900000', ...headers };
  const lines = Object.entries(client.token === '' ? sent : { ...sent, authorization: `Bearer ${client.token}` });
  return new Promise<number>((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) }, () =>
      socket.write(`${line} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`),
    );
    const end = (status: number) => {
      socket.destroy();
      resolve(status);
    };
    socket.once('data', (answer) => end(Number(/^HTTP\/1\.1 (\d{3})/.exec(String(answer))?.[1])));
    socket.on('error', () => end(-1));
    socket.setTimeout(2_000, () => end(0));
  });
}

const FORM = 'application/x-www-form-urlencoded';
const UPLOAD = { 'content-type': 'multipart/form-data; boundary=x' };

const anybody = () => platform.withToken('');
const admin = () => platform.admin;
const ninguem = () => nobody;

test.each<[string, () => Client, ServiceName, () => string, number, Record<string, string>?]>([
  ['an unknown path', anybody, 'movements', () => 'POST /no/such/path', 404],
  ['an unknown path, with a token', admin, 'movements', () => 'PUT /no/such/path', 404],
  ['no token', anybody, 'masterdata', () => 'POST /company', 401],
  ['another media type', admin, 'masterdata', () => 'POST /company', 415, { 'content-type': 'text/plain' }],
  ['a form where JSON is asked for', admin, 'movements', () => 'POST /entry', 415, { 'content-type': FORM }],
  ['a large body of a stranger', anybody, 'authentication', () => 'POST /api/auth/signin', 413],
  ['a large body', admin, 'movements', () => 'POST /entry', 413, { 'content-length': '9000000' }],
  ['a path that is wrong', admin, 'movements', () => 'POST /batch/x/import', 400],
  ['administrators only', ninguem, 'authentication', () => 'POST /api/admin/users', 403],
  ['a routine that he lacks', ninguem, 'masterdata', () => 'POST /company', 403],
  ['a branch that he does not reach', ninguem, 'masterdata', () => `POST /calendar/${codes}`, 403],
  ['a branch that does not exist', ninguem, 'masterdata', () => 'POST /calendar/9999/9999', 404],
  ['a record that he does not reach', ninguem, 'movements', () => `POST /batch/${batchId}/import`, 404, UPLOAD],
  ['a body that could only name foreign tenants', ninguem, 'movements', () => 'POST /entry', 403],
  ['a deleting request with a body', admin, 'movements', () => 'DELETE /batch/999999', 404],
  ['a reading request with a body', admin, 'masterdata', () => 'GET /companies', 200],
])('answered without its body: %s', async (_what, client, service, line, status, headers) => {
  expect(await statusOfHead(service, line(), client(), headers)).toBe(status);
});

test.each([
  ['two hosts', 'host: a\r\nhost: b', 400],
  ['the same host twice', 'host: a\r\nhost: a', 400],
  ['no host', 'x-none: x', 400],
])('%s is rejected', async (_what, headers, status) => {
  const { hostname, port } = new URL(platform.address('masterdata'));
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect({ host: hostname, port: Number(port) }, () =>
      socket.write(`GET /actuator/health HTTP/1.1\r\n${headers}\r\nconnection: close\r\n\r\n`),
    );
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
  });
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test('a small body that names no tenant of the user is read: an unknown code is 404, a foreign one 403', async () => {
  const [company, branch] = codes.split('/');
  const ask = (body: object) =>
    nobody.post('queries', '/generalLedgerQuery', { contaId: 1, year: 2026, month: 1, ...body });
  expect((await ask({ empresa: company, filial: branch })).status).toBe(403);
  expect((await ask({ empresa: '9999', filial: '9999' })).status).toBe(404);
});

test('a form has at most 200 fields', async () => {
  const form = (fields: number) => Array.from({ length: fields }, (_, at) => `f${at}=1`).join('&');
  const send = (fields: number) =>
    platform.admin.post('compliance', '/api/compliance/test', form(fields), { 'content-type': FORM });
  const many = await send(201);
  expect([many.status, many.body.code]).toEqual([400, 'INVALID_BODY']);
  const allowed = await send(200);
  expect([allowed.status, allowed.body.code]).toEqual([400, 'UNKNOWN_FIELD']);
});
