import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAdmin } from '../support/admin-command.ts';
import { journal } from '../support/ecd-file.ts';
import { createEmptyBranch, type EmptyBranch, endOfEcdImport, importEcd, postEcd } from '../support/ecd-imports.ts';
import { closeMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { differencesOf } from '../support/tampering.ts';

// What a bookkeeping file (ECD) meets: records that are there already, a proof that fails, and the command line.

let platform: Platform;
let folder: string;
beforeAll(async () => {
  [platform, folder] = await Promise.all([startPlatform(), mkdtemp(join(tmpdir(), 'partidas-ecd-import-'))]);
});
afterAll(async () => {
  await platform?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Finding {
  readonly regra: string;
  readonly impede: boolean;
  readonly valor?: string;
  readonly campo?: string;
}

const named = ({ achados }: { readonly achados: readonly Finding[] }, rule: string) =>
  achados.filter(({ regra }) => regra === rule);
const stopping = ({ achados }: { readonly achados: readonly Finding[] }) =>
  achados.filter(({ impede }) => impede).map(({ regra, campo }) => `${regra} ${campo}`);

const statementsOf = ({ company }: EmptyBranch) =>
  bodyOf(platform.admin.get('masterdata', `/statements?chart=PLANO-${company}`));

async function optionsOf({ company }: EmptyBranch) {
  const options = await bodyOf(platform.admin.get('masterdata', '/company/options'));
  return options.find((each: { company: string }) => each.company === company);
}

/** The journal without its last month, or that alone: the statements are those of the whole. */
function december() {
  const file = journal();
  const from = file.lines.findIndex(([code, day]) => code === 'I150' && day === '01112025');
  const to = file.lines.findIndex(([code, day]) => code === 'I150' && day === '01122025');
  file.lines.splice(from, to - from);
  const first = file.lines.findIndex(([code]) => code === 'I200');
  const last = file.lines.findIndex(([code, number]) => code === 'I200' && number === '202512.1.1.1');
  file.lines.splice(first, last - first);
  return file.set('0000', 'DT_INI', '01122025');
}

describe('records that are there already win, and what differs is listed', () => {
  test('standard narrations', async () => {
    const branch = await createEmptyBranch(platform.admin);
    const own = { cdHistory: 'H1', description: 'Nosso texto', company: branch.company };
    await bodyOf(platform.admin.post('masterdata', '/history', own));
    const { resultado } = await importEcd(platform.admin, branch, journal().text());
    expect(resultado).toMatchObject({ importado: true, criados: { historicos: 0 } });
    expect(named(resultado, 'PARTIDAS_HISTORICO_DIFERENTE')).toMatchObject([{ valor: 'H1', impede: false }]);
    const histories = await bodyOf(platform.admin.get('masterdata', '/history/'));
    expect(histories.filter(({ cdHistory }: { cdHistory: string }) => cdHistory === 'H1')).toEqual([
      expect.objectContaining({ description: 'Nosso texto' }),
    ]);
  });

  test('narrations with longer codes are written out', async () => {
    const branch = await createEmptyBranch(platform.admin);
    const file = journal().set('I075', 'COD_HIST', 'RECEBE-01').set('I250', 'COD_HIST_PAD', 'RECEBE-01', 1);
    const { resultado } = await importEcd(platform.admin, branch, file.text());
    expect(resultado).toMatchObject({ importado: true, criados: { historicos: 0 } });
    expect(named(resultado, 'PARTIDAS_HISTORICO_EM_TEXTO')).toHaveLength(1);
    const movements = (path: string) => bodyOf(platform.admin.get('movements', path));
    const batches = await movements(`/allbatch/${branch.company}/${branch.branch}`);
    const batch = batches.find(({ mes }: { mes: number }) => Number(mes) === 11);
    const [document] = await movements(`/alldocument/${batch.id}`);
    const lines = await movements(`/allentry/${document.id}`);
    expect(lines.map(({ historico }: { historico: string }) => historico)).toContain('RECEBIMENTO');
  });

  test('signatories, statements, and the statements are compared with the books again', async () => {
    const branch = await createEmptyBranch(platform.admin);
    await importEcd(platform.admin, branch, journal().text(), { meses: '1' });
    const before = { options: await optionsOf(branch), statements: await statementsOf(branch) };
    const file = december()
      .set('J930', 'IDENT_CPF_CNPJ', '52998224725', 0)
      .set('J930', 'IDENT_NOM', 'OUTRA PESSOA', 0)
      .set('J100', 'COD_AGL', 'P.9', 5);
    const { resultado } = await importEcd(platform.admin, branch, file.text());
    expect(resultado).toMatchObject({ importado: true, criados: { signatarios: 0, demonstracoes: 0, contas: 0 } });
    expect(named(resultado, 'PARTIDAS_SIGNATARIO_DIFERENTE')).toMatchObject([{ valor: 'OUTRA PESSOA' }]);
    expect(named(resultado, 'PARTIDAS_DEMONSTRACAO_DIFERENTE').length).toBeGreaterThan(0);
    expect((await optionsOf(branch)).signatories).toEqual(before.options.signatories);
    expect(await statementsOf(branch)).toEqual(before.statements);
  });

  test('an account that came later is on no line of an earlier statement, which is listed', async () => {
    const branch = await createEmptyBranch(platform.admin);
    const moved = december();
    for (const line of moved.lines) {
      if (line[0] === 'I250' && line[1] === '2.3.1.02') line[1] = '2.3.1.03';
      if (line[0] === 'I155' && line[1] === '2.3.1.02') line[1] = '2.3.1.03';
    }
    const at = moved.lines.findIndex(([code, , , , , account]) => code === 'I050' && account === '2.3.1.02');
    const added = moved.lines.slice(at, at + 3).map((line) => [...line]);
    added[0]![5] = '2.3.1.03';
    moved.lines.splice(at + 3, 0, ...added);
    await importEcd(platform.admin, branch, journal().text(), { meses: '1' });
    const { resultado } = await importEcd(platform.admin, branch, moved.text());
    expect(resultado).toMatchObject({ importado: true, criados: { contas: 1 }, prova: { diferencas: 0 } });
    expect(named(resultado, 'PARTIDAS_DEMONSTRACAO_DIFERENTE')).toMatchObject([{ valor: 'P.3', impede: false }]);
  });

  test('reference accounts: missing ones are mapped, others stay', async () => {
    const without = await createEmptyBranch(platform.admin);
    const first = await importEcd(platform.admin, without, journal().text());
    expect(named(first.resultado, 'PARTIDAS_PLANO_REFERENCIAL')).toHaveLength(1);
    expect(first.resultado.criados.contasReferenciais).toBe(0);
    const seed = fileURLToPath(new URL('../../src/seeds/referencial/REF_1_2021.csv', import.meta.url));
    const { code } = await runAdmin(platform, ['import', 'reference', '1', seed, '--name', 'PJ em geral']);
    expect(code).toBe(0);
    const branch = await createEmptyBranch(platform.admin);
    const { resultado } = await importEcd(platform.admin, branch, journal().text(), { meses: '1' });
    expect(resultado).toMatchObject({ importado: true, criados: { contasReferenciais: 7 } });
    const file = december().set('I051', 'COD_CTA_REF', '1.01.01.01.02', 0).set('I051', 'COD_CTA_REF', '9.99', 1);
    const second = (await importEcd(platform.admin, branch, file.text())).resultado;
    expect(second).toMatchObject({ importado: true, criados: { contasReferenciais: 0 } });
    expect(named(second, 'PARTIDAS_CONTA_REFERENCIAL_DIFERENTE')).toMatchObject([{ valor: '1.01.01.01.02' }]);
    expect(named(second, 'PARTIDAS_CONTA_REFERENCIAL')).toMatchObject([{ valor: '9.99' }]);
  });

  test('opening balances that differ stand against the import', async () => {
    const branch = await createEmptyBranch(platform.admin);
    const { importId } = await importEcd(platform.admin, branch, journal().text());
    expect(await platform.admin.call('movements', 'DELETE', `/imports/${importId}`)).toMatchObject({ status: 200 });
    const { company, branch: code } = branch;
    await bodyOf(
      platform.admin.call('masterdata', 'PUT', `/baseBalance/${company}/${code}`, [
        { cdAccounting: '1.1.1.01', balance: 1, dc: 'D' },
        { cdAccounting: '2.3.1.01', balance: 1, dc: 'C' },
      ]),
    );
    const { resultado } = await importEcd(platform.admin, branch, journal().text());
    expect(resultado.importado).toBe(false);
    expect(stopping(resultado)).toContain('PARTIDAS_SALDOS_INICIAIS undefined');
    expect(await bodyOf(platform.admin.get('masterdata', `/baseBalance/${company}/${code}`))).toHaveLength(2);
  });
});

describe('the proof', () => {
  test('of results before closing: what the file says otherwise takes everything back', async () => {
    const branch = await createEmptyBranch(platform.admin);
    const file = journal().set('I355', 'VL_CTA', '301,00', 0);
    const { resultado } = await importEcd(platform.admin, branch, file.text());
    expect(resultado).toMatchObject({ importado: false, criados: { partidas: 9 }, prova: { diferencas: 1 } });
    expect(stopping(resultado)).toEqual(['PARTIDAS_PROVA VL_CTA']);
    expect(await optionsOf(branch)).toBeUndefined();
    expect((await platform.admin.get('movements', `/allbatch/${branch.company}/${branch.branch}`)).body).toEqual([]);
    // A file that took nothing may come again, put right.
    const again = await importEcd(platform.admin, branch, journal().text());
    expect(again.resultado).toMatchObject({ importado: true, prova: { contas: 7, meses: 2, diferencas: 0 } });
  });

  test('of a statement that the file itself contradicts is listed as the error of the file', async () => {
    const branch = await createEmptyBranch(platform.admin);
    const file = journal().set('J100', 'VL_CTA_FIN', '301,00', 3);
    const { resultado } = await importEcd(platform.admin, branch, file.text());
    expect(resultado).toMatchObject({ importado: true, impeditivos: 0, prova: { diferencas: 0 } });
    expect(named(resultado, 'REGRA_VALIDA_BALANCO_SALDO_FIN').length).toBeGreaterThan(0);
  });

  test('holds for what verify adds up anew, open and closed', async () => {
    const branch = await createEmptyBranch(platform.admin);
    await importEcd(platform.admin, branch, journal().text());
    expect(await differencesOf(platform, { company: branch.company })).toEqual([]);
    await closeMonth(platform.admin, branch, '11/2025');
    await closeMonth(platform.admin, branch, '12/2025');
    expect(await differencesOf(platform, { company: branch.company })).toEqual([]);
  });
});

describe('asking for it', () => {
  test('without simular it is a trial', async () => {
    const branch = await createEmptyBranch(platform.admin);
    const form = new FormData();
    form.set('file', new Blob([Buffer.from(journal().text(), 'latin1')]), 'ecd.txt');
    const path = `/importEcd/${branch.company}/${branch.branch}?plano=PLANO-${branch.company}`;
    const asked = await platform.admin.post('movements', path, form);
    expect(asked).toMatchObject({ status: 202, body: { simular: true } });
    expect(asked.headers.get('location')).toBe(`/importEcd/jobs/${asked.body.id}`);
    const job = await endOfEcdImport(platform.admin, asked.body.id);
    expect(job.resultado).toMatchObject({ importado: false, impeditivos: 0, prova: { diferencas: 0 } });
    expect(await optionsOf(branch)).toBeUndefined();
  });

  test('twice at a time: one of a branch waits, another is rejected', async () => {
    const branch = await createEmptyBranch(platform.admin);
    const texts = Array.from({ length: 4 }, (_, at) => journal().set('0000', 'NOME', `BANCO ${at}`).text());
    const answers = await Promise.all(texts.map((text) => postEcd(platform.admin, branch, text)));
    const codes = answers.map(({ status, body }) => body.code ?? status).toSorted();
    expect(codes[0]).toBe(202);
    for (const code of codes.slice(1)) expect(['ECD_IMPORT_UNDER_WAY', 202]).toContain(code);
    expect(codes).toContain('ECD_IMPORT_UNDER_WAY');
    const accepted = answers.filter(({ status }) => status === 202);
    for (const { body } of accepted) await endOfEcdImport(platform.admin, body.id);
  });

  test.each([
    ['simular', 'talvez'],
    ['hierarquia', 'NENHUMA'],
    ['centroCusto', 'IGNORAR'],
    ['somenteSaldos', '2'],
    ['meses', '13'],
    ['meses', '0'],
    ['plano', 'P'.repeat(41)],
    ['outro', '1'],
  ])('%s=%s is a 400 that names it', async (name, value) => {
    const branch = await createEmptyBranch(platform.admin);
    const { status, body } = await postEcd(platform.admin, branch, journal().text(), { [name]: value });
    expect([status, body.errors?.[0]?.field ?? body.detail]).toEqual([400, name]);
  });
});

describe('npm run admin -- import ecd', () => {
  async function run(name: string, text: string, { company, branch }: EmptyBranch, ...words: string[]) {
    const path = join(folder, name);
    await writeFile(path, Buffer.from(text, 'latin1'));
    const chart = `PLANO-${company}`;
    return runAdmin(platform, ['import', 'ecd', `${company}/${branch}`, path, '--chart', chart, ...words]);
  }

  test('tries, imports, and is rejected again; the books are proven', async () => {
    const branch = await createEmptyBranch(platform.admin);
    const tried = await run('ecd.txt', journal().text(), branch, '--dry-run');
    expect(tried.code).toBe(0);
    expect(tried.out).toMatch(/^nada foi gravado: erros 0, impeditivos 0/m);
    expect(await optionsOf(branch)).toBeUndefined();
    const done = await run('ecd.txt', journal().text(), branch);
    expect(done.out).toMatch(/^prova: contas 7, meses 2, diferenças 0$/m);
    expect(done.out).toMatch(/^importado: /m);
    const again = await run('ecd.txt', journal().text(), branch);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('ecd.txt') });
    const { company, branch: code } = branch;
    const records = await bodyOf(platform.admin.get('movements', `/imports/${company}/${code}`));
    expect(records.map(({ status }: { status: string }) => status)).toEqual(['DONE', 'DONE']);
  }, 60_000);

  test('what stands against it is listed, and the exit code is 1', async () => {
    const branch = await createEmptyBranch(platform.admin);
    const { code, out } = await run('bad.txt', journal().set('I250', 'VL_DC', '201,00', 0).text(), branch);
    expect(code).toBe(1);
    expect(out).toMatch(/\tERRO\tPARTIDAS_LANCAMENTO_DESBALANCEADO\tI200\t1,00\t/);
    expect(out).toMatch(/^nada foi gravado: /m);
    expect(await optionsOf(branch)).toBeUndefined();
  }, 60_000);
});
