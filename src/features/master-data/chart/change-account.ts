import { type AccountMask, placesAbove } from '../../../accounting/account-code.ts';
import type { AccountId, ChartId } from '../../../accounting/ids.ts';
import { problem, reject, throwIfAny } from '../../../accounting/problem.ts';
import { recordRef, usedBy } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { ELEVATION } from '../../access/elevation-reasons.ts';
import { rejectWhenReferenced } from '../reject-when-referenced.ts';
import { type AccountRow, selectVisibleAccount } from './chart.read.sql.ts';
import {
  type AccountInput,
  deleteAccountRow,
  deleteEmptyChart,
  isInBooks,
  lockAccount,
  lockChart,
  moveSubtrees,
  type Position,
  raiseShortCode,
  selectAccountUse,
  selectByPlace,
  type TreeAccount,
  updateAccount,
} from './chart.sql.ts';
import { requireChartChange } from './chart-owner.ts';
import {
  type NewAccount,
  positionUnder,
  readableMasks,
  rejectConstraint,
  rejectTurningIntoSummaryAccount,
  shapeProblems,
  usersOf,
} from './create-account.ts';

/**
 * Replaces the fields of an account. Its chart stays; its code may change while it has no children; it becomes a
 * summary account only without entries, a posting account only without children; it is never its own ancestor.
 */
export async function changeAccount(context: Context, id: AccountId, facts: NewAccount): Promise<AccountRow> {
  throwIfAny(shapeProblems(facts));
  const before = await requireVisible(context, id);
  if (facts.chart !== before.chart) {
    reject('INVALID_FIELD', { reason: 'CANNOT_CHANGE' }, 'chart');
  }
  return context
    .elevated(ELEVATION.sharedChart, (system) =>
      system.transaction(async (sql) => {
        const held = await lockChangedAccount(sql, context, before);
        const shortCode = facts.shortCode ?? before.shortCode;
        const masks = await readableMasks(sql, before.chartId, facts.code);
        const position = await positionOf(sql, before.chartId, held, facts, masks);
        await rejectInBooks(sql, held, facts, position);
        await rejectUnfitChange(sql, held, before, facts);
        await raiseShortCode(sql, before.chartId, shortCode);
        const after = await updateAccount(sql, before.chartId, id, { ...facts, shortCode }, position, masks);
        if (position.parentId !== held.parentId) await moveSubtrees(sql, before.chartId, [id], position.ancestors);
        await recordAudit(sql, context, { action: 'UPDATE', entity: 'account', entityId: id, before, after });
        return after;
      }),
    )
    .catch((error) => rejectConstraint(error, facts));
}

/** Only without children, entries and base balances; the last account of a chart that nobody uses ends the chart. */
export async function deleteAccount(context: Context, id: AccountId): Promise<void> {
  const before = await requireVisible(context, id);
  await rejectWhenReferenced(recordRef('Account', before.code), () =>
    context.elevated(ELEVATION.sharedChart, (system) =>
      system.transaction(async (sql) => {
        await lockChangedAccount(sql, context, before);
        const by = usersOf(await selectAccountUse(sql, id));
        if (by.length > 0) reject('IN_USE', usedBy(recordRef('Account', before.code), by));
        await deleteAccountRow(sql, before.chartId, id);
        await deleteEmptyChart(sql, before.chartId);
        await recordAudit(sql, context, { action: 'DELETE', entity: 'account', entityId: id, before });
      }),
    ),
  );
}

async function requireVisible(context: Context, id: AccountId): Promise<AccountRow> {
  return (
    (await selectVisibleAccount(context.sql, context.caller.id, id)) ??
    reject('NOT_FOUND', recordRef('Account', id), 'id')
  );
}

/** Locks the chart, then the account: all changes of a chart's structure lock in this order. */
async function lockChangedAccount(
  sql: Sql,
  context: Context,
  { chart, chartId, id }: AccountRow,
): Promise<TreeAccount> {
  const held = (await lockChart(sql, chart)) ?? reject('NOT_FOUND', recordRef('Chart', chart), 'chart');
  requireChartChange(context, held, 'chart');
  return (await lockAccount(sql, chartId, id)) ?? reject('NOT_FOUND', recordRef('Account', id), 'id');
}

/** An account with lines keeps its class and normal balance: books printed later must equal those printed before. */
async function rejectInBooks(sql: Sql, held: TreeAccount, facts: NewAccount, { parentId }: Position): Promise<void> {
  const changed = [
    facts.code !== held.code && IN_BOOKS.code,
    facts.accountClass !== held.accountClass && IN_BOOKS.accountClass,
    facts.normalBalance !== held.normalBalance && IN_BOOKS.normalBalance,
    facts.type !== held.type && IN_BOOKS.type,
    parentId !== held.parentId && IN_BOOKS.parentId,
  ].filter((each) => each !== false);
  if (changed.length === 0 || !(await isInBooks(sql, held.id))) return;
  throwIfAny(changed.map(({ fact, path }) => problem('ACCOUNT_IN_BOOKS', { account: held.code, fact }, path)));
}

const IN_BOOKS = {
  code: { fact: 'CODE', path: 'code' },
  accountClass: { fact: 'CLASS', path: 'accountClass' },
  normalBalance: { fact: 'NATURE', path: 'normalBalance' },
  type: { fact: 'TYPE', path: 'type' },
  parentId: { fact: 'PARENT', path: 'parentId' },
} as const;

async function rejectUnfitChange(sql: Sql, held: TreeAccount, before: AccountRow, facts: NewAccount): Promise<void> {
  const turnsOff = before.active && !facts.active;
  if (facts.type === held.type && facts.code === held.code && !turnsOff) return;
  const use = await selectAccountUse(sql, held.id);
  if (facts.code !== held.code && use.children) {
    reject('IN_USE', usedBy(recordRef('Code', held.code), ['child accounts']), 'code');
  }
  if (facts.type === 'A' && use.children) reject('ACCOUNT_HAS_CHILDREN', { account: held.code }, 'type');
  if (facts.type === 'S' && held.type === 'A') rejectTurningIntoSummaryAccount(held, use, 'type');
  if (turnsOff) {
    const by = usersOf({ ...use, ...MAY_BE_INACTIVE });
    if (by.length > 0) reject('IN_USE', usedBy(recordRef('Account', held.code), by), 'active');
  }
}

/** An account closed to new entries keeps its lines; only what would post to it again prevents that. */
const MAY_BE_INACTIVE = { entries: false, baseBalances: false, children: false } as const;

async function positionOf(
  sql: Sql,
  chartId: ChartId,
  held: TreeAccount,
  facts: AccountInput,
  masks: readonly AccountMask[],
): Promise<Position> {
  const derived = await nearestAbove(sql, chartId, facts.code, masks);
  const parentId = facts.parentId ?? derived?.id;
  if (parentId === undefined) return positionUnder(undefined, facts.code, masks);
  const parent =
    (await lockAccount(sql, chartId, parentId)) ?? reject('NOT_FOUND', recordRef('Account', parentId), 'parentId');
  if (parent.id === held.id || parent.ancestors.includes(held.id)) {
    reject('ACCOUNT_CYCLE', { account: held.code, parent: parent.code }, 'parentId');
  }
  if (parent.type === 'A') reject('PARENT_NOT_SYNTHETIC', { account: parent.code }, 'parentId');
  const position = positionUnder(parent, facts.code, masks);
  return parent.id === derived?.id ? position : { ...position, level: parent.level + 1 };
}

async function nearestAbove(
  sql: Sql,
  chartId: ChartId,
  code: string,
  masks: readonly AccountMask[],
): Promise<TreeAccount | undefined> {
  const places = placesAbove(code, masks);
  const known = await selectByPlace(sql, chartId, places);
  const nearest = places.findLast((place) => known.some((account) => account.segmentsKey === place));
  return known.find((account) => account.segmentsKey === nearest);
}
