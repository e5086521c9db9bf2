import { type Problem, problem, reject } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { type Books, selectBooks } from './books.read.sql.ts';

/** The branch's books; rejects a branch without options. */
export async function requireBooks(sql: Sql, tenant: Tenant): Promise<Books> {
  return (await selectBooks(sql, tenant)) ?? rejectNoBooks(tenant);
}

/** For statements that read the options together with something else and found none. */
export function rejectNoBooks({ company, branch }: Tenant): never {
  return reject('CHART_NOT_CONFIGURED', { company, branch });
}

/** The same for a list of problems. */
export function noBooksProblem({ company, branch }: Tenant): Problem {
  return problem('CHART_NOT_CONFIGURED', { company, branch });
}
