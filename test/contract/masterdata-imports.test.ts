import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SQL } from '../../src/platform/database/statement.ts';
import { createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform();
  admin = platform.admin;
});
afterAll(() => platform?.stop());

const COSIF = readFileSync(new URL('../../src/seeds/cosif/cosif2025_accounts.csv', import.meta.url));

function upload(path: string, content: string | Uint8Array<ArrayBuffer>, client = admin) {
  const form = new FormData();
  form.append('file', new Blob([content]), 'arquivo.csv');
  return client.call('masterdata', 'POST', path, form);
}
const details = async (chart: string) =>
  (await admin.get('masterdata', `/chartOfAccounts/detail/?chart=${chart}`)).body;

describe('a chart', () => {
  test('of 4,032 COSIF accounts loads in under 2 s and is listed in under 60 ms warm', async () => {
    const began = performance.now();
    const answer = await upload('/chartOfAccounts/import?chart=COSIF', new Uint8Array(COSIF));
    const seconds = (performance.now() - began) / 1000;
    expect(answer.body).toMatchObject({ success: true, totalRows: 4032, successRows: 4032, errorRows: 0, errors: [] });
    console.log(`COSIF chart, 4,032 accounts: loaded in ${seconds.toFixed(2)} s`);
    // Target 2 s; the bound leaves room for a machine that does other work.
    expect(seconds).toBeLessThan(15);
    const bank = await createBank(admin, { chartCode: 'COSIF', accounts: [] });
    const place = `${bank.company}/${bank.branch}`;
    for (const path of [`/chartOfAccounts/getallcoa/${place}`, '/chartOfAccounts/detail/?chart=COSIF']) {
      const times: number[] = [];
      for (let round = 0; round < 8; round++) {
        const start = performance.now();
        const listed = await admin.get('masterdata', path);
        times.push(performance.now() - start);
        expect(listed.body).toHaveLength(4032);
      }
      const best = Math.min(...times.slice(2));
      console.log(`${path}: ${best.toFixed(0)} ms warm, ${times[0]!.toFixed(0)} ms cold`);
      expect(best).toBeLessThan(300);
    }
    const accounts = await details('COSIF');
    const file = COSIF.toString('utf8').trim().split('\n').slice(1);
    const expected = new Map(file.map((line) => [line.split(',')[0], line] as const));
    const parentOf = (line: string) => /,(\d),([^,]*),[DCM],/.exec(line)?.slice(1, 3);
    for (const account of accounts) {
      const [level, parent] = parentOf(expected.get(account.cdAccounting)!)!;
      expect([String(account.level), account.parentCdAccounting ?? '']).toEqual([level, parent]);
    }
    const cash = accounts.find((each: { cdAccounting: string }) => each.cdAccounting === '1.1.1.10.00.00-8');
    expect(cash).toMatchObject({
      accountType: 'A',
      nature: 'D',
      accountClass: '01',
      estbanCode: '111',
      description: 'CAIXA',
    });
  });

  test('does not slow down the creation of accounts as it grows', async () => {
    const fill = async (chart: string) => {
      const group = chart === 'COSIF' ? '1.1.1.10.00.00' : '1.1.1.20.00.00';
      const times: number[] = [];
      for (let at = 0; at < 60; at++) {
        const began = performance.now();
        const answer = await admin.post('masterdata', '/chartOfAccounts?confirmed=true', {
          ...{ chartCode: chart, cdAccounting: `${group}-${100 + at}`, description: `Conta ${at}` },
          ...{ accountType: 'A', nature: 'D', accountClass: '01' },
        });
        times.push(performance.now() - began);
        expect(answer.status).toBe(201);
      }
      // The median: what else the machine does falls on few of them.
      return times.sort((a, b) => a - b)[30]!;
    };
    await fill('AQUECE');
    const [small, large] = [await fill('PEQUENO'), await fill('COSIF')];
    console.log(`an account: ${small.toFixed(1)} ms in a new chart, ${large.toFixed(1)} ms in one of 4,032`);
    expect(large / small).toBeLessThan(3);
  });

  test('of plain codes finds its tree, types and reduced codes', async () => {
    const csv = 'conta;descricao;natureza;classe;reduzido\n1;Ativo;D;01;\n1.1;Caixa;D;01;77\n1.10;Outros;D;01;\n';
    expect((await upload('/chartOfAccounts/import?chart=SIMPLES', csv)).body).toMatchObject({ success: true });
    expect(await details('SIMPLES')).toMatchObject([
      { cdAccounting: '1', accountType: 'S', childrenCount: 2, cdReduced: '78' },
      { cdAccounting: '1.1', accountType: 'A', cdReduced: '77', parentCdAccounting: '1' },
      { cdAccounting: '1.10', cdReduced: '79', parentCdAccounting: '1' },
    ]);
    const more = 'conta,descricao,natureza,classe,tipo\n1.2,Bancos,D,01,S\n1.2.1,Banco A,D,01,A\n';
    expect((await upload('/chartOfAccounts/import?chart=SIMPLES', more)).body).toMatchObject({ successRows: 2 });
    expect((await details('SIMPLES')).map((each: { cdReduced: string }) => each.cdReduced)).toEqual([
      ...['78', '77', '80', '81', '79'],
    ]);
  });

  test('takes accounts below a level that comes later, with everything below them', async () => {
    await upload(
      '/chartOfAccounts/import?chart=DEPOIS',
      'conta;nome;natureza;classe\n1;A;D;01\n1.1.1;B;D;01\n1.1.1.1;C;D;01\n',
    );
    await upload('/chartOfAccounts/import?chart=DEPOIS', 'conta;nome;natureza;classe\n1.1;Entre;D;01\n');
    const accounts = await details('DEPOIS');
    expect(accounts.map((each: { parentCdAccounting: string }) => each.parentCdAccounting)).toEqual([
      ...[null, '1', '1.1', '1.1.1'],
    ]);
    const idOf = new Map(accounts.map((each: { cdAccounting: string; id: number }) => [each.cdAccounting, each.id]));
    const rows = await platform.program.database
      .under({ companies: '*', wholeCompanies: [], branches: [] })
      .rows<{ ancestors: number[] }>(
        SQL`SELECT account.ancestors FROM account WHERE account.id = ${idOf.get('1.1.1.1') as number}`,
      );
    expect(rows[0]?.ancestors).toEqual([idOf.get('1'), idOf.get('1.1'), idOf.get('1.1.1')]);
  });

  test.each([
    ['duplicate code', '1;A;D;01;S\n1;B;D;01;S', 'row 3: cdAccounting'],
    ['same place', '1;A;D;01;S\n1.0;B;D;01;A', 'row 3: cdAccounting'],
    ['bad code', 'x;A;D;01;S', 'row 2: cdAccounting'],
    ['wrong check digit', '1.0.0.00.00.00-1;A;D;01;S', 'row 2: cdAccounting'],
    ['orphan', '1;A;D;01;S\n2.1;B;D;01;A', 'row 3: cdAccounting'],
    ['nature', '1;A;X;01;S', 'row 2: nature'],
    ['missing nature', '1;A;;01;S', 'row 2: nature'],
    ['class', '1;A;D;1;S', 'row 2: accountClass'],
    ['missing name', '1;;D;01;S', 'row 2: description'],
    ['analytic parent', '1;A;D;01;A\n1.1;B;D;01;A', 'row 2: accountType'],
    ['control character', '1;A\u0007;D;01;S', 'row 2: description'],
  ])('%s: nothing is saved, the row and column are reported', async (_name, rows, told) => {
    const answer = await upload(
      '/chartOfAccounts/import?chart=RUIM',
      `cdAccounting;description;nature;accountClass;accountType\n${rows}\n`,
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: false });
    expect(answer.body.errors[0]).toContain(told);
    expect(await details('RUIM')).toEqual([]);
  });

  test('with parents named in a circle, unknown columns, missing columns or no rows is rejected', async () => {
    const header = 'conta;nome;natureza;classe;contaPai';
    const circle = await upload('/chartOfAccounts/import?chart=RUIM', `${header}\n1;A;D;01;2\n2;B;D;01;1\n`);
    expect(circle.body.errors).toHaveLength(2);
    expect((await upload('/chartOfAccounts/import?chart=RUIM', `${header};x\n1;A;D;01;;1\n`)).body.errors[0]).toContain(
      'x',
    );
    expect((await upload('/chartOfAccounts/import?chart=RUIM', 'conta;nome\n1;A\n')).body.errors).toHaveLength(2);
    expect((await upload('/chartOfAccounts/import?chart=RUIM', `${header}\n`)).body.success).toBe(false);
    expect((await upload('/chartOfAccounts/import?chart=RUIM', new Uint8Array([0, 1, 2]))).status).toBe(400);
    expect((await admin.post('masterdata', '/chartOfAccounts/import?chart=RUIM', {})).status).toBe(415);
    expect(await details('RUIM')).toEqual([]);
  });

  test('in windows-1252 keeps its accents; a dry run saves nothing, a wrong digit may be confirmed', async () => {
    const head = new TextEncoder().encode('conta;nome;natureza;classe\n1.0.0.00.00.00-1;Aplica');
    const content = new Uint8Array([...head, 0xe7, 0xf5, 0x65, 0x73, ...new TextEncoder().encode(' \u0020;D;01\n')]);
    const dry = await upload('/chartOfAccounts/import?chart=ACENTO&confirmed=true&dryRun=true', content);
    expect(dry.body).toMatchObject({ success: true, successRows: 1 });
    expect(await details('ACENTO')).toEqual([]);
    await upload('/chartOfAccounts/import?chart=ACENTO&confirmed=true', content);
    expect(await details('ACENTO')).toMatchObject([{ description: 'Aplicações' }]);
  });

  test('of others is not added to', async () => {
    await upload('/chartOfAccounts/import?chart=ALHEIO', 'conta;nome;natureza;classe\n1;A;D;01\n');
    const { username, password } = await createUser(admin, { username: 'lia', routines: ['COMPANIES'] });
    const lia = await platform.as(username, password);
    const answer = await upload('/chartOfAccounts/import?chart=ALHEIO', 'conta;nome;natureza;classe\n2;A;D;01\n', lia);
    expect(answer.status).toBe(403);
  });
});

describe('companies', () => {
  const header = 'empresa;nome;cnpj;cep;filial;nomeFilial;matriz';

  test('come with their branches, a row a branch; a thousand in one go', async () => {
    const { username, password } = await createUser(admin, { username: 'max', routines: ['COMPANIES'] });
    const max = await platform.as(username, password);
    const rows = Array.from({ length: 1000 }, (_, at) => {
      const code = `F${at}`;
      return `${code};Fundo ${at};11.222.333/0001-81;01001-000;1;Sede;S\n${code};;;;2;Outra;N`;
    });
    const began = performance.now();
    const answer = await upload('/company/import', `${header}\n${rows.join('\n')}\n`, max);
    console.log(`1,000 companies, 2,000 branches: loaded in ${((performance.now() - began) / 1000).toFixed(2)} s`);
    expect(answer.body).toMatchObject({ success: true, totalRows: 2000, successRows: 2000 });
    const { body: companies } = await max.get('masterdata', '/companies');
    expect(companies).toHaveLength(1000);
    expect(companies[0]).toMatchObject({ cnpj: '11222333000181', zipCode: '01001000' });
    expect((await max.get('masterdata', '/allbranch/F7')).body).toMatchObject([
      { branch: '1', name: 'Sede', headOffice: true, zipCode: '01001000' },
      { branch: '2', name: 'Outra', headOffice: false },
    ]);
    const again = await upload('/company/import', `${header}\nF7;;;;3;Terceira;N\n`, max);
    expect(again.body).toMatchObject({ success: true });
  });

  test.each([
    ['known company', 'K1;Fundo;11222333000181;01001000;;;', 'row 2: company'],
    ['known branch', 'K1;;;;1;Sede;', 'row 2: branch'],
    ['missing fields', 'K2;Fundo;;;;;', 'row 2: cnpj'],
    ['branch twice', 'K2;Fundo;11222333000181;01001000;1;;\nK2;;;;1;;', 'row 3: branch'],
    ['cnpj', 'K2;Fundo;112;01001000;;;', 'row 2: cnpj'],
    ['postal code', 'K2;Fundo;11222333000181;0100;;;', 'row 2: zipCode'],
    ['flag', 'K2;Fundo;11222333000181;01001000;1;;talvez', 'row 2: headOffice'],
  ])('%s: nothing is saved', async (_name, rows, told) => {
    await upload('/company/import', `${header}\nK1;Fundo;11222333000181;01001000;1;Sede;S\n`);
    const answer = await upload('/company/import', `${header}\n${rows}\n`);
    expect(answer.body.success).toBe(false);
    expect(answer.body.errors[0]).toContain(told);
    expect((await admin.get('masterdata', '/companies/bycompany/K2')).status).toBe(404);
  });

  test('of others get no branches', async () => {
    await upload('/company/import', `${header}\nK1;Fundo;11222333000181;01001000;1;Sede;S\n`);
    const { username, password } = await createUser(admin, { username: 'nina', routines: ['COMPANIES'] });
    const nina = await platform.as(username, password);
    const answer = await upload('/company/import', `${header}\nK1;;;;9;Minha;N\n`, nina);
    expect(answer.body).toMatchObject({ success: false, errorRows: 1 });
  });
});

describe('the calendar and the base balances of a branch', () => {
  test('holidays come from a file, closed days stay closed', async () => {
    const bank = await createBank(admin);
    const place = `${bank.company}/${bank.branch}`;
    await openMonth(admin, bank, '01/2026');
    await admin.post('masterdata', `/calendar/${place}`, { date: '2026-01-20', status: 'F' });
    const answer = await upload(
      `/calendar/${place}/import`,
      'data;feriado;diautil\n20/01/2026;São Sebastião;\n2026-01-25;Aniversário;S\n',
    );
    expect(answer.body).toMatchObject({ success: true, successRows: 2 });
    const { body } = await admin.get('masterdata', `/calendar/${place}/1/2026`);
    expect(body[19]).toMatchObject({ holidayName: 'São Sebastião', businessDay: false, status: 'F' });
    expect(body[24]).toMatchObject({ holidayName: 'Aniversário', businessDay: true });
    const wrong = await upload(
      `/calendar/${place}/import`,
      'data;feriado\n31/02/2026;X\n20/01/2026;\n21/01/2026;A\n21/01/2026;B\n',
    );
    expect(wrong.body).toMatchObject({ success: false, totalRows: 4, successRows: 2, errorRows: 2 });
  });

  test('base balances come from a file, or nothing does', async () => {
    const bank = await createBank(admin);
    const place = `${bank.company}/${bank.branch}`;
    const good = 'conta;saldo;dc\n1.1.1;1.234,56;D\n3.1;1234.56;C\n';
    expect((await upload(`/baseBalance/${place}/import?dryRun=true`, good)).body).toMatchObject({ success: true });
    expect((await admin.get('masterdata', `/baseBalance/${place}`)).body).toEqual([]);
    expect((await upload(`/baseBalance/${place}/import`, good)).body).toMatchObject({ success: true, successRows: 2 });
    const stored = (await admin.get('masterdata', `/baseBalance/${place}`)).body;
    expect(stored).toMatchObject([
      { cdAccounting: '1.1.1', balance: 1234.56, dc: 'D' },
      { cdAccounting: '3.1', balance: 1234.56, dc: 'C' },
    ]);
    for (const [rows, told] of [
      ['1.1.1;1;D', 'row 1: file'],
      ['1.1.1;1,0001;D\n3.1;1;C', 'row 2: balance'],
      ['1;1;D\n3.1;1;C', 'row 2: cdAccounting'],
      ['9.9;1;D\n3.1;1;C', 'row 2: cdAccounting'],
      ['1.1.1;-1;D\n3.1;1;C', 'row 2: balance'],
    ]) {
      const answer = await upload(`/baseBalance/${place}/import`, `conta;saldo;dc\n${rows}\n`);
      expect(answer.body.success, rows).toBe(false);
      expect(answer.body.errors[0]).toContain(told);
    }
    expect((await admin.get('masterdata', `/baseBalance/${place}`)).body).toEqual(stored);
  });
});
