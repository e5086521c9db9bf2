import { type KeyboardEvent, type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { classes } from '../../ui/classes.ts';
import { DataGrid, type GridHandle } from '../../ui/data-grid.tsx';
import type { Column } from '../../ui/grid-columns.tsx';
import { Empty } from '../../ui/states.tsx';
import type { FileProblem } from './judge.ts';
import { indexOfRow, type Sheet, type SheetColumn, type SheetRow } from './sheet.ts';

export interface SheetHandle {
  /** Opens the next cell in error after the marked row, or the first; false where there is none. */
  nextProblem(): boolean;
  /** Opens the marked row for correction. */
  edit(): boolean;
  go(problem: FileProblem): void;
}

interface SheetRowsProps {
  readonly sheet: Sheet;
  /** Their columns are those of the sheet; null: the whole row. */
  readonly problems: readonly FileProblem[];
  readonly onlyWrong: boolean;
  readonly onWrite: (row: number, column: string, text: string) => void;
  readonly ref: Ref<SheetHandle>;
}

interface Cell {
  readonly row: number;
  readonly column: string;
}

type Problems = ReadonlyMap<number, ReadonlyMap<string | null, string>>;

/** The rows of a file: cells in error are outlined and say why; Enter corrects them in place. */
export function SheetRows({ sheet, problems, onlyWrong, onWrite, ref }: SheetRowsProps) {
  const grid = useRef<GridHandle>(null);
  const marked = useRef(0);
  const [cell, setCell] = useState<Cell>();
  const byRow = useMemo(() => problemsByRow(problems), [problems]);
  const rows = useMemo(
    () => (onlyWrong ? sheet.rows.filter(({ number }) => byRow.has(number)) : sheet.rows),
    [sheet, byRow, onlyWrong],
  );
  const canEdit = !sheet.isPart;

  const open = (row: number, column: string | null) => {
    const index = indexOfRow(rows, row);
    if (index < 0) return;
    grid.current?.markRow(index);
    marked.current = index;
    if (canEdit) setCell({ row, column: column ?? sheet.columns[0]!.id });
  };
  const nextProblem = (after: Cell | undefined = cell) => {
    const from = after?.row ?? rows[marked.current]?.number ?? 0;
    const next = following(problems, after, from) ?? problems[0];
    if (next === undefined) return false;
    open(next.row, next.column);
    return true;
  };
  const editMarked = (row: SheetRow | undefined = rows[marked.current]) => {
    if (row === undefined || !canEdit) return false;
    const wrong = [...(byRow.get(row.number)?.keys() ?? [])].find((column) => column !== null);
    setCell({ row: row.number, column: wrong ?? sheet.columns[0]!.id });
    return true;
  };
  useImperativeHandle(ref, () => ({
    nextProblem: () => nextProblem(),
    edit: () => editMarked(),
    go: (problem) => {
      const column = problems.find(({ row, message }) => row === problem.row && message === problem.message)?.column;
      open(problem.row, column ?? null);
    },
  }));

  const close = () => {
    setCell(undefined);
    grid.current?.focus();
  };
  const editing: Editing = {
    byRow,
    cell,
    canEdit,
    onOpen: setCell,
    onWrite,
    onLeave: (left) => setCell((now) => (now && isSame(now, left) ? undefined : now)),
    onKey: (key, at) => {
      if (key === 'Tab' || key === 'Shift+Tab') {
        const next = sheet.columns[at + (key === 'Tab' ? 1 : -1)];
        if (next && cell) setCell({ row: cell.row, column: next.id });
        else close();
      } else if (key === 'F8' || (key === 'Enter' && hasOthers(problems, cell))) nextProblem();
      else close();
    },
  };
  const columns = [numberColumn(byRow), ...sheet.columns.map((column, at) => cellColumn(column, at, editing))];
  return (
    <DataGrid
      ref={grid}
      label="Linhas do arquivo"
      columns={columns}
      rows={rows}
      keyOf={({ number }) => number}
      onMark={(_, index) => {
        marked.current = index;
      }}
      onOpen={(row) => {
        if (cell === undefined) editMarked(row);
      }}
      empty={<Empty title="O arquivo não tem linhas">O servidor diz o que falta.</Empty>}
    />
  );
}

interface Editing {
  readonly byRow: Problems;
  readonly cell: Cell | undefined;
  readonly canEdit: boolean;
  readonly onOpen: (cell: Cell) => void;
  readonly onWrite: (row: number, column: string, text: string) => void;
  readonly onKey: (key: EditorKey, at: number) => void;
  readonly onLeave: (cell: Cell) => void;
}

/** A column of the file; the open cell of a row is a field. */
function cellColumn(column: SheetColumn, at: number, editing: Editing): Column<SheetRow> {
  const { byRow, cell, canEdit, onOpen, onWrite, onKey, onLeave } = editing;
  const text = ({ cells }: SheetRow) => cells[at] ?? '';
  return {
    ...column,
    text,
    grows: GROWING.has(column.id),
    align: column.id === 'valor' ? 'end' : 'start',
    narrow: NARROW.has(column.id),
    atLeast: 14,
    draw: (row) => {
      const here = { row: row.number, column: column.id };
      const problem = byRow.get(row.number)?.get(column.id);
      if (cell === undefined || !isSame(cell, here)) {
        return <CellText text={text(row)} problem={problem} onOpen={canEdit ? () => onOpen(here) : undefined} />;
      }
      return (
        <CellEditor
          key={`${here.row} ${here.column}`}
          label={`${column.title}, linha ${row.number}`}
          text={text(row)}
          problem={problem}
          onWrite={(written) => onWrite(row.number, column.id, written)}
          onKey={(key) => onKey(key, at)}
          onLeave={() => onLeave(here)}
        />
      );
    },
  };
}

function isSame(one: Cell, other: Cell): boolean {
  return one.row === other.row && one.column === other.column;
}

const GROWING = new Set(['historico', 'linha']);
const NARROW = new Set(['conta', 'valor', 'debcre']);

function numberColumn(byRow: Problems): Column<SheetRow> {
  return {
    id: 'number',
    title: 'Linha',
    text: ({ number }) => String(number),
    align: 'end',
    look: 'faint',
    narrow: true,
    draw: ({ number }) => (
      <span className={classes(byRow.has(number) && 'sheet-number-wrong')} title={byRow.get(number)?.get(null)}>
        {number}
      </span>
    ),
  };
}

function problemsByRow(problems: readonly FileProblem[]): Problems {
  const byRow = new Map<number, Map<string | null, string>>();
  for (const { row, column, message } of problems) {
    const cells = byRow.get(row) ?? new Map<string | null, string>();
    byRow.set(row, cells.set(column, message));
  }
  return byRow;
}

/** The problem behind the cell that is open, in the order of the file. */
function following(problems: readonly FileProblem[], cell: Cell | undefined, from: number): FileProblem | undefined {
  const at = problems.findIndex(({ row, column }) => row === cell?.row && column === cell.column);
  if (at >= 0) return problems[at + 1];
  return problems.find(({ row }) => (cell === undefined ? row >= from : row > from));
}

function hasOthers(problems: readonly FileProblem[], cell: Cell | undefined): boolean {
  return problems.some(({ row, column }) => row !== cell?.row || column !== cell.column);
}

interface CellTextProps {
  readonly text: string;
  readonly problem: string | undefined;
  readonly onOpen: (() => void) | undefined;
}

function CellText({ text, problem, onOpen }: CellTextProps) {
  return (
    <span
      className={classes('sheet-cell', problem !== undefined && 'sheet-cell-wrong')}
      title={problem}
      onDoubleClick={(event) => {
        event.stopPropagation();
        onOpen?.();
      }}
    >
      {text}
      {problem !== undefined && <span className="visually-hidden"> ({problem})</span>}
    </span>
  );
}

interface CellEditorProps {
  readonly label: string;
  readonly text: string;
  readonly problem: string | undefined;
  readonly onWrite: (text: string) => void;
  /** After what was typed is kept; Escape keeps nothing. */
  readonly onKey: (key: EditorKey) => void;
  readonly onLeave: () => void;
}

function CellEditor({ label, text, problem, onWrite, onKey, onLeave }: CellEditorProps) {
  const [typed, setTyped] = useState(text);
  const onKeyDown = (event: KeyboardEvent) => {
    const key = event.key === 'Tab' && event.shiftKey ? 'Shift+Tab' : event.key;
    if (key === 'Enter' && event.ctrlKey) {
      // The screen saves what was judged: a correction is judged first.
      if (typed === text) return;
      event.preventDefault();
      event.stopPropagation();
      onWrite(typed);
      onKey('Escape');
      return;
    }
    if (!isKey(key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (key !== 'Escape') onWrite(typed);
    onKey(key);
  };
  return (
    <input
      autoFocus
      className={classes('sheet-input', problem !== undefined && 'sheet-cell-wrong')}
      aria-label={label}
      aria-invalid={problem !== undefined || undefined}
      title={problem}
      value={typed}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        onWrite(event.target.value);
        onLeave();
      }}
    />
  );
}

const KEYS = ['Enter', 'Tab', 'Shift+Tab', 'F8', 'Escape'] as const;

type EditorKey = (typeof KEYS)[number];

function isKey(key: string): key is EditorKey {
  return (KEYS as readonly string[]).includes(key);
}
