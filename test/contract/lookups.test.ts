import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { withTimeoutsWithin } from '../support/passing-time.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// Lookups against a local server that answers as the providers do. Every case looks up keys of its own, so that no
// answer comes from the cache.

type Behaviour = (response: ServerResponse, key: string) => void;

const fixture = (name: string) => readFileSync(new URL(`../fixtures/lookup/${name}.json`, import.meta.url), 'utf8');
const json =
  (body: string, status = 200): Behaviour =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);

let first: Behaviour;
let second: Behaviour;
const calls: string[] = [];
let provider: Server;
let platform: Platform;

beforeAll(async () => {
  provider = createServer((request, response) => {
    const [, place = '', key = ''] = (request.url ?? '').split('/');
    calls.push(place);
    (place.endsWith('1') ? first : second)(response, key);
  });
  await new Promise<void>((ready) => provider.listen(0, '127.0.0.1', ready));
  const at = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  platform = await startPlatform({
    SERVICES: 'authentication,masterdata',
    CNPJ_LOOKUP_URL: `brasilapi=${at}/cnpj1/{cnpj},receitaws=${at}/cnpj2/{cnpj}`,
    CEP_LOOKUP_URL: `${at}/cep1/{cep},viacep=${at}/cep2/{cep}`,
  });
});
afterAll(async () => {
  await platform?.stop();
  provider?.closeAllConnections();
  provider?.close();
});
beforeEach(() => {
  calls.length = 0;
  first = json(fixture('brasilapi_cep_404'), 404);
  second = json(fixture('viacep_notfound'));
});

const get = (path: string) => platform.admin.get('masterdata', path);
/** The fixture about another postal code. */
const brasilCep = (cep: string) => fixture('brasilapi_cep_v2').replace('05010000', cep);
const viaCep = (cep: string) => fixture('viacep_01001000').replace('01001-000', `${cep.slice(0, 5)}-${cep.slice(5)}`);

describe('a response without any known field means that the key is unknown', () => {
  test.each(['{}', '{"cep":"90000001","street":""}', '{"cep":"90000001","service":"x","street":null}'])(
    'postal code: %s',
    async (text) => {
      first = json(text);
      expect((await get('/companies/cep/90000001')).status).toBe(404);
    },
  );

  test.each(['{}', '{"cnpj":"00000000000191","razao_social":" "}'])('tax id: %s', async (text) => {
    first = json(text);
    second = json('{"status":"OK"}');
    expect((await get('/companies/cnpj/00000000000191')).status).toBe(404);
  });
});

describe('a tax id', () => {
  test('is read from BrasilAPI, and from the cache the second time', async () => {
    first = json(fixture('brasilapi_cnpj_example'));
    const answer = await get('/companies/cnpj/19131243000197');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      cnpj: '19131243000197',
      name: 'OPEN KNOWLEDGE BRASIL',
      tradeName: 'REDE PELO CONHECIMENTO LIVRE',
      status: 'ATIVA',
      openingDate: '2013-10-03',
      legalNature: 'Associação Privada',
      mainActivity: { code: '9430800', description: 'Atividades de associações de defesa de direitos sociais' },
      capital: 0,
      street: 'AVENIDA PAULISTA 37',
      number: '37',
      complement: 'ANDAR 4',
      district: 'BELA VISTA',
      city: 'SAO PAULO',
      state: 'SP',
      zipCode: '01311902',
      ibgeCode: '3550308',
      phone: '1123851939',
      email: null,
      source: 'brasilapi',
    });
    first = json('', 500);
    expect((await get('/companies/cnpj/19131243000197')).body).toEqual(answer.body);
    const masked = encodeURIComponent('19.131.243/0001-97');
    expect((await get(`/companies/cnpj/${masked}`)).body).toEqual(answer.body);
    expect(calls).toEqual(['cnpj1']);
  });

  test('is requested again when the cached response is older than a day', async () => {
    first = json(fixture('brasilapi_cnpj_example'));
    await get('/companies/cnpj/19131243000197');
    await withOwnerConnection(platform.ownerUrl, (client) =>
      client.query(`UPDATE lookup_cache SET fetched_at = now() - interval '25 hours' WHERE kind = 'CNPJ'`),
    );
    calls.length = 0;
    await get('/companies/cnpj/19131243000197');
    expect(calls).toEqual(['cnpj1']);
  });

  test('that the first provider does not know is asked of the second', async () => {
    first = json(fixture('brasilapi_cnpj_404'), 404);
    second = json(fixture('receitaws_ok_synthetic'));
    const answer = await get('/companies/cnpj/11222333000181');
    expect(answer.body).toMatchObject({
      cnpj: '11222333000181',
      name: 'EMPRESA EXEMPLO LTDA',
      openingDate: '2010-01-15',
      mainActivity: { code: '6421200', description: 'Bancos comerciais' },
      capital: 1000,
      zipCode: '01001000',
      complement: null,
      source: 'receitaws',
    });
    expect(answer.text).toContain('"capital":1000.00');
  });

  test.each([
    ['BrasilAPI 404 and ReceitaWS status ERROR', 'brasilapi_cnpj_404', 404],
    ['BrasilAPI 400 and ReceitaWS status ERROR', 'brasilapi_cnpj_400', 400],
  ])('that nobody knows is 404: %s', async (_name, body, status) => {
    first = json(fixture(body), status);
    second = json(fixture('receitaws_error'));
    expect(await get('/companies/cnpj/12ABC34501DE35')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(calls).toEqual(['cnpj1', 'cnpj2']);
  });

  test.each(['123', '1122233300018', '11.222.333/0001-8', '112223330001AB', '12abc34501de35'])(
    'of the form %s is 400 and nobody is asked',
    async (cnpj) => {
      const answer = await get(`/companies/cnpj/${encodeURIComponent(cnpj)}`);
      expect(answer).toMatchObject({
        status: 400,
        body: { errors: expect.arrayContaining([expect.objectContaining({ field: 'cnpj' })]) },
      });
      expect(calls).toEqual([]);
    },
  );
});

describe('a postal code', () => {
  test('is read from BrasilAPI, with the city number of its version 2', async () => {
    first = json(brasilCep('05010000'));
    expect((await get('/companies/cep/05010000')).body).toEqual({
      zipCode: '05010000',
      street: 'Rua Caiubi',
      complement: null,
      district: 'Perdizes',
      city: 'São Paulo',
      state: 'SP',
      ibgeCode: '3550308',
      source: 'brasilapi',
    });
  });

  test('that the first provider does not know is read from ViaCEP', async () => {
    second = json(fixture('viacep_01001000'));
    expect((await get('/companies/cep/01001000')).body).toEqual({
      zipCode: '01001000',
      street: 'Praça da Sé',
      complement: 'lado ímpar',
      district: 'Sé',
      city: 'São Paulo',
      state: 'SP',
      ibgeCode: '3550308',
      source: 'viacep',
    });
  });

  test.each(['{"erro": "true"}', '{"erro": true}'])('that nobody knows is 404: ViaCEP %s', async (body) => {
    second = json(body);
    expect((await get('/companies/cep/99999999')).status).toBe(404);
  });

  test.each(['1', '0100100', '010010000', '010-01000', '0100100a'])('of the form %s is 400', async (cep) => {
    expect((await get(`/companies/cep/${cep}`)).status).toBe(400);
    expect(calls).toEqual([]);
  });

  test.each<[string, string, Behaviour]>([
    ['answers 500', '20000001', json('{}', 500)],
    ['answers 429', '20000002', json('{}', 429)],
    ['answers a page', '20000003', (response) => response.writeHead(200).end('<html>manutenção</html>')],
    ['redirects', '20000004', (response) => response.writeHead(302, { location: '/cep2/20000004' }).end('{}')],
    ['answers without end', '20000005', (response) => response.writeHead(200).end(`["${'x'.repeat(300_000)}"]`)],
    ['hangs up', '20000006', (response) => response.destroy()],
    ['answers a list', '20000007', json('[]')],
    ['answers about another code', '20000008', json(brasilCep('11111111'))],
  ])('comes from the second provider when the first one %s', async (_name, cep, behaviour) => {
    first = behaviour;
    second = json(viaCep(cep));
    const answer = await get(`/companies/cep/${cep}`);
    expect(answer).toMatchObject({ status: 200, body: { zipCode: cep, source: 'viacep' } });
    expect(calls).toEqual(['cep1', 'cep1', 'cep2']);
    // A response in between, so that the failures of these cases do not add up to an open circuit.
    const sound = `21${cep.slice(2)}`;
    first = json(brasilCep(sound));
    expect((await get(`/companies/cep/${sound}`)).body).toMatchObject({ source: 'brasilapi' });
  });

  test('of a provider that fails and fails is not asked there any more', async () => {
    first = json('{}', 500);
    for (let round = 0; round < 4; round++) await get(`/companies/cep/3000000${round}`);
    calls.length = 0;
    second = json(viaCep('30000009'));
    expect((await get('/companies/cep/30000009')).body).toMatchObject({ source: 'viacep' });
    expect(calls).toEqual(['cep2']);
  });
});

describe('when nobody answers', () => {
  test('503 with Retry-After, and a company is created all the same', async () => {
    first = json('{}', 500);
    second = json('{}', 500);
    for (let round = 0; round < 4; round++) {
      const answer = await get('/companies/cep/40000000');
      expect(answer).toMatchObject({ status: 503, body: { code: 'LOOKUP_UNAVAILABLE' } });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.text).not.toContain('127.0.0.1');
    }
    const company = { name: 'Sem endereço', cnpj: '11222333000181', zipCode: '40000000' };
    const made = await platform.admin.post('masterdata', '/company', company);
    expect(made).toMatchObject({ status: 201, body: { street: null, city: null } });
  });
});

test('a company created with a postal code only gets its address', async () => {
  // A second program, whose providers have failed nobody yet.
  const at = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const fresh = await startPlatform({ SERVICES: 'authentication,masterdata', CEP_LOOKUP_URL: `${at}/fresh1/{cep}` });
  try {
    first = json(brasilCep('05010000'));
    const company = { name: 'Com endereço', cnpj: '11222333000181', zipCode: '05010000' };
    const made = await fresh.admin.post('masterdata', '/company', company);
    expect(made.body).toMatchObject({ street: 'Rua Caiubi', city: 'São Paulo', state: 'SP', ibgeCode: '3550308' });
    calls.length = 0;
    const own = { ...company, zipCode: '05010001', street: 'Rua Própria' };
    expect((await fresh.admin.post('masterdata', '/company', own)).body).toMatchObject({
      street: 'Rua Própria',
      city: null,
    });
    expect(calls).toEqual([]);
    // A provider that never answers costs the company two seconds, not its creation.
    first = () => {};
    const began = performance.now();
    const late = await fresh.admin.post('masterdata', '/company', { ...company, zipCode: '05010002' });
    expect(late).toMatchObject({ status: 201, body: { street: null } });
    expect(performance.now() - began).toBeLessThan(4_500);
    // The same provider asked directly: five seconds and one retry, then 503.
    calls.length = 0;
    const longest = await withTimeoutsWithin(300, async () => {
      const asked = await fresh.admin.get('masterdata', '/companies/cep/05010003');
      expect(asked).toMatchObject({ status: 503, body: { code: 'LOOKUP_UNAVAILABLE' } });
    });
    expect({ longest, calls }).toEqual({ longest: 5_000, calls: ['fresh1', 'fresh1'] });
  } finally {
    await fresh.stop();
  }
});

test('lookups need a token', async () => {
  expect((await platform.withToken('').get('masterdata', '/companies/cep/01001000')).status).toBe(401);
  expect((await platform.withToken('').get('masterdata', '/companies/cnpj/11222333000181')).status).toBe(401);
});
