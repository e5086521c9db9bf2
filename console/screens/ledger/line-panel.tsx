import { useQuery } from '@tanstack/react-query';
import { api } from '../../data/client.ts';
import { Amount } from '../../ui/amount.tsx';
import { Button } from '../../ui/button.tsx';
import { dayText, instantText } from '../../ui/format.ts';
import { ProofButton } from '../../ui/proof-button.tsx';
import { Facts, SidePanel } from '../../ui/side-panel.tsx';
import { Result } from '../../ui/states.tsx';
import { ImportedRow } from './imported-row.tsx';
import { LEDGER_KEY, type LedgerLine, type LedgerPlace, lineOf } from './ledger-data.ts';

interface PanelProps {
  readonly line: LedgerLine;
  readonly place: LedgerPlace;
  readonly onClose: () => void;
  readonly onOpenAccount: (account: number) => void;
  readonly onOpenDocument: () => void;
  readonly onReverse: () => void;
}

/** The whole entry of a line: its accounts, who posted it and from what file. */
export function LinePanel({ line, place, onClose, onOpenAccount, onOpenDocument, onReverse }: PanelProps) {
  const entry = useQuery({
    queryKey: [LEDGER_KEY, place.company, 'entry', line.id],
    queryFn: ({ signal }) => readEntry(line, place.company, signal),
  });
  const narration = line.narration === '' ? '–' : <span className="ledger-narration">{line.narration}</span>;
  return (
    <SidePanel title={`Lançamento ${line.entry}`} onClose={onClose}>
      <Facts
        of={[
          ['Data', dayText(line.day)],
          ['Lote', line.batch],
          ['Documento', line.document],
          ['Histórico', narration],
          ...(line.isClosing ? [['Tipo', 'encerramento do resultado'] as const] : []),
        ]}
      />
      <Result query={entry} rows={4}>
        {({ lines, more, posted, reversal }) => (
          <>
            <ul className="ledger-entry" aria-label="Partidas">
              {lines.map((each) => (
                <li key={each.id}>
                  <span className="ledger-side">{each.side}</span>
                  <Button kind="quiet" onClick={() => onOpenAccount(each.accountId)}>
                    {each.account}
                  </Button>
                  <Amount value={each.amount} />
                </li>
              ))}
              {more && <li>e outras: o documento mostra todas</li>}
            </ul>
            <Facts of={originOf(posted, reversal)} />
            {posted.importId !== undefined && <ImportedRow line={line.id} />}
          </>
        )}
      </Result>
      <p className="ledger-actions">
        <Button icon="document" onClick={onOpenDocument}>
          Abrir documento
        </Button>
        <Button icon="undo" onClick={onReverse}>
          Estornar
        </Button>
        <ProofButton
          branch={line.branch}
          month={place.month}
          of={() => ({ entry: { batch: line.batch, document: line.document, number: line.entry } })}
        />
      </p>
    </SidePanel>
  );
}

/** Lines of an entry that the panel shows. */
const MOST_LINES = 50;

async function readEntry(line: LedgerLine, company: string, signal: AbortSignal) {
  const query = {
    ...{ dataInicio: line.day, dataFim: line.day, lote: line.batch, documento: line.document },
    ...{ lancamento: line.entry, tamanho: MOST_LINES },
  };
  const path = { id: line.id };
  const [found, posted, reversal] = await Promise.all([
    api.queries.findEntries({ path: { company, branch: line.branch }, query }, { signal }),
    api.movements.getEntry({ path }, { signal }),
    api.movements.getReversal({ path }, { signal }),
  ]);
  return { lines: found.content.map(lineOf), more: found.proximo !== null, posted, reversal };
}

type Entry = Awaited<ReturnType<typeof readEntry>>;

/** Who and when, from which system, and what reversed it. */
function originOf(posted: Entry['posted'], { reversedBy, reverses }: Entry['reversal']) {
  const facts: (readonly [string, string])[] = [
    ['Lançado', `${posted.createdBy ?? '–'}, ${instantText(posted.createdAt)}`],
  ];
  if (posted.origin !== undefined) facts.push(['Sistema', `${posted.origin} ${posted.externalId ?? ''}`]);
  if (reversedBy) facts.push(['Estornado', placeOf(reversedBy)]);
  if (reverses) facts.push(['Estorno de', placeOf(reverses)]);
  return facts;
}

function placeOf({ lote, documento, lancamento, day, motivo }: NonNullable<Entry['reversal']['reverses']>): string {
  const where = `lote ${lote ?? '–'}, documento ${documento ?? '–'}, lançamento ${lancamento}`;
  return [where, day === null ? '' : `em ${dayText(day)}`, motivo ?? ''].filter(Boolean).join(', ');
}
