import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ClientOptions } from '../../client/src/create-client.ts';
import type { PartidasProblem } from '../../client/src/problem.ts';
import type { waitForJob } from '../../client/src/wait.ts';

/** The package partidas-client, built of this tree; `folder` holds it as an installation would. */
export interface BuiltClient {
  readonly folder: string;
  readonly package: {
    // biome-ignore lint/suspicious/noExplicitAny: its types are the compiler's to check, in client/types.check.ts
    readonly createClient: (options: ClientOptions) => any;
    readonly PartidasProblem: typeof PartidasProblem;
    readonly waitForJob: typeof waitForJob;
  };
}

let built: Promise<BuiltClient> | undefined;

/** Built once for each worker, below node_modules, where its one dependency is found. */
export function buildClient(): Promise<BuiltClient> {
  built ??= build();
  return built;
}

async function build(): Promise<BuiltClient> {
  const folder = fileURLToPath(
    new URL(`../../node_modules/.cache/partidas-client-${process.env.VITEST_POOL_ID ?? 0}/`, import.meta.url),
  );
  const script = fileURLToPath(new URL('../../client/build.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`partidas-client is not built: ${stdout}${stderr}`);
  copyFileSync(new URL('../../client/package.json', import.meta.url), `${folder}package.json`);
  return { folder, package: await import(pathToFileURL(`${folder}dist/index.js`).href) };
}
