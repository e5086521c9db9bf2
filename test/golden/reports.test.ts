import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bank } from '../support/books.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { createBooks, type Posting, print } from '../support/report-books.ts';

// Every report as text, byte for byte, beside this file. UPDATE_GOLDEN=1 writes them anew: read the difference before
// you keep it. PDFs are compared by the text that poppler reads from them.

const POSTINGS: readonly Posting[] = [
  { day: '2026-01-02', debit: '1.1.2', credit: '3.1', amount: '1000000.00', history: 'Integralização de capital' },
  { day: '2026-01-05', debit: '8.1', credit: '2.1.1', amount: '7000.07', history: 'Folha de janeiro', document: '2' },
  {
    day: '2026-01-05',
    debit: '1.1.1',
    credit: '1.1.2',
    amount: '1234.56',
    history:
      'Saque para o caixa da agência, com um histórico comprido o bastante para passar de uma linha e ser quebrado em duas ou três',
  },
  { day: '2026-01-20', debit: '1.1.2', credit: '7.1', amount: '99999.99', history: '=1+1 juros', document: '3' },
  { day: '2026-02-03', debit: '2.1.1', credit: '1.1.2', amount: '7000.07', history: 'Pagamento da folha' },
];

const REPORTS: Readonly<Record<string, Record<string, unknown>>> = {
  lancamentos: { dataInicio: '2026-01-01', dataFim: '2026-02-28', orderBy: 'ACCOUNT' },
  cosifGeneralBalance: { ano: 2026, mes: 2 },
  monthlyTrialBalance: { ano: 2026, mes: 2 },
  monthlyTrialCVMBalance: { ano: 2026, mes: 2 },
  dailyTrialBalance: { dataInicio: '2026-01-05', dataFim: '2026-01-06' },
  patrimonialBalance: { ano: 2026, mes: 2, comparative: 'PREVIOUS_MONTH' },
  patrimonialCVMBalance: { ano: 2026, mes: 2 },
  relatorioRazao: { dataInicio: '2026-01-01', dataFim: '2026-02-28' },
  relatorioDiarioGeral: { dataInicio: '2026-01-01', dataFim: '2026-02-28', includeTerms: true },
};

const hasPoppler = (() => {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    console.log('pdftotext is not installed (poppler-utils): PDFs are not compared');
    return false;
  }
})();

let platform: Platform;
let bank: Bank;

beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date('2026-03-10T15:30:00Z') });
  bank = await createBooks(platform.admin, POSTINGS, {
    company: 'OURO',
    months: ['01/2026', '02/2026'],
    options: {
      signatories: [
        { name: 'Maria da Silva', role: 'Diretora', cpf: '12345678909' },
        { name: 'João Souza', role: 'Contador', crc: '1SP123456/O-1', ufCrc: 'SP' },
      ],
    },
  });
});
afterAll(() => platform.stop());

const cases = Object.keys(REPORTS).flatMap((report) =>
  ['CSV', 'TXT', 'PDF'].map((format) => [report, format] as const),
);

test.each(cases)('%s as %s', async (report, format) => {
  if (format === 'PDF' && !hasPoppler) return;
  const { bytes } = await print(platform.admin, report, {
    empresa: bank.company,
    filial: bank.branch,
    ...REPORTS[report],
    visualizationEnum: format,
  });
  const text =
    format === 'PDF' ? execFileSync('pdftotext', ['-layout', '-', '-'], { input: bytes }).toString() : bytes.toString();
  const path = new URL(`reports/${report}.${format.toLowerCase()}.txt`, import.meta.url);
  if (process.env.UPDATE_GOLDEN || !existsSync(path)) writeFileSync(path, text);
  // Versions of poppler differ in the blanks that they put between columns.
  const compared = (each: string) => (format === 'PDF' ? each.replace(/[ \t]+/g, ' ') : each);
  expect(compared(text)).toBe(compared(readFileSync(path, 'utf8')));
});
