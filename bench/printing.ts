import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type Branch,
  branchOnCosif,
  COSIF_ACCOUNTS,
  fillMonth,
  newBranch,
  openMonth,
  settle,
} from './support/books.ts';
import { type Figure, type Measured, median, megabytes, perSecond, secondsOf } from './support/figure.ts';
import type { Installation } from './support/installation.ts';
import type { Painted } from './support/paint.ts';

const PAINT = fileURLToPath(new URL('support/paint.ts', import.meta.url));
const LINES = 500_000;
const BARE_ROWS = 100_000;
/** Of one journal that is being printed. */
const MAX_MEGABYTES = 250;
const POLL_MS = 20;
const IDLE_MS = 500;

/** The journal of half a million lines as a job over HTTP, alone and twice at once, and a trial balance at once. */
export const printing: Figure = async (installation) => {
  const branch = await newBranch(installation);
  await openMonth(installation, branch, 1);
  await fillMonth(installation, branch, 1, LINES);
  await settle(installation);
  installation.peakMemory();
  await sleep(IDLE_MS);
  const idle = memoryOf(installation);
  const first = await firstRowsOfCsv(installation, branch);
  const bare = await barePagesPerSecond();
  installation.peakMemory();
  const one = await journals(installation, branch, 1);
  const peak = memoryOf(installation);
  await lagOfEventLoop(installation);
  const two = await journals(installation, branch, 2);
  const lag = await lagOfEventLoop(installation);
  const peakOfTwo = memoryOf(installation);
  // Other work on the machine takes from two writers what it takes from two printers.
  const bareTwice = await Promise.all([barePagesPerSecond(), barePagesPerSecond()]);
  const bareAgain = await barePagesPerSecond();
  const floor = (bare + bareAgain) / 2;
  const rate = one.pages / one.seconds;
  const speedUp = (2 * one.seconds) / two.seconds;
  const bareSpeedUp = (bareTwice[0] + bareTwice[1]) / floor;
  const memory = (name: string, bytes: number, journals: number): Measured => ({
    name,
    against: 'the program before',
    detail: `${Math.round(megabytes(bytes))} MB against ${Math.round(megabytes(idle))} MB`,
    value: megabytes(bytes - idle),
    unit: 'MB',
    atMost: MAX_MEGABYTES * journals,
  });
  return [
    {
      name: `journal of ${LINES.toLocaleString('en')} lines (${one.pages.toLocaleString('en')} pages) as a job`,
      against: 'a bare content-stream writer',
      detail: `${perSecond(rate)} pages against ${perSecond(floor)}`,
      value: rate / floor,
      unit: 'ratio',
      atLeast: 0.35,
    },
    memory('… memory that it takes', peak, 1),
    {
      name: 'two such journals at once',
      against: 'one after the other, where two bare writers do twice as much',
      detail: `${speedUp.toFixed(2)} times as much; two bare writers ${bareSpeedUp.toFixed(2)} times`,
      value: (2 * speedUp) / bareSpeedUp,
      unit: 'ratio',
      atLeast: 1.6,
    },
    {
      name: '… pauses of the event loop meanwhile, 99th percentile',
      against: 'its limit',
      detail: 'nodejs_eventloop_lag_p99_seconds',
      value: lag,
      unit: 's',
      atMost: 0.05,
    },
    memory('… memory that two take', peakOfTwo, 2),
    {
      name: 'the same journal as CSV: its first rows',
      against: 'its limit',
      detail: 'from the request to rows written',
      value: first,
      unit: 's',
      atMost: 1,
    },
    await trialBalance(installation),
  ];
};

interface Job {
  id: number;
  status: 'PENDING' | 'RUNNING' | 'DONE' | 'ERROR';
  linhas: number;
  paginas: number | null;
  mensagem: string | null;
}

function ask(installation: Installation, { company, branch }: Branch, visualizationEnum: string): Promise<Job> {
  return installation.call<Job>('reports', 'POST', '/reports/relatorioDiarioGeral?async=true', {
    empresa: company,
    filial: branch,
    dataInicio: '2026-01-01',
    dataFim: '2026-01-31',
    visualizationEnum,
  });
}

async function until(installation: Installation, { id }: Job, isReached: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const job = await installation.call<Job>('reports', 'GET', `/reports/jobs/${id}`);
    if (job.status === 'ERROR') throw new Error(job.mensagem ?? 'printing failed');
    if (isReached(job)) return job;
    await sleep(POLL_MS);
  }
}

const isDone = ({ status }: Job) => status === 'DONE';

async function journals(
  installation: Installation,
  branch: Branch,
  count: number,
): Promise<{ seconds: number; pages: number }> {
  let pages = 0;
  const seconds = await secondsOf(async () => {
    const jobs = await Promise.all(Array.from({ length: count }, () => ask(installation, branch, 'PDF')));
    const done = await Promise.all(jobs.map((job) => until(installation, job, isDone)));
    pages = done[0]!.paginas!;
  });
  return { seconds, pages };
}

async function firstRowsOfCsv(installation: Installation, branch: Branch): Promise<number> {
  const print = async () => {
    const began = performance.now();
    const job = await ask(installation, branch, 'CSV');
    await until(installation, job, ({ linhas }) => linhas > 0);
    const seconds = (performance.now() - began) / 1000;
    await until(installation, job, isDone);
    return seconds;
  };
  // The first report of a program starts the thread.
  await print();
  return median([await print(), await print(), await print()]);
}

/** Largest resident size of the program since the last call; 0 where the system does not tell. */
function memoryOf(installation: Installation): number {
  return installation.peakMemory() ?? 0;
}

async function barePagesPerSecond(): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [PAINT, 'bare', String(BARE_ROWS)]);
  const { pages, seconds } = JSON.parse(stdout) as Painted;
  return pages / seconds;
}

/** Since the last call; the program's own measure begins anew when it is read. */
async function lagOfEventLoop(installation: Installation): Promise<number> {
  const response = await fetch(`${installation.address('reports')}/actuator/metrics-export`);
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(await response.text())![1]);
}

/** Every account of the chart of the central bank, over HTTP and warm. */
async function trialBalance(installation: Installation): Promise<Measured> {
  const { company, branch } = await branchOnCosif(installation);
  const body = {
    empresa: company,
    filial: branch,
    ano: 2026,
    mes: 1,
    showZeroBalances: true,
    visualizationEnum: 'PDF',
  };
  const print = () => installation.call('reports', 'POST', '/reports/monthlyTrialBalance', body);
  for (let warmUp = 0; warmUp < 3; warmUp++) await print();
  return {
    name: `trial balance of ${COSIF_ACCOUNTS.toLocaleString('en')} accounts over HTTP, warm`,
    against: 'its limit',
    detail: 'PDF with all accounts',
    value: median([await secondsOf(print), await secondsOf(print), await secondsOf(print)]),
    unit: 's',
    atMost: 0.5,
  };
}
