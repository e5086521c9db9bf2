import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../scripts/admin.ts', import.meta.url));

/** What a command took. */
export interface Taken {
  readonly seconds: number;
  /** Largest resident memory of its process in bytes; 0 where the system does not tell. */
  readonly peak: number;
  /** All that it wrote. */
  readonly text: string;
}

/** Runs `npm run admin -- …` as a process of its own. @throws what it wrote where it did not end well */
export async function runAdmin(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Taken> {
  const began = performance.now();
  const running = spawn(process.execPath, [SCRIPT, ...words], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [text, peak] = ['', 0];
  for (const stream of [running.stdout, running.stderr]) stream.on('data', (piece) => (text += piece));
  const looking = setInterval(() => (peak = Math.max(peak, highWaterMark(running.pid!))), 20);
  const [code] = await once(running, 'close');
  clearInterval(looking);
  if (code !== 0) throw new Error(`${words.join(' ')}: ${code} ${text.slice(0, 1_000)}`);
  return { seconds: (performance.now() - began) / 1000, peak, text };
}

/** Linux keeps the largest there was. */
function highWaterMark(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
