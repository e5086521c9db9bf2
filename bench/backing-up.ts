import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';
import { runAdmin } from './support/admin.ts';
import { ask, type Question } from './support/ask.ts';
import { type Branch, books, branchOfMonths, newBatch, newDocument, settle } from './support/books.ts';
import { type Figure, type Measured, percentile } from './support/figure.ts';
import type { Installation } from './support/installation.ts';

const MONTHS = 5;
const MONTH_LINES = 100_000;
/** Of each kind; a request every so often, as people and programs ask, not as fast as can be. */
const CONNECTIONS = 4;
const EVERY_MS = 40;
const IDLE_MS = 6_000;
const MEGABYTES_PER_SECOND = ['50', '1024'] as const;

/** How long posting and balances take while a backup is made and proven, against nothing else to do in the same minute. */
export const backingUp: Figure = async (installation) => {
  const branch = await branchOfMonths(installation, MONTHS, MONTH_LINES);
  await settle(installation);
  await installation.owner.query('CHECKPOINT');
  const folder = await mkdtemp(join(tmpdir(), 'partidas-bench-backups-'));
  try {
    return await measure(installation, branch, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

async function measure(installation: Installation, branch: Branch, folder: string): Promise<Measured[]> {
  const load = await openLoad(installation, branch);
  await load.during(() => sleep(IDLE_MS));
  const idle = await load.during(() => sleep(IDLE_MS));
  const measured: Measured[] = [];
  const add = (what: string, { posts, balances }: Latencies, atMost: number, took: string) => {
    for (const [name, values, alone] of [
      ['POST /entry', posts, idle.posts],
      ['balanceInquiryDetails', balances, idle.balances],
    ] as const) {
      measured.push({
        name: `${name} while ${what}: 95 of 100 take at most`,
        against: 'the same with nothing else to do',
        detail: `${p95(values).toFixed(1)} ms against ${p95(alone).toFixed(1)} ms; ${took}`,
        value: p95(values) / p95(alone),
        unit: 'ratio',
        atMost,
      });
    }
  };
  let last = '';
  for (const speed of MEGABYTES_PER_SECOND) {
    const environment = { DATA_DIR: installation.dataDir, BACKUP_MB_PER_SECOND: speed };
    const found = await load.during(async () => {
      last = (await runAdmin(['backup', folder, '--unproven'], environment)).text;
    });
    add(`a backup is taken at ${speed} MB/s`, found, 3, last.split('\n')[0]!.replace(/^\S+\s+/, ''));
  }
  const copy = last.split(' ')[0]!;
  let proof = '';
  const found = await load.during(async () => {
    proof = (await runAdmin(['backups', 'prove', copy], {})).text;
  });
  add('it is proven', found, 4, proof.trim());
  return measured;
}

interface Latencies {
  readonly posts: readonly number[];
  readonly balances: readonly number[];
}

const p95 = (values: readonly number[]) => percentile(values, 0.95);

/** Posts to the open month and asks for balances, at the same pace whatever the answers take. */
async function openLoad(installation: Installation, branch: Branch) {
  const { leaves } = await books(installation);
  const batch = await newBatch(installation, branch, MONTHS);
  const documents = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, at) => newDocument(installation, batch, String(at + 1))),
  );
  const pools = {
    posts: installation.connections('movements', CONNECTIONS),
    balances: installation.connections('queries', CONNECTIONS),
  };
  const { token } = installation;
  const leaf = (at: number) => leaves[at % leaves.length]!.id;
  let posted = 0;
  const questions: Record<keyof Latencies, (worker: number) => Question> = {
    posts: (worker) => {
      const number = ++posted;
      const [contaId, contrapartida] = [leaf(2 * number), leaf(2 * number + 1)];
      const entry = { lancamento: `P${number}`, debcre: 'D', day: '05', contaId, contrapartida, valor: 1.5 };
      return {
        path: '/entry',
        token,
        expected: 201,
        body: { documentId: documents[worker], ...entry, historico: 'Aplicação' },
      };
    },
    balances: (worker) => ({
      path: '/balanceInquiryDetails',
      token,
      body: {
        ...{ empresa: branch.company, filial: branch.branch, contaId: leaf(posted + worker) },
        ...{ anomesini: '01/2026', anomesfim: `0${MONTHS}/2026` },
      },
    }),
  };
  return {
    async during(work: () => Promise<unknown>): Promise<Latencies> {
      const taken = { posts: [] as number[], balances: [] as number[] };
      let working = true;
      const keepAsking = async (kind: keyof Latencies, http: Pool, worker: number) => {
        for (let next = performance.now() + (worker * EVERY_MS) / CONNECTIONS; working; next += EVERY_MS) {
          await sleep(Math.max(0, next - performance.now()));
          // What had to wait for the answer before has waited, too.
          await ask(http, questions[kind](worker));
          taken[kind].push(performance.now() - next);
        }
      };
      const kinds = ['posts', 'balances'] as const;
      const asking = kinds.flatMap((kind) => documents.map((_, worker) => keepAsking(kind, pools[kind], worker)));
      try {
        await work();
      } finally {
        working = false;
        await Promise.all(asking);
      }
      return taken;
    },
  };
}
