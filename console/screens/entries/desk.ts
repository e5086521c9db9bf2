import { PartidasProblem } from 'partidas-client';
import { useSyncExternalStore } from 'react';
import type { Month } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import type { Place } from '../../data/place.ts';
import { keepUnsent, unsentOf } from '../../data/unsent-rows.ts';
import { problemsOf } from '../../ui/field.tsx';
import { messageOf } from '../../ui/states.tsx';
import {
  bodyOf,
  type CellName,
  type Draft,
  draftOf,
  isPristine,
  newDraft,
  problemsByCell,
  reopenedDraft,
  withReadAmounts,
} from './draft.ts';
import { type Entry, entryFromWire } from './entries-data.ts';

// What is typed into a document and on its way to the server. It outlives the screen: who comes back finds the row as it
// was left, and rows that got no answer are sent again until they have one.

/**
 * A row that was left by Enter. saving: under way or waiting for its turn; unsure: sent, but no answer came, so it is
 * sent again as it is, under its key; refused: the server said why not; held: put aside for another row.
 */
export interface SentRow {
  readonly draft: Draft;
  readonly state: 'saving' | 'unsure' | 'refused' | 'held';
  readonly problems: Readonly<Record<CellName, string>>;
}

export interface DeskState {
  readonly draft: Draft;
  readonly problems: Readonly<Record<CellName, string>>;
  readonly sent: readonly SentRow[];
  /** The rows were typed before the page was loaded again. */
  readonly isRestored: boolean;
}

type KeptRows = Pick<DeskState, 'draft' | 'problems' | 'sent'>;

/** An entry that this tab has posted, and the row that it was typed as. */
export interface Posted {
  readonly entry: Entry;
  readonly draft: Draft;
}

/** Milliseconds between two tries of a row without answer. */
const TRY_AGAIN = 3_000;

export class Desk {
  readonly documentId: number;
  readonly month: Month;
  /** Newest last: what undo takes back. */
  posted: Posted[] = [];
  /** Told of each entry that the server has written. */
  onWritten: (entry: Entry, wasReplaced: boolean) => void = () => {};
  /** Somebody else has changed what is shown. */
  onChangedElsewhere: () => void = () => {};
  private state: DeskState;
  private readonly place: string;
  private readonly listeners = new Set<() => void>();
  private isSending = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(documentId: number, month: Month, place: string) {
    this.documentId = documentId;
    this.month = month;
    this.place = place;
    this.state = restoredState(place);
    addEventListener('online', () => this.sendNow());
    addEventListener('beforeunload', (event) => {
      if (holdsAnything(this.state)) event.preventDefault();
    });
  }

  now = (): DeskState => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    // Rows of before a reload that may or may not be in the books.
    this.sendNow();
    return () => this.listeners.delete(listener);
  };

  /** Changes the row as it is now, never as a handler once saw it. */
  change(change: (draft: Draft) => Draft): void {
    this.become({ draft: change(this.state.draft) });
  }

  tell(problems: Readonly<Record<CellName, string>>): void {
    this.become({ problems });
  }

  /** The problem of a cell goes as soon as the cell changes. */
  forget(...cells: readonly CellName[]): void {
    const gone = new Set<CellName>(['', ...cells]);
    if (!Object.keys(this.state.problems).some((cell) => gone.has(cell))) return;
    this.become({
      problems: Object.fromEntries(Object.entries(this.state.problems).filter(([cell]) => !gone.has(cell))),
    });
  }

  /** The row is complete: it goes out in its turn, and the next one may be typed. */
  submit(): void {
    const { sent } = this.state;
    const draft = withReadAmounts(this.state.draft);
    this.become({
      draft: newDraft(draft),
      problems: {},
      sent: [...sent, { draft, state: 'saving', problems: {} }],
      isRestored: false,
    });
    void this.send();
  }

  /**
   * What stands above the row being typed, as its author sees it: a row on its way into the books, one that was just
   * written and is not drawn yet, else the last entry that is shown.
   */
  rowAbove(shown: Entry | undefined): Draft | undefined {
    const isUnderWay = ({ state, draft }: SentRow) => (state === 'saving' || state === 'unsure') && !draft.replaces;
    const underWay = this.state.sent.findLast(isUnderWay);
    if (underWay !== undefined) return underWay.draft;
    const written = this.posted.at(-1);
    const isNewer = shown === undefined || Number(written?.entry.number) > Number(shown.number);
    if (written !== undefined && !written.draft.replaces && isNewer) return written.draft;
    return shown && draftOf(shown, 'copy');
  }

  /** Puts a row into the place of the one being typed, which is kept where it holds anything. */
  take(draft: Draft, problems: Readonly<Record<CellName, string>> = {}): void {
    const { draft: present, problems: found } = this.state;
    const sent = this.state.sent.filter((row) => row.draft.key !== draft.key);
    const held: SentRow[] = isPristine(present) ? [] : [{ draft: present, state: 'held', problems: found }];
    this.become({ draft, problems, sent: [...sent, ...held] });
  }

  /** The next row that waits for its author: refused, or put aside. */
  takeNext(): boolean {
    const next = this.state.sent.find(({ state }) => state === 'refused' || state === 'held');
    if (next) this.take(next.draft, next.problems);
    return next !== undefined;
  }

  /** Throws a row away that is not under way. */
  drop(key: string): void {
    this.become({ sent: this.state.sent.filter(({ draft }) => draft.key !== key) });
  }

  /** An empty row in the place of the one being typed. */
  clear(): void {
    this.become({ draft: newDraft(this.state.draft), problems: {} });
  }

  /** Undoes the last entry of this tab: it is deleted and its row typed again, or a changed one is what it was. */
  async takeBack({ entry, draft }: Posted): Promise<void> {
    const before = draft.replaces;
    if (before === undefined) {
      await api.movements.deleteEntry({ path: { id: entry.lines[0]!.id } });
      if (isPristine(this.state.draft)) this.take({ ...draft, key: crypto.randomUUID() });
    } else {
      await write(this.documentId, this.month, draftOf({ ...before, updatedAt: entry.updatedAt }, 'change'));
    }
    this.posted = this.posted.filter((each) => each.entry !== entry);
  }

  sendNow(): void {
    clearTimeout(this.timer);
    void this.send();
  }

  /** One after the other, so that entries get their numbers in the order in which they were typed. */
  private async send(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    try {
      for (;;) {
        const next = this.state.sent.find(({ state }) => state === 'saving' || state === 'unsure');
        if (next === undefined || !(await this.sendOne(next.draft))) return;
      }
    } finally {
      this.isSending = false;
    }
  }

  /** False where no answer came: those behind it wait as well. */
  private async sendOne(draft: Draft): Promise<boolean> {
    try {
      const entry = await write(this.documentId, this.month, draft);
      this.drop(draft.key);
      this.posted = [...this.posted, { entry, draft }];
      this.onWritten(entry, draft.replaces !== undefined);
      return true;
    } catch (error) {
      if (isAnswer(error)) {
        await this.refuse(draft, error);
        return true;
      }
      this.mark(draft.key, 'unsure', { '': messageOf(error) });
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.sendNow(), TRY_AGAIN);
      return false;
    }
  }

  /** Back into the row where its author has not begun another one. Nothing was written, so its key is still free. */
  private async refuse(given: Draft, error: PartidasProblem): Promise<void> {
    const byField = problemsOf(error);
    let problems = Object.keys(byField).length === 0 ? { '': error.message } : problemsByCell(given, byField);
    let draft = given;
    if (error.code === 'ENTRY_CHANGED_SINCE' && given.replaces) {
      // Seen now: saving it once more is meant.
      const { updatedAt } = await api.movements.getEntry({ path: { id: given.replaces.lines[0]!.id } });
      draft = { ...given, key: crypto.randomUUID(), replaces: { ...given.replaces, updatedAt } };
      problems = {
        '': `${error.message.replace(/: leia-o de novo$/, '')}. Confira acima; gravar de novo deixa a sua versão.`,
      };
      this.onChangedElsewhere();
    }
    this.become({ sent: this.state.sent.map((row) => (row.draft === given ? { ...row, draft } : row)) });
    if (isPristine(this.state.draft)) this.take(draft, problems);
    else this.mark(draft.key, 'refused', problems);
  }

  private mark(key: string, state: SentRow['state'], problems: SentRow['problems']): void {
    this.become({
      sent: this.state.sent.map((row) => (row.draft.key === key ? { ...row, state, problems } : row)),
    });
  }

  private become(changes: Partial<DeskState>): void {
    const next = { ...this.state, ...changes };
    const { draft, problems, sent } = next;
    const isHolding = holdsAnything(next);
    this.state = isHolding ? next : { ...next, isRestored: false };
    keepUnsent(this.place, isHolding ? ({ draft, problems, sent } satisfies KeptRows) : undefined);
    for (const listener of this.listeners) listener();
  }
}

function holdsAnything({ sent, draft }: DeskState): boolean {
  return sent.length > 0 || !isPristine(draft);
}

/** As the tab left the document: what was on its way goes out again under its key, so that it is posted once. */
function restoredState(place: string): DeskState {
  const kept = unsentOf<KeptRows>(place);
  if (kept === undefined) return { draft: newDraft(), problems: {}, sent: [], isRestored: false };
  const sent = kept.sent.map((row) => ({ ...row, draft: reopenedDraft(row.draft) }));
  return { draft: reopenedDraft(kept.draft), problems: kept.problems, sent, isRestored: true };
}

async function write(documentId: number, month: Month, draft: Draft): Promise<Entry> {
  const options = { idempotencyKey: draft.key };
  const body = bodyOf(draft);
  const written =
    draft.replaces === undefined
      ? await api.movements.postEntryOfDocument({ path: { id: documentId }, body }, options)
      : await api.movements.replaceEntryOfDocument(
          { path: { id: documentId, lancamento: draft.replaces.number }, body },
          options,
        );
  return entryFromWire(written, month);
}

/** The server has decided; without an answer, or from something between, it may have written the row all the same. */
function isAnswer(error: unknown): error is PartidasProblem {
  return error instanceof PartidasProblem && error.status < 500 && error.status !== 429;
}

const desks = new Map<number, Desk>();

/** The one desk of a document in this tab. */
export function deskOf({ company, branch }: Place, documentId: number, month: Month): Desk {
  let desk = desks.get(documentId);
  if (desk === undefined) {
    desk = new Desk(documentId, month, `${company}/${branch}/${documentId}`);
    desks.set(documentId, desk);
  }
  return desk;
}

export function useDesk(desk: Desk): DeskState {
  return useSyncExternalStore(desk.subscribe, desk.now);
}
