import { bareConnection } from './support/bare-driver.ts';
import {
  type Bank,
  COSIF_ACCOUNTS,
  consolidate,
  fillMonth,
  leavesOf,
  newBranch,
  newCompany,
  newCosifChart,
  openMonth,
  settle,
} from './support/books.ts';
import { type Figure, type Measured, warmSecondsOf } from './support/figure.ts';
import type { Installation } from './support/installation.ts';

const CHART = 'COSIF_INSTITUICAO';
const BRANCHES = 50;

/** The trial balance of an institution, its branches summed over the whole chart of the central bank. */
export const summing: Figure = async (installation) => {
  const bank = await closedInstitution(installation);
  const bare = await bareSum(installation, bank);
  return [
    await trialBalance(installation, bank, 'CSV', 0.5, bare),
    await trialBalance(installation, bank, 'PDF', 1, bare),
  ];
};

/** All accounts moved in every branch; those by which branches owe one another, too. */
async function closedInstitution(installation: Installation): Promise<Bank> {
  // This layout has accounts that are eliminated.
  const bank: Bank = { ...(await newCompany(installation, '0050')), regulatoryLayout: 'COSIF' };
  await newCosifChart(installation, CHART);
  const leaves = await leavesOf(installation, CHART);
  for (let each = 0; each < BRANCHES; each++) {
    const branch = await newBranch(installation, CHART, bank);
    await openMonth(installation, branch, 1);
    await fillMonth(installation, branch, 1, leaves.length * 2, leaves);
  }
  await settle(installation);
  await consolidate(installation, bank, 1);
  await settle(installation);
  return bank;
}

/** Seconds of the sums alone, as the program's role. */
async function bareSum(installation: Installation, { companyId }: Bank): Promise<number> {
  const client = await bareConnection(installation, companyId);
  try {
    return await warmSecondsOf(() =>
      client.query({
        name: 'bare-sum',
        text: `SELECT account_id, sum(opening), sum(debit), sum(credit), sum(closing_debit), sum(closing_credit)
                     FROM monthly_balance WHERE company_id = $1 AND month = '2026-01-01' GROUP BY account_id`,
        values: [companyId],
      }),
    );
  } finally {
    await client.end();
  }
}

async function trialBalance(
  installation: Installation,
  { company }: Bank,
  visualizationEnum: 'CSV' | 'PDF',
  atMost: number,
  bare: number,
): Promise<Measured> {
  const print = () =>
    installation.call('reports', 'POST', '/reports/monthlyTrialBalance', {
      empresa: company,
      filial: '*',
      ano: 2026,
      mes: 1,
      showZeroBalances: true,
      visualizationEnum,
    });
  return {
    name: `trial balance of ${BRANCHES} branches of ${COSIF_ACCOUNTS.toLocaleString('en')} accounts summed, closed month, as ${visualizationEnum}`,
    against: 'its limit',
    detail: `over HTTP, warm; the sums alone by the bare driver ${bare.toFixed(2)} s`,
    value: await warmSecondsOf(print),
    unit: 's',
    atMost,
  };
}
