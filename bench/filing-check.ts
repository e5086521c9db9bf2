import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { CheckedEcd } from './support/check-ecd.ts';
import { byTurns, type Figure, median, megabytes, perSecond } from './support/figure.ts';
import { writeLargeEcd } from './support/large-ecd.ts';
import { linesAsked } from './support/options.ts';

const CHECK = fileURLToPath(new URL('support/check-ecd.ts', import.meta.url));
/** What is written where --lines does not say otherwise. */
const LINES = 1_000_000;

/** A whole bookkeeping file through the checker, and through a reader that only cuts it into fields. */
export const filingCheck: Figure = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'partidas-bench-ecd-'));
  try {
    const path = join(folder, 'ecd.txt');
    const lines = await writeLargeEcd(path, linesAsked(LINES));
    const memory: number[] = [];
    const speed = await byTurns(
      async () => {
        const checked = await read('checker', path, lines);
        memory.push(checked.memory);
        return lines / checked.seconds;
      },
      async () => lines / (await read('bare', path, lines)).seconds,
    );
    return [
      {
        name: `check of a bookkeeping file (ECD) of ${lines.toLocaleString('en')} lines`,
        against: 'its limit, 300,000 lines a second',
        detail: `${perSecond(speed.ours)} lines`,
        value: lines / speed.ours,
        unit: 's',
        atMost: lines / 300_000,
      },
      {
        name: '… the same check',
        against: 'a bare reader that cuts the same file into lines and fields',
        detail: `${perSecond(speed.ours)} lines against ${perSecond(speed.bare)}`,
        value: speed.ratio,
        unit: 'ratio',
        atLeast: 0.15,
      },
      {
        name: '… memory of the process',
        against: 'its limit',
        detail: 'largest resident size',
        value: megabytes(median(memory)),
        unit: 'MB',
        // Numbers of entries are remembered: those of 10 million take 400 MB at most.
        atMost: lines > 2 * LINES ? 400 : 250,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

async function read(by: 'checker' | 'bare', path: string, lines: number): Promise<CheckedEcd> {
  const { stdout } = await promisify(execFile)(process.execPath, [CHECK, by, path]);
  const checked = JSON.parse(stdout) as CheckedEcd;
  if (checked.lines !== lines || checked.findings !== 0) throw new Error(`not a whole file: ${stdout}`);
  return checked;
}
