import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EcdFile, journal } from '../support/ecd-file.ts';
import { createEmptyBranch, type EmptyBranch, importEcd } from '../support/ecd-imports.ts';
import { closeMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

// Rules that nothing but an import of a bookkeeping file (ECD) has, each with a file or a branch that brings it about.

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

const post = (service: 'masterdata' | 'movements', path: string, body: unknown) =>
  bodyOf(platform.admin.post(service, path, body as object));

/** The options of a branch that has imported November. */
async function begun(change: object = {}): Promise<EmptyBranch> {
  const branch = await createEmptyBranch(platform.admin);
  const { resultado } = await importEcd(platform.admin, branch, journal().text(), { meses: '1' });
  expect(resultado.importado).toBe(true);
  if (Object.keys(change).length === 0) return branch;
  const { company, branch: code } = branch;
  const options = await bodyOf(platform.admin.get('masterdata', `/company/options/company/${company}/${code}`));
  const path = `/company/options/${options.id}`;
  await bodyOf(platform.admin.call('masterdata', 'PUT', path, { ...options, ...change }));
  return branch;
}

/** The journal from December on. */
function december(): EcdFile {
  const file = journal();
  const from = file.lines.findIndex(([code, day]) => code === 'I150' && day === '01112025');
  file.lines.splice(from, file.lines.findIndex(([code, day]) => code === 'I150' && day === '01122025') - from);
  const first = file.lines.findIndex(([code]) => code === 'I200');
  file.lines.splice(first, file.lines.findIndex(([, number]) => number === '202512.1.1.1') - first);
  return file.set('0000', 'DT_INI', '01122025');
}

async function branchWithSummary(): Promise<EmptyBranch> {
  const branch = await createEmptyBranch(platform.admin);
  const own = { accountType: 'S', nature: 'D', accountClass: '01', chartCode: `PLANO-${branch.company}` };
  for (const code of ['1', '1.1', '1.1.1', '1.1.1.01'])
    await post('masterdata', '/chartOfAccounts', { ...own, cdAccounting: code, description: code });
  return branch;
}

interface Case {
  readonly name: string;
  readonly rule: string;
  readonly stops: boolean;
  readonly file: () => EcdFile;
  readonly branch?: () => Promise<EmptyBranch>;
  readonly options?: Readonly<Record<string, string>>;
}

const CASES: readonly Case[] = [
  {
    name: 'a file over two years',
    ...{ rule: 'PARTIDAS_PERIODO_NAO_IMPORTADO', stops: true },
    file: () => journal().set('0000', 'DT_FIN', '31012026'),
  },
  {
    name: 'the file of another establishment of the company',
    ...{ rule: 'PARTIDAS_OUTRO_ESTABELECIMENTO', stops: false, file: journal },
    branch: () => createEmptyBranch(platform.admin, { cnpj: '11222333000262' }),
  },
  {
    name: 'a line that the rules of the branch reject',
    ...{ rule: 'PARTIDAS_LANCAMENTO_RECUSADO', stops: true },
    file: () => december().set('I250', 'HIST', '', 0),
    branch: () => begun({ historyRequired: true }),
  },
  {
    name: 'participants',
    ...{ rule: 'PARTIDAS_PARTIDA_SEM_CAMPOS', stops: false, file: journal },
  },
  {
    name: 'an account under a posting account',
    ...{ rule: 'PARTIDAS_CONTA_NAO_CABE', stops: true, options: { hierarquia: 'CODIGO' } },
    file: () => journal().set('I050', 'IND_CTA', 'A', 2),
  },
  {
    name: 'balances of an account that is a summary here',
    ...{ rule: 'PARTIDAS_CONTA_DE_OUTRO_TIPO', stops: true, file: journal, branch: branchWithSummary },
  },
  {
    name: 'an account that is younger than its balances',
    ...{ rule: 'PARTIDAS_DATA_DA_CONTA', stops: false },
    file: () => journal().set('I050', 'DT_ALT', '15112025', 3),
  },
  {
    name: 'a name of 250 characters',
    ...{ rule: 'PARTIDAS_TEXTO_CORTADO', stops: false },
    file: () => journal().set('I050', 'CTA', 'CAIXA '.repeat(41), 3),
  },
  {
    name: 'a month that has batches',
    ...{ rule: 'PARTIDAS_MES_NAO_LIVRE', stops: true, file: otherJournal, branch: () => begun() },
  },
  {
    name: 'a month that is closed',
    ...{ rule: 'PARTIDAS_MES_NAO_LIVRE', stops: true, file: otherJournal },
    branch: async () => {
      const branch = await begun();
      await closeMonth(platform.admin, branch, '11/2025');
      return branch;
    },
  },
  {
    name: 'a month that leaves a gap',
    ...{ rule: 'PARTIDAS_MES_NAO_LIVRE', stops: true },
    file: () => nextJanuary(),
    branch: () => begun(),
  },
  {
    name: 'a batch above the limit of the branch',
    ...{ rule: 'PARTIDAS_LOTE_ACIMA_DO_LIMITE', stops: true, file: december },
    branch: () => begun({ fourEyes: { batchLimit: '50.00' } }),
  },
];

/** The journal in other bytes. */
function otherJournal(): EcdFile {
  return journal().set('0000', 'NOME', 'BANCO DE PROVA LTDA.');
}

/** A month of balances without entries. */
function nextJanuary(): EcdFile {
  const file = december();
  for (const line of file.lines)
    for (const at of line.keys()) line[at] = line[at]!.replace(/^(\d\d)122025$/, '$1012026');
  for (const line of file.lines) if (line[0] === 'I200') line[1] = line[1]!.replace('202512', '202601');
  return file;
}

test.each(CASES)('$name: $rule', async ({ rule, stops, file, branch, options }) => {
  const place = branch ? await branch() : await createEmptyBranch(platform.admin);
  const { company, branch: code } = place;
  const batches = async () => (await platform.admin.get('movements', `/allbatch/${company}/${code}`)).body;
  const before = await batches();
  const { resultado, mensagem } = await importEcd(platform.admin, place, file().text(), options);
  expect(mensagem).toBeNull();
  const found = resultado.achados.filter(({ regra }: { regra: string }) => regra === rule);
  expect(found, JSON.stringify(resultado.contagens)).not.toEqual([]);
  expect(found[0]).toMatchObject({ impede: stops, severidade: stops ? 'ERRO' : 'AVISO' });
  expect(resultado.importado).toBe(!stops);
  if (stops) expect(await batches()).toEqual(before);
  else expect(resultado.prova.diferencas).toBe(0);
});

test('numbers of a day that differ by a zero are two', async () => {
  const file = journal().set('I200', 'DT_LCTO', '10112025', 1);
  file.set('I200', 'NUM_LCTO', '7', 0).set('I200', 'NUM_LCTO', '07', 1);
  const branch = await createEmptyBranch(platform.admin);
  const { resultado } = await importEcd(platform.admin, branch, file.text());
  expect(resultado).toMatchObject({ importado: true, criados: { lancamentos: 4 }, prova: { diferencas: 0 } });
});

/** Comes only behind 12 million entries; before, REGRA_REGISTRO_DUPLICADO does. */
const UNTRIED = ['PARTIDAS_NUMERO_DE_LANCAMENTO'];

test('every rule of an import is in a test', () => {
  const rules = readFileSync(
    new URL('../../src/features/posting/imports/ecd/import-findings.ts', import.meta.url),
    'utf8',
  ).matchAll(/^ {2}(PARTIDAS_\w+): \[/gm);
  const folder = new URL('.', import.meta.url);
  const tests = readdirSync(folder)
    .filter((name) => name.startsWith('ecd-import'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  const named = [...rules].map(([, rule]) => rule!);
  expect(named.length).toBeGreaterThan(25);
  expect(named).toEqual(expect.arrayContaining(UNTRIED));
  expect(named.filter((rule) => !tests.includes(rule))).toEqual([]);
});
