import { accountProblem, isMemorandum } from '../../../accounting/posting.ts';
import { type Problem, problem, throwIfAny } from '../../../accounting/problem.ts';
import { type Context, withTransaction } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { RELEASE } from '../../master-data/records/definitions.ts';
import type { RecordValues } from '../../master-data/records/record-definition.ts';
import type { RecordRow } from '../../master-data/records/records.read.sql.ts';
import { createRecord, replaceRecord } from '../../master-data/records/save-record.ts';
import { lockPostingAccounts, selectPostingRules } from '../entries/entries.sql.ts';
import { historyProblems } from '../entries/posting-facts.ts';
import { mixingProblems, type ReleaseLine, releaseProblems } from './release-entries.ts';

interface ReleaseInput extends RecordValues {
  readonly lines: readonly ReleaseLine[];
  readonly cdhistorico?: string | undefined;
}

/** Creates a release, or replaces the one of `key`, once its lines balance and its accounts are the branch's. */
export async function saveRelease(
  context: Context,
  tenant: Tenant,
  release: ReleaseInput,
  key?: number,
): Promise<RecordRow> {
  // In one transaction, so that the accounts stay held until the release that names them is written.
  return context.transaction(async (sql) => {
    const inside = withTransaction(context, sql);
    throwIfAny([...releaseProblems(release.lines), ...(await bookProblems(inside, tenant, release))]);
    return key === undefined
      ? createRecord(inside, RELEASE, tenant, release)
      : replaceRecord(inside, RELEASE, key, tenant, release);
  });
}

/** What the branch's books say against the lines, as far as it is known before the release is used. */
async function bookProblems(context: Context, tenant: Tenant, release: ReleaseInput): Promise<Problem[]> {
  const { lines } = release;
  const rules = await selectPostingRules(context.sql, tenant.companyId, tenant.branchId, []);
  if (!rules) return [problem('CHART_NOT_CONFIGURED', { company: tenant.company, branch: tenant.branch })];
  const named = [...new Set(lines.flatMap((line) => [line.contaId, line.contrapartida ?? line.contaId]))];
  const accounts = new Map(
    (await lockPostingAccounts(context.sql, rules.chartId, named)).map((account) => [account.id, account]),
  );
  const ofAccounts = lines.flatMap((line, at) =>
    (['contaId', 'contrapartida'] as const).flatMap((field) => {
      const id = line[field];
      return id === null ? [] : (accountProblem(id, accounts.get(id), undefined, `lines.${at}.${field}`) ?? []);
    }),
  );
  const ofHistories = await historyProblems(context.sql, tenant, [
    { code: release.cdhistorico, field: 'cdhistorico' },
    ...lines.map((line, at) => ({ code: line.cdhistorico, field: `lines.${at}.cdhistorico` })),
  ]);
  if (ofAccounts.length > 0 || rules.mixesMemorandum) return [...ofAccounts, ...ofHistories];
  return [...ofHistories, ...mixingProblems(lines, (id) => isMemorandum(accounts.get(id)!))];
}
