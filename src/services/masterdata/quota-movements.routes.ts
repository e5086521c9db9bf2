import { z } from 'zod';
import { decimalOf } from '../../accounting/money.ts';
import { importMovements } from '../../features/closing/quotas/import-movements.ts';
import {
  selectMovementRecords,
  selectTenantOfMovement,
  selectTenantOfOwner,
} from '../../features/closing/quotas/movement-records.read.sql.ts';
import {
  changeMovement,
  createMovement,
  QUOTA_MOVEMENT,
  removeMovement,
} from '../../features/closing/quotas/quota-movements.ts';
import { amount, booleanText, isoDay, moneyAnswer, tenantParams } from '../../http/fields.ts';
import { importResult } from '../../http/import-result.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { type Route, route } from '../../http/route.ts';
import { uploadBody } from '../../http/upload.ts';
import { importResponse } from './imports.routes.ts';
import { signedQuantity } from './quantity.ts';
import { recordAnswer, recordToWire, resourceRoutes } from './record-routes.ts';

const OPTIONS = {
  definition: QUOTA_MOVEMENT,
  names: { day: 'date', requestedDay: 'requestDate' },
  tag: 'Quotas',
  paths: { create: '/quotaMovement', item: '/quotaMovement/{id}' },
  changedBy: 'TAX_QUOTA',
  structures: {
    body: { quotas: signedQuantity, amount: amount.transform(decimalOf).meta({ format: 'decimal', example: 1000 }) },
    answer: { quotas: moneyAnswer, amount: moneyAnswer },
  },
} as const;

const movementRoutes = resourceRoutes(OPTIONS, {
  create: async (context, input, owner) =>
    createMovement(context, await selectTenantOfOwner(context.sql, owner), input),
  change: async (context, key, input, owner) =>
    changeMovement(context, await selectTenantOfOwner(context.sql, owner), key as number, input),
  remove: async (context, key) =>
    removeMovement(context, await selectTenantOfMovement(context.sql, key as number), key as number),
});

/** None of them is the specification's. */
export const quotaMovementRoutes: readonly Route[] = Object.values(movementRoutes).map((each) => ({
  ...each,
  addition: true,
}));

const OF_BRANCH = { addition: true, params: tenantParams } as const;

export const listMovementsOfBranchRoute = route({
  ...OF_BRANCH,
  operationId: 'listQuotaMovementsOfBranch',
  method: 'GET',
  path: '/quotaMovement/{company}/{branch}',
  summary: 'The movements of quotas of a branch in a range of days',
  tag: OPTIONS.tag,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  query: z.strictObject({ from: isoDay, to: isoDay }),
  answer: z.array(recordAnswer(OPTIONS)),
  handle: async ({ query, context, tenant }) => {
    if (query.from > query.to) rejectRequest('INVALID_DATE_RANGE', query, 'from');
    const found = await selectMovementRecords(context.sql, tenant, query);
    return found.map((row) => recordToWire(QUOTA_MOVEMENT, row, OPTIONS.names));
  },
});

export const importMovementsRoute = route({
  ...OF_BRANCH,
  operationId: 'importQuotaMovements',
  method: 'POST',
  path: '/quotaMovement/{company}/{branch}/import',
  cost: 'upload',
  summary: 'Adds the movements of quotas of a CSV file to a branch',
  tag: 'Imports',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), routine: 'TAX_QUOTA' },
  query: z.strictObject({ dryRun: booleanText.optional() }),
  accepts: ['stream'],
  body: uploadBody,
  answer: importResult,
  handle: (request) => importResponse(request, (upload) => importMovements(request.context, request.tenant, upload)),
});
