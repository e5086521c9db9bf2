import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';

/** A code of the federal revenue service, as the manual of the bookkeeping file (ECD) lists it. */
export interface OfficialCode {
  readonly code: string;
  readonly description: string;
}

/** The lists that a user chooses from, by the name of their field in the manual. */
export const OFFICIAL_LISTS = ['COD_ENT_REF', 'COD_ASSIN', 'COD_PLAN_REF', 'IND_SIT_ESP', 'IND_SIT_INI_PER'] as const;
export type OfficialList = (typeof OFFICIAL_LISTS)[number];

const TABLE = new URL('../../../seeds/regulatory/ecd9-domains.csv', import.meta.url);

let lists: Promise<ReadonlyMap<string, readonly OfficialCode[]>> | undefined;

/** The codes of a list, in the manual's order. */
export async function officialCodes(list: OfficialList): Promise<readonly OfficialCode[]> {
  lists ??= readLists();
  return (await lists).get(list)!;
}

async function readLists(): Promise<ReadonlyMap<string, readonly OfficialCode[]>> {
  const { data } = Papa.parse<{ field: string; code: string; description: string }>(await readFile(TABLE, 'utf8'), {
    ...{ header: true, delimiter: ';', skipEmptyLines: true },
  });
  const known = new Map<string, OfficialCode[]>();
  for (const { field, code, description } of data)
    known.set(field, [...(known.get(field) ?? []), { code, description }]);
  return known;
}
