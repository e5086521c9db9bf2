import { createReadStream } from 'node:fs';
import { checkFile } from '../../src/features/reporting/filing-check/check-file.ts';

// Run as a process of its own: check-ecd.ts checker|bare FILE. Prints what it took as JSON.

export interface CheckedEcd {
  readonly seconds: number;
  readonly lines: number;
  readonly findings: number;
  /** Largest resident memory in bytes. */
  readonly memory: number;
}

const [by, path] = process.argv.slice(2);
const began = performance.now();
const source = createReadStream(path!, { highWaterMark: 1 << 18 });
const { lines, findings } = by === 'checker' ? await check() : { lines: await readBare(), findings: 0 };
const checked: CheckedEcd = {
  seconds: (performance.now() - began) / 1000,
  lines,
  findings,
  memory: process.resourceUsage().maxRSS * 1024,
};
console.log(JSON.stringify(checked));

async function check(): Promise<{ lines: number; findings: number }> {
  const { lines, errors, warnings } = await checkFile(source);
  return { lines, findings: errors + warnings };
}

/** The least that reads such a file: bytes to text, text to lines, lines to fields. It looks at none of them. */
async function readBare(): Promise<number> {
  let count = 0;
  let fields = 0;
  let rest = '';
  for await (const chunk of source) {
    const text = rest + (chunk as Buffer).toString('latin1');
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      fields += text.slice(start, end - 1).split('|').length;
      count++;
      start = end + 1;
    }
    rest = text.slice(start);
  }
  return fields > count ? count : 0;
}
