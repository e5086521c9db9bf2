import { maskedCofi } from '../../../accounting/cosif.ts';
import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import { brazilianDate } from '../../../accounting/period.ts';
import { brazilian, type TableRow } from '../../../platform/render/rows.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import type { QuotaOfMonth } from '../statements/read-quota.ts';

// What the securities commission's variants show beside the ordinary reports.

/** The account with its masked code of the funds' chart. */
export function withFundCode(account: StatementAccountRow): StatementAccountRow {
  return { ...account, code: maskedCofi(account.cofiCode ?? account.code) };
}

/** Number and value of the quotas, a dash in the place of what was not confirmed. */
export function quotaRows(month: QuotaOfMonth | undefined): TableRow[] {
  if (month === undefined) return [];
  const { day, quota } = month;
  return [
    detailRow('Quantidade de cotas', quota ? trimDecimals(quota.quotas, quota.decimals) : '—'),
    detailRow(`Valor da cota em ${brazilianDate(day)}`, quota ? trimDecimals(quota.value, quota.decimals) : '—'),
  ];
}

/** A line of a summary box. */
export function summaryRow(name: string, balance: Centavos, kind: TableRow['kind'] = 'detail'): TableRow {
  return { kind, cells: { name, balance: decimalOf(balance) } };
}

function detailRow(name: string, figure: string): TableRow {
  return { kind: 'detail', cells: { name: `${name}: ${figure}` } };
}

/** The column keeps twelve decimals; the quota has fewer. */
function trimDecimals(numeric: string, decimals: number): string {
  const [whole = '0', fraction = ''] = numeric.split('.');
  return brazilian(decimals === 0 ? whole : `${whole}.${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
}
