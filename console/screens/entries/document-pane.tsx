import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { api } from '../../data/client.ts';
import { addressOf, useGo, usePlace } from '../../data/place.ts';
import { useChart, useMonthState } from '../../data/queries.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { useMay } from '../../data/session.ts';
import { Amount } from '../../ui/amount.tsx';
import { Button } from '../../ui/button.tsx';
import type { GridHandle } from '../../ui/data-grid.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { amountText, countText } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { isField, type KeyBinding, useKeys } from '../../ui/keys.tsx';
import { ProofButton, type Proven } from '../../ui/proof-button.tsx';
import { Empty, Failure, Loading, messageOf } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Desk, deskOf, useDesk } from './desk.ts';
import { draftOf, isPristine } from './draft.ts';
import {
  closedDaysQuery,
  type DocumentEntries,
  type Entry,
  entriesKey,
  entriesQuery,
  PAGE_ENTRIES,
} from './entries-data.ts';
import { type EntryRow, EntryTable, entryText, rowsOf } from './entry-table.tsx';
import { PasteDialog } from './paste-dialog.tsx';
import { PostingRow, type RowHandle } from './posting-row.tsx';
import { ReversalDialog } from './reversal-dialog.tsx';
import { SentRows } from './sent-rows.tsx';
import { useWrittenEntries } from './written-entries.ts';

interface DocumentPaneProps {
  readonly documentId: number;
  /** The entry that the address names. */
  readonly entryNumber: string | undefined;
}

type Question =
  | { readonly is: 'reversal'; readonly entry: Entry; readonly why?: string }
  | { readonly is: 'deletion'; readonly entry: Entry }
  | { readonly is: 'document' }
  | { readonly is: 'paste'; readonly text: string }
  | undefined;

/** The entries of a document, and below them the row being typed. */
export function DocumentPane({ documentId, entryNumber }: DocumentPaneProps) {
  const [page, setPage] = useState<number | 'last'>('last');
  const query = useQuery(entriesQuery(documentId, page));
  const { month } = usePlace();
  const [, setSearch] = useSearchParams();
  const { data } = query;
  const isOfMonth = data === undefined || data.month === month;
  useEffect(() => {
    // Another month was chosen: the document stays behind.
    if (!isOfMonth) setSearch({ documento: undefined, lancamento: undefined });
  });
  useEffect(() => {
    if (
      data &&
      entryNumber &&
      data.count > PAGE_ENTRIES &&
      !data.entries.some(({ number }) => number === entryNumber)
    ) {
      const guess = Math.floor((Number(entryNumber) - 1) / PAGE_ENTRIES);
      if (guess >= 0 && guess !== data.page) setPage(Math.min(guess, Math.ceil(data.count / PAGE_ENTRIES) - 1));
    }
  }, [data, entryNumber]);
  if (data === undefined) {
    return (
      <section className="document" aria-label="Documento">
        {query.error ? <Failure error={query.error} onRepeat={() => query.refetch()} /> : <Loading />}
      </section>
    );
  }
  return (
    <OpenDocument
      documentId={documentId}
      entryNumber={entryNumber}
      data={data}
      failure={query.error && <Failure error={query.error} onRepeat={() => query.refetch()} />}
      onPage={setPage}
    />
  );
}

interface OpenDocumentProps extends DocumentPaneProps {
  readonly data: DocumentEntries;
  readonly failure: ReactNode;
  readonly onPage: (page: number | 'last') => void;
}

function OpenDocument({ documentId, entryNumber, data, failure, onPage }: OpenDocumentProps) {
  const place = usePlace();
  const desk = deskOf(place, documentId, data.month);
  const state = useMonthState();
  const isOpen = state === 'OPEN';
  const { changing } = useChanging(desk);
  const [question, setQuestion] = useState<Question>();
  const grid = useRef<GridHandle>(null);
  const row = useRef<RowHandle>(null);
  const marked = useRef<EntryRow>(undefined);
  const rows = rowsOf(data.entries);
  const isLastPage = (data.page + 1) * PAGE_ENTRIES >= data.count;
  useWrittenEntries(desk, grid);
  useMarkEntry(grid, rows, entryNumber, isLastPage);

  useRevealLast(grid, rows.length, desk);
  const last = data.entries.at(-1);
  const mayDelete = useMay('DELETE_MOVEMENTS');
  const { edit, reverse } = useEntryKeys({ desk, row, marked, last, isOpen, mayDelete, ask: setQuestion });
  return (
    <section className="document" aria-label={`Documento ${data.document} do lote ${data.batch}`}>
      <DocumentHead data={data} onDelete={isOpen && mayDelete ? () => setQuestion({ is: 'document' }) : undefined} />
      {failure}
      {data.count > PAGE_ENTRIES && <Pager data={data} onPage={onPage} />}
      <EntryTable
        ref={grid}
        rows={rows}
        changing={changing}
        onMark={(each) => {
          marked.current = each;
        }}
        onOpen={isOpen ? ({ entry }) => edit(entry, 'change') : ({ entry }) => reverse(entry)}
        quiet={isOpen && !isNarrow()}
        empty={<Empty title="Nenhum lançamento neste documento" />}
      />
      {isOpen ? (
        <div className="typing">
          <SentRows desk={desk} onTaken={() => row.current?.focusProblem()} />
          <PostingRow
            ref={row}
            desk={desk}
            above={last}
            nextNumber={nextNumberOf(data)}
            onPaste={(text) => setQuestion({ is: 'paste', text })}
            onLeave={() => grid.current?.focus()}
          />
        </div>
      ) : (
        <ReadOnly
          state={state}
          href={addressOf({ ...place, screen: 'fechamento' })}
          proven={() => provenOf(data, marked.current?.entry ?? last)}
        />
      )}
      <Questions {...{ question, documentId, data, desk }} onClose={() => setQuestion(undefined)} />
    </section>
  );
}

interface EntryKeys {
  readonly desk: Desk;
  readonly row: { readonly current: RowHandle | null };
  readonly marked: { readonly current: EntryRow | undefined };
  /** The entry above the row. */
  readonly last: Entry | undefined;
  readonly isOpen: boolean;
  readonly mayDelete: boolean;
  readonly ask: (question: Question) => void;
}

/** The keys of the document, and what they and the table do to an entry. False: there was nothing to do. */
function useEntryKeys({ desk, row, marked, last, isOpen, mayDelete, ask }: EntryKeys) {
  const inTable = () => document.activeElement?.closest('.grid') !== null && document.activeElement !== null;
  /** The marked entry from the table, the last one from the row. */
  const meant = () => (inTable() ? marked.current?.entry : last);
  const edit = (entry: Entry | undefined, purpose: 'copy' | 'change') => {
    if (entry === undefined || entry.isClosing) return false;
    if (purpose === 'change' && (entry.reversedBy || entry.reverses)) {
      toast('Um lançamento estornado, ou que estorna outro, não se altera.', { tone: 'wrong' });
      return true;
    }
    flushSync(() => desk.take(draftOf(entry, purpose)));
    row.current?.focus();
    return true;
  };
  const duplicate = () => {
    if (inTable()) return edit(marked.current?.entry, 'copy');
    const above = last?.isClosing ? undefined : desk.rowAbove(last);
    if (above === undefined) return false;
    flushSync(() => desk.take({ ...above, key: crypto.randomUUID() }));
    row.current?.focus();
    return true;
  };
  const reverse = (entry: Entry | undefined) => {
    if (entry === undefined || entry.isClosing) return false;
    if (entry.reversedBy) toast(`O lançamento ${entry.number} já foi estornado.`, { tone: 'wrong' });
    else ask({ is: 'reversal', entry });
    return true;
  };
  const remove = () => {
    const entry = marked.current?.entry;
    if (!mayDelete || !inTable() || entry === undefined || entry.isClosing) return false;
    ask({ is: 'deletion', entry });
    return true;
  };
  const takeNext = () => {
    flushSync(() => desk.takeNext());
    row.current?.focusProblem();
  };
  const undo = useUndo(desk, (entry, why) => ask({ is: 'reversal', entry, why }));
  const typing: KeyBinding[] = [
    { keys: 'Enter', label: 'próximo campo, grava no fim' },
    { keys: '=', label: 'repete o de cima' },
    { keys: '+', label: 'soma no valor' },
    { keys: 'Ctrl+D', label: 'duplica', run: duplicate },
    { keys: 'Ctrl+L', label: 'mais uma partida', run: () => row.current?.addLine() },
    { keys: 'Ctrl+Z', label: 'desfaz', run: undo },
    { keys: 'F2', label: 'altera', run: () => edit(meant(), 'change') },
    { keys: 'Ctrl+E', label: 'estorna', run: () => reverse(meant()) },
    { keys: 'F8', label: 'próximo problema', run: takeNext },
    { keys: 'Ctrl+Enter', label: 'grava', run: () => row.current?.save() },
    { keys: 'Ctrl+V', label: 'cola da planilha' },
    { keys: 'Delete', run: remove },
  ];
  const reading = [{ keys: 'Ctrl+E', label: 'estorna', run: () => reverse(marked.current?.entry ?? last) }];
  useKeys(isOpen ? typing : reading);
  return { edit, reverse };
}

/** Lines that make the row higher do not cover the last entry. */
function useRevealLast(grid: { readonly current: GridHandle | null }, rows: number, desk: Desk): void {
  const { draft, sent } = useDesk(desk);
  const height = draft.lines.length + sent.length;
  const before = useRef(height);
  useLayoutEffect(() => {
    if (height > before.current && rows > 0) grid.current?.markRow(rows - 1);
    before.current = height;
  }, [grid, rows, height]);
}

function useChanging(desk: Desk): { readonly changing: string | undefined } {
  return { changing: useDesk(desk).draft.replaces?.number };
}

/** The entry of the address is marked when it has come; without one, the last entry is in sight. */
function useMarkEntry(
  grid: { readonly current: GridHandle | null },
  rows: readonly EntryRow[],
  entryNumber: string | undefined,
  isLastPage: boolean,
): void {
  const shownFor = useRef<string>(undefined);
  useEffect(() => {
    const wanted = entryNumber ?? (isLastPage ? 'last' : 'first');
    if (shownFor.current === wanted || rows.length === 0) return;
    const at =
      entryNumber === undefined
        ? isLastPage
          ? rows.length - 1
          : 0
        : rows.findIndex(({ entry }) => entry.number === entryNumber);
    if (at < 0) return;
    shownFor.current = wanted;
    grid.current?.markRow(at);
  }, [grid, rows, entryNumber, isLastPage]);
}

/** Ctrl Z: takes back what this tab has posted last. */
function useUndo(desk: Desk, offerReversal: (entry: Entry, why: string) => void): () => boolean {
  const place = usePlace();
  const client = useQueryClient();
  const mayDelete = useMay('DELETE_MOVEMENTS');
  const { data: closedDays } = useQuery(closedDaysQuery(place));
  const take = async (): Promise<void> => {
    const last = desk.posted.at(-1)!;
    const { entry, draft } = last;
    try {
      const now = await api.movements.getEntry({ path: { id: entry.lines[0]!.id } });
      if (now.updatedAt !== entry.updatedAt) {
        toast(`O lançamento ${entry.number} foi alterado por ${now.updatedBy ?? 'outra pessoa'} e fica como está.`, {
          tone: 'wrong',
        });
        return;
      }
      await desk.takeBack(last);
      await client.invalidateQueries({ queryKey: entriesKey(desk.documentId) });
      toast(
        draft.replaces
          ? `O lançamento ${entry.number} voltou a ser o que era.`
          : `O lançamento ${entry.number} foi desfeito e voltou para a linha.`,
      );
    } catch (error) {
      toast(messageOf(error), { tone: 'wrong' });
    }
  };
  return () => {
    // What is being typed is undone by the field itself.
    if (isField(document.activeElement) && !isPristine(desk.now().draft)) return false;
    const last = desk.posted.at(-1);
    if (last === undefined) {
      toast('Nada a desfazer nesta página.', { tone: 'wrong' });
      return true;
    }
    const isChange = last.draft.replaces !== undefined;
    if (closedDays?.has(last.entry.day))
      offerReversal(last.entry, 'O dia já foi fechado: o lançamento pode ser estornado.');
    else if (!mayDelete && !isChange) {
      offerReversal(last.entry, 'Excluir pede a rotina DELETE_MOVEMENTS: o lançamento pode ser estornado.');
    } else void take();
    return true;
  };
}

function DocumentHead({
  data,
  onDelete,
}: {
  readonly data: DocumentEntries;
  readonly onDelete: (() => void) | undefined;
}) {
  const [, setSearch] = useSearchParams();
  const difference = data.debit - data.credit;
  return (
    <header className="document-head">
      <Button
        kind="quiet"
        icon="left"
        className="document-back"
        aria-label="Voltar aos lotes"
        onClick={() => setSearch({ documento: undefined, lancamento: undefined })}
      />
      <Fact name="Lote">{data.batch}</Fact>
      <Fact name="Documento">{data.document}</Fact>
      <Fact name="Lançamentos">{countText(data.count)}</Fact>
      {onDelete && (
        <Button kind="quiet" icon="trash" aria-label="Excluir documento" title="Excluir documento" onClick={onDelete} />
      )}
      <Fact name="Débitos" figure>
        <Amount value={data.debit} />
      </Fact>
      <Fact name="Créditos" figure>
        <Amount value={data.credit} />
      </Fact>
      <Fact name="Diferença" figure>
        <span className={difference === 0n ? 'difference-none' : 'difference-some'}>
          <Icon name={difference === 0n ? 'check' : 'alert'} />
          {amountText(difference)}
        </span>
      </Fact>
    </header>
  );
}

function Fact({
  name,
  figure = false,
  children,
}: {
  readonly name: string;
  readonly figure?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={figure ? 'document-fact document-figure' : 'document-fact'}>
      <span>{name}</span>
      <strong>{children}</strong>
    </div>
  );
}

function Pager({ data, onPage }: { readonly data: DocumentEntries; readonly onPage: (page: number) => void }) {
  const from = data.page * PAGE_ENTRIES + 1;
  const to = Math.min(data.count, from + PAGE_ENTRIES - 1);
  return (
    <nav className="document-pages" aria-label="Páginas do documento">
      <Button
        kind="quiet"
        icon="left"
        aria-label="Página anterior"
        disabled={data.page === 0}
        onClick={() => onPage(data.page - 1)}
      />
      <span>
        {countText(from)}–{countText(to)} de {countText(data.count)}
      </span>
      <Button
        kind="quiet"
        icon="right"
        aria-label="Página seguinte"
        disabled={to >= data.count}
        onClick={() => onPage(data.page + 1)}
      />
    </nav>
  );
}

function provenOf({ batch, document }: DocumentEntries, entry: Entry | undefined): Proven {
  if (entry === undefined) throw new Error('Marque o lançamento que se quer provar.');
  return { entry: { batch, document, number: entry.number } };
}

interface ReadOnlyProps {
  readonly state: string | undefined;
  readonly href: string;
  readonly proven: () => Proven;
}

function ReadOnly({ state, href, proven }: ReadOnlyProps) {
  const { branch, month } = usePlace();
  if (state === undefined) return null;
  return (
    <div className="read-only" role="note">
      {state === 'CLOSED' ? (
        <>
          <p>
            O mês está consolidado: só leitura. Ctrl E estorna o lançamento marcado num mês aberto; para alterar,{' '}
            <a href={href}>reabra o mês no Fechamento</a>.
          </p>
          <ProofButton branch={branch} month={month} of={proven}>
            Baixar prova do lançamento
          </ProofButton>
        </>
      ) : (
        <p>
          O mês não está aberto. <a href={href}>Abra-o no Fechamento</a>.
        </p>
      )}
    </div>
  );
}

interface QuestionsProps {
  readonly question: Question;
  readonly documentId: number;
  readonly data: DocumentEntries;
  readonly desk: Desk;
  readonly onClose: () => void;
}

function Questions({ question, documentId, data, desk, onClose }: QuestionsProps) {
  const client = useQueryClient();
  const { byId } = useChart();
  const [, setSearch] = useSearchParams();
  const go = useGo();
  const readAgain = () => client.invalidateQueries({ queryKey: entriesKey(documentId) });
  const readTree = () => client.invalidateQueries({ queryKey: ['batches'] });
  if (question === undefined) return null;
  if (question.is === 'reversal') {
    return (
      <ReversalDialog
        entry={question.entry}
        why={question.why}
        onClose={onClose}
        onDone={(mirror, mirrorMonth) => {
          void readAgain();
          void readTree();
          toast(`O lançamento ${question.entry.number} foi estornado.`, {
            action: {
              text: 'Ver estorno',
              run: () => go({ month: mirrorMonth, search: { documento: String(mirror) } }),
            },
          });
        }}
      />
    );
  }
  if (question.is === 'paste') {
    return (
      <PasteDialog
        text={question.text}
        desk={desk}
        onClose={onClose}
        onDone={(count) => {
          void readAgain();
          void readTree();
          toast(count === 1 ? '1 lançamento gravado.' : `${countText(count)} lançamentos gravados.`);
        }}
      />
    );
  }
  if (question.is === 'deletion') {
    return (
      <ConfirmDialog
        title={`Excluir o lançamento ${question.entry.number}?`}
        action="Excluir lançamento"
        danger
        onConfirm={async () => {
          await api.movements.deleteEntry({ path: { id: question.entry.lines[0]!.id } });
          await readAgain();
          void readTree();
        }}
        onClose={onClose}
      >
        <p>{entryText(question.entry, byId)}</p>
        <p>As partidas ficam na trilha de auditoria.</p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      title={`Excluir o documento ${data.document}?`}
      action="Excluir documento"
      danger
      word={data.document}
      onConfirm={async () => {
        await api.movements.deleteDocument({ path: { id: documentId } });
        setSearch({ documento: undefined, lancamento: undefined });
        void readTree();
      }}
      onClose={onClose}
    >
      <p>
        Com ele saem {countText(data.count)} lançamentos, {amountText(data.debit)} a débito.
      </p>
    </ConfirmDialog>
  );
}

/** Where the page is narrow nobody types: the table has the focus. */
function isNarrow(): boolean {
  return matchMedia('(max-width: 719px)').matches;
}

/** The number that the next entry will get, as far as this page knows. */
function nextNumberOf({ entries, count }: DocumentEntries): string {
  const highest = entries.reduce(
    (most, { number }) => (/^\d+$/.test(number) ? Math.max(most, Number(number)) : most),
    0,
  );
  return String(highest === 0 ? count + 1 : highest + 1);
}
