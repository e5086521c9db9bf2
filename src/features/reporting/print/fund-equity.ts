import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import { addDays, brazilianDate } from '../../../accounting/period.ts';
import type { MovementKind } from '../../../accounting/quota-series.ts';
import type { TableRow } from '../../../platform/render/rows.ts';
import { type EquityOfDay, type FundEquity, readFundEquity } from '../statements/read-fund-equity.ts';
import { dateInWords, daysInWords, monthHead } from './report-head.ts';
import type { FundEquityRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { chunkRows } from './table-rows.ts';

/** What changed the net equity of a fund: from the equity before the period to that of its last day. */
export async function fundEquity(source: ReportSource, request: FundEquityRequest): Promise<ReportContent> {
  const statement = await readFundEquity(source, request);
  const { opening, closing } = statement;
  const { values, signatures } = monthHead(statement, source.now);
  const span = daysInWords(addDays(opening.day, 1), closing.day);
  return {
    values: { ...values, period: span, date: dateInWords(closing.day) },
    signatures,
    rows: chunkRows(rowsOf(statement)),
  };
}

const MOVED: Readonly<Record<MovementKind, string>> = {
  INITIAL: 'Integralização inicial de cotas',
  SUBSCRIPTION: 'Cotas emitidas',
  REDEMPTION: 'Cotas resgatadas',
  COME_COTAS: 'Cotas recolhidas como imposto (come-cotas)',
  AMORTIZATION: 'Amortização de cotas',
  ADJUSTMENT: 'Ajustes da quantidade de cotas',
};

function rowsOf({ opening, closing, moved, revenue, expense, other }: FundEquity): TableRow[] {
  const flows = moved.map(({ kind, quotas, amount }) => {
    const comesIn = kind === 'INITIAL' || kind === 'SUBSCRIPTION';
    return { name: MOVED[kind], quotas, amount: comesIn ? amount : -amount };
  });
  const before = flows.reduce((sum, { amount }) => sum + amount, opening.equity);
  return [
    equityRow('subtotal', opening),
    ...flows.map(
      ({ name, quotas, amount }): TableRow => ({
        kind: 'detail',
        cells: { name, quotas, amount: decimalOf(amount) },
      }),
    ),
    line('subtotal', 'Patrimônio líquido antes do resultado', before),
    line('detail', 'Receitas', revenue),
    line('detail', 'Despesas', expense),
    line('subtotal', 'Resultado do período', revenue + expense),
    ...(other === 0n ? [] : [line('detail', 'Outros movimentos do patrimônio líquido', other)]),
    equityRow('total', closing),
  ];
}

function line(kind: TableRow['kind'], name: string, amount: Centavos): TableRow {
  return { kind, cells: { name, amount: decimalOf(amount) } };
}

/** The quota is shown beside the equity of its own day alone. */
function equityRow(kind: TableRow['kind'], { day, equity, quotas, quotaValue = '' }: EquityOfDay): TableRow {
  return {
    kind,
    cells: {
      name: `Patrimônio líquido em ${brazilianDate(day)}`,
      quotas,
      quota: quotaValue,
      amount: decimalOf(equity),
    },
  };
}
