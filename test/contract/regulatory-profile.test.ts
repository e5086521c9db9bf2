import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBank } from '../support/banks.ts';
import { bodyOf, type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

// What the regulators' files say of a company beside its books: regulatory-files, 2.

let platform: Platform;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform();
  admin = platform.admin;
});
afterAll(() => platform?.stop());

async function companyOf(institutionType: string | undefined): Promise<string> {
  const fields = { name: 'Perfil', cnpj: '11222333000181', zipCode: '01001000', institutionType };
  return (await bodyOf(admin.post('masterdata', '/company', fields))).company;
}

async function statementsOf(chartCode: string): Promise<{ id: number; kind: string }[]> {
  return bodyOf(admin.post('masterdata', '/statements/default', { chartCode, kinds: ['BP', 'DRE'] }));
}

const profileOf = (company: string) => admin.get('masterdata', `/regulatory/profile/${company}`);
const put = (company: string, body: object) => admin.call('masterdata', 'PUT', `/regulatory/profile/${company}`, body);

test.each([
  ['BANCO', { audited: true, ecdBook: 'B' }],
  ['DTVM', { audited: true, ecdBook: 'B' }],
  ['OUTRA', { audited: false, ecdBook: 'G' }],
  [undefined, { audited: false, ecdBook: 'G' }],
])('a company of kind %s that saved no profile has that of its kind', async (kind, expected) => {
  const company = await companyOf(kind);
  expect((await profileOf(company)).body).toEqual({
    ...{ company, bookkeeping: 'CENTRALIZED', branchAsCostCentre: false, ...expected },
    ...{ balanceSheetId: null, incomeStatementId: null, equityStatementId: null },
    ...{ auditor: null, registrations: [], updatedAt: null },
  });
});

test('a profile is saved, replaced, and in the trail', async () => {
  const bank = await createBank(admin);
  const [sheet, income] = await statementsOf(bank.chartCode);
  const given = {
    ...{ audited: true, bookkeeping: 'BY_BRANCH', branchAsCostCentre: true, ecdBook: 'G' },
    ...{ balanceSheetId: sheet!.id, incomeStatementId: income!.id },
    auditor: { document: '11.222.333/0001-81', name: 'Auditores Exemplo', cvmCode: '12345' },
    registrations: [{ entity: 'SP', code: '110042490114' }, { entity: '01' }],
  };
  const saved = await put(bank.company, given);
  expect(saved.status).toBe(200);
  expect(saved.body).toMatchObject({
    ...given,
    auditor: { document: '11222333000181', name: 'Auditores Exemplo', cvmCode: '12345' },
    registrations: [
      { entity: '01', code: null },
      { entity: 'SP', code: '110042490114' },
    ],
  });
  expect((await profileOf(bank.company)).body).toEqual(saved.body);
  // What a client read, it may send back.
  expect((await put(bank.company, { ...saved.body, audited: false })).body).toMatchObject({
    audited: false,
    auditor: saved.body.auditor,
  });
  expect((await put(bank.company, {})).body).toMatchObject({ auditor: null, registrations: [], balanceSheetId: null });
  const { body } = await admin.get(
    'authentication',
    `/api/admin/audit?entity=regulatory_profile&entityId=${bank.company}`,
  );
  expect(body.content.map(({ action }: { action: string }) => action)).toEqual(['UPDATE', 'UPDATE', 'CREATE']);
});

test('a statement of a profile is of its kind and of a chart of the company, and stays while it is named', async () => {
  const [bank, other] = [await createBank(admin), await createBank(admin)];
  const [sheet, income] = await statementsOf(bank.chartCode);
  const [foreign] = await statementsOf(other.chartCode);
  const swapped = await put(bank.company, { balanceSheetId: income!.id, incomeStatementId: sheet!.id });
  expect(swapped.status).toBe(400);
  expect(swapped.body.errors.map(({ field }: { field: string }) => field)).toEqual([
    'balanceSheetId',
    'incomeStatementId',
  ]);
  expect((await put(bank.company, { balanceSheetId: foreign!.id })).body).toMatchObject({ code: 'NOT_FOUND' });
  expect((await profileOf(bank.company)).body.updatedAt).toBeNull();
  expect((await put(bank.company, { balanceSheetId: sheet!.id })).status).toBe(200);
  const removed = await admin.call('masterdata', 'DELETE', `/statements/${sheet!.id}`);
  expect(removed.body).toMatchObject({ status: 400, code: 'IN_USE' });
  expect(removed.body.detail).toContain('regulatory profiles');
});

test.each([
  ['an authority that is none', { registrations: [{ entity: 'ZZ' }] }, 'registrations.0.entity'],
  ['an authority twice', { registrations: [{ entity: '01' }, { entity: '01', code: '9' }] }, 'registrations.1.entity'],
  ['a book that is not written', { ecdBook: 'R' }, 'ecdBook'],
  ['an auditor without a name', { auditor: { document: '11222333000181' } }, 'auditor.name'],
  ['an auditor with a wrong document', { auditor: { document: '123', name: 'A' } }, 'auditor.document'],
])('%s is rejected', async (_, body, field) => {
  const company = await companyOf('BANCO');
  const answer = await put(company, body);
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toMatchObject([{ field }]);
  expect((await profileOf(company)).body.updatedAt).toBeNull();
});

test('a company is described by those who keep the whole of it', async () => {
  const bank = await createBank(admin);
  const { company, branch } = bank;
  const user = { username: 'so-uma-filial', permissions: [{ company, branch }], routines: ['COMPANIES' as const] };
  const client = await platform.as(user.username, (await createUser(admin, user)).password);
  expect((await client.get('masterdata', `/regulatory/profile/${bank.company}`)).status).toBe(200);
  expect((await client.call('masterdata', 'PUT', `/regulatory/profile/${bank.company}`, {})).status).toBe(403);
  const other = await createBank(admin);
  expect((await client.get('masterdata', `/regulatory/profile/${other.company}`)).status).toBe(403);
});

test('lists of the federal revenue service are shown in their order', async () => {
  const { body } = await admin.get('masterdata', '/regulatory/codes/COD_ASSIN');
  expect(body).toContainEqual({ code: '900', description: 'Contador/Contabilista' });
  expect((await admin.get('masterdata', '/regulatory/codes/COD_ENT_REF')).body[0].code).toBe('00');
  expect((await admin.get('masterdata', '/regulatory/codes/password')).status).toBe(400);
});

test('companies, branches and signatories say what register 0000 and J930 want of them', async () => {
  const company = await companyOf('BANCO');
  const place = { company, branch: '0001' };
  const registrations = { stateRegistration: '110042490114', municipalRegistration: '12345678' };
  const { id, ...read } = await bodyOf(admin.get('masterdata', `/companies/bycompany/${company}`));
  const changed = { ...read, ...registrations, conversionDate: '2020-02-29' };
  expect((await admin.call('masterdata', 'PUT', `/companies/${id}`, changed)).body).toMatchObject({
    ...registrations,
    conversionDate: '2020-02-29',
  });
  const branch = await admin.post('masterdata', '/branch', { ...place, name: 'Matriz', ...registrations });
  expect(branch.body).toMatchObject(registrations);
  const signatory = {
    ...{ name: 'Maria', cpf: '12345678909', qualification: '900', phone: '1130000000' },
    ...{ crcCertificate: 'SP/2026/123456', crcValidTo: '2027-12-31' },
  };
  const options = { ...place, chartCode: 'PERFIL', baseYearMonth: '02/2026', signatories: [signatory] };
  const made = await admin.post('masterdata', '/company/options', options);
  expect(made.body.signatories).toMatchObject([signatory]);
  for (const wrong of [
    { qualification: '9' },
    { crcCertificate: '123' },
    { crcValidTo: '31/12/2027' },
    { cnpj: '1' },
  ]) {
    const body = { ...options, branch: '0002', signatories: [{ ...signatory, ...wrong }] };
    expect((await admin.post('masterdata', '/company/options', body)).status).toBe(400);
  }
});
