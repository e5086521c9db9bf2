import {
  type Bank,
  type Branch,
  consolidate,
  fillMonth,
  leavesOf,
  newBranch,
  newCosifChart,
  openMonth,
  settle,
} from './support/books.ts';
import { type Figure, type Measured, warmSecondsOf } from './support/figure.ts';
import type { Installation } from './support/installation.ts';

const CHART = 'COSIF_DEMONSTRACAO';
const MONTHS = 12;

/** The income statement of a closed year over the chart of the central bank, every account of it moved in every month. */
export const stating: Figure = async (installation) => {
  const branch = await closedYear(installation, CHART);
  return [
    await statement(installation, branch, 'DRE', 'CSV', 0.3),
    await statement(installation, branch, 'DRE', 'PDF', 0.3),
    await statement(installation, branch, 'BP', 'PDF', 0.3),
  ];
};

/** A branch on a chart of the central bank of its own, every account up to the results moved in every month. */
export async function closedYear(installation: Installation, chart: string, company?: Bank): Promise<Branch> {
  await newCosifChart(installation, chart);
  await installation.call('masterdata', 'POST', '/statements/default', { chartCode: chart });
  const branch = await newBranch(installation, chart, company);
  const leaves = await leavesOf(installation, chart, '04');
  for (let month = 1; month <= MONTHS; month++) {
    await openMonth(installation, branch, month);
    await fillMonth(installation, branch, month, leaves.length * 2, leaves);
    await consolidate(installation, branch, month);
  }
  await settle(installation);
  return branch;
}

async function statement(
  installation: Installation,
  { company, branch }: Branch,
  tipo: 'BP' | 'DRE',
  visualizationEnum: 'CSV' | 'PDF',
  atMost: number,
): Promise<Measured> {
  let level = 10;
  // A request that was answered before would be answered out of the cache.
  const print = () =>
    installation.call('reports', 'POST', '/reports/demonstracao', {
      empresa: company,
      filial: branch,
      tipo,
      ano: 2026,
      mes: MONTHS,
      level: level++,
      visualizationEnum,
    });
  return {
    name: `${tipo} of a year over 4,032 accounts, closed months, as ${visualizationEnum}`,
    against: 'its limit',
    detail: 'over HTTP, warm, not out of the cache',
    value: await warmSecondsOf(print),
    unit: 's',
    atMost,
  };
}
