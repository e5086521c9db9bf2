import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { type Month, monthFromIso } from '../src/accounting/period.ts';
import {
  selectVerifiedBranches,
  selectVerifiedCompanies,
} from '../src/features/closing/verify/branch-facts.read.sql.ts';
import { readOutside } from '../src/features/closing/verify/read-outside.ts';
import { type VerifyScope, verify } from '../src/features/closing/verify/verify.ts';
import { keepResult } from '../src/features/closing/verify/verify-results.sql.ts';
import type { KeptSeal } from '../src/features/closing/verify/verify-seals.ts';
import { codeText } from '../src/http/fields.ts';
import { type Config, StartError } from '../src/platform/config.ts';
import type { Context } from '../src/platform/context.ts';
import type { Database } from '../src/platform/database/database.ts';
import { systemSql } from '../src/platform/database/system-scope.ts';
import { openSealKeys } from '../src/platform/seal-keys/seal-keys.ts';
import { operand } from './operand.ts';

/** Options of `verify`. */
export const VERIFY_OPTIONS = {
  resume: { type: 'string' },
  against: { type: 'string' },
  keep: { type: 'boolean' },
} as const;

interface VerifyOptions {
  readonly resume?: string | undefined;
  readonly against?: string | undefined;
  readonly keep?: boolean | undefined;
}

/** What a run that is resumed goes on from. */
interface Progress {
  /** What was asked: another question begins anew. */
  readonly scope: string;
  /** The last part that is done. */
  readonly key: string | undefined;
  readonly parts: number;
  readonly lines: number;
  readonly differences: number;
}

/** Exit code where the books could not be verified: 0 is clean, 1 differences. */
export const NOT_VERIFIED = 2;

/**
 * `npm run admin -- verify`: one JSON line a difference to the output, one line of figures to the error output. Returns the
 * exit code.
 */
export async function runVerify(
  context: Context,
  database: Database,
  config: Config,
  [word]: readonly string[],
  { resume, against, keep: isKept }: VerifyOptions,
): Promise<number> {
  const scope = await scopeOf(context, word);
  const kept = against === undefined ? {} : { seals: await keptSeals(against) };
  const sealKeys = openSealKeys(config.sealKeys, () => new Date());
  const outside = { ...(await readOutside(sealKeys, config.dataDir)), ...kept };
  const began = performance.now();
  let progress = await resumed(resume, JSON.stringify(scope));
  for await (const part of verify(database, outside, scope, progress.key)) {
    const { key, lines, differences } = part;
    if (isKept) await systemSql(database).transaction((sql) => keepResult(sql, part));
    for (const difference of differences) process.stdout.write(`${JSON.stringify(difference)}\n`);
    progress = {
      ...progress,
      key,
      parts: progress.parts + 1,
      lines: progress.lines + lines,
      differences: progress.differences + differences.length,
    };
    if (resume !== undefined) await keep(resume, progress);
  }
  if (resume !== undefined) await rm(resume, { force: true });
  const { parts, lines, differences } = progress;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.error(`verified: ${parts} parts, ${lines} lines in ${seconds} s; differences: ${differences}`);
  return differences === 0 ? 0 : 1;
}

/** `company`, `company/branch` or `company/branch/YYYY-MM`; nothing is everything. What does not exist is an error. */
export async function scopeOf({ sql }: Pick<Context, 'sql'>, word: string | undefined): Promise<VerifyScope> {
  if (word === undefined) return {};
  const [company, branch, month, ...more] = word
    .split('/')
    .map((each) => operand('company, branch or month', each, codeText(40)));
  const [found] = await selectVerifiedCompanies(sql, company);
  if (found === undefined) throw new StartError(`there is no company ${company}`);
  if (branch !== undefined && (await selectVerifiedBranches(sql, found.companyId, branch)).length === 0) {
    throw new StartError(`there is no branch ${company}/${branch}`);
  }
  const read: Month | undefined = month === undefined ? undefined : monthFromIso(month);
  if (more.length > 0 || (month !== undefined && read === undefined)) {
    throw new StartError('a month is written company/branch/YYYY-MM');
  }
  return { company, branch, month: read };
}

/** What GET /seals/{company}/{branch} answered, of one branch or several answers one after the other in a list. */
const KEPT_SEALS = z.array(z.object({ seal: z.string().regex(/^[\da-f]{64}$/), jws: z.string().max(20_000) }));

async function keptSeals(path: string): Promise<KeptSeal[]> {
  const text = await readFile(path, 'utf8').catch((error: { code?: string }) => {
    throw new StartError(`${path}: cannot be read (${error.code})`);
  });
  try {
    return KEPT_SEALS.parse(JSON.parse(text));
  } catch {
    throw new StartError(`${path}: is no answer of GET /seals/{company}/{branch}`);
  }
}

async function resumed(path: string | undefined, scope: string): Promise<Progress> {
  const fresh = { scope, key: undefined, parts: 0, lines: 0, differences: 0 };
  if (path === undefined) return fresh;
  const text = await readFile(path, 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return undefined;
    throw new StartError(`${path}: cannot be read (${error.code})`);
  });
  if (text === undefined) {
    await keep(path, fresh);
    return fresh;
  }
  const kept = progressIn(text);
  if (kept === undefined) throw new StartError(`${path}: is no state of an earlier run; remove it to begin anew`);
  if (kept.scope !== scope) throw new StartError(`${path}: belongs to a run of ${kept.scope}; remove it to begin anew`);
  return kept;
}

function progressIn(text: string): Progress | undefined {
  try {
    const read = JSON.parse(text) as Partial<Progress> | null;
    const counts = [read?.parts, read?.lines, read?.differences];
    return typeof read?.scope === 'string' && counts.every(Number.isSafeInteger) ? (read as Progress) : undefined;
  } catch {
    return undefined;
  }
}

/** Whole at every moment: what was printed before a kill is in it, or printed again. */
async function keep(path: string, progress: Progress): Promise<void> {
  try {
    await writeFile(`${path}.part`, JSON.stringify(progress));
    await rename(`${path}.part`, path);
  } catch (error) {
    throw new StartError(`${path}: cannot be written (${(error as { code?: string }).code})`);
  }
}
