import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import { constraintOf, SQLSTATE, sqlState } from '../../../platform/database/errors.ts';

/** The record to write: its number if the user gave one, and the prefix of the table's unique indexes. */
interface Numbered {
  readonly record: 'Batch' | 'Document' | 'Entry';
  readonly number: string | undefined;
  readonly path: string;
  readonly index: string;
}

/** Maximum number of retries for the next free number. */
const ATTEMPTS = 5;

/** A generated number has at most the length of a given one: after the highest there is none. */
export function rejectLongNumber(number: string, maximum: number, path: string): void {
  if (number.length <= maximum) return;
  reject('INVALID_FIELD', { reason: 'NUMBERS_USED_UP' }, path);
}

/** Writes a record whose number must be free. A generated number that was taken concurrently is generated again. */
export async function retryOnNumberConflict<T>(
  { record, number, path, index }: Numbered,
  write: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (sqlState(error) !== SQLSTATE.UNIQUE_VIOLATION || !constraintOf(error)?.startsWith(index)) throw error;
      if (number !== undefined || attempt === ATTEMPTS) reject('DUPLICATE', recordRef(record, number), path);
    }
  }
}
