import type pg from 'pg';
import type { Bank } from './banks.ts';

/** An event as it is stored. */
export interface StoredEvent {
  readonly position: number;
  readonly type: string;
  readonly company: string;
  readonly branch: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  readonly data: any;
}

/** The bank's events in their order, all of them, read past the program. */
export async function storedEvents(owner: pg.Client, { companyId }: Pick<Bank, 'companyId'>): Promise<StoredEvent[]> {
  await owner.query('SELECT publish_events()');
  const { rows } = await owner.query<StoredEvent>(
    `SELECT position::float8, type, company, branch, data FROM event WHERE company_id = $1 ORDER BY position`,
    [companyId],
  );
  return rows;
}
