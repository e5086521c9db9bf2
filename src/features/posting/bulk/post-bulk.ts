import { problem, RetryLater } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { recordAudits } from '../../access/audit.sql.ts';
import { CONSTRAINT, violates } from '../../constraints.ts';
import { type NewEvent, postedEvents, recordEvents } from '../../operations/events/record-events.sql.ts';
import {
  insertEntriesOfBranches,
  lockDocumentRows,
  type NewEntry,
  selectHighestNumbers,
  selectTakenNumbers,
} from './bulk.sql.ts';
import type { BulkEntry, BulkOutcome } from './bulk-entry.ts';
import { createDocuments, findDocuments, type TargetDocument } from './bulk-places.ts';
import { type CheckedEntry, checkEntry } from './check-entry.ts';
import { insertSources } from './entry-sources.sql.ts';
import { readBulkFacts } from './read-bulk-facts.ts';
import { findRepeats } from './repeated-entries.ts';

/** ALL_OR_NONE: one at fault and nothing is stored. GOOD_ONES: each for itself. NOTHING: they are only checked. */
export type BulkMode = 'ALL_OR_NONE' | 'GOOD_ONES' | 'NOTHING';

/** Nothing was stored; the outcomes say why, in the order of the entries. */
export class BulkRejected extends Error {
  readonly outcomes: readonly BulkOutcome[];

  constructor(outcomes: readonly BulkOutcome[]) {
    super('entries are at fault, nothing is stored');
    this.outcomes = outcomes;
  }
}

/** How often a number or an external id may be taken by others while the entries are written. */
const ATTEMPTS = 5;

/**
 * Posts the entries of one request in one transaction, under the rules of any posting (accounting/posting.ts). What they
 * need to know of the books is read for all of them together, and their lines are written together. Answers what became of
 * each, in their order.
 * @throws BulkRejected in the modes that store nothing where an entry is at fault
 */
export async function postBulk(
  context: Context,
  entries: readonly BulkEntry[],
  mode: BulkMode,
): Promise<BulkOutcome[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await context.transaction((sql) => post(sql, context, entries, mode, attempt > 1));
    } catch (error) {
      // Whoever took it has committed: the next attempt sees it and says so of the entry.
      if (!(error instanceof TakenMeanwhile) && !violates(error, CONSTRAINT.ENTRY_NUMBER)) throw error;
      if (attempt === ATTEMPTS) throw new RetryLater(problem('BUSY'), 1);
    }
  }
}

/** Another transaction took an external id, or removed a document, between the check and the write. */
class TakenMeanwhile extends Error {}

/** An entry on its way into the books. */
interface Accepted {
  readonly at: number;
  readonly entry: BulkEntry;
  readonly checked: CheckedEntry;
  readonly target: TargetDocument;
}

async function post(
  sql: Transaction,
  context: Context,
  entries: readonly BulkEntry[],
  mode: BulkMode,
  checksNumbers: boolean,
): Promise<BulkOutcome[]> {
  const { outcomes, twins, hashes } = await findRepeats(sql, entries);
  const fresh = entries.flatMap((entry, at) => (outcomes[at] === undefined && !twins.has(at) ? [{ at, entry }] : []));
  let accepted = fresh.length === 0 ? [] : await checkAll(sql, fresh, outcomes);
  const isAtFault = () => outcomes.some((outcome) => outcome?.status === 'REJECTED');
  if (checksNumbers || (isAtFault() && mode !== 'GOOD_ONES')) accepted = await rejectTaken(sql, accepted, outcomes);
  const throwIfNothingIsStored = () => {
    if (mode === 'NOTHING' || (mode === 'ALL_OR_NONE' && isAtFault()))
      throw new BulkRejected(complete(outcomes, twins));
  };
  throwIfNothingIsStored();
  if (accepted.length > 0) {
    const by = context.caller.username;
    await createDocuments(sql, [...new Set(accepted.map(({ target }) => target))], by);
    const numbered = await giveNumbers(sql, accepted, outcomes);
    throwIfNothingIsStored();
    await writeEntries(sql, context, numbered, hashes);
    for (const { at, target, number } of numbered) {
      outcomes[at] = { status: 'CREATED', documentId: target.found.documentId!, number };
    }
  }
  return complete(outcomes, twins);
}

/** Entries that repeat one of the same request share its fate. */
function complete(outcomes: readonly (BulkOutcome | undefined)[], twins: ReadonlyMap<number, number>): BulkOutcome[] {
  return Array.from(outcomes, (outcome, at) => {
    const own = outcome ?? outcomes[twins.get(at)!];
    // Nothing is wrong with it, and nothing was stored.
    if (own === undefined) return { status: 'REJECTED', problems: [] };
    return twins.has(at) && own.status === 'CREATED' ? { ...own, status: 'REPEATED' } : own;
  });
}

/** Reads the books and checks every entry against them and against the others; rejected ones get their outcome. */
async function checkAll(
  sql: Transaction,
  fresh: readonly { readonly at: number; readonly entry: BulkEntry }[],
  outcomes: (BulkOutcome | undefined)[],
): Promise<Accepted[]> {
  const entries = fresh.map(({ entry }) => entry);
  const factsOf = await readBulkFacts(sql, entries);
  const targetOf = await findDocuments(sql, entries);
  const accepted: Accepted[] = [];
  const numbers = new Map<TargetDocument, Set<string>>();
  for (const { at, entry } of fresh) {
    const checked = checkEntry(entry, factsOf(entry), at);
    const target = targetOf(entry);
    const problems = [...('day' in checked ? [] : checked)];
    if ('code' in target) {
      // In a month that takes no entries nothing else matters.
      if (!problems.some(({ path }) => path === 'month' || path === 'branch')) problems.push(target);
    } else if (entry.number !== undefined) {
      const taken = numbers.get(target) ?? new Set();
      numbers.set(target, taken);
      if (taken.has(entry.number)) problems.push(duplicate(entry.number));
      else if (problems.length === 0) taken.add(entry.number);
    }
    if (problems.length > 0) outcomes[at] = { status: 'REJECTED', problems };
    else accepted.push({ at, entry, checked: checked as CheckedEntry, target: target as TargetDocument });
  }
  return accepted;
}

function duplicate(number: string) {
  return problem('DUPLICATE', recordRef('Entry', number), 'number');
}

/** Rejects entries whose number their document has already. */
async function rejectTaken(
  sql: Transaction,
  accepted: readonly Accepted[],
  outcomes: (BulkOutcome | undefined)[],
): Promise<Accepted[]> {
  const numbered = accepted.flatMap(({ entry: { tenant, number }, target }) =>
    number === undefined || target.found.documentId === null
      ? []
      : [{ companyId: tenant.companyId, documentId: target.found.documentId, number }],
  );
  if (numbered.length === 0) return [...accepted];
  const taken = new Set((await selectTakenNumbers(sql, numbered)).map((each) => `${each.documentId} ${each.number}`));
  return accepted.filter(({ at, entry: { number }, target }) => {
    if (number === undefined || !taken.has(`${target.found.documentId} ${number}`)) return true;
    outcomes[at] = { status: 'REJECTED', problems: [duplicate(number)] };
    return false;
  });
}

type Numbered = Accepted & { readonly number: string };

/** Locks the documents; entries without a number get those after the highest of their document and of the request. */
async function giveNumbers(
  sql: Transaction,
  accepted: readonly Accepted[],
  outcomes: (BulkOutcome | undefined)[],
): Promise<Numbered[]> {
  const open = new Set(accepted.filter(({ entry }) => entry.number === undefined).map(({ target }) => target));
  const named = new Set(accepted.map(({ target }) => target).filter((target) => !open.has(target)));
  for (const [targets, forNumbers] of [
    [open, true],
    [named, false],
  ] as const) {
    if (targets.size === 0) continue;
    const held = await lockDocumentRows(sql, [...targets].map(documentKey), forNumbers);
    if (held < targets.size) throw new TakenMeanwhile();
  }
  const highest = new Map<TargetDocument, bigint>();
  if (open.size > 0) {
    const found = await selectHighestNumbers(sql, [...open].map(documentKey));
    for (const [at, target] of [...open].entries()) highest.set(target, BigInt(found[at] ?? 0));
    for (const { target, entry } of accepted) {
      const given = /^\d+$/.test(entry.number ?? '') ? BigInt(entry.number!) : 0n;
      if (open.has(target) && given > highest.get(target)!) highest.set(target, given);
    }
  }
  return accepted.flatMap((each) => {
    if (each.entry.number !== undefined) return [{ ...each, number: each.entry.number }];
    const next = highest.get(each.target)! + 1n;
    const number = String(next);
    if (number.length <= MAX_NUMBER_LENGTH) {
      highest.set(each.target, next);
      return [{ ...each, number }];
    }
    const usedUp = problem('INVALID_FIELD', { reason: 'NUMBERS_USED_UP' }, 'number');
    outcomes[each.at] = { status: 'REJECTED', problems: [usedUp] };
    return [];
  });
}

/** A generated number has at most the length of a given one. */
const MAX_NUMBER_LENGTH = 10;

function documentKey({ wanted, found: { documentId } }: TargetDocument) {
  // Made by this transaction, or found and not made because it was there: a document that is missing was just removed.
  if (documentId === null) throw new TakenMeanwhile();
  return { companyId: wanted.companyId, documentId };
}

/** The one place where the entries of a request are written: what they say of themselves, their lines, and the trail. */
async function writeEntries(
  sql: Transaction,
  context: Context,
  numbered: readonly Numbered[],
  hashes: ReadonlyMap<BulkEntry, string>,
): Promise<void> {
  if (numbered.length === 0) return;
  const by = context.caller.username;
  const sourceIds = await writeSources(sql, numbered, hashes, by);
  const written: NewEntry[] = numbered.map(({ entry, checked, target, number }) => ({
    companyId: entry.tenant.companyId,
    branchId: entry.tenant.branchId,
    documentId: target.found.documentId!,
    month: entry.month,
    day: checked.day,
    number,
    narrationCode: entry.narrationCode,
    factDay: entry.factDay ?? null,
    sourceId: sourceIds.get(`${target.found.documentId} ${number}`) ?? null,
    lines: checked.lines,
  }));
  await insertEntriesOfBranches(sql, written, by);
  recordEvents(sql, eventsOf(numbered));
  const perBranch = Map.groupBy(numbered, ({ entry }) => entry.tenant.branchId);
  await recordAudits(
    sql,
    context,
    [...perBranch.values()].map((ofBranch) => ({
      action: 'POST',
      entity: 'entry',
      companyId: ofBranch[0]!.entry.tenant.companyId,
      branchId: ofBranch[0]!.entry.tenant.branchId,
      after: {
        entries: ofBranch.length,
        lines: ofBranch.reduce((sum, { checked }) => sum + checked.lines.length, 0),
        documents: [...new Set(ofBranch.map(({ target }) => target.found.documentId!))].slice(0, MAX_LISTED),
      },
    })),
  );
}

/** Document by document, in the order of their first entries. */
function eventsOf(numbered: readonly Numbered[]): NewEvent[] {
  return [...Map.groupBy(numbered, ({ target }) => target)].flatMap(([{ found }, entries]) => {
    const { tenant, month } = entries[0]!.entry;
    const place = { month, ...(found as NonNullableOf<typeof found>) };
    const named = entries.map(({ entry: { source }, checked, number }) => ({
      entry: number,
      day: checked.day,
      ...(source?.origin ? { origin: source.origin } : {}),
      ...(source?.externalId === undefined ? {} : { externalId: source.externalId }),
    }));
    return postedEvents(tenant, { source: 'BULK', ...place }, named);
  });
}

type NonNullableOf<T> = { [Key in keyof T]: NonNullable<T[Key]> };

/** Documents that one row of the trail names: each of their lines says who made it. */
const MAX_LISTED = 200;

/** Ids of what entries say of themselves, by document and number. */
async function writeSources(
  sql: Transaction,
  numbered: readonly Numbered[],
  hashes: ReadonlyMap<BulkEntry, string>,
  by: string,
): Promise<Map<string, number>> {
  const sources = numbered.flatMap(({ entry, target, number }) => {
    if (entry.source === undefined) return [];
    const { companyId, branchId } = entry.tenant;
    const { origin, externalId = null, metadata } = entry.source;
    const said = { origin, externalId, metadata: metadata === undefined ? null : JSON.stringify(metadata) };
    return [{ companyId, branchId, documentId: target.found.documentId!, number, ...said, hash: hashes.get(entry)! }];
  });
  if (sources.length === 0) return new Map();
  const written = await insertSources(sql, sources, by);
  if (written.length < sources.length) throw new TakenMeanwhile();
  return new Map(written.map(({ id, documentId, number }) => [`${documentId} ${number}`, id]));
}
