import { newChartOf, newCompany } from '../support/books.ts';
import type { Installation } from '../support/installation.ts';

export type BookedDay = `2026-01-${string}`;

export interface Funds {
  readonly company: string;
  readonly branches: readonly string[];
  /** Debited and credited accounts of the entries of a day. */
  readonly patterns: readonly (readonly [string, string])[];
}

const COMPANY = '0001';
const CHART = 'FUNDOS';
/** Tables that say what a fund is, in the order of their keys. */
const TABLES = ['company_options', 'base_balance', 'month', 'calendar_day', 'quota_configuration'];
const LEAVES = { '1.1': 12, '2.1': 4, '3.1': 2, '7.1': 6, '8.1': 6 };

/** So many funds of thirty accounts: the first over HTTP, the others as copies of its rows. January is open. */
export async function makeFunds(installation: Installation, count: number): Promise<Funds> {
  await newCompany(installation, COMPANY);
  await newChartOf(installation, CHART, chartRows());
  const branches = Array.from({ length: count }, (_, at) => String(at + 1).padStart(6, '0'));
  await makeFirst(installation, branches[0]!);
  await copyFirst(installation, branches);
  const code = (group: keyof typeof LEAVES, at: number) =>
    `${group}.${String(1 + (at % LEAVES[group])).padStart(2, '0')}`;
  const patterns = Array.from({ length: 20 }, (_, at): [string, string] => {
    if (at % 5 === 0) return [code('8.1', at), code('2.1', at)];
    return at % 2 === 0 ? [code('1.1', at), code('1.1', at + 3)] : [code('1.1', at), code('7.1', at)];
  });
  return { company: COMPANY, branches, patterns };
}

function chartRows(): string[] {
  const classes = { 1: ['D', '01'], 2: ['C', '02'], 3: ['C', '03'], 7: ['C', '04'], 8: ['D', '04'] } as const;
  return Object.entries(LEAVES).flatMap(([group, count]) => {
    const root = group[0] as unknown as keyof typeof classes;
    const [nature, accountClass] = classes[root];
    const row = (code: string, type: 'S' | 'A') => `${code};Conta ${code};${type};${nature};${accountClass}`;
    const leaves = Array.from({ length: count }, (_, at) => row(`${group}.${String(at + 1).padStart(2, '0')}`, 'A'));
    return [row(String(root), 'S'), row(group, 'S'), ...leaves];
  });
}

async function makeFirst(installation: Installation, branch: string): Promise<void> {
  const { call, owner } = installation;
  const company = COMPANY;
  await call('masterdata', 'POST', '/branch', { company, branch, name: 'Fundo' });
  const options = { company, branch, chartCode: CHART, baseYearMonth: '01/2026' };
  await call('masterdata', 'POST', '/company/options', options);
  await call('masterdata', 'PUT', `/baseBalance/${company}/${branch}`, [
    { cdAccounting: '1.1.01', balance: 10_000_000, dc: 'D' },
    { cdAccounting: '3.1.01', balance: 10_000_000, dc: 'C' },
  ]);
  const { rows } = await owner.query<{ id: number }>(
    `SELECT account.id FROM account JOIN chart ON chart.id = account.chart_id WHERE chart.code = $1 AND account.code = '3'`,
    [CHART],
  );
  const quota = { netEquityAccountId: rows[0]!.id, includeOpenResult: true, numberOfQuotas: 100_000 };
  await call('masterdata', 'POST', '/quotacalculation/', { company, branch, ...quota });
  await call('movements', 'POST', `/monthOpening/${company}/${branch}`, { newyearmonth: '01/2026' });
}

/** Row for row, with another branch and another id. */
async function copyFirst({ owner }: Installation, [first, ...others]: readonly string[]): Promise<void> {
  const copy = (table: string, branch: string) => `
    INSERT INTO ${table} SELECT (jsonb_populate_record(original, to_jsonb(original) || ${branch}
        || CASE WHEN to_jsonb(original) ? 'id' THEN jsonb_build_object('id', nextval(pg_get_serial_sequence('${table}', 'id')))
                ELSE '{}' END)).*
      FROM ${table} AS original`;
  await owner.query(
    `${copy('branch', `jsonb_build_object('code', fund.code)`)} CROSS JOIN unnest($2::text[]) AS fund (code) WHERE original.code = $1`,
    [first, others],
  );
  for (const table of [...TABLES, 'quota_movement']) {
    await owner.query(
      `${copy(table, `jsonb_build_object('branch_id', fund.id)`)}
         JOIN branch AS first ON first.code = $1 AND first.id = original.branch_id
         JOIN branch AS fund ON fund.company_id = first.company_id AND fund.id <> first.id`,
      [first],
    );
  }
  await owner.query('ANALYZE');
}
