import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bank } from '../support/banks.ts';
import { book } from '../support/books.ts';
import { closeMonth } from '../support/months.ts';
import { hasPoppler, pagesOfPdf, shadesOfPdf, unlikeShades } from '../support/pdf.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { createQuotedFund } from '../support/quoted-fund.ts';
import { createBooks, print } from '../support/report-books.ts';

// Every report as text, byte for byte, beside this file. UPDATE_GOLDEN=1 writes them anew: read the difference before
// you keep it. PDFs are compared by the text that poppler reads from them and by how dark each part of a page is.

const BOOK = book`
  02/01     1.1.2  D  1.000.000,00  3.1    "Integralização de capital"
  05/01  2  8.1    D      7.000,07  2.1.1  "Folha de janeiro"
  05/01     1.1.1  D      1.234,56  1.1.2  "Saque para o caixa da agência, com um histórico comprido o bastante para passar de uma linha e ser quebrado em duas ou três"
  20/01  3  1.1.2  D     99.999,99  7.1    "=1+1 juros"
  03/02     2.1.1  D      7.000,07  1.1.2  "Pagamento da folha"
`;

const REPORTS: Readonly<Record<string, Record<string, unknown>>> = {
  lancamentos: { dataInicio: '2026-01-01', dataFim: '2026-02-28', orderBy: 'ACCOUNT' },
  cosifGeneralBalance: { ano: 2026, mes: 2 },
  monthlyTrialBalance: { ano: 2026, mes: 2 },
  monthlyTrialCVMBalance: { ano: 2026, mes: 2 },
  dailyTrialBalance: { dataInicio: '2026-01-05', dataFim: '2026-01-06' },
  patrimonialBalance: { ano: 2026, mes: 2, comparative: 'PREVIOUS_MONTH' },
  patrimonialCVMBalance: { ano: 2026, mes: 2 },
  'demonstracao-BP': { tipo: 'BP', ano: 2026, mes: 2, comparativo: 'PREVIOUS_MONTH' },
  'demonstracao-DMPL': { tipo: 'DMPL', ano: 2026, mes: 2, periodo: 'MES', periodos: 2 },
  'demonstracao-DRE': { tipo: 'DRE', ano: 2026, mes: 2, periodo: 'MES', periodos: 2 },
  saldosMensais: { ano: 2026, mes: 2, meses: 2 },
  relatorioRazao: { dataInicio: '2026-01-01', dataFim: '2026-02-28' },
  relatorioDiarioGeral: { dataInicio: '2026-01-01', dataFim: '2026-02-28', includeTerms: true },
  reportTermos: {
    tipo: 'AMBOS',
    livro: 'BALANCETES',
    numeroOrdem: 3,
    quantidadePaginas: 250,
    dataInicio: '2026-01-01',
    dataFim: '2026-02-28',
  },
  combineReport: {
    relatorios: [
      { tipo: 'monthlyTrialBalance', parametros: { ano: 2026, mes: 1 } },
      { tipo: 'patrimonialBalance', parametros: { ano: 2026, mes: 1, comparative: 'NONE' } },
      {
        tipo: 'relatorioDiarioGeral',
        parametros: { dataInicio: '2026-01-01', dataFim: '2026-02-28', paginasPorVolume: 3 },
      },
    ],
  },
};

/** Of a fund with a quota of every business day. */
const FUND_REPORTS: Readonly<Record<string, Record<string, unknown>>> = {
  evolucaoCota: { dataInicio: '2026-01-01', dataFim: '2026-02-28' },
  evolucaoPatrimonio: { ano: 2026, mes: 2 },
  'patrimonialCVMBalance-fund': { ano: 2026, mes: 2 },
  'demonstracao-fund': { tipo: 'DRE', ano: 2026, mes: 2, comparativo: 'NONE' },
};

let platform: Platform;
let bank: Bank;
let fund: Bank;

beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date('2026-03-10T15:30:00Z') });
  bank = await createBooks(platform.admin, BOOK, {
    company: 'OURO',
    months: ['01/2026', '02/2026'],
    options: {
      signatories: [
        { name: 'Maria da Silva', role: 'Diretora', cpf: '12345678909' },
        { name: 'João Souza', role: 'Contador', crc: '1SP123456/O-1', ufCrc: 'SP' },
      ],
    },
  });
  await bodyOf(
    platform.admin.post('masterdata', '/statements/default', {
      chartCode: bank.chartCode,
      kinds: ['BP', 'DRE', 'DMPL'],
    }),
  );
  // Terms are of closed months.
  for (const month of ['01/2026', '02/2026']) await closeMonth(platform.admin, bank, month);
  fund = await createQuotedFund(platform.admin);
});
afterAll(() => platform.stop());

const cases = Object.keys({ ...REPORTS, ...FUND_REPORTS }).flatMap((report) =>
  formatsOf(report).map((format) => [report, format] as const),
);

function formatsOf(report: string): readonly ('PDF' | 'CSV' | 'TXT' | 'XLSX')[] {
  if (report === 'reportTermos') return ['PDF'];
  return report.startsWith('demonstracao') || report.startsWith('evolucao')
    ? ['CSV', 'TXT', 'PDF', 'XLSX']
    : ['CSV', 'TXT', 'PDF'];
}

test.each(cases)('%s as %s', async (report, format) => {
  // What follows a hyphen tells two requests of one report apart.
  const { bytes } = await print(platform.admin, report.split('-')[0]!, {
    empresa: (report in FUND_REPORTS ? fund : bank).company,
    filial: bank.branch,
    ...(FUND_REPORTS[report] ?? REPORTS[report]),
    visualizationEnum: format,
  });
  if (format === 'XLSX') {
    const sheet = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml']!).replaceAll('<row', '\n<row');
    expect(sheet).toBe(golden(`${report}.xlsx.txt`, sheet));
    return;
  }
  if (format !== 'PDF') {
    expect(bytes.toString()).toBe(golden(`${report}.${format.toLowerCase()}.txt`, bytes.toString()));
    return;
  }
  if (!hasPoppler) return;
  const text = pagesOfPdf(bytes).join('\f');
  // Versions of poppler differ in the blanks that they put between columns.
  const compared = (each: string) => each.replace(/[ \t]+/g, ' ').trimEnd();
  expect(compared(text)).toBe(compared(golden(`${report}.pdf.txt`, text)));
  const shades = shadesOfPdf(bytes);
  expect(unlikeShades(shades, golden(`${report}.shades.txt`, shades))).toEqual([]);
});

test.runIf(hasPoppler)('a picture tells a page from one whose columns stand elsewhere', async () => {
  const { bytes } = await print(platform.admin, 'monthlyTrialCVMBalance', {
    empresa: bank.company,
    filial: bank.branch,
    ...REPORTS.monthlyTrialBalance,
    visualizationEnum: 'PDF',
  });
  const unlike = unlikeShades(shadesOfPdf(bytes), golden('monthlyTrialBalance.shades.txt', ''));
  expect(unlike.length).toBeGreaterThan(10);
});

/** What is kept under that name, or now begins to be. */
function golden(name: string, made: string): string {
  const path = new URL(`reports/${name}`, import.meta.url);
  if (made !== '' && (process.env.UPDATE_GOLDEN || (!process.env.CI && !existsSync(path)))) writeFileSync(path, made);
  return readFileSync(path, 'utf8');
}
