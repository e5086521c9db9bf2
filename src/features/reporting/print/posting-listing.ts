import { brazilianDate } from '../../../accounting/period.ts';
import type { ListingRow } from '../../../accounting/statements/posting-listing.ts';
import type { TableRow } from '../../../platform/render/rows.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { readPostingListing } from '../statements/read-posting-listing.ts';
import { linesHead } from './report-head.ts';
import type { PostingListingRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { amountCell, counterCell, paintRows, turnoverCells } from './table-rows.ts';

/** The lines of a period, filtered and ordered as asked, with their totals. */
export async function postingListing(source: ReportSource, request: PostingListingRequest): Promise<ReportContent> {
  const { rows, ...shown } = await readPostingListing(source, request);
  return {
    ...linesHead(shown, request, source.now),
    rows: paintRows(rows, tableRow),
  };
}

function tableRow(row: ListingRow<StatementAccountRow>): TableRow {
  if (row.kind === 'TOTAL') {
    return { kind: 'total', cells: { history: `Total de ${row.lines} partidas`, ...turnoverCells(row.total) } };
  }
  const { line, account, counter } = row;
  return {
    kind: 'detail',
    cells: {
      day: brazilianDate(line.day),
      branch: line.branch ?? '',
      batch: line.batch,
      document: line.document,
      entry: line.entry,
      account: account?.code ?? '',
      name: account?.description ?? '',
      counter: counterCell(line, counter),
      history: line.printedNarration,
      ...amountCell(line),
    },
  };
}
