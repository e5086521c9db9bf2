import { registerSealKeys, rotateSealKeys } from '../src/features/closing/seals/register-seal-keys.ts';
import { sealOlderMonths } from '../src/features/closing/seals/seal-older-months.ts';
import {
  selectVerifiedBranches,
  selectVerifiedCompanies,
} from '../src/features/closing/verify/branch-facts.read.sql.ts';
import { selectSealedStates } from '../src/features/closing/verify/seal-facts.read.sql.ts';
import { codeText } from '../src/http/fields.ts';
import { type Config, StartError } from '../src/platform/config.ts';
import type { Context } from '../src/platform/context.ts';
import { SealKeyError } from '../src/platform/seal-keys/seal-key-error.ts';
import { openSealKeys, type SealKeys } from '../src/platform/seal-keys/seal-keys.ts';
import { originOf, verifierKey } from '../src/platform/seal-keys/signed-note.ts';
import { operand } from './operand.ts';
import { scopeOf } from './verify-command.ts';

/** What the command line does with seals and their keys. */
export const SEAL_COMMANDS = {
  seal: {
    usage: 'seal [<company>[/<branch>[/<YYYY-MM>]]]',
    run: withKeys(sealOlder),
  },
  'seal-keys list': {
    usage: 'seal-keys list',
    run: withKeys(async (_context, keys) => {
      const signs = new Set<string>();
      for (const { kid, alg, since } of await keys.published()) {
        console.log([kid, alg, since, signs.has(alg) ? 'verifies' : 'newest'].join('\t'));
        signs.add(alg);
      }
    }),
  },
  'seal-keys rotate': {
    usage: 'seal-keys rotate',
    run: withKeys(async (context, keys) => {
      for (const { kid, alg } of await rotateSealKeys(context, keys))
        console.log(`key ${kid} (${alg}) signs from now on`);
    }),
  },
  'seal-keys vkey': {
    usage: 'seal-keys vkey <company>/<branch>',
    run: withKeys(async (_context, keys, { sealKeys: { logName } }, [word]) => {
      const [company = '', branch = ''] = operand('company/branch', word).split('/');
      const log = {
        company: operand('company', company, codeText(10)),
        branch: operand('branch', branch, codeText(10)),
      };
      for (const { alg, x } of await keys.published())
        if (alg === 'EdDSA') console.log(verifierKey(originOf(logName, log), Buffer.from(x, 'base64url')));
    }),
  },
} as const;

/** Prints a line a seal; 1 where a month should have had one. */
async function sealOlder(
  context: Context,
  keys: SealKeys,
  _config: Config,
  [word]: readonly string[],
): Promise<number> {
  const { company, branch, month } = await scopeOf(context, word);
  await registerSealKeys(context, keys);
  let missing = 0;
  for (const { companyId } of await selectVerifiedCompanies(context.sql, company)) {
    for (const found of await selectVerifiedBranches(context.sql, companyId, branch)) {
      const name = `${found.company}/${found.branch}`;
      if (month !== undefined) {
        const states = await selectSealedStates(context.sql, found);
        const isClosed = states.some((each) => each.month === month && each.state === 'CLOSED');
        if (!isClosed) throw new StartError(`${name}: month ${month} is not closed`);
      }
      for await (const { month: of, seal } of sealOlderMonths(context, found, keys, month)) {
        if (seal === undefined) missing++;
        console.log(`${name}/${of}\t${seal ?? 'was closed with a seal that is gone: see verify'}`);
      }
    }
  }
  return missing === 0 ? 0 : 1;
}

function withKeys(
  work: (context: Context, keys: SealKeys, config: Config, words: readonly string[]) => Promise<unknown>,
) {
  return async (
    context: Context,
    words: readonly string[],
    _options: unknown,
    { config }: { config: Config },
  ): Promise<unknown> => {
    try {
      return await work(context, openSealKeys(config.sealKeys, context.now), config, words);
    } catch (error) {
      throw error instanceof SealKeyError ? new StartError(error.message) : error;
    }
  };
}
