import { FORMS } from '../../generated/forms/reports.ts';
import type { FieldSchema } from '../../ui/forms/form-schema.ts';

/** A report that can be printed here: its name in the address, in preferences and as an annex, and its operation. */
export interface ReportType {
  readonly slug: string;
  readonly operation: string;
  readonly title: string;
  readonly about: string;
}

export const REPORT_TYPES: readonly ReportType[] = [
  ['monthlyTrialBalance', 'printMonthlyTrialBalance', 'Balancete mensal', 'Saldos e movimento do mês, conta a conta.'],
  [
    'dailyTrialBalance',
    'printDailyTrialBalance',
    'Balancete diário',
    'Um balancete por dia; com termos, o livro de balancetes.',
  ],
  ['monthlyTrialCVMBalance', 'printMonthlyTrialCvmBalance', 'Balancete CVM', 'O balancete do mês no leiaute da CVM.'],
  ['cosifGeneralBalance', 'printCosifGeneralBalance', 'Balanço geral COSIF', 'O documento do Banco Central.'],
  ['patrimonialBalance', 'printBalanceSheet', 'Balanço patrimonial', 'Ativo e passivo com comparativo.'],
  ['patrimonialCVMBalance', 'printCvmBalanceSheet', 'Balanço patrimonial CVM', 'O balanço no leiaute da CVM.'],
  ['demonstracao', 'printStatement', 'Demonstração', 'Balanço, resultado, lucros e mutações por suas linhas.'],
  ['saldosMensais', 'printMonthlyBalances', 'Saldos mensais', 'Até doze meses lado a lado.'],
  [
    'evolucaoCota',
    'printQuotaEvolution',
    'Evolução da cota',
    'As cotas de um fundo dia a dia, com variações e gráfico.',
  ],
  [
    'evolucaoPatrimonio',
    'printFundEquity',
    'Evolução do patrimônio do fundo',
    'Cotas emitidas e resgatadas e o resultado do período.',
  ],
  ['relatorioRazao', 'printGeneralLedger', 'Razão', 'O livro Razão do período.'],
  ['relatorioDiarioGeral', 'printJournal', 'Diário geral', 'O livro Diário do período; com termos, é emitido.'],
  ['lancamentos', 'printPostingListing', 'Listagem de lançamentos', 'Os lançamentos do período, na ordem escolhida.'],
  ['reportTermos', 'printBookTerms', 'Termos de livro', 'Termos de abertura e de encerramento.'],
].map(([slug, operation, title, about]) => ({ slug: slug!, operation: operation!, title: title!, about: about! }));

export function reportType(slug: string | undefined): ReportType {
  return REPORT_TYPES.find((type) => type.slug === slug) ?? REPORT_TYPES[0]!;
}

/** The securities commission's papers are of one fund (domain: the institution). */
const OF_ONE_FUND = new Set(['monthlyTrialCVMBalance', 'patrimonialCVMBalance', 'evolucaoCota', 'evolucaoPatrimonio']);

/** Can it be asked for all branches together? */
export function isOfInstitutions({ slug }: ReportType): boolean {
  return !OF_ONE_FUND.has(slug);
}

/** What the report's request is made of. */
export function schemaOf({ operation }: ReportType): FieldSchema {
  return FORMS[operation]!.body!;
}
