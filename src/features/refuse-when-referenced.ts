import { refuse } from '../accounting/problem.ts';
import { sqlState } from '../platform/sql.ts';

/** Does the work; a row that other rows still name by foreign key is refused as in use, saying by what. */
export async function refuseWhenReferenced<T>(record: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) !== '23503') throw error;
    const table = (error as { table?: string }).table ?? '';
    return refuse('IN_USE', { record, by: WORDS[table] ?? table.replaceAll('_', ' ') });
  }
}

/** Tables in the words of the wire, where their name is not the word. */
const WORDS: Readonly<Record<string, string>> = {
  branch: 'branches',
  batch: 'batches',
  account: 'child accounts',
  calendar_day: 'calendar days',
  month: 'opened months',
  base_balance: 'base balances',
  group_member: 'members',
  routine_access: 'accesses',
};
