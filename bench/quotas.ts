import { availableParallelism } from 'node:os';
import { withBareConnections } from './support/bare-driver.ts';
import { ACCOUNTS, type Bank, newChart, newCompany, settle } from './support/books.ts';
import { type Figure, secondsOf } from './support/figure.ts';
import type { Installation } from './support/installation.ts';

const FUNDS = 10_000;
const LINES = 100;
/** One in so many has no equity left and fails. */
const FAILING = 1_000;
const CHART = 'COTAS';
const DAY = '2026-01-30';

/** The quotas of a day of all funds of a company by one request, against the bare sums and one INSERT. */
export const quotas: Figure = async (installation) => {
  const { leaves } = await newChart(installation, CHART, ACCOUNTS / 10);
  const bank = await newCompany(installation, 'COTAS');
  await makeFunds(installation, bank, leaves);
  await settle(installation);
  const cores = availableParallelism();
  const bare = await bareSeconds(installation, bank, cores);
  const ours = await secondsOf(() => runQuotas(installation, bank));
  const rate = FUNDS / ours;
  const name = `quotas of a day of ${FUNDS.toLocaleString('en')} funds of ${LINES} lines by one request`;
  return [
    {
      name,
      against: `the bare sums of their equity and one INSERT, ${cores} connections`,
      detail: `${ours.toFixed(2)} s against ${bare.toFixed(2)} s`,
      value: bare / ours,
      unit: 'ratio',
      atLeast: 0.05,
    },
    {
      name,
      against: '500 funds a second',
      detail: `${Math.round(rate)} funds/s`,
      value: rate / 500,
      unit: 'ratio',
      atLeast: 1,
    },
  ];
};

/** Straight into the tables: branches with their options, a month with its calendar, quotas, base balances and lines. */
async function makeFunds(
  { owner }: Installation,
  { companyId }: Bank,
  leaves: readonly { id: number; code: string }[],
) {
  const equity = leaves.filter(({ code }) => code.startsWith('1.1.'));
  const others = leaves.filter(({ code }) => !code.startsWith('1.1.'));
  await owner.query('BEGIN');
  await owner.query('SET LOCAL session_replication_role = replica');
  await owner.query(
    `INSERT INTO branch (company_id, code, name)
     SELECT $1, 'F' || number, 'Fundo ' || number FROM generate_series(1, ${FUNDS}) AS number`,
    [companyId],
  );
  const ofFunds = (columns: string, select: string) =>
    `INSERT INTO ${columns} SELECT branch.company_id, branch.id, ${select}`;
  await owner.query(
    `${ofFunds('company_options (company_id, branch_id, chart_id, base_month)', "chart.id, '2026-01-01'")}
       FROM branch JOIN chart ON chart.code = '${CHART}' WHERE branch.company_id = $1`,
    [companyId],
  );
  await owner.query(
    `${ofFunds('month (company_id, branch_id, month)', "'2026-01-01'")} FROM branch WHERE branch.company_id = $1`,
    [companyId],
  );
  await owner.query(
    `${ofFunds('calendar_day (company_id, branch_id, day, business_day, closed)', `day.day::date, extract(isodow FROM day.day) < 6, day.day < '${DAY}'`)}
       FROM branch CROSS JOIN generate_series('2026-01-01'::date, '2026-01-31'::date, '1 day') AS day (day)
      WHERE branch.company_id = $1`,
    [companyId],
  );
  await owner.query(
    `${ofFunds('quota_configuration (company_id, branch_id, net_equity_account_id, include_open_result, number_of_quotas)', 'account.id, true, 1000')}
       FROM branch JOIN chart ON chart.code = '${CHART}' JOIN account ON account.chart_id = chart.id AND account.code = '1.1'
      WHERE branch.company_id = $1`,
    [companyId],
  );
  await owner.query(
    `${ofFunds('quota_movement (company_id, branch_id, day, kind, quotas, created_by)', "'2025-12-31', 'INITIAL', 1000, 'carga'")}
       FROM branch WHERE branch.company_id = $1`,
    [companyId],
  );
  await owner.query(
    `${ofFunds('base_balance (company_id, branch_id, account_id, balance)', `balance.account_id, balance.sign * CASE WHEN substr(branch.code, 2)::integer % ${FAILING} = 0 THEN 1 ELSE -1 END * 1000000`)}
       FROM branch CROSS JOIN (VALUES ($2::bigint, 1), ($3::bigint, -1)) AS balance (account_id, sign)
      WHERE branch.company_id = $1`,
    [companyId, equity[0]!.id, others[0]!.id],
  );
  await owner.query(
    `INSERT INTO entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id, side, amount)
     SELECT branch.company_id, branch.id, 1000000000 + branch.id, '2026-01-01', '2026-01-01'::date + entry.number * 5 % 30,
            entry.number::text, twin.sequence,
            CASE twin.sequence WHEN 1 THEN ($2::bigint[])[1 + entry.number % $4] ELSE ($3::bigint[])[1 + entry.number % $5] END,
            (CASE twin.sequence WHEN 1 THEN 'D' ELSE 'C' END)::"char", (entry.number % 900 + 100)::numeric / 100
       FROM branch
      CROSS JOIN generate_series(1, ${LINES / 2}) AS entry (number)
      CROSS JOIN (VALUES (1), (2)) AS twin (sequence)
      WHERE branch.company_id = $1`,
    [companyId, equity.map(({ id }) => id), others.map(({ id }) => id), equity.length, others.length],
  );
  await owner.query('COMMIT');
}

/** What anybody would write: the equity of each fund summed and divided, and its row inserted into a table without an index. */
async function bareSeconds(installation: Installation, { companyId }: Bank, cores: number): Promise<number> {
  const { owner } = installation;
  await owner.query(
    'CREATE TABLE bare_quota (branch_id bigint, day date, net_equity numeric(20,2), quota numeric(38,12))',
  );
  const { rows } = await owner.query<{ from: string; to: string }>(
    `SELECT min(part.id) AS from, max(part.id) AS to
       FROM (SELECT branch.id, ntile($2) OVER (ORDER BY branch.id) AS part FROM branch WHERE branch.company_id = $1) AS part
      GROUP BY part.part`,
    [companyId, cores],
  );
  const sums = ({ from, to }: { from: string; to: string }) => `
    INSERT INTO bare_quota
    SELECT moved.branch_id, '${DAY}', -sum(moved.net), round(-sum(moved.net) / 1000, 8)
      FROM (SELECT branch_id, account_id, balance AS net FROM base_balance
             WHERE company_id = ${companyId} AND branch_id BETWEEN ${from} AND ${to}
            UNION ALL
            SELECT branch_id, account_id, CASE side WHEN 'D' THEN amount ELSE -amount END FROM entry_line
             WHERE company_id = ${companyId} AND branch_id BETWEEN ${from} AND ${to} AND month = '2026-01-01'
               AND day <= '${DAY}') AS moved
      JOIN account ON account.id = moved.account_id AND account.ancestors && (
             SELECT array_agg(account.id) FROM account JOIN chart ON chart.id = account.chart_id
              WHERE chart.code = '${CHART}' AND account.code = '1.1')
     GROUP BY moved.branch_id`;
  try {
    return await withBareConnections(
      installation,
      companyId,
      cores,
      (clients) => secondsOf(() => Promise.all(clients.map((client, at) => client.query(sums(rows[at]!))))),
      'owner',
    );
  } finally {
    await owner.query('DROP TABLE bare_quota');
  }
}

interface QuotaRun {
  readonly id: number;
  readonly status: string;
  readonly message: string | null;
  readonly calculated: number;
  readonly failed: number;
}

async function runQuotas(installation: Installation, { company }: Bank): Promise<void> {
  const body = { company, date: DAY, confirmed: true };
  const [started] = await installation.call<QuotaRun[]>('masterdata', 'POST', '/quotaRun', body);
  for (let run = started!; ; run = await installation.call<QuotaRun>('masterdata', 'GET', `/quotaRun/${run.id}`)) {
    if (run.status === 'ERROR') throw new Error(run.message ?? 'the calculation failed');
    if (run.status === 'DONE') {
      const expected = FUNDS - FUNDS / FAILING;
      if (run.calculated !== expected) throw new Error(`${run.calculated} quotas and ${run.failed} failures`);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
