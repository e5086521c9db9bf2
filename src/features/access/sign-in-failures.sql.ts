import type { Sql } from '../../platform/sql.ts';

export async function insertFailures(sql: Sql, subjects: readonly string[], at: Date): Promise<void> {
  await sql.run({
    text: `INSERT INTO signin_failure (subject, failed_at) SELECT failed.subject, $2 FROM unnest($1::text[]) AS failed (subject)`,
    values: [[...subjects], at],
  });
}

/** When the n-th newest failure after `since` happened; absent when there are fewer. */
export function selectNthNewestFailure(
  sql: Sql,
  subject: string,
  n: number,
  since: Date,
): Promise<{ failedAt: Date } | undefined> {
  return sql.maybe<{ failedAt: Date }>({
    name: 'signin-failures',
    text: `SELECT signin_failure.failed_at AS "failedAt" FROM signin_failure
            WHERE signin_failure.subject = $1 AND signin_failure.failed_at > $2
            ORDER BY signin_failure.failed_at DESC OFFSET $3 LIMIT 1`,
    values: [subject, since, n - 1],
  });
}

export async function deleteFailuresBefore(sql: Sql, moment: Date): Promise<void> {
  await sql.run({ text: 'DELETE FROM signin_failure WHERE signin_failure.failed_at <= $1', values: [moment] });
}
