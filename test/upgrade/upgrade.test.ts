import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, inject, test, vi } from 'vitest';
import { type LoneConnection, withOwnerConnection } from '../../src/platform/database/connections.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts';
import { runAdminWith } from '../support/admin-command.ts';
import { databaseUrl } from '../support/database-server.ts';
import { OwnProcess } from '../support/own-process.ts';
import { expectGoesOn, figuresOf, KEPT_USER } from '../support/released-books.ts';
import { emptyDataDir, KEPT, keptVersions, UPGRADES } from '../support/releases.ts';

// Books of every release, as its program left them, are brought to this version by a start. `npm run record-release`
// keeps those of a new one.

vi.setConfig({ testTimeout: 240_000 });

test('there are books of a release', () => {
  expect(keptVersions()).toContain('0.2.0');
});

test.each(keptVersions())('books of %s are migrated, verify, answer as before and go on', async (version) => {
  const kept = join(UPGRADES, version);
  const dataDir = await restored(kept);
  const { program, admin } = await OwnProcess.on(dataDir);
  try {
    expect(await figuresOf(admin)).toMatchObject(JSON.parse(await readFile(join(kept, KEPT.figures), 'utf8')));
    expect((await program.signedIn(KEPT_USER)).token).not.toBe('');
    await expectGoesOn(admin);
    const { code, out } = await runAdminWith(program.settings, ['verify']);
    expect({ code, out }).toEqual({ code: 0, out: '' });
    const fresh = await schemaOf(databaseUrl(inject('serverUrl'), 'template_books'));
    expect(await schemaOf(await program.ownerUrl())).toEqual(fresh);
  } finally {
    await program.remove();
  }
});

/** A data folder with the books that are kept there, as their program would have left it. */
async function restored(kept: string): Promise<string> {
  const dataDir = await emptyDataDir();
  await copyFile(join(kept, KEPT.publicKeys), join(dataDir, KEPT.publicKeys));
  const server = await startEmbeddedPostgres({ dataDir });
  const sql = gunzipSync(await readFile(join(kept, KEPT.books))).toString();
  await withOwnerConnection(server.connectionString, async (client) => {
    await client.query('CREATE ROLE partidas_app; CREATE ROLE partidas_reader; CREATE ROLE partidas_auth');
    await client.query(sql);
  });
  await server.stop();
  return dataDir;
}

/** What a schema is made of, a line each: an upgraded one and a new one must not differ. A dump is read with other brackets. */
function schemaOf(url: string): Promise<string[]> {
  const read = async (client: LoneConnection) => {
    const { rows } = await client.query<{ line: string }>(`
      SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default, is_identity, is_generated) AS line
        FROM information_schema.columns WHERE table_schema = 'public'
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
                 WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
      UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind <> 'a'
      UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT concat_ws(' ', tablename, policyname, cmd, roles, qual, with_check) FROM pg_policies
      UNION ALL SELECT concat_ws(' ', oid::regclass, relkind, relrowsecurity, relforcerowsecurity, relacl) FROM pg_class
                 WHERE relnamespace = 'public'::regnamespace
      ORDER BY 1`);
    return rows.map(({ line }) => line.replaceAll(/[()]/g, '')).sort();
  };
  return withOwnerConnection(url, read);
}
