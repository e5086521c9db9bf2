import type { CompanyId } from '../../../accounting/ids.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { WatchedJob } from '../../operations/jobs/watch-job.ts';
import { type MonthCloseState, selectMonthClose } from './month-close.read.sql.ts';

export async function readMonthClose(context: Context, companyId: CompanyId, id: number): Promise<MonthCloseState> {
  return (await selectMonthClose(context.sql, companyId, id)) ?? reject('NOT_FOUND', recordRef('Month close', id));
}

/** A month close to watch until it ends. */
export function watchedMonthClose(context: Context, companyId: CompanyId, id: number): WatchedJob<MonthCloseState> {
  return { companyId, id, read: () => readMonthClose(context, companyId, id), status: ({ job }) => job.status };
}
