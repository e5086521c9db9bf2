import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

/** What is known of the books' last verification. */
export interface VerifyFigures {
  readonly differences: number;
  /** Seconds since a run came to its end, and how long it took; null: none has. */
  readonly age: number | null;
  readonly seconds: number | null;
}

export function selectVerifyFigures(sql: Sql): Promise<VerifyFigures> {
  return sql.one<VerifyFigures>(SQL`
    SELECT verify_run.platform_differences
             + (SELECT coalesce(sum(verify_result.differences), 0)::float8 FROM verify_result) AS differences,
           extract(epoch FROM now() - verify_run.ended_at)::float8 AS age, verify_run.seconds
      FROM verify_run`);
}
