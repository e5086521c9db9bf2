import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SQL } from '../../src/platform/database/statement.ts';
import { createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

const CNPJ = '11222333000181';
const ZIP = '20040002';

let platform: Platform;
let admin: Client;
let ana: Client;
let postOffice: Server;
beforeAll(async () => {
  postOffice = createServer((request, response) => {
    // Knows one postal code and leaves whoever requests another waiting.
    if (!request.url?.endsWith('/20040002')) return;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        ...{
          cep: '20040002',
          street: 'Avenida Rio Branco',
          neighborhood: 'Centro',
          city: 'Rio de Janeiro',
          state: 'RJ',
        },
        ibge: { city: '3304557' },
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(postOffice, 'listening');
  const { port } = postOffice.address() as AddressInfo;
  platform = await startPlatform({ CEP_LOOKUP_URL: `http://127.0.0.1:${port}/{cep}` });
  admin = platform.admin;
  const user = await createUser(admin, { username: 'ana', routines: ['COMPANIES'] });
  ana = await platform.as(user.username, user.password);
});
afterAll(async () => {
  await platform?.stop();
  postOffice?.closeAllConnections();
  postOffice?.close();
});

describe('companies', () => {
  test('take the next free code, and their creator gets access at once', async () => {
    const first = await ana.post('masterdata', '/company', { name: 'Banco Um', cnpj: CNPJ, zipCode: ZIP });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ name: 'Banco Um', cnpj: CNPJ, active: true, tradeName: null, warnings: [] });
    expect(first.body.company).toMatch(/^\d{4}$/);
    const second = await ana.post('masterdata', '/company', { name: 'Banco Dois', cnpj: CNPJ, zipCode: ZIP });
    expect(Number(second.body.company)).toBe(Number(first.body.company) + 1);
    const own = await ana.get('masterdata', '/usercompanies');
    expect(own.body.map((each: { company: string }) => each.company)).toEqual([
      first.body.company,
      second.body.company,
    ]);
    expect((await ana.get('masterdata', '/companies')).body).toHaveLength(2);
    expect((await ana.get('masterdata', `/companies/${first.body.id}`)).body).toMatchObject({ id: first.body.id });
    const byCode = await ana.get('masterdata', `/companies/bycompany/${first.body.company}`);
    expect(byCode.body).toMatchObject({ id: first.body.id });
  });

  test('get an empty address from the postal code, keep a given one, and do without when nobody answers', async () => {
    const filled = await admin.post('masterdata', '/company', { name: 'Rio', cnpj: CNPJ, zipCode: ZIP, number: '7' });
    expect(filled.body).toMatchObject({
      ...{ street: 'Avenida Rio Branco', number: '7', district: 'Centro', city: 'Rio de Janeiro', state: 'RJ' },
      ibgeCode: '3304557',
    });
    const given = await admin.post('masterdata', '/company', {
      name: 'Rio',
      cnpj: CNPJ,
      zipCode: ZIP,
      city: 'Niterói',
    });
    expect(given.body).toMatchObject({ city: 'Niterói', street: null });
    const began = performance.now();
    const silent = await admin.post('masterdata', '/company', { name: 'Sem', cnpj: CNPJ, zipCode: '99999999' });
    expect(silent.status).toBe(201);
    expect(silent.body).toMatchObject({ street: null, city: null });
    expect(performance.now() - began).toBeLessThan(6_000);
  });

  test('twenty created at once have twenty codes', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        admin.post('masterdata', '/company', { name: `Junto ${at}`, cnpj: CNPJ, zipCode: ZIP }),
      ),
    );
    expect(answers.map((each) => each.status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map((each) => each.body.company)).size).toBe(20);
  });

  test('the same code by two administrators at once: one 201, one 400', async () => {
    const body = { company: 'DUPLA', name: 'Dupla', cnpj: CNPJ, zipCode: ZIP };
    const answers = await Promise.all([
      admin.post('masterdata', '/company', body),
      admin.post('masterdata', '/company', body),
    ]);
    expect(answers.map((each) => each.status).sort()).toEqual([201, 400]);
    expect(answers.find((each) => each.status === 400)?.body).toMatchObject({
      code: 'DUPLICATE',
      errors: [{ field: 'company' }],
    });
  });

  test('a record read may be put back; fields left out are emptied', async () => {
    const { body: made } = await admin.post('masterdata', '/company', {
      ...{ name: 'Antes', cnpj: CNPJ, zipCode: ZIP, city: 'São Paulo', nire: '35300000000', nireDate: '2020-02-29' },
      institutionType: 'DTVM',
    });
    const read = (await admin.get('masterdata', `/companies/${made.id}`)).body;
    const put = await admin.call('masterdata', 'PUT', `/companies/${made.id}`, read);
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ ...read, updatedAt: expect.any(String) });
    const { city: _city, ...less } = read;
    const emptied = await admin.call('masterdata', 'PUT', `/companies/${made.id}`, { ...less, name: 'Depois' });
    expect(emptied.body).toMatchObject({ name: 'Depois', city: null, company: made.company, nireDate: '2020-02-29' });
    const other = await admin.call('masterdata', 'PUT', `/companies/${made.id}`, { ...read, id: made.id + 1 });
    expect(other.body).toMatchObject({ status: 400, code: 'ID_MISMATCH' });
  });

  test('a CNPJ and a postal code may be written with their punctuation and are kept without it', async () => {
    const company = { name: 'Pontuada', cnpj: '12.ABC.345/01DE-35', zipCode: '99999-999' };
    const made = await admin.post('masterdata', '/company', company);
    expect(made, made.text).toMatchObject({ status: 201, body: { cnpj: '12ABC34501DE35', zipCode: '99999999' } });
    const path = `/companies/${made.body.id}`;
    const changed = await admin.call('masterdata', 'PUT', path, { ...company, cnpj: '11.222.333/0001-81' });
    expect(changed.body).toMatchObject({ cnpj: CNPJ, zipCode: '99999999', warnings: [] });
    const branch = {
      company: made.body.company,
      branch: 'P',
      name: 'P',
      cnpj: '11.222.333/0001-81',
      zipCode: '99.999-999',
    };
    expect((await admin.post('masterdata', '/branch', branch)).body).toMatchObject({ cnpj: CNPJ, zipCode: '99999999' });
    const { company: code } = made.body;
    const type = { code: 'PONTUADO', description: 'x', regulatoryPlan: 'COFI' };
    const { body: fundType } = await admin.post('masterdata', '/fundType', type);
    const settings = {
      ...{ company: code, branch: 'P', fundTypeId: fundType.id, name: 'Fundo', cnpj: '12.ABC.345/01DE-35' },
      administrator: { cnpj: '11.222.333/0001-81', name: 'Administradora' },
      manager: { document: '123.456.789-09', name: 'Gestor' },
    };
    const fund = await admin.post('masterdata', '/fund/settings', settings);
    expect(fund, fund.text).toMatchObject({
      status: 201,
      body: { cnpj: '12ABC34501DE35', administrator: { cnpj: CNPJ }, manager: { document: '12345678909' } },
    });
  });

  test('wrong check digits of a CNPJ are warned about, letters are fine, another shape is rejected', async () => {
    const wrong = await admin.post('masterdata', '/company', { name: 'Erro', cnpj: '11222333000180', zipCode: ZIP });
    expect(wrong.status).toBe(201);
    expect(wrong.body.warnings).toHaveLength(1);
    const letters = await admin.post('masterdata', '/company', {
      name: 'Letras',
      cnpj: '12ABC34501DE35',
      zipCode: ZIP,
    });
    expect(letters.body.warnings).toEqual([]);
    for (const cnpj of [
      '1122233300018',
      '11.222.333/0001-8',
      '1-1222333000181',
      '12abc34501de35',
      11222333000181,
      null,
    ]) {
      const answer = await admin.post('masterdata', '/company', { name: 'Forma', cnpj, zipCode: ZIP });
      expect(answer.body).toMatchObject({ status: 400 });
      expect(answer.body.errors[0].field).toBe('cnpj');
    }
  });

  test.each([
    ['unknown field', { name: 'X', cnpj: CNPJ, zipCode: ZIP, nome: 'X' }, 'nome'],
    ['missing field', { cnpj: CNPJ, zipCode: ZIP }, 'name'],
    ['wrong type', { name: 7, cnpj: CNPJ, zipCode: ZIP }, 'name'],
    ['empty name', { name: '   ', cnpj: CNPJ, zipCode: ZIP }, 'name'],
    ['NUL', { name: 'a\u0000b', cnpj: CNPJ, zipCode: ZIP }, 'name'],
    ['postal code', { name: 'X', cnpj: CNPJ, zipCode: '0100100' }, 'zipCode'],
    ['long code', { company: '12345678901', name: 'X', cnpj: CNPJ, zipCode: ZIP }, 'company'],
    ['no such day', { name: 'X', cnpj: CNPJ, zipCode: ZIP, nireDate: '2026-02-31' }, 'nireDate'],
    ['institution', { name: 'X', cnpj: CNPJ, zipCode: ZIP, institutionType: 'LOJA' }, 'institutionType'],
  ])('%s: 400 naming the field, nothing stored', async (_name, body, field) => {
    const before = (await admin.get('masterdata', '/companies')).body.length;
    const answer = await admin.post('masterdata', '/company', body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((each: { field: string }) => each.field)).toContain(field);
    expect((await admin.get('masterdata', '/companies')).body).toHaveLength(before);
  });

  test('ids out of range are 400, absent and foreign ones 404, foreign codes 403', async () => {
    for (const id of ['0', '-1', '1.5', 'x', '9007199254740992', '9223372036854775808']) {
      expect((await admin.get('masterdata', `/companies/${id}`)).status).toBe(400);
    }
    const { body: foreign } = await admin.post('masterdata', '/company', { name: 'Alheia', cnpj: CNPJ, zipCode: ZIP });
    expect((await ana.get('masterdata', '/companies/9007199254740991')).status).toBe(404);
    expect((await ana.get('masterdata', `/companies/${foreign.id}`)).status).toBe(404);
    expect((await ana.call('masterdata', 'DELETE', `/companies/${foreign.id}`)).status).toBe(404);
    expect((await ana.get('masterdata', `/companies/bycompany/${foreign.company}`)).status).toBe(403);
    expect((await ana.get('masterdata', '/companies/bycompany/NADA')).status).toBe(404);
    expect((await platform.withToken('').get('masterdata', '/companies')).status).toBe(401);
  });

  test('the id of the path decides, whatever the body says', async () => {
    const own = (await ana.get('masterdata', '/companies')).body[0];
    const { body: foreign } = await admin.post('masterdata', '/company', { name: 'Alheia', cnpj: CNPJ, zipCode: ZIP });
    const answer = await ana.call('masterdata', 'PUT', `/companies/${foreign.id}`, { ...own });
    expect(answer.status).toBe(404);
    expect((await admin.get('masterdata', `/companies/${foreign.id}`)).body.name).toBe('Alheia');
  });

  test('are deleted only without branches', async () => {
    const { body: made } = await admin.post('masterdata', '/company', { name: 'Fica', cnpj: CNPJ, zipCode: ZIP });
    const branch = await admin.post('masterdata', '/branch', { company: made.company, branch: '1', name: 'Matriz' });
    const refused = await admin.call('masterdata', 'DELETE', `/companies/${made.id}`);
    expect(refused.body).toMatchObject({ status: 400, code: 'IN_USE', detail: expect.stringContaining('branches') });
    expect((await admin.call('masterdata', 'DELETE', `/branch/${branch.body.id}`)).status).toBe(200);
    expect((await admin.call('masterdata', 'DELETE', `/companies/${made.id}`)).status).toBe(200);
    expect((await admin.get('masterdata', `/companies/${made.id}`)).status).toBe(404);
  });
});

describe('branches', () => {
  test('are created, listed, read, changed and deleted', async () => {
    const { body: company } = await ana.post('masterdata', '/company', { name: 'Filiais', cnpj: CNPJ, zipCode: ZIP });
    const body = {
      company: company.company,
      branch: '0001',
      name: 'Matriz',
      headOffice: true,
      cnpj: CNPJ,
      city: 'Rio',
    };
    const made = await ana.post('masterdata', '/branch', body);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ ...body, active: true, warnings: [] });
    expect((await ana.post('masterdata', '/branch', body)).body).toMatchObject({ status: 400, code: 'DUPLICATE' });
    expect((await ana.get('masterdata', `/branch/${made.body.id}`)).body).toMatchObject(body);
    expect((await ana.get('masterdata', `/allbranch/${company.company}`)).body).toHaveLength(1);
    const all = (await ana.get('masterdata', '/allbranch')).body;
    expect(all.map((each: { id: number }) => each.id)).toContain(made.body.id);
    const read = (await ana.get('masterdata', `/branch/${made.body.id}`)).body;
    const put = await ana.call('masterdata', 'PUT', `/branch/${made.body.id}`, {
      ...read,
      name: 'Sede',
      branch: '0009',
    });
    expect(put.body).toMatchObject({ id: made.body.id, name: 'Sede', branch: '0009' });
    const moved = await ana.call('masterdata', 'PUT', `/branch/${made.body.id}`, { ...read, company: '9999' });
    expect(moved.body).toMatchObject({ status: 400, errors: [{ field: 'company' }] });
    expect((await ana.call('masterdata', 'DELETE', `/branch/${made.body.id}`)).status).toBe(200);
    expect((await ana.get('masterdata', `/branch/${made.body.id}`)).status).toBe(404);
  });

  test('of unknown and foreign companies: 404 and 403', async () => {
    const { body: foreign } = await admin.post('masterdata', '/company', { name: 'Alheia', cnpj: CNPJ, zipCode: ZIP });
    const body = { branch: '1', name: 'F' };
    expect((await ana.post('masterdata', '/branch', { ...body, company: 'NADA' })).status).toBe(404);
    expect((await ana.post('masterdata', '/branch', { ...body, company: foreign.company })).status).toBe(403);
    expect((await ana.get('masterdata', `/allbranch/${foreign.company}`)).status).toBe(403);
  });

  test('by a code that several companies have: 400 asking for the company', async () => {
    const codes: string[] = [];
    for (const name of ['Um', 'Outro']) {
      const { body } = await admin.post('masterdata', '/company', { name, cnpj: CNPJ, zipCode: ZIP });
      await admin.post('masterdata', '/branch', { company: body.company, branch: 'SOZINHA', name });
      codes.push(body.company);
    }
    const ambiguous = await admin.get('masterdata', '/branch/bybranch/SOZINHA');
    expect(ambiguous.body).toMatchObject({ status: 400, code: 'BRANCH_AMBIGUOUS' });
    const named = await admin.get('masterdata', `/branch/bybranch/SOZINHA?company=${codes[1]}`);
    expect(named.body).toMatchObject({ company: codes[1], branch: 'SOZINHA' });
    expect((await admin.get('masterdata', '/branch/bybranch/NENHUMA')).status).toBe(404);
    expect((await ana.get('masterdata', '/branch/bybranch/SOZINHA')).status).toBe(403);
    expect((await ana.get('masterdata', `/branch/bybranch/SOZINHA?company=${codes[0]}`)).status).toBe(403);
  });

  test('come with company name, options and open months; with books they stay', async () => {
    const bank = await createBank(admin);
    await openMonth(admin, bank, '01/2026');
    await admin.post('masterdata', '/branch', { company: bank.company, branch: '0002', name: 'Sem opções' });
    const { body } = await admin.get('masterdata', `/companybranch/${bank.company}`);
    expect(body).toMatchObject([
      {
        branch: '0001',
        companyName: `Banco ${bank.company}`,
        options: { chartCode: bank.chartCode },
        openMonths: ['01/2026'],
      },
      { branch: '0002', options: null, openMonths: [] },
    ]);
    const refused = await admin.call('masterdata', 'DELETE', `/branch/${bank.branchId}`);
    expect(refused.body).toMatchObject({ status: 400, code: 'IN_USE' });
  });

  test('whoever has one branch sees that branch only, and changes neither company nor set of branches', async () => {
    const bank = await createBank(admin);
    await admin.post('masterdata', '/branch', { company: bank.company, branch: '0002', name: 'Outra' });
    const user = await createUser(admin, {
      username: 'bia',
      routines: ['COMPANIES'],
      permissions: [{ company: bank.company, branch: '0002' }],
    });
    const bia = await platform.as(user.username, user.password);
    expect((await bia.get('masterdata', `/allbranch/${bank.company}`)).body).toMatchObject([{ branch: '0002' }]);
    expect((await bia.get('masterdata', `/companybranch/${bank.company}`)).body).toMatchObject([{ branch: '0002' }]);
    expect((await bia.get('masterdata', `/branch/${bank.branchId}`)).status).toBe(404);
    const company = (await bia.get('masterdata', '/companies')).body[0];
    expect(
      (await bia.call('masterdata', 'PUT', `/companies/${company.id}`, { ...company, name: 'Minha' })).status,
    ).toBe(403);
    const branch = { company: bank.company, branch: '0003', name: 'Nova' };
    expect((await bia.post('masterdata', '/branch', branch)).status).toBe(403);
  });
});

test('every change leaves a row in the trail', async () => {
  const { body } = await admin.post('masterdata', '/company', { name: 'Trilha', cnpj: CNPJ, zipCode: ZIP });
  await admin.call('masterdata', 'PUT', `/companies/${body.id}`, { ...body, name: 'Trilha nova' });
  await admin.call('masterdata', 'DELETE', `/companies/${body.id}`);
  const rows = await platform.program.database
    .under({ companies: '*', wholeCompanies: [], branches: [] })
    .rows<{ action: string; before: { name: string } | null; after: { name: string } | null }>(SQL`
      SELECT audit.action, audit.before, audit.after FROM audit
       WHERE audit.entity = 'company' AND audit.entity_id = ${String(body.id)} ORDER BY audit.id`);
  expect(rows.map((row) => [row.action, row.before?.name, row.after?.name])).toEqual([
    ['CREATE', undefined, 'Trilha'],
    ['UPDATE', 'Trilha', 'Trilha nova'],
    ['DELETE', 'Trilha nova', undefined],
  ]);
});
