import { inflateSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mountRoutes } from '../../src/http/mount.ts';
import type { ServiceName } from '../../src/platform/config.ts';
import { type Bank, PLAIN_CHART } from '../support/banks.ts';
import { recordFigure } from '../support/figures.ts';
import {
  type Built,
  build,
  type Operation,
  type Side,
  type Slot,
  slotsOf,
  tableOf,
  tablesOfPath,
} from '../support/foreign-requests.ts';
import { addProgress, addRuleForAll, createFullBank, sideOf, tenantTables } from '../support/full-books.ts';
import { type Client, type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';
import { inParallel, type PublishedOperation, publishedOperations } from '../support/published-operations.ts';
import { createUser } from '../support/users.ts';
import { volumeOf } from '../support/volumes.ts';

// Calls every operation that the running services publish with the codes and ids of somebody else's books, in every
// place where a request can name them. A new route is covered on the day it is written.

/** In every text that belongs to the victim's company, its branch, and in the branch's amounts. */
const COMPANY_MARK = 'SigiloEmpresa';
const BRANCH_MARK = 'SigiloFilial';
const AMOUNT_MARKS = ['7654321.09', '7654321,09', '7.654.321,09'];

/** Records of other kinds than the path speaks of that its id is taken from; npm run trust takes all. */
const OTHER_TABLES = volumeOf('MATRIX_TABLES');
/** Operations between two comparisons of the victim's rows, which take longer than the requests of one. */
const CALLED_AT_ONCE = 8;

interface Attacker {
  readonly name: string;
  readonly client: Client;
  readonly own: Side;
  /** What must not be in any answer. */
  readonly marks: readonly string[];
  /** Without any permission: is shown nothing at all but the own user. */
  readonly isNobody?: boolean;
  /** Reads the victim's rows that this attacker must not change, as one text a table. */
  readonly dump: () => Promise<Map<string, string>>;
}

let platform: Platform;
let owner: pg.Client;
let victim: Side;
const attackers: Attacker[] = [];
let operations: PublishedOperation[];
const total = { requests: 0, findings: 0 };

beforeAll(async () => {
  platform = await startPlatform({
    CNPJ_LOOKUP_URL: 'http://127.0.0.1:1/{cnpj}',
    CEP_LOOKUP_URL: 'http://127.0.0.1:1/{cep}',
  });
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  await addRuleForAll(platform);
  const attackerBank = await createFullBank(
    platform,
    owner,
    { company: 'ATAQUE', branch: '0001' },
    'proprio',
    '1000.00',
  );
  const own = await sideOf(owner, attackerBank);
  // From here on ids of different tables never meet: an id of the victim is an id of nothing else.
  await spreadIds();
  const bank = await createFullBank(
    platform,
    owner,
    {
      company: 'VITIMA',
      branch: 'V001',
      chartCode: 'PLANOVITIMA',
      accounts: PLAIN_CHART.map((each) => ({ ...each, description: `${BRANCH_MARK} ${each.description}` })),
    },
    BRANCH_MARK,
    '7654321.09',
  );
  await owner.query('UPDATE company SET name = $2, trade_name = $2 WHERE id = $1', [bank.companyId, COMPANY_MARK]);
  await owner.query('UPDATE branch SET name = $2 WHERE id = $1', [bank.branchId, BRANCH_MARK]);
  victim = await sideOf(owner, bank);
  const siblingBank = await createFullBank(
    platform,
    owner,
    { company: 'VITIMA', branch: 'I001', existing: true },
    'irma',
    '2000.00',
  );
  const sibling = await sideOf(owner, siblingBank);
  await createUser(platform.admin, { username: 'fora', permissions: [{ company: 'ATAQUE' }], routines: RESTRICTED });
  await createUser(platform.admin, { username: 'ninguem' });
  await createUser(platform.admin, {
    username: 'dentro',
    permissions: [{ company: 'VITIMA', branch: 'I001' }],
    routines: RESTRICTED,
  });
  attackers.push(
    {
      name: 'user of another company',
      client: await platform.as('fora', 'uma senha bem comprida'),
      own,
      marks: [COMPANY_MARK, BRANCH_MARK, ...AMOUNT_MARKS],
      dump: () => dump(bank, false),
    },
    {
      name: 'user of another branch of the company',
      client: await platform.as('dentro', 'uma senha bem comprida'),
      own: sibling,
      marks: [BRANCH_MARK, ...AMOUNT_MARKS],
      dump: () => dump(bank, true),
    },
    {
      name: 'user without any permission',
      client: await platform.as('ninguem', 'uma senha bem comprida'),
      // All that it can name is somebody else's.
      own,
      marks: [COMPANY_MARK, BRANCH_MARK, ...AMOUNT_MARKS, 'proprio'],
      isNobody: true,
      dump: async () => new Map([...(await dump(bank, false)), ...(await dumpOfEverybodys())]),
    },
  );
  const all = (await publishedOperations(platform.admin)).filter(({ operation }) => operation.security?.length);
  // What ends the attacker's own tokens comes last: all after it would be rejected for want of one.
  const endsTokens = ({ path }: PublishedOperation) => path === '/api/auth/signout-everywhere';
  operations = [...all.filter((each) => !endsTokens(each)), ...all.filter(endsTokens)];
}, 120_000);
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
});

// As the cleaning goes on meanwhile.
beforeEach(() => addProgress(owner, victim.ids.company!));

test('the victim has something to hide in every table', async () => {
  const rowsOf = async ({ table, branch }: { table: string; branch: boolean }) => {
    const mine = branch ? 'branch_id' : 'company_id';
    const { rowCount } = await owner.query(`SELECT 1 FROM ${table} WHERE ${mine} = $1 LIMIT 1`, [
      victim.ids[branch ? 'branch' : 'company'],
    ]);
    return rowCount;
  };
  const empty: string[] = [];
  for (const each of await tenantTables(owner)) if ((await rowsOf(each)) === 0) empty.push(each.table);
  // Whoever reads events moves what is there on.
  expect(empty).toEqual(['event_outbox']);
});

describe.each([0, 1, 2])('attacker %i', (which) => {
  test('sees nothing of the victim and changes nothing of it, on any operation', { timeout: 300_000 }, async () => {
    const attacker = attackers[which]!;
    const counts = { operations: 0, requests: 0, refused: 0, answered: 0, unauthenticated: 0 };
    const findings: string[] = [];
    let before = await attacker.dump();
    /** Operations since the victim's rows were last compared. */
    let called: string[] = [];
    for (const [at, { service, method, path, operation }] of operations.entries()) {
      counts.operations++;
      called.push(`${service} ${method} ${path}`);
      const requests = requestsOf(method, path, operation, attacker.own, victim);
      await inParallel(requests, 6, async (request) => {
        const answer = await send(attacker.client, service, method, request);
        counts.requests++;
        if (answer.status >= 400) counts.refused++;
        else counts.answered++;
        if (answer.status === 401) counts.unauthenticated++;
        const what = `${service} ${method} ${request.path} ${request.body === undefined ? '' : JSON.stringify(request.body).slice(0, 400)} → ${answer.status}`;
        const found = leaked(answer, attacker.marks);
        if (found) findings.push(`${what}: shows ${found}`);
        if (answer.status >= 500 && answer.status !== 502 && answer.status !== 503)
          findings.push(`${what}: ${answer.text.slice(0, 200)}`);
        if (attacker.isNobody && answer.status < 300 && !isEmpty(answer) && !OWN_USER.test(path))
          findings.push(`${what}: answers ${answer.text.slice(0, 100)}`);
        if (answer.status < 300 && request.mustBeRefused && !isListOfErrors(answer))
          findings.push(`${what}: not refused`);
      });
      if (called.length < CALLED_AT_ONCE && at < operations.length - 1) continue;
      const after = await attacker.dump();
      for (const [table, rows] of after) {
        if (rows !== before.get(table)) findings.push(`${table} was changed by one of ${called.join(', ')}`);
      }
      before = after;
      called = [];
    }
    console.log(
      `access matrix, ${attacker.name}: ${counts.operations} operations, ${counts.requests} requests, ` +
        `${counts.refused} refused, ${counts.answered} answered without anything of the victim`,
    );
    total.requests += counts.requests;
    total.findings += findings.length;
    expect(findings.slice(0, 40)).toEqual([]);
    expect(counts.requests).toBeGreaterThan(counts.operations);
    // Rejected for what they ask, not for want of a token.
    expect(counts.unauthenticated).toBeLessThan(5);
    if (!attacker.isNobody) expect(counts.answered).toBeGreaterThan(50);
  });
});

test('the matrix would notice: as an administrator, and without the policies', async () => {
  const asked = { of: 0, administrator: 0, unguarded: 0 };
  const everyRead = async (of: 'administrator' | 'unguarded', client: Client) => {
    asked.of = 0;
    for (const { service, method, path, operation } of operations.filter((each) => each.method === 'GET')) {
      await inParallel(requestsOf(method, path, operation, attackers[0]!.own, victim), 6, async (request) => {
        const answer = await send(client, service, method, request);
        asked.of++;
        if (leaked(answer, attackers[0]!.marks)) asked[of]++;
      });
    }
  };
  await everyRead('administrator', platform.admin);
  const guarded = await visibleRows();
  const tables = await tenantTables(owner);
  for (const { table } of tables) await owner.query(`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`);
  const unguarded = await visibleRows();
  // The first wall stands alone.
  await everyRead('unguarded', attackers[0]!.client);
  recordFigure({
    part: 'tenants',
    what: `requests with codes and ids of others to ${operations.length} operations, of three users`,
    figure:
      `${total.requests} requests: leaked or changed ${total.findings}; rows of the victim that a connection under the ` +
      `attacker's scope sees in ${tables.length} tables: ${guarded}`,
    control:
      `an administrator makes the reads: ${asked.administrator} of ${asked.of} show what the others must not see; ` +
      `policies dropped: ${unguarded} rows are seen by the connection, ${asked.unguarded} by the operations`,
  });
  expect(asked.administrator).toBeGreaterThan(15);
  expect(guarded).toBe(0);
  expect(unguarded).toBeGreaterThan(tables.length / 2);
  expect(asked.unguarded).toBe(0);
}, 240_000);

/** Rows of the victim's company that the program's connections see under the scope of the first attacker's company. */
async function visibleRows(): Promise<number> {
  const connection = new pg.Client({ connectionString: platform.program.logins.app! });
  await connection.connect();
  try {
    await connection.query('BEGIN');
    await connection.query(`SET LOCAL app.companies = '${attackers[0]!.own.ids.company}'`);
    await connection.query(`SET LOCAL app.whole_companies = '${attackers[0]!.own.ids.company}'`);
    let seen = 0;
    for (const { table } of await tenantTables(owner)) {
      const { rows: allowed } = await owner.query(`SELECT has_table_privilege('partidas_app', $1, 'SELECT') AS may`, [
        table,
      ]);
      if (!allowed[0].may) continue;
      const { rows } = await connection.query(`SELECT count(*)::int AS rows FROM ${table} WHERE company_id = $1`, [
        victim.ids.company,
      ]);
      seen += rows[0].rows;
    }
    return seen;
  } finally {
    await connection.end();
  }
}

/** What everybody has who may sign in: the own user, the own password and the own preferences. */
const OWN_USER = /^\/(api\/auth\/(me|password|signout-everywhere)|preferencias)$/;

function isEmpty({ body }: HttpAnswer): boolean {
  const page = body as { content?: unknown[]; totalElements?: number } | undefined;
  return Array.isArray(body) ? body.length === 0 : page?.totalElements === 0 && page.content?.length === 0;
}

/** The others are open: with these rows a routine is before no request, and the tenant alone decides. */
const RESTRICTED = ['COMPANIES', 'COMPLIANCE_RULES', 'SETTINGS', 'PURGING', 'REOPENING'] as const;

/** Records that belong to no tenant: changed under routines that nobody passes without any permission. */
const ANY_BRANCH = [
  'fund_type',
  'reference_chart',
  'reference_account',
  'routine',
  'routine_access',
  'compliance_rule',
  'regulatory_document',
];

const FORM = 'application/x-www-form-urlencoded';

test('a route that does not say who may call it stops the start', () => {
  const silent = { method: 'GET', path: '/x', summary: '', tag: '', status: 200, handle: async () => ({}) } as never;
  expect(() => mountRoutes(undefined as never, [silent], undefined as never, undefined as never)).toThrow('declares');
});

interface ForeignRequest extends Built {
  readonly form?: FormData | URLSearchParams | string;
  readonly contentType?: string;
  /** A tenant or record of the victim is named where the operation cannot do without it. */
  readonly mustBeRefused: boolean;
}

/** Operations in whose body a foreign record named by id is answered by other means than a status. */
function requestsOf(method: string, path: string, operation: Operation, own: Side, foreign: Side): ForeignRequest[] {
  const slots = slotsOf(path, operation);
  const requests = new Map<string, ForeignRequest>();
  const add = (isForeign: (slot: Slot, at: number) => boolean, table?: string, both = false, full = false) => {
    let at = 0;
    let named = false;
    let foreignCompany = own.company === foreign.company;
    const built = build(
      path,
      operation,
      (slot) => {
        const foreignHere = isForeign(slot, at++);
        const side = foreignHere ? foreign : own;
        if (slot.kind !== 'id') {
          if (foreignHere && slot.kind === 'company') foreignCompany = true;
          // A branch's code means another branch under another company.
          const means = slot.kind !== 'branch' || foreignCompany;
          if (foreignHere && means && side[slot.kind] !== own[slot.kind] && !mayBeLeftOut(slot)) named = true;
          return slot.optional && !foreignHere ? undefined : side[slot.kind];
        }
        const of = tableOf(slot.name) ?? table ?? 'batch';
        if (slot.optional && !foreignHere) return undefined;
        const id = side.ids[of] ?? 999_999_999;
        if (foreignHere && !mayBeLeftOut(slot) && foreign.ids[of] !== own.ids[of]) named = true;
        if (foreignHere && both && own.ids[of] !== undefined) return slot.place === 'body' ? [own.ids[of], id] : id;
        return id;
      },
      full,
    );
    const request = { ...built, mustBeRefused: named };
    requests.set(JSON.stringify(request), request);
  };
  const reads = method === 'GET' || /balance|ledger|report|inquiry|test$/i.test(path);
  if (slots.length === 0 || reads) add(() => false);
  if (slots.length > 0) {
    const vague = slots.some((slot) => slot.kind === 'id' && tableOf(slot.name) === undefined);
    for (const table of vague ? tablesOfPath(path, Object.keys(foreign.ids), OTHER_TABLES) : [undefined]) {
      add(() => true, table);
      add((slot) => slot.kind === 'id', table);
      add((slot) => slot.kind === 'id', table, true);
      add(() => true, table, false, true);
      slots.forEach((_, only) => {
        add((__, at) => at === only, table);
      });
    }
    add((slot) => slot.kind !== 'id');
  }
  const all = [...requests.values()].flatMap((request) =>
    operation.requestBody?.content[FORM] === undefined
      ? [request]
      : [request, { ...request, form: formOf(request.body) }],
  );
  const takesFile = ['multipart/form-data', 'text/plain'].some((type) => operation.requestBody?.content[type]);
  if (!takesFile) return all;
  return all.flatMap((request) =>
    filesNaming(foreign).flatMap((content) => {
      const form = new FormData();
      form.set('file', new File([content], 'movimento.csv'));
      return [
        { ...request, form },
        { ...request, form: content, contentType: 'text/plain' },
      ];
    }),
  );
}

function formOf(body: unknown): URLSearchParams {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    fields.map(([name, value]): [string, string] => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );
}

/** A filter of a list: naming somebody else there may answer an empty list. */
function mayBeLeftOut(slot: Slot): boolean {
  return slot.optional && slot.place === 'query';
}

/** Files that name the victim's tenant inside: fixed-width lines, and rows on an account that only it has. */
function filesNaming(foreign: Side): string[] {
  const line = `2${foreign.company.slice(0, 5).padEnd(5)}${foreign.branch.padEnd(5)}000001${'1'.padEnd(10)}20260105000001D${'1.1.1'.padEnd(20)}${'3.1'.padEnd(20)}${'100'.padStart(17, '0')}${''.padEnd(57)}`;
  return [
    `${line}\n`,
    'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico\n1;1;05;D;8.9.9;3.1;10,00;x;\n',
  ];
}

async function send(
  client: Client,
  service: ServiceName,
  method: string,
  request: ForeignRequest,
): Promise<HttpAnswer> {
  const body = request.form ?? request.body;
  const headers: Record<string, string> = request.contentType ? { 'content-type': request.contentType } : {};
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = () => reject(new Error(`${service} ${method} ${request.path} does not answer`));
    timer = setTimeout(error, 10_000);
  });
  return Promise.race([client.call(service, method, request.path, body, headers), late]).finally(() =>
    clearTimeout(timer),
  );
}

/** The first mark found in a response: in its headers, its text, or in what its text encodes. */
function leaked(answer: HttpAnswer, marks: readonly string[]): string | undefined {
  const texts = [answer.text, JSON.stringify([...answer.headers]), ...decodedTexts(answer.body)];
  return marks.find((mark) => texts.some((text) => text.includes(mark)));
}

/** Texts inside base64 values: CSV and TXT as they are, PDF with its streams inflated. */
function decodedTexts(body: unknown): string[] {
  if (typeof body === 'string') {
    if (body.length < 40 || !/^[A-Za-z0-9+/=\s]+$/.test(body)) return [];
    const bytes = Buffer.from(body, 'base64');
    if (!bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) return [bytes.toString('utf8'), bytes.toString('latin1')];
    const raw = bytes.toString('latin1');
    const streams = [...raw.matchAll(/stream\r?\n([\s\S]*?)endstream/g)].map(([, stream]) => {
      try {
        return inflateSync(Buffer.from(stream!, 'latin1')).toString('latin1');
      } catch {
        return '';
      }
    });
    return [raw, ...streams];
  }
  return body !== null && typeof body === 'object' ? Object.values(body).flatMap(decodedTexts) : [];
}

/** Archiving answers 200 with what went wrong. */
function isListOfErrors(answer: HttpAnswer): boolean {
  const { body } = answer;
  if (Array.isArray(body)) return body.length > 0 && body.every((each) => typeof each === 'string');
  return (body as { success?: unknown } | undefined)?.success === false;
}

/** Moves every sequence to a region of its own. */
async function spreadIds(): Promise<void> {
  const { rows } = await owner.query(`SELECT seqrelid::regclass::text AS name FROM pg_sequence ORDER BY 1`);
  for (const [at, { name }] of rows.entries()) await owner.query('SELECT setval($1, $2)', [name, (at + 1) * 1_000_000]);
}

/** The program's own cleaning takes the progress of ended jobs away; what createFullBank wrote there nobody rewrites. */
const REWRITTEN = `AND progress <> '{"percent": 7}'`;

/** The victim's rows, a text a table; without a branch only what belongs to the branch. */
async function dump(bank: Bank, branchOnly: boolean): Promise<Map<string, string>> {
  const parts = (await tenantTables(owner))
    .filter(({ branch, table }) => !branchOnly || branch || table === 'branch')
    .map(({ table, branch }) => {
      const ofBranch = !branchOnly
        ? ''
        : table === 'branch'
          ? `AND id = ${bank.branchId}`
          : branch
            ? `AND branch_id = ${bank.branchId}`
            : '';
      return `SELECT '${table}' AS name, md5(coalesce(string_agg(row, ' ' ORDER BY row), '')) AS rows
                FROM (SELECT to_jsonb(held)::text AS row FROM ${table} AS held
                       WHERE company_id = ${bank.companyId} ${ofBranch} ${table === 'job_progress' ? REWRITTEN : ''}) AS each`;
    });
  parts.push(
    `SELECT 'account', md5(string_agg(to_jsonb(account)::text, ' ' ORDER BY account.id)) FROM account
       JOIN chart ON chart.id = account.chart_id AND chart.code = '${bank.chartCode}'`,
    `SELECT 'app_user', md5(string_agg(to_jsonb(app_user)::text, ' ' ORDER BY app_user.id)) FROM app_user
      WHERE username NOT IN ('fora', 'dentro', 'ninguem')     `,
    `SELECT 'chart', md5(to_jsonb(chart)::text) FROM chart WHERE chart.code = '${bank.chartCode}'`,
    `SELECT 'user_group', md5(string_agg(to_jsonb(user_group)::text, ' ' ORDER BY user_group.id)) FROM user_group`,
  );
  if (!branchOnly) {
    parts.push(`SELECT 'company', md5(to_jsonb(company)::text) FROM company WHERE id = ${bank.companyId}`);
  }
  const { rows } = await owner.query(parts.join(' UNION ALL '));
  return new Map(rows.map((row) => [row.name, row.rows]));
}

async function dumpOfEverybodys(): Promise<Map<string, string>> {
  const sources = [...ANY_BRANCH, '(SELECT * FROM standard_narration WHERE company_id IS NULL)'];
  const parts = sources.map(
    (source) =>
      `SELECT $$${source}$$ AS name, md5(coalesce(string_agg(md5(to_jsonb(held)::text), ' ' ORDER BY held.id), '')) AS rows
         FROM ${source} AS held`,
  );
  const { rows } = await owner.query(parts.join(' UNION ALL '));
  return new Map(rows.map((row) => [row.name, row.rows]));
}
