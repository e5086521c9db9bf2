import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { useMay, useSession } from '../../data/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid, type GridHandle } from '../../ui/data-grid.tsx';
import { countText, fold } from '../../ui/format.ts';
import type { Column } from '../../ui/grid-columns.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { SelectField, TextField } from '../../ui/text-field.tsx';
import { labelOf, TYPE_LABELS } from './labels.ts';
import { RecordForm, RemoveDialog } from './record-form.tsx';
import { isFigure, valueText } from './record-text.ts';
import { RecordTypes } from './record-type-list.tsx';
import { RECORD_TYPES, type RecordType } from './record-types.ts';
import {
  canCreate,
  canRemove,
  keyOf,
  type RecordsPlace,
  type Row,
  recordsQuery,
  schemaOf,
  typeOf,
} from './records-data.ts';
import { useReferenceTexts } from './references.tsx';
import { useSheet } from './use-sheet.ts';
import './records.css';

const NEW = 'novo';

/** Cadastros: every type of records that has no screen of its own. */
export function RecordsScreen() {
  const [{ tipo }] = useSearchParams();
  const type = typeOf(tipo ?? '') ?? RECORD_TYPES[0]!;
  return <Records key={type.slug} type={type} />;
}

function Records({ type }: { readonly type: RecordType }) {
  const [search, setSearch] = useSearchParams();
  const place = usePlace();
  const parents = useParents(type);
  const at: RecordsPlace = { ...place, parent: search.de ?? parents[0]?.value };
  const query = useQuery(recordsQuery(type, at));
  const rights = useRights(type);
  const grid = useRef<GridHandle>(null);
  const [removing, setRemoving] = useState<Row>();
  const [marked, setMarked] = useState<Row>();
  const sheet = useSheet(type, at, query.data ?? []);
  const { rows } = sheet;
  const label = TYPE_LABELS[type.slug]!;
  const open = (registro: string | undefined) => {
    setSearch({ registro });
    if (registro === undefined) grid.current?.focus();
  };
  const create = () => open(NEW);
  const before = found(type, rows, search.registro);
  const choose = (tipo: string) =>
    setSearch({ tipo, registro: undefined, de: undefined, filtro: undefined }, { push: true });
  return (
    <Screen
      title="Cadastros"
      subtitle={label.title}
      badge={sheet.isChanged ? <Badge tone="open">não gravado</Badge> : null}
      keys={[
        { keys: '↑ ↓', label: 'registro' },
        { keys: 'Enter', label: rights.canSave ? 'altera' : 'abre' },
        ...(rights.canCreate ? [{ keys: 'N', label: label.aNew.toLowerCase(), run: create }] : []),
        ...(rights.canRemove ? [{ keys: 'Delete', label: 'exclui', run: () => marked && setRemoving(marked) }] : []),
        { keys: '/', label: 'filtra' },
        { keys: 'Ctrl+S', label: 'grava', run: () => void sheet.save() },
      ]}
      actions={
        <>
          {type.list !== undefined && <Filter />}
          {rights.canCreate && <CreateButton type={type} onClick={create} />}
          {sheet.isChanged && <SheetButtons sheet={sheet} />}
        </>
      }
    >
      <div className="records">
        <RecordTypes of={type} onChoose={choose} />
        <div className="records-list">
          <ParentChoice type={type} chosen={at.parent} parents={parents} />
          {sheet.refusals.length > 0 && <Refusals of={sheet.refusals} />}
          {type.list === undefined || (type.parent && parents.length === 0) ? (
            <Nothing type={type} onCreate={rights.canCreate ? create : undefined} />
          ) : (
            <Result query={query}>
              {() => (
                <RecordsGrid
                  ref={grid}
                  type={type}
                  rows={rows}
                  filter={search.filtro ?? ''}
                  onOpen={schemaOf(type) ? (row) => open(keyOf(type, row, rows.indexOf(row))) : undefined}
                  onMark={setMarked}
                  onCreate={rights.canCreate ? create : undefined}
                />
              )}
            </Result>
          )}
        </div>
      </div>
      {(search.registro === NEW ? rights.canCreate : before) && (
        <RecordForm
          key={search.registro}
          type={type}
          place={at}
          before={before}
          canSave={before ? rights.canSave : rights.canCreate}
          canRemove={rights.canRemove}
          onClose={() => open(undefined)}
          {...(type.hidden && { hidden: type.hidden })}
          {...(type.isSheet && {
            onPut: (row) => sheet.put(row, before?.at),
            onRemove: () => before && sheet.remove(before.at),
          })}
        />
      )}
      {removing && (
        <RemoveDialog
          type={type}
          place={at}
          before={{ row: removing, at: rows.indexOf(removing) }}
          {...(type.isSheet && { onRemove: () => sheet.remove(rows.indexOf(removing)) })}
          onDone={() => setMarked(undefined)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Screen>
  );
}

interface ParentChoiceProps {
  readonly type: RecordType;
  readonly chosen: string | undefined;
  readonly parents: ReturnType<typeof useParents>;
}

function ParentChoice({ type, chosen, parents }: ParentChoiceProps) {
  const [, setSearch] = useSearchParams();
  if (type.parent === undefined) return null;
  return (
    <SelectField
      label={TYPE_LABELS[type.parent.slug]!.title}
      value={chosen ?? ''}
      onChange={(de) => setSearch({ de, registro: undefined })}
      choices={parents}
    />
  );
}

function SheetButtons({ sheet }: { readonly sheet: ReturnType<typeof useSheet> }) {
  return (
    <>
      <Button onClick={sheet.discard}>Descartar</Button>
      <Button kind="primary" busy={sheet.isSaving} onClick={() => void sheet.save()}>
        Gravar tudo
      </Button>
    </>
  );
}

const MOST_REFUSALS = 20;

function Refusals({ of }: { readonly of: readonly string[] }) {
  return (
    <div className="field-problem" role="alert">
      {of.slice(0, MOST_REFUSALS).map((each) => (
        <p key={each}>{each}</p>
      ))}
    </div>
  );
}

function CreateButton({ type, onClick }: { readonly type: RecordType; readonly onClick: () => void }) {
  const { aNew, one } = TYPE_LABELS[type.slug]!;
  return (
    <Button kind="primary" icon="plus" onClick={onClick}>
      {aNew} {one}
    </Button>
  );
}

interface NothingProps {
  readonly type: RecordType;
  readonly onCreate: (() => void) | undefined;
}

/** Where there is none yet: what they are for, and the offer to make the first. */
function Nothing({ type, onCreate }: NothingProps) {
  const { title, about } = TYPE_LABELS[type.slug]!;
  return (
    <Empty title={`${title}: nada cadastrado`} action={onCreate && <CreateButton type={type} onClick={onCreate} />}>
      {about}
    </Empty>
  );
}

function found(type: RecordType, rows: readonly Row[], key: string | undefined) {
  const at = key === undefined ? -1 : rows.findIndex((row, index) => keyOf(type, row, index) === key);
  return at < 0 ? undefined : { row: rows[at]!, at };
}

/** What the user may do with records of the type. */
function useRights(type: RecordType) {
  const session = useSession();
  const mayUse = useMay(type.routine ?? '');
  const isAdmin = 'who' in session && session.who.user.admin;
  const may = type.adminOnly ? isAdmin : type.routine === undefined || mayUse;
  return {
    canCreate: may && canCreate(type),
    canSave: may && type.replace !== undefined,
    canRemove: may && canRemove(type),
  };
}

/** The records that those of a type belong to, to choose from. */
function useParents(type: RecordType) {
  const place = usePlace();
  const parent = typeOf(type.parent?.slug ?? '');
  const { data = [] } = useQuery({
    ...recordsQuery(parent ?? RECORD_TYPES[0]!, { ...place, parent: undefined }),
    enabled: parent !== undefined,
  });
  if (parent === undefined) return [];
  const [name, code] = parent.columns;
  return data.map((row) => ({ value: String(row.id), text: [row[name!], row[code!]].filter(Boolean).join(' · ') }));
}

function Filter() {
  const [{ filtro = '' }, setSearch] = useSearchParams();
  return (
    <TextField
      label="Filtrar"
      hiddenLabel
      type="search"
      placeholder="Filtrar"
      value={filtro}
      onChange={(text) => setSearch({ filtro: text === '' ? undefined : text })}
    />
  );
}

interface RecordsGridProps {
  readonly type: RecordType;
  readonly rows: readonly Row[];
  readonly filter: string;
  readonly onOpen: ((row: Row) => void) | undefined;
  readonly onMark: (row: Row | undefined) => void;
  readonly onCreate: (() => void) | undefined;
  readonly ref: React.Ref<GridHandle>;
}

/** The list; of thousands only those in sight are in the page. */
function RecordsGrid({ type, rows, filter, onOpen, onMark, onCreate, ref }: RecordsGridProps) {
  const { title } = TYPE_LABELS[type.slug]!;
  const referenceText = useReferenceTexts(type.slug, type.columns);
  const columns = columnsOf(type, referenceText);
  const shown = useFiltered(rows, columns, filter);
  const places = useMemo(() => new Map(rows.map((row, at) => [row, at])), [rows]);
  if (rows.length === 0) return <Nothing type={type} onCreate={onCreate} />;
  return (
    <DataGrid
      ref={ref}
      label={title}
      rows={shown}
      columns={columns}
      keyOf={(row) => keyOf(type, row, places.get(row) ?? 0)}
      onMark={onMark}
      {...(onOpen && { onOpen })}
      rowClass={(row) => (row.active === false ? 'record-inactive' : undefined)}
      empty={<Empty title="Nada com este filtro" />}
      foot={
        <p className="list-count">
          {shown.length === rows.length
            ? countText(rows.length)
            : `${countText(shown.length)} de ${countText(rows.length)}`}
        </p>
      }
    />
  );
}

function columnsOf(type: RecordType, referenceText: ReturnType<typeof useReferenceTexts>): readonly Column<Row>[] {
  const schema = schemaOf(type);
  return type.columns.map((field, at) => {
    const fieldSchema = schema?.fields?.[field];
    return {
      id: field,
      title: labelOf(type.slug, field) ?? field,
      text: (row) => referenceText(field, row[field]) ?? valueText(field, fieldSchema, row[field]),
      ...(isFigure(field, fieldSchema) ? { align: 'end' as const } : {}),
      ...(at === 0 ? { grows: true, atLeast: 16 } : LONG.has(field) ? { grows: true } : {}),
      ...(at < 2 ? { narrow: true } : {}),
    };
  });
}

/** Texts of any length: they give way. */
const LONG: ReadonlySet<string> = new Set([
  'description',
  'reason',
  'types',
  'closingMonths',
  'lastError',
  'city',
  'name',
]);

/** The rows with the words of the filter in any of their columns. */
function useFiltered(rows: readonly Row[], columns: readonly Column<Row>[], filter: string): readonly Row[] {
  // biome-ignore lint/correctness/useExhaustiveDependencies: columns are made anew with each drawing and say the same of the same rows
  const texts = useMemo(
    () => filter !== '' && rows.map((row) => fold(columns.map((column) => column.text(row)).join(' '))),
    [rows, filter !== ''],
  );
  return useMemo(() => {
    const words = fold(filter).split(/\s+/).filter(Boolean);
    if (texts === false || words.length === 0) return rows;
    return rows.filter((_, at) => words.every((word) => texts[at]!.includes(word)));
  }, [rows, texts, filter]);
}
