import { brazilianDate } from '../../../accounting/period.ts';
import type { Rows } from '../../../platform/render/rows.ts';
import { type DailyTrialBalance, readDailyTrialBalance } from '../statements/read-daily-trial-balance.ts';
import { bindingOfBook } from './binding-of-book.ts';
import { institutionNotes } from './institution-notes.ts';
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
  const { from, to } = request;
  const book = { kind: 'TRIAL_BALANCES', from, to } as const;
  const { days, ...shown } = await readDailyTrialBalance(source, request);
  return {
    values: daysHead(shown, request, source.now),
    signatures: signatureBlock(shown.entity.options.signatories),
    warnings: institutionNotes(shown),
    rows: blocks(days),
    ...(request.includeTerms ? await bindingOfBook(source, shown.entity, boundAs(request), book) : {}),
  };
}

function boundAs({ firstPage = 1, ...request }: DailyTrialBalanceRequest) {
  return { ...request, firstPage, includeTerms: true };
}

async function* blocks(days: DailyTrialBalance['days']): Rows {
  for (const { day, balance } of days) {
    const title = `Dia ${brazilianDate(day)}`;
    yield [
      { kind: 'section', cells: { text: title }, bookmark: title },
      ...balance.rows.map((row) => ({ ...accountRow(row, false), date: day })),
      totalRow(balance.total, `Total do dia ${brazilianDate(day)}`),
    ];
  }
}
