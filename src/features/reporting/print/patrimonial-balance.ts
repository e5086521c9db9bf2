import { decimalOf } from '../../../accounting/money.ts';
import { brazilianDate, lastDay } from '../../../accounting/period.ts';
import {
  type BalanceSheet,
  isZero,
  type SheetFigures,
  type SheetRow,
} from '../../../accounting/statements/balance-sheet.ts';
import type { TableRow } from '../../../platform/render/rows.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { requireBranch } from '../../master-data/companies/institution.ts';
import { type BalanceSheetStatement, readBalanceSheet } from '../statements/read-balance-sheet.ts';
import { readQuotaOfMonth } from '../statements/read-quota.ts';
import { quotaRows, withFundCode } from './fund-layout.ts';
import { institutionNotes } from './institution-notes.ts';
import { monthHead, monthInWords } from './report-head.ts';
import type { PatrimonialRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { chunkRows, DIFFERENCE, differenceWarning } from './table-rows.ts';

/**
 * The balance sheet: assets, then liabilities and equity, where a result that is not closed yet is a line of equity.
 * Memorandum accounts have no place in it.
 */
export async function patrimonialBalance(source: ReportSource, request: PatrimonialRequest): Promise<ReportContent> {
  const statement = await readBalanceSheet(source, request);
  return { ...headOf(source, statement), rows: chunkRows(sheetRows(statement.sheet, (account) => account)) };
}

/** The same for a fund, with value and number of its quotas. */
export async function patrimonialCvmBalance(source: ReportSource, request: PatrimonialRequest): Promise<ReportContent> {
  requireBranch(source.tenant);
  const statement = await readBalanceSheet(source, request);
  const quotas = quotaRows(await readQuotaOfMonth(source, request.month));
  const section: TableRow = { kind: 'section', cells: { text: 'Cotas' } };
  return {
    ...headOf(source, statement),
    rows: chunkRows([
      ...sheetRows(statement.sheet, withFundCode),
      ...(quotas.length === 0 ? [] : [section, ...quotas]),
    ]),
  };
}

function headOf(source: ReportSource, { compared, sheet, ...statement }: BalanceSheetStatement) {
  const { month } = statement;
  const head = monthHead(statement, source.now);
  const isCompared = sheet.totals.assets.previous !== undefined;
  const before = isCompared ? brazilianDate(lastDay(compared!)) : '';
  const { current, previous = 0n } = sheet.difference;
  return {
    ...head,
    values: { ...head.values, before, comparative: isCompared ? `Comparado com ${before}` : '' },
    without: isCompared ? [] : ['previous'],
    warnings: [
      ...differenceWarning('ativo e passivo com patrimônio líquido', [
        { when: monthInWords(month).toLowerCase(), amount: current },
        ...(compared === undefined ? [] : [{ when: monthInWords(compared).toLowerCase(), amount: previous }]),
      ]),
      ...institutionNotes(statement),
    ],
  };
}

function sheetRows(
  sheet: BalanceSheet<StatementAccountRow>,
  shown: (account: StatementAccountRow) => StatementAccountRow,
): TableRow[] {
  const { totals, difference } = sheet;
  const accountRows = (rows: readonly SheetRow<StatementAccountRow>[]) => rows.map((row) => accountRow(row, shown));
  return [
    { kind: 'section', cells: { text: 'ATIVO' }, bookmark: 'Ativo' },
    ...accountRows(sheet.assets),
    line('total', 'Total do ativo', totals.assets),
    { kind: 'section', cells: { text: 'PASSIVO E PATRIMÔNIO LÍQUIDO' }, bookmark: 'Passivo e patrimônio líquido' },
    ...accountRows(sheet.liabilities),
    line('subtotal', 'Total do passivo', totals.liabilities),
    ...accountRows(sheet.equity),
    ...(isZero(totals.result) ? [] : [line('detail', 'Resultado do período', totals.result)]),
    line('subtotal', 'Total do patrimônio líquido', totals.netEquity),
    line('total', 'Total do passivo e patrimônio líquido', totals.liabilitiesAndNetEquity),
    ...(isZero(difference) ? [] : [line('total', DIFFERENCE, difference)]),
  ];
}

function accountRow(
  { account, figures }: SheetRow<StatementAccountRow>,
  shown: (account: StatementAccountRow) => StatementAccountRow,
): TableRow {
  const { code, description } = shown(account);
  const isTop = account.level === 1 && account.type === 'S';
  const row = line(isTop ? 'subtotal' : 'detail', description, figures);
  return { ...row, level: account.level, cells: { ...row.cells, account: code } };
}

function line(kind: TableRow['kind'], name: string, { current, previous }: SheetFigures): TableRow {
  return {
    kind,
    cells: {
      name,
      current: decimalOf(current),
      ...(previous === undefined ? {} : { previous: decimalOf(previous) }),
    },
  };
}
