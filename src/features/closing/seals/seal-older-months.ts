import type { Month } from '../../../accounting/period.ts';
import type { Context } from '../../../platform/context.ts';
import type { SealKeys } from '../../../platform/seal-keys/seal-keys.ts';
import type { BranchKey } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { lockMonthShared } from '../../posting/months/months.sql.ts';
import { selectLastSeal, selectSealedStates } from '../verify/seal-facts.read.sql.ts';
import { readMonthRoots } from './month-roots.ts';
import { sealMonth } from './seal-month.ts';

/** What became of a month that was to be sealed. */
interface SealedOlderMonth {
  readonly month: Month;
  /** Undefined: it has no seal, although it was closed when seals were there; one made now would hide that. */
  readonly seal: string | undefined;
}

/**
 * Seals the branch's months that were closed before seals existed and have none, the oldest first, each in a transaction of
 * its own: what they are now, after the last seal of the branch's log. Months with seals and open ones are passed over.
 * @throws SealKeyError
 */
export async function* sealOlderMonths(
  context: Context,
  branch: BranchKey,
  keys: SealKeys,
  only?: Month,
): AsyncGenerator<SealedOlderMonth> {
  for (const { month, state, isOlder } of await selectSealedStates(context.sql, branch)) {
    if (state !== 'CLOSED' || (only !== undefined && month !== only)) continue;
    if ((await selectLastSeal(context.sql, branch, month)) !== undefined) continue;
    if (!isOlder) yield { month, seal: undefined };
    else {
      const seal = await sealOlderMonth(context, branch, month, keys);
      if (seal !== undefined) yield { month, seal };
    }
  }
}

/** Undefined where somebody opened or sealed it meanwhile. */
function sealOlderMonth(
  context: Context,
  branch: BranchKey,
  month: Month,
  keys: SealKeys,
): Promise<string | undefined> {
  return context.transaction(async (sql) => {
    const key = { ...branch, month };
    // Closed, it is not written to; it can neither be opened nor be archived before the commit.
    const locked = await lockMonthShared(sql, key);
    if (locked?.state !== 'CLOSED' || (await selectLastSeal(sql, branch, month)) !== undefined) return undefined;
    const roots = await readMonthRoots(sql, { ...key, archived: locked.archived });
    const sealer = { keys, sealedBy: context.caller.username, sealedAt: context.now() };
    const seal = await sealMonth(sql, branch, month, roots, sealer);
    await recordAudit(sql, context, { action: 'SEAL', entity: 'month', entityId: month, ...branch, after: { seal } });
    return seal;
  });
}
