import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { isCommonPassword } from '../../platform/password-rule.ts';
import { CONSTRAINT, violates } from '../constraints.ts';
import type { TenantCodes } from './access.ts';
import { recordAudit } from './audit.sql.ts';
import { selectPasswordHash } from './credentials.sql.ts';
import { ELEVATION } from './elevation-reasons.ts';
import { type Identity, identityKey } from './identity.ts';
import { hashPassword } from './passwords.ts';
import { selectTenant } from './permissions.read.sql.ts';
import { attemptPassword } from './sign-in-attempts.ts';
import { selectCredentialVersion, selectUser, type UserRow } from './users.read.sql.ts';
import {
  type Administrator,
  endTokens,
  insertUser,
  lockAdministrators,
  lockUser,
  type PermissionIds,
  replaceIdentities,
  replacePermissions,
  type UserFields,
  updatePassword,
  updateUserRow,
} from './users.sql.ts';

export interface NewUser extends UserFields {
  /** Without one, only an external provider signs the user in. */
  readonly password: string | undefined;
  readonly permissions: readonly TenantCodes[];
  readonly identities: readonly Identity[];
}

export async function createUser(context: Context, user: NewUser): Promise<UserRow> {
  if (user.password !== undefined) rejectCommonPassword(user.password, user.username, 'password');
  const passwordHash = user.password === undefined ? null : await hashPassword(user.password);
  const created = await saveUserRow(user.username, context, async (sql) => {
    const id = await insertUser(sql, user, passwordHash);
    await replacePermissions(sql, id, await permissionIds(sql, user.permissions));
    await replaceIdentities(sql, id, distinctIdentities(user.identities));
    const after = await readUser(sql, id);
    await recordAudit(sql, context, { action: 'CREATE', entity: 'user', entityId: id, after });
    return after;
  });
  context.rightsChanged();
  return created;
}

/** What a change replaces; absent parts stay as they are. */
export interface UserChange {
  readonly fields?: Omit<UserFields, 'active' | 'admin'> & Partial<Pick<UserFields, 'active' | 'admin'>>;
  readonly active?: boolean;
  readonly permissions?: readonly TenantCodes[];
  readonly identities?: readonly Identity[];
}

export async function changeUser(context: Context, id: number, change: UserChange): Promise<UserRow> {
  const changed = await saveUserRow(change.fields?.username ?? '', context, async (sql) => {
    const administrators = await lockAdministrators(sql);
    await lockUser(sql, id);
    const before = await readUser(sql, id);
    const fields = changedFields(before, change);
    if (fields.admin || (change.identities?.length ?? 0) > 0) requirePerson(before);
    if (before.admin && leavesNoAdministrator(administrators, id, fields, context.now())) reject('LAST_ADMIN');
    await updateUserRow(sql, id, fields);
    if (change.permissions) await replacePermissions(sql, id, await permissionIds(sql, change.permissions));
    if (change.identities) await replaceIdentities(sql, id, distinctIdentities(change.identities));
    const after = await readUser(sql, id);
    if (losesIdentity(before, after)) await endTokens(sql, id);
    const action = change.fields ? 'UPDATE' : change.active === false ? 'DEACTIVATE' : 'GRANT';
    await recordAudit(sql, context, { action, entity: 'user', entityId: id, before, after });
    return after;
  });
  context.rightsChanged();
  return changed;
}

/** An administrator gives a user a new password; the user's tokens end with the old one. */
export async function setPassword(context: Context, id: number, password: string): Promise<UserRow> {
  rejectCommonPassword(password, (await readUser(context.sql, id)).username, 'password');
  return replacePassword(context, id, password);
}

/** With `ofVersion`, throws when the credentials have changed since. */
async function replacePassword(context: Context, id: number, password: string, ofVersion?: number): Promise<UserRow> {
  const passwordHash = await hashPassword(password);
  const user = await context.transaction(async (sql) => {
    await lockUser(sql, id);
    requirePerson(await readUser(sql, id));
    const present = await selectCredentialVersion(sql, id);
    if (ofVersion !== undefined && present?.credentialVersion !== ofVersion) reject('UNAUTHENTICATED');
    await updatePassword(sql, id, passwordHash, context.now());
    await recordAudit(sql, context, { action: 'SET_PASSWORD', entity: 'user', entityId: id });
    return readUser(sql, id);
  });
  context.rightsChanged();
  return user;
}

/**
 * The caller's own password. Users without one belong to an external provider and cannot set one here. Throws
 * UNAUTHENTICATED when the credentials have changed since `ofVersion`, which the caller's token names: of two changes at
 * once that know the same password, the later one fails.
 */
export async function changeOwnPassword(
  context: Context,
  ofVersion: number,
  current: string,
  next: string,
): Promise<void> {
  rejectCommonPassword(next, context.caller.username, 'newPassword');
  const held = await selectPasswordHash(context.sql, context.caller.id);
  if (held?.credentialVersion !== ofVersion) reject('UNAUTHENTICATED');
  const passes = await attemptPassword(context, {
    username: context.caller.username,
    password: current,
    passwordHash: held.passwordHash ?? null,
    allowed: true,
  });
  if (!passes) {
    reject('INVALID_FIELD', { reason: 'WRONG_PASSWORD' }, 'currentPassword');
  }
  await replacePassword(context, context.caller.id, next, ofVersion);
}

function rejectCommonPassword(password: string, username: string, path: string): void {
  if (isCommonPassword(password, username)) reject('COMMON_PASSWORD', {}, path);
}

/** Ends every token of the user that was made until now. */
export async function signOutEverywhere(context: Context, id: number): Promise<UserRow> {
  const user = await context.elevated(ELEVATION.userRights, (system) =>
    system.transaction(async (sql) => {
      const found = await readUser(sql, id);
      await endTokens(sql, id);
      await recordAudit(sql, context, { action: 'SIGN_OUT_EVERYWHERE', entity: 'user', entityId: id });
      return found;
    }),
  );
  context.rightsChanged();
  return user;
}

export async function readUser(sql: Sql, id: number): Promise<UserRow> {
  return (await selectUser(sql, id)) ?? reject('NOT_FOUND', recordRef('User', id));
}

function requirePerson({ kind }: UserRow): void {
  if (kind === 'SERVICE') reject('NOT_FOR_SERVICE_ACCOUNT');
}

/** Administrators without an end count; only where there are none, those whose end is still to come. */
function leavesNoAdministrator(
  administrators: readonly Administrator[],
  id: number,
  after: UserFields,
  now: Date,
): boolean {
  const others = administrators.filter((each) => each.id !== id);
  const before = administrators.find((each) => each.id === id);
  const last = (counts: (expiresAt: Date | null) => boolean) =>
    before !== undefined && counts(before.expiresAt) && !others.some((each) => counts(each.expiresAt));
  const lasting = (expiresAt: Date | null) => expiresAt === null;
  const current = (expiresAt: Date | null) => expiresAt === null || expiresAt > now;
  const stays = (counts: (expiresAt: Date | null) => boolean) =>
    after.admin && after.active && counts(after.expiresAt ?? null);
  return (last(lasting) && !stays(lasting)) || (last(current) && !stays(current));
}

function changedFields(before: UserRow, change: UserChange): UserFields {
  const { fields } = change;
  return {
    username: fields?.username ?? before.username,
    name: fields?.name ?? before.name,
    email: fields ? fields.email : (before.email ?? undefined),
    expiresAt: fields ? fields.expiresAt : (before.expiresAt ?? undefined),
    active: fields?.active ?? change.active ?? before.active,
    admin: fields?.admin ?? before.admin,
  };
}

export async function permissionIds(sql: Sql, permissions: readonly TenantCodes[]): Promise<PermissionIds[]> {
  const ids: PermissionIds[] = [];
  for (const { company, branch } of permissions) {
    const found = await selectTenant(sql, company, branch ?? null);
    if (!found) reject('NOT_FOUND', recordRef('Company', company), 'permissions');
    if (branch !== undefined && found.branchId === null) {
      reject('NOT_FOUND', recordRef('Branch', branch), 'permissions');
    }
    ids.push({ companyId: found.companyId, branchId: found.branchId });
  }
  return ids;
}

/** Tokens that an identity brought end with it. */
function losesIdentity(before: UserRow, after: UserRow): boolean {
  const kept = new Set(after.identities.map(identityKey));
  return before.identities.some((each) => !kept.has(identityKey(each)));
}

function distinctIdentities(identities: readonly Identity[]): Identity[] {
  return [...new Map(identities.map((each) => [identityKey(each), each])).values()];
}

/** A user may grant or change only inside a transaction that sees every company. */
export async function saveUserRow<T>(username: string, context: Context, work: (sql: Sql) => Promise<T>): Promise<T> {
  try {
    return await context.elevated(ELEVATION.userRights, (system) => system.transaction(work));
  } catch (error) {
    if (violates(error, CONSTRAINT.USERNAME)) reject('DUPLICATE', recordRef('User', username), 'username');
    if (!violates(error, CONSTRAINT.IDENTITY)) throw error;
    return reject('DUPLICATE', recordRef('Identity', 'provider, claim and subject'), 'identities');
  }
}
