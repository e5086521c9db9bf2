import type { Pool } from 'undici';
import { lastDay, type Month, monthNumberOf, slashOf, yearOf } from '../../src/accounting/period.ts';
import { ask, type Question } from '../support/ask.ts';
import { consolidate } from '../support/books.ts';
import { type Measured, median, percentile, percentile99, secondsOf } from '../support/figure.ts';
import type { Installation } from '../support/installation.ts';
import { type LoadedBank, type LoadedBranch, measuredOf, openMonthsOf } from './load.ts';
import { MEASURED, MONTHS, OPEN_MONTH } from './shape.ts';

const REQUESTS = 500;
const WARM_UP = 50;
const TURNS = 7;
const JOURNALS = 12;
/** A slow statement takes more than this of the same one with a hundredth of the lines. */
const MAX_RATIO = 1.5;
const CLOSED = MONTHS.filter((month) => month !== OPEN_MONTH);

/** Books that are asked, and the connections for it. */
export interface Asked {
  readonly installation: Installation;
  readonly bank: LoadedBank;
  readonly queries: Pool;
  readonly movements: Pool;
  readonly reports: Pool;
  readonly documents: ReadonlyMap<LoadedBranch, number>;
}

/** With a document for entries in the open month of each measured branch. */
export async function openAsked(installation: Installation, bank: LoadedBank): Promise<Asked> {
  const documents = new Map<LoadedBranch, number>();
  for (const branch of measuredOf(bank)) {
    const number = `P${Math.floor(Date.now() / 1000) % 1_000_000_000}`;
    const place = { empresa: branch.company, filial: branch.branch };
    const month = { ano: yearOf(OPEN_MONTH), mes: monthNumberOf(OPEN_MONTH) };
    const batch = await installation.call<{ id: number }>('movements', 'POST', '/batch', {
      lote: number,
      ...place,
      ...month,
    });
    const document = { batchId: batch.id, documento: number };
    documents.set(branch, (await installation.call<{ id: number }>('movements', 'POST', '/document', document)).id);
  }
  const [queries, movements, reports] = (['queries', 'movements', 'reports'] as const).map((service) =>
    installation.connections(service, 1),
  ) as [Pool, Pool, Pool];
  return { installation, bank, queries, movements, reports, documents };
}

interface Kind {
  readonly name: string;
  readonly of: 'queries' | 'movements' | 'reports';
  readonly requests: number;
  readonly warmUp: number;
  question(asked: Asked, at: number): Question;
}

const some = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!;
/** Accounts are asked for as often as they move. */
const someAccount = ({ leaves }: LoadedBank) => leaves[Math.floor(leaves.length * Math.random() ** 2)]!.id;

const KINDS: readonly Kind[] = [
  {
    name: 'page of 100 lines of the ledger',
    of: 'queries',
    requests: REQUESTS,
    warmUp: WARM_UP,
    question: ({ bank, installation }) => ledgerPage(installation, some(measuredOf(bank)), some(MONTHS), bank),
  },
  {
    name: 'account-month by generalLedgerQuery',
    of: 'queries',
    requests: REQUESTS,
    warmUp: WARM_UP,
    question: ({ bank, installation: { token } }) => {
      const [place, month] = [some(measuredOf(bank)), some(MONTHS)];
      const period = { year: yearOf(month), month: monthNumberOf(month) };
      const body = { empresa: place.company, filial: place.branch, contaId: someAccount(bank), ...period };
      return { path: '/generalLedgerQuery', token, body };
    },
  },
  {
    name: 'balances of an account over twelve months',
    of: 'queries',
    requests: REQUESTS,
    warmUp: WARM_UP,
    question: ({ bank, installation }) => inquiry(installation, some(measuredOf(bank)), bank),
  },
  {
    name: 'trial balance of a closed month as CSV',
    of: 'reports',
    // Reports over closed months are kept: each is asked for once.
    requests: CLOSED.length * MEASURED.length,
    warmUp: 0,
    question: ({ bank, installation }, at) =>
      trialBalance(installation, measuredOf(bank)[at % MEASURED.length]!, CLOSED[Math.floor(at / MEASURED.length)]!),
  },
  {
    name: 'trial balance of the open month as CSV',
    of: 'reports',
    requests: 100,
    warmUp: 5,
    question: ({ bank, installation }) => trialBalance(installation, some(measuredOf(bank)), OPEN_MONTH),
  },
  {
    name: 'POST /entry',
    of: 'movements',
    requests: REQUESTS,
    warmUp: WARM_UP,
    question: ({ bank, documents, installation: { token } }, at) => {
      const [contaId, contrapartida] = [bank.leaves[at % 400]!.id, bank.leaves[500 + (at % 400)]!.id];
      const entry = { lancamento: `P${at}`, debcre: 'D', day: '07', contaId, contrapartida, valor: 1.5 };
      const documentId = documents.get(measuredOf(bank)[at % MEASURED.length]!);
      return { path: '/entry', token, expected: 201, body: { documentId, ...entry, historico: 'Aplicação' } };
    },
  },
  {
    name: 'journal of a month as PDF',
    of: 'reports',
    requests: JOURNALS,
    warmUp: 0,
    question: ({ bank, installation }, at) =>
      journal(installation, measuredOf(bank)[at % MEASURED.length]!, CLOSED.at(-1 - at)!),
  },
];

function ledgerPage({ token }: Installation, place: LoadedBranch, month: Month, bank: LoadedBank): Question {
  const { company, branch } = place;
  return { method: 'GET', path: `/ledger/${company}/${branch}/${someAccount(bank)}/lines?month=${month}`, token };
}

function inquiry({ token }: Installation, { company, branch }: LoadedBranch, bank: LoadedBank): Question {
  const from = Math.floor(Math.random() * (MONTHS.length - 11));
  const period = { anomesini: slashOf(MONTHS[from]!), anomesfim: slashOf(MONTHS[from + 11]!) };
  const body = { empresa: company, filial: branch, contaId: someAccount(bank), ...period };
  return { path: '/balanceInquiryDetails', token, body };
}

export function trialBalance({ token }: Installation, { company, branch }: LoadedBranch, month: Month): Question {
  const period = { ano: yearOf(month), mes: monthNumberOf(month) };
  const body = { empresa: company, filial: branch, ...period, visualizationEnum: 'CSV' };
  return { path: '/reports/monthlyTrialBalance', token, body };
}

function journal({ token }: Installation, { company, branch }: LoadedBranch, month: Month): Question {
  const period = { dataInicio: `${month}-01`, dataFim: lastDay(month) };
  const body = { empresa: company, filial: branch, ...period, visualizationEnum: 'PDF' };
  return { path: '/reports/relatorioDiarioGeral', token, body };
}

/** The same questions to both, one after the other by turns. */
export async function compare(small: Asked, large: Asked): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const kind of KINDS) {
    const times = { small: [] as number[], large: [] as number[] };
    for (let at = 0; at < kind.warmUp + kind.requests; at++) {
      const [ofSmall, ofLarge] = [await timeOf(kind, small, at), await timeOf(kind, large, at)];
      if (at < kind.warmUp) continue;
      times.small.push(ofSmall);
      times.large.push(ofLarge);
    }
    measured.push(...rowsOf(kind.name, times, kind.requests >= 100));
    // The rest takes minutes.
    console.log(
      measured
        .slice(-2)
        .map(({ name, detail }) => `${name}: ${detail}`)
        .join('\n'),
    );
  }
  return [...measured, ...rowsOf('close of a month', await closes(small, large), false)];
}

async function timeOf(kind: Kind, asked: Asked, at: number): Promise<number> {
  const question = kind.question(asked, at);
  return 1000 * (await secondsOf(() => ask(asked[kind.of], question)));
}

/** Milliseconds on both sides. */
interface Times {
  readonly small: readonly number[];
  readonly large: readonly number[];
}

function rowsOf(name: string, { small, large }: Times, hasSlowest: boolean): Measured[] {
  const row = (part: string, of: (times: readonly number[]) => number): Measured => ({
    name: `${name}, ${part}`,
    against: 'the same with a hundredth of the lines',
    detail: `${milliseconds(of(large))} against ${milliseconds(of(small))}`,
    value: of(large) / of(small),
    unit: 'ratio',
    atMost: MAX_RATIO,
  });
  return [
    row('p50', median),
    ...(hasSlowest ? [row('p99', percentile99)] : [row('slowest', (all) => Math.max(...all))]),
  ];
}

function milliseconds(value: number): string {
  return `${value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1)} ms`;
}

/** The open month of a measured branch, closed and opened again. */
async function closes(small: Asked, large: Asked): Promise<Times> {
  const times = { small: [] as number[], large: [] as number[] };
  for (let turn = 0; turn < TURNS; turn++) {
    times.small.push(1000 * (await closeAndReopen(small, measuredOf(small.bank)[0]!)));
    times.large.push(1000 * (await closeAndReopen(large, measuredOf(large.bank)[0]!)));
  }
  return times;
}

/** Seconds from the request to the end of the job. */
async function closeAndReopen({ installation }: Asked, branch: LoadedBranch): Promise<number> {
  const seconds = await consolidate(installation, branch, monthNumberOf(OPEN_MONTH), yearOf(OPEN_MONTH));
  const body = { newyearmonth: slashOf(OPEN_MONTH), reason: 'Medida de novo' };
  await installation.call('movements', 'POST', `/monthOpening/${branch.company}/${branch.branch}`, body);
  return seconds;
}

/** Seconds of closing the first month that the branch has open. */
export async function closeFirstOpen({ installation }: Asked, branch: LoadedBranch): Promise<number> {
  const month = (await openMonthsOf(installation, branch))[0] ?? OPEN_MONTH;
  return consolidate(installation, branch, monthNumberOf(month), yearOf(month));
}

/** Any branch and month of the large books, which no memory holds. */
export async function anywhere({ bank, installation, queries }: Asked): Promise<Measured[]> {
  const kinds = [
    ['page of 100 lines of the ledger', () => ledgerPage(installation, some(bank.branches), some(MONTHS), bank)],
    ['balances of an account over twelve months', () => inquiry(installation, some(bank.branches), bank)],
  ] as const;
  const measured: Measured[] = [];
  for (const [name, question] of kinds) {
    const times: number[] = [];
    for (let at = 0; at < REQUESTS; at++) times.push(1000 * (await secondsOf(() => ask(queries, question()))));
    measured.push({
      name: `${name}, any branch and month of the large books, p99`,
      against: 'its limit',
      detail: `p50 ${milliseconds(median(times))}, p95 ${milliseconds(percentile(times, 0.95))}, p99 ${milliseconds(percentile99(times))}`,
      value: percentile99(times) / 1000,
      unit: 's',
      atMost: 0.5,
    });
  }
  return measured;
}
