import { queryOptions } from '@tanstack/react-query';
import { monthNumberOf, yearOf } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import type { Place } from '../../data/place.ts';
import { FORMS as MASTERDATA_FORMS } from '../../generated/forms/masterdata.ts';
import { FORMS as MOVEMENTS_FORMS } from '../../generated/forms/movements.ts';
import type { FieldSchema, OperationForm } from '../../ui/forms/form-schema.ts';
import type { FormRecord } from '../../ui/forms/form-value.ts';
import { RECORD_TYPES, type RecordType } from './record-types.ts';

// What the operations of a type of records are asked, whatever the type.

/** A record as its service answers it. */
export type Row = FormRecord;

const NO_FORM: OperationForm = { path: [], query: [] };

function formOf({ service = 'masterdata' }: RecordType, operation: string): OperationForm {
  const forms = service === 'masterdata' ? MASTERDATA_FORMS : service === 'movements' ? MOVEMENTS_FORMS : {};
  return forms[operation] ?? NO_FORM;
}

/** The type of that name. */
export function typeOf(slug: string): RecordType | undefined {
  return RECORD_TYPES.find((type) => type.slug === slug);
}

/** What a record of the type is made of; undefined where nobody changes one here. */
export function schemaOf(type: RecordType): FieldSchema | undefined {
  const operation = type.create ?? type.replace;
  const body = operation === undefined ? undefined : formOf(type, operation).body;
  return body?.kind === 'list' ? body.item : body;
}

/** Where the records are: the address, and the record that they belong to. */
export interface RecordsPlace extends Pick<Place, 'company' | 'branch' | 'month'> {
  readonly parent: string | undefined;
}

/** One key for all lists of records: what is cached of them has one type. */
export function recordsKey(...parts: readonly unknown[]): readonly unknown[] {
  return ['records', ...parts];
}

/** The records of a type, of the company or branch of the address where they are of one. */
export function recordsQuery(type: RecordType, place: RecordsPlace) {
  const parts =
    type.list === undefined ? undefined : partsOf(type, type.list, [listedAt(type, place), placeValues(place)]);
  return queryOptions({
    queryKey: recordsKey(type.slug, parts, type.of && [place.company, place.branch]),
    enabled: type.list !== undefined && (type.parent === undefined || place.parent !== undefined),
    queryFn: async ({ signal }): Promise<readonly Row[]> => {
      const answer = (await call(type, type.list!, parts!, signal)) as Row | readonly Row[];
      // What a company has once is answered alone.
      const rows: readonly Row[] = Array.isArray(answer) ? answer : [answer];
      return type.of === undefined ? rows : rows.filter((row) => isOf(row, type.of!, place));
    },
  });
}

/** A record of all branches stands in every branch's list. */
function isOf({ company, branch }: Row, of: 'company' | 'branch', place: RecordsPlace): boolean {
  if (company !== null && company !== place.company) return false;
  return of === 'company' || branch === null || branch === place.branch;
}

/** The key of a row in the address. Rows of a sheet are known by their place in it. */
export function keyOf(type: RecordType, row: Row, at: number): string {
  return type.isSheet ? String(at) : String(row[type.key]);
}

export interface Saved {
  /** What the server says beside the record: warnings, a secret that is shown once. */
  readonly answer: Row;
}

/** Saves a new record, or one in the place of another; `isConfirmed` where its consequences were asked about. */
export async function saveRecord(
  type: RecordType,
  place: RecordsPlace,
  body: FormRecord,
  before: { readonly row: Row; readonly at: number } | undefined,
  isConfirmed = false,
): Promise<Saved> {
  const operation = before ? type.replace! : type.create!;
  const parts = partsOf(type, operation, [before?.row ?? {}, body, placeValues(place)]);
  const query = isConfirmed ? { ...parts.query, confirmed: 'true' } : parts.query;
  return { answer: ((await call(type, operation, { ...parts, query, body })) ?? {}) as Row };
}

export async function removeRecord(
  type: RecordType,
  place: RecordsPlace,
  { row }: { readonly row: Row },
): Promise<void> {
  await call(type, type.remove!, partsOf(type, type.remove!, [row, placeValues(place)]));
}

export function canRemove({ remove, isSheet = false }: RecordType): boolean {
  return remove !== undefined || isSheet;
}

export function canCreate({ create, isSheet = false }: RecordType): boolean {
  return create !== undefined || isSheet;
}

/** Saves a sheet: all of its rows in the place of all that are there. */
export async function saveSheet(type: RecordType, place: RecordsPlace, rows: readonly Row[]): Promise<void> {
  const fields = Object.keys(schemaOf(type)?.fields ?? {}).filter((name) => !type.hidden?.includes(name));
  const body = rows.map((row) =>
    Object.fromEntries(fields.filter((name) => (row[name] ?? null) !== null).map((name) => [name, row[name]])),
  );
  const values = [listedAt(type, place), placeValues(place)];
  await call(type, type.replace!, { ...partsOf(type, type.replace!, values), body });
}

function listedAt({ parent }: RecordType, place: RecordsPlace): FormRecord {
  return parent === undefined ? {} : { [parent.param]: place.parent };
}

function placeValues({ company, branch, month }: RecordsPlace): FormRecord {
  return { company, branch, month: String(monthNumberOf(month)), year: String(yearOf(month)) };
}

interface Parts {
  readonly path: FormRecord;
  readonly query: FormRecord;
}

/** What the path and the query of an operation name, from the first of the values that has it. */
function partsOf(type: RecordType, operation: string, values: readonly FormRecord[]): Parts {
  const { path, query } = formOf(type, operation);
  const firstValue = (name: string) => values.find((each) => each[name] !== undefined && each[name] !== null)?.[name];
  const take = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (firstValue(name) === undefined ? [] : [[name, firstValue(name)]])));
  return { path: take(path), query: take(query.filter((name) => name === 'company')) };
}

type AnyOperation = (parts: object, options?: { readonly signal?: AbortSignal }) => Promise<unknown>;

/** An operation by its name: types and forms are made from the same documents. */
function call({ service = 'masterdata' }: RecordType, operation: string, parts: object, signal?: AbortSignal) {
  const operations = api[service] as unknown as Readonly<Record<string, AnyOperation>>;
  return operations[operation]!(parts, signal === undefined ? {} : { signal });
}
