import { useSearchParams } from '../../data/search-params.ts';
import { DailyQuotas } from './daily-quotas.tsx';
import { FundFees } from './fund-fees.tsx';
import { MonthQuotas } from './month-quotas.tsx';
import './quotas.css';

/** Cotas: the quota of every business day, the one of the closed month, and what the fund is charged. */
export function QuotasScreen() {
  const [{ ver }] = useSearchParams();
  if (ver === 'mes') return <MonthQuotas />;
  return ver === 'taxas' ? <FundFees /> : <DailyQuotas />;
}
