import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { DOOR_NAMES, type DoorName, readConfig, StartError } from '../src/platform/config.ts';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/embedded-postgres.ts';
import { type Program, startProgram } from '../src/program.ts';
import {
  accountIds,
  BRANCHES,
  createBank,
  defineStatements,
  HEAD_OFFICE,
  importCosif,
  scheduleTemplates,
  setUpBank,
  setUpClosing,
} from './demo/bank.ts';
import { monthOfBranch } from './demo/bank-entries.ts';
import { setUpDailyFund, workDailyMonth } from './demo/daily-fund.ts';
import { createFunds, FUNDS, importFundChart, monthOfFund } from './demo/funds.ts';
import { closeMonth, importMonth, monthText, openMonth, postPending, YEAR } from './demo/months.ts';
import { issueJournal, printPapers } from './demo/papers.ts';
import { caller, type Send, seconds, step } from './demo/steps.ts';

// The year of an accountant over real HTTP, on a database of its own: a bank of three branches and three funds, twelve
// months, two closings of the result, and the papers that are signed.

const OUT = resolve('out');
const MONTHS = Array.from({ length: 12 }, (_, at) => at + 1);

const password = randomBytes(12).toString('base64url');
const started = performance.now();

/** The clock stands on a morning of the month after the one that is worked on, so that the papers are the same each time. */
let today = new Date(`${YEAR}-01-02T12:00:00Z`);

await main().catch((error: unknown) => {
  console.error(error instanceof StartError ? `demo: ${error.message}` : error);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const environment = readConfig(process.env);
  const dataDir = join(environment.dataDir, 'demo');
  await rm(dataDir, { recursive: true, force: true });
  const config = { ...environment, dataDir, adminPassword: password, ports: { ...environment.ports, ...freePorts() } };
  const server = await step('starts its own PostgreSQL', () => startEmbeddedPostgres({ dataDir }));
  let program: Program | undefined;
  try {
    program = await step('migrates and starts seven services', () =>
      startProgram(config, { connectionString: server.connectionString, now: () => today }),
    );
    await accountantsYear(program);
    console.log(`done in ${seconds(started)}; the papers are in ${OUT}`);
    console.log(`to go on with these books: DATA_DIR=${relative('.', dataDir)} npm start`);
    console.log(`and sign in as ${config.adminUsername} with the password ${password}`);
  } finally {
    await program?.stop();
    await server.stop();
  }
}

async function accountantsYear(program: Program): Promise<void> {
  const send = await step('signs in', () => signIn(program));
  await step('creates a bank, its head office and two agencies', () => createBank(send));
  await step(
    'imports the COSIF chart',
    () => importCosif(send),
    (count) => `${count} accounts`,
  );
  await step('sets options, opening balances and the closing of the result', async () => {
    await setUpBank(send);
    await setUpClosing(send, await accountIds(send, HEAD_OFFICE));
  });
  await step('defines its statements, and what comes every month', async () => {
    await defineStatements(send);
    await scheduleTemplates(send, await accountIds(send, HEAD_OFFICE));
  });
  await step(
    'creates an administrator with three funds',
    async () => {
      const accounts = await importFundChart(send);
      await createFunds(send);
      await setUpDailyFund(send);
      return accounts;
    },
    (count) => `${count} accounts`,
  );
  for (const month of MONTHS) {
    today = new Date(Date.UTC(YEAR, month, 5, 12));
    // The token of the month before has expired.
    const later = await signIn(program);
    await workMonth(later, month);
    await step(
      `confirms the quota of every business day of ${monthText(month)}, with fees, subscriptions and redemptions`,
      () => workDailyMonth(later, month),
      (quotas) => `${quotas} quotas`,
    );
    if (month === 6 || month === 12) await issueJournal(later, OUT, month);
  }
  const atYearEnd = await signIn(program);
  await runRules(atYearEnd);
  await printPapers(atYearEnd, OUT);
}

async function signIn(program: Program): Promise<Send> {
  const signIn = { username: 'admin', password };
  const { accessToken } = await caller(program)<{ accessToken: string }>(
    'authentication',
    'POST',
    '/api/auth/signin',
    signIn,
  );
  return caller(program, accessToken);
}

/** A month of every branch and fund: opened, imported, closed; each fund's quota is confirmed on the equity at its end. */
async function workMonth(send: Send, month: number): Promise<void> {
  await step(
    `works on ${monthText(month)}: opens it, imports the entries, closes it`,
    async () => {
      let rows = 0;
      for (const branch of BRANCHES) {
        await openMonth(send, branch, month);
        const csv = monthOfBranch(branch.branch, month, branch.share, BRANCHES.length - 1);
        rows += await importMonth(send, branch, month, { batch: '1', description: 'Movimento do mês', csv });
        await postPending(send, branch, month);
        await closeMonth(send, branch, month);
      }
      for (const fund of FUNDS) {
        // Later months were opened for the quota of the month before.
        if (month === 1) await openMonth(send, fund, month);
        const csv = monthOfFund(fund, month);
        rows += await importMonth(send, fund, month, { batch: '1', description: 'Movimento do mês', csv });
        await closeMonth(send, fund, month);
        // The quota of the equity at the month's end is that of the next month's first day.
        await openMonth(send, fund, month + 1);
        await send('movements', 'GET', `/taxquotacalculation/${fund.company}/${fund.branch}?confirmed=true`);
      }
      return rows;
    },
    (rows) => `${rows} entries`,
  );
}

async function runRules(send: Send): Promise<void> {
  await step(
    `runs the starter rules over ${monthText(12)}`,
    async () => {
      const branches = await send<{ id: number }[]>('masterdata', 'GET', `/allbranch/${HEAD_OFFICE.company}`);
      const request = { refmonth: `${YEAR}-12`, branchid: branches[0]!.id, documentcode: '4010' };
      const [process] = await send<RuleRun[]>('compliance', 'POST', '/api/compliance/run', request);
      return process!;
    },
    ({ passed, failed, broken, results }) => {
      const findings = results.flatMap(({ messages }) =>
        messages.slice(0, 1).map(({ text }) => `\n${' '.repeat(12)}${text}`),
      );
      return `${passed} passed, ${failed} failed, ${broken} broken${findings.join('')}`;
    },
  );
}

/** Of the response of a run of rules over one branch. */
interface RuleRun {
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
  readonly results: readonly { readonly messages: readonly { readonly text: string }[] }[];
}

function freePorts(): Record<DoorName, number> {
  return Object.fromEntries(DOOR_NAMES.map((name) => [name, 0])) as Record<DoorName, number>;
}
