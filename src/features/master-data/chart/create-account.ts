import {
  type AccountMask,
  isAccountCode,
  levelOf,
  missingLevels,
  placesAbove,
  segmentsKey,
  shapeOf,
  significantSegments,
} from '../../../accounting/account-code.ts';
import { cosifCheckDigit, hasValidCheckDigit } from '../../../accounting/cosif.ts';
import type { AccountId, ChartId } from '../../../accounting/ids.ts';
import { confusableSkeleton } from '../../../accounting/plain-text.ts';
import { type Consequence, problem, reject, throwIfAny } from '../../../accounting/problem.ts';
import { type RecordUser, recordRef, usedBy } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { ELEVATION } from '../../access/elevation-reasons.ts';
import { CONSTRAINT, violates } from '../../constraints.ts';
import { fitsMask, masksToRead } from './account-mask.ts';
import type { AccountRow } from './chart.read.sql.ts';
import {
  type AccountInput,
  type AccountUse,
  adoptAccountsBelow,
  type HeldChart,
  insertAccount,
  insertChart,
  isInBooks,
  lockAccount,
  lockChart,
  makeSummaryAccount,
  type Position,
  raiseShortCode,
  selectAccountUse,
  selectByPlace,
  selectChartCodes,
  type TreeAccount,
  takeShortCode,
} from './chart.sql.ts';
import { requireChartChange } from './chart-owner.ts';
import { selectGroup, selectMasksOfChart, selectRegulatoryMasks } from './masks.read.sql.ts';

export interface NewAccount extends AccountInput {
  readonly chart: string;
}

/** Side effects that need confirmation. */
interface Consequences {
  readonly levels: readonly string[];
  readonly wrongCheckDigit: string | undefined;
  readonly postingParent: TreeAccount | undefined;
}

/**
 * An account of a chart that the caller sees, or the first of a new one. Missing levels, a wrong check digit and an
 * posting account as parent need `confirmed` (domain: master data); candidates above and below are found by their
 * place's key.
 */
export async function createAccount(context: Context, account: NewAccount, confirmed: boolean): Promise<AccountRow> {
  throwIfAny(shapeProblems(account));
  return context
    .elevated(ELEVATION.sharedChart, (system) =>
      system.transaction((sql) => addAccount(sql, context, account, confirmed)),
    )
    .catch((error) => rejectConstraint(error, account));
}

/** Codes that do not read as such, and a validity that ends before it begins. */
export function shapeProblems({ code, startDate, endDate }: AccountInput) {
  return [
    ...(isAccountCode(code) ? [] : [problem('INVALID_ACCOUNT_CODE', { account: code }, 'code')]),
    ...(startDate !== undefined && endDate !== undefined && startDate > endDate
      ? [problem('INVALID_DATE_RANGE', { from: { path: 'startDate' }, to: { path: 'endDate' } }, 'endDate')]
      : []),
  ];
}

/** The chart has the code, its place in the tree or the short code already, or the reference account does not exist. */
export function rejectConstraint(error: unknown, account: AccountInput): never {
  if (violates(error, CONSTRAINT.REFERENCE_OF_ACCOUNT)) {
    reject('NOT_FOUND', recordRef('Reference account', account.referenceAccountId), 'referenceAccountId');
  }
  if (violates(error, CONSTRAINT.ACCOUNT_SHORT_CODE)) {
    reject('DUPLICATE', recordRef('Short code', account.shortCode ?? ''), 'shortCode');
  }
  if (!violates(error, CONSTRAINT.ACCOUNT_CODE, CONSTRAINT.ACCOUNT_PLACE)) throw error;
  return reject('DUPLICATE', recordRef('Account', account.code), 'code');
}

/** Masks of the chart's branches to read codes with; rejects a code that breaks one of them. */
export async function readableMasks(sql: Sql, chartId: ChartId, code: string): Promise<readonly AccountMask[]> {
  const masks = await selectMasksOfChart(sql, chartId);
  const broken = masks.find((mask) => !fitsMask(code, mask));
  if (broken !== undefined) reject('ACCOUNT_BREAKS_MASK', { account: code, mask: broken }, 'code');
  return masksToRead(masks, await selectRegulatoryMasks(sql));
}

/** Locks the account that gets a child; a posting account must be one that may become a summary account. */
export async function lockParent(sql: Sql, chartId: ChartId, id: AccountId): Promise<TreeAccount> {
  const parent = (await lockAccount(sql, chartId, id)) ?? reject('NOT_FOUND', recordRef('Account', id), 'parentId');
  if (parent.type === 'S') return parent;
  rejectTurningIntoSummaryAccount(parent, await selectAccountUse(sql, parent.id), 'code');
  return parent;
}

/** Uses that need a posting account; quotas and reconciliation also use balances of summary accounts. */
export function rejectTurningIntoSummaryAccount({ code }: TreeAccount, use: AccountUse, path: string): void {
  if (use.entries) reject('PARENT_HAS_ENTRIES', { account: code }, path);
  const by = usersOf({ ...use, children: false, quotaConfigurations: false, controlBalances: false });
  if (by.length > 0) reject('IN_USE', usedBy(recordRef('Account', code), by), path);
}

/** What uses the account, in words. */
export function usersOf(use: AccountUse): RecordUser[] {
  const users: readonly (readonly [keyof AccountUse, RecordUser])[] = [
    ['children', 'child accounts'],
    ['entries', 'entries'],
    ['baseBalances', 'base balances'],
    ['closureSettings', 'closure settings'],
    ['quotaConfigurations', 'quota configuration'],
    ['entryTemplates', 'entry templates'],
    ['controlBalances', 'control balances'],
  ];
  return users.flatMap(([kind, user]) => (use[kind] ? [user] : []));
}

async function addAccount(sql: Sql, context: Context, account: NewAccount, confirmed: boolean): Promise<AccountRow> {
  const chart = await lockOrBeginChart(sql, context, account.chart);
  requireChartChange(context, chart, 'chart');
  const chartId = chart.id;
  const masks = await readableMasks(sql, chartId, account.code);
  const above = placesAbove(account.code, masks);
  const known = new Map((await selectByPlace(sql, chartId, above)).map((each) => [each.segmentsKey, each]));
  const nearestAbove = (code: string) =>
    known.get(placesAbove(code, masks).findLast((place) => known.has(place)) ?? '');
  const aboveId = account.parentId ?? nearestAbove(account.code)?.id;
  const parent = aboveId === undefined ? undefined : await lockParent(sql, chartId, aboveId);
  const consequences: Consequences = {
    levels: account.parentId === undefined ? missingLevels(account.code, (place) => known.has(place), masks) : [],
    wrongCheckDigit: wrongCheckDigitOf(account.code, masks),
    postingParent: parent?.type === 'A' ? parent : undefined,
  };
  if (!confirmed) rejectUnconfirmed(account, consequences);
  if (consequences.postingParent) await turnIntoSummaryAccount(sql, context, consequences.postingParent);
  for (const code of consequences.levels) {
    const position = positionUnder(nearestAbove(code), code, masks);
    const level = await insertInTree(
      sql,
      context,
      chartId,
      await levelFacts(sql, account, code, masks),
      position,
      masks,
    );
    known.set(segmentsKey(code, masks), level);
  }
  const derived = nearestAbove(account.code);
  const position =
    parent && account.parentId !== undefined && parent.id !== derived?.id
      ? { ...positionUnder(parent, account.code, masks), level: parent.level + 1 }
      : positionUnder(derived, account.code, masks);
  return (await insertInTree(sql, context, chartId, account, position, masks)).row;
}

/** The locked chart, created when it does not exist. The caller's rights on it are checked by each use case. */
export async function lockOrBeginChart(sql: Sql, context: Context, code: string, path = 'chart'): Promise<HeldChart> {
  const held = (await lockChart(sql, code)) ?? (await beginChart(sql, context, code, path));
  // It was created concurrently, by this caller or by another, who now owns it.
  return held ?? (await lockChart(sql, code)) ?? reject('NOT_FOUND', recordRef('Chart', code), path);
}

/** A new chart, its creator's; undefined when the code is taken. A code that looks like another chart's is rejected. */
export async function beginChart(
  sql: Sql,
  context: Context,
  code: string,
  path: string,
): Promise<HeldChart | undefined> {
  const other = (await selectChartCodes(sql)).find(
    (each) => each !== code && confusableSkeleton(each) === confusableSkeleton(code),
  );
  if (other !== undefined) reject('CHART_LOOKS_ALIKE', { chart: code, other }, path);
  const begun = await insertChart(sql, code, context.caller.id);
  if (begun) {
    await recordAudit(sql, context, {
      action: 'CREATE',
      entity: 'chart',
      entityId: begun.id,
      after: { id: begun.id, code },
    });
  }
  return begun;
}

/** The digit that a regulatory code should end in, when it ends in another. */
export function wrongCheckDigitOf(code: string, masks: readonly AccountMask[]): string | undefined {
  if (shapeOf(code, masks) !== 'REGULATORY' || hasValidCheckDigit(code)) return undefined;
  return cosifCheckDigit(code.replace(/\D/g, '').slice(0, -1));
}

function rejectUnconfirmed(account: NewAccount, { levels, wrongCheckDigit, postingParent }: Consequences): void {
  const consequences: Consequence[] = [];
  if (levels.length > 0) consequences.push({ consequence: 'LEVELS_ARE_CREATED', levels: levels.join(', ') });
  if (wrongCheckDigit !== undefined) {
    consequences.push({ consequence: 'CHECK_DIGIT_IS_KEPT', code: account.code, digit: wrongCheckDigit });
  }
  if (postingParent) consequences.push({ consequence: 'ACCOUNT_BECOMES_SYNTHETIC', code: postingParent.code });
  if (consequences.length > 0) reject('CONFIRMATION_REQUIRED', { consequences }, 'code');
}

async function turnIntoSummaryAccount(sql: Sql, context: Context, account: TreeAccount): Promise<void> {
  await makeSummaryAccount(sql, account.id);
  await recordAudit(sql, context, {
    action: 'UPDATE',
    entity: 'account',
    entityId: account.id,
    before: { code: account.code, type: 'A' },
    after: { code: account.code, type: 'S' },
  });
}

/** A missing level copies the account that needs it; a group has the regulator's name. */
async function levelFacts(
  sql: Sql,
  { normalBalance, accountClass }: NewAccount,
  code: string,
  masks: readonly AccountMask[],
): Promise<AccountInput> {
  const [first, ...deeper] = significantSegments(code, masks);
  const mask = masks.find((each) => shapeOf(code, [each]) === 'REGULATORY');
  const group = mask && deeper.length === 0 ? await selectGroup(sql, mask.name, first!) : undefined;
  return {
    code,
    description: group?.name ?? `Nível ${code}`,
    type: 'S',
    normalBalance,
    accountClass: group?.accountClass ?? accountClass,
    contra: false,
    active: true,
  };
}

/** A level inserted above an account becomes its parent. */
export async function rejectChangeOfUsedAccount(
  sql: Sql,
  { id, code }: Pick<TreeAccount, 'id' | 'code'>,
): Promise<void> {
  if (!(await isInBooks(sql, id))) return;
  reject('ACCOUNT_IN_BOOKS', { account: code, fact: 'PARENT' }, 'code');
}

export function positionUnder(parent: TreeAccount | undefined, code: string, masks: readonly AccountMask[]): Position {
  return {
    level: levelOf(code, masks),
    parentId: parent?.id ?? null,
    ancestors: parent ? [...parent.ancestors, parent.id] : [],
  };
}

/** Writes the account and moves existing accounts below its place under it. */
async function insertInTree(
  sql: Sql,
  context: Context,
  chartId: ChartId,
  facts: AccountInput,
  position: Position,
  masks: readonly AccountMask[],
): Promise<TreeAccount & { row: AccountRow }> {
  if (facts.shortCode !== undefined) await raiseShortCode(sql, chartId, facts.shortCode);
  const shortCode = facts.shortCode ?? (await takeShortCode(sql, chartId));
  const row = await insertAccount(sql, chartId, { ...facts, shortCode }, position, masks);
  const added = {
    id: row.id,
    code: row.code,
    type: row.type,
    normalBalance: row.normalBalance,
    accountClass: row.accountClass,
    level: row.level,
    parentId: row.parentId,
    ancestors: [...position.ancestors],
    segmentsKey: segmentsKey(row.code, masks),
    row,
  };
  const adopted = await adoptAccountsBelow(sql, chartId, added);
  for (const each of adopted) await rejectChangeOfUsedAccount(sql, each);
  if (adopted.length > 0 && row.type === 'A') reject('ACCOUNT_HAS_CHILDREN', { account: row.code }, 'type');
  await recordAudit(sql, context, { action: 'CREATE', entity: 'account', entityId: row.id, after: row });
  return added;
}
