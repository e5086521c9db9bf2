import { type Branch, fillMonth, newBranch, openMonth, settle } from './support/books.ts';
import { type Figure, warmSecondsOf } from './support/figure.ts';
import { floorOn } from './support/floor.ts';
import type { Installation } from './support/installation.ts';

const MONTHS = 12;
const LINES = 200_000;

/** The trial balance of the last of twelve open months, which carries what all lines of the others moved. */
export const summingOpen: Figure = async (installation) => {
  const branch = await openYear(installation);
  const floor = await floorOn(installation)?.seconds(sumsOfLines(branch));
  const print = () =>
    installation.call('reports', 'POST', '/reports/monthlyTrialBalance', {
      empresa: branch.company,
      filial: branch.branch,
      ano: 2026,
      mes: MONTHS,
      visualizationEnum: 'CSV',
    });
  return [
    {
      name: `trial balance over ${MONTHS} open months of ${LINES.toLocaleString('en')} lines together, 2,000 accounts, as CSV`,
      against: 'its limit',
      detail: `over HTTP, warm${floor === undefined ? '' : `; the lines alone summed by account, by psql, ${floor.toFixed(2)} s`}`,
      value: await warmSecondsOf(print),
      unit: 's',
      atMost: 0.05,
    },
  ];
};

async function openYear(installation: Installation): Promise<Branch> {
  const branch = await newBranch(installation);
  for (let month = 1; month <= MONTHS; month++) {
    await openMonth(installation, branch, month);
    await fillMonth(installation, branch, month, Math.floor(LINES / MONTHS / 2) * 2);
  }
  await settle(installation);
  return branch;
}

function sumsOfLines({ companyId, branchId }: Branch): string {
  return `SELECT account_id, sum(amount) FILTER (WHERE side = 'D'), sum(amount) FILTER (WHERE side = 'C')
            FROM entry_line WHERE company_id = ${companyId} AND branch_id = ${branchId} GROUP BY account_id`;
}
