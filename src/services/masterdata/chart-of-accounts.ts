import { z } from 'zod';
import type { AccountDetailRow, AccountRow } from '../../features/master-data/chart/chart.read.sql.ts';
import type { NewAccount } from '../../features/master-data/chart/create-account.ts';
import { accountFields } from '../../http/account-fields.ts';
import { accountId, codeText, instant, isoDay, nameText, optional, readOnly, text } from '../../http/fields.ts';
import { chartCode } from './company-options.ts';

const accountCode = codeText(40).meta({ example: '1.0.0.00.00.00-9' });

/** Wire names of the paths of an account. */
export const ACCOUNT_FIELDS = {
  chart: 'chartCode',
  code: 'cdAccounting',
  normalBalance: 'nature',
  referenceAccountId: 'accountRef_uuid',
  shortCode: 'cdReduced',
  type: 'accountType',
} as const;

export const accountBody = z.strictObject({
  id: readOnly,
  level: readOnly,
  createdAt: readOnly,
  updatedAt: readOnly,
  childrenCount: readOnly,
  hasEntries: readOnly,
  parentCdAccounting: readOnly,
  chartCode,
  cdAccounting: accountCode,
  cdReduced: optional(text(20).meta({ example: '1' })),
  description: nameText(200).meta({ example: 'ATIVO REALIZÁVEL' }),
  accountType: z.enum(['S', 'A']),
  nature: z.enum(['D', 'C', 'M']),
  accountClass: z.enum(['01', '02', '03', '04', '05', '09']),
  parentId: optional(accountId.meta({ example: null })),
  rectifying: optional(z.boolean().meta({ example: false })),
  cosifCode: optional(text(40).meta({ example: '1.0.0.00.00.00-9' })),
  cofiCode: optional(text(40).meta({ example: '10000007' })),
  estbanCode: optional(text(40).meta({ example: '111' })),
  accountRef_uuid: optional(z.uuid().meta({ example: null })),
  startDate: optional(isoDay.meta({ example: '2026-01-01' })),
  endDate: optional(isoDay.meta({ example: '2099-12-31' })),
  active: optional(z.boolean().meta({ example: true })),
});

export const accountAnswer = z.object({
  ...accountFields,
  chartCode: z.string().meta({ example: 'COSIF' }),
  rectifying: z.boolean(),
  cosifCode: z.string().nullable(),
  cofiCode: z.string().nullable(),
  estbanCode: z.string().nullable(),
  accountRef_uuid: z.string().nullable().meta({ example: null }),
  startDate: z.string().nullable().meta({ example: '2026-01-01' }),
  endDate: z.string().nullable().meta({ example: null }),
  active: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});

export const accountDetailAnswer = accountAnswer.extend({
  childrenCount: z.number().int(),
  hasEntries: z.boolean(),
  parentCdAccounting: z.string().nullable().meta({ example: '1' }),
});

export function accountFromWire(body: z.output<typeof accountBody>): NewAccount {
  return {
    chart: body.chartCode,
    code: body.cdAccounting,
    shortCode: body.cdReduced || undefined,
    description: body.description,
    type: body.accountType,
    normalBalance: body.nature,
    accountClass: body.accountClass,
    parentId: body.parentId,
    contra: body.rectifying ?? false,
    cosifCode: body.cosifCode || undefined,
    cofiCode: body.cofiCode || undefined,
    estbanCode: body.estbanCode || undefined,
    referenceAccountId: body.accountRef_uuid,
    startDate: body.startDate,
    endDate: body.endDate,
    active: body.active ?? true,
  };
}

export function accountToWire(row: AccountRow): z.output<typeof accountAnswer> {
  return {
    id: row.id,
    chartCode: row.chart,
    cdAccounting: row.code,
    cdReduced: row.shortCode,
    description: row.description,
    accountType: row.type,
    nature: row.normalBalance,
    accountClass: row.accountClass,
    level: row.level,
    parentId: row.parentId,
    rectifying: row.contra,
    cosifCode: row.cosifCode,
    cofiCode: row.cofiCode,
    estbanCode: row.estbanCode,
    accountRef_uuid: row.referenceAccountId,
    startDate: row.startDate,
    endDate: row.endDate,
    active: row.active,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export function accountDetailToWire(row: AccountDetailRow): z.output<typeof accountDetailAnswer> {
  return Object.assign(accountToWire(row), {
    childrenCount: row.childrenCount,
    hasEntries: row.hasEntries,
    parentCdAccounting: row.parentCode,
  });
}
