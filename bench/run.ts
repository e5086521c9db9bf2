import { archiving } from './archiving.ts';
import { backingUp } from './backing-up.ts';
import { bulkPosting } from './bulk-posting.ts';
import { charting } from './charting.ts';
import { checking } from './checking.ts';
import { consoleScreens } from './console.ts';
import { consolidating } from './consolidating.ts';
import { consolidatingMany } from './consolidating-many.ts';
import { deleting } from './deleting.ts';
import { filingCheck } from './filing-check.ts';
import { filingWriter } from './filing-writer.ts';
import { filings } from './filings.ts';
import { funds } from './funds.ts';
import { partitions } from './hundred-million/partitions.ts';
import { hundredMillion } from './hundred-million.ts';
import { importing } from './importing.ts';
import { importingEcd } from './importing-ecd.ts';
import { importingKinds } from './importing-kinds.ts';
import { paging } from './paging.ts';
import { painting } from './painting.ts';
import { posting } from './posting.ts';
import { printing } from './printing.ts';
import { querying } from './querying.ts';
import { quotas } from './quotas.ts';
import { ruling } from './ruling.ts';
import { sealing } from './sealing.ts';
import { stating } from './stating.ts';
import { summing } from './summing.ts';
import { summingOpen } from './summing-open.ts';
import { type Figure, isMet, type Measured } from './support/figure.ts';
import { openInstallation } from './support/installation.ts';
import { figuresAsked } from './support/options.ts';
import { tenMillion } from './ten-million.ts';
import { verifying } from './verifying.ts';

// npm run bench [figure …] [--lines N] [--folder DIR] [--funds N]: every figure is a ratio measured in this run, against the least that it must be.

/** In this order: consolidating begins in an almost empty database and ends in a full one. */
const FIGURES: Record<string, Figure> = {
  painting,
  checker: filingCheck,
  'ecd-writer': filingWriter,
  filings,
  charting,
  checking,
  posting,
  'bulk-posting': bulkPosting,
  consolidating,
  sealing,
  importing,
  'consolidating-many': consolidatingMany,
  'importing-kinds': importingKinds,
  'importing-ecd': importingEcd,
  deleting,
  archiving,
  paging,
  querying,
  ruling,
  printing,
  stating,
  summing,
  'summing-open': summingOpen,
  quotas,
  'backing-up': backingUp,
  console: consoleScreens,
};
/** Only when asked by name: they load for minutes. */
const LONG_FIGURES: Record<string, Figure> = {
  'ten-million': tenMillion,
  'hundred-million': hundredMillion,
  partitions,
  funds,
  verifying,
};

const HEAD = '| figure | against | measured | value | bound | |\n|---|---|---|---|---|---|';

const asked = figuresAsked();
const all = { ...FIGURES, ...LONG_FIGURES };
const unknown = asked.filter((name) => !(name in all));
if (unknown.length > 0) {
  console.error(`bench: no figure ${unknown.join(', ')}; there are ${Object.keys(all).join(', ')}`);
  process.exit(1);
}
const installation = await openInstallation();
const interrupted = () => void installation.stop().finally(() => process.exit(130));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
const measured: Measured[] = [];
try {
  for (const [name, figure] of Object.entries(asked.length > 0 ? all : FIGURES)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    for (const each of await figure(installation)) {
      measured.push(each);
      console.log(lineOf(each));
    }
  }
} finally {
  await installation.stop();
}
console.log(`\n${HEAD}\n${measured.map(rowOf).join('\n')}`);
process.exitCode = measured.every(isMet) ? 0 : 1;

function lineOf(each: Measured): string {
  return `${isMet(each) ? 'ok   ' : 'SHORT'} ${shown(each, each.value).padStart(8)}  ${each.name}: ${each.detail}`;
}

function rowOf(each: Measured): string {
  const bound =
    each.atLeast === undefined ? `at most ${shown(each, each.atMost ?? 0)}` : `at least ${shown(each, each.atLeast)}`;
  return `| ${each.name} | ${each.against} | ${each.detail} | ${shown(each, each.value)} | ${bound} | ${isMet(each) ? 'ok' : 'short'} |`;
}

function shown({ unit }: Measured, value: number): string {
  if (unit === 'MB' || unit === 'KB') return `${Math.round(value)} ${unit}`;
  return unit === 's' ? `${value.toFixed(2)} s` : value.toFixed(2);
}
