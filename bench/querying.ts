import type { AccountId } from '../src/accounting/ids.ts';
import { type Branch, books, consolidate, newBatch, newBranch, openMonth, settle } from './support/books.ts';
import { type BareClient, HEALTH, requestOf, withBareClient } from './support/client.ts';
import { type Figure, type Measured, median, perSecond } from './support/figure.ts';
import { type Floor, floorOn } from './support/floor.ts';
import type { Installation } from './support/installation.ts';

const CONNECTIONS = 16;
const TURN_SECONDS = 3;
const ROUNDS = 3;
const MONTHS = 12;
const ITEMS = 100;
/** Lines of the account that is asked for whole. */
const LARGE = 2_167;
/** Accounts that the requests go through. */
const ASKED = 64;

interface Question {
  readonly name: string;
  readonly requests: readonly Buffer[];
  /** The rows of the answer, by pgbench as the owner: `:account` goes through the same accounts. */
  readonly floor: string;
  readonly items: number;
  readonly atLeast: number;
}

/**
 * The two queries that accountants run most, over HTTP against a plain SELECT of the stored rows by pgbench; right after
 * the import that brought the lines, and once every table has its statistics.
 */
export const querying: Figure = async (installation) => {
  const branch = await twelveMonths(installation);
  const floor = floorOn(installation);
  return withBareClient(installation, CONNECTIONS, async (client) => [
    ...(await askAll(installation, branch, client, floor, 'right after the import')),
    ...(await settled(installation, () => askAll(installation, branch, client, floor, 'with statistics'))),
    await wholeMonth(installation, client),
  ]);
};

async function settled<T>(installation: Installation, work: () => Promise<T>): Promise<T> {
  await settle(installation);
  return work();
}

async function askAll(
  installation: Installation,
  branch: Branch,
  client: BareClient,
  floor: Floor | undefined,
  state: string,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const question of await questionsOn(installation, branch)) {
    const { body } = await client.once(question.requests[0]!);
    const items = (JSON.parse(body) as unknown[]).length;
    if (items !== question.items) throw new Error(`${question.name}: ${items} items`);
    await client.rate(question.requests, 1_000);
    const turns: { ours: number; bare: number; health: number }[] = [];
    for (let round = 0; round < ROUNDS && floor; round++) {
      turns.push({
        bare: await floor.rate(question.floor, { clients: CONNECTIONS, seconds: TURN_SECONDS }),
        ours: await client.rate(question.requests, TURN_SECONDS * 1_000),
        health: await client.rate([HEALTH], 1_000),
      });
    }
    if (turns.length === 0) continue;
    const middle = (of: (turn: (typeof turns)[number]) => number) => median(turns.map(of));
    measured.push({
      name: `${question.name}, ${CONNECTIONS} connections, ${state}`,
      against: 'the plain SELECT of the rows by pgbench, prepared',
      detail: `${perSecond(middle((turn) => turn.ours))} against ${perSecond(middle((turn) => turn.bare))}; the health answer of the same program ${perSecond(middle((turn) => turn.health))}`,
      value: middle((turn) => turn.ours / turn.bare),
      unit: 'ratio',
      atLeast: question.atLeast,
    });
  }
  return measured;
}

export async function questionsOn(installation: Installation, branch: Branch): Promise<Question[]> {
  const { leaves } = await books(installation);
  const asked = leaves.slice(0, ASKED).map((leaf) => leaf.id);
  const tenant = { empresa: branch.company, filial: branch.branch };
  const requests = (path: string, body: (contaId: AccountId) => object) =>
    asked.map((id) => requestOf(installation.token, path, { ...tenant, ...body(id) }));
  // Accounts of the charts here have ids of one sequence: the leaves are its last ones.
  const account = `\\set account random(${Math.min(...leaves.map(({ id }) => id))}, ${Math.max(...leaves.map(({ id }) => id))})\n`;
  const place = `company_id = ${branch.companyId} AND branch_id = ${branch.branchId} AND account_id = :account`;
  return [
    {
      name: `generalLedgerQuery, ${ITEMS} items`,
      requests: requests('/generalLedgerQuery', (contaId) => ({ contaId, year: 2026, month: MONTHS })),
      floor: `${account}SELECT entry_number, side, day, narration, amount, document_id, account_id FROM entry_line WHERE ${place} AND month = '2026-12-01' ORDER BY day;`,
      items: ITEMS,
      atLeast: 0.15,
    },
    {
      name: `balanceInquiryDetails, ${MONTHS} months`,
      requests: requests('/balanceInquiryDetails', (contaId) => ({
        contaId,
        anomesini: '01/2026',
        anomesfim: '12/2026',
      })),
      floor: `${account}SELECT month, opening, debit, credit, closing_debit, closing_credit FROM monthly_balance WHERE ${place} AND month BETWEEN '2026-01-01' AND '2026-12-01';`,
      items: MONTHS,
      atLeast: 0.1,
    },
  ];
}

/** Every account has the same number of lines, by import; the last month has the most and stays open, as in real life. */
export async function twelveMonths(installation: Installation): Promise<Branch> {
  const branch = await newBranch(installation);
  const { leaves } = await books(installation);
  for (let month = 1; month <= MONTHS; month++) {
    await openMonth(installation, branch, month);
    await importMonth(installation, branch, month, linesOver(leaves, month === MONTHS ? ITEMS : 4));
    if (month < MONTHS) await consolidate(installation, branch, month);
  }
  return branch;
}

/** Pairs of accounts that each get so many lines; where their number is odd, the last one gets them all by itself. */
function linesOver(leaves: readonly { code: string }[], times: number): [string, string][] {
  return Array.from({ length: times }, () =>
    leaves.flatMap((leaf, at): [string, string][] => {
      if (at % 2 === 0) return at === leaves.length - 1 ? [] : [[leaf.code, leaves[at + 1]!.code]];
      return [];
    }),
  ).flat();
}

const ROWS_A_DOCUMENT = 1_000;

async function importMonth(
  installation: Installation,
  branch: Branch,
  month: number,
  entries: readonly (readonly [string, string])[],
): Promise<void> {
  const batchId = await newBatch(installation, branch, month);
  const rows = entries.flatMap(([debit, credit], entry) => {
    const document = 1 + Math.floor((entry * 2) / ROWS_A_DOCUMENT);
    const day = String(1 + ((entry + 5 * document) % 28)).padStart(2, '0');
    const amount = `${1 + (entry % 900)},${String(10 + (entry % 90))}`;
    const rest = `${amount};Liquidação ${month} da operação ${branch.branch}/${entry};`;
    return [
      `${document};${entry + 1};${day};D;${debit};${credit};${rest}`,
      `${document};${entry + 1};${day};C;${credit};${debit};${rest}`,
    ];
  });
  const form = new FormData();
  const head = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico';
  form.set('file', new Blob([[head, ...rows, ''].join('\r\n')]), 'rows.csv');
  const result = await installation.call<{ success: boolean }>('movements', 'POST', `/batch/${batchId}/import`, form);
  if (!result.success) throw new Error(JSON.stringify(result).slice(0, 500));
}

/** The answer for an account with many lines in its month, one request after another. */
async function wholeMonth(installation: Installation, client: BareClient): Promise<Measured> {
  const branch = await newBranch(installation);
  const { leaves } = await books(installation);
  await openMonth(installation, branch, 1);
  const [large, ...others] = leaves;
  const entries = Array.from({ length: LARGE }, (_, at) => [large!.code, others[at % others.length]!.code] as const);
  await importMonth(installation, branch, 1, entries);
  const request = requestOf(installation.token, '/generalLedgerQuery', {
    ...{ empresa: branch.company, filial: branch.branch, contaId: large!.id, year: 2026, month: 1 },
  });
  const taken: number[] = [];
  for (let turn = 0; turn < 60; turn++) {
    const { body, milliseconds } = await client.once(request);
    if (turn === 0 && (JSON.parse(body) as unknown[]).length !== LARGE) throw new Error('not all lines');
    if (turn >= 10) taken.push(milliseconds);
  }
  return {
    name: `account-month of ${LARGE.toLocaleString('en')} lines as JSON, one connection`,
    against: 'a bound in seconds',
    detail: `the middle of ${taken.length} requests: ${median(taken).toFixed(1)} ms`,
    value: median(taken) / 1_000,
    unit: 's',
    atMost: 0.012,
  };
}
