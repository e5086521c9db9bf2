import { useQuery } from '@tanstack/react-query';
import type { Centavos } from '../../../src/accounting/money.ts';
import { addMonths, monthRange } from '../../../src/accounting/period.ts';
import { accountMonthsQuery } from '../../data/balances.ts';
import { useGo, usePlace } from '../../data/place.ts';
import { branchMonthsQuery } from '../../data/queries.ts';
import { Amount } from '../../ui/amount.tsx';
import { MonthBars } from '../../ui/month-bars.tsx';
import type { Ledger, LedgerPlace } from './ledger-data.ts';

/** Months of the chart, with the one of the address. */
const MONTHS = 12;

/** The figures of the month, and the balances of the year up to it. */
export function LedgerHead({ ledger, place }: { readonly ledger: Ledger; readonly place: LedgerPlace }) {
  return (
    <div className="ledger-head">
      <dl className="ledger-figures">
        <Figure name="Saldo anterior" value={ledger.opening} side />
        <Figure name="Débitos" value={ledger.debit} />
        <Figure name="Créditos" value={ledger.credit} />
        <Figure name="Saldo atual" value={ledger.balance} side strong />
      </dl>
      <YearOfAccount place={place} />
    </div>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: Centavos;
  readonly side?: boolean;
  readonly strong?: boolean;
}

function Figure({ name, value, side = false, strong = false }: FigureProps) {
  return (
    <div className={strong ? 'ledger-figure-strong' : undefined}>
      <dt>{name}</dt>
      <dd>
        <Amount value={value} side={side} />
      </dd>
    </div>
  );
}

function YearOfAccount({ place }: { readonly place: LedgerPlace }) {
  const { branch } = usePlace();
  const go = useGo();
  const { company, account, month } = place;
  const { data: opened } = useQuery(branchMonthsQuery(company, branch));
  const longAgo = addMonths(month, 1 - MONTHS);
  const from = opened?.first !== undefined && opened.first > longAgo ? opened.first : longAgo;
  const { data: balances } = useQuery({
    ...accountMonthsQuery(place, account, from, month),
    enabled: opened?.first !== undefined && from <= month,
  });
  if (balances === undefined || from === month) return null;
  const byMonth = new Map(balances.map((each) => [each.month, each.balance]));
  return (
    <MonthBars
      title="Saldo no fim do mês"
      months={monthRange(from, month).map((each) => ({ month: each, value: byMonth.get(each) ?? 0n }))}
      here={month}
      onOpen={(to) => go({ month: to })}
    />
  );
}
