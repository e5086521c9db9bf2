import { execFile } from 'node:child_process';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readTemplate } from '../src/features/reporting/print/report-template.ts';
import { renderTable } from '../src/platform/render/render-table.ts';
import { ACCOUNTS } from './support/books.ts';
import { byTurns, type Figure, median, megabytes, perSecond, secondsOf } from './support/figure.ts';
import type { Painted } from './support/paint.ts';
import { trialBalanceRows } from './support/trial-balance-rows.ts';

const PAINT = fileURLToPath(new URL('support/paint.ts', import.meta.url));
const ROWS = 100_000;
const WARM_UPS = 3;
/** On a large machine V8 lets short-lived rubbish grow first; both sides get the same bound. */
const YOUNG_SPACE = '--max-semi-space-size=2';

/** A trial balance on warm code; a huge table in a process of its own, by the painter and by the bare writer. */
export const painting: Figure = async () => {
  const small = await trialBalance();
  const memory: number[] = [];
  let pages = 0;
  const large = await byTurns(
    async () => {
      const painted = await paint('painter');
      memory.push(painted.memory);
      pages = painted.pages;
      return painted.pages / painted.seconds;
    },
    async () => {
      const painted = await paint('bare');
      return painted.pages / painted.seconds;
    },
  );
  return [
    {
      name: `trial balance of ${ACCOUNTS.toLocaleString('en')} accounts as PDF, warm`,
      against: 'its limit',
      detail: `${small.pages} pages`,
      value: small.seconds,
      unit: 's',
      atMost: 0.4,
    },
    {
      name: `table of ${ROWS.toLocaleString('en')} rows (${pages.toLocaleString('en')} pages) through the painter`,
      against: 'a bare content-stream writer',
      detail: `${perSecond(large.ours)} pages against ${perSecond(large.bare)}`,
      value: large.ratio,
      unit: 'ratio',
      atLeast: 0.35,
    },
    {
      name: '… memory of the process',
      against: 'its limit',
      detail: 'largest resident size',
      value: megabytes(median(memory)),
      unit: 'MB',
      atMost: 200,
    },
  ];
};

async function trialBalance(): Promise<{ seconds: number; pages: number }> {
  const { layout } = await readTemplate('monthlyTrialBalance', undefined);
  let pages = 0;
  const print = async () => {
    const content = { values: { company: 'Banco de Medidas S.A.', period: 'janeiro de 2026' } };
    const rows = trialBalanceRows(ACCOUNTS);
    pages = (await renderTable('PDF', layout, { ...content, rows }, new Nowhere())).pages;
  };
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp++) await print();
  return { seconds: median([await secondsOf(print), await secondsOf(print), await secondsOf(print)]), pages };
}

async function paint(by: 'painter' | 'bare'): Promise<Painted> {
  const { stdout } = await promisify(execFile)(process.execPath, [YOUNG_SPACE, PAINT, by, String(ROWS)]);
  return JSON.parse(stdout) as Painted;
}

class Nowhere extends Writable {
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }
}
