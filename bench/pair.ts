import { resolve } from 'node:path';
import type * as postingModule from './posting.ts';
import type * as queryingModule from './querying.ts';
import { bareHttp } from './support/bare-http.ts';
import { withBareClient } from './support/client.ts';
import { median, perSecond, ratePerSecond } from './support/figure.ts';
import type * as installationModule from './support/installation.ts';

// node bench/pair.ts TREE [WORD]: this tree against another one of the same program, such as a worktree of the commit before,
// by turns on the same machine. For changes whose cost is smaller than what the machine changes between two runs.

const ROUNDS = 9;
const TURN_MS = 800;
const WARM_UP_MS = 6_000;
const [POSTERS, READERS] = [32, 16];

interface Side {
  /** What is measured, each in requests a second. */
  readonly rates: Readonly<Record<string, (milliseconds: number) => Promise<number>>>;
  stop(): Promise<void>;
}

const [other, word = ''] = process.argv.slice(2);
if (other === undefined) throw new Error('node bench/pair.ts TREE [WORD]');
const sides: Side[] = [];
const stopAll = () => Promise.all(sides.map(({ stop }) => stop()));
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stopAll().finally(() => process.exit(130)));
try {
  for (const tree of ['.', other]) sides.push(await sideOf(tree));
  for (const { rates } of sides) await rates[`POST /entry by ${POSTERS}`]!(WARM_UP_MS);
  for (const figure of Object.keys(sides[0]!.rates))
    if (figure.includes(word)) console.log(await comparison(figure, sides));
} finally {
  await stopAll();
}

async function comparison(figure: string, [ours, others]: readonly Side[]): Promise<string> {
  const turns: [number, number][] = [];
  const [rate, otherRate] = [ours!.rates[figure]!, others!.rates[figure]!];
  for (let round = 0; round < ROUNDS; round++) {
    // Who goes first takes turns, too.
    const isEven = round % 2 === 0;
    const first = await (isEven ? rate : otherRate)(TURN_MS);
    const second = await (isEven ? otherRate : rate)(TURN_MS);
    turns.push(isEven ? [first, second] : [second, first]);
  }
  const ratios = turns.map(([one, two]) => one / two);
  const [one, two] = [0, 1].map((at) => perSecond(median(turns.map((turn) => turn[at]!))));
  const span = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  return `${figure}: ${one} against ${two}; ${median(ratios).toFixed(2)} (${span})`;
}

/** Each tree fills its books by its own means: those of a process remember the one installation that they filled. */
async function sideOf(tree: string): Promise<Side> {
  const of = (file: string) => import(resolve(tree, 'bench', file));
  const { openInstallation } = (await of('support/installation.ts')) as typeof installationModule;
  const { postOver, preparePosting } = (await of('posting.ts')) as typeof postingModule;
  const { questionsOn, twelveMonths } = (await of('querying.ts')) as typeof queryingModule;
  const installation = await openInstallation();
  const plan = await preparePosting(installation);
  const connections = await bareHttp(installation.address('movements'), POSTERS);
  const branch = await twelveMonths(installation);
  await installation.owner.query('ANALYZE');
  const post = (worker: number) => postOver(connections[worker]!, installation.token, plan, worker);
  const rates: Record<string, (milliseconds: number) => Promise<number>> = {
    [`POST /entry by ${POSTERS}`]: (milliseconds) => ratePerSecond(POSTERS, milliseconds, post),
    'POST /entry by one': (milliseconds) => ratePerSecond(1, milliseconds, post),
  };
  for (const { name, requests } of await questionsOn(installation, branch)) {
    const ask = (count: number) => (milliseconds: number) =>
      withBareClient(installation, count, (client) => client.rate(requests, milliseconds));
    rates[`${name}, by ${READERS}`] = ask(READERS);
    rates[`${name}, by one`] = ask(1);
  }
  return {
    rates,
    stop: async () => {
      for (const connection of connections) connection.close();
      await installation.stop();
    },
  };
}
