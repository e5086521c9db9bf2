import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// No two codes look alike, and no name is blank: full-width forms are brought to the plain ones, all else is rejected.

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
});
afterAll(() => platform?.stop());

const md = (path: string, body: unknown) => platform.admin.post('masterdata', path, body);
const ADDRESS = { cnpj: '11222333000181', zipCode: '01001000' };
const ACCOUNT = { description: 'Conta', accountType: 'A', nature: 'D', accountClass: '01' };

test('a full-width code is the plain one', async () => {
  const wide = [...bank.company].map((each) => String.fromCodePoint(each.codePointAt(0)! + 0xfee0)).join('');
  expect((await md('/company', { ...ADDRESS, company: wide, name: 'Outro' })).body).toMatchObject({
    status: 400,
    code: 'DUPLICATE',
  });
  expect((await platform.admin.get('masterdata', `/companies/bycompany/${wide}`)).body.id).toBe(bank.companyId);
});

test.each([
  ['a company in Cyrillic', '/company', () => ({ ...ADDRESS, company: 'В1', name: 'Outro' }), 'company'],
  [
    'a branch with a zero-width space',
    '/branch',
    () => ({ company: bank.company, branch: '0\u200b', name: 'F' }),
    'branch',
  ],
  [
    'a chart with a Cyrillic letter',
    '/chartOfAccounts',
    () => ({ ...ACCOUNT, chartCode: 'СOSIF', cdAccounting: '1' }),
    'chartCode',
  ],
  ['a history with a dotless i', '/history', () => ({ cdHistory: 'ı', description: 'x' }), 'cdHistory'],
  ['a routine with a soft hyphen', '/routine', () => ({ code: 'SETT\u00adINGS', name: 'x' }), 'code'],
  ['a company whose name is a filler', '/company', () => ({ ...ADDRESS, name: '\u3164' }), 'name'],
  ['a group whose name mixes scripts', '/group', () => ({ name: 'Аdministradores' }), 'name'],
  [
    'a batch in another script',
    '/batch',
    () => ({ empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1, lote: '١' }),
    'lote',
  ],
])('%s is rejected', async (_, path, body, field) => {
  expect((await md(path, body())).body).toMatchObject({ status: 400, errors: [{ field }] });
});

test.each(['   ', '\u00a0', '\u200b'])('a rule named %j is rejected', async (name) => {
  const first = async (list: string) =>
    (await platform.admin.get('compliance', `/api/compliance/${list}/list`)).body[0].id;
  const rule = {
    cluetypeid: await first('cluetype'),
    businesssystemid: await first('businesssystem'),
    documents: [await first('document')],
    basebegin: '2026-01',
    validitybegin: '2026-01-01',
  };
  const { body } = await platform.admin.post('compliance', '/api/compliance/rule/add', { ...rule, name });
  expect(body).toMatchObject({ status: 400, errors: [{ field: 'name' }] });
});

test('a file is no way around it', async () => {
  const batch = await md('/batch', { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 });
  const form = new FormData();
  const rows = [
    'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico',
    '1\u200b;1;05;D;1.1.1;3.1;10,00;x',
  ];
  form.set('file', new File([rows.join('\n')], 'x.csv'));
  const { body } = await platform.admin.post('movements', `/batch/${batch.body.id}/import`, form);
  expect(body).toMatchObject({ successRows: 0 });
  expect(JSON.stringify(body.errors)).toContain('documento');
});
