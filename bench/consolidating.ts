import { consolidateBare, withBareBalances } from './support/bare-balances.ts';
import { ACCOUNTS, type Branch, consolidate, fillMonth, newBranch, openMonth, settle } from './support/books.ts';
import { byTurns, type Figure, secondsOf } from './support/figure.ts';
import type { Installation } from './support/installation.ts';

const LINES = 200_000;
const ROUNDS = 3;
/** Other books beside those measured: branches × months × lines. */
const OTHERS = { branches: 4, months: 3, lines: 100_000 };

/** A month by request and job against its own SQL into bare tables; then again among many other months and branches. */
export const consolidating: Figure = async (installation) => {
  const alone = await measure(installation);
  await addOthers(installation);
  const among = await measure(installation);
  const others = OTHERS.branches * OTHERS.months * OTHERS.lines;
  return [
    {
      name: `consolidation of a branch-month of ${LINES.toLocaleString('en')} lines, ${ACCOUNTS.toLocaleString('en')} accounts`,
      against: 'the bare GROUP BY and roll-up INSERT',
      detail: `${alone.ours.toFixed(2)} s against ${alone.bare.toFixed(2)} s`,
      value: alone.ratio,
      unit: 'ratio',
      atLeast: 0.5,
    },
    {
      name: `… with ${others.toLocaleString('en')} lines in other months and branches`,
      against: 'the time without them',
      detail: `${among.ours.toFixed(2)} s against ${alone.ours.toFixed(2)} s`,
      value: among.ours / alone.ours,
      unit: 'ratio',
      atMost: 1.3,
    },
  ];
};

/** Seconds of both sides on fresh branches, and how many times as long the program takes, as a quotient of speeds. */
async function measure(installation: Installation): Promise<{ ours: number; bare: number; ratio: number }> {
  const branches: Branch[] = [];
  for (let round = 0; round < ROUNDS; round++) branches.push(await filledBranch(installation, 1));
  await settle(installation);
  const { ours, bare, ratio } = await byTurns(
    (round) => consolidate(installation, branches[round]!, 1),
    (round) =>
      withBareBalances(installation, () => secondsOf(() => consolidateBare(installation.owner, branches[round]!))),
    ROUNDS,
  );
  return { ours, bare, ratio: 1 / ratio };
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
