import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { arriveAt } from './arrival.ts';
import { classes } from './classes.ts';
import { type Column, tracksOf, widthsOf } from './grid-columns.tsx';
import { keysToOpen, type PagedRows, type ShownRow, shownRows, type TreeRows } from './grid-rows.ts';
import { useRemembered, useRememberedRef } from './memory.ts';
import { useIsPrinting } from './printing.ts';

type Key = string | number;

interface DataGridProps<Row> {
  /** Read aloud, and the name under which the history remembers row and scroll. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[] | PagedRows<Row>;
  readonly keyOf: (row: Row) => Key;
  /** Rows have others below them: → ← open and close, `*` and `-` everything. Only with rows in a list. */
  readonly tree?: TreeRows<Row>;
  /** Key of the row that is marked when the screen is entered; the first one by default. */
  readonly startAt?: Key;
  /** Enter, a double click, and a tap. */
  readonly onOpen?: (row: Row) => void;
  /** The marked row has changed. */
  readonly onMark?: (row: Row | undefined, index: number) => void;
  /** Keys of the selected rows: Space takes one more, Shift ↑ ↓ several, Ctrl A all. */
  readonly selection?: { readonly keys: ReadonlySet<Key>; onChange(keys: ReadonlySet<Key>): void };
  readonly rowClass?: (row: Row) => string | undefined;
  /** Below the rows, always in sight: totals. */
  readonly foot?: ReactNode;
  /** In the place of rows where there are none. */
  readonly empty?: ReactNode;
  /** Does not take the focus when the screen is entered. */
  readonly quiet?: boolean;
  readonly ref?: Ref<GridHandle>;
}

/** What a screen may do with its grid. */
export interface GridHandle {
  focus(): void;
  /** Marks a row and brings it into sight. */
  markRow(index: number): void;
}

/** Rows drawn above and below what is in sight. */
const MARGIN = 6;

/**
 * A table of any length: only the rows in sight are in the page. It is one stop of Tab; `aria-activedescendant` names the
 * marked row, which the keys move. Row, scroll and marks are found again on the way back. Print shows all rows.
 */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { label, columns, keyOf, tree, onOpen, selection, rowClass, foot, empty, quiet = false } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const shown = useShown(props);
  const [marked, setMark] = useMark(label, shown, props.startAt);
  const view = useWindow(scroller, shown.count, label);
  const isPrinting = useIsPrinting();
  const from = isPrinting ? 0 : Math.max(0, view.first - MARGIN);
  const to = isPrinting ? Math.min(shown.count, MOST_PRINTED) : Math.min(shown.count, view.first + view.fits + MARGIN);

  const paged = 'want' in props.rows ? props.rows : undefined;
  useEffect(() => paged?.want(from, to), [paged, from, to]);
  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(shown.count - 1, index));
    setMark(next);
    view.reveal(next);
  };
  useImperativeHandle(props.ref, () => ({ focus: () => scroller.current?.focus(), markRow: moveTo }));
  const markedRow = shown.at(marked)?.row;
  const { onMark } = props;
  const markedKey = markedRow === undefined ? undefined : keyOf(markedRow);
  // At once: the next key is of the row marked now, not of the one before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when another row is marked, not when it is drawn again
  useLayoutEffect(() => onMark?.(markedRow, marked), [markedKey]);
  useLayoutEffect(() => {
    if (!quiet && scroller.current) arriveAt(scroller.current);
  }, [quiet]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const handled = keyOfGrid(event, { shown, marked, fits: view.fits, moveTo, props });
    if (handled) event.preventDefault();
  };
  const widths = useMeasured(columns, props.rows);
  const drawn = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  return (
    <div
      ref={scroller}
      className="grid"
      role={tree ? 'treegrid' : 'grid'}
      aria-label={label}
      aria-rowcount={shown.count + 1}
      aria-multiselectable={selection ? true : undefined}
      aria-activedescendant={marked >= from && marked < to ? `${id}-${marked}` : undefined}
      tabIndex={0}
      style={tracksStyle(columns, widths)}
      onScroll={view.onScroll}
      onKeyDown={onKeyDown}
    >
      <GridHead columns={columns} />
      <div
        className="grid-body"
        role="rowgroup"
        style={isPrinting ? undefined : { height: `calc(var(--row) * ${shown.count})` }}
      >
        <div className="grid-rows" style={isPrinting ? undefined : { translate: `0 calc(var(--row) * ${from})` }}>
          {drawn.map((index) => {
            const each = shown.at(index);
            return (
              <GridRow
                key={each?.key ?? `row ${index}`}
                id={`${id}-${index}`}
                index={index}
                shown={each}
                columns={columns}
                isMarked={index === marked}
                isSelected={selection && each ? selection.keys.has(each.key) : undefined}
                className={each && rowClass?.(each.row)}
                onMark={() => setMark(index)}
                onOpen={onOpen}
                onToggle={each?.isOpen === undefined ? undefined : () => toggle(tree!, each)}
              />
            );
          })}
        </div>
      </div>
      {shown.count === 0 && empty !== undefined && <div className="grid-empty">{empty}</div>}
      {foot !== undefined && <div className="grid-foot">{foot}</div>}
    </div>
  );
}

function tracksStyle<Row>(columns: readonly Column<Row>[], widths: readonly number[]): CSSProperties {
  const narrow = widths.filter((_, at) => isNarrow(columns[at]!));
  return {
    '--tracks': tracksOf(columns, widths),
    '--tracks-narrow': tracksOf(columns.filter(isNarrow), narrow),
  } as CSSProperties;
}

/** Longer lists are printed as books. */
const MOST_PRINTED = 10_000;

function GridHead<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <div className="grid-head" role="rowgroup">
      <div className="grid-row" role="row" aria-rowindex={1}>
        {columns.map((column) => (
          <div key={column.id} role="columnheader" className={cellClass(column)}>
            {column.title}
          </div>
        ))}
      </div>
    </div>
  );
}

interface GridRowProps<Row> {
  readonly id: string;
  readonly index: number;
  readonly shown: ShownRow<Row> | undefined;
  readonly columns: readonly Column<Row>[];
  readonly isMarked: boolean;
  readonly isSelected: boolean | undefined;
  readonly className: string | undefined;
  readonly onMark: () => void;
  readonly onOpen: ((row: Row) => void) | undefined;
  readonly onToggle: (() => void) | undefined;
}

function GridRow<Row>(props: GridRowProps<Row>) {
  const { id, index, shown, columns, isMarked, isSelected, className, onMark, onOpen, onToggle } = props;
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-level={onToggle || shown === undefined || shown.level > 1 ? shown?.level : undefined}
      aria-expanded={shown?.isOpen}
      aria-selected={isSelected ?? isMarked}
      data-marked={isMarked || undefined}
      className={classes('grid-row', isSelected && 'grid-row-selected', className)}
      onClick={(event) => {
        onMark();
        // A finger has no double click.
        if (shown && onOpen && isTap(event.nativeEvent)) onOpen(shown.row);
      }}
      onDoubleClick={() => shown && onOpen?.(shown.row)}
    >
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          className={cellClass(column)}
          style={
            column.tree && shown ? { paddingInlineStart: `min(var(--indent) * ${shown.level - 1}, 35%)` } : undefined
          }
          title={column.grows && shown ? column.text(shown.row) : undefined}
        >
          {column.tree && (
            <span
              className={classes('grid-sign', onToggle && (shown?.isOpen ? 'grid-sign-open' : 'grid-sign-closed'))}
              onClick={(event) => {
                event.stopPropagation();
                onMark();
                onToggle?.();
              }}
              aria-hidden="true"
            />
          )}
          {shown === undefined ? <span className="grid-waiting" /> : drawCell(column, shown.row)}
        </div>
      ))}
    </div>
  );
}

function drawCell<Row>(column: Column<Row>, row: Row): ReactNode {
  const content = column.draw ? column.draw(row) : column.text(row);
  return column.grows ? <span className="grid-cut">{content}</span> : content;
}

function cellClass<Row>({ align = 'start', look, narrow }: Column<Row>): string {
  return classes('grid-cell', `grid-${align}`, look && `grid-${look}`, !narrow && 'grid-wide-only');
}

function isNarrow<Row>({ narrow }: Column<Row>): boolean {
  return narrow === true;
}

function isTap(event: MouseEvent): boolean {
  return event instanceof PointerEvent && event.pointerType === 'touch';
}

interface Shown<Row> {
  readonly count: number;
  readonly isPaged: boolean;
  at(index: number): ShownRow<Row> | undefined;
}

function useShown<Row>({ rows, keyOf, tree }: DataGridProps<Row>): Shown<Row> {
  const open = tree?.open;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions say the same of the same rows
  return useMemo((): Shown<Row> => {
    if ('want' in rows) {
      const at = (index: number) => {
        const row = rows.at(index);
        return row === undefined ? undefined : { row, key: keyOf(row), level: 1, isOpen: undefined };
      };
      return { count: rows.count, isPaged: true, at };
    }
    const shown = shownRows(rows, keyOf, tree);
    return { count: shown.length, isPaged: false, at: (index) => shown[index] };
  }, [rows, open]);
}

/** The marked row: it keeps its mark where rows come and go above it. */
function useMark<Row>(label: string, shown: Shown<Row>, startAt?: Key): [number, (index: number) => void] {
  const [mark, setMark] = useRemembered<{ index: number; key: Key | undefined }>(`${label} mark`, {
    index: 0,
    key: startAt,
  });
  const found = useMemo(() => {
    if (mark.key === undefined || shown.isPaged || shown.at(mark.index)?.key === mark.key) return mark.index;
    for (let at = 0; at < shown.count; at++) if (shown.at(at)!.key === mark.key) return at;
    return mark.index;
  }, [mark, shown]);
  return [Math.min(found, shown.count - 1), (index) => setMark({ index, key: shown.at(index)?.key })];
}

/** Widths by all rows of a list; of pages by what the columns say and what has come so far, never narrower again. */
function useMeasured<Row>(columns: readonly Column<Row>[], rows: readonly Row[] | PagedRows<Row>): readonly number[] {
  const columnIds = columns.map(({ id, widest }) => `${id} ${widest}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: columns are made anew with each drawing, their ids are not
  return useMemo(() => widthsOf(columns, 'want' in rows ? [] : rows), [columnIds, rows]);
}

/** Which rows are in sight. Rows have one height, `--row`, so that counting them is enough. */
function useWindow(scroller: { readonly current: HTMLDivElement | null }, count: number, name: string) {
  const [place, setPlace] = useState({ first: 0, fits: 40 });
  const scroll = useRememberedRef<number>(`${name} scroll`);
  const heights = useRef({ row: 26, head: 30, foot: 0 });
  const look = () => {
    const element = scroller.current!;
    const first = Math.floor(element.scrollTop / heights.current.row);
    const fits = Math.ceil((element.clientHeight - heights.current.head) / heights.current.row);
    setPlace((before) => (before.first === first && before.fits === fits ? before : { first, fits }));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured when it appears and when its size changes
  useLayoutEffect(() => {
    const element = scroller.current!;
    const measure = () => {
      const height = (selector: string) => element.querySelector(selector)?.getBoundingClientRect().height ?? 0;
      heights.current = {
        row: Number.parseFloat(getComputedStyle(element).getPropertyValue('--row')) || 26,
        head: height('.grid-head'),
        foot: height('.grid-foot'),
      };
      look();
    };
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    measure();
    return () => watch.disconnect();
  }, []);
  const isThere = count > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when there is something to scroll to
  useLayoutEffect(() => {
    const before = scroll.get();
    if (!isThere || before === undefined) return;
    scroller.current!.scrollTop = before;
    look();
  }, [isThere]);
  return {
    ...place,
    onScroll: () => {
      scroll.set(scroller.current!.scrollTop);
      look();
    },
    /** Scrolls no further than it must. */
    reveal: (index: number) => {
      const element = scroller.current!;
      const { row, head, foot } = heights.current;
      const top = index * row;
      const room = element.clientHeight - head - foot;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top + row > element.scrollTop + room) element.scrollTop = top + row - room;
      look();
    },
  };
}

interface KeyContext<Row> {
  readonly shown: Shown<Row>;
  readonly marked: number;
  readonly fits: number;
  readonly moveTo: (index: number) => void;
  readonly props: DataGridProps<Row>;
}

/** Whether the grid had something to do for the key. */
function keyOfGrid<Row>(event: KeyboardEvent, context: KeyContext<Row>): boolean {
  const { shown, marked, fits, moveTo, props } = context;
  if (event.altKey || event.metaKey) return false;
  const each = shown.at(marked);
  if (event.ctrlKey) return event.key.toLowerCase() === 'a' && selectAll(context);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: marked + 1,
    ArrowUp: marked - 1,
    PageDown: marked + fits - 2,
    PageUp: marked - fits + 2,
    Home: 0,
    End: shown.count - 1,
  };
  const next = steps[event.key];
  if (next !== undefined) {
    if (event.shiftKey && each) select(props, [each.key, shown.at(Math.max(0, Math.min(shown.count - 1, next)))?.key]);
    moveTo(next);
    return true;
  }
  if (event.key === 'Enter' && each && props.onOpen) {
    props.onOpen(each.row);
    return true;
  }
  if (event.key === ' ' && each && props.selection) return toggleSelected(props, each.key);
  return props.tree !== undefined && each !== undefined && keyOfTree(event.key, each, props.tree, context);
}

function keyOfTree<Row>(
  key: string,
  each: ShownRow<Row>,
  tree: TreeRows<Row>,
  { shown, marked, moveTo, props }: KeyContext<Row>,
): boolean {
  if (key === 'ArrowRight') {
    if (each.isOpen === false) toggle(tree, each);
    else if (each.isOpen) moveTo(marked + 1);
    return true;
  }
  if (key === 'ArrowLeft') {
    if (each.isOpen) toggle(tree, each);
    else for (let at = marked - 1; at >= 0; at--) if (shown.at(at)!.level < each.level) return moveTo(at) === undefined;
    return true;
  }
  if (key === '*' && !('want' in props.rows)) {
    tree.onOpenChange(keysToOpen(props.rows, props.keyOf, tree.levelOf));
    return true;
  }
  if (key !== '-') return false;
  let top = marked;
  while (top > 0 && shown.at(top)!.level > 1) top--;
  tree.onOpenChange(new Set());
  // The top row keeps its mark: those between have gone.
  moveTo(Array.from({ length: top }, (_, at) => shown.at(at)!).filter(({ level }) => level === 1).length);
  return true;
}

function toggle<Row>(tree: TreeRows<Row>, { key, isOpen }: ShownRow<Row>): void {
  const open = new Set(tree.open);
  if (isOpen) open.delete(key);
  else open.add(key);
  tree.onOpenChange(open);
}

function select<Row>({ selection }: DataGridProps<Row>, keys: readonly (Key | undefined)[]): void {
  selection?.onChange(new Set([...selection.keys, ...keys.filter((key) => key !== undefined)]));
}

function selectAll<Row>({ props, shown }: KeyContext<Row>): boolean {
  if (!props.selection) return false;
  select(
    props,
    Array.from({ length: shown.count }, (_, at) => shown.at(at)?.key),
  );
  return true;
}

function toggleSelected<Row>({ selection }: DataGridProps<Row>, key: Key): boolean {
  const keys = new Set(selection!.keys);
  if (!keys.delete(key)) keys.add(key);
  selection!.onChange(keys);
  return true;
}
