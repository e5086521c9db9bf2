import { BusinessError } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import { DatabaseLost, StatementCancelled, sqlState, TransactionBusy } from '../../../platform/database/errors.ts';
import { Gathering } from '../../../platform/gathering.ts';
import { perDatabase } from '../../../platform/per-database.ts';
import type { Tenant } from '../../access/access.ts';
import { type DecidedEntry, decideEntry, type SimpleEntry } from './decide-entry.ts';
import type { EntryRow } from './entries.read.sql.ts';
import { type FactsOfEntries, readFactsOfEntries } from './posting-facts.ts';
import { writeEntries } from './write-entries.ts';

/** Most entries of one transaction. */
const MOST_TOGETHER = 64;

interface Asked {
  readonly context: Context;
  readonly tenant: Tenant;
  readonly entry: SimpleEntry;
}

/** The first line of an entry, or undefined where the group could not post it: it must be posted alone. */
type Outcome = EntryRow | undefined;

const gatheringsOf = perDatabase(() => new Map<string, Gathering<Asked, Outcome>>());

/**
 * Posts the entry in one transaction with those of the same branch that come while the group before it is written: for
 * all of them one reading of facts, one INSERT and one COMMIT. A group waits for nobody and rejects nothing. undefined
 * for an entry that breaks a rule, or whose document, month or accounts somebody else holds; and for all of them where
 * the transaction failed and nothing is stored, as when a number is taken. Posted alone, each gets its own answer. Throws
 * where it is not known whether the group is stored.
 */
export async function postTogether(context: Context, tenant: Tenant, entry: SimpleEntry): Promise<Outcome> {
  // Under an Idempotency-Key, entry and answer share a transaction of their own.
  if (context.isJoined) return undefined;
  const gatherings = gatheringsOf(context);
  const key = JSON.stringify([tenant.companyId, tenant.branchId, context.scope]);
  let gathering = gatherings.get(key);
  if (gathering === undefined) {
    gathering = new Gathering(postGroup, { most: MOST_TOGETHER, whenQuiet: () => gatherings.delete(key) });
    gatherings.set(key, gathering);
  }
  return gathering.add({ context, tenant, entry });
}

async function postGroup(group: readonly Asked[]): Promise<Outcome[]> {
  const { context, tenant } = group[0]!;
  try {
    return await context.transaction(async (sql) => {
      const facts = await readFactsOfEntries(
        sql,
        tenant,
        group.map(({ entry }) => entry),
        'AT ONCE',
      );
      const decided = withoutDoubles(group.map((asked) => decide(asked, facts)));
      const entries = decided.filter((entry) => entry !== undefined);
      if (entries.length === 0) return decided.map(() => undefined);
      const rows = await writeEntries(sql, tenant, entries);
      const posted = new Map(rows.map((row) => [keyOf(row), row]));
      return decided.map((entry) => entry && posted.get(keyOf(entry)));
    });
  } catch (error) {
    if (!isUndone(error)) throw error;
    return group.map(() => undefined);
  }
}

/** undefined for an entry that must be posted alone. */
function decide({ context, entry }: Asked, facts: FactsOfEntries): DecidedEntry | undefined {
  try {
    return decideEntry(entry, facts, context.caller.username);
  } catch (error) {
    if (error instanceof BusinessError) return undefined;
    throw error;
  }
}

/** Of entries that want the same number of a document, the first. */
function withoutDoubles(entries: readonly (DecidedEntry | undefined)[]): (DecidedEntry | undefined)[] {
  const keys = new Set<string>();
  return entries.map((entry) => {
    if (entry === undefined || keys.has(keyOf(entry))) return undefined;
    keys.add(keyOf(entry));
    return entry;
  });
}

function keyOf({ documentId, number }: { documentId: number; number: string }): string {
  return `${documentId}/${number}`;
}

/** Whether it is known that nothing is stored, and each may still be posted alone. */
function isUndone(error: unknown): boolean {
  if (error instanceof DatabaseLost || error instanceof StatementCancelled) return false;
  // Without a cause of the server's, no connection came free or conflicts did not end: alone they would wait as long.
  return !(error instanceof TransactionBusy) || sqlState(error.cause) !== undefined;
}
