import type { Movement } from '../../../accounting/balance.ts';
import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import { brazilianDate } from '../../../accounting/period.ts';
import type { LedgerRow } from '../../../accounting/statements/ledger.ts';
import type { TableRow } from '../../../platform/render/rows.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { readLedger } from '../statements/read-ledger.ts';
import { bindingOfBook } from './binding-of-book.ts';
import { linesHead } from './report-head.ts';
import type { LedgerBookRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { amountCell, counterCell, paintRows, turnoverCells, WITHOUT_MOVEMENT } from './table-rows.ts';

/** The general ledger: account by account the balance before, the lines with the running balance, the totals. */
export async function ledgerBook(source: ReportSource, request: LedgerBookRequest): Promise<ReportContent> {
  const { from, to } = request;
  const { rows, ...shown } = await readLedger(source, request);
  return {
    ...linesHead(shown, request, source.now),
    rows: paintRows(rows, tableRow),
    firstPage: request.firstPage,
    ...(request.includeTerms ? await bindingOfBook(source, shown.entity, request, { kind: 'LEDGER', from, to }) : {}),
  };
}

/** After an account there is nothing to carry on. */
const NOTHING_CARRIED = { debit: '', credit: '', balance: '' };

function tableRow(row: LedgerRow<StatementAccountRow>): TableRow {
  switch (row.kind) {
    case 'ACCOUNT': {
      const title = `${row.account.code} ${row.account.description}`;
      return { kind: 'group', cells: { text: `${title} (${row.account.shortCode})` }, bookmark: title };
    }
    case 'OPENING':
      return {
        kind: 'detail',
        cells: { ...accountCells(row), history: 'Saldo anterior', balance: decimalOf(row.balance) },
        carry: sumCells(row),
      };
    case 'LINE':
      return lineRow(row);
    case 'ACCOUNT_TOTAL':
      return {
        kind: 'subtotal',
        cells: { ...accountCells(row), history: 'Total da conta', ...sumCells(row) },
        carry: NOTHING_CARRIED,
      };
    case 'NO_ACCOUNTS':
      return WITHOUT_MOVEMENT;
    case 'TOTAL':
      return { kind: 'total', cells: { history: 'Total geral', ...turnoverCells(row.total) } };
  }
}

function lineRow(row: LedgerRow<StatementAccountRow> & { kind: 'LINE' }): TableRow {
  const { line, counter } = row;
  const sums = sumCells(row);
  return {
    kind: 'detail',
    cells: {
      ...accountCells(row),
      day: brazilianDate(line.day),
      branch: line.branch ?? '',
      batch: line.batch,
      document: line.document,
      entry: line.entry,
      counter: counterCell(line, counter),
      history: line.printedNarration,
      ...amountCell(line),
      balance: sums.balance,
    },
    carry: sums,
  };
}

/** In tables without pages each row says whose it is. */
function accountCells({ account }: { readonly account: StatementAccountRow }): Record<string, string> {
  return { account: account.code, name: account.description };
}

function sumCells({ movement, balance }: { readonly movement: Movement; readonly balance: Centavos }) {
  return { ...turnoverCells(movement), balance: decimalOf(balance) };
}
