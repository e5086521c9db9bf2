import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { centavos } from '../support/amounts.ts';
import { type Bank, PLAIN_CHART } from '../support/banks.ts';
import { book, movementOf } from '../support/books.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { day } from '../support/period.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { createBooks, print } from '../support/report-books.ts';

// Balance reports in their regulatory layouts, each figure recomputed from the entries.

const BOOK = book`
  02/01  1.1.2  D  100.000,00  3.1
  05/01  8.1    D    7.000,07  2.1.1
  20/01  1.1.1  D    9.999,99  7.1
  03/02  2.1.1  D    1.000,07  1.1.2
  03/02  8.2    D       50,50  1.1.1
  27/02  1.2    D   40.000,00  1.1.2
`;
const ROOTS = ['1', '2', '3', '7', '8'];

let platform: Platform;
let bank: Bank;
let february: Record<string, unknown>;

beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date('2026-03-10T15:30:00Z') });
  bank = await createBooks(platform.admin, BOOK, { months: ['01/2026', '02/2026'] });
  february = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 2, visualizationEnum: 'CSV' };
});
afterAll(() => platform.stop());

const before = (code: string) => movementOf(BOOK, code, day('2026-01-01'), day('2026-01-31')).net;
const during = (code: string) => movementOf(BOOK, code, day('2026-02-01'), day('2026-02-28'));
const now = (code: string) => movementOf(BOOK, code, day('2026-01-01'), day('2026-02-28')).net;

test('COSIF: assets and the other side are sections whose totals are equal', async () => {
  const { cells } = await print(platform.admin, 'cosifGeneralBalance', february);
  expect(cells[0]).toEqual(['Grau', 'Conta', 'Nome', 'Saldo anterior', 'Débitos', 'Créditos', 'Saldo atual']);
  const sections = cells.map(([first]) => first).filter((first) => first === 'ATIVO' || first === 'PASSIVO');
  expect(sections).toEqual(['ATIVO', 'PASSIVO']);
  const accounts = cells.filter((line) => /^\d/.test(line[1] ?? ''));
  expect(accounts.map(([, code]) => code)).toEqual(
    expect.arrayContaining(['1.1.1', '1.1.2', '2.1.1', '3.1', '7.1', '8.1']),
  );
  for (const [level, code = '', , opening, debit, credit, balance] of accounts) {
    expect(level).toBe(String(code.split('.').length));
    expect([code, centavos(opening), centavos(debit), centavos(credit), centavos(balance)]).toEqual([
      code,
      before(code),
      during(code).debit,
      during(code).credit,
      now(code),
    ]);
  }
  const places = accounts.map((line) => cells.indexOf(line));
  const passive = cells.findIndex(([first]) => first === 'PASSIVO');
  expect(accounts.filter((_, at) => places[at]! < passive).every(([, code]) => code!.startsWith('1'))).toBe(true);
  const [asset, rest] = ['TOTAL GERAL DO ATIVO', 'TOTAL GERAL DO PASSIVO'].map(
    (name) => cells.find((line) => line[2] === name)!,
  );
  expect(asset!.slice(3).map(centavos)).toEqual([before('1'), during('1').debit, during('1').credit, now('1')]);
  const moved = (side: 'debit' | 'credit') => ROOTS.slice(1).reduce((sum, code) => sum + during(code)[side], 0n);
  expect(rest!.slice(3).map(centavos)).toEqual([-before('1'), moved('debit'), moved('credit'), -now('1')]);
});

test('CVM: lines and total are what the entries say', async () => {
  const { cells } = await print(platform.admin, 'monthlyTrialCVMBalance', february);
  const accounts = cells.filter((line) => /^\d/.test(line[0] ?? ''));
  expect(accounts.length).toBeGreaterThan(10);
  for (const [code = '', , , ...figures] of accounts) {
    const { debit, credit } = during(code);
    expect([code, ...figures.map(centavos)]).toEqual([code, before(code), debit, credit, 0n, 0n, 0n, now(code)]);
  }
  const roots = (side: 'debit' | 'credit') => ROOTS.reduce((sum, code) => sum + during(code)[side], 0n);
  const total = cells.find((line) => line[2] === 'Total')!;
  expect(total.slice(3).map(centavos)).toEqual([0n, roots('debit'), roots('credit'), 0n, 0n, 0n, 0n]);
});

test('CVM: the balance sheet ends with the quotas of its own equity, or with dashes', async () => {
  const months = ['01/2026', '02/2026'];
  const fund = await createBooks(platform.admin, BOOK, { months });
  const { company, branch, accounts } = fund;
  const settings = { company, branch, netEquityAccountId: accounts.get('3'), numberOfQuotas: 1000 };
  const quotas = async (mes: number) => {
    const asked = { empresa: company, filial: branch, ano: 2026, mes, visualizationEnum: 'CSV' };
    const { cells } = await print(platform.admin, 'patrimonialCVMBalance', asked);
    return cells.map((line) => line[1] ?? '').filter((name) => /cotas?/.test(name));
  };
  expect(await quotas(1)).toEqual([]);
  expect((await platform.admin.post('masterdata', '/quotacalculation/', settings)).status).toBe(201);
  expect(await quotas(1)).toEqual(['Quantidade de cotas: —', 'Valor da cota em 31/01/2026: —']);
  await closeMonth(platform.admin, fund, '01/2026');
  const path = `/taxquotacalculation/${company}/${branch}`;
  expect((await platform.admin.get('movements', `${path}?confirmed=true`)).body).toEqual([
    '02/02/2026',
    '100.00000000',
    '100000.00',
    '1000.00000000',
  ]);
  // Calculated in February, of the equity at the end of January.
  expect(await quotas(1)).toEqual(['Quantidade de cotas: 1.000,00000000', 'Valor da cota em 31/01/2026: 100,00000000']);
  expect(await quotas(2)).toEqual(['Quantidade de cotas: —', 'Valor da cota em 28/02/2026: —']);
  const { body } = await platform.admin.get('reports', `/api/v1/saldos/plsaldos?empresa=${company}&filial=${branch}`);
  expect(body.conteudo.content.map((each: Record<string, unknown>) => [each.mes, each.valorCota])).toEqual(
    expect.arrayContaining([
      [1, 100],
      [2, null],
    ]),
  );
});

test('a fund compares with the end of its own year', async () => {
  const fund = await createBooks(platform.admin, BOOK, { months: ['01/2026', '02/2026'] });
  const { company, branch } = fund;
  const { body: type } = await platform.admin.post('masterdata', '/fundType', {
    ...{ code: 'ANO', description: 'Fundo', regulatoryPlan: 'COFI' },
  });
  const settings = { company, branch, fundTypeId: type.id, cnpj: '11222333000181', name: 'Fundo de janeiro' };
  const created = await platform.admin.post('masterdata', '/fund/settings', { ...settings, fiscalYearEnd: '31/01' });
  expect(created.status, created.text).toBe(201);
  const asked = { empresa: company, filial: branch, ano: 2026, mes: 2, visualizationEnum: 'CSV' };
  for (const path of ['patrimonialBalance', 'patrimonialCVMBalance']) {
    const { cells } = await print(platform.admin, path, asked);
    const total = cells.find((line) => line[1] === 'Total do ativo')!;
    expect(total.slice(2).map(centavos)).toEqual([now('1'), before('1')]);
  }
});

test('several in one file are what each is alone', async () => {
  const kinds = ['monthlyTrialBalance', 'cosifGeneralBalance', 'patrimonialBalance'];
  const { empresa, filial, ano, mes } = february;
  const relatorios = kinds.map((tipo) => ({ tipo, parametros: { ano, mes } }));
  const { text } = await print(platform.admin, 'combineReport', {
    empresa,
    filial,
    visualizationEnum: 'CSV',
    relatorios,
  });
  const alone = await Promise.all(kinds.map((kind) => print(platform.admin, kind, february)));
  const titles = ['Balancete de verificação', 'Balancete geral COSIF', 'Balanço patrimonial'];
  const joined = alone
    .map((report, at) => `${titles[at]} em 28 de fevereiro de 2026\r\n${report.text.replace('\uFEFF', '')}`)
    .join('\r\n');
  expect(text).toBe(`\uFEFF${joined}`);
});

test('CVM: the summary adds up', async () => {
  const { cells } = await print(platform.admin, 'monthlyTrialCVMBalance', february);
  const figure = (name: string) => centavos(cells.find((line) => line[2] === name)!.at(-1));
  expect(figure('Ativo')).toBe(now('1'));
  expect(figure('Passivo')).toBe(now('2'));
  expect(figure('Patrimônio líquido')).toBe(now('3'));
  expect(figure('Receitas')).toBe(now('7'));
  expect(figure('Despesas')).toBe(now('8'));
  expect(figure('Patrimônio líquido + resultado')).toBe(now('3') + now('7') + now('8'));
  expect(figure('Ativo') + figure('Passivo') + figure('Patrimônio líquido + resultado')).toBe(0n);
});

describe('daily trial balance', () => {
  const days = { dataInicio: '2026-02-02', dataFim: '2026-02-04' };

  test('a block for each day, opening with the evening before', async () => {
    const { ano: _ano, mes: _mes, ...rest } = february;
    const { cells } = await print(platform.admin, 'dailyTrialBalance', { ...rest, ...days });
    let current = day('2026-02-01');
    let totals = 0;
    const seen: string[] = [];
    for (const line of cells) {
      const title = /^Dia (\d\d)\/(\d\d)\/(\d{4})$/.exec(line[0] ?? '');
      if (title) {
        current = day(`${title[3]}-${title[2]}-${title[1]}`);
        seen.push(current);
        continue;
      }
      const [code = '', , , opening, debit, credit, balance] = line;
      if (line[2]?.startsWith('Total do dia')) {
        const moved = ROOTS.map((root) => movementOf(BOOK, root, current, current));
        const sum = (side: 'debit' | 'credit') => moved.reduce((whole, each) => whole + each[side], 0n);
        expect([current, ...line.slice(3).map(centavos)]).toEqual([current, 0n, sum('debit'), sum('credit'), 0n]);
        totals++;
      }
      if (!/^\d/.test(code)) continue;
      const to = movementOf(BOOK, code, day('2026-01-01'), current);
      const today = movementOf(BOOK, code, current, current);
      expect([current, code, centavos(opening), centavos(debit), centavos(credit), centavos(balance)]).toEqual([
        current,
        code,
        to.net - today.net,
        today.debit,
        today.credit,
        to.net,
      ]);
    }
    expect(seen).toEqual(['2026-02-02', '2026-02-03', '2026-02-04']);
    expect(totals).toBe(seen.length);
  });

  test('keeps to one month', async () => {
    const { ano: _ano, mes: _mes, ...rest } = february;
    const answer = await platform.admin.post('reports', '/reports/dailyTrialBalance', {
      ...rest,
      dataInicio: '2026-01-31',
      dataFim: '2026-02-01',
    });
    expect([answer.status, answer.body.code]).toEqual([400, 'PERIOD_OVER_A_MONTH']);
  });
});

test('the balance sheet shows the open result in equity and both sides agree, now and then', async () => {
  for (const path of ['patrimonialBalance', 'patrimonialCVMBalance']) {
    const { cells } = await print(platform.admin, path, { ...february, comparative: 'PREVIOUS_MONTH' });
    const figures = (name: string) =>
      cells
        .find((line) => line[1] === name)!
        .slice(2)
        .map(centavos);
    expect(figures('Total do ativo')).toEqual([now('1'), before('1')]);
    expect(figures('Total do passivo e patrimônio líquido')).toEqual(figures('Total do ativo'));
    expect(figures('Resultado do período')).toEqual([-(now('7') + now('8')), -(before('7') + before('8'))]);
    expect(figures('Fornecedores')).toEqual([-now('2.1.1'), -before('2.1.1')]);
    expect(cells.some((line) => /^[78]/.test(line[0] ?? ''))).toBe(false);
  }
  expect(ROOTS.reduce((sum, code) => sum + now(code), 0n)).toBe(0n);
});

test('compares with the end of the fiscal year before, or with nothing', async () => {
  const previous = async (comparative?: string) => {
    const { cells } = await print(platform.admin, 'patrimonialBalance', { ...february, comparative });
    return cells.find((line) => line[1] === 'Total do ativo')![3];
  };
  // December is the month before the base month: its balances are the base balances, none here.
  expect(await previous()).toBe('0,00');
  // Then there is no column for it.
  expect(await previous('NONE')).toBeUndefined();
});

describe('a month that is closed and consolidated', () => {
  let closed: Bank;
  let march: Record<string, unknown>;
  const MARCH = book`
    02/03  1.1.2  D  900,00  7.1
    03/03  8.1    D  350,25  1.1.2
  `;

  beforeAll(async () => {
    closed = await createBooks(platform.admin, MARCH, { months: ['03/2026'], baseYearMonth: '03/2026' });
    const { company, branch, accounts } = closed;
    march = { empresa: company, filial: branch, ano: 2026, mes: 3, visualizationEnum: 'CSV' };
    const settings = await platform.admin.post('masterdata', '/closuresettings', {
      company,
      branch,
      closingMonths: [3],
      revenueGroups: ['7*'],
      expenseGroups: ['8*'],
      creditResultAccountId: accounts.get('3.3'),
      debitResultAccountId: accounts.get('3.3'),
      profitAccountId: accounts.get('3.2'),
      lossAccountId: accounts.get('3.2'),
    });
    expect(settings.status, settings.text).toBe(201);
    await closeMonth(platform.admin, closed, '03/2026');
  });

  const lineOf = (cells: string[][], code: string, at = 0) => cells.find((line) => line[at] === code);

  test('the trial balance shows the closing apart, or the period as if there were none', async () => {
    const { cells: with_ } = await print(platform.admin, 'monthlyTrialBalance', march);
    expect(lineOf(with_, '7.1')!.slice(3)).toEqual(['0,00', '0,00', '900,00', '900,00', '0,00', '900,00', '0,00']);
    expect(lineOf(with_, '3.2')!.slice(3)).toEqual(['0,00', '0,00', '0,00', '0,00', '549,75', '-549,75', '-549,75']);
    const total = with_.find((line) => line[2] === 'Total')!;
    expect(total.slice(3)).toEqual(['0,00', '1250,25', '1250,25', '1800,00', '1800,00', '0,00', '0,00']);
    const { cells: without } = await print(platform.admin, 'monthlyTrialBalance', { ...march, considerClosing: false });
    expect(lineOf(without, '7.1')!.slice(3)).toEqual(['0,00', '0,00', '900,00', '0,00', '0,00', '0,00', '-900,00']);
    expect(lineOf(without, '3.2')).toBeUndefined();
  });

  test('a report without a column for the closing adds up all the same', async () => {
    const { cells } = await print(platform.admin, 'cosifGeneralBalance', march);
    for (const [, code = '', , opening, debit, credit, balance] of cells.filter((line) => /^\d/.test(line[1] ?? ''))) {
      expect([code, centavos(opening) + centavos(debit) - centavos(credit)]).toEqual([code, centavos(balance)]);
    }
    expect(lineOf(cells, '7.1', 1)!.slice(3)).toEqual(['0,00', '900,00', '900,00', '0,00']);
  });

  test('the balance sheet has the result in equity, closed or not', async () => {
    const total = (cells: string[][], name: string) => cells.find((line) => line[1] === name)?.[2];
    const { cells: with_ } = await print(platform.admin, 'patrimonialBalance', march);
    const { cells: without } = await print(platform.admin, 'patrimonialBalance', { ...march, considerClosing: false });
    expect(total(with_, 'Resultado do período')).toBeUndefined();
    expect(total(without, 'Resultado do período')).toBe('549,75');
    for (const cells of [with_, without]) {
      expect(total(cells, 'Total do patrimônio líquido')).toBe('549,75');
      expect(total(cells, 'Total do passivo e patrimônio líquido')).toBe(total(cells, 'Total do ativo'));
    }
  });

  test('the journal holds the closing entries, or leaves them out', async () => {
    const days = { dataInicio: '2026-03-01', dataFim: '2026-03-31' };
    const { ano: _ano, mes: _mes, ...tenant } = march;
    const count = async (considerClosing: boolean) =>
      (await print(platform.admin, 'relatorioDiarioGeral', { ...tenant, ...days, considerClosing })).cells.filter(
        (line) => /^\d\d\//.test(line[0] ?? ''),
      ).length;
    expect(await count(false)).toBe(MARCH.length * 2);
    expect(await count(true)).toBe(MARCH.length * 2 + 6);
  });
});

describe('books whose balance sheet does not balance', () => {
  let body: Record<string, unknown>;
  beforeAll(async () => {
    const memorandum = { type: 'A', accountClass: '05', description: 'Garantias recebidas' } as const;
    const accounts = [...PLAIN_CHART, { ...memorandum, code: '9', nature: 'C' as const }];
    const wrong = await createBooks(platform.admin, [], { accounts, months: [] });
    const { company, branch } = wrong;
    const balances = [
      { cdAccounting: '1.1.1', balance: 1234.56, dc: 'D' },
      { cdAccounting: '9', balance: 1234.56, dc: 'C' },
    ];
    const path = `/baseBalance/${company}/${branch}`;
    expect((await platform.admin.call('masterdata', 'PUT', path, balances)).status).toBe(200);
    await openMonth(platform.admin, wrong, '01/2026');
    body = { empresa: company, filial: branch, ano: 2026, mes: 1 };
  });
  const asked = (format: string, more: object = {}) =>
    platform.admin.post('reports', '/reports/patrimonialBalance', { ...body, visualizationEnum: format, ...more });

  test('it says by how much, on paper and in the envelope', async () => {
    for (const path of ['patrimonialBalance', 'patrimonialCVMBalance']) {
      const { cells } = await print(platform.admin, path, { ...body, visualizationEnum: 'CSV' });
      expect(cells.at(-1)).toEqual(['', 'Diferença', '1234,56', '1234,56']);
    }
    for (const format of ['PDF', 'CSV', 'TXT', 'XLSX']) {
      const { body: answer } = await asked(format);
      expect(answer.mensagem).toBe(
        'Relatório gerado; ATENÇÃO: ativo e passivo com patrimônio líquido diferem em R$ 1.234,56 (janeiro de 2026); ' +
          'ATENÇÃO: ativo e passivo com patrimônio líquido diferem em R$ 1.234,56 (dezembro de 2025)',
      );
    }
    const { text } = await print(platform.admin, 'patrimonialBalance', { ...body, visualizationEnum: 'TXT' });
    expect(text).toMatch(/Diferença +1\.234,56 +1\.234,56/);
  });

  test('a range of accounts is no balance sheet, and has no sides to compare', async () => {
    const { body: answer } = await asked('TXT', { accountFrom: '1' });
    expect(answer.mensagem).toBe('Relatório gerado');
    expect(Buffer.from(answer.conteudo, 'base64').toString()).not.toContain('Diferença');
  });

  test('the parts of a combined report say it too', async () => {
    const { empresa, filial, ...month } = body;
    const { body: answer } = await platform.admin.post('reports', '/reports/combineReport', {
      ...{ empresa, filial, visualizationEnum: 'PDF' },
      relatorios: [{ tipo: 'patrimonialBalance', parametros: { ...month, comparative: 'NONE' } }],
    });
    expect(answer.relatorios[0].mensagem).toContain('diferem em R$ 1.234,56');
  });

  test('the general balance, whose totals agree by themselves, says when balances were damaged', async () => {
    const general = () =>
      platform.admin.post('reports', '/reports/cosifGeneralBalance', { ...body, visualizationEnum: 'CSV' });
    expect((await general()).body.mensagem).toBe('Relatório gerado');
    await withOwnerConnection(platform.ownerUrl, (client) =>
      client.query('UPDATE base_balance SET balance = balance - 0.01 WHERE balance > 0'),
    );
    const { body: answer } = await general();
    expect(answer.mensagem).toContain('os totais do ativo e do passivo diferem em R$ 0,01 (saldo atual)');
    expect(Buffer.from(answer.conteudo, 'base64').toString()).toContain(';Diferença;-0,01;;;-0,01');
  });
});
