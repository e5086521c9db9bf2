import { createHash, randomBytes } from 'node:crypto';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { TenantCodes } from './access.ts';
import { recordAudit } from './audit.sql.ts';
import { ELEVATION } from './elevation-reasons.ts';
import {
  type SecretRow,
  type ServiceAccountRow,
  selectSecrets,
  selectServiceAccount,
} from './service-accounts.read.sql.ts';
import { deleteSecret, insertSecret, type MachineFields, saveMachineFields } from './service-accounts.sql.ts';
import {
  endTokens,
  insertServiceUser,
  lockUser,
  replacePermissions,
  type UserFields,
  updateUserRow,
} from './users.sql.ts';
import { permissionIds, saveUserRow } from './users.ts';

/** Enough for one to follow the other in two places. */
export const MAX_SECRETS = 5;
const SECRET_BYTES = 32;
/** By which scanners of repositories and logs know one. */
const SECRET_PREFIX = 'partidas_secret_';

export interface ServiceAccountInput extends Omit<UserFields, 'email' | 'admin'>, MachineFields {
  readonly permissions: readonly TenantCodes[];
}

export interface ServiceAccount extends ServiceAccountRow {
  readonly secrets: readonly SecretRow[];
}

/** Without a secret yet: nobody gets a token. */
export async function createServiceAccount(context: Context, input: ServiceAccountInput): Promise<ServiceAccount> {
  const created = await saveUserRow(input.username, context, async (sql) => {
    const id = await insertServiceUser(sql, userOf(input));
    const after = await saveRights(sql, id, input);
    await recordAudit(sql, context, { action: 'CREATE', entity: 'serviceAccount', entityId: id, after });
    return after;
  });
  context.rightsChanged();
  return created;
}

/** What is absent stays as it is. */
export async function changeServiceAccount(
  context: Context,
  id: number,
  change: Partial<ServiceAccountInput>,
): Promise<ServiceAccount> {
  const changed = await saveUserRow(change.username ?? '', context, async (sql) => {
    await lockUser(sql, id);
    const before = await readServiceAccount(sql, id);
    const permissions = before.permissions.map(({ company, branch }) => ({ company, branch: branch ?? undefined }));
    const input = { ...before, expiresAt: before.expiresAt ?? undefined, permissions, ...change };
    await updateUserRow(sql, id, userOf(input));
    const after = await saveRights(sql, id, input);
    const action = before.active && !after.active ? 'DEACTIVATE' : 'UPDATE';
    await recordAudit(sql, context, { action, entity: 'serviceAccount', entityId: id, before, after });
    return after;
  });
  context.rightsChanged();
  return changed;
}

async function saveRights(sql: Sql, id: number, input: ServiceAccountInput): Promise<ServiceAccount> {
  const distinct = { networks: [...new Set(input.networks)], routines: [...new Set(input.routines)] };
  await saveMachineFields(sql, id, distinct);
  await replacePermissions(sql, id, await permissionIds(sql, input.permissions));
  return readServiceAccount(sql, id);
}

/** Never an administrator: a machine cannot give rights, neither others nor itself. */
function userOf({ username, name, active, expiresAt }: ServiceAccountInput): UserFields {
  return { username, name, active, expiresAt, email: undefined, admin: false };
}

/** The secret in plain text, which is kept nowhere. */
export async function addSecret(
  context: Context,
  accountId: number,
  input: { readonly description: string | undefined; readonly expiresAt: Date | undefined },
): Promise<SecretRow & { readonly secret: string }> {
  const secret = SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  const added = await context.elevated(ELEVATION.userRights, (system) =>
    system.transaction(async (sql) => {
      await lockUser(sql, accountId);
      const { secrets } = await readServiceAccount(sql, accountId);
      if (secrets.length >= MAX_SECRETS) reject('TOO_MANY_SECRETS', { limit: MAX_SECRETS });
      const id = await insertSecret(sql, accountId, { ...input, hash: hashOfSecret(secret), createdAt: context.now() });
      const after = (await readServiceAccount(sql, accountId)).secrets.find((each) => each.id === id)!;
      await recordAudit(sql, context, { action: 'ADD_SECRET', entity: 'serviceAccount', entityId: accountId, after });
      return after;
    }),
  );
  return { ...added, secret };
}

/** All tokens of the account end with a secret: which one of them it got is not known. Other secrets get new ones. */
export async function removeSecret(context: Context, accountId: number, id: number): Promise<ServiceAccount> {
  const account = await context.elevated(ELEVATION.userRights, (system) =>
    system.transaction(async (sql) => {
      await lockUser(sql, accountId);
      const { secrets } = await readServiceAccount(sql, accountId);
      const before = secrets.find((each) => each.id === id) ?? reject('NOT_FOUND', recordRef('Secret', id));
      await deleteSecret(sql, accountId, id);
      await endTokens(sql, accountId);
      await recordAudit(sql, context, {
        action: 'REMOVE_SECRET',
        entity: 'serviceAccount',
        entityId: accountId,
        before,
      });
      return readServiceAccount(sql, accountId);
    }),
  );
  context.rightsChanged();
  return account;
}

export async function readServiceAccount(sql: Sql, id: number): Promise<ServiceAccount> {
  const row = (await selectServiceAccount(sql, id)) ?? reject('NOT_FOUND', recordRef('Service account', id));
  return { ...row, secrets: await secretsOf(sql, [id]).then((of) => of(id)) };
}

/** The secrets of each of the accounts. */
export async function secretsOf(sql: Sql, ids: readonly number[]): Promise<(id: number) => SecretRow[]> {
  const rows = Map.groupBy(await selectSecrets(sql, ids), ({ accountId }) => accountId);
  return (id) => (rows.get(id) ?? []).map(({ accountId: _, ...secret }) => secret);
}

/**
 * SHA-256 is enough for 256 random bits, which nobody guesses from a stolen table; a hash that is made slow protects
 * passwords, and here would only make each token dear.
 */
export function hashOfSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
