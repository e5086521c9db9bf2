import { useChart } from '../../data/queries.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { type Desk, type SentRow, useDesk } from './desk.ts';

interface SentRowsProps {
  readonly desk: Desk;
  /** A row was put back into the posting row. */
  readonly onTaken: () => void;
}

/** Rows that are not in the books yet, above the row being typed. */
export function SentRows({ desk, onTaken }: SentRowsProps) {
  const { sent, isRestored } = useDesk(desk);
  const { byId } = useChart();
  // A row that is saved at once need not be announced.
  const shown = sent.filter(({ state }) => state !== 'saving');
  const saving = sent.length - shown.length;
  const note = isRestored && (
    <p className="sent-note" role="status">
      A página foi recarregada: o que não estava gravado voltou como foi digitado.
    </p>
  );
  if (sent.length === 0) return note;
  return (
    <>
      {note}
      <ul className="sent" aria-label="Ainda não gravados">
        {shown.map((row) => (
          <li key={row.draft.key}>
            <Badge tone={TONES[row.state]}>{WORDS[row.state]}</Badge>
            <span className="sent-what">
              {[
                `dia ${row.draft.day}`,
                ...row.draft.lines.map(
                  ({ side, accountId, amount }) =>
                    `${side} ${accountId === undefined ? '?' : (byId(accountId)?.name ?? '?')} ${amount}`,
                ),
                row.draft.narration,
              ].join(' · ')}
            </span>
            <span className="sent-why">{Object.values(row.problems).join(' ')}</span>
            {row.state === 'unsure' ? (
              <Button kind="quiet" onClick={() => desk.sendNow()}>
                Enviar agora
              </Button>
            ) : (
              <>
                <Button
                  kind="quiet"
                  onClick={() => {
                    desk.take(row.draft, row.problems);
                    onTaken();
                  }}
                >
                  Corrigir
                </Button>
                <Button
                  kind="quiet"
                  icon="close"
                  aria-label="Desistir deste lançamento"
                  onClick={() => desk.drop(row.draft.key)}
                />
              </>
            )}
          </li>
        ))}
        {saving > 0 && (
          <li role="status">
            <Badge tone="open">gravando</Badge> {saving === 1 ? '1 lançamento' : `${saving} lançamentos`}
          </li>
        )}
      </ul>
    </>
  );
}

const TONES: Readonly<Record<SentRow['state'], Tone>> = {
  saving: 'open',
  unsure: 'open',
  refused: 'wrong',
  held: 'none',
};
const WORDS: Readonly<Record<SentRow['state'], string>> = {
  saving: 'gravando',
  unsure: 'sem resposta',
  refused: 'recusado',
  held: 'à parte',
};
