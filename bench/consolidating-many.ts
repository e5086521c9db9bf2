import { availableParallelism } from 'node:os';
import { bareBalances, withBareBalances } from './support/bare-balances.ts';
import { withBareConnections } from './support/bare-driver.ts';
import { type Branch, books, consolidate, fillMonth, newBranch, openMonth, settle } from './support/books.ts';
import { type Figure, secondsOf } from './support/figure.ts';

const BRANCHES = 200;
const LINES = 5_000;

/** All branches of a company by one request and the workers, against the sums alone in one connection a core. */
export const consolidatingMany: Figure = async (installation) => {
  // Open months of other figures would be closed too.
  await consolidate(installation, await books(installation), 1);
  const branches: Branch[] = [];
  for (let each = 0; each < BRANCHES; each++) {
    const branch = await newBranch(installation);
    await openMonth(installation, branch, 1);
    await fillMonth(installation, branch, 1, LINES);
    branches.push(branch);
  }
  await settle(installation);
  const { companyId } = await books(installation);
  const cores = availableParallelism();
  const bare = await withBareBalances(installation, () =>
    withBareConnections(
      installation,
      companyId,
      cores,
      (clients) => {
        const waiting = [...branches];
        const work = async (client: (typeof clients)[number]) => {
          for (let branch = waiting.pop(); branch; branch = waiting.pop()) await client.query(bareBalances(branch));
        };
        return secondsOf(() => Promise.all(clients.map(work)));
      },
      'owner',
    ),
  );
  const ours = await consolidate(installation, await books(installation), 1);
  return [
    {
      name: `consolidation of ${BRANCHES} branches of ${LINES.toLocaleString('en')} lines by one request`,
      against: `the bare GROUP BY and roll-up INSERT, ${cores} connections`,
      detail: `${ours.toFixed(2)} s against ${bare.toFixed(2)} s`,
      value: bare / ours,
      unit: 'ratio',
      atLeast: 0.6,
    },
  ];
};
