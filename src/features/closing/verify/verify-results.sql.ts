import type { CompanyId } from '../../../accounting/ids.ts';
import { firstDay } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Difference } from './difference.ts';
import type { VerifiedPart } from './verify.ts';

/** The run under way. */
export interface VerifyRun {
  /** The last part that is done; null: none yet. */
  readonly donePart: string | null;
  /** Parts that one run has done are no other's. */
  readonly beganAt: Date;
}

/**
 * Begins a run if one is due at this time of the day ('HH:MM' in São Paulo) and none is under way. Undefined: there is
 * nothing to do, or another process is at it.
 */
export async function takeVerifyRun(sql: Sql, at: string, now: Date): Promise<VerifyRun | undefined> {
  await sql.run(SQL`
    UPDATE verify_run SET due_at = last.due_at, began_at = now(), done_part = NULL, lines = 0
      FROM (SELECT (date_trunc('day', (${now}::timestamptz AT TIME ZONE 'America/Sao_Paulo') - ${at}::interval) + ${at}::interval)
                   AT TIME ZONE 'America/Sao_Paulo' AS due_at) AS last
     WHERE verify_run.began_at IS NULL AND verify_run.due_at < last.due_at`);
  return lockVerifyRun(sql);
}

/** The run under way, locked until the end of the transaction; undefined: there is none, or another process works on it. */
export function lockVerifyRun(sql: Sql): Promise<VerifyRun | undefined> {
  return sql.maybe<VerifyRun>(SQL`
    SELECT verify_run.done_part AS "donePart", verify_run.began_at AS "beganAt"
      FROM verify_run WHERE verify_run.began_at IS NOT NULL FOR UPDATE SKIP LOCKED`);
}

export async function markPartDone(sql: Sql, { key, lines }: VerifiedPart): Promise<void> {
  await sql.run(SQL`UPDATE verify_run SET done_part = ${key}, lines = lines + ${lines}`);
}

/** Ends the run. What it did not come to is gone from the books. */
export async function endVerifyRun(sql: Sql): Promise<void> {
  const { beganAt } = await sql.one<{ beganAt: Date | null }>(
    SQL`SELECT verify_run.began_at AS "beganAt" FROM verify_run`,
  );
  const old = await sql.rows<{ companyId: CompanyId }>(SQL`
    SELECT DISTINCT verify_result.company_id AS "companyId" FROM verify_result WHERE verify_result.verified_at < ${beganAt}`);
  for (const { companyId } of old) {
    await sql.run(SQL`
      DELETE FROM verify_result WHERE verify_result.company_id = ${companyId} AND verify_result.verified_at < ${beganAt}`);
  }
  await sql.run(SQL`
    UPDATE verify_run
       SET ended_at = clock_timestamp(), began_at = NULL,
           seconds = extract(epoch FROM clock_timestamp() - verify_run.began_at)`);
}

/** Differences kept of a result, and characters of each of their texts. */
const MOST_KEPT = 20;
const LONGEST = 300;

/** Keeps the result of a part in the place of the last one; of a month only while it has differences. */
export async function keepResult(sql: Sql, { place, differences }: VerifiedPart): Promise<void> {
  const { companyId, branchId, month } = place;
  const count = differences.length;
  if (companyId === null) {
    await sql.run(SQL`UPDATE verify_run SET platform_differences = ${count}`);
    return;
  }
  const first = JSON.stringify(differences.slice(0, MOST_KEPT).map(shortened));
  await sql.run(SQL`
    INSERT INTO verify_result (company_id, branch_id, month, differences, first)
    VALUES (${companyId}, ${branchId}, ${month && firstDay(month)}, ${count}, ${first})
    ON CONFLICT (company_id, branch_id, month)
    DO UPDATE SET verified_at = excluded.verified_at, differences = excluded.differences, first = excluded.first`);
  await sql.run(SQL`
    DELETE FROM verify_result
     WHERE verify_result.company_id = ${companyId} AND verify_result.month IS NOT NULL AND verify_result.differences = 0`);
}

function shortened({ kind, what, expected, found }: Difference): object {
  const cut = (text: string | null) => text?.slice(0, LONGEST) ?? null;
  return { kind, what: cut(what), expected: cut(expected), found: cut(found) };
}
