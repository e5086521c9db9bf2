import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAdminWith } from '../support/admin-command.ts';
import { createBank } from '../support/banks.ts';
import { documentOf, LEAVES, partsOf } from '../support/cosif-document.ts';
import { dailyBalances, type EcdFile, journal } from '../support/ecd-file.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

// Files of anyone's, sent to POST /regulatory/check and given to `npm run admin -- check`: findings, or 400.

let platform: Platform;
let folder: string;
beforeAll(async () => {
  [platform, folder] = await Promise.all([
    startPlatform({ UPLOAD_LIMIT_MB: '32' }),
    mkdtemp(join(tmpdir(), 'partidas-filing-')),
  ]);
});
afterAll(async () => {
  await platform?.stop();
  await rm(folder, { recursive: true, force: true });
});

const latin = (text: string) => Buffer.from(text, 'latin1');

function send(bytes: Buffer, client: Client = platform.admin, field = 'file') {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(bytes)]), 'ecd.txt');
  return client.post('reports', '/regulatory/check', form);
}

async function rulesOf(bytes: Buffer): Promise<string[]> {
  const answer = await send(bytes);
  expect(answer.status).toBe(200);
  expect(answer.body.erros + answer.body.avisos).toBe(
    Object.values<number>(answer.body.contagens).reduce((sum, count) => sum + count, 0),
  );
  return [...new Set<string>(answer.body.achados.map(({ regra }: { regra: string }) => regra))];
}

/** Without a database: nothing of it is named, and none is made. */
async function admin(name: string, bytes: Buffer, ...words: readonly string[]) {
  const path = join(folder, name);
  await writeFile(path, bytes);
  const settings = { DATABASE_URL: '', DATA_DIR: join(folder, 'no-database') };
  return runAdminWith(settings, ['check', path, ...words]);
}

describe('over HTTP', () => {
  test('a whole file has no findings', async () => {
    const { status, body } = await send(latin(dailyBalances().text()));
    expect(status).toBe(200);
    expect(body).toMatchObject({ arquivo: 'ECD', livro: 'B', linhas: 136, erros: 0, avisos: 0, achados: [] });
    expect(body.naoProvadas).toContain('J800 REGRA_VALIDA_HASH_ARQUIVO');
  });

  test('a finding says where and what', async () => {
    const { body } = await send(latin(journal().set('I155', 'VL_SLD_FIN', '1,00', 6).text()));
    expect(body.erros).toBeGreaterThan(0);
    expect(body.achados).toContainEqual({
      ...{ regra: 'REGRA_VALIDACAO_SALDO_FINAL', severidade: 'ERRO', linha: expect.any(Number), registro: 'I155' },
      ...{ campo: 'VL_SLD_FIN', valor: '1,00', texto: expect.stringContaining('Esperado: 1050,00 D') },
    });
  });

  test('a document of the central bank', async () => {
    const { body } = await send(Buffer.from(documentOf(partsOf('4010', '2025-05', LEAVES))));
    expect(body).toMatchObject({ arquivo: '4010', erros: 0, avisos: 0 });
  });

  test('many findings are counted, and twenty of a rule are shown', async () => {
    const file = journal();
    for (let each = 0; each < 100; each++) file.repeat('I075');
    const { body } = await send(latin(file.text()));
    expect(body.contagens).toEqual({ REGRA_REGISTRO_DUPLICADO: 100 });
    expect(body.achados.length).toBe(20);
  });

  test('everyone with some company may ask, nobody else', async () => {
    const { company } = await createBank(platform.admin);
    const user = await createUser(platform.admin, { username: 'confere', permissions: [{ company }] });
    const client = await platform.as(user.username, user.password);
    expect((await send(latin(journal().text()), client)).status).toBe(200);
    const anonymous = await fetch(`${platform.address('reports')}/regulatory/check`, {
      method: 'POST',
      body: 'x',
    });
    expect(anonymous.status).toBe(401);
  });

  test.each([
    ['no file', (form: FormData) => form, 400],
    ['a file under another name', (form: FormData) => append(form, 'other', 10), 400],
    ['a field beside it', (form: FormData) => form.append('kind', 'ecd'), 400],
    ['more than the limit of uploads', (form: FormData) => append(form, 'file', 33 << 20), 413],
    ['more than it of an ECD', (form: FormData) => append(form, 'file', 33 << 20, text()), 413],
  ])('%s is answered with a problem', async (_, change, status) => {
    const form = new FormData();
    change(form);
    const answer = await platform.admin.post('reports', '/regulatory/check', form);
    expect(answer.status).toBe(status);
    expect(answer.body.code).toBeDefined();
  });

  test('another kind of body is answered with a problem', async () => {
    expect((await platform.admin.post('reports', '/regulatory/check', { file: 'x' })).status).toBe(415);
  });
});

function append(form: FormData, name: string, bytes: number, head = ''): void {
  form.append(name, new Blob([new Uint8Array(latin(head)), new Uint8Array(bytes).fill(48)]), 'x');
}

const text = (change: (file: EcdFile) => unknown = () => {}) => {
  const file = journal();
  change(file);
  return file.text();
};
const cut = (bytes: number) => latin(text()).subarray(0, bytes);

/** What is wrong with each, and a rule that says so. */
const BAD: readonly (readonly [string, () => Buffer, string])[] = [
  ['cut in the middle of a line', () => cut(4_000), 'REGRA_ESTRUTURA_INVALIDA'],
  ['cut in the middle', () => latin(text().split('\r\n').slice(0, 60).join('\r\n')), 'REGRA_REGISTRO_OBRIGATORIO'],
  ['in UTF-8', () => Buffer.from(text(), 'utf8'), 'PARTIDAS_UTF8'],
  ['in UTF-8 with a mark', () => Buffer.from(`\ufeff${text()}`, 'utf8'), 'PARTIDAS_UTF8'],
  ['in UTF-16', () => Buffer.from(`\ufeff${text()}`, 'utf16le'), 'PARTIDAS_ARQUIVO_DESCONHECIDO'],
  ['with bare line feeds', () => latin(text().replaceAll('\r\n', '\n')), 'PARTIDAS_FIM_DE_LINHA'],
  [
    'with a line of a megabyte',
    () => latin(text((f) => f.set('I250', 'HIST', 'x'.repeat(1_000_000)))),
    'REGRA_TAMANHO_CAMPO_INVALIDO',
  ],
  ['with a line of five', () => latin(text((f) => f.set('I250', 'HIST', 'x'.repeat(5 << 20)))), 'PARTIDAS_LINHA_LONGA'],
  ['with an empty line', () => latin(text().replace('|0001|', '\r\n|0001|')), 'REGRA_ESTRUTURA_INVALIDA'],
  [
    'with a sign of parting in a text',
    () => latin(text((f) => f.set('I250', 'HIST', 'a|b'))),
    'PARTIDAS_NUMERO_DE_CAMPOS',
  ],
  ['with an unknown register', () => latin(text((f) => f.after('I075', 0, 'I999|1|2'))), 'REGRA_ESTRUTURA_INVALIDA'],
  ['with forged counts', () => latin(text((f) => f.count().set('9999', 'QTD_LIN', '999999'))), 'REGRA_QTD_LIN_ARQUIVO'],
  [
    'with a parent that is nowhere',
    () => latin(text((f) => f.set('I050', 'COD_CTA_SUP', '9', 3))),
    'REGRA_CODIGO_CONTA_NIVEL_SUPERIOR_INVALIDO',
  ],
  [
    'with a circle of accounts',
    () => latin(text((f) => f.set('I050', 'COD_CTA_SUP', '1.1.1', 1))),
    'REGRA_CTA_DE_NIVEL_SUPERIOR_INVALIDA',
  ],
  ['with a key twice', () => latin(text((f) => f.repeat('I100'))), 'REGRA_COD_CCUS_DUPLICADO'],
  [
    'with a statement twice',
    () => latin(text((f) => f.after('J800', 0, 'J005|01112025|31122025|1|'))),
    'PARTIDAS_CHAVE_REPETIDA',
  ],
  ['with an amount with a point', () => latin(text((f) => f.set('I200', 'VL_LCTO', '200.00'))), 'REGRA_CAMPO_INVALIDO'],
  ['with a negative amount', () => latin(text((f) => f.set('I200', 'VL_LCTO', '-200,00'))), 'REGRA_CAMPO_INVALIDO'],
  ['with a day that is none', () => latin(text((f) => f.set('I200', 'DT_LCTO', '31112025'))), 'REGRA_CAMPO_INVALIDO'],
  [
    'of two companies',
    () => latin(text() + text((f) => f.set('0000', 'CNPJ', '00000000000191'))),
    'REGRA_OCORRENCIA_UNITARIA_ARQ',
  ],
  ['without the block C', () => latin(text((f) => f.removeAll('C001', 'C990'))), 'PARTIDAS_SEM_BLOCO_C'],
  ['a document without its end', () => latin(text().replace('|J800FIM|', '')), 'REGRA_ESTRUTURA_INVALIDA'],
  [
    'more lines of a kind than are kept',
    () => latin(text().replace('|I990|', `${'|I075|H1|X|\r\n'.repeat(600_000)}|I990|`)),
    'PARTIDAS_LIMITE',
  ],
  ['a ZIP', () => latin('PK\u0003\u0004aaaa'), 'PARTIDAS_ARQUIVO_DESCONHECIDO'],
  ['an image', () => latin(`\u0089PNG\r\n\u001a\n${'\u0000'.repeat(9_000)}`), 'PARTIDAS_ARQUIVO_DESCONHECIDO'],
  ['empty', () => Buffer.alloc(0), 'PARTIDAS_SEM_LINHAS'],
  ['one line feed', () => latin('\n'), 'PARTIDAS_ARQUIVO_DESCONHECIDO'],
  ['the first register alone', () => latin('|0000|'), 'REGRA_ESTRUTURA_INVALIDA'],
];

describe('a file', () => {
  test.each(BAD)('%s is answered with findings', async (_, bytes, rule) => {
    expect(await rulesOf(bytes())).toContain(rule);
  });

  test('with what is no error of the manual is read as it is meant', async () => {
    for (const [bytes, rules] of [
      [Buffer.from(text(), 'utf8'), ['PARTIDAS_UTF8']],
      [latin(text().replaceAll('\r\n', '\n')), ['PARTIDAS_FIM_DE_LINHA']],
      [latin(text((f) => f.removeAll('C001', 'C990'))), ['PARTIDAS_SEM_BLOCO_C']],
      // A signature follows the last line, and is no text.
      [Buffer.concat([latin(text()), Buffer.from('SBRCAAEPDR0\u0000\u0001\n\u0002')]), []],
      // A text of many lines is one register.
      [latin(text().replace('{\\rtf1 NOTA 1}', '{\\rtf1\r\nNOTA 1\r\n}')), []],
    ] as const)
      expect(await rulesOf(bytes)).toEqual(rules);
  });
});

describe('on the command line', () => {
  test('a whole file ends with 0, one with errors with 1, without a database', async () => {
    const whole = await admin('whole.txt', latin(journal().text()));
    expect(whole.err).toBe('');
    expect(whole).toMatchObject({ code: 0, out: expect.stringMatching(/^ECD: linhas 143, erros 0, avisos 0\n/) });
    const broken = await admin('broken.txt', latin(journal().set('I155', 'VL_SLD_FIN', '1,00', 6).text()));
    expect(broken.code).toBe(1);
    expect(broken.out).toMatch(/^\d+\tERRO\tREGRA_VALIDACAO_SALDO_FINAL\tI155\.VL_SLD_FIN\t1,00\tSaldo inicial/m);
  });

  test('a file of another kind than was said ends with 1', async () => {
    const bytes = latin(journal().text());
    expect(await admin('whole.txt', bytes, '--kind', 'ecd')).toMatchObject({ code: 0 });
    const other = await admin('whole.txt', bytes, '--kind', '4010');
    expect(other).toMatchObject({ code: 1, out: expect.stringContaining('o arquivo não é 4010') });
    const unknown = await admin('whole.txt', bytes, '--kind', 'dirf');
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('--kind is ecd, 4010 or 4016') });
  });

  test('what is no file of the regulators, or no file, ends with 1', async () => {
    const zip = await admin('a.zip', latin('PK\u0003\u0004aaaa'));
    expect(zip).toMatchObject({ code: 1, out: expect.stringContaining('arquivo ZIP') });
    const missing = await runAdminWith({}, ['check', join(folder, 'nowhere.txt')]);
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('there is no such file') });
    expect(await runAdminWith({}, ['check'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('file is missing'),
    });
  });

  test('what a file holds does not steer the terminal', async () => {
    const { out } = await admin('escape.txt', latin(text((f) => f.set('I155', 'IND_DC_FIN', '\u001b', 6))));
    expect(out).toContain('REGRA_VALORES_VALIDOS_INVALIDO');
    expect(out).not.toContain('\u001b');
  });
});
