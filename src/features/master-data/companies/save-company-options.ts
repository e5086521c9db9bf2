import { segmentsKey } from '../../../accounting/account-code.ts';
import { pairProblems } from '../../../accounting/eliminations.ts';
import { type FourEyes, isLoosened } from '../../../accounting/four-eyes.ts';
import type { ChartId } from '../../../accounting/ids.ts';
import { centavosFromDecimal } from '../../../accounting/money.ts';
import { reject, throwIfAny } from '../../../accounting/problem.ts';
import { type RecordUser, recordRef, usedBy } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { CONSTRAINT, violates } from '../../constraints.ts';
import { type AwaitingApproval, askApproval } from '../../operations/approvals/ask-approval.ts';
import { keepRequest } from '../../operations/approvals/kept-request.ts';
import { fitsMask, isAccountMask, masksToRead } from '../chart/account-mask.ts';
import { updateChartOwner } from '../chart/chart.sql.ts';
import { isUnowned, requireChartNaming } from '../chart/chart-owner.ts';
import { lockOrBeginChart } from '../chart/create-account.ts';
import { selectRegulatoryMasks } from '../chart/masks.read.sql.ts';
import { lockBranch } from './companies.sql.ts';
import { type CompanyOptionsRow, selectOptions } from './company-options.read.sql.ts';
import {
  type CompanyOptionsInput,
  deleteOptionsRow,
  insertOptions,
  isReferenceChart,
  selectBooksOfBranch,
  selectCodesOfChart,
  updateOptions,
} from './company-options.sql.ts';

/** How a branch keeps its books. Its chart is the company's own, a shared one, or a new one, which is created here. */
export async function createCompanyOptions(
  context: Context,
  tenant: Tenant,
  facts: CompanyOptionsInput,
): Promise<CompanyOptionsRow> {
  await rejectBadFacts(context, facts);
  return context
    .transaction(async (sql) => {
      const chartId = await chartFor(sql, context, tenant, facts);
      const options = await insertOptions(sql, tenant.companyId, tenant.branchId, chartId, facts);
      await recordAudit(sql, context, {
        action: 'CREATE',
        entity: 'company_options',
        entityId: options.id,
        ...tenant,
        after: options,
      });
      return options;
    })
    .catch((error) => {
      if (!violates(error, CONSTRAINT.OPTIONS_OF_BRANCH)) throw error;
      return reject('DUPLICATE', recordRef('Company options', `${tenant.company}/${tenant.branch}`), 'branch');
    });
}

/**
 * Chart and base month stay once months were opened or base balances given. Letting less wait for a second person waits
 * for one itself (domain: four eyes, 2).
 */
export async function changeCompanyOptions(
  context: Context,
  tenant: Tenant,
  facts: CompanyOptionsInput,
): Promise<CompanyOptionsRow | AwaitingApproval> {
  await rejectBadFacts(context, facts);
  return context.transaction(async (sql) => {
    // Opening a month locks the branch's row, so one waits for the other.
    await lockBranch(sql, tenant.companyId, tenant.branchId);
    const before = await requireOptions(sql, tenant);
    const books = await selectBooksOfBranch(sql, tenant.companyId, tenant.branchId);
    if (books.months && (facts.chart !== before.chart || facts.baseMonth !== before.baseMonth)) {
      const path = facts.chart !== before.chart ? 'chart' : 'baseMonth';
      reject('OPTIONS_FROZEN', { reason: 'MONTHS_WERE_OPENED' }, path);
    }
    if (books.baseBalances && facts.chart !== before.chart) {
      reject('OPTIONS_FROZEN', { reason: 'BASE_BALANCES_EXIST' }, 'chart');
    }
    const { fourEyes } = facts;
    const isLooser = fourEyes !== undefined && isLoosened(fourEyesOf(before), fourEyes);
    if (isLooser && !context.approved) {
      const books = async () => before.updatedAt;
      return askApproval(sql, context, tenant, { kind: 'OPTIONS', request: facts, books });
    }
    if (context.approved && context.approved.books !== keepRequest(before.updatedAt)) reject('APPROVAL_OUTDATED');
    const chartId = await chartFor(sql, context, tenant, facts, before.chart);
    const after = await updateOptions(sql, tenant.companyId, tenant.branchId, chartId, facts);
    await recordAudit(sql, context, {
      action: 'UPDATE',
      entity: 'company_options',
      entityId: after.id,
      ...tenant,
      before,
      after,
    });
    return after;
  });
}

function fourEyesOf({ fourEyes, batchLimit }: CompanyOptionsRow): FourEyes {
  return { kinds: fourEyes, batchLimit: batchLimit === null ? undefined : centavosFromDecimal(batchLimit)! };
}

export async function deleteCompanyOptions(context: Context, tenant: Tenant): Promise<void> {
  await context.transaction(async (sql) => {
    await lockBranch(sql, tenant.companyId, tenant.branchId);
    const before = await requireOptions(sql, tenant);
    const books = await selectBooksOfBranch(sql, tenant.companyId, tenant.branchId);
    const by: RecordUser[] = [];
    if (books.months) by.push('opened months');
    if (books.baseBalances) by.push('base balances');
    if (by.length > 0) reject('IN_USE', usedBy(recordRef('Company options', before.id), by));
    await deleteOptionsRow(sql, tenant.companyId, tenant.branchId);
    await recordAudit(sql, context, {
      action: 'DELETE',
      entity: 'company_options',
      entityId: before.id,
      ...tenant,
      before,
    });
  });
}

async function rejectBadFacts(context: Context, facts: CompanyOptionsInput): Promise<void> {
  if (facts.accountMask !== undefined && !isAccountMask(facts.accountMask)) {
    reject('INVALID_FIELD', { reason: 'NO_ACCOUNT_MASK' }, 'accountMask');
  }
  const { referenceChartId, eliminationPairs = [] } = facts;
  if (referenceChartId !== undefined && !(await isReferenceChart(context.sql, referenceChartId))) {
    reject('NOT_FOUND', recordRef('Reference chart', referenceChartId), 'referenceChartId');
  }
  if (eliminationPairs.length > 0) {
    const masks = masksToRead(
      facts.accountMask === undefined ? [] : [facts.accountMask],
      await selectRegulatoryMasks(context.sql),
    );
    throwIfAny(pairProblems(eliminationPairs, masks, 'eliminationPairs'));
  }
}

/**
 * The chart of that code, created when it does not exist, and owned by the company from then on if it had no owner; its
 * accounts must fit the mask. The branch may keep its current chart, whoever owns it.
 */
async function chartFor(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  facts: CompanyOptionsInput,
  current?: string,
): Promise<ChartId> {
  const chart = await lockOrBeginChart(sql, context, facts.chart);
  if (facts.chart !== current) requireChartNaming(context, chart, tenant.companyId);
  if (isUnowned(chart)) await updateChartOwner(sql, chart.id, { ...chart, ownerCompanyId: tenant.companyId });
  const chartId = chart.id;
  const { accountMask } = facts;
  if (accountMask !== undefined) {
    // The tree is stored, so a mask that would move an account is rejected.
    const masks = masksToRead([accountMask], await selectRegulatoryMasks(sql));
    const broken = (await selectCodesOfChart(sql, chartId)).find(
      ({ code, place }) => !fitsMask(code, accountMask) || segmentsKey(code, masks) !== place,
    );
    if (broken) reject('ACCOUNT_BREAKS_MASK', { account: broken.code, mask: accountMask }, 'accountMask');
  }
  return chartId;
}

async function requireOptions(sql: Sql, tenant: Tenant): Promise<CompanyOptionsRow> {
  return (
    (await selectOptions(sql, tenant.companyId, tenant.branchId)) ??
    reject('NOT_FOUND', recordRef('Company options', `${tenant.company}/${tenant.branch}`))
  );
}
