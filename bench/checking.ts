import { type Branch, books, consolidate, fillMonth, newBranch, openMonth, settle } from './support/books.ts';
import { type Figure, median, secondsOf } from './support/figure.ts';

const BRANCHES = 200;
/** Of each of the two months: the balances of the first are closed, those of the second are computed. */
const LINES = 2_000;
/** With a balance; a branch of a bank uses some hundreds of the accounts of its chart. */
const ACCOUNTS = 500;
const RUNS = 5;

/** The closing checklists of all branches of a company in one answer. */
export const checking: Figure = async (installation) => {
  const used = (await books(installation)).leaves.slice(0, ACCOUNTS);
  const branches: Branch[] = [];
  for (let each = 0; each < BRANCHES; each++) {
    const branch = await newBranch(installation);
    branches.push(branch);
    await openMonth(installation, branch, 1);
    await fillMonth(installation, branch, 1, LINES, used);
  }
  await settle(installation);
  await consolidate(installation, await books(installation), 1);
  for (const branch of branches) {
    await openMonth(installation, branch, 2);
    await fillMonth(installation, branch, 2, LINES, used);
  }
  await settle(installation);
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++)
    times.push(
      await secondsOf(() => installation.call('queries', 'GET', `/closingChecklist/${branches[0]!.company}/2026/2`)),
    );
  return [
    {
      name: `closing checklists of ${BRANCHES} branches of ${ACCOUNTS} balances and ${LINES.toLocaleString('en')} lines`,
      against: 'its limit',
      detail: 'one answer over HTTP, the median of five',
      value: median(times),
      unit: 's',
      atMost: 1,
    },
  ];
};
