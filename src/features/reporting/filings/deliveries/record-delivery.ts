import type { CompanyId } from '../../../../accounting/ids.ts';
import { problem, reject, throwIfAny } from '../../../../accounting/problem.ts';
import { recordRef } from '../../../../accounting/record-name.ts';
import type { Context } from '../../../../platform/context.ts';
import type { Transaction } from '../../../../platform/database/sql.ts';
import { recordAudit } from '../../../access/audit.sql.ts';
import { type DeliveryRow, isNamedByOther, selectAccepted, selectDelivery } from './deliveries.read.sql.ts';
import { lockDeliveries, replaceDeliveries, updateDelivery } from './deliveries.sql.ts';
import { type DeliveryStatus, mayBecome } from './delivery.ts';

/** What is left out stays as it is. */
export interface DeliveryChange {
  readonly status?: DeliveryStatus | undefined;
  /** 40 hexadecimal digits in upper case. */
  readonly bookHash?: string | undefined;
  readonly receipt?: string | undefined;
}

/** Records what became of a delivery. One that is accepted replaces the one whose place it takes. */
export function recordDelivery(
  context: Context,
  companyId: CompanyId,
  id: number,
  change: DeliveryChange,
): Promise<DeliveryRow> {
  return context.transaction(async (sql) => {
    await lockDeliveries(sql, companyId);
    const before = await requireDelivery(sql, companyId, id);
    await assertAllowed(sql, companyId, before, change);
    const { status = before.status, bookHash = before.bookHash, receipt = before.receipt } = change;
    const isAccepted = status === 'ACCEPTED' && before.status !== 'ACCEPTED';
    const replaced = isAccepted ? await replaceEarlier(sql, companyId, before) : [];
    await updateDelivery(sql, companyId, id, { status, bookHash, receipt });
    const after = await requireDelivery(sql, companyId, id);
    const stateOf = ({ status, bookHash, receipt }: DeliveryRow) => ({ status, bookHash, receipt });
    await recordAudit(sql, context, {
      ...{ action: 'UPDATE', entity: 'regulatory_delivery', entityId: id, companyId },
      before: stateOf(before),
      after: { ...stateOf(after), ...(replaced.length > 0 && { replaced }) },
    });
    return after;
  });
}

async function requireDelivery(sql: Transaction, companyId: CompanyId, id: number): Promise<DeliveryRow> {
  return (await selectDelivery(sql, companyId, id)) ?? reject('NOT_FOUND', recordRef('Delivery', id), 'id');
}

async function assertAllowed(
  sql: Transaction,
  companyId: CompanyId,
  { id, kind, status, bookHash }: DeliveryRow,
  change: DeliveryChange,
): Promise<void> {
  const { status: next = status } = change;
  const isHashChanged = change.bookHash !== undefined && change.bookHash !== bookHash;
  throwIfAny([
    ...(mayBecome(status, next)
      ? []
      : [problem('DELIVERY_TRANSITION', { deliveryState: status, nextState: next }, 'status')]),
    ...(change.bookHash !== undefined && kind !== 'ECD' ? [problem('DELIVERY_HAS_NO_HASH', {}, 'bookHash')] : []),
  ]);
  // A file with the hash in it may have been sent.
  if (isHashChanged && bookHash !== null && (await isNamedByOther(sql, companyId, id)))
    reject('DELIVERY_HASH_USED', {}, 'bookHash');
}

/** The one that this one names; of the central bank's documents, whichever was accepted for the month. */
async function replaceEarlier(
  sql: Transaction,
  companyId: CompanyId,
  { id, kind, from, replacesId }: DeliveryRow,
): Promise<number[]> {
  const accepted = kind === 'ECD' ? undefined : await selectAccepted(sql, companyId, kind, from);
  return replaceDeliveries(
    sql,
    companyId,
    id,
    [replacesId, accepted?.id].flatMap((each) => each ?? []),
  );
}
