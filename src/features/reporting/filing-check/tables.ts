import { readFileSync } from 'node:fs';
import Papa from 'papaparse';
import { remember } from './remember.ts';

// The public tables that say what a file must be. They are read once, when the first file is checked.

type Row = Readonly<Record<string, string>>;

const remembered = new Map<string, readonly Row[]>();

/** The rows of a seed, by the names of its first line. */
export function rowsOf(path: string, delimiter = ';'): readonly Row[] {
  return remember(remembered, path, () => {
    const text = readFileSync(new URL(`../../../seeds/${path}`, import.meta.url), 'utf8');
    return Papa.parse<Row>(text, { header: true, delimiter, skipEmptyLines: true }).data;
  });
}

const lists = new Map<string, ReadonlySet<string>>();

/** The codes of a list of the manual, such as COD_NAT. */
export function codesOf(field: string): ReadonlySet<string> {
  return listOf(field, () =>
    rowsOf('regulatory/ecd9-domains.csv').flatMap((row) => (row.field === field ? [row.code!] : [])),
  );
}

export function municipalities(): ReadonlySet<string> {
  return listOf('municipalities', () => rowsOf('regulatory/ecd-municipalities.csv').map(({ code }) => code!));
}

export function countries(): ReadonlySet<string> {
  return listOf('countries', () => rowsOf('regulatory/ecd-countries.csv').map(({ code }) => code!));
}

let nire: ReadonlyMap<string, string> | undefined;

/** The first two digits of the registrations of each state; its keys are the states. */
export function statesByNire(): ReadonlyMap<string, string> {
  nire ??= new Map(
    rowsOf('regulatory/ecd9-domains.csv').flatMap(({ field, code, description }): [string, string][] =>
      field === 'UF_NIRE' ? [[code!, description!]] : [],
    ),
  );
  return nire;
}

function listOf(name: string, codes: () => string[]): ReadonlySet<string> {
  return remember(lists, name, () => new Set(codes()));
}
