import { verify } from '../src/features/closing/verify/verify.ts';
import { StartError } from '../src/platform/config.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { loginsOf } from '../src/platform/database/logins.ts';
import { rejectOtherSchema } from '../src/platform/database/migrate.ts';
import { publishedIn } from '../src/platform/seal-keys/published-keys.ts';

/** A copy may be older than what is kept outside of the database. */
export const NOTHING_OUTSIDE = { keys: undefined, auditHead: undefined };
const NO_LOGINS = { app: undefined, reader: undefined, auth: undefined };

/** Verifies the books of a restored database, and its seals with the keys that came with it; one of an older schema can be verified after the next start. */
export async function checkRestoredBooks(
  ownerUrl: string,
  publicSealKeys: string,
): Promise<{ checks: Record<string, unknown>; failure?: string }> {
  try {
    await rejectOtherSchema(ownerUrl);
  } catch (error) {
    if (error instanceof StartError) return { checks: { books: 'not verified: they are of another version' } };
    throw error;
  }
  const { app } = await loginsOf(NO_LOGINS, ownerUrl, ['app'], 'none');
  const database = openDatabase(app!, { max: 2, name: 'partidas-admin' }).doing('import');
  const keys = publicSealKeys === '' ? undefined : publishedIn(publicSealKeys, 'the manifest');
  const outside = { ...NOTHING_OUTSIDE, keys };
  try {
    const checks = { parts: 0, lines: 0, differences: 0 };
    let first: string | undefined;
    for await (const { lines, differences } of verify(database, outside, {}, undefined)) {
      checks.parts++;
      checks.lines += lines;
      checks.differences += differences.length;
      first ??= differences.length === 0 ? undefined : JSON.stringify(differences[0]);
    }
    return first === undefined
      ? { checks }
      : { checks, failure: `${checks.differences} differences, the first ${first}` };
  } finally {
    await database.close();
  }
}
