import { maskedCnpj } from '../../accounting/cnpj.ts';
import { maskedCofi } from '../../accounting/cosif.ts';
import { type Centavos, decimalOf } from '../../accounting/money.ts';
import { brazilianDate, firstDay, lastDay, type Month } from '../../accounting/period.ts';
import { quotaValue, scaledFromDecimal, scaledToDecimal } from '../../accounting/quota.ts';
import { brazilian, type TableRow } from '../../platform/render/rows.ts';
import type { AccountRow } from '../chart/chart.read.sql.ts';
import { selectLastQuota, selectQuotaBasis } from './fund.read.sql.ts';
import { selectPrintedFund } from './printed-names.read.sql.ts';
import type { BookKeeper } from './report-head.ts';
import type { ReportSource } from './report-source.ts';

// What the securities commission's variants show beside the ordinary reports.

/** The fund in the place of the company; unchanged where the branch keeps no fund. */
export async function withFund(
  { sql, tenant }: ReportSource,
  { namesAt }: BookKeeper,
  values: Record<string, string>,
): Promise<Record<string, string>> {
  const fund = await selectPrintedFund(sql, tenant, namesAt);
  return fund
    ? { ...values, company: fund.name, identification: `CNPJ ${maskedCnpj(fund.cnpj)} · ${values.company}` }
    : values;
}

/** The account with its masked code of the funds' chart. */
export function withFundCode(account: AccountRow): AccountRow {
  return { ...account, code: maskedCofi(account.cofiCode ?? account.code) };
}

/** Value and number of quotas: the month's last confirmed ones, else the net equity shared out. */
export async function quotaRows(source: ReportSource, month: Month, netEquity: Centavos): Promise<TableRow[]> {
  const { sql, tenant } = source;
  const confirmed = await selectLastQuota(sql, tenant, firstDay(month), lastDay(month));
  if (confirmed) {
    const { value, quotas, decimals, day } = confirmed;
    return [
      detail('Quantidade de cotas', trimmed(quotas, decimals)),
      detail(`Valor da cota em ${brazilianDate(day)}`, trimmed(value, decimals)),
    ];
  }
  const basis = await selectQuotaBasis(sql, tenant);
  if (!basis) return [];
  const { decimals, rounding } = basis;
  const quotas = scaledFromDecimal(basis.quotas, 12)!;
  const value = quotaValue(netEquity, quotas, decimals, rounding, 12);
  return [
    detail('Quantidade de cotas', trimmed(basis.quotas, decimals)),
    detail('Valor da cota', brazilian(scaledToDecimal(value, decimals))),
  ];
}

/** A line of a summary box. */
export function summaryRow(name: string, balance: Centavos, kind: TableRow['kind'] = 'detail'): TableRow {
  return { kind, cells: { name, balance: decimalOf(balance) } };
}

function detail(name: string, figure: string): TableRow {
  return { kind: 'detail', cells: { name: `${name}: ${figure}` } };
}

/** The column keeps twelve decimals; the quota has fewer. */
function trimmed(numeric: string, decimals: number): string {
  const [whole = '0', fraction = ''] = numeric.split('.');
  return brazilian(decimals === 0 ? whole : `${whole}.${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
}
