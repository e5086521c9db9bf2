import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type EcdFile, journal } from '../support/ecd-file.ts';
import { createEmptyBranch, importEcd, postEcd } from '../support/ecd-imports.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// Files that are wrong, of another kind, or made to harm: each is a 400 or findings that stand against the import; nothing is stored.

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ UPLOAD_LIMIT_MB: '64' });
});
afterAll(() => platform?.stop());

interface Finding {
  readonly regra: string;
  readonly impede: boolean;
}

/** Imports what must not come in; returns the rules that stand against it. */
async function rejected(content: EcdFile | string | Uint8Array<ArrayBuffer>): Promise<string[]> {
  const branch = await createEmptyBranch(platform.admin);
  const bytes = typeof content === 'string' || content instanceof Uint8Array ? content : content.text();
  const job = await importEcd(platform.admin, branch, bytes);
  expect({ status: job.status, mensagem: job.mensagem, importado: job.resultado?.importado }).toEqual({
    ...{ status: 'DONE', mensagem: null, importado: false },
  });
  await expectNothing(branch.company);
  const found = job.resultado.achados.filter(({ impede }: Finding) => impede);
  return [...new Set<string>(found.map(({ regra }: Finding) => regra))];
}

async function expectNothing(company: string): Promise<void> {
  const counts = await withOwnerConnection(platform.ownerUrl, async (owner) => {
    const { rows: own } = await owner.query<{ id: number }>('SELECT id FROM company WHERE code = $1', [company]);
    const { rows } = await owner.query(
      `SELECT (SELECT count(*) FROM company_options WHERE company_id = $1)::int AS options,
              (SELECT count(*) FROM month WHERE company_id = $1)::int AS months,
              (SELECT count(*) FROM batch WHERE company_id = $1)::int AS batches,
              (SELECT count(*) FROM entry_line WHERE company_id = $1)::int AS lines,
              (SELECT count(*) FROM base_balance WHERE company_id = $1)::int AS balances,
              (SELECT count(*) FROM import_file WHERE company_id = $1)::int AS files,
              (SELECT count(*) FROM chart WHERE code = 'PLANO-' || $2)::int AS charts`,
      [own[0]!.id, company],
    );
    return rows[0];
  });
  expect(counts).toEqual({ options: 0, months: 0, batches: 0, lines: 0, balances: 0, files: 0, charts: 0 });
}

describe('a file that makes no books is findings', () => {
  const wrong: readonly (readonly [string, () => EcdFile | string | Uint8Array<ArrayBuffer>, string])[] = [
    [
      'an entry that does not balance',
      () => journal().set('I250', 'VL_DC', '201,00', 0),
      'PARTIDAS_LANCAMENTO_DESBALANCEADO',
    ],
    [
      'a balance that does not add up',
      () => journal().set('I155', 'VL_SLD_FIN', '951,00', 0),
      'REGRA_VALIDACAO_SALDO_FINAL',
    ],
    ['movements that are not those of the entries', () => otherMovement(), 'REGRA_VALIDACAO_VALOR_DEB'],
    ['an unknown account', () => journal().set('I250', 'COD_CTA', '9.9', 0), 'REGRA_CONTA_NO_PLANO_CONTAS'],
    ['a summary account', () => journal().set('I250', 'COD_CTA', '1.1.1', 0), 'REGRA_CONTA_ANALITICA'],
    [
      'parents in a circle',
      () => journal().set('I050', 'COD_CTA_SUP', '1.1', 0),
      'REGRA_CTA_DE_NIVEL_SUPERIOR_INVALIDA',
    ],
    [
      'a parent that is not there',
      () => journal().set('I050', 'COD_CTA_SUP', '7.7', 3),
      'REGRA_CODIGO_CONTA_NIVEL_SUPERIOR_INVALIDO',
    ],
    ['an account twice', () => journal().repeat('I050', 4), 'REGRA_COD_CTA_DUPLICADO'],
    ['an entry number twice', () => journal().set('I200', 'NUM_LCTO', '202511.1.1.1', 1), 'REGRA_REGISTRO_DUPLICADO'],
    ['a balance twice', () => journal().repeat('I155', 1), 'REGRA_DUPLICIDADE_CONTA_SALDO_PERIODICO'],
    ['an amount with a point', () => journal().set('I250', 'VL_DC', '200.00', 0), 'REGRA_CAMPO_INVALIDO'],
    [
      'an entry outside of its file',
      () => journal().set('I200', 'DT_LCTO', '10102025', 0),
      'REGRA_DATA_INTERVALO_DO_ARQUIVO',
    ],
    ['two companies in one', () => journal().text() + journal().text(), 'REGRA_OCORRENCIA_UNITARIA_ARQ'],
    [
      'another company',
      () => journal().set('0000', 'CNPJ', '44555666000181').set('I030', 'CNPJ', '44555666000181'),
      'PARTIDAS_OUTRO_CNPJ',
    ],
    [
      'cut in the middle',
      () =>
        journal()
          .text()
          .slice(0, journal().text().length / 2),
      'PARTIDAS_ARQUIVO_CORTADO',
    ],
    ['a layout that is not known', () => journal().set('I010', 'COD_VER_LC', '4.00'), 'PARTIDAS_LEIAUTE_DESCONHECIDO'],
    ['an auxiliary book', () => journal().set('I010', 'IND_ESC', 'A'), 'PARTIDAS_LIVRO_NAO_IMPORTADO'],
    ['no bookkeeping file', () => 'conta;valor\n1;2\n', 'REGRA_ESTRUTURA_INVALIDA'],
    ['nothing but line ends', () => '\r\n'.repeat(1_000), 'PARTIDAS_ARQUIVO_CORTADO'],
    [
      'a line of a megabyte',
      () => journal().text().replace('RECEITA DE TARIFAS', 'x'.repeat(1_200_000)),
      'PARTIDAS_LINHA_LONGA',
    ],
    ['bytes of no text', () => randomBytes(), 'PARTIDAS_ARQUIVO_CORTADO'],
  ];
  test.each(wrong)('%s', async (_, make, rule) => {
    expect(await rejected(make())).toContain(rule);
  });

  test('more registers than are kept end the reading', async () => {
    const file = journal().text();
    const account = '|I050|01012025|01|A|4|1.1.1.99|1.1.1|CONTA|\r\n';
    const many = Array.from({ length: 400_000 }, (_, at) => account.replace('1.1.1.99', `1.1.1.${at + 100}`)).join('');
    const [before, after] = file.split('|I075|');
    expect(await rejected(`${before}${many}|I075|${after}`)).toContain('PARTIDAS_LIMITE');
  }, 60_000);

  test('a million lines of one account, forged counts and nothing else', async () => {
    const line = '|I250|1.1.1.01||1,00|D|||NADA||\r\n';
    const [before, after] = journal().text().split('|I200|202511.1.1.2');
    const before250 = process.memoryUsage().rss;
    const found = await rejected(`${before}${line.repeat(1_000_000)}|I200|202511.1.1.2${after}`);
    expect(found).toContain('PARTIDAS_LANCAMENTO_DESBALANCEADO');
    expect((process.memoryUsage().rss - before250) / 1e6).toBeLessThan(900);
  }, 60_000);
});

function otherMovement(): EcdFile {
  return journal().set('I155', 'VL_DEB', '201,00', 1).set('I155', 'VL_SLD_FIN', '701,00', 1);
}

function randomBytes(): Uint8Array<ArrayBuffer> {
  let state = 7;
  return Uint8Array.from({ length: 100_000 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return (state >> 16) % 255 || 1;
  });
}

test('forged counts are named and do not stop', async () => {
  const branch = await createEmptyBranch(platform.admin);
  const file = journal().count().set('9999', 'QTD_LIN', '99999').set('I990', 'QTD_LIN_I', '1');
  const { resultado } = await importEcd(platform.admin, branch, file.text());
  expect(resultado).toMatchObject({ importado: true, impeditivos: 0, prova: { diferencas: 0 } });
  expect(resultado.erros).toBeGreaterThan(0);
});

describe('a file of another kind is a 400', () => {
  const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0];
  const others: readonly (readonly [string, () => Uint8Array<ArrayBuffer>])[] = [
    ['a ZIP', () => Uint8Array.from([0x50, 0x4b, 0x03, 0x04, 1, 2, 3])],
    ['GZIP', () => new Uint8Array(gzipSync(journal().text()))],
    ['an image', () => Uint8Array.from(PNG)],
    ['UTF-16 with its mark', () => new Uint8Array(Buffer.from(`\ufeff${journal().text()}`, 'utf16le'))],
    ['UTF-16 without', () => new Uint8Array(Buffer.from(journal().text(), 'utf16le'))],
  ];
  test.each(others)('%s', async (_, make) => {
    const branch = await createEmptyBranch(platform.admin);
    const { status, body } = await postEcd(platform.admin, branch, make());
    expect([status, body.code]).toEqual([400, 'FILE_UNREADABLE']);
    await expectNothing(branch.company);
  });

  test('what is larger than the limit is refused, before it is all there', async () => {
    const branch = await createEmptyBranch(platform.admin);
    const { status } = await postEcd(platform.admin, branch, new Uint8Array(65 * 1024 * 1024).fill(65));
    expect(status).toBe(413);
    await expectNothing(branch.company);
  });

  test('no file, a branch without books and chart, and a second one at the same time', async () => {
    const branch = await createEmptyBranch(platform.admin);
    const path = `/importEcd/${branch.company}/${branch.branch}`;
    const empty = await platform.admin.post('movements', path, new FormData());
    expect(empty.status).toBe(400);
    const form = new FormData();
    form.set('file', new Blob([journal().text()]), 'ecd.txt');
    const without = await platform.admin.post('movements', path, form);
    expect([without.status, without.body.code]).toEqual([400, 'CHART_NOT_CONFIGURED']);
  });
});
