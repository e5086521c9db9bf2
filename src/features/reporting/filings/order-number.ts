import type { Sql } from '../../../platform/database/sql.ts';
import { selectDiaryNumber, selectNextOrderNumber } from './deliveries/deliveries.read.sql.ts';
import type { EcdRequest } from './ecd/ecd-file.ts';

/** The number of the book: the one asked for, that of the same book before, the next one, or where the company's books begin. */
export async function orderNumberOf(sql: Sql, request: EcdRequest): Promise<number> {
  const { companyId, orderNumber } = request;
  if (orderNumber !== undefined) return orderNumber;
  return (await selectNextOrderNumber(sql, companyId, request)) ?? (await selectDiaryNumber(sql, companyId)) ?? 1;
}
