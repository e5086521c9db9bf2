import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bank, closureSettings, createAccounts } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createBooks, print, statementRequest } from '../support/report-books.ts';
import { createUser } from '../support/users.ts';

// POST /reports/demonstracao: balance sheet and income statement by their definitions, over two semesters.

const MONTHS = ['05', '06', '07', '08', '09', '10', '11', '12'].map((month) => `${month}/2025`);
const BOOK = book`
  02/05/2025  1.1.2  D  1.000,00  3.1  "Capital"
  05/06/2025  1.1.2  D    300,00  7.1
  06/06/2025  8.1    D    100,00  1.1.2
  10/07/2025  1.1.2  D     40,00  7.2
  11/10/2025  8.2    D     90,00  2.1.1
  12/12/2025  1.1.1  D    500,00  7.1
`;

let platform: Platform;
let admin: Client;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform();
  admin = platform.admin;
  bank = await createBooks(admin, BOOK, { baseYearMonth: '05/2025', months: MONTHS });
  await bodyOf(admin.post('masterdata', '/closuresettings', closureSettings(bank, [6, 12])));
  await bodyOf(admin.post('masterdata', '/statements/default', { chartCode: bank.chartCode }));
  for (const month of MONTHS) await closeMonth(admin, bank, month);
});
afterAll(() => platform?.stop());

const request = (tipo: string, more: Record<string, unknown> = {}) => statementRequest(bank, tipo, more);

/** 'Descrição: amounts' of the rows with amounts. */
async function shown(tipo: string, more: Record<string, unknown> = {}): Promise<string[]> {
  const { cells } = await print(admin, 'demonstracao', request(tipo, more));
  return cells
    .slice(1)
    .flatMap(([, name, ...amounts]) => (amounts.join('') === '' ? [] : [`${name}: ${amounts.join(' ')}`]));
}

const ask = (body: Record<string, unknown>, client = admin) => client.post('reports', '/reports/demonstracao', body);

describe('the balance sheet', () => {
  test('has both sides equal after the closing of the result', async () => {
    expect(await shown('BP')).toEqual([
      'Disponibilidades: 1740,00',
      'Total do ativo: 1740,00',
      'PASSIVO: 90,00',
      'Exigível: 90,00',
      'PATRIMÔNIO LÍQUIDO: 1650,00',
      'Capital: 1000,00',
      'Lucros ou prejuízos: 650,00',
      'Total do passivo e patrimônio líquido: 1740,00',
    ]);
  });

  test('shows the result as a line of equity before it is closed', async () => {
    const rows = await shown('BP', { considerClosing: false });
    expect(rows.slice(4)).toEqual([
      'PATRIMÔNIO LÍQUIDO: 1650,00',
      'Capital: 1000,00',
      'Lucros ou prejuízos: 200,00',
      'Resultado do período: 450,00',
      'Total do passivo e patrimônio líquido: 1740,00',
    ]);
  });

  test('stands beside earlier ones, each at the end of its period', async () => {
    const { cells } = await print(admin, 'demonstracao', request('BP', { periodo: 'SEMESTRE', periodos: 2 }));
    expect(cells[0]!.slice(1)).toEqual(['Descrição', '31/12/2025', '30/06/2025']);
    expect((await shown('BP', { periodo: 'SEMESTRE', periodos: 2 })).at(-1)).toBe(
      'Total do passivo e patrimônio líquido: 1740,00 1200,00',
    );
    // The month before the books begin has the base balances; earlier ones are not known.
    expect((await shown('BP', { mes: 5, comparativo: 'PREVIOUS_MONTH' }))[0]).toBe('Disponibilidades: 1000,00 0,00');
    expect((await shown('BP', { mes: 5, comparativo: 'PREVIOUS_YEAR_END' }))[0]).toBe('Disponibilidades: 1000,00');
  });
});

describe('the income statement', () => {
  test('of a year is the sum of its closings', async () => {
    const year = await shown('DRE', { periodo: 'ANO' });
    expect(year).toEqual([
      'Receitas de juros: 800,00',
      'Receitas de tarifas: 40,00',
      'RECEITAS: 840,00',
      'Despesas de pessoal: -100,00',
      'Despesas administrativas: -90,00',
      'DESPESAS: -190,00',
      'RESULTADO DO PERÍODO: 650,00',
    ]);
    const first = await shown('DRE', { periodo: 'SEMESTRE', mes: 6 });
    const second = await shown('DRE', { periodo: 'SEMESTRE' });
    expect([first.at(-1), second.at(-1)]).toEqual(['RESULTADO DO PERÍODO: 200,00', 'RESULTADO DO PERÍODO: 450,00']);
    // Closing entries are none of its figures, whatever is asked.
    expect(await shown('DRE', { periodo: 'ANO', considerClosing: false })).toEqual(year);
  });

  test('shows months side by side', async () => {
    const { cells } = await print(admin, 'demonstracao', request('DRE', { periodo: 'MES', periodos: 8 }));
    expect(cells[0]!.slice(2)).toEqual([
      '12/2025',
      '11/2025',
      '10/2025',
      '09/2025',
      '08/2025',
      '07/2025',
      '06/2025',
      '05/2025',
    ]);
    expect(cells.at(-1)!.slice(1)).toEqual([
      'RESULTADO DO PERÍODO',
      '500,00',
      '0,00',
      '-90,00',
      '0,00',
      '0,00',
      '40,00',
      '200,00',
      '0,00',
    ]);
  });

  test('is compared with the same period a year before, where the books have it', async () => {
    expect((await shown('DRE', { comparativo: undefined })).at(-1)).toBe('RESULTADO DO PERÍODO: 650,00');
    expect((await shown('DRE', { periodo: 'MES', comparativo: 'PREVIOUS_MONTH' })).at(-1)).toBe(
      'RESULTADO DO PERÍODO: 500,00 0,00',
    );
  });

  test('warns where the books begin within the period', async () => {
    const { body } = await ask(request('DRE'));
    expect(body.mensagem).toContain('os livros começam em 05/2025');
    expect((await ask(request('DRE', { periodo: 'MES' }))).body.mensagem).toBe('Relatório gerado');
  });
});

test('what stands on no line is shown, counted and warned of', async () => {
  await createAccounts(admin, bank.chartCode, [
    { code: '1.9', description: 'Outros', type: 'A', nature: 'D', accountClass: '01' },
    { code: '7.9', description: 'Outras receitas', type: 'A', nature: 'C', accountClass: '04' },
  ]);
  await openMonth(admin, bank, '01/2026');
  await post(admin, bank, book`05/01/2026 1.9 D 60,00 7.9`);
  const sheet = await ask(request('BP', { ano: 2026, mes: 1 }));
  expect(sheet.body.mensagem).toContain('contas com valor em nenhuma linha da demonstração: 1.9');
  expect(await shown('BP', { ano: 2026, mes: 1 })).toEqual([
    'Disponibilidades: 1740,00',
    'Contas sem linha: 60,00',
    'Total do ativo: 1800,00',
    'PASSIVO: 90,00',
    'Exigível: 90,00',
    'PATRIMÔNIO LÍQUIDO: 1710,00',
    'Capital: 1000,00',
    'Lucros ou prejuízos: 650,00',
    'Resultado do período: 60,00',
    'Total do passivo e patrimônio líquido: 1800,00',
  ]);
  expect((await shown('DRE', { ano: 2026, mes: 1 })).slice(-2)).toEqual([
    'Contas sem linha: 60,00',
    'RESULTADO DO PERÍODO: 60,00',
  ]);
  const text = (await print(admin, 'demonstracao', request('DRE', { ano: 2026, mes: 1, visualizationEnum: 'TXT' })))
    .text;
  expect(text).toContain('PROVISÓRIO – mês não consolidado');
});

describe('the figures of a statement', () => {
  const figures = (query: string, branch = bank.branch) =>
    admin.get('reports', `/statements/${bank.company}/${branch}?${query}`);

  test('are those that are printed, each with the accounts that it is made of', async () => {
    const { status, body } = await figures('tipo=BP&ano=2025&mes=12&considerClosing=false');
    expect([status, body.state, body.differences]).toEqual([200, 'CLOSED', [0]]);
    expect(body.columns).toEqual([{ from: '01/2025', to: '12/2025', day: '2025-12-31' }]);
    const named = (name: string) => body.rows.find((row: { name: string }) => row.name === name);
    expect(named('Disponibilidades')).toMatchObject({
      amounts: [1740],
      accounts: [
        { cdContabil: '1.1.1', amounts: [500] },
        { cdContabil: '1.1.2', amounts: [1240] },
      ],
    });
    const open = body.rows.find((row: { source: string }) => row.source === 'OPEN_RESULT');
    expect(open.amounts).toEqual([450]);
    const sum = open.accounts.reduce((all: number, { amounts }: { amounts: number[] }) => all + amounts[0]!, 0);
    expect(sum).toBe(450);
  });

  test('stand side by side, of an income statement as well; of the institution too', async () => {
    const { body } = await figures('tipo=DRE&ano=2025&mes=12&periodo=SEMESTRE&periodos=2', '*');
    expect(body.columns.map(({ to }: { to: string }) => to)).toEqual(['12/2025', '06/2025']);
    for (const { amounts } of body.rows) expect(amounts).toHaveLength(2);
  });

  test('are refused for what is wrong', async () => {
    expect((await figures('tipo=DMPL&ano=2025&mes=12')).status).toBe(400);
    expect((await figures('tipo=BP&ano=2025&mes=13')).status).toBe(400);
    expect((await figures('tipo=BP&ano=2031&mes=1')).status).toBe(400);
    const empty = { chartCode: bank.chartCode, kind: 'BP', code: 'VAZIA', name: 'Vazia', validFrom: '2020-01-01' };
    const { id } = await bodyOf(admin.post('masterdata', '/statements', empty));
    expect(await figures('tipo=BP&ano=2025&mes=12&demonstracao=VAZIA')).toMatchObject({
      status: 400,
      body: { code: 'STATEMENT_MISSING', errors: [{ field: 'demonstracao' }] },
    });
    expect((await ask(request('BP', { demonstracao: 'VAZIA' }))).status).toBe(400);
    expect((await admin.call('masterdata', 'DELETE', `/statements/${id}`)).status).toBeLessThan(300);
    expect((await admin.get('reports', '/statements/0404/0001?tipo=BP&ano=2025&mes=12')).status).toBe(404);
  });
});

describe('a definition', () => {
  test('is the one that holds at the end of the period, or the one named', async () => {
    const lines = await bodyOf(admin.get('masterdata', `/statements?chart=${bank.chartCode}`));
    const own = await bodyOf(
      admin.post('masterdata', '/statements', {
        chartCode: bank.chartCode,
        kind: 'DRE',
        code: 'CURTA',
        name: 'Resultado resumido',
        validFrom: '2025-07-01',
      }),
    );
    const selectors = [{ pattern: '7*' }, { pattern: '8*' }];
    await bodyOf(
      admin.call('masterdata', 'PUT', `/statements/${own.id}/lines`, [
        { code: 'R', indicator: 'T', group: 'R', description: 'RESULTADO' },
        { code: 'R1', indicator: 'D', parentCode: 'R', group: 'R', description: 'Tudo', selectors },
      ]),
    );
    expect(await shown('DRE', { demonstracao: 'CURTA' })).toEqual(['Tudo: 650,00', 'RESULTADO: 650,00']);
    expect(await shown('DRE', { demonstracao: own.id })).toHaveLength(2);
    // The default one where several hold.
    expect((await shown('DRE')).length).toBeGreaterThan(2);
    const early = await ask(request('DRE', { mes: 6, demonstracao: 'CURTA' }));
    expect(early).toMatchObject({
      status: 400,
      body: { code: 'STATEMENT_MISSING', errors: [{ field: 'demonstracao' }] },
    });
    const standard = lines.find((each: { kind: string }) => each.kind === 'DRE');
    await bodyOf(admin.call('masterdata', 'PUT', `/statements/${standard.id}`, { ...standard, code: 'LONGA' }));
    expect(await ask(request('DRE'))).toMatchObject({ status: 400, body: { code: 'STATEMENT_AMBIGUOUS' } });
    await bodyOf(admin.call('masterdata', 'PUT', `/statements/${standard.id}`, standard));
  });

  test('that changes is printed at once, though the report of closed months was kept', async () => {
    const [{ id }] = (await bodyOf(admin.get('masterdata', `/statements?chart=${bank.chartCode}`))).filter(
      (each: { kind: string }) => each.kind === 'BP',
    );
    const before = await shown('BP');
    const lines = await bodyOf(admin.get('masterdata', `/statements/${id}/lines`));
    const renamed = lines.map((each: { code: string }) =>
      each.code === 'A1.1' ? { ...each, description: 'Caixa' } : each,
    );
    await bodyOf(admin.call('masterdata', 'PUT', `/statements/${id}/lines`, renamed));
    expect((await shown('BP'))[0]).toBe(before[0]!.replace('Disponibilidades', 'Caixa'));
  });
});

test.each([
  ['an unknown kind', { tipo: 'DFC' }, 400, 'tipo'],
  ['an unknown period', { periodo: 'TRIMESTRE' }, 400, 'periodo'],
  ['no periods', { periodos: 0 }, 400, 'periodos'],
  ['thirteen periods', { periodos: 13 }, 400, 'periodos'],
  ['periods before the books begin', { periodo: 'ANO', periodos: 2, tipo: 'DRE' }, 400, 'periodos'],
  [
    'more periods than a page of TXT holds',
    { periodo: 'MES', periodos: 7, visualizationEnum: 'TXT' },
    400,
    'visualizationEnum',
  ],
  ['a month that is not open', { ano: 2027 }, 400, 'mes'],
  ['a definition of others', { demonstracao: 999_999 }, 404, 'demonstracao'],
  ['an unknown field', { cor: 'azul' }, 400, 'cor'],
])('%s is rejected', async (_says, more, status, field) => {
  const answer = await ask(request('BP', more));
  expect({ status: answer.status, field: answer.body.errors?.[0]?.field }).toEqual({ status, field });
});

test('a stranger to the branch gets nothing', async () => {
  const other = await createBooks(admin, []);
  const { username, password } = await createUser(admin, {
    username: 'alheio',
    permissions: [{ company: other.company }],
  });
  expect((await ask(request('BP'), await platform.as(username, password))).status).toBe(403);
});

test('it is a part of a combined report, and a job', async () => {
  const { body } = await admin.post('reports', '/reports/combineReport', {
    empresa: bank.company,
    filial: bank.branch,
    visualizationEnum: 'PDF',
    relatorios: [
      { tipo: 'demonstracao', parametros: { tipo: 'BP', ano: 2025, mes: 12 } },
      { tipo: 'demonstracao', parametros: { tipo: 'DRE', ano: 2025, mes: 12 } },
    ],
  });
  expect(body.relatorios.map((each: { sucesso: boolean }) => each.sucesso)).toEqual([true, true]);
  const job = await admin.post('reports', '/reports/demonstracao?async=true', request('BP'));
  expect(job.status).toBe(202);
});
