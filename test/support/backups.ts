import { rm } from 'node:fs/promises';
import { expect } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts';
import { runAdminWith } from './admin-command.ts';
import type { OwnProcess } from './own-process.ts';

// What tests of backups do with a program of their own and with what is restored.

/** Waits until what was committed so far is in the archive. */
export async function archived(program: OwnProcess): Promise<void> {
  await program.asOwner(async (client) => {
    // A segment in which nothing stands is not ended.
    await client.query(`SELECT pg_logical_emit_message(true, 'test', '')`);
    const { rows } = await client.query<{ name: string }>(
      'SELECT pg_walfile_name(pg_current_wal_lsn()) AS name, pg_switch_wal()',
    );
    for (;;) {
      const found = await client.query<{ last: string | null }>(
        'SELECT pg_stat_archiver.last_archived_wal AS last FROM pg_stat_archiver',
      );
      if ((found.rows[0]!.last ?? '') >= rows[0]!.name) return;
      await client.query('SELECT pg_sleep(0.02)');
    }
  });
}

/** `npm run admin -- restore …` into a data folder. */
export function restore(words: readonly string[], dataDir: string, settings: Record<string, string> = {}) {
  return runAdminWith({ ...settings, DATA_DIR: dataDir }, ['restore', ...words]);
}

/** Ids of all lines of what is restored, by the database alone; it is removed afterwards. */
export async function restoredIds(
  words: readonly string[],
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<number[]> {
  const { code, err } = await restore(words, dataDir, settings);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    const { rows } = await withOwnerConnection(server.connectionString, (client) =>
      client.query<{ id: number }>('SELECT entry_line.id FROM entry_line'),
    );
    return rows.map(({ id }) => id);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true });
  }
}
