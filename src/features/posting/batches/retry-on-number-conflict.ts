import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import { constraintOf, SQLSTATE, sqlState } from '../../../platform/database/errors.ts';

/** What is written: its number as its user gave it, if at all, and how the table's unique indexes begin. */
interface Numbered {
  readonly record: 'Batch' | 'Document' | 'Entry';
  readonly number: string | undefined;
  readonly path: string;
  readonly index: string;
}

/** How often the next number is looked for: each time, one who named that very number was faster. */
const ATTEMPTS = 5;

/** A chosen number keeps to the length of those that users give: behind the longest one there is none. */
export function rejectLongNumber(number: string, maximum: number, path: string): void {
  if (number.length <= maximum) return;
  reject('INVALID_FIELD', { reason: 'NUMBERS_USED_UP' }, path);
}

/** Writes a record whose number must be free. One that the writing chooses itself is chosen anew when it was taken meanwhile. */
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
