import { type ReactNode, useState } from 'react';
import { sumOf } from '../../../src/accounting/money.ts';
import type { Day } from '../../../src/accounting/period.ts';
import { usePlace } from '../../data/place.ts';
import { useChart } from '../../data/queries.ts';
import { Amount } from '../../ui/amount.tsx';
import { Button } from '../../ui/button.tsx';
import { centavosOf, dayText } from '../../ui/format.ts';
import { Facts, SidePanel } from '../../ui/side-panel.tsx';
import { Denied, Failure, Loading } from '../../ui/states.tsx';
import { DayField } from '../../ui/typed-field.tsx';
import { FEE_NAMES, type ProposedFee, useProposedFees } from './fees-data.ts';
import { decimalText } from './quota-text.ts';

interface FeePanelProps {
  /** The business day after the last one accrued. */
  readonly proposed: Day;
  readonly mayPost: boolean;
  readonly onPost: (date: Day, fees: readonly ProposedFee[]) => void;
}

/** The fees of a day before they are posted: base, days, amount, and the entry. */
export function FeePanel(props: FeePanelProps) {
  return (
    <SidePanel title="Apropriação do dia">
      {props.mayPost ? <Proposal key={props.proposed} {...props} /> : <Denied routine="TAX_QUOTA" />}
    </SidePanel>
  );
}

function Proposal({ proposed, onPost }: FeePanelProps) {
  const { month } = usePlace();
  const [day, setDay] = useState<Day | undefined>(proposed);
  const fees = useProposedFees(day);
  return (
    <div className="quota-form">
      <DayField label="Dia" value={day} month={month} onChange={setDay} size={10} />
      {fees.error ? (
        <Failure error={fees.error} onRepeat={() => fees.refetch()} />
      ) : day !== undefined && fees.data === undefined ? (
        <Loading rows={4} />
      ) : (
        fees.data?.map((fee) => <ProposedFacts key={fee.kind} fee={fee} />)
      )}
      {day !== undefined && fees.data && !fees.error && (
        <Button kind="primary" icon="check" onClick={() => onPost(day, fees.data)}>
          Lançar…
        </Button>
      )}
    </div>
  );
}

function ProposedFacts({ fee }: { readonly fee: ProposedFee }) {
  const { byId } = useChart();
  const facts: (readonly [string, ReactNode])[] = [
    [`Base de ${dayText(fee.baseDate)}`, <Amount key="base" value={centavosOf(fee.base)} />],
    ...(fee.dayBasis === null ? [] : [['Dias', `${fee.days} de ${fee.dayBasis}`] as const]),
    ...(fee.mark === null ? [] : [['Marca', decimalText(fee.mark)] as const]),
    ...(fee.provision === null ? [] : [['Provisão', decimalText(fee.provision)] as const]),
    ['Valor', <strong key="amount">{decimalText(fee.amount)}</strong>],
  ];
  return (
    <section className="quota-marked" aria-label={FEE_NAMES[fee.kind]}>
      <h3>{FEE_NAMES[fee.kind]}</h3>
      <Facts of={facts} />
      <ul className="fee-entry" aria-label="Lançamento">
        {sumsOf(fee.entry).map(({ side, accountId, amount }) => {
          const account = byId(accountId);
          return (
            <li key={`${side} ${accountId}`}>
              <span>{`${side} ${account === undefined ? accountId : `${account.code} ${account.name}`}`}</span>
              <Amount value={amount} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** A template may have several lines of one account. */
function sumsOf(lines: ProposedFee['entry']) {
  return [...Map.groupBy(lines, ({ debcre, contaId }) => `${debcre} ${contaId}`).values()].map((each) => ({
    side: each[0]!.debcre,
    accountId: each[0]!.contaId,
    amount: sumOf(each.map(({ valor }) => centavosOf(valor))),
  }));
}
