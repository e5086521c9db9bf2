import { rotateSealKeys } from '../src/features/closing/seals/register-seal-keys.ts';
import { codeText } from '../src/http/fields.ts';
import { type Config, StartError } from '../src/platform/config.ts';
import type { Context } from '../src/platform/context.ts';
import { SealKeyError } from '../src/platform/seal-keys/seal-key-error.ts';
import { openSealKeys, type SealKeys } from '../src/platform/seal-keys/seal-keys.ts';
import { originOf, verifierKey } from '../src/platform/seal-keys/signed-note.ts';
import { operand } from './operand.ts';

/** What the command line does with the keys of seals. */
export const SEAL_COMMANDS = {
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

function withKeys(work: (context: Context, keys: SealKeys, config: Config, words: readonly string[]) => Promise<void>) {
  return async (
    context: Context,
    words: readonly string[],
    _options: unknown,
    { config }: { config: Config },
  ): Promise<void> => {
    try {
      await work(context, openSealKeys(config.sealKeys, context.now), config, words);
    } catch (error) {
      throw error instanceof SealKeyError ? new StartError(error.message) : error;
    }
  };
}
