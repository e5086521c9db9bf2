import { type Problem, problem, refuseIfAny } from '../../accounting/problem.ts';
import { type Context, joined } from '../../platform/context.ts';
import type { Tenant } from '../access/access.ts';
import { lockPostingAccounts, selectPostingRules } from '../entries/entries.sql.ts';
import { RELEASE } from '../records/definitions.ts';
import { createRecord, replaceRecord } from '../records/keep-record.ts';
import type { RecordRow } from '../records/records.read.sql.ts';
import { type ReleaseLine, releaseProblems } from './release-entries.ts';

/** Creates a release, or replaces the one of `key`, once its lines balance and its accounts are the branch's. */
export async function keepRelease(
  context: Context,
  tenant: Tenant,
  release: { readonly lines: readonly ReleaseLine[] } & Record<string, unknown>,
  key?: number,
): Promise<RecordRow> {
  // In one transaction, so that the accounts stay held until the release that names them is written.
  return context.transaction(async (sql) => {
    const inside = joined(context, sql);
    refuseIfAny([...releaseProblems(release.lines), ...(await accountProblems(inside, tenant, release.lines))]);
    return key === undefined
      ? createRecord(inside, RELEASE, tenant, release)
      : replaceRecord(inside, RELEASE, key, tenant, release);
  });
}

async function accountProblems(context: Context, tenant: Tenant, lines: readonly ReleaseLine[]): Promise<Problem[]> {
  const rules = await selectPostingRules(context.sql, tenant.companyId, tenant.branchId, '2000-01-01');
  if (!rules) return [problem('CHART_NOT_CONFIGURED', { company: tenant.company, branch: tenant.branch })];
  const named = [...new Set(lines.flatMap((line) => [line.contaId, line.contrapartida ?? line.contaId]))];
  const accounts = new Map(
    (await lockPostingAccounts(context.sql, rules.chartId, named)).map((account) => [account.id, account]),
  );
  return lines.flatMap((line, at) =>
    (['contaId', 'contrapartida'] as const).flatMap((field): Problem[] => {
      const id = line[field];
      if (id === null) return [];
      const account = accounts.get(id);
      if (!account) return [problem('ACCOUNT_NOT_IN_CHART', { account: id }, `lines.${at}.${field}`)];
      if (account.type === 'S') {
        return [problem('ACCOUNT_SYNTHETIC', { account: account.code }, `lines.${at}.${field}`)];
      }
      return account.active ? [] : [problem('ACCOUNT_INACTIVE', { account: account.code }, `lines.${at}.${field}`)];
    }),
  );
}
