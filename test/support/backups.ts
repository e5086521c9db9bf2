import { expect } from 'vitest';
import { runAdminWith } from './admin-command.ts';
import { OwnProcess } from './own-process.ts';

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

/** Restores and starts a program on it; its log is archived only where the settings of its start say so. */
export async function startRestored(
  words: readonly string[],
  dataDir: string,
  { settings = {}, started = {} }: { settings?: Record<string, string>; started?: Record<string, string> } = {},
) {
  const { code, err } = await restore(words, dataDir, settings);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return OwnProcess.on(dataDir, started);
}

/** Ids of all lines. */
export function idsIn(found: OwnProcess): Promise<number[]> {
  return found.asOwner(async (client) => {
    const { rows } = await client.query<{ id: number }>('SELECT entry_line.id FROM entry_line');
    return rows.map(({ id }) => id);
  });
}
