import type { Pool } from 'undici';
import type { AccountId } from '../src/accounting/ids.ts';
import { physicalLines } from '../src/accounting/posting.ts';
import {
  insertEntry,
  lockPostingAccounts,
  lockPostingPlace,
  selectPostingRules,
} from '../src/features/posting/entries/entries.sql.ts';
import type { Sql } from '../src/platform/database/sql.ts';
import { SQL } from '../src/platform/database/statement.ts';
import { day } from '../test/support/period.ts';
import { ask } from './support/ask.ts';
import { bareSql, withBareConnections } from './support/bare-driver.ts';
import { ACCOUNTS, type Branch, books, newBatch, newBranch, newDocument, openMonth } from './support/books.ts';
import { byTurns, type Figure, type Measured, perSecond, ratePerSecond } from './support/figure.ts';
import { type Floor, floorOn } from './support/floor.ts';
import type { Installation } from './support/installation.ts';

const CONNECTIONS = 32;
const TURN_MS = 3_000;
const FLOOR_SECONDS = 3;

interface Posting {
  readonly branch: Branch;
  readonly documents: readonly number[];
  /** A fresh entry with two accounts of its own. */
  next(): { number: string; day: number; accountId: AccountId; offsetAccountId: AccountId; cents: number };
}

/** POST /entry over HTTP against its own SQL by the bare driver; and what row-level security costs of that. */
export const posting: Figure = async (installation) => {
  const plan = await preparePosting(installation);
  const http = installation.connections('movements', CONNECTIONS);
  return withBareConnections(installation, plan.branch.companyId, CONNECTIONS, async (clients) => {
    const bare = clients.map(bareSql);
    const postBare = (sqls: readonly Sql[]) =>
      ratePerSecond(CONNECTIONS, TURN_MS, (worker) => postBy(sqls[worker]!, plan, worker));
    const postHttp = () =>
      ratePerSecond(CONNECTIONS, TURN_MS, (worker) => postOver(http, installation.token, plan, worker));
    await postHttp();
    const speed = await byTurns(postHttp, () => postBare(bare));
    const walls = await withBareConnections(
      installation,
      plan.branch.companyId,
      CONNECTIONS,
      (owners) =>
        byTurns(
          () => postBare(bare),
          () => postBare(owners.map(bareSql)),
        ),
      'owner',
    );
    const floor = floorOn(installation);
    return [
      ...(floor === undefined ? [] : [await againstFloor(installation, floor, postHttp)]),
      {
        name: `POST /entry, ${CONNECTIONS} connections, token checked`,
        against: `the same SQL by the bare driver, ${CONNECTIONS} connections`,
        detail: `${perSecond(speed.ours)} against ${perSecond(speed.bare)}`,
        value: speed.ratio,
        unit: 'ratio',
        atLeast: 0.5,
      },
      {
        name: 'posting SQL under row-level security',
        against: 'the same as the owner, without policies',
        detail: `${perSecond(walls.ours)} against ${perSecond(walls.bare)}`,
        value: walls.ratio,
        unit: 'ratio',
        atLeast: 0.9,
      },
    ] satisfies Measured[];
  });
};

/** Against pgbench, which sends one INSERT of two lines a transaction into a copy of the table. */
async function againstFloor({ owner }: Installation, floor: Floor, postHttp: () => Promise<number>): Promise<Measured> {
  const rateInto = (table: string) => floor.rate(bareInsert(table), { clients: CONNECTIONS, seconds: FLOOR_SECONDS });
  await owner.query('CREATE TABLE bare_entry (LIKE entry_line INCLUDING DEFAULTS INCLUDING IDENTITY)');
  await owner.query(
    'CREATE TABLE indexed_entry (LIKE entry_line INCLUDING DEFAULTS INCLUDING IDENTITY INCLUDING INDEXES)',
  );
  const speed = await byTurns(postHttp, () => rateInto('bare_entry'));
  const indexed = await rateInto('indexed_entry');
  await owner.query('DROP TABLE bare_entry, indexed_entry');
  return {
    name: `POST /entry, ${CONNECTIONS} connections`,
    against: `a bare INSERT of two lines without indexes by pgbench, prepared, ${CONNECTIONS} clients`,
    detail: `${perSecond(speed.ours)} against ${perSecond(speed.bare)}, with the table's indexes ${perSecond(indexed)}`,
    value: speed.ratio,
    unit: 'ratio',
    atLeast: 0.2,
  };
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

async function preparePosting(installation: Installation): Promise<Posting> {
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

async function postOver(http: Pool, token: string, plan: Posting, worker: number): Promise<void> {
  const { number, day: dayNumber, accountId, offsetAccountId, cents } = plan.next();
  await ask(http, {
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
      historico: 'Aplicação de cotista',
    },
  });
}

/** The statements of postEntry in their order, in one transaction. */
async function postBy(sql: Sql, plan: Posting, worker: number): Promise<void> {
  const { number, day: dayNumber, accountId, offsetAccountId, cents } = plan.next();
  const { companyId, branchId } = plan.branch;
  const date = day(`2026-01-${String(dayNumber).padStart(2, '0')}`);
  await sql.run(SQL`BEGIN`);
  const place = await lockPostingPlace(sql, companyId, plan.documents[worker]!);
  const rules = await selectPostingRules(sql, companyId, branchId, [date]);
  await lockPostingAccounts(sql, rules!.chartId, [accountId, offsetAccountId]);
  const line = { side: 'D' as const, accountId, offsetAccountId, amount: BigInt(cents) };
  const lines = physicalLines([{ ...line, narration: 'Aplicação de cotista', narrationCode: null }])!;
  await insertEntry(sql, place!, number, date, lines, 'admin');
  await sql.run(SQL`COMMIT`);
}
