import { brazilianDate } from '../../../accounting/period.ts';
import type { JournalRow } from '../../../accounting/statements/journal.ts';
import type { TableRow } from '../../../platform/render/rows.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { readJournal } from '../statements/read-journal.ts';
import { bindingOfBook } from './binding-of-book.ts';
import { linesHead, monthInWords } from './report-head.ts';
import type { JournalRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { amountCell, paintRows, turnoverCells, WITHOUT_MOVEMENT } from './table-rows.ts';

/** The journal, with totals of each day, each month and the whole. */
export async function journal(source: ReportSource, request: JournalRequest): Promise<ReportContent> {
  const { from, to } = request;
  const { rows, ...shown } = await readJournal(source, request);
  return {
    ...linesHead(shown, request, source.now),
    rows: paintRows(rows, tableRow),
    firstPage: request.firstPage,
    ...(request.includeTerms ? await bindingOfBook(source, shown.entity, request, { kind: 'JOURNAL', from, to }) : {}),
  };
}

function tableRow(row: JournalRow<StatementAccountRow>): TableRow {
  switch (row.kind) {
    case 'DAY': {
      const title = brazilianDate(row.day);
      return { kind: 'group', cells: { text: `Dia ${title}` }, bookmark: title };
    }
    case 'LINE': {
      const { line, account } = row;
      return {
        kind: 'detail',
        date: line.day,
        cells: {
          day: brazilianDate(line.day),
          branch: line.branch ?? '',
          place: `${line.batch}/${line.document}/${line.entry}`,
          account: account?.code ?? '',
          name: account?.description ?? '',
          history: line.printedNarration,
          ...amountCell(line),
        },
        carry: turnoverCells(row.whole),
      };
    }
    case 'DAY_TOTAL':
      return subtotal(`Total do dia ${brazilianDate(row.day)}`, row);
    case 'MONTH_TOTAL':
      return subtotal(`Total de ${monthInWords(row.month).toLowerCase()}`, row);
    case 'NO_LINES':
      return WITHOUT_MOVEMENT;
    case 'TOTAL': {
      const whole = turnoverCells(row.whole);
      return { kind: 'total', cells: { history: 'Total geral', ...whole }, carry: whole };
    }
  }
}

function subtotal(
  history: string,
  { total, whole }: JournalRow<StatementAccountRow> & { kind: 'DAY_TOTAL' | 'MONTH_TOTAL' },
): TableRow {
  return { kind: 'subtotal', cells: { history, ...turnoverCells(total) }, carry: turnoverCells(whole) };
}
