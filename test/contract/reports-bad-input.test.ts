import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import type { Bank } from '../support/banks.ts';
import { book } from '../support/books.ts';
import { closeMonth } from '../support/months.ts';
import { hasPoppler, pagesOfPdf } from '../support/pdf.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { createBooks } from '../support/report-books.ts';

// All twelve report endpoints with each kind of bad input: status, code and the field at fault.

const BOOK = book`
  02/01  1.1.2  D  1.000,00  3.1  "Capital"
  02/02  1.1.2  D  1.000,00  3.1  "Capital"
  02/03  1.1.2  D  1.000,00  3.1  "Capital"
`;

const ACCOUNTANT = { name: 'João', role: 'Contador', crc: '1SP123456/O-1', ufCrc: 'SP' };

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date('2026-04-10T15:30:00Z') });
  bank = await createBooks(platform.admin, BOOK, {
    months: ['01/2026', '02/2026', '03/2026'],
    options: { signatories: [{ name: 'Maria', role: 'Diretora' }, ACCOUNTANT] },
  });
  // Terms are of closed months.
  for (const month of ['01/2026', '02/2026']) await closeMonth(platform.admin, bank, month);
  await withOwnerConnection(platform.ownerUrl, (owner) =>
    owner.query(`UPDATE month SET archived = true WHERE branch_id = $1 AND month = '2026-01-01'`, [bank.branchId]),
  );
});
afterAll(() => platform?.stop());

type Body = Record<string, unknown>;

const month = () => ({ ...common(), ano: 2026, mes: 2 });
const days = () => ({ ...common(), dataInicio: '2026-02-01', dataFim: '2026-02-28' });
const common = () => ({ empresa: bank.company, filial: bank.branch, visualizationEnum: 'PDF' });
const terms = () => ({ ...days(), tipo: 'AMBOS', livro: 'BALANCETES', numeroOrdem: 1, quantidadePaginas: 10 });

/** A sound request of each report, and of which kind it is. */
const REPORTS: readonly (readonly [path: string, sound: () => Body])[] = [
  ['lancamentos', days],
  ['cosifGeneralBalance', month],
  ['monthlyTrialBalance', month],
  ['monthlyTrialCVMBalance', month],
  ['dailyTrialBalance', days],
  ['patrimonialBalance', month],
  ['patrimonialCVMBalance', month],
  ['saldosMensais', month],
  ['relatorioRazao', days],
  ['relatorioDiarioGeral', days],
  ['reportTermos', terms],
];
const ofDays = REPORTS.filter(([, sound]) => sound !== month).map(([path]) => path);
const ofMonths = REPORTS.filter(([, sound]) => sound === month).map(([path]) => path);
const books = ['lancamentos', 'relatorioRazao', 'relatorioDiarioGeral'];
const everywhere = REPORTS.map(([path]) => path);

type Answered = readonly [status: number, code: string, field?: string];

/** What is wrong, where, and the response. */
const WRONG: readonly (readonly [name: string, paths: readonly string[], change: Body, answered: Answered])[] = [
  ['unknown format', everywhere, { visualizationEnum: 'DOC' }, [400, 'INVALID_FIELD', 'visualizationEnum']],
  ['format in small letters', everywhere, { visualizationEnum: 'pdf' }, [400, 'INVALID_FIELD', 'visualizationEnum']],
  ['no format', everywhere, { visualizationEnum: undefined }, [400, 'INVALID_FIELD', 'visualizationEnum']],
  ['no company', everywhere, { empresa: undefined }, [400, 'INVALID_FIELD', 'empresa']],
  ['no branch', everywhere, { filial: undefined }, [400, 'INVALID_FIELD', 'filial']],
  ['unknown field', everywhere, { formato: 'PDF' }, [400, 'UNKNOWN_FIELD', 'formato']],
  ['unknown company', everywhere, { empresa: 'NOPE' }, [404, 'NOT_FOUND']],
  ['unknown branch', everywhere, { filial: '9999' }, [404, 'NOT_FOUND']],
  ['company of the wrong type', everywhere, { empresa: { code: 1 } }, [400, 'INVALID_FIELD', 'empresa']],
  ['flag of the wrong type', everywhere, { showZeroBalances: 'sim' }, [400, 'INVALID_FIELD', 'showZeroBalances']],
  ['level of zero', everywhere, { level: 0 }, [400, 'INVALID_FIELD', 'level']],
  ['level of a half', everywhere, { level: 1.5 }, [400, 'INVALID_FIELD', 'level']],
  ['no month', ofMonths, { mes: undefined }, [400, 'INVALID_FIELD', 'mes']],
  ['month 13', ofMonths, { mes: 13 }, [400, 'INVALID_FIELD', 'mes']],
  ['month 0', ofMonths, { mes: 0 }, [400, 'INVALID_FIELD', 'mes']],
  ['year of five digits', ofMonths, { ano: 20_260 }, [400, 'INVALID_FIELD', 'ano']],
  ['month not opened', ofMonths, { mes: 4 }, [400, 'MONTH_NOT_OPEN', 'mes']],
  ['month before the first', ofMonths, { ano: 2025, mes: 12 }, [400, 'BEFORE_BASE_MONTH']],
  ['no first day', ofDays, { dataInicio: undefined }, [400, 'INVALID_FIELD', 'dataInicio']],
  ['day of another notation', ofDays, { dataInicio: '01/02/2026' }, [400, 'INVALID_FIELD', 'dataInicio']],
  ['day that February lacks', ofDays, { dataFim: '2026-02-30' }, [400, 'INVALID_FIELD', 'dataFim']],
  [
    'days reversed',
    ofDays,
    { dataInicio: '2026-02-28', dataFim: '2026-02-01' },
    [400, 'INVALID_DATE_RANGE', 'dataInicio'],
  ],
  ['last month not opened', books, { dataFim: '2026-04-30' }, [400, 'MONTH_NOT_OPEN', 'dataFim']],
  ['purged month', books, { dataInicio: '2026-01-01' }, [400, 'MONTH_PURGED']],
  ['two months', ['dailyTrialBalance'], { dataFim: '2026-03-01' }, [400, 'PERIOD_OVER_A_MONTH', 'dataFim']],
  ['more than a year', ['relatorioDiarioGeral'], { dataFim: '2027-02-01' }, [400, 'PERIOD_OVER_A_YEAR', 'dataFim']],
  [
    'range reversed',
    [...ofMonths, 'dailyTrialBalance', ...books],
    { accountFrom: '2', accountTo: '1' },
    [400, 'ACCOUNT_RANGE_REVERSED', 'accountFrom'],
  ],
  [
    'range of no codes',
    [...ofMonths, 'dailyTrialBalance', ...books],
    { accountFrom: ') Tj' },
    [400, 'INVALID_ACCOUNT_CODE', 'accountFrom'],
  ],
  [
    'range of 70,000 characters',
    everywhere,
    { accountFrom: '1'.repeat(70_000) },
    [400, 'INVALID_FIELD', 'accountFrom'],
  ],
  ['unknown account', ['lancamentos'], { conta: '9.9.9' }, [404, 'ACCOUNT_NOT_FOUND', 'conta']],
  ['account id of zero', ['lancamentos'], { conta: 0 }, [400, 'INVALID_FIELD', 'conta']],
  ['unknown accounts', ['relatorioRazao'], { contas: ['1.1.1', '9.9.9'] }, [404, 'ACCOUNT_NOT_FOUND', 'contas']],
  ['accounts that are no list', ['relatorioRazao'], { contas: '1.1.1' }, [400, 'INVALID_FIELD', 'contas']],
  ['unknown order', ['lancamentos'], { orderBy: 'VALUE; DROP TABLE' }, [400, 'INVALID_FIELD', 'orderBy']],
  ['unknown comparison', ['patrimonialBalance'], { comparative: 'NEXT_YEAR' }, [400, 'INVALID_FIELD', 'comparative']],
  ...[0, -1, 1.5, 1e10, '1'].map(
    (page) =>
      [
        `first folha ${page}`,
        ['relatorioRazao', 'relatorioDiarioGeral'],
        { paginaInicial: page },
        [400, 'INVALID_FIELD', 'paginaInicial'],
      ] as const,
  ),
  ['book number 0', ['relatorioDiarioGeral'], { numeroLivro: 0 }, [400, 'INVALID_FIELD', 'numeroLivro']],
  ['volumes of two', ['relatorioRazao'], { paginasPorVolume: 2 }, [400, 'INVALID_FIELD', 'paginasPorVolume']],
  ...[0, -5].map(
    (pages) =>
      [
        `terms of ${pages} folhas`,
        ['reportTermos'],
        { quantidadePaginas: pages },
        [400, 'INVALID_FIELD', 'quantidadePaginas'],
      ] as const,
  ),
  ['terms as text', ['reportTermos'], { visualizationEnum: 'TXT' }, [400, 'FORMAT_NOT_OFFERED', 'visualizationEnum']],
  ['terms of another book', ['reportTermos'], { livro: 'CAIXA' }, [400, 'INVALID_FIELD', 'livro']],
  ['terms that do not match', ['reportTermos'], { livro: 'DIARIO' }, [400, 'BOOK_PAGES_DIFFER', 'quantidadePaginas']],
  [
    'a signatory without a name',
    ['reportTermos'],
    { signatarios: [{ role: 'x' }] },
    [400, 'INVALID_FIELD', 'signatarios.0.name'],
  ],
];

const post = (path: string, body: unknown) => platform.admin.post('reports', `/reports/${path}`, body);

describe.each(REPORTS)('%s', (path, sound) => {
  test('a sound request is answered', async () => {
    const answer = await post(path, sound());
    expect([answer.status, answer.body.sucesso], answer.text).toEqual([200, true]);
  });

  test('bad input is named', async () => {
    const cases = WRONG.filter(([, paths]) => paths.includes(path));
    expect(cases.length).toBeGreaterThan(10);
    for (const [name, , change, answered] of cases) {
      const { status, body } = await post(path, { ...sound(), ...change });
      expect([name, status, body.code, body.errors?.[0]?.field]).toEqual([
        name,
        ...answered,
        ...Array(3 - answered.length).fill(undefined),
      ]);
      expect(JSON.stringify(body)).not.toMatch(/\/src\/|SELECT |node_modules/);
    }
  });

  test('in several in one file, bad input of a part is its own, and the others come', async () => {
    const { visualizationEnum, ...parametros } = sound();
    const request = (tipo: string, changed: Body) => ({
      visualizationEnum,
      relatorios: [
        { tipo, parametros: changed },
        { tipo: 'monthlyTrialBalance', parametros: { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 2 } },
      ],
    });
    const { status, body } = await post('combineReport', request(path, { ...parametros, formato: 'x' }));
    expect([status, body.relatorios?.map(({ sucesso }: { sucesso: boolean }) => sucesso)]).toEqual([
      200,
      [false, true],
    ]);
    expect(body.relatorios[0].mensagem).toMatch(/^formato|formato/);
  });
});

test.each<[string, Body, Answered]>([
  ['no parts', { relatorios: [] }, [400, 'INVALID_FIELD', 'relatorios']],
  ['parts that are no list', { relatorios: {} }, [400, 'INVALID_FIELD', 'relatorios']],
  ['unknown kind', { relatorios: [{ tipo: 'balanco', parametros: {} }] }, [400, 'INVALID_FIELD', 'relatorios.0.tipo']],
  [
    'a part of a part',
    { relatorios: [{ tipo: 'combineReport', parametros: {} }] },
    [400, 'INVALID_FIELD', 'relatorios.0.tipo'],
  ],
  ['no parameters', { relatorios: [{ tipo: 'lancamentos' }] }, [400, 'INVALID_FIELD', 'relatorios.0.parametros']],
  ['unknown format', { visualizationEnum: 'ODS' }, [400, 'INVALID_FIELD', 'visualizationEnum']],
  [
    'too many',
    { relatorios: Array(21).fill({ tipo: 'lancamentos', parametros: {} }) },
    [400, 'INVALID_FIELD', 'relatorios'],
  ],
])('combineReport: %s', async (_, change, answered) => {
  const body = {
    ...common(),
    relatorios: [{ tipo: 'monthlyTrialBalance', parametros: { ano: 2026, mes: 2 } }],
    ...change,
  };
  const { status, body: details } = await post('combineReport', body);
  expect([status, details.code, details.errors?.[0]?.field]).toEqual(answered);
});

test.each<[string, Body, Answered]>([
  ['no company', { empresa: undefined }, [400, 'INVALID_FIELD', 'empresa']],
  ['unknown branch', { filial: '9999' }, [404, 'NOT_FOUND', undefined as never]],
  ['unknown account', { contas: ['9.9.9'] }, [404, 'ACCOUNT_NOT_FOUND', 'contas']],
  ['range reversed', { accountFrom: '2', accountTo: '1' }, [400, 'ACCOUNT_RANGE_REVERSED', 'accountFrom']],
  ['days reversed', { dataInicio: '2026-02-28', dataFim: '2026-02-01' }, [400, 'INVALID_DATE_RANGE', 'dataInicio']],
  ['unknown field', { nivel: 1 }, [400, 'UNKNOWN_FIELD', 'nivel']],
])('planos: %s', async (_, change, answered) => {
  const { status, body } = await post('planos', { ...days(), ...change });
  expect([status, body.code, body.errors?.[0]?.field]).toEqual(answered);
});

test('bodies that are no request at all', async () => {
  for (const path of [...everywhere, 'combineReport', 'planos']) {
    for (const body of ['', '{', '[]', '"x"', 'null', `{"empresa":${'['.repeat(5_000)}`]) {
      const answer = await platform.admin.call('reports', 'POST', `/reports/${path}`, body, {
        'content-type': 'application/json',
      });
      expect([path, body.slice(0, 20), answer.status]).toEqual([path, body.slice(0, 20), 400]);
    }
    const form = await platform.admin.call(
      'reports',
      'POST',
      `/reports/${path}`,
      new URLSearchParams({ empresa: '1' }),
    );
    expect([path, form.status]).toEqual([path, 415]);
  }
});

test.runIf(hasPoppler)('texts that a request brings are printed as they are', async () => {
  const texts = [') Tj ET (x', '{{company}}', '{{', '<0041> Tj', 'a\u202e321b', 'Ștefan Nguyễn', '\\)\\('];
  const signatarios = [...texts.map((name) => ({ name, role: 'Diretora' })), ACCOUNTANT];
  const { status, body, text } = await post('reportTermos', { ...terms(), signatarios, municipio: '{{cnpj}}' });
  expect(status, text).toBe(200);
  const printed = pagesOfPdf(Buffer.from(body.conteudo, 'base64')).join('\n');
  for (const each of texts) expect(printed).toContain(each.replace('\u202e', ' '));
  expect(printed).toContain('{{cnpj}}');
  const long = await post('reportTermos', { ...terms(), signatarios: [{ name: 'x'.repeat(70_000) }] });
  expect([long.status, long.body.code]).toEqual([400, 'INVALID_FIELD']);
  const control = await post('reportTermos', { ...terms(), signatarios: [{ name: 'a\u0000b' }] });
  expect([control.status, control.body.code]).toEqual([400, 'INVALID_FIELD']);
});
