import { lchown, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../config.ts';
import { runAs, type User } from './run-as.ts';

/** The database's present owner when that is not root, so that a folder made by an ordinary user stays that user's. */
export async function ownerOf(pgdata: string): Promise<User> {
  const present = await stat(pgdata).catch(() => undefined);
  const owner = present && present.uid !== 0 ? present : ((await userNamed('postgres')) ?? (await userNamed('nobody')));
  if (owner === undefined) throw new StartError('PostgreSQL cannot run as root, and no user postgres or nobody exists');
  const user = { uid: owner.uid, gid: owner.gid };
  const { code, output } = await runAs('id', [], { cwd: '/', user });
  if (code !== 0) {
    throw new StartError(`root cannot run PostgreSQL as user ${user.uid} here (${output}): start as an ordinary user`);
  }
  if (present?.uid === 0) {
    // A copy made by root.
    const entries = await readdir(pgdata, { recursive: true });
    for (const path of ['', ...entries]) await lchown(join(pgdata, path), user.uid, user.gid);
  }
  return user;
}

async function userNamed(name: string): Promise<User | undefined> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => runAs('id', [flag, name], { cwd: '/' })));
  if (uid?.code !== 0 || gid?.code !== 0) return undefined;
  return { uid: Number(uid.output), gid: Number(gid.output) };
}
