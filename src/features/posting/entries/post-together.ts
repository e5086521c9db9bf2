import { BusinessError } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import { DatabaseLost, StatementCancelled, sqlState, TransactionBusy } from '../../../platform/database/errors.ts';
import { Gathering } from '../../../platform/gathering.ts';
import { perDatabase } from '../../../platform/per-database.ts';
import type { Tenant } from '../../access/access.ts';
import { type DecidedEntry, decideEntry, type SimpleEntry } from './decide-entry.ts';
import type { EntryRow } from './entries.read.sql.ts';
import type { Patience } from './entries.sql.ts';
import { type FactsOfEntries, readFactsOfEntries } from './posting-facts.ts';
import { writeEntries } from './write-entries.ts';

/** Most entries of one transaction. */
const MOST_TOGETHER = 64;

interface Asked {
  readonly context: Context;
  readonly tenant: Tenant;
  readonly entry: SimpleEntry;
}

/** The first line of an entry; HELD where the document is not free; undefined where it must be posted alone. */
type Outcome = EntryRow | 'HELD' | undefined;

const gatheringsOf = perDatabase(() => new Map<string, Gathering<Asked, Outcome>>());

/**
 * Posts the entry in one transaction with those of the same branch that come while the group before it is written: for
 * all of them one reading of facts, one INSERT and one COMMIT. Such a group waits for nobody. Entries whose document
 * somebody else holds, as another process that posts into it, gather for that document and wait for it as one. Neither
 * rejects anything: undefined for an entry that breaks a rule, or whose month or accounts are not free; and for all of
 * them where the transaction failed and nothing is stored, as when a number is taken. Posted alone, each gets its own
 * answer. Throws where it is not known whether the group is stored, and where the wait for a document was in vain.
 */
export async function postTogether(
  context: Context,
  tenant: Tenant,
  entry: SimpleEntry,
): Promise<EntryRow | undefined> {
  // Under an Idempotency-Key, entry and answer share a transaction of their own.
  if (context.isJoined) return undefined;
  const gatherings = gatheringsOf(context);
  const ofBranch = JSON.stringify([tenant.companyId, tenant.branchId, context.scope]);
  const ofDocument = JSON.stringify([tenant.companyId, tenant.branchId, context.scope, entry.documentId]);
  const gather = (key: string, patience: Patience): Promise<Outcome> => {
    let gathering = gatherings.get(key);
    if (gathering === undefined) {
      const options = { most: MOST_TOGETHER, whenQuiet: () => gatherings.delete(key) };
      gathering = new Gathering((group) => postGroup(group, patience), options);
      gatherings.set(key, gathering);
    }
    return gathering.add({ context, tenant, entry });
  };
  // Who waits for the document already is joined.
  const outcome = gatherings.has(ofDocument) ? 'HELD' : await gather(ofBranch, 'AT ONCE');
  const posted = outcome === 'HELD' ? await gather(ofDocument, 'WAIT') : outcome;
  return posted === 'HELD' ? undefined : posted;
}

async function postGroup(group: readonly Asked[], patience: Patience): Promise<Outcome[]> {
  const { context, tenant } = group[0]!;
  try {
    return await context.transaction(async (sql) => {
      const facts = await readFactsOfEntries(
        sql,
        tenant,
        group.map(({ entry }) => entry),
        patience,
      );
      const decided = withoutDoubles(group.map((asked) => decide(asked, facts)));
      const entries = decided.filter(isDecided);
      const rows = entries.length === 0 ? [] : await writeEntries(sql, tenant, entries);
      const posted = new Map(rows.map((row) => [keyOf(row), row]));
      return decided.map((entry) => (isDecided(entry) ? posted.get(keyOf(entry)) : entry));
    });
  } catch (error) {
    if (!isUndone(error, patience)) throw error;
    return group.map(() => undefined);
  }
}

type Decided = DecidedEntry | 'HELD' | undefined;

/** undefined for an entry that must be posted alone. */
function decide({ context, entry }: Asked, facts: FactsOfEntries): Decided {
  if (facts.place(entry.documentId) === undefined) return 'HELD';
  try {
    return decideEntry(entry, facts, context.caller.username);
  } catch (error) {
    if (error instanceof BusinessError) return undefined;
    throw error;
  }
}

function isDecided(entry: Decided): entry is DecidedEntry {
  return entry !== undefined && entry !== 'HELD';
}

/** Of entries that want the same number of a document, the first. */
function withoutDoubles(entries: readonly Decided[]): Decided[] {
  const keys = new Set<string>();
  return entries.map((entry) => {
    if (!isDecided(entry)) return entry;
    if (keys.has(keyOf(entry))) return undefined;
    keys.add(keyOf(entry));
    return entry;
  });
}

function keyOf({ documentId, number }: { documentId: number; number: string }): string {
  return `${documentId}/${number}`;
}

/** Whether it is known that nothing is stored, and each may still be posted alone. */
function isUndone(error: unknown, patience: Patience): boolean {
  if (error instanceof DatabaseLost || error instanceof StatementCancelled) return false;
  // Who waited in vain would alone wait as long again.
  if (error instanceof TransactionBusy) return patience === 'AT ONCE' && sqlState(error.cause) !== undefined;
  return true;
}
