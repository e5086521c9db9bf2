import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAdmin } from '../support/admin-command.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// `npm run admin -- import …` as processes of their own beside the running program.

let platform: Platform;
let folder: string;
beforeAll(async () => {
  [platform, folder] = await Promise.all([startPlatform(), mkdtemp(join(tmpdir(), 'partidas-admin-'))]);
});
afterAll(async () => {
  await platform?.stop();
  await rm(folder, { recursive: true, force: true });
});

const md = async (path: string) => (await platform.admin.get('masterdata', path)).body;
const run = async (...words: string[]) => {
  const { code, out, err } = await runAdmin(platform, words);
  return code === 0 ? out.trim() : `${code}: ${err.trim()}`;
};
async function csv(name: string, lines: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}
const seed = (path: string) => fileURLToPath(new URL(`../../src/seeds/${path}`, import.meta.url));

test('every list of the help is imported from a shell, and the running program shows it', async () => {
  const companies = await csv('companies.csv', [
    'company;name;cnpj;zipCode;branch;branchName',
    'T1;Banco do Terminal;11222333000181;01001000;0001;Matriz',
    'T1;;;;0002;Filial',
  ]);
  const histories = await csv('histories.csv', ['cdHistory;description', `T1;${'h'.repeat(500)}`]);
  const chart = await csv('chart.csv', [
    'cdAccounting;description;accountType;nature;accountClass',
    '1;Ativo;S;D;01',
    '1.1;Caixa;A;D;01',
    '3;Patrimônio;S;C;03',
    '3.1;Capital;A;C;03',
  ]);
  expect(await run('import', 'companies', companies, '--dry-run')).toBe(
    'companies.csv: 2 rows checked, nothing is saved',
  );
  expect(await md('/allbranch')).toEqual([]);
  expect(
    await Promise.all([
      run('import', 'companies', companies),
      run('import', 'histories', histories),
      run('import', 'chart', 'TERMINAL', chart),
      run('import', 'reference', 'RFB-1', seed('referencial/REF_1_2021.csv'), '--name', 'Tabela 1'),
    ]),
  ).toEqual([
    'companies.csv: 2 rows imported',
    'histories.csv: 1 rows imported',
    'chart.csv: 4 rows imported',
    'REF_1_2021.csv: 1109 rows imported',
  ]);
  expect((await md('/allbranch/T1')).map((each: { branch: string }) => each.branch)).toEqual(['0001', '0002']);
  expect(await md('/history/')).toEqual([expect.objectContaining({ cdHistory: 'T1', description: 'h'.repeat(500) })]);
  expect(await md('/referenceChartOfAccounts/all')).toContainEqual(
    expect.objectContaining({ code: 'RFB-1', name: 'Tabela 1' }),
  );
  const options = { company: 'T1', branch: '0001', chartCode: 'TERMINAL', baseYearMonth: '01/2026' };
  expect((await platform.admin.post('masterdata', '/company/options', options)).status).toBe(201);
  const balances = await csv('balances.csv', ['conta;saldo;dc', '1.1;10,50;D', '3.1;10,50;C']);
  const days = await csv('days.csv', ['date;holidayName', '2026-01-25;Aniversário de São Paulo']);
  expect(
    await Promise.all([
      run('import', 'balances', 'T1/0001', balances),
      run('import', 'calendar', 'T1/0001', days),
      run('import', 'histories', histories),
    ]),
  ).toEqual([
    'balances.csv: 2 rows imported',
    'days.csv: 1 rows imported',
    expect.stringMatching(/^1: row 2: cdHistory: History T1 already exists\nerrors: 1; nothing is saved$/),
  ]);
  expect(await md('/baseBalance/T1/0001')).toHaveLength(2);
  expect(await md('/calendar/T1/0001/1/2026')).toContainEqual(
    expect.objectContaining({ holidayName: 'Aniversário de São Paulo' }),
  );
}, 60_000);

test('what cannot be imported is one line and exit code 1', async () => {
  const given: [string[], string][] = [
    [['chart', 'P', join(folder, 'nowhere.csv')], 'nowhere.csv: there is no such file'],
    [['chart', 'P', folder], 'is a folder'],
    [['chart', 'P'.repeat(41), 'x.csv'], 'chart must have at most 40 characters'],
    [
      ['reference', 'NOVO', seed('referencial/REF_1_2021.csv'), '--name', 'x', '--dry-run'],
      'there is no reference chart NOVO, and a dry run does not begin it',
    ],
  ];
  const said = await Promise.all(given.map(([words]) => run('import', ...words)));
  said.forEach((line, at) => {
    expect(line).toContain(given[at]![1]);
    expect(line).toMatch(/^1: /);
    expect(line).not.toContain('    at ');
  });
}, 60_000);
