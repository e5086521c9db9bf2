import type { pg } from './driver.ts';

/**
 * What a connection may see: visible companies, whole companies, single branches. It is set before the first statement;
 * the policies of every tenant table compare with it.
 */
export interface Scope {
  readonly companies: readonly number[] | '*';
  readonly wholeCompanies: readonly number[];
  readonly branches: readonly number[];
}

export async function applyScope(client: pg.PoolClient, scope: Scope): Promise<void> {
  const companies = scope.companies === '*' ? '*' : scope.companies.join(',');
  const whole = scope.wholeCompanies.join(',');
  const branches = scope.branches.join(',');
  const key = `${companies};${whole};${branches}`;
  if (scopeOf.get(client) === key) return;
  scopeOf.delete(client);
  await client.query({
    name: 'scope',
    text: `SELECT set_config('app.companies', $1, false), set_config('app.whole_companies', $2, false),
                  set_config('app.branches', $3, false)`,
    values: [companies, whole, branches],
  });
  scopeOf.set(client, key);
}

/** The last scope of each connection: most requests of a tenant find it set already and pay no round trip. */
const scopeOf = new WeakMap<object, string>();
