import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Caller, Context } from '../../../platform/context.ts';
import { recordAudit } from '../audit.sql.ts';
import { heldSessions } from './held-sessions.ts';
import { deleteOtherSessions, deleteSession } from './sessions.sql.ts';

/** Signs out: the cookie opens nothing any more. `user` is whose session it is, who may be no caller yet. */
export async function signOut(context: Context, id: number, user: Caller): Promise<void> {
  await context.transaction(async (sql) => {
    if (!(await deleteSession(sql, id, user.id))) return;
    await recordAudit(sql, { ...context, caller: user }, { action: 'SIGN_OUT', entity: 'session', entityId: user.id });
  });
  heldSessions(context).clear();
}

/** Ends one of the caller's sessions, or, by an administrator, anybody's. */
export async function endSession(context: Context, id: number): Promise<void> {
  const { caller } = context;
  await context.transaction(async (sql) => {
    const ended = await deleteSession(sql, id, caller.admin ? undefined : caller.id);
    if (!ended) reject('NOT_FOUND', recordRef('Session', id), 'id');
    const after = { session: id, username: ended.username };
    await recordAudit(sql, context, { action: 'END_SESSION', entity: 'session', entityId: ended.userId, after });
  });
  heldSessions(context).clear();
}

/** Ends all of the caller's sessions but the one; how many there were. */
export async function endOtherSessions(context: Context, kept: number): Promise<number> {
  const { id } = context.caller;
  const ended = await context.transaction(async (sql) => {
    const count = await deleteOtherSessions(sql, id, kept);
    if (count > 0) {
      const after = { sessions: count };
      await recordAudit(sql, context, { action: 'END_SESSION', entity: 'session', entityId: id, after });
    }
    return count;
  });
  heldSessions(context).clear();
  return ended;
}
