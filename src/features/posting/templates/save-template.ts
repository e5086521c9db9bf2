import { accountProblem, isMemorandum } from '../../../accounting/posting.ts';
import { type Problem, throwIfAny } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';
import { noBooksProblem } from '../../master-data/companies/require-books.ts';
import { defaulted, optional, required } from '../../master-data/records/fields.ts';
import type { RecordDefinition, RecordInput, RecordRow } from '../../master-data/records/record-definition.ts';
import { addRecord, removeRecord, replaceRecord } from '../../master-data/records/save-record.ts';
import { lockPostingAccounts, selectPostingRules } from '../entries/entries.sql.ts';
import { narrationProblems } from '../entries/posting-facts.ts';
import { selectOpenMonths } from '../months/months.read.sql.ts';
import { lockOptions } from '../months/months.sql.ts';
import { mixingProblems, type TemplateLine, templateProblems } from './entries-of-template.ts';
import { makeScheduledUses } from './scheduled-uses.ts';
import { scheduleProblems, type TemplateSchedule } from './template-schedule.ts';

export const ENTRY_TEMPLATE = {
  name: 'Entry template',
  table: 'entry_template',
  owner: 'TENANT',
  orderBy: SQL`entry_template.company_id, entry_template.branch_id, natural_sort_key(entry_template.code)`,
  uniqueField: 'code',
  fields: {
    code: required.code(20, { example: 'ALUGUEL' }),
    description: required.name(200, { example: 'Aluguel da sede' }),
    documentNumber: optional.code(20),
    narrationCode: optional.text(5, { example: '00010' }),
    periodicity: optional.text(40, { example: 'MENSAL' }),
    lines: required.json<readonly TemplateLine[]>(),
    schedule: optional.json<TemplateSchedule>(),
    automaticReversal: defaulted.flag({ default: false }),
    active: defaulted.flag(),
  },
} as const satisfies RecordDefinition;

export type TemplateInput = RecordInput<typeof ENTRY_TEMPLATE>;
export type TemplateRecord = RecordRow<typeof ENTRY_TEMPLATE>;

/**
 * Creates a template, or replaces the one of `key`, once its lines balance and its accounts are the branch's. Its schedule
 * makes its uses in the months that are open already.
 */
export async function saveTemplate(
  context: Context,
  tenant: Tenant,
  template: TemplateInput,
  key?: number,
): Promise<TemplateRecord> {
  // In one transaction, so that the accounts stay locked until the template is written.
  return context.transaction(async (sql) => {
    if (template.schedule) await lockOptions(sql, tenant, 'SHARE');
    throwIfAny([
      ...templateProblems(template.lines),
      ...scheduleProblems(template),
      ...(await bookProblems(sql, tenant, template)),
    ]);
    const saved = await (key === undefined
      ? addRecord(sql, context, ENTRY_TEMPLATE, tenant, template)
      : replaceRecord(sql, context, ENTRY_TEMPLATE, key, tenant, template));
    if (saved.schedule)
      await makeScheduledUses(sql, context, tenant, await selectOpenMonths(sql, tenant), template.code);
    return saved;
  });
}

/** Removes a template that was never used. */
export function deleteTemplate(context: Context, key: number): Promise<void> {
  return context.transaction((sql) => removeRecord(sql, context, ENTRY_TEMPLATE, key));
}

/** The posting problems of the lines that are known before the template is used. */
async function bookProblems(sql: Sql, tenant: Tenant, template: TemplateInput): Promise<Problem[]> {
  const { lines } = template;
  const rules = await selectPostingRules(sql, tenant.companyId, tenant.branchId, []);
  if (!rules) return [noBooksProblem(tenant)];
  const named = [...new Set(lines.flatMap((line) => [line.accountId, line.offsetAccountId ?? line.accountId]))];
  const accounts = new Map(
    (await lockPostingAccounts(sql, rules.chartId, named)).map((account) => [account.id, account]),
  );
  const ofAccounts = lines.flatMap((line, at) =>
    (
      [
        ['account', line.accountId],
        ['offsetAccount', line.offsetAccountId],
      ] as const
    ).flatMap(([place, id]) => {
      return id === null ? [] : (accountProblem(id, accounts.get(id), undefined, `lines[${at}].${place}`) ?? []);
    }),
  );
  const ofNarrations = await narrationProblems(sql, tenant, [
    { code: template.narrationCode, path: 'narrationCode' },
    ...lines.map((line, at) => ({ code: line.narrationCode, path: `lines[${at}].narrationCode` })),
  ]);
  if (ofAccounts.length > 0 || rules.mixesMemorandum) return [...ofAccounts, ...ofNarrations];
  return [...ofNarrations, ...mixingProblems(lines, (id) => isMemorandum(accounts.get(id)!))];
}
