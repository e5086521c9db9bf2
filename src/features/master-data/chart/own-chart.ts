import type { CompanyId } from '../../../accounting/ids.ts';
import { problem, reject, throwIfAny } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import { type CompanyTenant, requireCompanyWideAccess } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { ELEVATION } from '../../access/elevation-reasons.ts';
import { selectTenant } from '../../access/permissions.read.sql.ts';
import { assertWholeList } from '../whole-list.ts';
import { type ChartRow, selectChart, selectVisibleCharts } from './chart.read.sql.ts';
import { copyAccounts, countAccounts, lockChart, updateChartOwner } from './chart.sql.ts';
import { mayChangeChart, requireChartChange } from './chart-owner.ts';
import { beginChart } from './create-account.ts';

/** Changes by a chart's owner; absent fields keep their value. */
export interface ChartChange {
  /** Code of a company; null: of none. Administrators only, as `installation`. */
  readonly owner?: string | null | undefined;
  readonly installation?: boolean | undefined;
  readonly shared?: boolean | undefined;
}

/** A chart visible to the caller, and whether the caller may change it. */
export interface ShownChart extends ChartRow {
  readonly changeable: boolean;
}

export async function readChart(context: Context, code: string): Promise<ShownChart> {
  const chart = await requireVisibleChart(context, code);
  return { ...chart, changeable: mayChangeChart(context, chart) };
}

/** The charts that the caller sees: those of the branches and companies, and those that the caller began. */
export async function readCharts(context: Context): Promise<ShownChart[]> {
  const charts = assertWholeList(await selectVisibleCharts(context.sql, context.caller.id));
  return charts.map((chart) => ({ ...chart, changeable: mayChangeChart(context, chart) }));
}

/** The owner may share a chart with other companies' options; only administrators change the owner. */
export async function changeChart(context: Context, code: string, change: ChartChange): Promise<ShownChart> {
  const before = await requireVisibleChart(context, code);
  requireChartChange(context, before, 'chart');
  const target = targetOf(before, change);
  const changesHands = target.owner !== before.owner || target.installation !== before.installation;
  if (changesHands && !context.caller.admin) reject('ADMIN_ONLY', {}, 'owner');
  await context.elevated(ELEVATION.sharedChart, (system) =>
    system.transaction(async (sql) => {
      // Its owner may have changed since it was read.
      const held = (await lockChart(sql, code)) ?? reject('NOT_FOUND', recordRef('Chart', code), 'chart');
      requireChartChange(context, held, 'chart');
      const ownerCompanyId = target.owner === null ? null : await companyIdOf(sql, target.owner);
      const hands = changesHands ? { ownerCompanyId, installation: target.installation } : {};
      const after = { ...held, ...hands, shared: change.shared ?? held.shared };
      await updateChartOwner(sql, held.id, after);
      await recordAudit(sql, context, {
        action: 'UPDATE',
        entity: 'chart',
        entityId: held.id,
        companyId: after.ownerCompanyId ?? undefined,
        before: held,
        after,
      });
    }),
  );
  return readChart(context, code);
}

function targetOf(
  { owner, installation }: ChartRow,
  change: ChartChange,
): { readonly owner: string | null; readonly installation: boolean } {
  if (change.installation && change.owner) {
    reject('INVALID_FIELD', { reason: 'TWO_OWNERS' }, 'installation');
  }
  if (change.installation) return { owner: null, installation: true };
  if (change.owner !== undefined)
    return { owner: change.owner, installation: change.installation ?? (installation && change.owner === null) };
  return { owner, installation: change.installation ?? installation };
}

/** More accounts than the largest regulatory chart with every branch's own ones below it. */
export const MAX_COPIED_ACCOUNTS = 50_000;

/** A chart of the company's own with all accounts of another one that the caller sees or that is shared. */
export async function copyChart(
  context: Context,
  seen: Sql,
  tenant: CompanyTenant,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<number> {
  requireCompanyWideAccess(context, tenant);
  const source = await selectChart(seen, context.caller.id, from);
  if (!source?.visible && !source?.shared) reject('NOT_FOUND', recordRef('Chart', from), 'from');
  return context.elevated(ELEVATION.sharedChart, (system) =>
    system.transaction(async (sql) => {
      throwIfAny(tooManyAccounts(await countAccounts(sql, source.id)));
      const begun = (await beginChart(sql, context, to, 'to')) ?? reject('DUPLICATE', recordRef('Chart', to), 'to');
      await updateChartOwner(sql, begun.id, { ownerCompanyId: tenant.companyId, installation: false, shared: false });
      const accounts = await copyAccounts(sql, source.id, begun.id);
      await recordAudit(sql, context, {
        action: 'IMPORT',
        entity: 'account',
        entityId: begun.id,
        companyId: tenant.companyId,
        after: { chart: to, copiedFrom: from, accounts },
      });
      return accounts;
    }),
  );
}

function tooManyAccounts(accounts: number) {
  if (accounts <= MAX_COPIED_ACCOUNTS) return [];
  return [problem('INVALID_FIELD', { reason: 'TOO_MANY_ACCOUNTS', maximum: MAX_COPIED_ACCOUNTS }, 'from')];
}

async function requireVisibleChart(context: Context, code: string): Promise<ChartRow> {
  const chart = await selectChart(context.sql, context.caller.id, code);
  return chart?.visible ? chart : reject('NOT_FOUND', recordRef('Chart', code), 'chart');
}

async function companyIdOf(sql: Transaction, code: string): Promise<CompanyId> {
  return ((await selectTenant(sql, code, null)) ?? reject('NOT_FOUND', recordRef('Company', code), 'owner')).companyId;
}
