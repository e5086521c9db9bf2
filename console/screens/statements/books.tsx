import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Day, dayFromIso, daysOf } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { useMay } from '../../data/session.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { DownloadButton } from '../../ui/download.tsx';
import { countText, dayText, instantText } from '../../ui/format.ts';
import type { Column } from '../../ui/grid-columns.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Digest, Facts, SidePanel } from '../../ui/side-panel.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { SelectField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { DayField } from '../../ui/typed-field.tsx';
import { ViewChoice } from '../../ui/view-choice.tsx';
import { STATEMENT_VIEWS } from './views.ts';

type Book = Awaited<ReturnType<typeof api.reports.listBooks>>[number];
type Kind = Book['kind'];

const KINDS: Readonly<Record<Kind, string>> = { DIARIO: 'Diário', RAZAO: 'Razão', BALANCETES: 'Balancetes diários' };
const STATES: Readonly<Record<Book['state'], readonly [Tone, string]>> = {
  ISSUED: ['seal', 'em vigor'],
  INVALIDATED: ['wrong', 'invalidado'],
  REPLACED: ['none', 'substituído'],
};
const BOOKS_KEY = 'issued books';

/** The register of issued books, and the next one. */
export function Books() {
  const { company, branch } = usePlace();
  const [chosen, setChosen] = useState<number>();
  const [isIssuing, setIssuing] = useState(false);
  const mayIssue = useMay('LEGAL_BOOKS');
  const query = useQuery({
    queryKey: [BOOKS_KEY, company, branch],
    queryFn: ({ signal }) => api.reports.listBooks({ path: { company }, query: { branch, size: 500 } }, { signal }),
  });
  const book = query.data?.find(({ id }) => id === chosen);
  return (
    <Screen
      title="Livros emitidos"
      subtitle={null}
      keys={[
        { keys: 'Enter', label: 'abre o livro' },
        ...(mayIssue ? [{ keys: 'N', label: 'emite um livro', run: () => setIssuing(true) }] : []),
      ]}
      actions={
        <>
          <ViewChoice views={STATEMENT_VIEWS} value="livros" />
          {mayIssue && (
            <Button kind="primary" icon="seal" onClick={() => setIssuing(true)}>
              Emitir livro
            </Button>
          )}
        </>
      }
      side={book && <BookPanel book={book} onClose={() => setChosen(undefined)} />}
    >
      <Result query={query}>
        {(books) => (
          <DataGrid
            label="Livros emitidos"
            columns={COLUMNS}
            rows={books}
            keyOf={({ id }) => id}
            onOpen={({ id }) => setChosen(id)}
            empty={
              <Empty title="Nenhum livro emitido">
                O Diário e o Razão com termos são emitidos uma vez e guardados.
              </Empty>
            }
          />
        )}
      </Result>
      {isIssuing && <IssueDialog onClose={() => setIssuing(false)} onIssued={setChosen} />}
    </Screen>
  );
}

const COLUMNS: readonly Column<Book>[] = [
  { id: 'kind', title: 'Livro', text: ({ kind }) => KINDS[kind], grows: true, narrow: true, look: 'strong' },
  { id: 'number', title: 'Número', text: ({ number }) => String(number), align: 'end', narrow: true },
  { id: 'period', title: 'Período', text: ({ from, to }) => `${dayText(from)} a ${dayText(to)}` },
  { id: 'folhas', title: 'Folhas', text: ({ folhas }) => countText(folhas), align: 'end' },
  { id: 'at', title: 'Emitido em', text: ({ issuedAt }) => instantText(issuedAt) },
  { id: 'by', title: 'Por', text: ({ issuedBy }) => issuedBy.slice(0, 24), look: 'faint' },
  {
    id: 'state',
    title: 'Situação',
    text: ({ state }) => STATES[state][1],
    draw: ({ state }) => <Badge tone={STATES[state][0]}>{STATES[state][1]}</Badge>,
    widest: 'substituído  ',
    narrow: true,
  },
];

function BookPanel({ book, onClose }: { readonly book: Book; readonly onClose: () => void }) {
  const { company } = usePlace();
  const { id, kind, number, sha256, invalidatedAt, invalidationReason } = book;
  return (
    <SidePanel title={`${KINDS[kind]} ${number}`} onClose={onClose}>
      <Facts
        of={[
          ['Período', `${dayText(book.from)} a ${dayText(book.to)}`],
          ['Folhas', countText(book.folhas)],
          ['Volumes', countText(book.volumes.length)],
          ['Emitido', `${instantText(book.issuedAt)}, ${book.issuedBy}`],
          ...(invalidatedAt === null
            ? []
            : [['Invalidado', `${instantText(invalidatedAt)}: ${invalidationReason ?? ''}`] as const]),
          ['SHA-256', <Digest key="hash">{sha256}</Digest>],
        ]}
      />
      <p className="book-actions">
        <DownloadButton from={() => api.reports.downloadBook({ path: { company, id } })} name={`livro-${number}.pdf`}>
          Baixar o livro
        </DownloadButton>
      </p>
    </SidePanel>
  );
}

interface IssueProps {
  readonly onClose: () => void;
  readonly onIssued: (id: number | undefined) => void;
}

/** The next book of a kind: it begins where the last one ended, and cannot be taken back. */
function IssueDialog({ onClose, onIssued }: IssueProps) {
  const { company, branch, month } = usePlace();
  const queryClient = useQueryClient();
  const [kind, setKind] = useState<Kind>('DIARIO');
  const [to, setTo] = useState<Day | undefined>(daysOf(month).at(-1));
  const [typedFrom, setFrom] = useState<Day | undefined>(daysOf(month)[0]);
  const { data: next } = useQuery({
    queryKey: [BOOKS_KEY, company, branch, 'next'],
    queryFn: ({ signal }) => api.reports.getNextBooks({ path: { company, branch } }, { signal }),
  });
  const place = next?.find((each) => each.kind === kind);
  const from = place?.from ? dayFromIso(place.from) : typedFrom;
  const issue = async () => {
    if (from === undefined || to === undefined) throw new TypeError('Diga de que dia a que dia vai o livro.');
    const body = {
      ...{
        empresa: company,
        filial: branch,
        visualizationEnum: 'PDF' as const,
        includeTerms: true,
        considerClosing: true,
      },
      ...{ dataInicio: from, dataFim: to },
    } as const;
    const options = { accept: 'application/pdf' };
    if (kind === 'DIARIO') await api.reports.printJournal.response({ body }, options);
    else if (kind === 'RAZAO') await api.reports.printGeneralLedger.response({ body }, options);
    else await api.reports.printDailyTrialBalance.response({ body }, options);
    await queryClient.invalidateQueries({ queryKey: [BOOKS_KEY] });
    const [newest] = queryClient
      .getQueryData<Book[]>([BOOKS_KEY, company, branch])!
      .filter((book) => book.kind === kind && book.to === to);
    toast(`${KINDS[kind]} emitido`);
    onIssued(newest?.id);
  };
  return (
    <ConfirmDialog title="Emitir livro" action="Emitir livro" word="emitir" onClose={onClose} onConfirm={issue}>
      <SelectField
        label="Livro"
        value={kind}
        onChange={setKind}
        choices={Object.entries(KINDS).map(([value, text]) => ({ value: value as Kind, text }))}
      />
      {place?.from ? (
        <p>
          Continua onde o último terminou: número {place.number}, a partir de {dayText(place.from)}.
        </p>
      ) : (
        <DayField label="De" month={month} value={typedFrom} onChange={setFrom} />
      )}
      <DayField label="Até" month={month} value={to} onChange={setTo} />
      <p>
        O livro sai com termos de abertura e de encerramento, assinados pelos signatários da filial, e fica registrado.
        O que foi emitido não se altera.
      </p>
    </ConfirmDialog>
  );
}
