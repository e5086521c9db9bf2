import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../config.ts';
import { writeFor } from './files.ts';
import { runAs } from './run-as.ts';

/** How a program is run: words before it, and variables for it. */
export interface Wrapped {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const PLAIN: Wrapped = { words: [], environment: {} };

/**
 * initdb asks for its user's name and ends without one; a container's user often has none, being a number that is not in
 * /etc/passwd. Only initdb asks, so it alone is run as somebody with a name: in a user namespace, or, where that is
 * forbidden as in most containers, with libnss_wrapper. The files are the user's own all the same.
 * @param scratch a path that files may be made beside
 * @throws StartError where neither can be done
 */
export async function withUserName(scratch: string): Promise<Wrapped> {
  if (process.platform !== 'linux' || hasName()) return PLAIN;
  const inNamespace = ['unshare', '--user', `--map-user=${await someUser()}`];
  const [unshare, ...words] = [...inNamespace, 'true'];
  if ((await runAs(unshare!, words, { cwd: '/' })).code === 0) return { words: inNamespace, environment: {} };
  const library = await nssWrapper();
  const uid = process.getuid!();
  if (library === undefined) {
    throw new StartError(
      `user ${uid} has no name here, and initdb of PostgreSQL needs one: give it an entry in /etc/passwd, install libnss-wrapper, or set DATABASE_URL`,
    );
  }
  const [passwd, group] = nameFiles(scratch);
  await writeFor(undefined, passwd, `partidas:x:${uid}:${process.getgid!()}::/:/bin/false\n`);
  await writeFor(undefined, group, `partidas:x:${process.getgid!()}:\n`);
  return { words: [], environment: { LD_PRELOAD: library, NSS_WRAPPER_PASSWD: passwd, NSS_WRAPPER_GROUP: group } };
}

/** What `withUserName` may leave beside that path. */
export function nameFiles(scratch: string): [passwd: string, group: string] {
  return [`${scratch}.passwd`, `${scratch}.group`];
}

function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

/** Anybody but root, whom initdb rejects. */
async function someUser(): Promise<string> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return (
    users
      .split('\n')
      .map((line) => line.split(':')[2] ?? '0')
      .find((uid) => Number(uid) > 0) ?? '65534'
  );
}

async function nssWrapper(): Promise<string | undefined> {
  for (const home of ['/usr/lib', '/usr/lib64']) {
    for (const folder of ['', ...(await readdir(home).catch(() => [])).filter((name) => name.includes('-linux-'))]) {
      const path = join(home, folder, 'libnss_wrapper.so');
      if (existsSync(path)) return path;
    }
  }
  return undefined;
}
