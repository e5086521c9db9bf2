import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { magnitudeOf } from '../../../src/accounting/money.ts';
import { usePlace } from '../../data/place.ts';
import { useChart } from '../../data/queries.ts';
import { AccountField } from '../../ui/account-field.tsx';
import { Button } from '../../ui/button.tsx';
import { ComboField } from '../../ui/combo-field.tsx';
import { amountText, fold, sideOf } from '../../ui/format.ts';
import { isField } from '../../ui/keys.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { Desk } from './desk.ts';
import { useDesk } from './desk.ts';
import {
  type CellName,
  cellsOf,
  type Draft,
  type DraftLine,
  differenceOf,
  isCompound,
  isPristine,
  problemsInDraft,
  sumOfTyped,
  withAnotherLine,
  withoutLine,
  withReadAmounts,
} from './draft.ts';
import { closedDaysQuery, type Entry, type Narration, narrationsQuery } from './entries-data.ts';

/** What the keys of the screen do to the row. */
export interface RowHandle {
  focus(): void;
  /** Puts the focus on the first cell at fault, else on the first one. */
  focusProblem(): void;
  save(): void;
  addLine(): void;
}

interface PostingRowProps {
  readonly desk: Desk;
  /** The entry above: `=` repeats its cells. */
  readonly above: Entry | undefined;
  /** The number that the entry will probably get. */
  readonly nextNumber: string;
  readonly onPaste: (text: string) => void;
  /** Esc: the row is left as it is. */
  readonly onLeave: () => void;
  readonly ref?: Ref<RowHandle>;
}

const NO_DAYS: ReadonlySet<string> = new Set();

/**
 * The row being typed. Enter and Tab go to the next cell and save behind the last one; `=` repeats the cell above; in the
 * amount `+` adds. The focus moves inside the key handler, so that no key is lost on the way.
 */
export function PostingRow({ desk, above, nextNumber, onPaste, onLeave, ref }: PostingRowProps) {
  const root = useRef<HTMLFieldSetElement>(null);
  const place = usePlace();
  const { draft, problems } = useDesk(desk);
  const { data: closedDays = NO_DAYS } = useQuery(closedDaysQuery(place));
  const { data: narrations = [] } = useQuery(narrationsQuery(place));

  const actions = rowActions(desk, root, closedDays);
  const { focus, save } = actions;
  useImperativeHandle(ref, () => ({ ...actions, focus: () => focus('day') }));
  useLayoutEffect(() => {
    // Whoever opened the document wants to type into it, also where the tree has taken the focus meanwhile.
    const active = document.activeElement;
    if (!isField(active) && !active?.closest('dialog')) root.current?.querySelector('input')?.focus();
  }, []);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-cell]')?.dataset.cell;
    if (cell === undefined || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const input = event.target as HTMLInputElement;
    if (event.key === 'Enter' || event.key === 'Tab') {
      const went = walk(event.shiftKey ? -1 : 1, cell, input);
      if (went || event.key === 'Enter') event.preventDefault();
    } else if (event.key === '=' && mayRepeat(cell, input)) {
      event.preventDefault();
      const repeated = desk.rowAbove(above);
      if (repeated) repeatCell(desk, cell, repeated);
      input.select();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (desk.now().draft.replaces) desk.clear();
      onLeave();
    }
  };
  /** False: before the first cell, the browser goes on. */
  const walk = (by: 1 | -1, cell: CellName, input: HTMLInputElement): boolean => {
    const unfound = unfoundIn(cell, input, desk.now().draft);
    if (unfound !== undefined) {
      desk.tell({ ...desk.now().problems, [cell]: unfound });
      return true;
    }
    const cells = cellsOf(desk.now().draft);
    const next = cells.indexOf(cell) + by;
    if (next < 0) return false;
    if (next === cells.length) save();
    else focus(cells[next]!);
    return true;
  };
  const lines = draft.lines.slice(1);
  const common = { desk, draft, problems };
  return (
    <fieldset
      ref={root}
      className="posting"
      onKeyDown={onKeyDown}
      onPaste={(event) => {
        const text = event.clipboardData.getData('text/plain');
        if (!/[\t\n]/.test(text.trim())) return;
        event.preventDefault();
        onPaste(text);
      }}
    >
      <legend className="visually-hidden">
        {draft.replaces ? `Alterar o lançamento ${draft.replaces.number}` : 'Novo lançamento'}
      </legend>
      <div className="posting-row">
        <span className="posting-number">{draft.replaces?.number ?? nextNumber}</span>
        <DayCell {...common} />
        <SideCell {...common} at={0} />
        <AccountCell {...common} at={0} />
        {isCompound(draft) ? <span className="posting-many">várias partidas</span> : <OffsetCell {...common} />}
        <CodeCell {...common} narrations={narrations} />
        <NarrationCell {...common} />
        <AmountCell {...common} at={0} />
        <Button kind="primary" icon="check" aria-label="Gravar lançamento" tabIndex={-1} onClick={save} />
      </div>
      {lines.map((line, index) => (
        <MoreLine key={line.id} {...common} at={index + 1} onRemove={() => actions.removeLine(index + 1)} />
      ))}
      <RowFoot draft={draft} problems={problems} narrations={narrations} />
    </fieldset>
  );
}

/** What keys and buttons do to the row. The focus moves at once, so that the next key goes where it belongs. */
function rowActions(
  desk: Desk,
  root: { readonly current: HTMLFieldSetElement | null },
  closedDays: ReadonlySet<string>,
): Omit<RowHandle, 'focus'> & { focus(cell: CellName): void; removeLine(at: number): void } {
  const focus = (cell: CellName) => {
    const input = root.current?.querySelector<HTMLInputElement>(`[data-cell="${cell}"] input`);
    input?.focus();
    input?.select();
  };
  return {
    focus,
    save: () => {
      const found = problemsInDraft(desk.now().draft, desk.month, closedDays);
      const [first] = cellsOf(desk.now().draft).filter((cell) => found[cell] !== undefined);
      flushSync(() => (first === undefined ? desk.submit() : desk.tell(found)));
      focus(first ?? 'day');
    },
    addLine: () => {
      flushSync(() => desk.change(withAnotherLine));
      const { lines } = desk.now().draft;
      const last = lines.length - 1;
      focus(lines[last]!.accountId === undefined ? `account.${last}` : `amount.${last}`);
    },
    removeLine: (at) => {
      flushSync(() => desk.change((present) => withoutLine(present, at)));
      focus(`amount.${Math.max(0, at - 1)}`);
    },
    focusProblem: () => {
      const { draft, problems } = desk.now();
      focus(cellsOf(draft).find((cell) => problems[cell] !== undefined) ?? 'day');
    },
  };
}

/** In a text, `=` is a sign like others unless the cell is empty. */
function mayRepeat(cell: CellName, input: HTMLInputElement): boolean {
  if (cell !== 'narration' && !cell.startsWith('amount')) return true;
  return input.value === '' || (input.selectionStart === 0 && input.selectionEnd === input.value.length);
}

/** What was typed into a field that finds nothing with it stays, and says so. */
function unfoundIn(cell: CellName, input: HTMLInputElement, draft: Draft): string | undefined {
  if (input.value.trim() === '') return undefined;
  const [name, at] = cell.split('.');
  if (name === 'account' && draft.lines[Number(at)]?.accountId === undefined) return NO_ACCOUNT;
  if (name === 'offset' && draft.offsetId === undefined) return NO_ACCOUNT;
  return name === 'code' && draft.code === '' ? 'Nenhum histórico com este código.' : undefined;
}

const NO_ACCOUNT = 'Nenhuma conta analítica com isto.';

function repeatCell(desk: Desk, cell: CellName, above: Draft): void {
  const [name, at] = cell.split('.');
  const line = above.lines[Math.min(Number(at ?? 0), above.lines.length - 1)]!;
  desk.forget(cell);
  desk.change((draft) => {
    if (name === 'day') return { ...draft, day: above.day };
    if (name === 'code') return { ...draft, code: above.code };
    if (name === 'narration') return { ...draft, narration: above.narration };
    if (name === 'offset') return { ...draft, offsetId: above.offsetId ?? above.lines[1]?.accountId };
    const changes: Partial<DraftLine> =
      name === 'side'
        ? { side: line.side }
        : name === 'account'
          ? { accountId: line.accountId }
          : { amount: line.amount };
    return withLine(draft, Number(at), changes);
  });
}

function withLine(draft: Draft, at: number, changes: Partial<DraftLine>): Draft {
  return { ...draft, lines: draft.lines.map((line, index) => (index === at ? { ...line, ...changes } : line)) };
}

interface CellProps {
  readonly desk: Desk;
  readonly draft: Draft;
  readonly problems: Readonly<Record<CellName, string>>;
}

type LineProps = CellProps & { readonly at: number };

/** A cell says by its frame that it is wrong; what is wrong stands in the foot, where it covers nothing. */
function Cell({
  name,
  problems,
  children,
}: {
  readonly name: CellName;
  readonly problems: CellProps['problems'];
  readonly children: React.ReactNode;
}) {
  const kind = name.split('.')[0];
  return (
    <div data-cell={name} data-wrong={problems[name] !== undefined || undefined} className={`posting-${kind}`}>
      {children}
    </div>
  );
}

function DayCell({ desk, draft, problems }: CellProps) {
  return (
    <Cell name="day" problems={problems}>
      <TextField
        label="Dia"
        hiddenLabel
        inputMode="numeric"
        maxLength={2}
        aria-invalid={problems.day !== undefined || undefined}
        value={draft.day}
        onChange={(day) => {
          desk.forget('day');
          desk.change((present) => ({ ...present, day: day.replace(/\D/g, '') }));
        }}
      />
    </Cell>
  );
}

function SideCell({ desk, draft, problems, at }: LineProps) {
  const set = (text: string) => {
    const side = /[dc]/i.exec(text.slice(-1))?.[0]?.toUpperCase();
    if (side === 'D' || side === 'C') desk.change((present) => withLine(present, at, { side }));
  };
  return (
    <Cell name={`side.${at}`} problems={problems}>
      <TextField label={lineLabel('Débito ou crédito', at)} hiddenLabel value={draft.lines[at]!.side} onChange={set} />
    </Cell>
  );
}

function lineLabel(label: string, at: number): string {
  return at === 0 ? label : `${label} da partida ${at + 1}`;
}

function AccountCell({ desk, draft, problems, at }: LineProps) {
  const name = `account.${at}`;
  return (
    <Cell name={name} problems={problems}>
      <AccountField
        label={lineLabel('Conta', at)}
        hiddenLabel
        onlyPosting
        className="combo-up"
        value={draft.lines[at]!.accountId}
        onChange={(accountId) => {
          desk.forget(name);
          desk.change((present) => withLine(present, at, { accountId }));
        }}
      />
    </Cell>
  );
}

function OffsetCell({ desk, draft, problems }: CellProps) {
  return (
    <Cell name="offset" problems={problems}>
      <AccountField
        label="Contrapartida"
        hiddenLabel
        onlyPosting
        className="combo-up"
        value={draft.offsetId}
        onChange={(offsetId) => {
          desk.forget('offset');
          desk.change((present) => ({ ...present, offsetId }));
        }}
      />
    </Cell>
  );
}

function CodeCell({ desk, draft, problems, narrations }: CellProps & { readonly narrations: readonly Narration[] }) {
  const find = (text: string) => {
    const words = fold(text).split(/\s+/).filter(Boolean);
    const fits = ({ code, text: name }: Narration) => words.every((word) => fold(`${code} ${name}`).includes(word));
    return narrations.filter(fits).slice(0, 12);
  };
  return (
    <Cell name="code" problems={problems}>
      <ComboField
        label="Histórico padrão"
        hiddenLabel
        className="combo-up"
        value={narrations.find(({ code }) => code === draft.code)}
        onChange={(narration) => {
          desk.forget('code');
          desk.change((present) => ({ ...present, code: narration?.code ?? '' }));
        }}
        find={find}
        keyOf={({ code }) => code}
        textOf={({ code }) => code}
        draw={({ code, text }) => (
          <span className="narration-choice">
            <span className="code">{code}</span>
            <span>{text}</span>
          </span>
        )}
        nothing="Nenhum histórico padrão com isto"
      />
    </Cell>
  );
}

function NarrationCell({ desk, draft, problems }: CellProps) {
  return (
    <Cell name="narration" problems={problems}>
      <TextField
        label="Histórico"
        hiddenLabel
        maxLength={500}
        value={draft.narration}
        onChange={(narration) => {
          desk.forget('narration');
          desk.change((present) => ({ ...present, narration }));
        }}
      />
    </Cell>
  );
}

function AmountCell({ desk, draft, problems, at }: LineProps) {
  const name = `amount.${at}`;
  const { amount } = draft.lines[at]!;
  return (
    <Cell name={name} problems={problems}>
      <TextField
        label={lineLabel('Valor', at)}
        hiddenLabel
        inputMode="decimal"
        placeholder="0,00"
        value={amount}
        onChange={(text) => {
          desk.forget(...draft.lines.map((_, line) => `amount.${line}`));
          desk.change((present) => withLine(present, at, { amount: text }));
        }}
        onBlur={() => {
          // As it is now, not as this cell was drawn: Ctrl L or the next row may have changed it meanwhile.
          desk.change(withReadAmounts);
        }}
      />
    </Cell>
  );
}

function MoreLine({ desk, draft, problems, at, onRemove }: LineProps & { readonly onRemove: () => void }) {
  const { byId } = useChart();
  const { accountId } = draft.lines[at]!;
  return (
    <div className="posting-row posting-more">
      <span className="posting-label">partida {at + 1}</span>
      <SideCell {...{ desk, draft, problems, at }} />
      <AccountCell {...{ desk, draft, problems, at }} />
      <span className="posting-name">{accountId === undefined ? '' : byId(accountId)?.name}</span>
      <AmountCell {...{ desk, draft, problems, at }} />
      <Button kind="quiet" icon="close" aria-label={`Tirar a partida ${at + 1}`} tabIndex={-1} onClick={onRemove} />
    </div>
  );
}

/** Below the row, always of the same height: what is wrong, else the names of what was typed. */
function RowFoot({
  draft,
  problems,
  narrations,
}: Pick<CellProps, 'draft' | 'problems'> & { readonly narrations: readonly Narration[] }) {
  const messages = Object.entries(problems).map(([cell, message]) => `${nameOfCell(cell)}${message}`);
  const difference = differenceOf(draft);
  const added = draft.lines.map(({ amount }) => amount).find((amount) => /\d[+-]/.test(amount));
  const sum = added === undefined ? undefined : sumOfTyped(added);
  return (
    <div className="posting-foot">
      {messages.length > 0 ? (
        <p role="alert" className="posting-problem" title={messages.join(' ')}>
          {messages.join(' ')}
        </p>
      ) : (
        <RowNames draft={draft} narrations={narrations} />
      )}
      {sum !== undefined && <span className="posting-sum">soma {amountText(sum)}</span>}
      <span className="posting-difference" data-wrong={difference !== 0n || undefined}>
        diferença{' '}
        <strong>
          {amountText(magnitudeOf(difference))} {sideOf(difference)}
        </strong>
      </span>
    </div>
  );
}

function RowNames({ draft, narrations }: Pick<CellProps, 'draft'> & { readonly narrations: readonly Narration[] }) {
  const { byId } = useChart();
  const [first] = draft.lines;
  const words = { D: 'Débito', C: 'Crédito' } as const;
  const name = (id: number | undefined) => (id === undefined ? undefined : byId(id)?.name);
  const account = name(first!.accountId);
  const offset = name(draft.offsetId);
  const narration = narrations.find(({ code }) => code === draft.code);
  return (
    <p className="posting-names">
      {draft.replaces && <b>Alterando o lançamento {draft.replaces.number}. Esc desiste. </b>}
      {account && (
        <>
          <b>{words[first!.side]}</b> {account}{' '}
        </>
      )}
      {offset && (
        <>
          <b>{words[first!.side === 'D' ? 'C' : 'D']}</b> {offset}{' '}
        </>
      )}
      {narration && (
        <>
          <b>Histórico {narration.code}</b> {narration.text}
          {narration.needsComplement && ' (pede complemento)'}
        </>
      )}
      {isPristine(draft) && 'Digite o dia e siga com Enter.'}
    </p>
  );
}

const CELL_NAMES: Readonly<Record<string, string>> = {
  day: 'Dia: ',
  account: 'Conta: ',
  offset: 'Contrapartida: ',
  code: 'Histórico padrão: ',
  narration: 'Histórico: ',
  amount: 'Valor: ',
};

function nameOfCell(cell: CellName): string {
  return CELL_NAMES[cell.split('.')[0]!] ?? '';
}
