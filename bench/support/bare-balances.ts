import type pg from 'pg';
import { insertBalances } from '../../src/features/closing/month-close/month-close.sql.ts';
import { month } from '../../test/support/period.ts';
import { bareSql } from './bare-driver.ts';
import type { Branch } from './books.ts';
import type { Installation } from './installation.ts';

/** Runs the work between making and dropping tables for balances that have neither index nor policy. */
export async function withBareBalances<T>({ owner }: Installation, work: () => Promise<T>): Promise<T> {
  await owner.query('CREATE TABLE bare_month (LIKE monthly_balance)');
  await owner.query('CREATE TABLE bare_day (LIKE daily_balance)');
  try {
    return await work();
  } finally {
    await owner.query('DROP TABLE bare_month, bare_day');
  }
}

/** The program's own statement for the branch's January, into the bare tables. */
export async function consolidateBare(client: pg.Client, branch: Branch): Promise<void> {
  await insertBalances(
    {
      ...bareSql(client),
      one: async <Row>({ text, values }: { text: string; values?: readonly unknown[] }) => {
        const bare = text
          .replace('INSERT INTO monthly_balance', 'INSERT INTO bare_month AS monthly_balance')
          .replace('INSERT INTO daily_balance', 'INSERT INTO bare_day');
        if (!bare.includes('bare_month') || !bare.includes('bare_day')) throw new Error('the statement has changed');
        return (await client.query(bare, [...(values ?? [])])).rows[0] as Row;
      },
    },
    branch,
    month('2026-01'),
    true,
  );
}
