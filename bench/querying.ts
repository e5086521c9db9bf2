import type pg from 'pg';
import type { Pool } from 'undici';
import type { AccountId } from '../src/accounting/ids.ts';
import { readAccountMonths } from '../src/features/closing/balances/read-balances.ts';
import { queryLedger } from '../src/features/reporting/ledger/query-ledger.ts';
import type { Sql } from '../src/platform/database/sql.ts';
import { month } from '../test/support/period.ts';
import { ask } from './support/ask.ts';
import { recorded, withBareConnections } from './support/bare-driver.ts';
import { type Branch, books, consolidate, fillMonth, newBranch, openMonth, settle } from './support/books.ts';
import { byTurns, type Figure, type Measured, perSecond, ratePerSecond } from './support/figure.ts';
import type { Installation } from './support/installation.ts';

const CONNECTIONS = 16;
const TURN_MS = 2_500;
/** More than elsewhere: three processes against two depend on the load of the machine. */
const ROUNDS = 5;
const MONTHS = 12;
const ITEMS = 100;
/** Accounts that the requests go through. */
const ASKED = 64;

interface Question {
  readonly name: string;
  readonly path: string;
  body(accountId: AccountId): Record<string, unknown>;
  /** The statements that answer it. */
  answer(sql: Sql, accountId: AccountId): Promise<unknown>;
  readonly items: number;
}

/** The two queries that accountants run most, over HTTP against their own statements by the bare driver. */
export const querying: Figure = async (installation) => {
  const { leaves } = await books(installation);
  const branch = await twelveMonths(installation, leaves.length);
  const asked = leaves.slice(0, ASKED).map((leaf) => leaf.id);
  const http = installation.connections('queries', CONNECTIONS);
  return withBareConnections(installation, branch.companyId, CONNECTIONS, async (clients) => {
    const measured: Measured[] = [];
    for (const question of questionsOn(branch)) {
      const statements: pg.QueryConfig[][] = [];
      for (const accountId of asked) {
        statements.push(await recorded(clients[0]!, (sql) => question.answer(sql, accountId)));
      }
      const overHttp = () => {
        let turn = 0;
        return ratePerSecond(CONNECTIONS, TURN_MS, () =>
          askOne(http, installation.token, question, asked[turn++ % ASKED]!),
        );
      };
      const byDriver = () => {
        let turn = 0;
        return ratePerSecond(CONNECTIONS, TURN_MS, (worker) => send(clients[worker]!, statements[turn++ % ASKED]!));
      };
      await overHttp();
      const { ours, bare, ratio } = await byTurns(overHttp, byDriver, ROUNDS);
      measured.push({
        name: `${question.name}, ${CONNECTIONS} connections`,
        against: 'the same SQL by the bare driver',
        detail: `${perSecond(ours)} against ${perSecond(bare)}`,
        value: ratio,
        unit: 'ratio',
        atLeast: 0.5,
      });
    }
    return measured;
  });
};

function questionsOn(branch: Branch): Question[] {
  const tenant = { empresa: branch.company, filial: branch.branch };
  return [
    {
      name: `generalLedgerQuery, ${ITEMS} items`,
      path: '/generalLedgerQuery',
      body: (contaId) => ({ ...tenant, contaId, year: 2026, month: MONTHS }),
      answer: (sql, accountId) =>
        queryLedger(sql, branch, accountId, month(`2026-${MONTHS}`), { from: undefined, to: undefined }),
      items: ITEMS,
    },
    {
      name: `balanceInquiryDetails, ${MONTHS} months`,
      path: '/balanceInquiryDetails',
      body: (contaId) => ({ ...tenant, contaId, anomesini: '01/2026', anomesfim: '12/2026' }),
      answer: (sql, accountId) => readAccountMonths(sql, branch, accountId, month('2026-01'), month('2026-12')),
      items: MONTHS,
    },
  ];
}

/** Every account has the same number of lines; the last month has the most and stays open, as in real life. */
async function twelveMonths(installation: Installation, leaves: number): Promise<Branch> {
  const branch = await newBranch(installation);
  for (let month = 1; month <= MONTHS; month++) {
    await openMonth(installation, branch, month);
    await fillMonth(installation, branch, month, leaves * (month === MONTHS ? ITEMS : 4));
    if (month < MONTHS) await consolidate(installation, branch, month);
  }
  await settle(installation);
  return branch;
}

async function askOne(http: Pool, token: string, question: Question, accountId: AccountId): Promise<void> {
  const text = await ask(http, { path: question.path, token, body: question.body(accountId) });
  const items = (JSON.parse(text) as unknown[]).length;
  if (items !== question.items) throw new Error(`${question.path}: ${items} items instead of ${question.items}`);
}

async function send(client: pg.Client, statements: readonly pg.QueryConfig[]): Promise<void> {
  for (const statement of statements) await client.query(statement);
}
