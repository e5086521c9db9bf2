import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLog } from '../../src/platform/log.ts';
import { withTimeoutsWithin } from '../support/passing-time.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let docked: Platform;
let folder: string;
let plain: Client;
let engine: Server;
const socket = join(tmpdir(), `engine-${randomBytes(4).toString('hex')}.sock`);
/** Everything that the engine was asked. */
const asked: string[] = [];

const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

beforeAll(async () => {
  engine = startEngine();
  platform = await startPlatform();
  docked = await startPlatform({ LOG_SOURCE: 'docker', DOCKER_SOCKET: socket, SERVICES: 'authentication,masterdata' });
  folder = join(platform.program.app.config.dataDir, 'logs');
  await mkdir(folder, { recursive: true });
  await platform.admin.post('authentication', '/api/admin/users', {
    username: 'comum',
    password: 'uma senha nada comum',
  });
  plain = await platform.as('comum', 'uma senha nada comum');
});
afterAll(async () => {
  engine?.close();
  await platform?.stop();
  await docked?.stop();
});

const read = (query: string, client = platform.admin) => client.get('masterdata', `/admin/container-logs${query}`);

test('the last lines of a service, 100 by default, over rolled files', async () => {
  const lines = Array.from({ length: 250 }, (_, at) => `line ${at + 1} ação`);
  await writeFile(join(folder, 'movements.9.log'), `${lines.slice(0, 200).join('\n')}\n`);
  await writeFile(join(folder, 'movements.10.log'), `${lines.slice(200).join('\n')}\n`);
  const answer = await read('?service=movements');
  expect(answer.body).toEqual({ service: 'movements', source: 'files', lines: lines.slice(150), count: 100 });
  expect((await read('?service=movements&lines=1')).body.lines).toEqual(['line 250 ação']);
  expect((await read('?service=movements&lines=10000')).body.lines).toEqual(lines);
  const own = await platform.admin.get('authentication', '/api/admin/container-logs?service=movements&lines=2');
  expect(own.body.lines).toEqual(lines.slice(-2));
  expect((await platform.admin.get('authentication', '/api/admin/container-logs')).body.service).toBe('authentication');
});

test('lines around the borders of the reader come whole', async () => {
  const long = ['a'.repeat(262_143), 'b'.repeat(262_144), 'ção'.repeat(100_000), 'last'];
  await writeFile(join(folder, 'queries.1.log'), `${long.join('\n')}\n`);
  for (const lines of [1, 2, 3, 4, 5]) {
    expect((await read(`?service=queries&lines=${lines}`)).body.lines).toEqual(long.slice(-lines));
  }
  await writeFile(join(folder, 'queries.1.log'), '');
  expect((await read('?service=queries')).body).toMatchObject({ lines: [], count: 0 });
});

test('tokens, passwords and CPFs are not shown, whoever wrote them', async () => {
  const lines = [
    `{"msg":"header Bearer ${TOKEN}"}`,
    `GET /x?access_token=${TOKEN}`,
    '{"password":"segredo"}',
    'signatário 529.982.247-25',
    'cpf 52998224725',
  ];
  await writeFile(join(folder, 'reports.1.log'), `${lines.join('\n')}\n`);
  const { text, body } = await read('?service=reports');
  expect(body.count).toBe(5);
  expect(text).not.toMatch(/c2lnbmF0dXJl|segredo|529\.982|52998224725/);
});

test('they are not written either', async () => {
  const dataDir = join(folder, '..', 'written');
  const log = await openLog('movements', { dataDir, level: 'info' });
  log.info({ authorization: `Bearer ${TOKEN}`, deep: { deeper: { password: 'segredo' } } }, `token ${TOKEN}`);
  log.error({ err: new Error(`senha=segredo cpf 529.982.247-25 ${TOKEN}`) }, 'failed');
  log.info('written');
  const { readFile } = await import('node:fs/promises');
  let text = '';
  for (let turn = 0; turn < 100 && !text.includes('"written"'); turn++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    text = await readFile(join(dataDir, 'logs', 'movements.1.log'), 'utf8').catch(() => '');
  }
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg),
  ).toHaveLength(3);
  expect(text).not.toMatch(/c2lnbmF0dXJl|segredo|529\.982/);
});

test.each([
  '?service=../../etc/passwd',
  '?service=..%2f..%2fetc%2fpasswd',
  '?service=%2e%2e%2fmovements',
  '?service=movements%00',
  '?service=movements.9',
  '?service=unknown',
  '?service=',
  '?service=MOVEMENTS',
  '?service=movements&service=queries',
  '',
  '?service=movements&lines=-1',
  '?service=movements&lines=0',
  '?service=movements&lines=1000000000',
  '?service=movements&lines=10001',
  '?service=movements&lines=abc',
  '?service=movements&lines=1e3',
  '?service=movements&lines=',
  '?service=movements&file=/etc/passwd',
])('/admin/container-logs%s is 400', async (query) => {
  expect((await read(query)).status).toBe(400);
  if (query.includes('lines') || query.includes('service=.')) {
    expect((await platform.admin.get('authentication', `/api/admin/container-logs${query}`)).status).toBe(400);
  }
});

test('only administrators read logs, and reading is audited', async () => {
  expect((await read('?service=movements', plain)).status).toBe(403);
  expect((await plain.get('masterdata', '/admin/container-logs/services')).status).toBe(403);
  expect((await plain.get('authentication', '/api/admin/container-logs')).status).toBe(403);
  expect((await read('?service=movements', platform.withToken(''))).status).toBe(401);
  await read('?service=compliance&lines=7');
  const audit = await platform.admin.get('authentication', '/api/admin/audit?action=READ_LOGS&entityId=compliance');
  expect(audit.body.content).toMatchObject([{ username: 'admin', entity: 'log', after: { lines: 7 } }]);
});

test('the services are named', async () => {
  const { body } = await platform.admin.get('masterdata', '/admin/container-logs/services');
  expect(body.services).toContainEqual({ name: 'movements', source: 'files' });
  expect(body.services).toHaveLength(8);
});

test('docker: the newest labelled container, frames taken apart, terminals as they are', async () => {
  asked.length = 0;
  const { body } = await read('?service=movements&lines=3', docked.admin);
  expect(body).toEqual({ service: 'movements', source: 'docker', lines: ['two', 'três', 'error [removed]'], count: 3 });
  expect(asked).toEqual([
    'GET /containers/json?all=1',
    'GET /containers/bbbbbbbbbbbb/json',
    'GET /containers/bbbbbbbbbbbb/logs?stdout=1&stderr=1&tail=3',
  ]);
  expect((await read('?service=queries', docked.admin)).body.lines).toEqual(['terminal']);
  expect((await read('?service=reports', docked.admin)).body).toMatchObject({ lines: [], count: 0 });
  const services = await docked.admin.get('masterdata', '/admin/container-logs/services');
  expect(services.body.services).toEqual([
    { name: 'movements', source: 'docker' },
    { name: 'queries', source: 'docker' },
  ]);
  expect(asked.every((each) => each.startsWith('GET '))).toBe(true);
});

test('docker: an engine that hangs, fails or is not there is 503', async () => {
  hanging = true;
  const longest = await withTimeoutsWithin(300, async () => {
    expect((await read('?service=movements', docked.admin)).status).toBe(503);
  });
  expect(longest).toBeLessThan(5_000);
  hanging = false;
  failing = true;
  expect((await read('?service=movements', docked.admin)).body.code).toBe('LOGS_UNAVAILABLE');
  failing = false;
  engine.closeAllConnections();
  await new Promise((resolve) => engine.close(resolve));
  await rm(socket, { force: true });
  const answer = await read('?service=movements', docked.admin);
  expect(answer.status).toBe(503);
  expect(answer.text).not.toContain('engine-');
});

let hanging = false;
let failing = false;

/** Speaks the part of the Docker Engine API that reads containers and their logs. */
function startEngine(): Server {
  const containers = [
    { Id: 'aaaaaaaaaaaa', Created: 100, Labels: { 'partidas.service': 'movements' } },
    { Id: 'bbbbbbbbbbbb', Created: 200, Labels: { 'partidas.service': 'movements' } },
    { Id: 'cccccccccccc', Created: 300, Labels: { 'com.docker.compose.service': 'queries' } },
    { Id: 'dddddddddddd', Created: 400, Labels: { 'partidas.service': 'something-else' } },
    { Id: '../../../../x', Created: 500, Labels: { 'partidas.service': 'reports' } },
    { Id: 'eeeeeeeeeeee', Created: 600, Labels: null },
  ];
  const frame = (stream: number, text: string) => {
    const head = Buffer.alloc(8);
    head[0] = stream;
    head.writeUInt32BE(Buffer.byteLength(text), 4);
    return Buffer.concat([head, Buffer.from(text)]);
  };
  return createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (hanging) return;
    if (failing) return void response.writeHead(500).end('{"message":"no"}');
    const [, id, what] = /^\/containers\/(\w+)\/(\w+)/.exec(request.url ?? '') ?? [];
    if (request.url?.startsWith('/containers/json')) return void response.end(JSON.stringify(containers));
    if (what === 'json') return void response.end(JSON.stringify({ Config: { Tty: id === 'cccccccccccc' } }));
    if (id === 'cccccccccccc') return void response.end('terminal\r\n');
    // A frame may end in the middle of a line, and of a letter.
    const [first, second] = [Buffer.from('três\n').subarray(0, 3), Buffer.from('três\n').subarray(3)];
    const head = (stream: number, bytes: Buffer) => {
      const framed = frame(stream, 'x'.repeat(bytes.length));
      bytes.copy(framed, 8);
      return framed;
    };
    response.end(Buffer.concat([frame(1, 'two\n'), head(1, first), head(1, second), frame(2, `error ${TOKEN}\n`)]));
  }).listen(socket);
}
