import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAdmin } from '../support/admin-command.ts';
import { DEMO_HEAD_OFFICE, DEMO_YEAR, workDemoYear } from '../support/demo-year.ts';
import { downloadFiling, type FilingEnd, writeFiling } from '../support/filings.ts';
import { bodyOf, type Client, type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';
import { type TwoBranches, workTwoBranches } from '../support/two-branches.ts';
import { createUser } from '../support/users.ts';

// What a file would be found wrong with, before it is written: nothing is written or kept, and every error of the check is foretold.

interface Finding {
  readonly regra: string;
  readonly severidade: 'ERRO' | 'AVISO';
  readonly texto: string;
  readonly valor?: string;
  readonly onde?: { readonly recurso: string; readonly id?: number; readonly caminho: string };
}
interface Prechecked {
  readonly erros: number;
  readonly avisos: number;
  readonly achados: readonly Finding[];
  readonly contagens: Readonly<Record<string, number>>;
}

const asked = (client: Client, query: Readonly<Record<string, string | number | boolean>>) =>
  client.get(
    'reports',
    `/regulatory/precheck?${new URLSearchParams(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])))}`,
  ) as Promise<HttpAnswer<Prechecked & { code?: string; errors?: { field: string }[] }>>;
const precheck = async (client: Client, query: Readonly<Record<string, string | number | boolean>>) => {
  const { status, body, text } = await asked(client, query);
  expect(status, text).toBe(200);
  return body as Prechecked;
};
const rulesOf = ({ achados }: Pick<Prechecked, 'achados'>, severity: 'ERRO' | 'AVISO' = 'ERRO') =>
  [...new Set(achados.filter(({ severidade }) => severidade === severity).map(({ regra }) => regra))].sort();

/** Of the customer's own rules: the number follows. */
const OF_RULE = 'PARTIDAS_REGRA_';

describe('of a bookkeeping file', () => {
  let platform: Platform;
  let folder: string;
  let banks: TwoBranches;
  let ofYear: { readonly empresa: string; readonly arquivo: 'ECD'; readonly ano: number };

  beforeAll(async () => {
    platform = await startPlatform();
    banks = await workTwoBranches(platform);
    folder = await mkdtemp(join(tmpdir(), 'partidas-precheck-'));
    ofYear = { empresa: banks.head.company, arquivo: 'ECD', ano: 2025 };
  }, 300_000);
  afterAll(async () => {
    await platform?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('without its entries, books that can be delivered have no error', async () => {
    for (const livro of ['G', 'B']) {
      const found = await precheck(platform.admin, { ...ofYear, livro });
      expect(found, JSON.stringify(found.contagens)).toMatchObject({ erros: 0 });
    }
  });

  test('with its entries, a line without a narration is found, and the entry to mend', async () => {
    const found = await precheck(platform.admin, { ...ofYear, livro: 'G', completo: true });
    expect(rulesOf(found)).toEqual(['REGRA_HISTORICO_OBRIGATORIO']);
    expect(found.erros).toBe(2);
    const { recurso, caminho } = found.achados.find(({ severidade }) => severidade === 'ERRO')!.onde!;
    expect(recurso).toBe('entry');
    const { content } = await bodyOf(platform.admin.get('queries', caminho));
    expect(content.map((line: { historico: string | null }) => line.historico)).toEqual([null, null]);
  });

  test('every error of the check is foretold, as often as it is there', async () => {
    const { company, branch } = banks.head;
    const [options] = (await bodyOf(platform.admin.get('masterdata', '/company/options'))).filter(
      (each: { company: string; branch: string }) => each.company === company && each.branch === branch,
    );
    const restore = () =>
      bodyOf(platform.admin.call('masterdata', 'PUT', `/company/options/${options.id}`, { ...options }));
    // No accountant signs, and the one who does answers for nothing.
    const signatories = [{ name: 'Maria Direção', cpf: '52998224725', qualification: '203', legalResponsible: false }];
    await bodyOf(
      platform.admin.call('masterdata', 'PUT', `/company/options/${options.id}`, { ...options, signatories }),
    );
    for (const livro of ['G', 'B'] as const) {
      const written: FilingEnd = await writeFiling(platform.admin, 'ecd', {
        ...{ empresa: company, ano: 2025, livro, comErros: true },
      });
      const found = await precheck(platform.admin, { ...ofYear, livro, completo: true });
      expect(found.contagens).toEqual(written.contagens);
      expect(found.achados).toEqual(written.achados);
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(await downloadFiling(platform, written))]), 'ecd.txt');
      const checked: Prechecked = await bodyOf(platform.admin.post('reports', '/regulatory/check', form));
      expect(rulesOf(found)).toEqual(expect.arrayContaining(rulesOf(checked)));
      expect(checked.erros).toBeGreaterThan(0);
      // So does the command line, which keeps such a file only when it is told to.
      const path = join(folder, `${livro}.txt`);
      const words = ['ecd', company, '2025', '--book', livro, '--out', path];
      expect(await runAdmin(platform, words)).toMatchObject({ code: 1, out: expect.stringMatching(/não gerado\n$/) });
      expect(await readdir(folder)).not.toContain(`${livro}.txt`);
      const kept = await runAdmin(platform, [...words, '--with-errors']);
      expect(kept).toMatchObject({ code: 0, out: expect.stringContaining(written.sha256!) });
      expect((await readFile(path)).equals(await downloadFiling(platform, written))).toBe(true);
      // Quickly, too, as far as no entry is read.
      const quick = await precheck(platform.admin, { ...ofYear, livro });
      expect(rulesOf(quick)).toEqual(rulesOf(checked).filter((rule) => rule !== 'REGRA_HISTORICO_OBRIGATORIO'));
      expect(quick.achados.find(({ severidade }) => severidade === 'ERRO')!.onde).toMatchObject({
        recurso: 'company_options',
      });
    }
    await restore();
  });

  test('a month that is not closed is named with the way to close it', async () => {
    const found = await precheck(platform.admin, { ...ofYear, ano: 2024 });
    expect(found.contagens.PARTIDAS_MES_NAO_CONSOLIDADO).toBeGreaterThan(0);
    expect(found.achados[0]!.onde!.caminho).toContain('/runconsolidation?');
  });

  test('the terms of the file are those of the one that is written', async () => {
    const wanted: Record<string, string | boolean>[] = [
      { dataFim: '2025-06-30', semestral: true },
      { dataInicio: '2025-01-15' },
    ];
    for (const terms of wanted) {
      const found = await precheck(platform.admin, { ...ofYear, livro: 'B', ...terms, completo: true });
      const body = { empresa: ofYear.empresa, ano: 2025, livro: 'B', ...terms, comErros: true };
      const written = await writeFiling(platform.admin, 'ecd', body);
      expect(found.achados).toEqual(written.achados);
      expect(rulesOf(found).includes('PARTIDAS_PERIODO')).toBe('dataInicio' in terms);
    }
  });

  test('beyond the size of a file each month is a book, and both forms are foretold so', async () => {
    const settings = { ECD_LARGEST_KB: '64' };
    const small = await startPlatform(settings);
    try {
      const { company } = (await workTwoBranches(small)).head;
      const job = await writeFiling(small.admin, 'ecd', { empresa: company, ano: 2025, livro: 'G', comErros: true });
      expect(job).toMatchObject({ status: 'DONE', nomeArquivo: `ecd-${company}-G-2025-01-01-2025-12-31.zip` });
      expect(job.livros.map(({ numero }) => numero)).toEqual(Array.from({ length: 12 }, (_, at) => 7 + at));
      const zip = await downloadFiling(small, job);
      expect(createHash('sha256').update(zip).digest('hex')).toBe(job.sha256);
      const files = Object.entries(unzipSync(zip));
      expect(files.map(([name]) => name)).toEqual(
        Array.from({ length: 12 }, (_, at) => `ecd-${company}-G-2025-${String(at + 1).padStart(2, '0')}.txt`),
      );
      const kept = await bodyOf(small.admin.get('reports', `/regulatory/deliveries?empresa=${company}&ano=2025`));
      const digests = files.map(([, bytes]) => createHash('sha256').update(bytes).digest('hex'));
      expect(kept.map(({ sha256 }: { sha256: string }) => sha256)).toEqual(digests.toReversed());
      expect(kept.at(-1)).toMatchObject({ id: job.entrega, numeroLivro: 7, dataFim: '2025-01-31', job: job.id });
      // Statements stand in the last one alone, and each is a whole file.
      const texts = files.map(([, bytes]) => Buffer.from(bytes).toString('latin1'));
      expect(texts.map((text) => text.includes('|J005|'))).toEqual(texts.map((_, at) => at === 11));
      for (const text of texts) expect(text.trimEnd()).toMatch(/\|9999\|\d+\|$/);
      const again = await writeFiling(small.admin, 'ecd', { empresa: company, ano: 2025, livro: 'G', comErros: true });
      expect(again.sha256).toBe(job.sha256);
      const query = { empresa: company, arquivo: 'ECD', ano: 2025, livro: 'G', completo: true };
      const found = await precheck(small.admin, query);
      expect([found.achados, found.contagens]).toEqual([job.achados, job.contagens]);
      const path = join(folder, 'months.zip');
      const words = ['ecd', company, '2025', '--book', 'G', '--out', path, '--with-errors'];
      const ended = await runAdmin(small, words, settings);
      expect(ended).toMatchObject({ code: 0, out: expect.stringMatching(/12 livros num ZIP\n$/) });
      expect((await readFile(path)).equals(zip)).toBe(true);
    } finally {
      await small.stop();
    }
  }, 120_000);

  test('nothing is kept of it', async () => {
    const { company } = banks.head;
    const before = await bodyOf(platform.admin.get('reports', `/regulatory/deliveries?empresa=${company}&ano=2025`));
    await precheck(platform.admin, ofYear);
    expect(await bodyOf(platform.admin.get('reports', `/regulatory/deliveries?empresa=${company}&ano=2025`))).toEqual(
      before,
    );
  });

  test('is for who may write the files of the whole company', async () => {
    const { company, branch } = banks.head;
    const { username, password } = await createUser(platform.admin, {
      username: 'filial',
      permissions: [{ company, branch }],
    });
    const ofBranch = await platform.as(username, password);
    expect((await asked(ofBranch, ofYear)).status).toBe(403);
    expect((await asked(platform.admin, { ...ofYear, empresa: 'NENHUMA' })).status).toBe(404);
  });

  test.each([
    ['no file', { arquivo: 'DIOPS' }, 'arquivo'],
    ['no year', { ano: 'dois mil' }, 'ano'],
    ['no book', { livro: 'R' }, 'livro'],
    ['a day of another year', { dataFim: '2026-06-30' }, 'dataFim'],
    ['a situation of no list', { situacaoEspecial: '9' }, 'situacaoEspecial'],
    ['a document without its month', { arquivo: '4010' }, 'mes'],
    ['a month of none', { arquivo: '4010', mes: 13 }, 'mes'],
    ['a 4016 of a month without a closing', { arquivo: '4016', mes: 5 }, 'mes'],
    ['neither', { completo: 'sim' }, 'completo'],
  ])('%s is rejected', async (_what, wrong, field) => {
    const { status, body } = await asked(platform.admin, { ...ofYear, ...wrong });
    expect(status).toBe(400);
    expect(body.errors!.map((each) => each.field)).toEqual([field]);
  });
});

describe('of documents of the central bank', () => {
  const { company } = DEMO_HEAD_OFFICE;
  const june = { empresa: company, ano: DEMO_YEAR, mes: 6 };
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform();
    await workDemoYear(platform.admin, 6);
  }, 300_000);
  afterAll(() => platform?.stop());

  test('books that add up have no finding but what a rule says', async () => {
    for (const arquivo of ['4010', '4016']) {
      const found = await precheck(platform.admin, { ...june, arquivo });
      expect(found.achados.filter(({ regra }) => !regra.startsWith(OF_RULE))).toEqual([]);
    }
  });

  test('the rules of the document are run over each branch, and no process is kept', async () => {
    const first = async (list: string, code: string) =>
      (await bodyOf(platform.admin.get('compliance', `/api/compliance/${list}/list`))).find(
        (each: { code: string }) => each.code === code,
      ).id;
    const rule = async (name: string, severity: string, script: string) =>
      bodyOf(
        platform.admin.post('compliance', '/api/compliance/rule/add', {
          ...{ name, script, cluetypeid: await first('cluetype', severity), basebegin: '2025-01' },
          businesssystemid: await first('businesssystem', 'CONTABILIDADE'),
          ...{ documents: [await first('document', '4010')], validitybegin: '2025-01-01' },
        }),
      );
    await rule('Caixa demais', 'CRITICAL', 'caixa = SALDO_CONTA("1.1.1.10.00.00-8")\nERRO "há {caixa} em caixa"');
    await rule('Divide', 'ERROR', 'x = 1 / 0');
    const found = await precheck(platform.admin, { ...june, arquivo: '4010' });
    const ofRules = found.achados.filter(({ regra }) => regra.startsWith(OF_RULE));
    const told = ofRules.filter(({ texto }) => texto.startsWith('Caixa demais: há '));
    expect(told.map(({ severidade, valor }) => [severidade, valor])).toEqual(
      ['0001', '0002', '0003'].map((branch) => ['ERRO', `${branch} ${DEMO_YEAR}-06`]),
    );
    expect(ofRules.filter(({ texto }) => texto === 'Divide: Divisão por zero')).toHaveLength(3);
    expect(
      Object.entries(found.contagens)
        .filter(([rule]) => rule.startsWith(OF_RULE))
        .map(([, count]) => count),
    ).toEqual([3, 3]);
    expect(rulesOf(await precheck(platform.admin, { ...june, arquivo: '4016' }))).toEqual([]);
    expect(await bodyOf(platform.admin.get('compliance', '/api/compliance/process/result/list/'))).toEqual([]);
  });
});
