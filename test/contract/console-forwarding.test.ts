import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DoorName, SERVICE_NAMES } from '../../src/platform/config.ts';
import { startProgram } from '../../src/program.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { type Browser, browserOf, signedInBrowser } from '../support/browser-client.ts';
import { askToCloseMonth, openMonth } from '../support/months.ts';
import { freshMetrics, type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let browser: Browser;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform({ JOBS: 'off' });
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  browser = await signedInBrowser(platform);
});
afterAll(() => platform?.stop());

const ME = '/api/authentication/api/auth/me';

describe.each(SERVICE_NAMES)('%s', (service) => {
  test('answers through the console as it does itself', async () => {
    const { body } = await browser.call('GET', `/api/${service}/actuator/info`);
    expect(body.app).toMatchObject({ name: 'partidas', service });
    expect((await browser.call('GET', `/api/${service}/no/such/path`)).body).toMatchObject({
      status: 404,
      code: 'ROUTE_NOT_FOUND',
      instance: '/no/such/path',
    });
    expect((await browser.call('HEAD', `/api/${service}/actuator/health`)).status).toBe(200);
  });

  test('has no page of documents where the cookie is', async () => {
    for (const path of ['/docs', '/docs/', '/docs/static/swagger-ui-bundle.js', '/docs-ui.html']) {
      expect((await browser.call('GET', `/api/${service}${path}`)).status, path).toBe(404);
    }
    expect((await browser.call('GET', `/api/${service}/v3/api-docs`)).status).toBe(200);
  });
});

test('bodies, uploads, status and headers are those of the service', async () => {
  const { company, branch } = bank;
  const batch = { empresa: company, filial: branch, ano: 2026, mes: 1 };
  const first = await browser.call('POST', '/api/movements/batch', batch, { 'idempotency-key': 'um' });
  expect(first.status).toBe(201);
  const again = await browser.call('POST', '/api/movements/batch', batch, { 'idempotency-key': 'um' });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const form = new FormData();
  form.append('file', new Blob(['dia;conta\n']), 'x.csv');
  const sent = new Response(form);
  const upload = await browser.call(
    'POST',
    `/api/movements/batch/${first.body.id}/import?dryRun=true`,
    new Uint8Array(await sent.arrayBuffer()),
    { 'content-type': sent.headers.get('content-type')! },
  );
  const direct = await platform.admin.post('movements', `/batch/${first.body.id}/import?dryRun=true`, form);
  expect([upload.status, upload.body.code]).toEqual([direct.status, direct.body.code]);
  const large = await browser.call('POST', '/api/movements/batch', `{"x":"${'x'.repeat(2_000_000)}"}`, {
    'content-type': 'application/json',
  });
  expect(large.status).toBe(413);
});

test('events come as they happen', async () => {
  const { id } = (await askToCloseMonth(platform.admin, bank, '01/2026')).body;
  const leaving = new AbortController();
  const response = await fetch(`${platform.address('console')}/api/movements/runconsolidation/${id}/events`, {
    headers: { cookie: browser.cookie!, 'sec-fetch-site': 'same-origin', 'accept-encoding': 'gzip, br' },
    signal: leaving.signal,
  });
  expect(response.headers.get('content-encoding')).toBeNull();
  const { value } = await response.body!.getReader().read();
  expect(new TextDecoder().decode(value)).toContain('PENDING');
  leaving.abort();
});

test('long JSON goes out packed where the client takes it, short JSON as it is', async () => {
  const path = '/api/masterdata/v3/api-docs';
  const plain = await browser.call('GET', path, undefined, { 'accept-encoding': 'identity' });
  const packed = await browser.call('GET', path, undefined, { 'accept-encoding': 'gzip, deflate, br' });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(packed.headers.get('vary')).toContain('Accept-Encoding');
  expect(packed.text).toBe(plain.text);
  const none = await browser.call('GET', path, undefined, { 'accept-encoding': 'gzip;q=0, identity' });
  expect(none.headers.get('content-encoding')).toBeNull();
  const short = await browser.call('GET', ME, undefined, { 'accept-encoding': 'gzip' });
  expect([short.headers.get('content-encoding'), short.status]).toEqual([null, 200]);
  const list = await browser.call(
    'GET',
    `/api/masterdata/chartOfAccounts/getallcoa/${bank.company}/${bank.branch}`,
    undefined,
    {
      'accept-encoding': 'gzip',
    },
  );
  expect(list.body.length).toBeGreaterThan(3);
  // The services themselves do not pack: whoever computes on their answers is nearer than a browser.
  const direct = await fetch(`${platform.address('masterdata')}/v3/api-docs`);
  expect(direct.headers.get('content-encoding')).toBeNull();
});

test.each([
  '/api/queries/../authentication/api/auth/me',
  '/api/queries/%2e%2e/authentication/api/auth/me',
  '/api/queries/%2E%2E%2fauthentication/api/auth/me',
  '/api/queries/..%2fauthentication/api/auth/me',
  '/api/queries/..\\authentication\\api/auth/me',
  '/api/queries/..%5cauthentication/api/auth/me',
  '/api/queries//authentication/api/auth/me',
  '/api/queries//127.0.0.1:1/api/auth/me',
  '/api//authentication/api/auth/me',
  '/api/./authentication/api/auth/me',
  '/api/authentication/./api/auth/me',
  '/api/Authentication/api/auth/me',
  '/api/authentication%2fapi/auth/me',
  '/api/%61uthentication/api/auth/me',
  '/%61pi/authentication/api/auth/me',
  '/api/authentication@127.0.0.1:1/api/auth/me',
  '/api/admin/api/auth/me',
  '/api/constructor/api/auth/me',
  '/api/__proto__/api/auth/me',
  '/api/console/nothing',
  '/api/authentication',
  '/api/authentication;x/api/auth/me',
  '/api/authentication/api/auth/me%00',
  '/api/authentication/api/auth/me%zz',
])('%s leads nowhere', async (path) => {
  const { status, headers } = await browser.call('GET', path);
  expect([400, 404]).toContain(status);
  expect(headers.get('content-type')).toContain('application/problem+json');
});

test('the token, the cookie and the sender are never what the client says', async () => {
  const forged = { authorization: `Bearer ${platform.admin.token}` };
  const nobody = browserOf(platform);
  expect((await nobody.call('GET', ME, undefined, forged)).body.code).toBe('SESSION_REQUIRED');
  const other = await platform.admin.post('authentication', '/api/admin/users', {
    username: 'carla',
    password: 'uma senha bem comprida',
  });
  expect(other.status).toBe(201);
  const carla = await signedInBrowser(platform, { username: 'carla', password: 'uma senha bem comprida' });
  expect((await carla.call('GET', ME, undefined, forged)).body.username).toBe('carla');
  const twice = await carla.call('GET', ME, undefined, { authorization: [forged.authorization, forged.authorization] });
  expect(twice.body.username).toBe('carla');
  const claimed = await carla.call(
    'POST',
    '/api/console/session',
    { username: 'carla', password: 'uma senha bem comprida' },
    {
      'x-forwarded-for': '203.0.113.9',
      forwarded: 'for=203.0.113.9',
      'x-real-ip': '203.0.113.9',
    },
  );
  expect(claimed.status).toBe(201);
  const sessions = await carla.call('GET', '/api/console/sessions');
  expect(sessions.text).not.toContain('203.0.113.9');
});

test('two requests in one, and two of what must be one, are refused', async () => {
  const { hostname, port } = new URL(platform.address('console'));
  const exchange = (text: string) =>
    new Promise<string>((resolve) => {
      let answer = '';
      const socket = connect(Number(port), hostname, () => socket.end(text));
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', () => resolve(answer));
    });
  const head = (more: string) =>
    `POST /api/movements/batch HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: same-origin\r\ncookie: ${browser.cookie}\r\nconnection: close\r\n${more}\r\n`;
  expect(await exchange(head('content-length: 4\r\ntransfer-encoding: chunked\r\n'))).toMatch(/^HTTP\/1.1 400/);
  expect(await exchange(head('content-length: 2\r\ncontent-length: 40\r\n'))).toMatch(/^HTTP\/1.1 400/);
  expect(await exchange(head('host: other\r\n'))).toMatch(/^HTTP\/1.1 400/);
  expect(await exchange(head('sec-fetch-site: same-origin\r\n'))).toMatch(/^HTTP\/1.1 403/);
  expect(await exchange(head('x-a: b\nsec-fetch-site: x\r\n'))).toMatch(/^HTTP\/1.1 400/);
});

test('a forwarded request is in the log and the measures of its service alone', async () => {
  await browser.call('GET', ME);
  const text = await freshMetrics(platform.admin, 'authentication');
  expect(text).toMatch(/service="authentication",method="GET",route="\/api\/auth\/me",status="200"/);
  expect(text).not.toMatch(/service="console"[^}]*route="\/api\/:service[^}]*status="200"/);
});

test('what a small answer costs more through the console than directly', async () => {
  const agent = new Agent({ keepAlive: true });
  const address = (service: DoorName) => new URL(platform.address(service));
  const timed = async ({ hostname, port }: URL, path: string, headers: Record<string, string>) => {
    const before = performance.now();
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ host: hostname, port, path, headers, agent }, resolve).on('error', reject).end();
    });
    await textOf(answer);
    expect(answer.statusCode).toBe(200);
    return performance.now() - before;
  };
  const direct = { authorization: `Bearer ${platform.admin.token}` };
  const throughConsole = { cookie: browser.cookie!, 'sec-fetch-site': 'same-origin' };
  const [service, door] = [address('authentication'), address('console')];
  const times: [number, number][] = [];
  // Side by side, so that what else the machine does is in both.
  for (let turn = 0; turn < 600; turn++) {
    const one = await timed(service, '/.well-known/jwks.json', direct);
    times.push([one, await timed(door, '/api/authentication/.well-known/jwks.json', throughConsole)]);
  }
  agent.destroy();
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length / 2]!;
  const warm = times.slice(200);
  const [alone, more] = [median(warm.map(([one]) => one)), median(warm.map(([one, other]) => other - one))];
  console.log(
    `forwarding: ${alone.toFixed(3)} ms directly, ${more.toFixed(3)} ms more through the console (median of 400)`,
  );
  expect(more).toBeLessThan(1);
});

describe('a console of its own process', () => {
  let second: Awaited<ReturnType<typeof startProgram>>;
  let far: Browser;
  /** In the place of a service: keeps what it was asked, and answers as it is told. */
  let receiver: Server;
  let asked: IncomingMessage | undefined;
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      asked = request;
      if (request.url === '/base/cut') return void response.write('{"half":', () => response.destroy());
      const headers = { 'content-type': 'application/json', 'x-own': 'yes', connection: 'close', 'x-request-id': 'r1' };
      response.writeHead(request.method === 'PUT' ? 409 : 200, headers);
      if (request.method === 'GET') response.end(JSON.stringify({ list: Array.from({ length: 500 }, (_, at) => at) }));
      else request.pipe(response);
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { config } = platform.program.app;
    const { port } = receiver.address() as { port: number };
    second = await startProgram(
      {
        ...config,
        services: ['console'],
        jobs: false,
        ports: { ...config.ports, console: 0 },
        serviceUrls: {
          ...config.serviceUrls,
          authentication: platform.address('authentication'),
          movements: platform.address('movements'),
          queries: `http://127.0.0.1:${port}/base/`,
          reports: 'http://127.0.0.1:9',
        },
      },
      { connectionString: platform.ownerUrl, silent: true, strictPaths: true },
    );
    far = await signedInBrowser({ address: () => second.addresses.console! });
  });
  afterAll(async () => {
    receiver?.close();
    await second?.stop();
  });

  test('reaches the services over HTTP', async () => {
    expect((await far.call('GET', ME)).body.username).toBe('admin');
    const batch = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
    expect((await far.call('POST', '/api/movements/batch', batch)).status).toBe(201);
    expect((await far.call('GET', '/api/movements/no/such')).body).toMatchObject({ status: 404 });
  });

  test('sends a token, who asked, and nothing of the browser’s own secrets', async () => {
    const answer = await far.call(
      'POST',
      '/api/queries/x?a=%2F&b=c%20d',
      { soma: 1 },
      {
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-host': 'evil.example',
        'x-real-ip': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
        authorization: 'Bearer x',
        connection: 'close, x-secret',
        'x-secret': '1',
        'accept-language': 'pt-BR',
      },
    );
    expect(answer).toMatchObject({ status: 200, body: { soma: 1 } });
    expect(answer.headers.get('x-own')).toBe('yes');
    expect(asked!.url).toBe('/base/x?a=%2F&b=c%20d');
    const { headers } = asked!;
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'accept-language': 'pt-BR',
    });
    expect(headers.authorization).toMatch(/^Bearer eyJ/);
    for (const name of ['cookie', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'x-secret']) {
      expect(headers[name], name).toBeUndefined();
    }
    expect(headers.host).toBe(`127.0.0.1:${(receiver.address() as { port: number }).port}`);
    expect((await far.call('PUT', '/api/queries/x', { a: 1 })).status).toBe(409);
  });

  test('packs what the service sent plain', async () => {
    const answer = await far.call('GET', '/api/queries/list', undefined, { 'accept-encoding': 'gzip' });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.body.list).toHaveLength(500);
  });

  test('says which service does not answer, and when to try again', async () => {
    const answer = await far.call('GET', '/api/reports/reports/jobs', undefined, { 'accept-language': 'pt-BR' });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(answer.body).toMatchObject({ code: 'SERVICE_DOWN', detail: expect.stringContaining('reports') });
    await expect(far.call('GET', '/api/queries/cut')).rejects.toThrow();
    expect((await far.call('GET', ME)).status).toBe(200);
  });
});
