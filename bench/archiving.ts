import { ask } from './support/ask.ts';
import { type Branch, books, consolidate, fillMonth, newBranch, openMonth, settle } from './support/books.ts';
import { type Figure, type Measured, percentile99, secondsOf } from './support/figure.ts';
import type { Installation } from './support/installation.ts';

const LINES = 1_000_000;
const ASKING = 4;
const IDLE_MS = 5_000;

const LINE_COLUMNS = `company_id, id, branch_id, document_id, account_id, offset_account_id, month, day, sequence, side,
  closing, amount, entry_number, narration_code, narration, created_at, updated_at`;

/** A month to the archive and back by request against the statements alone; balances are requested all the while. */
export const archiving: Figure = async (installation) => {
  const asked = await filledBranch(installation, 20_000);
  const ours = await filledBranch(installation, LINES);
  const bare = await filledBranch(installation, LINES);
  await settle(installation);
  const idle = await latencies(installation, asked, () => new Promise((resolve) => setTimeout(resolve, IDLE_MS)));
  const measured: Measured[] = [];
  const whileMoving: number[] = [];
  for (const [name, send] of [
    ['purge', true],
    ['restore', false],
  ] as const) {
    await installation.owner.query('CHECKPOINT');
    const bareSeconds = await secondsOf(() => moveBare(installation, bare, send));
    await installation.owner.query('CHECKPOINT');
    let ourSeconds = 0;
    whileMoving.push(
      ...(await latencies(installation, asked, async () => {
        ourSeconds = await secondsOf(() => move(installation, ours, send));
      })),
    );
    measured.push({
      name: `${name} of ${LINES.toLocaleString('en')} lines, balances asked for meanwhile`,
      against: 'the bare INSERT … SELECT and DELETE, alone, without triggers',
      detail: `${ourSeconds.toFixed(1)} s against ${bareSeconds.toFixed(1)} s`,
      value: bareSeconds / ourSeconds,
      unit: 'ratio',
      atLeast: 0.5,
    });
  }
  measured.push({
    name: `… 99th percentile of balanceInquiryDetails meanwhile, ${ASKING} connections`,
    against: 'the same with nothing else to do',
    detail: `${percentile99(whileMoving).toFixed(1)} ms against ${percentile99(idle).toFixed(1)} ms`,
    value: percentile99(whileMoving) / percentile99(idle),
    unit: 'ratio',
    atMost: 4,
  });
  return measured;
};

async function filledBranch(installation: Installation, lines: number): Promise<Branch> {
  const branch = await newBranch(installation);
  await openMonth(installation, branch, 1);
  await fillMonth(installation, branch, 1, lines);
  await consolidate(installation, branch, 1);
  return branch;
}

async function move(installation: Installation, branch: Branch, send: boolean): Promise<void> {
  const problems = await installation.call<string[]>('movements', 'POST', '/purging', {
    useRange: false,
    alternate: true,
    selectedBranchId: [branch.branchId],
    yearmonth: '01/2026',
    doSend: send,
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

async function moveBare({ owner }: Installation, { companyId, branchId }: Branch, send: boolean): Promise<void> {
  const [from, to] = send ? ['entry_line', 'entry_line_archive'] : ['entry_line_archive', 'entry_line'];
  const where = `WHERE company_id = $1 AND branch_id = $2 AND month = '2026-01-01'`;
  await owner.query('BEGIN');
  await owner.query('SET LOCAL session_replication_role = replica');
  await owner.query(`INSERT INTO ${to} (${LINE_COLUMNS}) SELECT ${LINE_COLUMNS} FROM ${from} ${where}`, [
    companyId,
    branchId,
  ]);
  await owner.query(`DELETE FROM ${from} ${where}`, [companyId, branchId]);
  await owner.query('COMMIT');
}

/** Milliseconds of every balance query that began while the work ran. */
async function latencies(installation: Installation, branch: Branch, work: () => Promise<unknown>): Promise<number[]> {
  const { leaves } = await books(installation);
  const http = installation.connections('queries', ASKING);
  const taken: number[] = [];
  let working = true;
  const keepAsking = async (worker: number) => {
    for (let turn = worker; working; turn += ASKING) {
      const began = performance.now();
      await ask(http, {
        path: '/balanceInquiryDetails',
        token: installation.token,
        body: {
          empresa: branch.company,
          filial: branch.branch,
          contaId: leaves[turn % leaves.length]!.id,
          anomesini: '01/2026',
          anomesfim: '01/2026',
        },
      });
      taken.push(performance.now() - began);
    }
  };
  const asking = Promise.all(Array.from({ length: ASKING }, (_, worker) => keepAsking(worker)));
  try {
    await work();
  } finally {
    working = false;
    await asking;
  }
  return taken;
}
