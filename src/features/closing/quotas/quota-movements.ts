import { nationalDay } from '../../../accounting/holidays.ts';
import { centavosFromDecimal, decimalOf } from '../../../accounting/money.ts';
import {
  addDays,
  brazilianDate,
  type Day,
  firstDay,
  lastDay,
  monthNumberOf,
  monthOfDay,
  slashOf,
} from '../../../accounting/period.ts';
import { BusinessError, type Problem, problem, reject, throwIfAny } from '../../../accounting/problem.ts';
import { scaledFromDecimal, scaledToDecimal } from '../../../accounting/quota.ts';
import { MOVEMENT_KINDS, type MovementKind, STORED_DECIMALS, signOfKind } from '../../../accounting/quota-series.ts';
import { type Context, withTransaction } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { defaulted, optional, required } from '../../master-data/records/fields.ts';
import type { RecordDefinition, RecordInput, RecordRow } from '../../master-data/records/record-definition.ts';
import { requireRecord, throwNoRecord } from '../../master-data/records/records.read.sql.ts';
import { selectPresent } from '../../posting/batches/batches.sql.ts';
import { deleteDocumentsById } from '../../posting/batches/delete-movements.ts';
import { selectMonthState } from '../../posting/months/months.read.sql.ts';
import { applyTemplate } from '../../posting/templates/apply-template.ts';
import { lockTemplate } from '../../posting/templates/templates.sql.ts';
import {
  type Fund,
  type KeptMovement,
  selectCalendarDays,
  selectFunds,
  selectMovement,
  selectMovements,
  selectOverdrawnDay,
  selectTemplateOf,
} from './daily-quotas.read.sql.ts';
import { lockFunds } from './daily-quotas.sql.ts';
import { selectEquityOfDocument } from './fund-equity.read.sql.ts';
import { deleteMovement, insertMovement, updateMovement, type WrittenMovement } from './quota-movements.sql.ts';

export const QUOTA_MOVEMENT = {
  name: 'Quota movement',
  table: 'quota_movement',
  owner: 'TENANT',
  orderBy: SQL`quota_movement.day, quota_movement.id`,
  uniqueField: 'day',
  fields: {
    day: defaulted.day({ example: '2026-01-30' }),
    requestedDay: optional.day({ example: null }),
    kind: required.oneOf(MOVEMENT_KINDS, { example: 'SUBSCRIPTION' }),
    quotas: optional.decimal({ example: null }),
    amount: optional.decimal({ example: 1000 }),
    holders: optional.integer(0, 2_000_000_000, { example: 12 }),
  },
} as const satisfies RecordDefinition;

export type MovementInput = RecordInput<typeof QUOTA_MOVEMENT>;
type SavedMovement = RecordRow<typeof QUOTA_MOVEMENT>;

/** A movement of a fund, and the entries of its amount where a template is named for its kind. */
export function createMovement(context: Context, tenant: Tenant, input: MovementInput): Promise<SavedMovement> {
  return context.transaction(async (sql) => {
    const fund = await lockedFund(sql, tenant);
    const id = await addMovement(sql, context, tenant, fund, input);
    await rejectOverdrawn(sql, fund);
    return audited(sql, context, tenant, { action: 'CREATE', id });
  });
}

/** Movements of a file, in its order; what is wrong with one is said of its place. */
export async function addMovements(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  inputs: readonly MovementInput[],
  wrong: (at: number, found: Problem) => void,
): Promise<void> {
  const fund = await lockedFund(sql, tenant);
  let count = 0;
  for (const [at, input] of inputs.entries()) {
    try {
      await withTransaction(context, sql).transaction((part) => addMovement(part, context, tenant, fund, input));
      count++;
    } catch (error) {
      if (!(error instanceof BusinessError)) throw error;
      for (const found of error.problems) wrong(at, found);
    }
  }
  if (count < inputs.length) return;
  const overdrawn = await overdrawnProblem(sql, fund);
  if (overdrawn) return wrong(inputs.length - 1, overdrawn);
  await recordAudit(sql, context, {
    action: 'IMPORT',
    entity: 'quota_movement',
    ...tenant,
    after: { movements: count },
  });
}

/** Replaces a movement; what it posted is removed and posted anew. */
export function changeMovement(
  context: Context,
  tenant: Tenant,
  id: number,
  input: MovementInput,
): Promise<SavedMovement> {
  return context.transaction(async (sql) => {
    const fund = await lockedFund(sql, tenant);
    const before = await requireMovement(sql, fund, id);
    const shown = await requireRecord(sql, QUOTA_MOVEMENT, id);
    await removePosted(sql, context, fund, before);
    const movement = await placeMovement(sql, fund, input, before);
    await updateMovement(sql, fund, id, {
      ...movement,
      documentId: await postAmount(sql, context, tenant, fund, movement),
    });
    await rejectOverdrawn(sql, fund);
    return audited(sql, context, tenant, { action: 'UPDATE', id, before: shown });
  });
}

/** Removes a movement with what it posted. */
export function removeMovement(context: Context, tenant: Tenant, id: number): Promise<void> {
  return context.transaction(async (sql) => {
    const fund = await lockedFund(sql, tenant);
    const movement = await requireMovement(sql, fund, id);
    const before = await requireRecord(sql, QUOTA_MOVEMENT, id);
    await removePosted(sql, context, fund, movement);
    await deleteMovement(sql, fund, id);
    await rejectOverdrawn(sql, fund).catch(throwWithoutPaths);
    await recordAudit(sql, context, { action: 'DELETE', entity: 'quota_movement', entityId: id, ...tenant, before });
  });
}

async function lockedFund(sql: Transaction, { companyId, branchId, company, branch }: Tenant): Promise<Fund> {
  await lockFunds(sql, companyId, [branchId]);
  const [fund] = await selectFunds(sql, companyId, [branchId]);
  return fund ?? reject('QUOTA_NOT_CONFIGURED', { company, branch });
}

async function requireMovement(sql: Transaction, fund: Fund, id: number): Promise<KeptMovement> {
  return (await selectMovement(sql, fund, id)) ?? throwNoRecord(QUOTA_MOVEMENT, id);
}

async function audited(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  { id, ...entry }: { readonly action: string; readonly id: number; readonly before?: unknown },
): Promise<SavedMovement> {
  const after = await requireRecord(sql, QUOTA_MOVEMENT, id);
  const { companyId, branchId } = tenant;
  await recordAudit(sql, context, { ...entry, entity: 'quota_movement', entityId: id, companyId, branchId, after });
  return after;
}

async function addMovement(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  fund: Fund,
  input: MovementInput,
): Promise<number> {
  const movement = await placeMovement(sql, fund, input);
  const documentId = await postAmount(sql, context, tenant, fund, movement);
  return insertMovement(sql, fund, { ...movement, documentId }, context.caller.username);
}

type PlacedMovement = Omit<WrittenMovement, 'documentId'>;

/** The movement on its day, after every reason against it. */
async function placeMovement(
  sql: Transaction,
  fund: Fund,
  input: MovementInput,
  before?: KeptMovement,
): Promise<PlacedMovement> {
  throwIfAny(kindProblems(input));
  const day = await dayOfMovement(sql, fund, input);
  await rejectFixedDay(sql, fund, day, 'day');
  const { kind, quotas, amount, requestedDay, holders } = input;
  await rejectSecond(sql, fund, kind, day, before?.id);
  const sign = signOfKind(kind);
  const scaled = quotas === undefined ? undefined : scaledFromDecimal(quotas, STORED_DECIMALS)!;
  const signed = sign === undefined || scaled === undefined ? scaled : sign * (scaled < 0n ? -scaled : scaled);
  const text = signed === undefined ? undefined : scaledToDecimal(signed, STORED_DECIMALS);
  // Sent back as it was read, it still gets its quotas from its amount.
  const isSentBack = before?.fromAmount === true && before.quotas === text && before.kind === kind;
  const fromAmount = kind !== 'AMORTIZATION' && (text === undefined || isSentBack);
  const quotasOf = kind === 'AMORTIZATION' ? '0' : fromAmount ? undefined : text;
  return { day, requestedDay, kind, quotas: quotasOf, amount, holders, fromAmount };
}

/** What must and what must not be given with a kind. */
function kindProblems({ kind, quotas, amount }: MovementInput): Problem[] {
  const isZero = (value: string | undefined) => value !== undefined && /^-?0*(?:\.0*)?$/.test(value);
  const needs = (path: 'quotas' | 'amount') => problem('MISSING_VALUE', {}, path);
  const excludes = (path: 'quotas' | 'amount') => problem('INVALID_FIELD', { reason: 'NOT_OF_KIND', kind }, path);
  if (isZero(quotas) && kind !== 'AMORTIZATION') return [problem('NO_QUOTAS', {}, 'quotas')];
  if (amount !== undefined && (centavosFromDecimal(amount) ?? 0n) <= 0n)
    return [problem('AMOUNT_NOT_POSITIVE', {}, 'amount')];
  switch (kind) {
    case 'INITIAL':
      return quotas === undefined ? [needs('quotas')] : [];
    case 'ADJUSTMENT':
      return [
        ...(quotas === undefined ? [needs('quotas')] : []),
        ...(amount === undefined ? [] : [excludes('amount')]),
      ];
    case 'AMORTIZATION':
      return [
        ...(amount === undefined ? [needs('amount')] : []),
        ...(quotas === undefined || isZero(quotas) ? [] : [excludes('quotas')]),
      ];
    case 'COME_COTAS':
      return quotas === undefined && amount === undefined ? [needs('amount')] : [];
    default:
      return amount === undefined ? [needs('amount')] : [];
  }
}

/** The day whose quota it gets: the one that is given, or that of the request and the business days that the fund wants. */
async function dayOfMovement(sql: Transaction, fund: Fund, { kind, day, requestedDay }: MovementInput): Promise<Day> {
  if (requestedDay === undefined) {
    if (day === undefined) return reject('MISSING_VALUE', {}, 'day');
    const moves = kind !== 'INITIAL' && kind !== 'ADJUSTMENT';
    if (moves && !(await isBusinessDay(sql, fund, day, day))(day)) {
      reject('INVALID_FIELD', { reason: 'NO_BUSINESS_DAY' }, 'day');
    }
    return day;
  }
  if (kind !== 'REDEMPTION') reject('INVALID_FIELD', { reason: 'NOT_OF_KIND', kind }, 'requestedDay');
  // Weekends and holidays take less than half of the days, whatever year it is.
  const last = addDays(requestedDay, 2 * fund.redemptionDays + MOST_DAYS_OFF);
  const isBusiness = await isBusinessDay(sql, fund, requestedDay, last);
  let [found, left] = [requestedDay, fund.redemptionDays];
  while (!isBusiness(found)) found = addDays(found, 1);
  for (; left > 0 && found < last; left--)
    do found = addDays(found, 1);
    while (!isBusiness(found));
  if (day !== undefined && day !== found) {
    reject('INVALID_FIELD', { reason: 'OTHER_DAY_OF_REDEMPTION', expected: brazilianDate(found) }, 'day');
  }
  return found;
}

/** The longest row of days off, and more. */
const MOST_DAYS_OFF = 15;

/** By the calendar of the branch, or the national one where the month was never opened. */
async function isBusinessDay(sql: Transaction, fund: Fund, from: Day, to: Day): Promise<(day: Day) => boolean> {
  const days = await selectCalendarDays(sql, fund, { from, to });
  return (day) => days.get(day)?.businessDay ?? nationalDay(day).businessDay;
}

/** Nothing moves before the base, on a day that is closed in the calendar, or in a closed month. */
async function rejectFixedDay(sql: Transaction, fund: Fund, day: Day, path?: string): Promise<void> {
  const { baseMonth, companyId, branchId } = fund;
  const month = monthOfDay(day);
  if (day < addDays(firstDay(baseMonth), -1)) {
    reject('BEFORE_BASE_MONTH', { month: slashOf(month), base: slashOf(baseMonth) }, path);
  }
  if ((await selectCalendarDays(sql, fund, { from: day, to: day })).get(day)?.closed) {
    reject('DAY_CLOSED', { day: brazilianDate(day) }, path);
  }
  if ((await selectMonthState(sql, companyId, branchId, month)) === 'CLOSED') {
    reject('MONTH_CONSOLIDATED', { month: slashOf(month) }, path);
  }
}

/** Initial quotas come once and first; a come-cotas once in May and once in November. */
async function rejectSecond(
  sql: Transaction,
  fund: Fund,
  kind: MovementKind,
  day: Day,
  own: number | undefined,
): Promise<void> {
  if (kind !== 'INITIAL' && kind !== 'COME_COTAS') return;
  const month = monthOfDay(day);
  const period =
    kind === 'INITIAL'
      ? { from: addDays(firstDay(fund.baseMonth), -1), to: day }
      : { from: firstDay(month), to: lastDay(month) };
  const others = (await selectMovements(sql, fund.companyId, [fund.branchId], period)).filter(({ id }) => id !== own);
  if (kind === 'INITIAL') return others.length > 0 ? reject('INITIAL_QUOTAS_TWICE', {}, 'kind') : undefined;
  if (![5, 11].includes(monthNumberOf(month))) reject('COME_COTAS_MONTH', { day: brazilianDate(day) }, 'day');
  if (others.some((each) => each.kind === 'COME_COTAS')) reject('COME_COTAS_TWICE', { month: slashOf(month) }, 'kind');
}

async function rejectOverdrawn(sql: Transaction, fund: Fund): Promise<void> {
  throwIfAny([(await overdrawnProblem(sql, fund)) ?? []].flat());
}

async function overdrawnProblem(sql: Transaction, fund: Fund): Promise<Problem | undefined> {
  const overdrawn = fund.quotaQuantityAccountId === null ? await selectOverdrawnDay(sql, fund) : undefined;
  if (overdrawn === undefined) return undefined;
  const { day, balance } = overdrawn;
  return problem('REDEMPTION_ABOVE_BALANCE', { day: brazilianDate(day), balance }, 'quotas');
}

/**
 * Posts the amount by the template that the fund names for its kind; undefined: none is named, or no money moves.
 * QUOTA_TEMPLATE_UNFIT, QUOTA_TEMPLATE_REVERSES: quotas and equity would go apart.
 */
async function postAmount(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  fund: Fund,
  { kind, amount, day }: PlacedMovement,
): Promise<number | undefined> {
  if (amount === undefined) return undefined;
  const code = await selectTemplateOf(sql, tenant, kind);
  if (code === undefined) return undefined;
  const template = await lockTemplate(sql, tenant, code);
  if (template?.automaticReversal) reject('QUOTA_TEMPLATE_REVERSES', { template: code }, 'kind');
  const given = (template?.lines ?? []).filter(({ valueType }) => valueType === 'GIVEN');
  const sequences = [0, ...given.map(({ sequence }) => sequence)];
  const { documentId } = await applyTemplate(withTransaction(context, sql), tenant, {
    code,
    day,
    batchNumber: undefined,
    documentNumber: undefined,
    amounts: sequences.map((sequence) => ({ sequence, amount, narration: null })),
    factDay: undefined,
    status: 'POSTED',
  }).catch(throwWithoutPaths);
  const expected = centavosFromDecimal(amount)! * signOfKind(kind)!;
  const moved = await selectEquityOfDocument(sql, fund, documentId!);
  if (moved !== expected) {
    const figures = { amount: decimalOf(expected), moved: decimalOf(moved) };
    reject('QUOTA_TEMPLATE_UNFIT', { template: code, ...figures }, 'kind');
  }
  return documentId!;
}

/** Accounts and lines are the template's: what is wrong with them names no field of the movement. */
function throwWithoutPaths(error: unknown): never {
  if (!(error instanceof BusinessError)) throw error;
  throw new BusinessError(error.problems.map(({ code, params }) => ({ code, params }) as Problem));
}

/** A change of what has been posted is one of its day: that must be open. */
async function removePosted(sql: Transaction, context: Context, fund: Fund, movement: KeptMovement): Promise<void> {
  await rejectFixedDay(sql, fund, movement.day);
  const { documentId } = movement;
  // Somebody may have removed it by hand.
  const isThere = documentId !== null && (await selectPresent(sql, 'document', [documentId])).length > 0;
  if (isThere) await deleteDocumentsById(withTransaction(context, sql), [documentId]);
}
