import type { RoutineCode } from '../../src/features/access/access.ts';
import { bodyOf, type Client, type Platform } from './platform.ts';

export interface UserFixture {
  readonly username: string;
  readonly password?: string;
  readonly admin?: boolean;
  readonly permissions?: readonly { readonly company: string; readonly branch?: string }[];
  /** Routines on whose access rows the user stands: SETTINGS and some others admit nobody else. */
  readonly routines?: readonly RoutineCode[];
}

/** A user with these permissions; sign in with `platform.as(username, password)`. */
export async function createUser(
  admin: Client,
  {
    username,
    password = 'uma senha bem comprida',
    admin: isAdmin = false,
    permissions = [],
    routines = [],
  }: UserFixture,
): Promise<{ id: number; username: string; password: string }> {
  const body = { username, name: username, password, admin: isAdmin, permissions };
  const { id } = await bodyOf(admin.post('authentication', '/api/admin/users', body));
  for (const routine of routines) await grantRoutine(admin, routine, { userId: id });
  return { id, username, password };
}

/** Puts a user or a group on the access rows of a routine; returns the id of the row. */
export async function grantRoutine(
  admin: Client,
  routine: RoutineCode,
  holder: { readonly userId: number } | { readonly groupId: number },
): Promise<number> {
  const routines: { id: number; code: string }[] = await bodyOf(admin.get('masterdata', '/routine'));
  const routineId = routines.find((each) => each.code === routine)!.id;
  return (await bodyOf(admin.post('masterdata', '/access', { routineId, ...holder }))).id;
}

/** Users who may post and close in that company, signed in, in the order of their names. */
export async function createPeople<const Names extends readonly string[]>(
  platform: Pick<Platform, 'admin' | 'as'>,
  { company }: { readonly company: string },
  usernames: Names,
  routines: readonly RoutineCode[] = [],
): Promise<{ [At in keyof Names]: Client & { readonly userId: number } }> {
  const people = usernames.map(async (username) => {
    const user = await createUser(platform.admin, { username, permissions: [{ company }], routines });
    return { ...(await platform.as(username, user.password)), userId: user.id };
  });
  return (await Promise.all(people)) as { [At in keyof Names]: Client & { readonly userId: number } };
}
