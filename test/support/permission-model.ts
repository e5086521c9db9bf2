import type { RoutineCode } from '../../src/features/access/access.ts';

// Who may do what, as plainly as it can be said: no SQL, no cache, one user and one request at a time. What the
// program decides is compared with it.

/** A company, or one branch of it. */
export interface ModelTenant {
  readonly company: string;
  readonly branch?: string | undefined;
}

export interface ModelUser {
  readonly admin: boolean;
  readonly active: boolean;
  readonly expired: boolean;
  readonly permissions: readonly ModelTenant[];
}

export interface ModelGroup {
  readonly active: boolean;
  /** Places of the members among the users. */
  readonly members: readonly number[];
  readonly permissions: readonly ModelTenant[];
}

export interface ModelRow {
  readonly routine: RoutineCode;
  readonly holder: { readonly user: number } | { readonly group: number };
  readonly canRead: boolean;
  readonly canWrite: boolean;
  readonly canExecute: boolean;
  /** Days from today. */
  readonly validFrom: number | null;
  readonly validTo: number | null;
  readonly active: boolean;
}

export interface PermissionWorld {
  readonly users: readonly ModelUser[];
  readonly groups: readonly ModelGroup[];
  readonly restricted: readonly RoutineCode[];
  readonly rows: readonly ModelRow[];
}

/** A request: the tenants that it names, none for a record without tenant, and the routine that guards it. */
export interface ModelRequest {
  readonly tenant: ModelTenant | undefined;
  readonly routine: RoutineCode | undefined;
}

export type Decision = 'PASSES' | 'UNAUTHENTICATED' | 'TENANT_DENIED' | 'NO_PERMISSION' | 'ROUTINE_DENIED';

export function decide(world: PermissionWorld, at: number, { tenant, routine }: ModelRequest): Decision {
  const user = world.users[at]!;
  if (!user.active || user.expired) return 'UNAUTHENTICATED';
  if (user.admin) return 'PASSES';
  const held = permissionsOf(world, at);
  if (tenant === undefined && held.length === 0) return 'NO_PERMISSION';
  if (tenant !== undefined && !held.some((each) => covers(each, tenant))) return 'TENANT_DENIED';
  return routine === undefined || passes(world, at, routine) ? 'PASSES' : 'ROUTINE_DENIED';
}

/** A branch's permission also opens its company, as far as that branch goes. */
function covers(held: ModelTenant, asked: ModelTenant): boolean {
  if (held.company !== asked.company) return false;
  return held.branch === undefined || asked.branch === undefined || held.branch === asked.branch;
}

function passes(world: PermissionWorld, at: number, routine: RoutineCode): boolean {
  const rows = world.rows.filter((row) => row.routine === routine);
  if (rows.some((row) => isInForce(row) && isHeldBy(world, row, at))) return true;
  return rows.length === 0 && !world.restricted.includes(routine) && permissionsOf(world, at).length > 0;
}

function isInForce({ active, canWrite, canExecute, validFrom, validTo }: ModelRow): boolean {
  return active && (canWrite || canExecute) && (validFrom ?? 0) <= 0 && (validTo ?? 0) >= 0;
}

function isHeldBy(world: PermissionWorld, { holder }: ModelRow, at: number): boolean {
  return 'user' in holder ? holder.user === at : isMember(world.groups[holder.group]!, at);
}

function isMember({ active, members }: ModelGroup, at: number): boolean {
  return active && members.includes(at);
}

function permissionsOf({ users, groups }: PermissionWorld, at: number): ModelTenant[] {
  const inherited = groups.filter((group) => isMember(group, at)).flatMap((group) => group.permissions);
  return [...users[at]!.permissions, ...inherited];
}
