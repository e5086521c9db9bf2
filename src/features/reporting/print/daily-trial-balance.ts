import { brazilianDate } from '../../../accounting/period.ts';
import type { Rows } from '../../../platform/render/rows.ts';
import { type DailyTrialBalance, readDailyTrialBalance } from '../statements/read-daily-trial-balance.ts';
import { daysHead } from './report-head.ts';
import type { DailyTrialBalanceRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { signatureBlock } from './signature-block.ts';
import { accountRow, totalRow } from './table-rows.ts';

/** A block for every day. */
export async function dailyTrialBalance(
  source: ReportSource,
  request: DailyTrialBalanceRequest,
): Promise<ReportContent> {
  const { days, ...shown } = await readDailyTrialBalance(source, request);
  return {
    values: daysHead(shown, request, source.now),
    signatures: signatureBlock(shown.entity.options.signatories),
    rows: blocks(days),
  };
}

async function* blocks(days: DailyTrialBalance['days']): Rows {
  for (const { day, balance } of days) {
    const title = `Dia ${brazilianDate(day)}`;
    yield [
      { kind: 'section', cells: { text: title }, bookmark: title },
      ...balance.rows.map((row) => accountRow(row, false)),
      totalRow(balance.total, `Total do dia ${brazilianDate(day)}`),
    ];
  }
}
