import { dayFromIso, type Month, monthOfDay } from '../../src/accounting/period.ts';
import type { api } from './client.ts';

/** An import of a bookkeeping file (ECD), and how it ended. */
export type EcdJob = Awaited<ReturnType<typeof api.movements.getEcdImport>>;
export type EcdResult = NonNullable<EcdJob['resultado']>;

/** What the first line of a bookkeeping file (ECD) says of its company. */
export interface EcdHead {
  readonly name: string;
  readonly cnpj: string;
  readonly state: string;
  readonly ibgeCode: string;
  readonly from: Month | undefined;
  readonly to: Month | undefined;
}

const HEAD_BYTES = 4_096;

/** The head of a bookkeeping file; undefined for any other file. */
export async function readEcdHead(file: Blob): Promise<EcdHead | undefined> {
  const bytes = await file.slice(0, HEAD_BYTES).arrayBuffer();
  const [line = ''] = textOf(bytes).split(/\r?\n/);
  const [, register, kind, from = '', to = '', name = '', cnpj = '', state = '', , ibgeCode = ''] = line.split('|');
  if (register !== '0000' || kind !== 'LECD') return undefined;
  return { name: name.trim(), cnpj, state, ibgeCode, from: monthOf(from), to: monthOf(to) };
}

/** As the layout says, or as UTF-8, which many systems write. */
function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The month of '31122025'. */
function monthOf(day: string): Month | undefined {
  const found = dayFromIso(`${day.slice(4, 8)}-${day.slice(2, 4)}-${day.slice(0, 2)}`);
  return found === undefined ? undefined : monthOfDay(found);
}
