import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Side } from '../../src/accounting/entry.ts';
import { type Day, dayFromIso } from '../../src/accounting/period.ts';
import { type AccountFixture, type Bank, createBank } from '../support/banks.ts';
import { type BookEntry, post } from '../support/books.ts';
import { downloadFiling, type FilingEnd, writeFiling } from '../support/filings.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

// Books whose statements the manual of the bookkeeping file (ECD, layout 9 of November 2024) works out: its examples of J100
// and J150, and of how many books there are where a company is split. Figures in reais, as the manual prints them.

interface Line {
  readonly code: string;
  readonly level: number;
  readonly parent: string;
  readonly group: 'A' | 'P' | 'R' | 'D';
  readonly text: string;
  /** Debit-positive, at the beginning and at the end; of J150: of the year before, and of the year. */
  readonly figures: readonly [before: number, now: number];
  /** Of a detail line: its account. */
  readonly account?: string;
}

const line = (...[code, level, parent, group, text, before, now, account]: LineWords): Line => ({
  ...{ code, level, parent, group, text, figures: [before, now] },
  ...(account === undefined ? {} : { account }),
});
type LineWords = [
  ...[code: string, level: number, parent: string, group: Line['group'], text: string, before: number, now: number],
  account?: string,
];

const SHEET = [
  line('1', 1, '', 'A', 'Ativo', 235_000, 276_250),
  line('1.1', 2, '1', 'A', 'Ativo Circulante', 135_000, 182_250),
  line('1000', 3, '1.1', 'A', 'Bancos', 135_000, 118_750, '1.1.1.01'),
  line('1001', 3, '1.1', 'A', 'Estoques', 0, 36_500, '1.1.1.02'),
  line('1002', 3, '1.1', 'A', 'ICMS a Recuperar', 0, 20_000, '1.1.1.03'),
  line('1003', 3, '1.1', 'A', 'PIS a Recuperar', 0, 2_000, '1.1.1.04'),
  line('1004', 3, '1.1', 'A', 'COFINS a Recuperar', 0, 5_000, '1.1.1.05'),
  line('1.2', 2, '1', 'A', 'Ativo Não Circulante', 100_000, 94_000),
  line('1005', 3, '1.2', 'A', 'Imóveis', 60_000, 60_000, '1.1.1.06'),
  line('1006', 3, '1.2', 'A', 'Veículos', 50_000, 50_000, '1.1.1.07'),
  line('1007', 3, '1.2', 'A', 'Depreciação Acumulada', -10_000, -16_000, '1.1.1.08'),
  line('2', 1, '', 'P', 'Passivo', -235_000, -276_250),
  line('2.1', 2, '2', 'P', 'Passivo Circulante', -60_000, -76_600),
  line('2000', 3, '2.1', 'P', 'Arrendamento - Imóveis', -75_000, -68_750, '2.1.1.01'),
  line('2001', 3, '2.1', 'P', 'Juros a Transcorrer', 15_000, 13_750, '2.1.1.02'),
  line('2002', 3, '2.1', 'P', 'ICMS a Recuperar', 0, -16_000, '2.1.1.03'),
  line('2003', 3, '2.1', 'P', 'PIS a Recolher', 0, -1_600, '2.1.1.04'),
  line('2004', 3, '2.1', 'P', 'Cofins a Recolher', 0, -4_000, '2.1.1.05'),
  line('2.2', 2, '2', 'P', 'Patrimônio Líquido', -175_000, -199_650),
  line('3000', 3, '2.2', 'P', 'Capital Integralizado', -175_000, -190_000, '6.1.1.01'),
  line('3003', 3, '2.2', 'P', 'Ajustes de Exercícios Anteriores', 0, 5_000, '6.1.1.02'),
  line('3002', 3, '2.2', 'P', 'Lucros Acumulados', 0, -14_650, '6.1.1.03'),
];

const INCOME = [
  line('4', 1, '', 'R', 'Resultado do Período', -20_000, -14_650),
  line('4.1', 2, '4', 'R', 'Lucro Bruto', -30_000, -21_900),
  line('4.2', 3, '4.1', 'R', 'Receita Líquida', -35_000, -58_400),
  line('4.3', 4, '4.2', 'R', 'Receita Bruta', -40_000, -80_000),
  line('4000', 5, '4.3', 'R', 'Receita de Vendas', -40_000, -80_000, '7.1'),
  line('4.4', 4, '4.2', 'D', 'Deduções de Receita', 5_000, 21_600),
  line('4001', 5, '4.4', 'D', 'ICMS Sobre Vendas', 2_000, 16_000, '8.1'),
  line('4002', 5, '4.4', 'D', 'PIS Sobre Vendas', 2_000, 1_600, '8.2'),
  line('4003', 5, '4.4', 'D', 'Cofins Sobre Vendas', 1_000, 4_000, '8.3'),
  line('4.5', 3, '4.1', 'D', 'Custo das Mercadorias Vendidas', 5_000, 36_500),
  line('4004', 4, '4.5', 'D', 'Custo das Mercadorias Vendidas', 5_000, 36_500, '8.4'),
  line('4.6', 2, '4', 'D', 'Despesas Operacionais', 10_000, 7_250),
  line('4006', 3, '4.6', 'D', 'Depreciação', 5_000, 1_000, '8.5'),
  line('4005', 3, '4.6', 'D', 'Juros', 2_000, 1_250, '8.6'),
  line('4007', 3, '4.6', 'D', 'Luz', 1_000, 2_000, '8.7'),
  line('4008', 3, '4.6', 'D', 'Telefone', 2_000, 3_000, '8.8'),
];

const PROFITS = '6.1.1.03';
const CLASSES = { 1: '01', 2: '02', 6: '03', 7: '04', 8: '04' } as const;
const classOf = (code: string) => CLASSES[code[0] as unknown as keyof typeof CLASSES];
const node = (code: string, description: string, type: 'S' | 'A'): AccountFixture => ({
  ...{ code, description, type, nature: 'M', accountClass: classOf(code) },
});
const CHART: readonly AccountFixture[] = [
  ...['1', '2', '6'].flatMap((root) => [root, `${root}.1`, `${root}.1.1`].map((code) => node(code, 'GRUPO', 'S'))),
  ...['7', '8'].map((code) => node(code, 'RESULTADO', 'S')),
  ...[...SHEET, ...INCOME].flatMap(({ account, text }) => (account ? [node(account, text, 'A')] : [])),
  node('7.9', 'Apuração', 'A'),
];

/** One entry of what each account moves; debits are positive. */
function entryOf(day: Day, moves: ReadonlyMap<string, number>): BookEntry {
  const lines = [...moves]
    .filter(([, amount]) => amount !== 0)
    .map(([account, amount]) => ({
      ...{ side: sideOf(amount), account, amount: BigInt(Math.abs(amount)) * 100n },
      ...{ offset: undefined, narration: 'do manual' },
    }));
  return { day, batch: undefined, document: '1', lines };
}

const details = (lines: readonly Line[]) =>
  lines.flatMap(({ account, figures }) => (account ? [[account, figures] as const] : []));

let platform: Platform;
let bank: Bank;

beforeAll(async () => {
  platform = await startPlatform();
  const { admin } = platform;
  const signatories = [
    { name: 'Maria Direção', cpf: '52998224725', qualification: '203', legalResponsible: true },
    {
      ...{ name: 'João Souza', cpf: '11144477735', qualification: '900', crc: '1SP214567/O-3', ufCrc: 'SP' },
      ...{
        email: 'joao@exemplo.com.br',
        phone: '1130000000',
        crcCertificate: 'SP/2025/4567',
        crcValidTo: '2026-12-31',
      },
    },
  ];
  bank = await createBank(admin, {
    ...{ company: '0900', branch: '0001', chartCode: 'MANUAL', baseYearMonth: '01/2024', accounts: CHART },
    options: { signatories, diaryBookNumber: 1 },
  });
  const [passage, profits] = ['7.9', PROFITS].map((code) => bank.accounts.get(code));
  await bodyOf(
    admin.post('masterdata', '/closuresettings', {
      ...{
        company: bank.company,
        branch: bank.branch,
        closingMonths: [12],
        revenueGroups: ['7'],
        expenseGroups: ['8'],
      },
      ...{ creditResultAccountId: passage, debitResultAccountId: passage },
      ...{ profitAccountId: profits, lossAccountId: profits },
    }),
  );
  await define('BP', SHEET);
  await define('DRE', INCOME);
  for (const year of [2024, 2025])
    for (let month = 1; month <= 12; month++) {
      const text = `${String(month).padStart(2, '0')}/${year}`;
      await openMonth(admin, bank, text);
      if (month === 2) await post(admin, bank, [year === 2024 ? firstYear() : secondYear()]);
      await closeMonth(admin, bank, text);
    }
}, 300_000);
afterAll(() => platform?.stop());

async function define(kind: 'BP' | 'DRE', lines: readonly Line[]): Promise<void> {
  const head = { chartCode: 'MANUAL', kind, code: 'MANUAL', name: kind, validFrom: '2024-01-01' };
  const { id } = await bodyOf(platform.admin.post('masterdata', '/statements', head));
  const body = lines.map(({ code, parent, group, text, account }) => ({
    ...{ code, group, description: text, indicator: account === undefined ? 'T' : 'D' },
    ...(parent === '' ? {} : { parentCode: parent }),
    ...(account === undefined ? {} : { selectors: [{ pattern: account }] }),
  }));
  await bodyOf(platform.admin.call('masterdata', 'PUT', `/statements/${id}/lines`, body));
}

/** The result of the year before, and all balances that the manual begins with; its profit was given away. */
function firstYear(): BookEntry {
  const moves = new Map(details(SHEET).map(([account, [before]]) => [account, before]));
  for (const [account, [before]] of details(INCOME)) moves.set(account, before);
  moves.set(PROFITS, 20_000);
  return entryOf(dayFromIso('2024-02-05')!, moves);
}

/** From there to the end; the close carries the result to the profits. */
function secondYear(): BookEntry {
  const moves = new Map(details(SHEET).map(([account, [before, now]]) => [account, now - before]));
  for (const [account, [, now]] of details(INCOME)) moves.set(account, now);
  moves.set(PROFITS, 0);
  return entryOf(dayFromIso('2025-02-05')!, moves);
}

const reais = (amount: number) => `${Math.abs(amount)},00`;
/** Nothing stands on neither side: the manual writes D or C, the file D. */
const sideOf = (amount: number): Side => (amount < 0 ? 'C' : 'D');

async function registers(job: FilingEnd): Promise<string[][]> {
  const text = (await downloadFiling(platform, job)).toString('latin1');
  return text.split('\r\n').map((row) => row.split('|').slice(1, -1));
}

describe.each(['G', 'B'])('a file of form %s', (livro) => {
  test('has the balance sheet and the income statement that the manual works out, and no error', async () => {
    const job = await writeFiling(platform.admin, 'ecd', { empresa: bank.company, ano: 2025, livro });
    expect(job, JSON.stringify(job.achados)).toMatchObject({ status: 'DONE', erros: 0 });
    const rows = await registers(job);
    const sided = ([before, now]: Line['figures']) => [reais(before), sideOf(before), reais(now), sideOf(now)];
    const head = ({ code, account, level, parent }: Line) => [code, account ? 'D' : 'T', String(level), parent];
    expect(rows.filter(([register]) => register === 'J100')).toEqual(
      SHEET.map((each) => ['J100', ...head(each), each.group, each.text, ...sided(each.figures), '']),
    );
    expect(rows.filter(([register]) => register === 'J150')).toEqual(
      INCOME.map((each, at) => [
        ...['J150', String(at + 1), ...head(each), each.text, ...sided(each.figures), each.group, ''],
      ]),
    );
  });
});

describe('how many books there are when a company is split', () => {
  const write = async (terms: object) => {
    const job = await writeFiling(platform.admin, 'ecd', { empresa: bank.company, ano: 2025, livro: 'G', ...terms });
    expect(job, JSON.stringify(job.achados)).toMatchObject({ status: 'DONE', erros: 0 });
    const rows = await registers(job);
    const [head, opening, closing] = ['0000', 'I030', 'J900'].map((code) => rows.find(([each]) => each === code)!);
    // Both terms say how many lines the book has.
    expect([opening![4], closing![5]]).toEqual([String(job.linhas), String(job.linhas)]);
    return { books: job.livros.length, from: head![2], to: head![3], special: head![10], start: head![11] };
  };

  test('within the year two: to the day of the event, and from the day after as what remains', async () => {
    const before = await write({ dataFim: '2025-06-28', situacaoEspecial: '1' });
    expect(before).toEqual({ books: 1, from: '01012025', to: '28062025', special: '1', start: '0' });
    const after = await write({ dataInicio: '2025-06-29', situacaoInicio: '2' });
    expect(after).toEqual({ books: 1, from: '29062025', to: '31122025', special: '', start: '2' });
  });

  test('on its last day one, with the event', async () => {
    const whole = await write({ situacaoEspecial: '1' });
    expect(whole).toEqual({ books: 1, from: '01012025', to: '31122025', special: '1', start: '0' });
  });
});
