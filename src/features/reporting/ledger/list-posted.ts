import { type Day, monthOfDay } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { offsetOf, type PageRequest } from '../../../platform/page-request.ts';
import { type CompanyTenant, INSTITUTION } from '../../access/access.ts';
import { isOfBranches, readReportedBooks } from '../../master-data/companies/institution.ts';
import { rejectArchived } from '../../posting/archive/reject-archived.ts';
import { daysOfPage } from './days-of-page.ts';
import {
  countPostedByDay,
  type PostedChoice,
  type PostedOrder,
  type PostedRow,
  selectPosted,
  selectReachedBranches,
} from './ledger.read.sql.ts';

export interface PostedPage {
  readonly rows: PostedRow[];
  readonly total: number;
}

/** A page of the posted lines of one branch, of the reached branches of one company, or of all reached ones. */
export function listPosted(
  context: Context,
  tenants: readonly CompanyTenant[],
  { from, to }: { from: Day; to: Day },
  slice: PageRequest,
  order: PostedOrder,
): Promise<PostedPage> {
  if (from > to) reject('INVALID_DATE_RANGE', { from, to }, 'from');
  return context.snapshot(async (sql) => {
    const choice = { branches: await branchesOf(sql, tenants[0]), from, to };
    await rejectArchived(sql, choice.branches, { from: monthOfDay(from), to: monthOfDay(to) });
    const days = await countPostedByDay(sql, choice);
    const total = days.reduce((sum, { lines }) => sum + lines, 0);
    const offset = offsetOf(slice);
    if (offset >= total) return { rows: [], total };
    const part = order.by === 'day' ? choiceOfPage(days, choice, order, offset, slice.size) : { choice, offset };
    return { rows: await selectPosted(sql, part.choice, { offset: part.offset, limit: slice.size }, order), total };
  });
}

async function branchesOf(sql: Sql, tenant: CompanyTenant | undefined): Promise<PostedChoice['branches']> {
  if (tenant?.branch === INSTITUTION) {
    const books = await readReportedBooks(sql, { ...tenant, branchId: undefined, branch: INSTITUTION });
    if (isOfBranches(books)) return books.members.map(({ branchId }) => ({ companyId: books.companyId, branchId }));
  }
  if (tenant?.branchId !== undefined) return [{ companyId: tenant.companyId, branchId: tenant.branchId }];
  return selectReachedBranches(sql, tenant?.companyId ?? null);
}

/** Ordered by day, only the days of the page are read. */
function choiceOfPage(
  days: readonly { day: Day; lines: number }[],
  choice: PostedChoice,
  { direction }: PostedOrder,
  offset: number,
  size: number,
): { choice: PostedChoice; offset: number } {
  const inOrder = direction === 'ASC' ? days : days.toReversed();
  const { first, last, skipped } = daysOfPage(inOrder, offset, size);
  const [from, to] = [inOrder[first]!.day, inOrder[last]!.day].toSorted() as [Day, Day];
  return { choice: { ...choice, from, to }, offset: skipped };
}
