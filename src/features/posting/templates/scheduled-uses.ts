import type { Month } from '../../../accounting/period.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { selectDaysOfMonth } from '../../master-data/calendar/calendar.read.sql.ts';
import { dayOfUse, isDueIn } from './template-schedule.ts';
import { insertScheduledUses, selectScheduledTemplates } from './templates.sql.ts';

/**
 * Makes the pending uses that the schedules of the branch's templates, or of one of them, have in open months: once for
 * each month, whatever becomes of them. The caller has locked the branch's options.
 */
export async function makeScheduledUses(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  months: readonly Month[],
  code?: string,
): Promise<void> {
  const templates = await selectScheduledTemplates(sql, tenant, code);
  for (const month of months) {
    const due = templates.filter((template) => isDueIn(template, month));
    if (due.length === 0) continue;
    const days = await selectDaysOfMonth(sql, tenant, month);
    const uses = due.map(({ code, schedule }) => ({ code, day: dayOfUse(schedule, days) }));
    const after = await insertScheduledUses(sql, tenant, month, uses);
    if (after.length === 0) continue;
    const trail = { action: 'CREATE', entity: 'entry_template_use', entityId: month, ...tenant, after };
    await recordAudit(sql, context, trail);
  }
}
