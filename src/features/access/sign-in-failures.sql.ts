import type { Sql } from '../../platform/database/sql.ts';

/** Whom a failed attempt is counted for: the name from everywhere, the name from that network, the address. */
export interface AttemptSource {
  readonly username: string;
  readonly network: string;
  readonly address: string;
}

const OF_USER = `'user:' || username_key($1)`;
const OF_PAIR = `'pair:' || username_key($1) || ' ' || $2`;
const OF_ADDRESS = `'address:' || $3`;

export async function insertFailure(sql: Sql, { username, network, address }: AttemptSource, at: Date): Promise<void> {
  await sql.run({
    text: `INSERT INTO signin_failure (subject, failed_at)
           SELECT failed.subject, $4 FROM (VALUES (${OF_USER}), (${OF_PAIR}), (${OF_ADDRESS})) AS failed (subject)`,
    values: [username, network, address, at],
  });
}

export interface Failures {
  /** When the failure happened that used up the tries of the name from that network, or of the address. */
  readonly pairUsedUpAt: Date | null;
  readonly addressUsedUpAt: Date | null;
  /** Failures of the name from everywhere, counted no further than needed. */
  readonly ofUser: number;
}

/** The failures after `since`; `most` says how many are needed of each kind. */
export function selectFailures(
  sql: Sql,
  { username, network, address }: AttemptSource,
  most: { pair: number; address: number; user: number },
  since: Date,
): Promise<Failures> {
  const nthNewest = (subject: string, n: string) =>
    `(SELECT signin_failure.failed_at FROM signin_failure
       WHERE signin_failure.subject = ${subject} AND signin_failure.failed_at > $4
       ORDER BY signin_failure.failed_at DESC OFFSET ${n} - 1 LIMIT 1)`;
  return sql.one<Failures>({
    name: 'signin-failures',
    text: `SELECT ${nthNewest(OF_PAIR, '$5::integer')} AS "pairUsedUpAt", ${nthNewest(OF_ADDRESS, '$6::integer')} AS "addressUsedUpAt",
                  (SELECT count(*)
                     FROM (SELECT 1 FROM signin_failure
                            WHERE signin_failure.subject = ${OF_USER} AND signin_failure.failed_at > $4
                            LIMIT $7) AS counted) AS "ofUser"`,
    values: [username, network, address, since, most.pair, most.address, most.user],
  });
}

export async function deleteFailuresBefore(sql: Sql, moment: Date): Promise<void> {
  await sql.run({ text: 'DELETE FROM signin_failure WHERE signin_failure.failed_at <= $1', values: [moment] });
}
