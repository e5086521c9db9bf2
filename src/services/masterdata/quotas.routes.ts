import { z } from 'zod';
import { addDays, brazilianDate } from '../../accounting/period.ts';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import type { Tenant } from '../../features/access/access.ts';
import { formatQuota } from '../../features/closing/quotas/calculate-quota.ts';
import { selectQuotas } from '../../features/closing/quotas/quotas.read.sql.ts';
import {
  QUOTA_CONFIGURATION,
  type QuotaConfigurationRow,
  saveQuotaConfiguration,
} from '../../features/closing/quotas/save-quota-configuration.ts';
import { selectRecordOfBranch, selectRecords } from '../../features/master-data/records/records.read.sql.ts';
import { assertWholeList } from '../../features/master-data/whole-list.ts';
import { bodyFields, fieldsFromWire } from '../../http/field-schemas.ts';
import {
  branchCode,
  companyCode,
  exactNumber,
  isoDay,
  moneyAnswer,
  readOnly,
  tenantParams,
} from '../../http/fields.ts';
import { confirmedQuotaAnswer, confirmedQuotaToWire } from '../../http/quotas.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { quantity } from './quantity.ts';
import { ownerOf, recordAnswer, recordToWire } from './record-routes.ts';

const body = z.strictObject({
  id: readOnly,
  company: companyCode,
  branch: branchCode,
  ...bodyFields(QUOTA_CONFIGURATION.fields, { numberOfQuotas: quantity }),
  lastCalculationDate: readOnly,
  lastQuotaValue: readOnly,
  lastNetEquity: readOnly,
  createdAt: readOnly,
  updatedAt: readOnly,
});

const answer = recordAnswer(
  { definition: QUOTA_CONFIGURATION },
  {
    lastCalculationDate: z.string().nullable(),
    lastQuotaValue: z.string().nullable(),
    lastNetEquity: moneyAnswer.nullable(),
  },
);

export const postQuotaConfigurationRoute = route({
  operationId: 'saveQuotaConfiguration',
  method: 'POST',
  path: '/quotacalculation/',
  summary: 'Creates or replaces the quota configuration of a branch',
  tag: 'Quotas',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), routine: 'SETTINGS' },
  body,
  status: 201,
  answer,
  handle: async ({ body, context, tenant }) =>
    configurationToWire(
      context.sql,
      tenant,
      await saveQuotaConfiguration(context, tenant, fieldsFromWire(QUOTA_CONFIGURATION.fields, body)),
    ),
});

export const getQuotaConfigurationRoute = route({
  operationId: 'getQuotaConfiguration',
  method: 'GET',
  path: '/quotacalculation/{company}/{branch}',
  summary: 'The quota configuration of a branch',
  tag: 'Quotas',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  answer,
  handle: async ({ context, tenant, tenants }) => {
    const found = await selectRecordOfBranch(context.sql, QUOTA_CONFIGURATION, ownerOf(tenants));
    return configurationToWire(context.sql, tenant, found ?? reject('NOT_FOUND', recordRef('Quota configuration')));
  },
});

export const getQuotaConfigurationsRoute = route({
  operationId: 'listQuotaConfigurations',
  method: 'GET',
  path: '/quotacalculation/all',
  summary: 'Quota configurations of the branches that the caller reaches',
  tag: 'Quotas',
  access: { to: 'anyUser' },
  answer: z.array(answer),
  handle: async ({ context }) =>
    (await selectRecords(context.sql, QUOTA_CONFIGURATION)).map((row) => ({
      ...recordToWire(QUOTA_CONFIGURATION, row),
      ...NO_CALCULATION,
    })),
});

export const getTaxQuotaRoute = route({
  operationId: 'getConfirmedQuota',
  method: 'GET',
  path: '/taxquotacalculation/{company}/{branch}',
  summary: 'The last confirmed quota of a branch',
  tag: 'Quotas',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  answer: confirmedQuotaAnswer,
  handle: async ({ context, tenant }) => {
    const [last, previous] = await selectQuotas(context.sql, tenant, 2);
    return last ? confirmedQuotaToWire(tenant, last, previous) : reject('NOT_FOUND', recordRef('Tax quota'));
  },
});

/** Maximum number of quotas of one answer, which has no pages: those of a fund's forty years. */
const MAX_QUOTAS = 10_000;

export const getTaxQuotasRoute = route({
  operationId: 'listConfirmedQuotas',
  method: 'GET',
  path: '/taxquotacalculation/{company}/{branch}/list',
  summary: 'The confirmed quotas of a branch, newest first, each beside the one before it',
  tag: 'Quotas',
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  query: z.strictObject({ from: isoDay.optional(), to: isoDay.optional() }),
  answer: z.array(confirmedQuotaAnswer),
  handle: async ({ query, context, tenant }) => {
    const { from, to } = query;
    if (from !== undefined && to !== undefined && from > to) {
      rejectRequest('INVALID_DATE_RANGE', { from, to }, 'from');
    }
    return context.snapshot(async (sql) => {
      const quotas = assertWholeList(await selectQuotas(sql, tenant, MAX_QUOTAS + 1, { from, to }), MAX_QUOTAS);
      const oldest = quotas.at(-1);
      const before = oldest ? await selectQuotas(sql, tenant, 1, { to: addDays(oldest.day, -1) }) : [];
      const previous = [...quotas.slice(1), ...before];
      return quotas.map((each, at) => confirmedQuotaToWire(tenant, each, previous[at]));
    });
  },
});

const NO_CALCULATION = { lastCalculationDate: null, lastQuotaValue: null, lastNetEquity: null };

async function configurationToWire(sql: Sql, tenant: Tenant, row: QuotaConfigurationRow) {
  const [last] = await selectQuotas(sql, tenant, 1);
  return {
    ...recordToWire(QUOTA_CONFIGURATION, row),
    ...(last
      ? {
          lastCalculationDate: brazilianDate(last.day),
          lastQuotaValue: formatQuota(last).quotaValue,
          lastNetEquity: exactNumber(last.netEquity),
        }
      : NO_CALCULATION),
  };
}
