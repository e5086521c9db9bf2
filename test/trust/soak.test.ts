import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUSY_PASSWORD, type BusyBank, busyBanks, mixedRequests } from '../support/busy-banks.ts';
import { recordFigure } from '../support/figures.ts';
import { LoadGenerator, type LoadOrder, type LoadReport, latencyOf } from '../support/load.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { OwnProcess } from '../support/own-process.ts';
import { bodyOf, type Client } from '../support/platform.ts';
import { timeLimitOf } from '../support/trust-parts.ts';
import { FORM } from '../support/volumes.ts';

// The program works for long at a light load of everything, and holds no more at the end than at the beginning: no
// memory, no connections, no files.

const SOAK_MS = FORM === 'full' ? 15 * 60_000 : 20_000;
const EVERY_MS = FORM === 'full' ? 5_000 : 500;
/** What the engine compiles and caches first is no leak. */
const WARM_MS = FORM === 'full' ? 60_000 : 8_000;
const SLICE_MS = 5_000;
/** Requests a second: a twentieth of what two cores can do, so that a machine at work can, too. */
const RATE = 40;
/** Requests of the control: each that is kept takes 3 KB. */
const CONTROL_REQUESTS = 6_000;
const CONTROL_CLIENTS = 16;
const CONNECTIONS = 32;
/** By what share of what it holds a program may seem to grow over the whole time. */
const MOST_GROWTH = 0.05;
/** What comes and goes with the turns of background work, and with the pools of the database. */
const FEW = { sockets: 8, files: 4 };
/** How long it is watched for the fewest connections that it holds while nobody asks for anything. */
const REST_MS = 5_000;
const MONTH = '01/2026';
const LINES = 100;

const temporary = mkdtempSync(join(tmpdir(), 'partidas-soak-'));
const held = join(temporary, 'held');
const uploads = join(temporary, 'tmp');
const PROBE = new URL('../support/held-memory.probe.ts', import.meta.url).href;

let program: OwnProcess;
let admin: Client;
let banks: BusyBank[];
/** Of the long works. */
let other: BusyBank;

beforeAll(async () => {
  mkdirSync(uploads);
  const probed = { NODE_OPTIONS: `--import=${PROBE}`, HELD_MEMORY: held };
  ({ program, admin } = await OwnProcess.begin({
    ...probed,
    TMPDIR: uploads,
    ACCESS_TOKEN_TTL: '86400',
    DATABASE_CONNECTIONS: '8',
  }));
  const [first, ...rest] = await busyBanks(program, admin, 3);
  other = first!;
  banks = rest;
}, 120_000);
afterAll(async () => {
  await program?.remove();
  rmSync(temporary, { recursive: true, force: true });
});

interface Sample {
  /** Of the main thread, after a collection of garbage. */
  readonly megabytes: number;
  /** Open ones, and those in the data folder and in that of uploads. */
  readonly files: number;
}

async function sampled(): Promise<Sample> {
  const pid = program.process.pid!;
  rmSync(held, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(held)) await sleep(5);
  const open = linksOf(pid);
  const kept = (await program.files()).length + readdirSync(uploads).length;
  return {
    megabytes: Number(readFileSync(held, 'utf8')) / 2 ** 20,
    files: open.filter((link) => link.startsWith('/')).length + kept,
  };
}

/** What a process has open. */
function linksOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((name) => linkOf(`/proc/${pid}/fd/${name}`));
}

/** Nothing where it was closed just now. */
function linkOf(path: string): string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return [];
  }
}

/** While it works, clients open and close theirs as they like. */
async function socketsAtRest(): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY;
  for (const began = performance.now(); performance.now() - began < REST_MS; await sleep(50)) {
    const sockets = linksOf(program.process.pid!).filter((link) => link.startsWith('socket:')).length;
    fewest = Math.min(fewest, sockets);
  }
  return fewest;
}

/** One of each long work, one after the other: what it adds it also takes away. */
async function worked(): Promise<void> {
  const { company, branch } = other.bank;
  const place = { empresa: company, filial: branch };
  const who = { username: other.username, password: BUSY_PASSWORD };
  await bodyOf(admin.post('authentication', '/api/auth/signin', who));
  const { id } = await bodyOf(admin.post('movements', '/batch', { ...place, ano: 2026, mes: 1 }));
  const rows = Array.from({ length: LINES }, (_, at) => `7;${at + 1};9;D;1.1.1;2.1.1;1,00;Lote ${at}`);
  const form = new FormData();
  form.set(
    'file',
    new Blob([['documento;lancamento;dia;debcre;conta;contrapartida;valor;historico', ...rows].join('\n')]),
    'rows.csv',
  );
  await bodyOf(admin.post('movements', `/batch/${id}/import`, form));
  const days = { dataInicio: '2026-01-01', dataFim: '2026-01-31' };
  for (const visualizationEnum of ['CSV', 'PDF']) {
    const { status } = await admin.post('reports', '/reports/relatorioRazao', { ...place, ...days, visualizationEnum });
    expect(status).toBe(200);
  }
  await closeMonth(admin, other.bank, MONTH);
  await openMonth(admin, other.bank, MONTH);
  expect((await admin.call('movements', 'DELETE', `/batch/${id}`)).status).toBe(200);
  await bodyOf(admin.get('movements', '/events?limit=100'));
}

interface Soaked {
  readonly reports: readonly LoadReport[];
  readonly works: number;
  readonly samples: readonly Sample[];
  readonly socketsAtRest: readonly [before: number, after: number];
}

async function soaked(pace: LoadOrder['pace'], isEnough: (ms: number, sent: number) => boolean): Promise<Soaked> {
  const requests = mixedRequests(program, banks);
  let generator = await LoadGenerator.open(requests, CONNECTIONS);
  const load = (milliseconds: number) => generator.load({ pace, milliseconds, patienceMs: 60_000 });
  let isOver = false;
  let works = 0;
  const samples: Sample[] = [];
  const reports: LoadReport[] = [];
  const beside = async () => {
    const working = async () => {
      for (; !isOver; works++) await worked();
    };
    const sampling = async () => {
      for (; !isOver; await sleep(EVERY_MS)) samples.push(await sampled());
    };
    await Promise.all([working(), sampling()]);
  };
  try {
    await Promise.all([load(WARM_MS), worked()]);
    generator.close();
    const before = await socketsAtRest();
    generator = await LoadGenerator.open(requests, CONNECTIONS);
    const besides = beside();
    besides.catch(() => {});
    for (const began = performance.now(); !isEnough(performance.now() - began, sentBy(reports)); ) {
      reports.push(await load(SLICE_MS));
    }
    isOver = true;
    await besides;
    generator.close();
    return { reports, works, samples, socketsAtRest: [before, await socketsAtRest()] };
  } finally {
    isOver = true;
    generator.close();
  }
}

function sentBy(reports: readonly LoadReport[]): number {
  return reports.reduce((sum, { sent }) => sum + sent, 0);
}

/**
 * What is added from the first to the last sample: the middle of the slopes between all pairs of them (Theil and Sen), which
 * single peaks do not change.
 */
function growthOf(values: readonly number[]): number {
  const slopes = values.flatMap((value, at) =>
    values.slice(at + 1).map((later, after) => (later - value) / (after + 1)),
  );
  return middleOf(slopes) * (values.length - 1);
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((one, another) => one - another)[Math.floor(values.length / 2)]!;
}

function slopesOf({ samples, reports }: Soaked) {
  const of = (what: keyof Sample) => samples.map((sample) => sample[what]);
  const held = middleOf(of('megabytes'));
  const memory = growthOf(of('megabytes'));
  console.log(`memory in MB, of ${sentBy(reports)} requests: ${of('megabytes').map(Math.round).join(' ')}`);
  return { held, memory, share: memory / held, files: growthOf(of('files')) };
}

const signed = (value: number, digits = 0) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`;

test('a light load of everything leaves nothing behind', { timeout: timeLimitOf('soak') }, async () => {
  const soak = await soaked({ rate: RATE }, (ms) => ms >= SOAK_MS);
  const slopes = slopesOf(soak);
  const { reports, works, samples } = soak;
  const [before, after] = soak.socketsAtRest;
  const last = samples.at(-1)!;
  const good = reports.reduce((sum, report) => sum + report.good, 0);
  const latency = middleOf(reports.map((report) => latencyOf(report, 50)));
  const leak = await leaking();
  recordFigure({
    part: 'soak',
    what: `${SOAK_MS / 60_000} min of ${RATE} requests/s, imports, reports, closes and deletes beside`,
    figure:
      `${good} answered, half within ${latency.toFixed(0)} ms, ${works} rounds of long works; slopes over the whole ` +
      `time: memory ${signed(slopes.memory, 1)} MB of ${slopes.held.toFixed(0)}, ` +
      `files ${signed(slopes.files)} of ${last.files}; connections at rest ${before} before, ${after} after`,
    control: `a map that keeps requests, ${CONTROL_REQUESTS} of them: memory ${signed(leak.memory, 1)} MB of ${leak.held.toFixed(0)}`,
  });
  expect(reports.flatMap(({ others }) => others)).toEqual([]);
  expect(good).toBe(sentBy(reports));
  expect(slopes.share).toBeLessThan(MOST_GROWTH);
  expect(after - before).toBeLessThan(FEW.sockets);
  expect(slopes.files).toBeLessThan(FEW.files);
});

/** The same with a program that keeps every request: its memory must be seen to grow. */
async function leaking() {
  await program.end('SIGTERM');
  admin = await program.start({ LEAK: 'requests' });
  const leak = slopesOf(await soaked({ clients: CONTROL_CLIENTS }, (_ms, sent) => sent >= CONTROL_REQUESTS));
  expect(leak.share).toBeGreaterThan(MOST_GROWTH);
  return leak;
}
