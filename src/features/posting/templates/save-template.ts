import { accountProblem, isMemorandum } from '../../../accounting/posting.ts';
import { type Problem, problem, throwIfAny } from '../../../accounting/problem.ts';
import { type Context, withTransaction } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { ENTRY_TEMPLATE } from '../../master-data/records/definitions.ts';
import type { RecordValues } from '../../master-data/records/record-definition.ts';
import type { RecordRow } from '../../master-data/records/records.read.sql.ts';
import { createRecord, replaceRecord } from '../../master-data/records/save-record.ts';
import { lockPostingAccounts, selectPostingRules } from '../entries/entries.sql.ts';
import { narrationProblems } from '../entries/posting-facts.ts';
import { mixingProblems, type TemplateLine, templateProblems } from './entries-of-template.ts';

interface TemplateInput extends RecordValues {
  readonly lines: readonly TemplateLine[];
  readonly cdhistorico?: string | undefined;
}

/** Creates a template, or replaces the one of `key`, once its lines balance and its accounts are the branch's. */
export async function saveTemplate(
  context: Context,
  tenant: Tenant,
  template: TemplateInput,
  key?: number,
): Promise<RecordRow> {
  // In one transaction, so that the accounts stay locked until the template is written.
  return context.transaction(async (sql) => {
    const inside = withTransaction(context, sql);
    throwIfAny([...templateProblems(template.lines), ...(await bookProblems(inside, tenant, template))]);
    return key === undefined
      ? createRecord(inside, ENTRY_TEMPLATE, tenant, template)
      : replaceRecord(inside, ENTRY_TEMPLATE, key, tenant, template);
  });
}

/** The posting problems of the lines that are known before the template is used. */
async function bookProblems(context: Context, tenant: Tenant, template: TemplateInput): Promise<Problem[]> {
  const { lines } = template;
  const rules = await selectPostingRules(context.sql, tenant.companyId, tenant.branchId, []);
  if (!rules) return [problem('CHART_NOT_CONFIGURED', { company: tenant.company, branch: tenant.branch })];
  const named = [...new Set(lines.flatMap((line) => [line.contaId, line.contrapartida ?? line.contaId]))];
  const accounts = new Map(
    (await lockPostingAccounts(context.sql, rules.chartId, named)).map((account) => [account.id, account]),
  );
  const ofAccounts = lines.flatMap((line, at) =>
    (
      [
        ['account', line.contaId],
        ['offsetAccount', line.contrapartida],
      ] as const
    ).flatMap(([place, id]) => {
      return id === null ? [] : (accountProblem(id, accounts.get(id), undefined, `lines[${at}].${place}`) ?? []);
    }),
  );
  const ofNarrations = await narrationProblems(context.sql, tenant, [
    { code: template.cdhistorico, path: 'narrationCode' },
    ...lines.map((line, at) => ({ code: line.cdhistorico, path: `lines[${at}].narrationCode` })),
  ]);
  if (ofAccounts.length > 0 || rules.mixesMemorandum) return [...ofAccounts, ...ofNarrations];
  return [...ofNarrations, ...mixingProblems(lines, (id) => isMemorandum(accounts.get(id)!))];
}
