import type { Sql } from '../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../platform/database/statement.ts';

/**
 * The subjects that a failed attempt is counted for: the name from everywhere, the name from that network, the address.
 */
export interface AttemptSource {
  readonly username: string;
  readonly network: string;
  readonly address: string;
}

/** Under what a failure is counted. */
function subjectsOf({ username, network, address }: AttemptSource) {
  return {
    user: SQL`'user:' || username_key(${username})`,
    pair: SQL`'pair:' || username_key(${username}) || ' ' || ${network}`,
    address: SQL`'address:' || ${address}`,
  };
}

export async function insertFailure(sql: Sql, source: AttemptSource, at: Date): Promise<void> {
  const { user, pair, address } = subjectsOf(source);
  await sql.run(SQL`
    INSERT INTO signin_failure (subject, failed_at)
    SELECT failed.subject, ${at} FROM (VALUES (${user}), (${pair}), (${address})) AS failed (subject)`);
}

export interface Failures {
  /** When the failure happened that used up the tries of the name from that network, or of the address. */
  readonly pairUsedUpAt: Date | null;
  readonly addressUsedUpAt: Date | null;
  /** Failures of the name from everywhere, counted no further than needed. */
  readonly ofUser: number;
}

/** The failures after `since` and not after `until`: a clock that ran ahead has left some of the future. */
export function selectFailures(
  sql: Sql,
  source: AttemptSource,
  most: { pair: number; address: number; user: number },
  { since, until }: { readonly since: Date; readonly until: Date },
): Promise<Failures> {
  const nthNewest = (subject: Fragment, n: number) =>
    SQL`(SELECT signin_failure.failed_at FROM signin_failure
       WHERE signin_failure.subject = ${subject} AND signin_failure.failed_at > ${since} AND signin_failure.failed_at <= ${until}
       ORDER BY signin_failure.failed_at DESC OFFSET ${n}::integer - 1 LIMIT 1)`;
  const { user, pair, address } = subjectsOf(source);
  return sql.one<Failures>(SQL.named('signin-failures')`
    SELECT ${nthNewest(pair, most.pair)} AS "pairUsedUpAt", ${nthNewest(address, most.address)} AS "addressUsedUpAt",
           (SELECT count(*)
              FROM (SELECT 1 FROM signin_failure
                     WHERE signin_failure.subject = ${user} AND signin_failure.failed_at > ${since} AND signin_failure.failed_at <= ${until}
                     LIMIT ${most.user}) AS counted) AS "ofUser"`);
}

/** A client that failed: counted for its address alone, so that nobody uses up the tries of another's account. */
export async function insertClientFailure(sql: Sql, address: string, at: Date): Promise<void> {
  await sql.run(SQL`
    INSERT INTO signin_failure (subject, failed_at) VALUES ('client:' || ${address}, ${at})`);
}

/** When the failure happened that used up the tries of clients of the address. */
export async function selectClientsUsedUpAt(
  sql: Sql,
  address: string,
  most: number,
  since: Date,
): Promise<Date | undefined> {
  const found = await sql.maybe<{ failedAt: Date }>(SQL.named('client-failures')`
    SELECT signin_failure.failed_at AS "failedAt" FROM signin_failure
     WHERE signin_failure.subject = 'client:' || ${address} AND signin_failure.failed_at > ${since}
     ORDER BY signin_failure.failed_at DESC OFFSET ${most}::integer - 1 LIMIT 1`);
  return found?.failedAt;
}

export async function deleteFailuresBefore(sql: Sql, moment: Date): Promise<void> {
  await sql.run(SQL`DELETE FROM signin_failure WHERE signin_failure.failed_at <= ${moment}`);
}
