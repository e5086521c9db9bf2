import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { retryOnNumberConflict } from '../batches/retry-on-number-conflict.ts';
import { decideEntry, type EntryInput, type SimpleEntry, withOffsetAccount } from './decide-entry.ts';
import type { EntryRow } from './entries.read.sql.ts';
import { postTogether } from './post-together.ts';
import { readFactsOfEntries } from './posting-facts.ts';
import { writeEntries } from './write-entries.ts';

/**
 * Posts a simple logical entry: two lines, debit equal to credit by construction, under the rules of any posting
 * (accounting/posting.ts). Answers its first line. Entries of a branch that come at the same time are written together.
 */
export async function postEntry(context: Context, tenant: Tenant, given: EntryInput): Promise<EntryRow> {
  const entry = withOffsetAccount(given);
  return (await postTogether(context, tenant, entry)) ?? postAlone(context, tenant, entry);
}

/** In a transaction of its own, which waits for who else holds document, month or accounts. */
function postAlone(context: Context, tenant: Tenant, entry: SimpleEntry): Promise<EntryRow> {
  return retryOnNumberConflict({ record: 'Entry', number: entry.number, path: 'entry.number' }, () =>
    context.transaction(async (sql) => {
      const facts = await readFactsOfEntries(sql, tenant, [entry], 'WAIT');
      const decided = decideEntry(entry, facts, context.caller.username);
      const [line] = await writeEntries(sql, tenant, [decided]);
      return line!;
    }),
  );
}
