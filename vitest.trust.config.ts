import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { fileOf, TRUST_PARTS } from './test/support/trust-parts.ts';
import config from './vitest.config.ts';

const FILES = TRUST_PARTS.map(fileOf);
const root = fileURLToPath(new URL('.', import.meta.url));

/** The files of `npm run trust` in the order of its parts. */
class InOrder extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const place = ({ moduleId }: (typeof files)[number]) => FILES.indexOf(relative(root, moduleId));
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

export default mergeConfig(config, defineConfig({ test: { sequence: { sequencer: InOrder } } }));
