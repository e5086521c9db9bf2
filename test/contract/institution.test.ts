import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Centavos, sumOf } from '../../src/accounting/money.ts';
import { addDays } from '../../src/accounting/period.ts';
import { centavos } from '../support/amounts.ts';
import { setOpenings } from '../support/balances.ts';
import { type AccountFixture, type Bank, createBank, PLAIN_CHART } from '../support/banks.ts';
import { type BookEntry, book, debitsAndCredits, post } from '../support/books.ts';
import { archiveMonth, closeMonth, openMonth, REOPENING, unarchiveMonth } from '../support/months.ts';
import { hasPoppler, pagesOfPdf } from '../support/pdf.ts';
import { day } from '../support/period.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { print } from '../support/report-books.ts';
import { createUser } from '../support/users.ts';

// A bank of three agencies that owe one another, and a fund. Every figure of the institution is recomputed here from
// the entries of the three alone.

const account = (
  code: string,
  description: string,
  type: 'S' | 'A',
  nature: 'D' | 'C',
  accountClass: '01' | '02',
): AccountFixture => ({ code, description, type, nature, accountClass });

const CHART: readonly AccountFixture[] = [
  ...PLAIN_CHART,
  account('1.5', 'Relações interdependências', 'S', 'D', '01'),
  account('1.5.1', 'Recursos em trânsito de terceiros', 'A', 'D', '01'),
  account('1.5.2', 'Transferências internas de recursos', 'A', 'D', '01'),
  account('4', 'Obrigações', 'S', 'C', '02'),
  account('4.5', 'Relações interdependências', 'S', 'C', '02'),
  account('4.5.1', 'Recursos em trânsito de terceiros', 'A', 'C', '02'),
];

/** The second agency has not answered 250,00 of what the first sent in January. */
const BOOKS: Readonly<Record<string, readonly BookEntry[]>> = {
  '0001': book`
    02/01     1.1.2  D  100.000,00  3.1    "Integralização de capital"
    05/01     1.5.1  D   20.000,00  1.1.2  "Numerário para a filial 0002"
    06/01  2  1.5.2  D    5.000,00  1.1.2  "Numerário para a filial 0003"
    20/01  2  1.1.2  D      999,99  7.1    "Juros"
    03/02     1.1.2  D    3.000,00  1.5.2  "Devolução da filial 0003"
  `,
  '0002': book`
    05/01     1.1.1  D   19.750,00  4.5.1  "Numerário da matriz"
    10/01     8.1    D    7.000,07  1.1.1  "Folha"
    04/02     1.1.1  D       10,00  7.2    "Tarifas"
  `,
  '0003': book`
    07/01     1.1.1  D    5.000,00  4.5.1  "Numerário da matriz"
    15/01     8.2    D      300,00  2.1.1  "Aluguel"
    03/02     4.5.1  D    3.000,00  1.1.1  "Devolução à matriz"
  `,
};
const ENTRIES = Object.values(BOOKS).flat();

let platform: Platform;
let company: string;
let agencies: Bank[];
let fund: Bank;

beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date('2026-03-10T15:30:00Z') });
  const options = { regulatoryLayout: 'COSIF', signatories: SIGNATORIES };
  const first = await createBank(platform.admin, { branch: '0001', chartCode: 'INST', accounts: CHART, options });
  company = first.company;
  agencies = [first];
  for (const branch of ['0002', '0003']) agencies.push(await agency(branch, 'INST'));
  fund = await agency('0009', 'INST');
  await makeFund(fund);
  for (const bank of [...agencies, fund]) {
    for (const month of ['01/2026', '02/2026']) await openMonth(platform.admin, bank, month);
    await post(platform.admin, bank, BOOKS[bank.branch] ?? book`02/01 1.1.2 D 777,00 3.1 "Cotas"`);
  }
});
afterAll(() => platform?.stop());

const SIGNATORIES = [
  { name: 'Ana Souza', role: 'Diretora', legalResponsible: true },
  { name: 'Rui Lima', role: 'Contador', crc: '1SP123456/O-1', ufCrc: 'SP' },
];

function agency(branch: string, chartCode: string, more: Record<string, unknown> = {}): Promise<Bank> {
  return createBank(platform.admin, { company, branch, chartCode, accounts: [], existing: true, ...more });
}

async function makeFund({ company, branch }: Bank): Promise<void> {
  const type = await platform.admin.post('masterdata', '/fundType', {
    code: `FI${branch}`,
    description: 'Fundo',
    regulatoryPlan: 'COFI',
  });
  const answer = await platform.admin.post('masterdata', '/fund/settings', {
    company,
    branch,
    fundTypeId: type.body.id,
    cnpj: '19131243000197',
    name: 'Fundo Exemplo',
  });
  expect(answer.status, answer.text).toBe(201);
}

const whole = () => ({ empresa: company, filial: '*' });

/** What a paper of the whole institution must say of an account in a span of days, from the entries alone. */
function expectedOf(code: string, from: string, to: string) {
  const before = { opening: figuresOf(ENTRIES, code, '2000-01-01', addDays(day(from), -1)).net };
  const during = figuresOf(ENTRIES, code, from, to);
  return { ...before, ...during, balance: before.opening + during.net };
}

/** The same with the dealings between agencies in the place of their accounts: `1.5` is what they leave. */
function eliminatedOf(code: string, from: string, to: string) {
  const [claims, debts] = [expectedOf('1.5', from, to), expectedOf('4.5', from, to)];
  const cancelled = least(claims.debit, debts.credit) + least(claims.credit, debts.debit);
  const left = {
    opening: claims.opening + debts.opening,
    debit: claims.debit + debts.debit - cancelled,
    credit: claims.credit + debts.credit - cancelled,
    balance: claims.balance + debts.balance,
  };
  const plain = expectedOf(code, from, to);
  const of = (key: keyof typeof left) =>
    code === '1.5' ? left[key] : code === '1' ? plain[key] - claims[key] + left[key] : plain[key];
  return { opening: of('opening'), debit: of('debit'), credit: of('credit'), balance: of('balance') };
}

/** Of an account and all below it; net is debit-positive. */
function figuresOf(entries: readonly BookEntry[], code: string, from: string, to: string) {
  const lines = entries.filter(({ day }) => day >= from && day <= to).flatMap(debitsAndCredits);
  const of = (side: 'D' | 'C') =>
    sumOf(
      lines
        .filter((line) => line.side === side && (line.account === code || line.account.startsWith(`${code}.`)))
        .map(({ amount }) => amount),
    );
  const [debit, credit] = [of('D'), of('C')];
  return { debit, credit, net: debit - credit };
}

function least(a: Centavos, b: Centavos): Centavos {
  return a < b ? a : b;
}

const RESIDUE = 'Eliminações não casadas 1.5/4.5';
const JANUARY = ['2026-01-01', '2026-01-31'] as const;
const FEBRUARY = ['2026-02-01', '2026-02-28'] as const;

async function csvOf(type: string, more: Record<string, unknown>): Promise<string[][]> {
  return (await print(platform.admin, type, { ...whole(), ...more, visualizationEnum: 'CSV' })).cells;
}

async function expectTrialBalances(): Promise<void> {
  for (const [mes, [from, to]] of [
    [1, JANUARY],
    [2, FEBRUARY],
  ] as const) {
    const rows = (await csvOf('monthlyTrialBalance', { ano: 2026, mes })).slice(1).filter(([code]) => code !== '');
    expect(rows.map(([code]) => code).join(' ')).toBe(
      `1 1.1 1.1.1 1.1.2 1.5 1.5 2 2.1 2.1.1 3 3.1 7 7.1${mes === 2 ? ' 7.2' : ''} 8 8.1 8.2`,
    );
    for (const [code = '', short, name, opening, debit, credit, ...ofClosing] of rows) {
      if (short === '') expect(name).toBe(RESIDUE);
      const printed = {
        opening: centavos(opening),
        debit: centavos(debit),
        credit: centavos(credit),
        balance: centavos(ofClosing.at(-1)),
      };
      expect({ code, ...printed }).toEqual({ code, ...eliminatedOf(code, from, to) });
    }
  }
}

describe('the papers of balances', () => {
  test('monthly trial balances sum the branches, without what they owe one another', expectTrialBalances);

  test('say what did not cancel, and which branches are funds', async () => {
    const body = { ...whole(), ano: 2026, mes: 2, visualizationEnum: 'PDF' };
    const { mensagem, nomeArquivo } = await bodyOf(
      platform.admin.post('reports', '/reports/monthlyTrialBalance', body),
    );
    expect(mensagem).toBe(
      'Relatório gerado; ATENÇÃO: eliminações não casadas 1.5/4.5: R$ 250,00 D no saldo atual; as filiais de fundos não compõem a instituição (0009)',
    );
    expect(nomeArquivo).toBe(`balancete-mensal-${company}-instituicao-2026-02.pdf`);
  });

  test('the general balance has equal sides', async () => {
    const cells = await csvOf('cosifGeneralBalance', { ano: 2026, mes: 2 });
    const total = (name: string) =>
      cells
        .find((line) => line[2] === name)!
        .slice(3)
        .map(centavos);
    const [opening, debit, credit, balance] = total('TOTAL GERAL DO ATIVO');
    expect({ opening, debit, credit, balance }).toEqual(eliminatedOf('1', ...FEBRUARY));
    const passive = total('TOTAL GERAL DO PASSIVO');
    expect([passive[0], passive[3]]).toEqual([-opening!, -balance!]);
    expect(cells.find((line) => line[2] === RESIDUE)).toEqual([
      '3',
      '1.5',
      RESIDUE,
      '250,00',
      '0,00',
      '0,00',
      '250,00',
    ]);
  });

  test('the balance sheet has equal sides in both columns', async () => {
    const cells = await csvOf('patrimonialBalance', { ano: 2026, mes: 2, comparative: 'PREVIOUS_MONTH' });
    const amounts = (name: string) =>
      cells
        .find((line) => line[1] === name)!
        .slice(2)
        .map(centavos);
    const assets = [eliminatedOf('1', ...FEBRUARY).balance, eliminatedOf('1', ...JANUARY).balance];
    expect(amounts('Total do ativo')).toEqual(assets);
    expect(amounts('Total do passivo e patrimônio líquido')).toEqual(assets);
    expect(amounts(RESIDUE)).toEqual([250_00n, 250_00n]);
    expect(amounts('Resultado do período')).toEqual([
      -figuresOf(ENTRIES, '7', '2000-01-01', FEBRUARY[1]).net - figuresOf(ENTRIES, '8', '2000-01-01', FEBRUARY[1]).net,
      -figuresOf(ENTRIES, '7', ...JANUARY).net - figuresOf(ENTRIES, '8', ...JANUARY).net,
    ]);
  });

  test('the daily trial balance eliminates each day by itself', async () => {
    const cells = await csvOf('dailyTrialBalance', { dataInicio: '2026-01-05', dataFim: '2026-01-07' });
    let date = '';
    for (const [code = '', , , opening, debit, credit, balance] of cells.slice(1)) {
      if (code.startsWith('Dia ')) date = code.slice(4).split('/').reverse().join('-');
      else if (code !== '') {
        const printed = [opening, debit, credit, balance].map(centavos);
        expect([date, code, ...printed]).toEqual([date, code, ...Object.values(eliminatedOf(code, date, date))]);
      }
    }
    expect(date).toBe('2026-01-07');
  });

  test('without pairs in the options of the head office nothing is eliminated', async () => {
    await changeOptions({ eliminationPairs: [] });
    const rows = await csvOf('monthlyTrialBalance', { ano: 2026, mes: 2 });
    expect(centavos(rows.find(([code]) => code === '4.5.1')!.at(-1))).toBe(expectedOf('4.5', ...FEBRUARY).balance);
    expect(rows.some((line) => line[2] === RESIDUE)).toBe(false);
    await changeOptions({ eliminationPairs: [{ debit: '1.5', credit: '4.5' }] });
    await expectTrialBalances();
    await changeOptions({ eliminationPairs: null });
  });
});

async function changeOptions(more: Record<string, unknown>): Promise<void> {
  const options = await bodyOf(platform.admin.get('masterdata', `/company/options/company/${company}/0001`));
  await bodyOf(platform.admin.call('masterdata', 'PUT', `/company/options/${options.id}`, { ...options, ...more }));
}

const YEAR_TO_DATE = { dataInicio: '2026-01-01', dataFim: '2026-02-28' };

describe('the papers of lines', () => {
  test('the ledger is not eliminated and names the branch of each line', async () => {
    const cells = await csvOf('relatorioRazao', YEAR_TO_DATE);
    expect(cells[0]!.slice(0, 3)).toEqual(['Data', 'Filial', 'Lote']);
    const codes: string[] = [];
    for (const line of cells.slice(1)) {
      if (/^\d\S* .* \(\d+\)$/.test(line[0]!)) codes.push(line[0]!.split(' ')[0]!);
      if (line[6] !== 'Total da conta') continue;
      const code = codes.at(-1)!;
      const { debit, credit, net } = figuresOf(ENTRIES, code, ...JANUARY_TO_FEBRUARY);
      expect([line[10], ...line.slice(7, 10).map(centavos)]).toEqual([code, debit, credit, net]);
    }
    expect(codes).toContain('4.5.1');
    const branches = cells.filter(([date]) => /^\d\d\//.test(date!)).map((line) => line[1]!);
    for (const [branch, entries] of Object.entries(BOOKS)) {
      expect(branches.filter((each) => each === branch)).toHaveLength(entries.flatMap(debitsAndCredits).length);
    }
  });

  test('the journal follows day, branch and batch, and closes', async () => {
    const cells = await csvOf('relatorioDiarioGeral', YEAR_TO_DATE);
    const lines = cells.slice(1).filter(([date]) => /^\d\d\/\d\d\/\d{4}$/.test(date!));
    expect(lines).toHaveLength(ENTRIES.flatMap(debitsAndCredits).length);
    const places = lines.map(([date = '', branch]) => `${date.split('/').reverse().join('')} ${branch}`);
    expect(places).toEqual(places.toSorted());
    const turnover = sumOf(ENTRIES.flatMap(debitsAndCredits).map(({ amount }) => amount)) / 2n;
    expect(
      cells
        .find((line) => line[5] === 'Total geral')!
        .slice(6)
        .map(centavos),
    ).toEqual([turnover, turnover]);
  });

  test('the posting listing holds all lines', async () => {
    const cells = await csvOf('lancamentos', { ...YEAR_TO_DATE, orderBy: 'BATCH' });
    expect(cells.at(-1)![8]).toBe(`Total de ${ENTRIES.flatMap(debitsAndCredits).length} partidas`);
    expect(new Set(cells.slice(1, -1).map((line) => line[1]))).toEqual(new Set(Object.keys(BOOKS)));
  });

  test('all formats, in the background and combined', async () => {
    const body = { ...whole(), ...YEAR_TO_DATE, visualizationEnum: 'TXT' };
    const { bytes, text } = await print(platform.admin, 'relatorioRazao', body);
    expect(bytes.length).toBeGreaterThan(1_000);
    expect(text).toContain('Instituição (filiais 0001, 0002, 0003)');
    for (const visualizationEnum of ['PDF', 'XLSX']) {
      await print(platform.admin, 'relatorioDiarioGeral', { ...body, visualizationEnum });
    }
    const combined = {
      ...whole(),
      visualizationEnum: 'CSV',
      relatorios: [
        { tipo: 'monthlyTrialBalance', parametros: { ano: 2026, mes: 1 } },
        { tipo: 'relatorioDiarioGeral', parametros: YEAR_TO_DATE },
      ],
    };
    const both = await bodyOf(platform.admin.post('reports', '/reports/combineReport', combined));
    expect(both.relatorios.map(({ sucesso }: { sucesso: boolean }) => sucesso)).toEqual([true, true]);
    expect(both.nomeArquivo).toBe(`relatorios-${company}-instituicao.csv`);
    const { body: job } = await platform.admin.post('reports', '/reports/combineReport?async=true', combined);
    expect(await textOfJob(job.id)).toBe(textOf(both.conteudo));
  });
});

const JANUARY_TO_FEBRUARY = [JANUARY[0], FEBRUARY[1]] as const;

describe('the statements by their definitions', () => {
  const statement = async (tipo: string, more: Record<string, unknown> = {}) =>
    csvOf('demonstracao', { tipo, ano: 2026, mes: 2, comparativo: 'NONE', ...more });
  const amountsOf = (cells: readonly string[][], name: string) =>
    cells
      .find((line) => line.includes(name))!
      .slice(2)
      .map(centavos);

  beforeAll(async () => {
    const kinds = ['BP', 'DRE', 'DMPL', 'DLPA'];
    await bodyOf(platform.admin.post('masterdata', '/statements/default', { chartCode: 'INST', kinds }));
  });

  test('a balance sheet of two months has equal sides after eliminations', async () => {
    const cells = await statement('BP', { periodo: 'MES', periodos: 2 });
    const assets = [eliminatedOf('1', ...FEBRUARY).balance, eliminatedOf('1', ...JANUARY).balance];
    expect(amountsOf(cells, 'Total do ativo')).toEqual(assets);
    expect(amountsOf(cells, 'Total do passivo e patrimônio líquido')).toEqual(assets);
    expect(amountsOf(cells, 'Resultado do período')).toEqual([resultUntil(FEBRUARY[1]), resultUntil(JANUARY[1])]);
  });

  test('an income statement of a month, a half-year and a year is the sum of the branches', async () => {
    const last = async (more: Record<string, unknown>) => (await statement('DRE', more)).at(-1)!.slice(2).map(centavos);
    const [january, both] = [resultUntil(JANUARY[1]), resultUntil(FEBRUARY[1])];
    expect(await last({ periodo: 'MES', periodos: 2 })).toEqual([both - january, january]);
    for (const periodo of ['SEMESTRE', 'ANO']) expect(await last({ periodo })).toEqual([both]);
  });

  test('changes in equity come from the entries of all branches', async () => {
    const cells = await statement('DMPL', { periodo: 'ANO' });
    const [equity, result] = [-figuresOf(ENTRIES, '3', '2000-01-01', FEBRUARY[1]).net, resultUntil(FEBRUARY[1])];
    expect(cells.slice(1).map(([name, ...amounts]) => [name, ...amounts.map(centavos)])).toEqual([
      ['Saldos em 31/12/2025', 0n, 0n, 0n],
      ['Resultado do período', 0n, result, result],
      ['Outros movimentos', equity, 0n, equity],
      ['Saldos em 28/02/2026', equity, result, equity + result],
    ]);
    const retained = await statement('DLPA', { periodo: 'ANO' });
    expect(retained.slice(1).map(([name, total]) => [name, centavos(total)])).toEqual([
      ['Saldos em 31/12/2025', 0n],
      ['Resultado do período', result],
      ['Saldos em 28/02/2026', result],
    ]);
    const body = { ...whole(), tipo: 'DMPL', ano: 2026, mes: 2, comparativo: 'NONE', visualizationEnum: 'PDF' };
    const { mensagem } = await bodyOf(platform.admin.post('reports', '/reports/demonstracao', body));
    expect(mensagem).toContain('as filiais de fundos não compõem a instituição (0009)');
  });

  test('months side by side are eliminated each by itself', async () => {
    const [, ...rows] = await csvOf('saldosMensais', { ano: 2026, mes: 2 });
    for (const [code = '', name, ...figures] of rows) {
      const expected = [JANUARY, FEBRUARY].map(([from, to]) => eliminatedOf(code, from, to).balance);
      expect([code, name, figures.map(centavos)]).toEqual([code, name, expected]);
    }
    expect(rows.map((row) => row.slice(0, 2))).toContainEqual(['1.5', RESIDUE]);
    expect(rows.some(([code]) => code === '4.5.1')).toBe(false);
    const [, ...chosen] = await csvOf('saldosMensais', { ano: 2026, mes: 2, contas: ['1.5'] });
    expect(chosen).toEqual([['1.5', 'Relações interdependências', '250,00', '250,00']]);
  });
});

function resultUntil(to: string): Centavos {
  return -figuresOf(ENTRIES, '7', '2000-01-01', to).net - figuresOf(ENTRIES, '8', '2000-01-01', to).net;
}

test('equity and open result by month are summed, without quotas', async () => {
  const months = async (more = '') =>
    (
      await bodyOf(
        platform.admin.get('reports', `/api/v1/saldos/plsaldos?empresa=${company}&filial=*&ordenarPor=mes${more}`),
      )
    ).conteudo;
  const { content, totalElements } = await months();
  expect(totalElements).toBe(2);
  for (const [at, [, to]] of [JANUARY, FEBRUARY].entries()) {
    const { patrimonioLiquido, resultado, ...rest } = content[at];
    expect(rest).toEqual({
      ...{ empresa: company, filial: '*', ano: 2026, mes: at + 1, quantidadeCotas: null, valorCota: null },
    });
    const found = [patrimonioLiquido, resultado].map((each) => BigInt(Math.round(each * 100)));
    expect(found).toEqual([figuresOf(ENTRIES, '3', '2000-01-01', to).net, -resultUntil(to)]);
  }
  const byResult = await months('&direcao=DESC&tamanho=1');
  expect(byResult.content).toEqual([content[1]]);
});

/** Without the byte order mark. */
function textOf(base64: string): string {
  return new TextDecoder().decode(Buffer.from(base64, 'base64'));
}

async function textOfJob(id: number): Promise<string> {
  for (;;) {
    const job = await bodyOf(platform.admin.get('reports', `/reports/jobs/${id}`));
    if (job.status === 'ERROR') throw new Error(job.mensagem);
    if (job.status === 'DONE') return (await platform.admin.get('reports', job.download)).text;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('legacy and plan reads list the same sums, and the lines of all agencies', async () => {
  const month = 'dataInicio=2026-02-01&dataFim=2026-02-28';
  const legacy = '/api/v1/legacy-integration';
  const balances = await bodyOf(
    platform.admin.get('queries', `${legacy}/consulta-contabil?empresa=${company}&filial=*&${month}&tamanho=1000`),
  );
  const plan = await bodyOf(
    platform.admin.get(
      'reports',
      `/api/v1/saldos/plano-saldo?empresa=${company}&filial=*&ano=2026&mes=2&tamanho=1000&ordenarPor=saldoAtual&direcao=DESC`,
    ),
  );
  expect(plan.conteudo.totalElements).toBe(balances.conteudo.totalElements);
  for (const item of balances.conteudo.content) {
    const { codigo_conta: code, codigo_filial, saldo_anterior, valor_debito, valor_credito, saldo_atual } = item;
    const expected = eliminatedOf(code, ...FEBRUARY);
    const found = [saldo_anterior, valor_debito, valor_credito, saldo_atual].map((each) =>
      BigInt(Math.round(each * 100)),
    );
    expect([code, ...found]).toEqual([code, expected.opening, expected.debit, expected.credit, expected.balance]);
    expect(codigo_filial).toBe('*');
  }
  const amounts = plan.conteudo.content.map(({ saldoAtual }: { saldoAtual: number }) => saldoAtual);
  expect(amounts).toEqual(amounts.toSorted((a: number, b: number) => b - a));
  const day = `empresa=${company}&filial=*&ano=2026&mes=2&dia=3&tamanho=1000`;
  const ofDay = await bodyOf(platform.admin.get('reports', `/api/v1/saldos/plano-saldo-dia?${day}`));
  for (const { cdContabil, saldoAtual } of ofDay.conteudo.content) {
    expect([cdContabil, BigInt(Math.round(saldoAtual * 100))]).toEqual([
      cdContabil,
      eliminatedOf(cdContabil, '2026-02-03', '2026-02-03').balance,
    ]);
  }
  const lines = await bodyOf(
    platform.admin.get('queries', `${legacy}/lancamentos-contabeis?empresa=${company}&filial=*&${month}`),
  );
  expect(lines.conteudo.totalElements).toBe(
    ENTRIES.filter(({ day }) => day >= FEBRUARY[0]).flatMap(debitsAndCredits).length,
  );
});

describe('who may see it', () => {
  test('only who has the company as a whole', async () => {
    const each = agencies.concat(fund).map(({ branch }) => ({ company, branch }));
    await createUser(platform.admin, { username: 'agencias', permissions: each });
    await createUser(platform.admin, { username: 'instituicao', permissions: [{ company }] });
    const body = { ...whole(), ano: 2026, mes: 1, visualizationEnum: 'CSV' };
    const [some, all] = [
      await platform.as('agencias', 'uma senha bem comprida'),
      await platform.as('instituicao', 'uma senha bem comprida'),
    ];
    const refused = await some.post('reports', '/reports/monthlyTrialBalance', body);
    expect([refused.status, refused.body.code]).toEqual([403, 'TENANT_DENIED']);
    const { body: job } = await all.post('reports', '/reports/monthlyTrialBalance?async=true', body);
    const csv = await bodyOf(all.post('reports', '/reports/monthlyTrialBalance', body));
    expect(await textOfJob(job.id)).toBe(textOf(csv.conteudo));
    // The file of the background shows all branches, too.
    expect((await some.get('reports', `/reports/jobs/${job.id}`)).status).toBe(404);
    expect((await some.get('reports', `/reports/jobs/${job.id}/download`)).status).toBe(404);
    const unknown = await all.post('reports', '/reports/monthlyTrialBalance', { ...body, empresa: 'NADA' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('closed and archived months', () => {
  test('a month that some branches closed is open, and its figures stay the same', async () => {
    await closeMonth(platform.admin, agencies[0]!, '01/2026');
    await closeMonth(platform.admin, agencies[2]!, '01/2026');
    await closeMonth(platform.admin, agencies[2]!, '02/2026');
    await expectTrialBalances();
    const book = await platform.admin.post('reports', '/reports/relatorioDiarioGeral', BOOK);
    expect([book.status, book.body.code]).toEqual([400, 'BOOK_OF_OPEN_MONTH']);
  });

  test('a month that all closed is closed, and is bound as a book signed at the head office', async () => {
    for (const [agency, month] of [
      [0, '02/2026'],
      [1, '01/2026'],
      [1, '02/2026'],
    ] as const) {
      await closeMonth(platform.admin, agencies[agency]!, month);
    }
    await expectTrialBalances();
    const { bytes } = await print(platform.admin, 'relatorioDiarioGeral', BOOK);
    expect(bytes.length).toBeGreaterThan(10_000);
    const { body: books } = await platform.admin.get('reports', `/books/${BOOK.empresa}?branch=*`);
    expect(books).toMatchObject([{ branch: '*', kind: 'DIARIO', state: 'ISSUED', bytes: bytes.length }]);
    const { body: next } = await platform.admin.get('reports', `/books/${BOOK.empresa}/*/next`);
    expect(next[0]).toMatchObject({ kind: 'DIARIO', number: books[0].number + 1 });
  });

  test('the ledger is bound, too, and terms are printed alone', async () => {
    await print(platform.admin, 'relatorioRazao', BOOK);
    const { body: books } = await platform.admin.get('reports', `/books/${company}?branch=*&kind=RAZAO`);
    expect(books).toMatchObject([{ branch: '*', state: 'ISSUED' }]);
    const { includeTerms, ...terms } = BOOK;
    const { bytes } = await print(platform.admin, 'reportTermos', {
      ...terms,
      ...{ tipo: 'AMBOS', livro: 'RAZAO', numeroOrdem: books[0].number, quantidadePaginas: books[0].folhas },
    });
    if (hasPoppler) expect(pagesOfPdf(bytes)[0]).toContain('Instituição (filiais 0001, 0002, 0003)');
    const codes = await bodyOf(platform.admin.post('reports', '/reports/planos', whole()));
    expect(codes).toEqual(CHART.map(({ code }) => code).toSorted());
  });

  test('the branch that has not opened a month, or archived it, is named', async () => {
    await openMonth(platform.admin, agencies[0]!, '03/2026');
    await openMonth(platform.admin, agencies[2]!, '03/2026');
    const march = { ...whole(), ano: 2026, mes: 3, visualizationEnum: 'CSV' };
    const unopened = await platform.admin.post('reports', '/reports/monthlyTrialBalance', march);
    expect([unopened.status, unopened.body.code]).toEqual([400, 'MONTH_NOT_OPEN_IN_BRANCHES']);
    expect(unopened.body.detail).toContain('0002');
    const body = { ...whole(), ...YEAR_TO_DATE, visualizationEnum: 'CSV' };
    const lines = await platform.admin.post('reports', '/reports/relatorioRazao', { ...body, dataFim: '2026-03-01' });
    expect(lines.body.code).toBe('MONTH_NOT_OPEN_IN_BRANCHES');
    const columns = await platform.admin.post('reports', '/reports/saldosMensais', march);
    expect([columns.status, columns.body.code]).toEqual([400, 'MONTH_NOT_OPEN_IN_BRANCHES']);
    await archiveMonth(platform.admin, agencies[1]!, '01/2026');
    const archived = await platform.admin.post('reports', '/reports/relatorioRazao', body);
    expect([archived.status, archived.body.code]).toEqual([400, 'MONTH_PURGED_IN_BRANCHES']);
    expect(archived.body.detail).toContain('0002');
    const changes = { ...body, tipo: 'DMPL', comparativo: 'NONE', ano: 2026, mes: 2, visualizationEnum: 'CSV' };
    const { dataInicio, dataFim, ...ofMonth } = changes;
    const unknown = await platform.admin.post('reports', '/reports/demonstracao', ofMonth);
    expect([unknown.status, unknown.body.code]).toEqual([400, 'MONTH_PURGED_IN_BRANCHES']);
    await expectTrialBalances();
    await unarchiveMonth(platform.admin, agencies[1]!, '01/2026');
  });

  test('a branch takes part from its base month on, with its base balances', async () => {
    const late = await agency('0004', 'INST', { baseYearMonth: '02/2026' });
    await setOpenings(platform.admin, late, '1.1.1  100,00 D\n3.1  100,00 C');
    await openMonth(platform.admin, late, '02/2026');
    await expect(expectTrialBalances()).rejects.toThrow();
    const [january, february] = [1, 2].map((mes) => csvOf('monthlyTrialBalance', { ano: 2026, mes }));
    expect(centavos((await january)!.find(([code]) => code === '3.1')!.at(-1))).toBe(-100_000_00n);
    expect(centavos((await february)!.find(([code]) => code === '3.1')!.at(-1))).toBe(-100_100_00n);
    const sheet = await csvOf('patrimonialBalance', { ano: 2026, mes: 2, comparative: 'PREVIOUS_MONTH' });
    expect(
      sheet
        .find(([code]) => code === '3.1')!
        .slice(2)
        .map(centavos),
    ).toEqual([100_100_00n, 100_100_00n]);
    const path = `/api/v1/saldos/plsaldos?empresa=${company}&filial=*&ordenarPor=mes`;
    const { content } = (await bodyOf(platform.admin.get('reports', path))).conteudo;
    expect(content.map((each: { patrimonioLiquido: number }) => each.patrimonioLiquido)).toEqual([-100_000, -100_100]);
    const ledger = await csvOf('relatorioRazao', { ...YEAR_TO_DATE, contas: ['3.1'] });
    expect(
      ledger
        .find((line) => line[6] === 'Total da conta')!
        .slice(7, 10)
        .map(centavos),
    ).toEqual([0n, 100_000_00n, -100_100_00n]);
    const more = { tipo: 'DMPL', comparativo: 'NONE', periodo: 'ANO', ano: 2026, mes: 2 };
    const changes = await csvOf('demonstracao', more);
    expect(changes.find(([name]) => name!.startsWith('Saldos iniciais de filiais'))!.slice(1)).toEqual([
      ...['100,00', '0,00', '100,00'],
    ]);
  });

  test('reopening the month of one branch invalidates the book of the institution', async () => {
    const { company: code, branch } = agencies[1]!;
    const reopen = (confirmed: boolean) =>
      platform.admin.post('movements', `/monthOpening/${code}/${branch}`, {
        ...REOPENING,
        newyearmonth: '02/2026',
        confirmed,
      });
    const refused = await reopen(false);
    expect([refused.status, refused.body.code]).toEqual([400, 'CONFIRMATION_REQUIRED']);
    expect(refused.body.detail).toMatch(/Livro Diário nº \d+ \(01\/01\/2026 a 28\/02\/2026\)/);
    const register = () => bodyOf(platform.admin.get('reports', `/books/${code}?branch=*&kind=DIARIO`));
    expect(await register()).toMatchObject([{ state: 'ISSUED' }]);
    expect((await reopen(true)).status).toBe(201);
    expect(await register()).toMatchObject([{ state: 'INVALIDATED', invalidationReason: REOPENING.reason }]);
    const again = await platform.admin.post('reports', '/reports/relatorioDiarioGeral', BOOK);
    expect([again.status, again.body.code]).toEqual([400, 'BOOK_OF_OPEN_MONTH']);
  });
});

const BOOK = {
  get empresa() {
    return company;
  },
  filial: '*',
  ...YEAR_TO_DATE,
  visualizationEnum: 'PDF',
  includeTerms: true,
};

describe('what makes no institution', () => {
  test('branches of different charts are named with them', async () => {
    await createBank(platform.admin, {
      company,
      branch: '0005',
      chartCode: 'OUTRO',
      accounts: PLAIN_CHART,
      existing: true,
    });
    const body = { ...whole(), ano: 2026, mes: 1, visualizationEnum: 'CSV' };
    const answer = await platform.admin.post('reports', '/reports/monthlyTrialBalance', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'BRANCHES_OF_DIFFERENT_CHARTS']);
    expect(answer.body.detail).toContain('INST: 0001, 0002, 0003, 0004; OUTRO: 0005');
  });

  test('where it has no meaning, * is no branch', async () => {
    const lone = await createBank(platform.admin);
    const place = { empresa: lone.company, filial: '*' };
    const answers = [
      platform.admin.post('movements', '/batch', { ...place, ano: 2026, mes: 1 }),
      platform.admin.post('masterdata', '/branch', { company: lone.company, branch: '*', name: 'Todas' }),
      platform.admin.post('masterdata', '/company/options', {
        company: lone.company,
        branch: '*',
        chartCode: 'X',
        baseYearMonth: '01/2026',
      }),
      platform.admin.post('movements', `/monthOpening/${lone.company}/*`, { newyearmonth: '01/2026' }),
      platform.admin.get('queries', `/allChartOfAccount/${lone.company}/*`),
      platform.admin.post('reports', '/reports/monthlyTrialCVMBalance', {
        ...whole(),
        empresa: lone.company,
        ano: 2026,
        mes: 1,
        visualizationEnum: 'CSV',
      }),
    ];
    for (const answer of await Promise.all(answers)) expect([answer.status, answer.text]).toEqual([400, answer.text]);
  });

  test('pairs whose prefixes are no codes or have accounts in common are rejected', async () => {
    const options = await bodyOf(platform.admin.get('masterdata', `/company/options/company/${company}/0001`));
    const put = (eliminationPairs: unknown) =>
      platform.admin.call('masterdata', 'PUT', `/company/options/${options.id}`, { ...options, eliminationPairs });
    const overlapping = await put([
      { debit: '1.5', credit: '4.5' },
      { debit: '1.5.1', credit: '4.6' },
    ]);
    expect([overlapping.status, overlapping.body.code]).toEqual([400, 'ELIMINATION_PREFIXES_OVERLAP']);
    for (const wrong of [[{ debit: 'x', credit: '4.5' }], [{ debit: '1.5' }], {}, 'x', [null]]) {
      expect((await put(wrong)).status).toBe(400);
    }
  });
});
