import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts';

/** A database server that belongs to no program, as that of another machine. */
export async function startOutsideDatabase(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'partidas-outside-'));
  const server = await startEmbeddedPostgres({ dataDir: folder });
  return {
    url: server.connectionString,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
