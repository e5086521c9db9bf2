import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';
import { offsetOf, type PageRequest } from '../../platform/page-request.ts';
import { rightsOf } from './permissions.read.sql.ts';
import { matches } from './users.read.sql.ts';

export interface MatrixRoutine {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly description: string | null;
  readonly module: string | null;
  readonly restricted: boolean;
  /** Who stands on its rows. One without rows that is not restricted is open to every user with a company. */
  readonly grants: readonly {
    readonly id: number;
    readonly userId: number | null;
    readonly groupId: number | null;
    readonly canRead: boolean;
    readonly canWrite: boolean;
    readonly canExecute: boolean;
    readonly validFrom: string | null;
    readonly validTo: string | null;
    readonly active: boolean;
  }[];
}

export function selectMatrixRoutines(sql: Sql): Promise<MatrixRoutine[]> {
  return sql.rows<MatrixRoutine>(SQL`
    SELECT routine.id, routine.code, routine.name, routine.description, routine.module, routine.restricted,
           coalesce((SELECT jsonb_agg(jsonb_build_object(
                              'id', routine_access.id, 'userId', routine_access.user_id,
                              'groupId', routine_access.group_id, 'canRead', routine_access.can_read,
                              'canWrite', routine_access.can_write, 'canExecute', routine_access.can_execute,
                              'validFrom', routine_access.valid_from, 'validTo', routine_access.valid_to,
                              'active', routine_access.active) ORDER BY routine_access.id)
                       FROM routine_access WHERE routine_access.routine_id = routine.id), '[]') AS grants
      FROM routine ORDER BY routine.module NULLS LAST, routine.code`);
}

export interface MatrixGroup {
  readonly id: number;
  readonly code: string | null;
  readonly name: string;
  readonly active: boolean;
}

export function selectMatrixGroups(sql: Sql): Promise<MatrixGroup[]> {
  return sql.rows<MatrixGroup>(SQL`
    SELECT user_group.id, user_group.code, user_group.name, user_group.active
      FROM user_group ORDER BY user_group.name`);
}

export interface MatrixUser {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly admin: boolean;
  readonly active: boolean;
  readonly expiresAt: Date | null;
  /** Ids of its groups, inactive ones included. */
  readonly groups: readonly number[];
  /** Codes of the routines that it may use now, through whatever. */
  readonly routines: readonly string[];
}

/** Users by name, each with what it may do. An administrator may do all, whatever the rows say. */
export function selectMatrixUsers(sql: Sql, search: string | undefined, slice: PageRequest): Promise<MatrixUser[]> {
  const rights = rightsOf(SQL`app_user.id`);
  return sql.rows<MatrixUser>(SQL`
    SELECT app_user.id, app_user.username, app_user.name, app_user.admin, app_user.active,
           app_user.expires_at AS "expiresAt",
           ARRAY(SELECT group_member.group_id FROM group_member
                  WHERE group_member.user_id = app_user.id ORDER BY 1) AS groups,
           CASE WHEN app_user.admin THEN ARRAY(SELECT routine.code FROM routine ORDER BY routine.code)
                ELSE granted.routines END AS routines
      FROM app_user
     CROSS JOIN LATERAL (${rights.given} SELECT ${rights.routines} AS routines) AS granted
     WHERE ${matches(search)}
     ORDER BY lower(app_user.username), app_user.id
     LIMIT ${slice.size} OFFSET ${offsetOf(slice)}`);
}
