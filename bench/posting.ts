import type { Client } from 'pg';
import type { AccountId } from '../src/accounting/ids.ts';
import type { Centavos } from '../src/accounting/money.ts';
import { decideEntry } from '../src/features/posting/entries/decide-entry.ts';
import { insertEntries } from '../src/features/posting/entries/entries.sql.ts';
import { readFactsOfEntries } from '../src/features/posting/entries/posting-facts.ts';
import type { Sql } from '../src/platform/database/sql.ts';
import { SQL } from '../src/platform/database/statement.ts';
import { bareSql, withBareConnections } from './support/bare-driver.ts';
import { type BareHttp, bareHttp } from './support/bare-http.ts';
import { ACCOUNTS, type Branch, books, newBatch, newBranch, newDocument, openMonth } from './support/books.ts';
import {
  byTurns,
  type Figure,
  type Measured,
  median,
  percentile99,
  perSecond,
  ratePerSecond,
} from './support/figure.ts';
import { type Floor, floorOn } from './support/floor.ts';
import type { Installation } from './support/installation.ts';

const CONNECTIONS = 32;
const TURN_MS = 3_000;
/** Until the engine has compiled what is called often: an entry then takes half of the first ones' processor time. */
const WARM_UP_MS = 15_000;
const FLOOR_SECONDS = 3;
const NARRATION = 'Aplicação de cotista';

export interface Posting {
  readonly branch: Branch;
  readonly documents: readonly number[];
  /** A fresh entry with two accounts of its own. */
  next(): { number: string; day: number; accountId: AccountId; offsetAccountId: AccountId; cents: number };
}

/** POST /entry over HTTP against what the engine can do; and what row-level security costs of its SQL. */
export const posting: Figure = async (installation) => {
  const plan = await preparePosting(installation);
  const floor = floorOn(installation);
  return [
    ...(floor === undefined ? [] : await againstFloor(installation, floor, plan)),
    await againstOwner(installation, plan),
  ];
};

/** The same statements under the policies of row-level security and without. */
async function againstOwner(installation: Installation, plan: Posting): Promise<Measured> {
  const { companyId } = plan.branch;
  const rateOf = (clients: readonly Client[]) => () => {
    const sqls = clients.map(bareSql);
    return ratePerSecond(CONNECTIONS, TURN_MS, (worker) => postBy(sqls[worker]!, plan, worker));
  };
  const walls = await withBareConnections(installation, companyId, CONNECTIONS, (program) =>
    withBareConnections(
      installation,
      companyId,
      CONNECTIONS,
      (owners) => byTurns(rateOf(program), rateOf(owners)),
      'owner',
    ),
  );
  return {
    name: 'posting SQL under row-level security',
    against: 'the same as the owner, without policies',
    detail: `${perSecond(walls.ours)} against ${perSecond(walls.bare)}`,
    value: walls.ratio,
    unit: 'ratio',
    atLeast: 0.9,
  };
}

/** Against pgbench, which sends one INSERT of two lines a transaction into a copy of the table. */
async function againstFloor(installation: Installation, floor: Floor, plan: Posting): Promise<Measured[]> {
  const { owner, token } = installation;
  const connections = await bareHttp(installation.address('movements'), CONNECTIONS);
  const rateInto = (table: string) => floor.rate(bareInsert(table), { clients: CONNECTIONS, seconds: FLOOR_SECONDS });
  const took: number[] = [];
  const post = (milliseconds = TURN_MS) =>
    ratePerSecond(CONNECTIONS, milliseconds, async (worker) => {
      const began = performance.now();
      await postOver(connections[worker]!, token, plan, worker);
      took.push(performance.now() - began);
    });
  const readHealth = () =>
    ratePerSecond(CONNECTIONS, TURN_MS, async (worker) => {
      await connections[worker]!.ask({ method: 'GET', path: '/actuator/health', expected: 200 });
    });
  await owner.query('CREATE TABLE bare_entry (LIKE entry_line INCLUDING DEFAULTS INCLUDING IDENTITY)');
  await owner.query(
    'CREATE TABLE indexed_entry (LIKE entry_line INCLUDING DEFAULTS INCLUDING IDENTITY INCLUDING INDEXES)',
  );
  await post(WARM_UP_MS);
  took.length = 0;
  const speed = await byTurns(
    () => post(),
    () => rateInto('bare_entry'),
  );
  const indexed = await rateInto('indexed_entry');
  const health = await readHealth();
  const alone = await ratePerSecond(1, TURN_MS, () => postOver(connections[0]!, token, plan, 0));
  await owner.query('DROP TABLE bare_entry, indexed_entry');
  for (const connection of connections) connection.close();
  const others = `with the table's indexes ${perSecond(indexed)}; by 1 connection ${perSecond(alone)}; /actuator/health ${perSecond(health)}`;
  return [
    {
      name: `POST /entry, ${CONNECTIONS} connections, token checked`,
      against: `a bare INSERT of two lines without indexes by pgbench, prepared, ${CONNECTIONS} clients`,
      detail: `${perSecond(speed.ours)} against ${perSecond(speed.bare)}; ${others}`,
      value: speed.ratio,
      unit: 'ratio',
      atLeast: 0.2,
    },
    {
      name: '… half of the requests take at most',
      against: 'its limit',
      detail: `99 of 100 at most ${percentile99(took).toFixed(1)} ms`,
      value: median(took) / 1000,
      unit: 's',
      atMost: 0.02,
    },
  ];
}

/** The number is random: a copy with the table's indexes takes each only once. */
function bareInsert(table: string): string {
  return `\\set number random(1, 1000000000000000)
\\set account random(1, ${ACCOUNTS})
INSERT INTO ${table} (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id,
                      offset_account_id, side, amount, narration)
VALUES (1, 1, 1, '2026-01-01', '2026-01-05', (:number)::text, 1, :account, :account + 1, 'D', 12.34, 'Aplicação'),
       (1, 1, 1, '2026-01-01', '2026-01-05', (:number)::text, 2, :account + 1, :account, 'C', 12.34, 'Aplicação');
`;
}

export async function preparePosting(installation: Installation): Promise<Posting> {
  const { leaves } = await books(installation);
  const branch = await newBranch(installation);
  await openMonth(installation, branch, 1);
  const batchId = await newBatch(installation, branch, 1);
  const documents: number[] = [];
  for (let each = 1; each <= CONNECTIONS; each++)
    documents.push(await newDocument(installation, batchId, String(each)));
  let entries = 0;
  return {
    branch,
    documents,
    next() {
      const entry = ++entries;
      return {
        number: String(entry),
        day: 1 + (entry % 28),
        accountId: leaves[(entry * 2) % leaves.length]!.id,
        offsetAccountId: leaves[(entry * 2 + 1) % leaves.length]!.id,
        cents: 100 + (entry % 90_000),
      };
    },
  };
}

export async function postOver(http: BareHttp, token: string, plan: Posting, worker: number): Promise<void> {
  const { number, day: dayNumber, accountId, offsetAccountId, cents } = plan.next();
  await http.ask({
    method: 'POST',
    path: '/entry',
    token,
    expected: 201,
    body: {
      documentId: plan.documents[worker],
      lancamento: number,
      debcre: 'D',
      day: String(dayNumber),
      contaId: accountId,
      contrapartida: offsetAccountId,
      valor: cents / 100,
      historico: NARRATION,
    },
  });
}

/** The statements of an entry that is posted alone, in one transaction. */
async function postBy(sql: Sql, plan: Posting, worker: number): Promise<void> {
  const { number, day: dayNumber, accountId, offsetAccountId, cents } = plan.next();
  const { branch } = plan;
  const entry = {
    documentId: plan.documents[worker]!,
    number,
    side: 'D' as const,
    dayNumber,
    accountId,
    offsetAccountId,
    amount: BigInt(cents) as Centavos,
    narration: NARRATION,
    narrationCode: undefined,
    factDay: undefined,
  };
  await sql.run(SQL`BEGIN`);
  const facts = await readFactsOfEntries(sql, branch, [entry], 'WAIT');
  await insertEntries(sql, branch, [decideEntry(entry, facts, 'admin')]);
  await sql.run(SQL`COMMIT`);
}
