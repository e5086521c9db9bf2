import { readFileSync } from 'node:fs';
import Papa from 'papaparse';

const TABLE = new URL('../../../../seeds/cosif/cosif2025_accounts.csv', import.meta.url);

let remembered: ReadonlyMap<string, string> | undefined;

/** The accounts of the central bank by their ten digits, each with the one above it; '' above a group. */
export function officialParents(): ReadonlyMap<string, string> {
  remembered ??= new Map(
    Papa.parse<{ code10: string; parentCode: string }>(readFileSync(TABLE, 'utf8'), {
      ...{ header: true, delimiter: ',', skipEmptyLines: true },
    }).data.map(({ code10, parentCode }) => [code10, digitsOf(parentCode)]),
  );
  return remembered;
}

/** The ten digits of a code, masked or bare, where it is official. */
export function officialCode(code: string | null | undefined): string | undefined {
  const digits = digitsOf(code ?? '');
  return officialParents().has(digits) ? digits : undefined;
}

function digitsOf(code: string): string {
  return code.replace(/\D/g, '');
}
