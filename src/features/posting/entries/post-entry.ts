import type { AccountId } from '../../../accounting/ids.ts';
import type { Centavos } from '../../../accounting/money.ts';
import { type Day, dayIn, type Month, slashOf } from '../../../accounting/period.ts';
import { monthProblem, physicalLines, postingProblems } from '../../../accounting/posting.ts';
import { BusinessError, reject, throwIfAny } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import type { DocumentPlace } from '../../integration/events/event-data.ts';
import { postedEvents, recordEvents } from '../../integration/events/record-events.sql.ts';
import { rejectLongNumber, retryOnNumberConflict } from '../batches/retry-on-number-conflict.ts';
import type { EntryRow } from './entries.read.sql.ts';
import { insertEntry, lockPostingPlace, type NewLine, nextEntryNumber, type PostingPlace } from './entries.sql.ts';
import { readPostingFacts } from './posting-facts.ts';

/** A line and its offset account: together the two lines of a simple entry. */
export interface EntryInput {
  readonly documentId: number;
  /** Absent: the number after the document's highest. */
  readonly number: string | undefined;
  readonly side: 'D' | 'C';
  readonly dayNumber: number;
  readonly accountId: AccountId;
  readonly offsetAccountId: AccountId | undefined;
  readonly amount: Centavos;
  readonly narration: string | undefined;
  readonly narrationCode: string | undefined;
  /** Day of a fact that was not posted on its day. */
  readonly factDay: Day | undefined;
}

/** A simple entry: the offset account makes the line that balances it. */
export interface SimpleEntry extends EntryInput {
  readonly offsetAccountId: AccountId;
}

/**
 * Posts a simple logical entry: two lines, debit equal to credit by construction, under the rules of any posting
 * (accounting/posting.ts). Answers its lines.
 */
export async function postEntry(context: Context, tenant: Tenant, given: EntryInput): Promise<EntryRow[]> {
  const entry = withOffsetAccount(given);
  const { number: wanted } = entry;
  return retryOnNumberConflict({ record: 'Entry', number: wanted, path: 'entry.number' }, () =>
    context.transaction(async (sql) => {
      const place =
        (await lockPostingPlace(sql, tenant.companyId, entry.documentId)) ??
        reject('NOT_FOUND', recordRef('Document', entry.documentId), 'entry.document');
      const { day, lines } = await checkLines(sql, tenant, place, entry);
      const number = wanted ?? (await nextEntryNumber(sql, tenant.companyId, entry.documentId));
      rejectLongNumber(number, 10, 'entry.number');
      recordEvents(sql, postedEvents(place, { source: 'ENTRY', ...placeOf(place) }, [{ entry: number, day }]));
      return insertEntry(sql, place, number, day, lines, context.caller.username);
    }),
  );
}

/** The document's place alone, as events name it. */
export function placeOf({ month, batchId, batch, documentId, document }: DocumentPlace): DocumentPlace {
  return { month, batchId, batch, documentId, document };
}

/** Without an offset account nothing balances a single line. */
export function withOffsetAccount(entry: EntryInput): SimpleEntry {
  const { offsetAccountId } = entry;
  if (offsetAccountId === undefined) reject('COUNTER_ACCOUNT_REQUIRED', {}, 'entry.offsetAccount');
  return { ...entry, offsetAccountId };
}

/** Both lines of the entry; throws what the posting rules reject. */
export async function checkLines(
  sql: Sql,
  tenant: Tenant,
  place: Pick<PostingPlace, 'month' | 'state'>,
  entry: SimpleEntry,
): Promise<{ day: Day; lines: NewLine[] }> {
  const { month, state } = place;
  const day = dayIn(month, entry.dayNumber) ?? rejectDay(place, entry.dayNumber);
  const line = {
    day,
    side: entry.side,
    accountId: entry.accountId,
    offsetAccountId: entry.offsetAccountId,
    amount: entry.amount,
    narration: entry.narration ?? null,
    narrationCode: entry.narrationCode ?? null,
    factDay: entry.factDay ?? null,
  };
  const facts = await readPostingFacts(sql, tenant, { month, state }, [line]);
  throwIfAny(postingProblems({ number: entry.number ?? '', lines: [line] }, facts));
  return { day, lines: physicalLines([line])! };
}

/** A closed month takes no entry on any day. */
function rejectDay({ month, state }: { month: Month; state: PostingPlace['state'] }, day: number): never {
  const shut = monthProblem(state, month, 'entry.month');
  if (shut) throw new BusinessError(shut);
  return reject('DAY_NOT_IN_MONTH', { day, month: slashOf(month) }, 'entry.day');
}
