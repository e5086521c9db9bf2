import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BANK, HEAD_OFFICE } from './bank.ts';
import { DAILY_FUND, FUNDS } from './funds.ts';
import { type Place, YEAR } from './months.ts';
import { type Send, step } from './steps.ts';

/** What is printed at the end. */
interface Paper {
  readonly title: string;
  /** The last part of the report's path. */
  readonly type: string;
  readonly place: Place;
  readonly asked: Readonly<Record<string, unknown>>;
  readonly formats: readonly string[];
}

const DECEMBER = { ano: YEAR, mes: 12 };
const DAYS_OF_DECEMBER = { dataInicio: `${YEAR}-12-01`, dataFim: `${YEAR}-12-31` };
const DAYS_OF_YEAR = { dataInicio: `${YEAR}-01-01`, dataFim: `${YEAR}-12-31` };
const INSTITUTION: Place = { company: BANK, branch: '*' };

const PAPERS: readonly Paper[] = [
  paper('trial balance', 'monthlyTrialBalance', HEAD_OFFICE, DECEMBER, ['PDF', 'CSV', 'TXT']),
  paper('trial balance of the institution', 'monthlyTrialBalance', INSTITUTION, DECEMBER, ['PDF', 'XLSX']),
  paper('COSIF general balance of the institution', 'cosifGeneralBalance', INSTITUTION, DECEMBER),
  paper('balance sheet of the institution', 'demonstracao', INSTITUTION, { ...DECEMBER, tipo: 'BP' }),
  paper('income statement of the year', 'demonstracao', INSTITUTION, { ...DECEMBER, tipo: 'DRE', periodo: 'ANO' }),
  paper('income statement, twelve months side by side', 'demonstracao', INSTITUTION, {
    ...{ ...DECEMBER, tipo: 'DRE', periodo: 'MES', periodos: 12 },
  }),
  paper('general ledger', 'relatorioRazao', HEAD_OFFICE, { ...DAYS_OF_DECEMBER, onlyWithMovement: true }),
  ...FUNDS.flatMap((fund) => [
    paper(`trial balance of ${fund.name}`, 'monthlyTrialCVMBalance', fund, DECEMBER),
    paper(`balance sheet of ${fund.name}`, 'patrimonialCVMBalance', fund, DECEMBER),
  ]),
  paper(`quotas of the year of ${DAILY_FUND.name}`, 'evolucaoCota', DAILY_FUND, DAYS_OF_YEAR, ['PDF', 'CSV']),
  paper(`changes of the equity of ${DAILY_FUND.name}`, 'evolucaoPatrimonio', DAILY_FUND, {
    ...DECEMBER,
    periodo: 'ANO',
  }),
];

function paper(
  title: string,
  type: string,
  { company, branch }: Place,
  asked: Paper['asked'],
  formats: readonly string[] = ['PDF'],
): Paper {
  return { title, type, place: { company, branch }, asked, formats };
}

export async function printPapers(send: Send, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { title, type, place, asked, formats } of PAPERS) {
    for (const format of formats) {
      await step(`prints the ${title} as ${format}`, () => print(send, folder, type, place, asked, format), kibibytes);
    }
  }
}

/** The journal of a semester between its terms, with the statements that are signed with it bound at its end. */
export async function issueJournal(send: Send, folder: string, lastMonth: 6 | 12): Promise<void> {
  await mkdir(folder, { recursive: true });
  const [from, to] = lastMonth === 6 ? [`${YEAR}-01-01`, `${YEAR}-06-30`] : [`${YEAR}-07-01`, `${YEAR}-12-31`];
  const statement = { ano: YEAR, mes: lastMonth, periodo: 'SEMESTRE' };
  await step(
    `issues the journal from ${from} to ${to} with its terms, balance sheet and income statement`,
    () =>
      print(send, folder, 'relatorioDiarioGeral', HEAD_OFFICE, {
        ...{ dataInicio: from, dataFim: to, includeTerms: true },
        anexos: [
          { tipo: 'demonstracao', parametros: { ...statement, tipo: 'BP' } },
          { tipo: 'demonstracao', parametros: { ...statement, tipo: 'DRE' } },
        ],
      }),
    kibibytes,
  );
}

async function print(
  send: Send,
  folder: string,
  type: string,
  { company, branch }: Place,
  asked: Paper['asked'],
  visualizationEnum = 'PDF',
): Promise<number> {
  const request = { empresa: company, filial: branch, ...asked, visualizationEnum };
  const { nomeArquivo, conteudo } = await send<{ nomeArquivo: string; conteudo: string }>(
    'reports',
    'POST',
    `/reports/${type}`,
    request,
  );
  const content = Buffer.from(conteudo, 'base64');
  await writeFile(join(folder, nomeArquivo), content);
  return content.length;
}

function kibibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KiB`;
}
