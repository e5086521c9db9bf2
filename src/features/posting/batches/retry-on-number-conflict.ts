import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import { CONSTRAINT, violates } from '../../constraints.ts';

/** The record to write, with its number if the user gave one. */
interface Numbered {
  readonly record: 'Batch' | 'Document' | 'Entry';
  readonly number: string | undefined;
  readonly path: string;
}

/** What a taken number violates. */
const NUMBER_OF = {
  Batch: CONSTRAINT.BATCH_NUMBER,
  Document: CONSTRAINT.DOCUMENT_NUMBER,
  Entry: CONSTRAINT.ENTRY_NUMBER,
};

/** Maximum number of retries for the next free number. */
const ATTEMPTS = 5;

/** A generated number has at most the length of a given one: after the highest there is none. */
export function rejectLongNumber(number: string, maximum: number, path: string): void {
  if (number.length <= maximum) return;
  reject('INVALID_FIELD', { reason: 'NUMBERS_USED_UP' }, path);
}

/** Writes a record whose number must be free. A generated number that was taken concurrently is generated again. */
export async function retryOnNumberConflict<T>(
  { record, number, path }: Numbered,
  write: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!violates(error, NUMBER_OF[record])) throw error;
      if (number !== undefined || attempt === ATTEMPTS) reject('DUPLICATE', recordRef(record, number), path);
    }
  }
}
