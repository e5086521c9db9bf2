import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadStarterRules } from '../src/features/compliance/load-starter-rules.ts';
import { readConfig, type ServiceName, StartError } from '../src/platform/config.ts';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/embedded-postgres.ts';
import { type Program, startProgram } from '../src/program.ts';
import { callJson } from './call-json.ts';
import { commandLineContext } from './command-line-context.ts';
import { plausibleMonth } from './demo-entries.ts';

// An accountant's path over real HTTP, on a database of its own: the COSIF chart, a bank, two months, the trial balance.

const COSIF = fileURLToPath(new URL('../src/seeds/cosif/cosif2025_accounts.csv', import.meta.url));
const OUT = resolve('out');
const BANK = { company: '0001', branch: '0001' };
const MONTHS = ['01', '02'] as const;
const ENTRIES_A_MONTH = 2_500;

/** A fixed clock, so that the report is the same each time. */
const MORNING = new Date('2026-03-02T12:00:00Z');
const FEBRUARY = { ano: 2026, mes: 2 };
const DAYS_OF_FEBRUARY = { dataInicio: '2026-02-01', dataFim: '2026-02-28' };

/** What is printed at the end: title, the report's path, what is asked, formats. */
const PAPER: readonly [string, string, Record<string, unknown>, readonly string[]][] = [
  ['trial balance', 'monthlyTrialBalance', FEBRUARY, ['PDF', 'CSV', 'TXT']],
  ['COSIF general balance', 'cosifGeneralBalance', FEBRUARY, ['PDF']],
  ['balance sheet', 'patrimonialBalance', FEBRUARY, ['PDF']],
  ['general ledger', 'relatorioRazao', { ...DAYS_OF_FEBRUARY, onlyWithMovement: true }, ['PDF']],
  [
    'journal in volumes',
    'relatorioDiarioGeral',
    { ...DAYS_OF_FEBRUARY, numeroLivro: 7, paginasPorVolume: 100 },
    ['PDF'],
  ],
];

const password = randomBytes(12).toString('base64url');
const started = performance.now();

await main().catch((error: unknown) => {
  console.error(error instanceof StartError ? `demo: ${error.message}` : error);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const environment = readConfig(process.env);
  const dataDir = join(environment.dataDir, 'demo');
  await rm(dataDir, { recursive: true, force: true });
  const config = { ...environment, dataDir, adminPassword: password, ports: freePorts() };
  const server = await step('starts its own PostgreSQL', () => startEmbeddedPostgres({ dataDir }));
  let program: Program | undefined;
  try {
    program = await step('migrates and starts six services', () =>
      startProgram(config, { connectionString: server.connectionString, now: () => MORNING }),
    );
    await accountantsPath(program);
    console.log(`done in ${seconds(started)}; the reports are in ${OUT}`);
  } finally {
    await program?.stop();
    await server.stop();
  }
}

async function accountantsPath(program: Program): Promise<void> {
  const send = await signIn(program);
  await createBank(send);
  const accounts = await importChart(send);
  await setOptions(send);
  const chart = await listChart(send);
  if (chart.length !== accounts) throw new Error(`the chart lists ${chart.length} of ${accounts} accounts`);
  for (const month of MONTHS) {
    await importEntries(send, chart, month);
    await consolidate(send, month);
  }
  await runRules(program, send);
  await writePaper(send);
}

async function signIn(program: Program): Promise<Send> {
  const call = caller(program);
  const token = await step('signs in', async () => {
    const signIn = { username: 'admin', password };
    return (await call<{ accessToken: string }>('authentication', 'POST', '/api/auth/signin', signIn)).accessToken;
  });
  return caller(program, token);
}

async function createBank(send: Send): Promise<void> {
  await step('creates a bank and its head office', async () => {
    const address = { zipCode: '01001000', street: 'Praça da Sé', number: '1', city: 'São Paulo', state: 'SP' };
    await send('masterdata', 'POST', '/company', {
      ...address,
      company: BANK.company,
      name: 'Banco Exemplo S.A.',
      cnpj: '11222333000181',
      institutionType: 'BANCO',
    });
    await send('masterdata', 'POST', '/branch', { ...BANK, name: 'Matriz', cnpj: '11222333000181', headOffice: true });
  });
}

/** Returns how many accounts the file has. */
function importChart(send: Send): Promise<number> {
  return step(
    'imports the COSIF chart',
    async () => {
      const result = await send<{ totalRows: number }>(
        'masterdata',
        'POST',
        '/chartOfAccounts/import?chart=COSIF',
        await upload(COSIF),
      );
      return result.totalRows;
    },
    (rows) => `${rows} accounts`,
  );
}

async function setOptions(send: Send): Promise<void> {
  await step('sets its options', () =>
    send('masterdata', 'POST', '/company/options', {
      ...BANK,
      chartCode: 'COSIF',
      baseYearMonth: '01/2026',
      regulatoryLayout: 'COSIF',
      signatories: [
        { name: 'Maria da Silva', cpf: '52998224725', role: 'Diretora', legalResponsible: true },
        { name: 'João Souza', cpf: '11144477735', role: 'Contador', crc: '1SP123456', ufCrc: 'SP' },
      ],
    }),
  );
}

type Chart = readonly { cdAccounting: string; accountType: string }[];

function listChart(send: Send): Promise<Chart> {
  return send('masterdata', 'GET', `/chartOfAccounts/getallcoa/${BANK.company}/${BANK.branch}`);
}

async function importEntries(send: Send, chart: Chart, month: string): Promise<void> {
  await send('movements', 'POST', `/monthOpening/${BANK.company}/${BANK.branch}`, { newyearmonth: `${month}/2026` });
  await step(
    `imports the entries of ${month}/2026`,
    async () => {
      const batch = await send<{ id: number }>('movements', 'POST', '/batch', {
        lote: '1',
        empresa: BANK.company,
        filial: BANK.branch,
        ano: 2026,
        mes: Number(month),
        descricao: 'Movimento do mês',
      });
      const csv = plausibleMonth(chart, Number(month), ENTRIES_A_MONTH);
      const form = new FormData();
      form.set('file', new Blob([csv]), `movimento-${month}.csv`);
      const result = await send<{ success: boolean; totalRows: number; errors: string[] }>(
        'movements',
        'POST',
        `/batch/${batch.id}/import`,
        form,
      );
      if (!result.success) throw new Error(result.errors.slice(0, 3).join('\n'));
      return result.totalRows;
    },
    (rows) => `${rows} rows`,
  );
}

async function consolidate(send: Send, month: string): Promise<void> {
  await step(
    `consolidates ${month}/2026`,
    async () => {
      const { id } = await send<{ id: number }>('movements', 'POST', '/runconsolidation', {
        ...BANK,
        year: '2026',
        month,
      });
      for (;;) {
        const run = await send<{ status: string; message: string | null; progress: { accountsWritten: number } }>(
          'movements',
          'GET',
          `/runconsolidation/${id}`,
        );
        if (run.status === 'DONE') return run.progress.accountsWritten;
        if (run.status === 'ERROR') throw new Error(run.message ?? 'consolidation failed');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    (count) => `${count} balances`,
  );
}

async function runRules(program: Program, send: Send): Promise<void> {
  await step(
    'loads the starter rules',
    async () => loadStarterRules(await commandLineContext(program.database)),
    (names) => `${names.length} rules`,
  );
  await step(
    'runs them over 02/2026',
    async () => {
      const branches = await send<{ id: number }[]>('masterdata', 'GET', `/allbranch/${BANK.company}`);
      const request = { refmonth: '2026-02', branchid: branches[0]!.id, documentcode: '4010' };
      const [process] = await send<RuleRun[]>('compliance', 'POST', '/api/compliance/run', request);
      return process!;
    },
    ({ passed, failed, broken, results }) => {
      // The sample's entries are drawn at random, so some balances are odd: the first that each rule names.
      const findings = results.flatMap(({ messages }) =>
        messages.slice(0, 1).map(({ text }) => `\n${' '.repeat(12)}${text}`),
      );
      return `${passed} passed, ${failed} failed, ${broken} broken; they say${findings.join('')}`;
    },
  );
}

async function writePaper(send: Send): Promise<void> {
  await mkdir(OUT, { recursive: true });
  for (const [title, type, parameters, formats] of PAPER) {
    for (const visualizationEnum of formats) {
      await step(
        `writes the ${title} as ${visualizationEnum}`,
        async () => {
          const request = { empresa: BANK.company, filial: BANK.branch, ...parameters, visualizationEnum };
          const report = await send<Report>('reports', 'POST', `/reports/${type}`, request);
          const content = Buffer.from(report.conteudo, 'base64');
          await writeFile(join(OUT, report.nomeArquivo), content);
          return content.length;
        },
        (bytes) => `${Math.ceil(bytes / 1024)} KiB`,
      );
    }
  }
}

interface Report {
  nomeArquivo: string;
  conteudo: string;
}

/** Of the response of a run of rules over one branch. */
interface RuleRun {
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
  readonly results: readonly { readonly messages: readonly { readonly text: string }[] }[];
}

type Send = <Answer>(service: ServiceName, method: string, path: string, body?: unknown) => Promise<Answer>;

function caller(program: Program, token?: string): Send {
  return <Answer>(service: ServiceName, method: string, path: string, body?: unknown) =>
    callJson<Answer>(`${program.addresses[service]}${path}`, method, { token, body });
}

async function upload(path: string): Promise<FormData> {
  const form = new FormData();
  form.set('file', new Blob([await readFile(path)]), 'chart.csv');
  return form;
}

async function step<T>(what: string, work: () => Promise<T>, describe: (result: T) => string = () => ''): Promise<T> {
  const began = performance.now();
  const result = await work();
  console.log(`${seconds(began).padStart(8)}  ${what}  ${describe(result)}`.trimEnd());
  return result;
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(2)} s`;
}

function freePorts(): Record<ServiceName, number> {
  return { authentication: 0, masterdata: 0, movements: 0, queries: 0, reports: 0, compliance: 0 };
}
