import { bareBalances, withBareBalances } from './support/bare-balances.ts';
import { ACCOUNTS, type Branch, consolidate, fillMonth, newBranch, openMonth, settle } from './support/books.ts';
import { byTurns, type Figure, type Measured, median } from './support/figure.ts';
import { floorOn } from './support/floor.ts';
import type { Installation } from './support/installation.ts';

const LINES = 200_000;
const ROUNDS = 3;
/** Other books beside those measured: branches × months × lines. */
const OTHERS = { branches: 4, months: 3, lines: 100_000 };

/** A month close by request and job against the sums alone; then again among many other months and branches. */
export const consolidating: Figure = async (installation) => {
  const floor = floorOn(installation);
  const branches = await filledBranches(installation);
  const against =
    floor &&
    (await byTurns(
      (round) => consolidate(installation, branches[round]!, 1),
      (round) => withBareBalances(installation, () => floor.seconds(bareBalances(branches[round]!))),
      ROUNDS,
    ));
  const alone = against?.ours ?? (await closeAll(installation, branches));
  await addOthers(installation);
  const among = await closeAll(installation, await filledBranches(installation));
  const others = OTHERS.branches * OTHERS.months * OTHERS.lines;
  return [
    ...(against ? [monthClose(against)] : []),
    {
      name: `… with ${others.toLocaleString('en')} lines in other months and branches`,
      against: 'the time without them',
      detail: `${among.toFixed(2)} s against ${alone.toFixed(2)} s`,
      value: among / alone,
      unit: 'ratio',
      atMost: 1.3,
    },
  ];
};

function monthClose({ ours, bare, ratio }: Awaited<ReturnType<typeof byTurns>>): Measured {
  return {
    name: `month close of a branch-month of ${LINES.toLocaleString('en')} lines, ${ACCOUNTS.toLocaleString('en')} accounts`,
    against: 'GROUP BY and roll-up into tables without index, policy and trigger, by psql',
    detail: `from the request to the end of the job ${ours.toFixed(2)} s against ${bare.toFixed(2)} s`,
    value: 1 / ratio,
    unit: 'ratio',
    atLeast: 0.6,
  };
}

async function filledBranches(installation: Installation): Promise<Branch[]> {
  const branches: Branch[] = [];
  for (let round = 0; round < ROUNDS; round++) branches.push(await filledBranch(installation, 1));
  await settle(installation);
  return branches;
}

/** The middle of the seconds that closing each of the branches takes. */
async function closeAll(installation: Installation, branches: readonly Branch[]): Promise<number> {
  const seconds: number[] = [];
  for (const branch of branches) seconds.push(await consolidate(installation, branch, 1));
  return median(seconds);
}

async function filledBranch(installation: Installation, months: number, lines = LINES): Promise<Branch> {
  const branch = await newBranch(installation);
  for (let month = 1; month <= months; month++) {
    await openMonth(installation, branch, month);
    await fillMonth(installation, branch, month, lines);
  }
  return branch;
}

async function addOthers(installation: Installation): Promise<void> {
  for (let each = 0; each < OTHERS.branches; each++) await filledBranch(installation, OTHERS.months, OTHERS.lines);
}
