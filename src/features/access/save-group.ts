import { problem, reject, throwIfAny } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import type { Context } from '../../platform/context.ts';
import type { Sql, Transaction } from '../../platform/database/sql.ts';
import { CONSTRAINT, violates } from '../constraints.ts';
import { rejectWhenReferenced } from '../master-data/reject-when-referenced.ts';
import type { TenantCodes } from './access.ts';
import { recordAudit } from './audit.sql.ts';
import { type GroupRow, selectGroup } from './groups.read.sql.ts';
import {
  deleteGroupRow,
  type GroupFields,
  type GroupPermission,
  insertGroup,
  lockGroup,
  replaceGroupPermissions,
  replaceMembers,
  selectUnknownUsers,
  updateGroup,
} from './groups.sql.ts';
import { selectTenant } from './permissions.read.sql.ts';

export interface GroupInput extends GroupFields {
  readonly users: readonly number[];
  readonly companies: readonly TenantCodes[];
}

/** A group whose members inherit its permissions. */
export function createGroup(context: Context, facts: GroupInput): Promise<GroupRow> {
  return saveGroupRow(context, facts, async (sql) => {
    const id = await insertGroup(sql, facts);
    const after = await fill(sql, id, facts);
    await recordAudit(sql, context, { action: 'CREATE', entity: 'group', entityId: id, after });
    return after;
  });
}

export function changeGroup(context: Context, id: number, facts: GroupInput): Promise<GroupRow> {
  return saveGroupRow(context, facts, async (sql) => {
    await lockGroup(sql, id);
    const before = await requireGroup(sql, id);
    await updateGroup(sql, id, facts);
    const after = await fill(sql, id, facts);
    await recordAudit(sql, context, { action: 'UPDATE', entity: 'group', entityId: id, before, after });
    return after;
  });
}

/** Only without members and accesses; its permissions are deleted with it. */
export async function deleteGroup(context: Context, id: number): Promise<void> {
  await rejectWhenReferenced(recordRef('Group', id), () =>
    context.transaction(async (sql) => {
      await lockGroup(sql, id);
      const before = await requireGroup(sql, id);
      await deleteGroupRow(sql, id);
      await recordAudit(sql, context, { action: 'DELETE', entity: 'group', entityId: id, before });
    }),
  );
  context.rightsChanged();
}

async function saveGroupRow(
  context: Context,
  facts: GroupInput,
  work: (sql: Transaction) => Promise<GroupRow>,
): Promise<GroupRow> {
  try {
    const group = await context.transaction(work);
    context.rightsChanged();
    return group;
  } catch (error) {
    if (violates(error, CONSTRAINT.GROUP_CODE)) reject('DUPLICATE', recordRef('Group', facts.code ?? ''), 'code');
    if (!violates(error, CONSTRAINT.GROUP_NAME)) throw error;
    return reject('DUPLICATE', recordRef('Group', facts.name), 'name');
  }
}

async function fill(sql: Sql, id: number, { users, companies }: GroupInput): Promise<GroupRow> {
  const unknown = await selectUnknownUsers(sql, users);
  throwIfAny(unknown.map((user) => problem('NOT_FOUND', recordRef('User', user), 'users')));
  await replaceMembers(sql, id, users);
  await replaceGroupPermissions(sql, id, await permissionsOf(sql, companies));
  return requireGroup(sql, id);
}

async function permissionsOf(sql: Sql, companies: readonly TenantCodes[]): Promise<GroupPermission[]> {
  const permissions: GroupPermission[] = [];
  for (const { company, branch } of companies) {
    const tenant = await selectTenant(sql, company, branch ?? null);
    if (!tenant) reject('NOT_FOUND', recordRef('Company', company), 'companies');
    if (branch !== undefined && tenant.branchId === null) {
      reject('NOT_FOUND', recordRef('Branch', branch), 'companies');
    }
    permissions.push({ companyId: tenant.companyId, branchId: branch === undefined ? null : tenant.branchId });
  }
  return permissions;
}

async function requireGroup(sql: Sql, id: number): Promise<GroupRow> {
  return (await selectGroup(sql, id)) ?? reject('NOT_FOUND', recordRef('Group', id));
}
