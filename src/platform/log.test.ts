import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const LOG = fileURLToPath(new URL('./log.ts', import.meta.url));

/** A process with a log of its own; `work` is what it does with `log`. */
function logging(work: string, to = 'files'): ChildProcess {
  const program = `
    import { setTimeout as sleep } from 'node:timers/promises';
    import { openLog, plainLines } from ${JSON.stringify(LOG)};
    const log = await openLog('queries', { dataDir: ${JSON.stringify(folder)}, level: 'info', to: '${to}' });
    ${work}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function ended(child: ChildProcess): Promise<{ code: number | null; output: string; errors: string }> {
  const texts = { output: '', errors: '' };
  child.stdout?.on('data', (chunk) => {
    texts.output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    texts.errors += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, ...texts };
}

async function written(): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(folder, 'logs', 'queries.1.log'), 'utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

test('a line is written soon, and what waits at the end of the process then', async () => {
  const child = logging(`
    log.info('first'); await sleep(600);
    console.log((await import('node:fs')).readFileSync(${JSON.stringify(join(folder, 'logs', 'queries.1.log'))}, 'utf8'));
    for (let at = 0; at < 1000; at++) plainLines(log).info({ at }, 'request');
    process.exit(0);`);
  const { code, output } = await ended(child);
  expect([code, JSON.parse(output).msg]).toEqual([0, 'first']);
  const lines = await written();
  expect(lines.slice(1).map(({ at }) => at)).toEqual(Array.from({ length: 1000 }, (_, at) => at));
});

test('secrets are removed from both kinds of lines', async () => {
  await ended(
    logging(`
      log.info({ token: { inner: 'x1' }, user: { password: 'x2' } }, 'Bearer x3.y');
      plainLines(log).info({ requestId: 'r', route: '/x?senha=x4' }, 'request');`),
  );
  const text = JSON.stringify(await written());
  expect(text).not.toMatch(/x\d/);
  expect(text).toContain('[removed]');
});

test('standard output takes the lines of all services, and a reader that goes away ends nothing', async () => {
  const shown = await ended(logging(`log.info('shown');`, 'stdout'));
  expect(JSON.parse(shown.output)).toMatchObject({ service: 'queries', msg: 'shown' });
  expect(existsSync(join(folder, 'logs'))).toBe(false);
  const child = logging(
    `for (let at = 0; at < 50; at++) { log.info('x'.repeat(5000)); await sleep(10); } log.info('last'); console.error('worked');`,
    'stdout',
  );
  child.stdout?.destroy();
  const { code, errors } = await ended(child);
  expect([code, errors.includes('worked')]).toEqual([0, true]);
});

test.skipIf(!existsSync('/dev/full'))('a full disk loses lines, is told once and ends nothing', async () => {
  const child = logging(`
    const { openSync } = await import('node:fs');
    const { GatheredLines, OpenDescriptor } = await import(${JSON.stringify(LOG.replace('log.ts', 'gathered-lines.ts'))});
    const lines = new GatheredLines(new OpenDescriptor(openSync('/dev/full', 'w')), 'queries');
    for (let at = 0; at < 50; at++) { lines.write('x'.repeat(5000)); await sleep(10); }
    lines.write('waits at the end'); console.log('worked');`);
  const { code, output, errors } = await ended(child);
  expect([code, output]).toEqual([0, 'worked\n']);
  expect(errors.match(/the log of queries cannot be written: ENOSPC/g)).toHaveLength(1);
});

test('lines for which there was no room are counted and told once, when lines are written again', async () => {
  const child = logging(`
    const { GatheredLines, lostLines } = await import(${JSON.stringify(LOG.replace('log.ts', 'gathered-lines.ts'))});
    let isFull = true; let written = 0;
    const write = async (bytes) => {
      if (isFull) throw Object.assign(new Error('ENOSPC: no space'), { code: 'ENOSPC' });
      // Less than asked for, as a pipe takes it.
      const taken = Math.min(bytes.length, 100_000); written += taken; return taken;
    };
    const lines = new GatheredLines({ write, writeAtOnce: (bytes) => bytes.length }, 'movements');
    for (let at = 0; at < 900; at++) lines.write('x'.repeat(4999) + '\\n');
    await sleep(400); isFull = false; await sleep(1500);
    console.log(written / 5000, lostLines().get('movements'));`);
  const { code, output, errors } = await ended(child);
  const [written, lost] = output.trim().split(' ').map(Number) as [number, number];
  expect([code, written + lost]).toEqual([0, 900]);
  expect(lost).toBeGreaterThan(50);
  expect(errors).toContain(`partidas: the log of movements is written again: ${lost} lines lost`);
});

test('an object that cannot become a line loses it and nothing else', async () => {
  await ended(logging(`log.info({ get worth() { throw new Error('odd'); } }, 'odd'); log.info('next');`));
  expect((await written()).map(({ msg }) => msg)).toEqual(['a line of the log could not be made', 'next']);
});
