import { useQuery } from '@tanstack/react-query';
import { PartidasProblem } from 'partidas-client';
import { useMemo, useRef, useState } from 'react';
import { decimalOf } from '../../../src/accounting/money.ts';
import { monthNumberOf, yearOf } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { useChart } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { countText } from '../../ui/format.ts';
import { messageOf } from '../../ui/states.tsx';
import { CheckField } from '../../ui/text-field.tsx';
import { dayNumberText } from '../../ui/typed-field.tsx';
import type { Desk } from './desk.ts';
import { closedDaysQuery } from './entries-data.ts';
import { type PastedEntry, type PastedField, type PasteFacts, readPasted } from './pasted-rows.ts';

interface PasteDialogProps {
  readonly text: string;
  readonly desk: Desk;
  readonly onDone: (entries: number) => void;
  readonly onClose: () => void;
}

const TITLES: Readonly<Record<PastedField, string>> = {
  day: 'Dia',
  side: 'D/C',
  account: 'Conta',
  offset: 'Contrapartida',
  debit: 'Débito',
  credit: 'Crédito',
  code: 'Hist.',
  narration: 'Histórico',
  amount: 'Valor',
};
/** Rows of the preview; more are posted, not shown. */
const MOST_SHOWN = 200;

/** Rows of a spreadsheet: what will be posted, with what is wrong by cell; then all of them, or those that are right. */
export function PasteDialog(props: PasteDialogProps) {
  const { accounts } = useChart();
  const { data: closedDays } = useQuery(closedDaysQuery(usePlace()));
  // Against a chart that has not come yet, every account would be wrong.
  if (accounts === undefined || closedDays === undefined) return null;
  return <ReadDialog {...props} accounts={accounts} closedDays={closedDays} />;
}

type ReadDialogProps = PasteDialogProps & Pick<PasteFacts, 'accounts' | 'closedDays'>;

function ReadDialog({ text, desk, onDone, onClose, accounts, closedDays }: ReadDialogProps) {
  const place = usePlace();
  const pasted = useMemo(
    () => readPasted(text, { month: desk.month, accounts, closedDays }),
    [text, desk, accounts, closedDays],
  );
  const [isAtomic, setIsAtomic] = useState(true);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  /** What the server said of entries, by their place among those that were sent. */
  const [refused, setRefused] = useState<ReadonlyMap<PastedEntry, string>>(new Map());
  const [done, setDone] = useState<ReadonlySet<PastedEntry>>(new Set());
  const key = useRef(crypto.randomUUID());
  const left = pasted.entries.filter((entry) => !done.has(entry));
  const sound = left.filter(({ lines }) => lines !== undefined);
  const wrong = left.length - sound.length;
  const canPost = sound.length > 0 && (!isAtomic || wrong === 0) && !busy;

  const post = async () => {
    if (!canPost) return;
    setBusy(true);
    setError(undefined);
    try {
      const body = { atomic: isAtomic, entries: sound.map((entry) => entryToWire(entry, place, desk)) };
      const posted = await api.movements.postEntries({ body }, { idempotencyKey: key.current });
      const { results, accepted } = posted;
      key.current = crypto.randomUUID();
      if (accepted > 0) onDone(accepted);
      const messages = results.flatMap(({ index, errors }): [PastedEntry, string][] =>
        errors.length === 0 ? [] : [[sound[index]!, errors.map(({ message }) => message).join(' ')]],
      );
      setRefused(new Map(messages));
      setDone(
        new Set([...done, ...sound.filter((entry) => !messages.some(([refusedEntry]) => refusedEntry === entry))]),
      );
      if (messages.length === 0 && wrong === 0) onClose();
    } catch (failure) {
      setError(failure);
      setRefused(refusedIn(failure, sound));
      if (failure instanceof PartidasProblem && failure.status < 500) key.current = crypto.randomUUID();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Colar da planilha"
      wide
      onClose={onClose}
      onSubmit={post}
      actions={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" kind="primary" busy={busy} disabled={!canPost}>
            Gravar {countText(sound.length)} {sound.length === 1 ? 'lançamento' : 'lançamentos'}
          </Button>
        </>
      }
    >
      <p>
        {countText(left.length)} {left.length === 1 ? 'lançamento' : 'lançamentos'} em{' '}
        {countText(left.reduce((sum, { rows }) => sum + rows.length, 0))} linhas
        {wrong > 0 && `, ${countText(wrong)} com problema`}. Linha sem dia continua o lançamento de cima.
      </p>
      <Preview fields={pasted.fields} entries={left} refused={refused} />
      <CheckField
        label="Gravar todos ou nenhum"
        value={isAtomic}
        onChange={(value) => {
          setIsAtomic(value);
          key.current = crypto.randomUUID();
        }}
      />
      {error !== undefined && refused.size === 0 && (
        <p className="field-problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}

function entryToWire({ day, code, narration, lines }: PastedEntry, place: ReturnType<typeof usePlace>, desk: Desk) {
  return {
    empresa: place.company,
    filial: place.branch,
    ano: yearOf(desk.month),
    mes: monthNumberOf(desk.month),
    documentId: desk.documentId,
    day: dayNumberText(day!),
    historico: narration,
    cdhistorico: code,
    lines: lines!.map(({ side, accountId, amount, narration: own }) => ({
      debcre: side,
      contaId: accountId,
      valor: decimalOf(amount),
      historico: own,
    })),
  };
}

/** 'entries.3.lines.0.valor': the entry of each problem. */
function refusedIn(error: unknown, sent: readonly PastedEntry[]): ReadonlyMap<PastedEntry, string> {
  if (!(error instanceof PartidasProblem)) return new Map();
  const found = new Map<PastedEntry, string>();
  for (const { field, message } of error.errors) {
    const entry = sent[Number(/^entries\.(\d+)/.exec(field)?.[1] ?? Number.NaN)];
    if (entry) found.set(entry, [found.get(entry), message].filter(Boolean).join(' '));
  }
  return found;
}

interface PreviewProps {
  readonly fields: readonly (PastedField | undefined)[];
  readonly entries: readonly PastedEntry[];
  readonly refused: ReadonlyMap<PastedEntry, string>;
}

function Preview({ fields, entries, refused }: PreviewProps) {
  const shownFields = fields.filter((field) => field !== undefined);
  // What is wrong comes first, so that it is seen in a long list.
  const ordered = [...entries].sort((one, other) => rankOf(one, refused) - rankOf(other, refused));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keys too
    <div className="paste-table" tabIndex={0} role="group" aria-label="Prévia">
      <table>
        <thead>
          <tr>
            <th scope="col">Linha</th>
            {shownFields.map((field) => (
              <th key={field} scope="col" className={field === 'amount' ? 'paste-amount' : undefined}>
                {TITLES[field]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered.slice(0, MOST_SHOWN).flatMap((entry) =>
            entry.rows.map((row, at) => (
              <tr key={row.number}>
                <td data-wrong={(at === 0 && (refused.has(entry) || entry.problem !== undefined)) || undefined}>
                  {row.number}
                  {at === 0 && <small>{refused.get(entry) ?? entry.problem}</small>}
                </td>
                {shownFields.map((field) => (
                  <td
                    key={field}
                    data-wrong={row.cells[field]?.problem !== undefined || undefined}
                    className={field === 'amount' ? 'paste-amount' : undefined}
                  >
                    {row.cells[field]?.text}
                    {row.cells[field]?.problem && <small>{row.cells[field].problem}</small>}
                  </td>
                ))}
              </tr>
            )),
          )}
        </tbody>
      </table>
      {entries.length > MOST_SHOWN && <p>Mais {countText(entries.length - MOST_SHOWN)} lançamentos como estes.</p>}
    </div>
  );
}

function rankOf(entry: PastedEntry, refused: PreviewProps['refused']): number {
  return entry.lines === undefined || refused.has(entry) ? 0 : 1;
}
