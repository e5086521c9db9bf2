import { api } from '../../data/client.ts';
import type { Place } from '../../data/place.ts';
import type { Sheet } from './sheet.ts';

/** A fault of the file in the words of the server. */
export interface FileProblem {
  readonly row: number;
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
  readonly value: string | null;
}

/** What the server says of a file. */
export interface Judgement {
  readonly success: boolean;
  readonly totalRows: number;
  readonly errorRows: number;
  readonly message: string;
  readonly problems: readonly FileProblem[];
  readonly debits: string | null;
  readonly credits: string | null;
}

export interface Target extends Pick<Place, 'company' | 'branch'> {
  /** The batch that a CSV goes into; the other kinds are a batch of their own. */
  readonly batchId: number | undefined;
  /** Imports a content that was imported before. */
  readonly force: boolean;
}

type Options = { readonly signal?: AbortSignal; readonly idempotencyKey?: string };

/** Asks the server what it thinks of the very bytes; nothing is saved. */
export async function judge(sheet: Sheet, target: Target, options: Options): Promise<Judgement> {
  const answer = await send(sheet, target, true, options);
  if (!('success' in answer)) throw new TypeError('O servidor não conferiu o arquivo.');
  return answer;
}

/** Saves the bytes that were judged; a file that has faults all the same comes back as judged. */
export async function saveFile(sheet: Sheet, target: Target, options: Options): Promise<Judgement | undefined> {
  const answer = await send(sheet, target, false, options);
  return 'success' in answer && !answer.success ? answer : undefined;
}

async function send({ kind, name, file }: Sheet, target: Target, tried: boolean, options: Options) {
  const { company, branch, batchId, force } = target;
  const query = { dryRun: tried ? 'true' : 'false', force: force ? 'true' : 'false' } as const;
  const { movements } = api;
  if (kind === 'CSV')
    return await movements.importEntriesCsv({ path: { batchId: batchId! }, query, body: { file } }, options);
  if (kind === 'IPL') {
    const path = { company, branch, fname: name };
    return await movements.importEntriesFixedWidth({ path, query, body: file as unknown as string }, options);
  }
  return await movements.importEntriesJson({ query, body: file as never }, options);
}
