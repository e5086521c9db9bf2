import { createHash, createHmac, hkdfSync, pbkdf2Sync, randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartError } from '../config.ts';
import { isBehindPooler, type LoneConnection, withLoginConnection, withOwnerConnection } from './connections.ts';
import { SQLSTATE, sqlState } from './errors.ts';
import { rejectOtherSchema } from './migrate.ts';
import type { Pooler } from './poolers.ts';

/**
 * The kinds of connection that the program works on, each a login without the owner's rights: `app` writes the books,
 * `reader` answers queries and prints, `auth` alone sees password hashes and private keys (docs/decisions/0014).
 */
export const DATABASE_ROLES = ['app', 'reader', 'auth'] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];

/** The address of each login that this process needs. */
export type LoginUrls = Readonly<Partial<Record<DatabaseRole, string>>>;

/** The role that holds the rights and the policies of a kind of connection; logins are its members. */
export function groupOf(role: DatabaseRole): string {
  return `partidas_${role}`;
}

/** The configured logins, each checked; without any, those derived from the owner's address. */
export async function loginsOf(
  given: Readonly<Record<DatabaseRole, string | undefined>>,
  ownerUrl: string | undefined,
  roles: readonly DatabaseRole[],
  pooler: Pooler,
): Promise<LoginUrls> {
  if (DATABASE_ROLES.every((role) => given[role] === undefined) && ownerUrl !== undefined) {
    return prepareLogins(ownerUrl, roles);
  }
  const urls: Partial<Record<DatabaseRole, string>> = {};
  for (const role of roles) {
    const variable = `DATABASE_${role.toUpperCase()}_URL`;
    const url = given[role];
    if (url === undefined) throw new StartError(`${variable}: is needed by what this process runs`);
    await rejectPrivilegedLogin(url, variable);
    await rejectOtherWay(url, variable, pooler);
    await rejectOtherSchema(url);
    urls[role] = url;
  }
  return urls;
}

/**
 * The owner's logins, created when absent. Their passwords are derived from the owner's, so that processes that start
 * at different times agree.
 */
export async function prepareLogins(ownerUrl: string, roles: readonly DatabaseRole[]): Promise<LoginUrls> {
  return withOwnerConnection(ownerUrl, async (owner) => {
    const { user, password } = owner as LoneConnection & { password: string | null };
    if (typeof password !== 'string' || password === '') {
      throw new StartError(
        'DATABASE_URL has no password to derive the logins from: give DATABASE_APP_URL, DATABASE_READER_URL and DATABASE_AUTH_URL',
      );
    }
    const secret = await deriveKey(password, `partidas logins of ${user}`, 32, {});
    const urls: Partial<Record<DatabaseRole, string>> = {};
    for (const role of roles) {
      const name = loginOf(user!, role);
      const url = new URL(ownerUrl);
      url.username = encodeURIComponent(name);
      url.password = Buffer.from(hkdfSync('sha256', secret, '', name, 24)).toString('base64url');
      await ensureLogin(owner, url.href, { name, password: url.password, group: groupOf(role) });
      urls[role] = url.href;
    }
    return urls;
  });
}

/** Throws for a login that could do what only the owner may. */
async function rejectPrivilegedLogin(url: string, variable: string): Promise<void> {
  const row = await withLoginConnection(url, async (client) => {
    const { rows } = await client.query<{ login: string; mighty: boolean; owns: boolean }>(
      `SELECT pg_roles.rolname AS login,
              pg_roles.rolsuper OR pg_roles.rolbypassrls OR pg_roles.rolcreaterole AS mighty,
              EXISTS (SELECT 1 FROM pg_class
                       WHERE pg_class.relnamespace = 'public'::regnamespace
                         AND pg_has_role(pg_roles.oid, pg_class.relowner, 'MEMBER')) AS owns
         FROM pg_roles WHERE pg_roles.rolname = current_user`,
    );
    return rows[0]!;
  });
  if (row.mighty || row.owns) {
    throw new StartError(`${variable}: ${row.login} may do more than the program needs (docs/operator.md, Database)`);
  }
}

/** Throws where what stands between is not what was said, or where tables would be looked for in another schema. */
async function rejectOtherWay(url: string, variable: string, pooler: Pooler): Promise<void> {
  await withLoginConnection(url, async (client) => {
    if (pooler === 'none' && (await isBehindPooler(client))) {
      throw new StartError(`${variable}: leads to a pooler; DATABASE_POOLER says of which kind`);
    }
    const { rows } = await client.query<{ schema: string | null }>('SELECT current_schema() AS schema');
    if (pooler !== 'none' && rows[0]!.schema !== 'public') {
      throw new StartError(`${variable}: its search_path begins with ${rows[0]!.schema}, not with public`);
    }
  });
}

const deriveKey = promisify<string, string, number, ScryptOptions, Buffer>(scrypt);

/** Names have at most 63 bytes; two long owner names must not give the same login. */
function loginOf(owner: string, role: DatabaseRole): string {
  const plain = Buffer.byteLength(owner) <= 40;
  const stem = plain ? owner : createHash('sha256').update(owner).digest('hex').slice(0, 40);
  return `${stem}_${role}_login`;
}

interface Login {
  readonly name: string;
  readonly password: string;
  readonly group: string;
}

/** Retries while other processes create or change the same login. */
const ATTEMPTS = 20;

async function ensureLogin(owner: LoneConnection, url: string, login: Login): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { rows } = await owner.query<{ member: boolean }>(
      `SELECT pg_has_role(pg_roles.oid, $2, 'MEMBER') AS member FROM pg_roles WHERE pg_roles.rolname = $1`,
      [login.name, login.group],
    );
    try {
      if (rows.length === 0) await create(owner, login);
      else if (!rows[0]!.member) await owner.query(`GRANT ${login.group} TO ${owner.escapeIdentifier(login.name)}`);
      return await rejectPrivilegedLogin(url, 'DATABASE_URL');
    } catch (error) {
      if (attempt === ATTEMPTS || error instanceof StartError) throw error;
      // The owner's password has changed since.
      if (sqlState(error) === SQLSTATE.INVALID_PASSWORD) await changePassword(owner, login).catch(ignoreLostRace);
      else ignoreLostRace(error);
      await sleep(Math.random() * 50);
    }
  }
}

/** A concurrent change of the same role: duplicate_object, unique_violation, "tuple concurrently updated". */
const RACES: readonly string[] = [SQLSTATE.DUPLICATE_OBJECT, SQLSTATE.UNIQUE_VIOLATION, SQLSTATE.INTERNAL_ERROR];

function ignoreLostRace(error: unknown): void {
  if (!RACES.includes(sqlState(error) ?? '')) throw error;
}

async function create(owner: LoneConnection, { name, password, group }: Login): Promise<void> {
  await owner.query(
    `CREATE ROLE ${owner.escapeIdentifier(name)} LOGIN NOCREATEDB NOCREATEROLE IN ROLE ${group}
       PASSWORD ${owner.escapeLiteral(scramVerifier(password))}`,
  );
}

async function changePassword(owner: LoneConnection, { name, password }: Login): Promise<void> {
  await owner.query(
    `ALTER ROLE ${owner.escapeIdentifier(name)} PASSWORD ${owner.escapeLiteral(scramVerifier(password))}`,
  );
}

const SCRAM_ITERATIONS = 4096;

/** The SCRAM verifier of a password, computed here because statements with passwords end in the server's log. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}
