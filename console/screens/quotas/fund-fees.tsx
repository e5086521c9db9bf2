import { useState } from 'react';
import { addDays, type Day, firstDay } from '../../../src/accounting/period.ts';
import { usePlace } from '../../data/place.ts';
import { useMay } from '../../data/session.ts';
import { AwaitingApproval } from '../../ui/awaiting-approval.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { ViewChoice } from '../../ui/view-choice.tsx';
import { ACCRUAL_COLUMNS } from './fee-columns.ts';
import { PostFeesDialog, ReverseFeesDialog } from './fee-dialogs.tsx';
import { FeePanel } from './fee-panel.tsx';
import { FeeTerms } from './fee-terms.tsx';
import { type ProposedFee, useAccruals, useFundFees } from './fees-data.ts';
import { QUOTA_VIEWS } from './quota-views.ts';
import { businessDayAfter, useSpan } from './span.ts';
import { SpanFields } from './span-fields.tsx';

type Asked = { readonly post: readonly ProposedFee[]; readonly date: Day } | { readonly reverse: Day };

/** What the fund is charged, what was accrued of it, and the fees of the next day. */
export function FundFees() {
  const { branch, month } = usePlace();
  const mayPost = useMay('TAX_QUOTA');
  const [asked, setAsked] = useState<Asked>();
  const fees = useFundFees();
  const accruals = useAccruals(useSpan());
  const standing = accruals.data?.filter(({ status }) => status === 'POSTED') ?? [];
  const last = standing
    .map(({ date }) => date as Day)
    .toSorted()
    .at(-1);
  const reverse = mayPost && last !== undefined ? () => setAsked({ reverse: last }) : undefined;
  const firstStart = fees.data?.map(({ startDate }) => startDate as Day).toSorted()[0];
  const close = () => setAsked(undefined);
  return (
    <Screen
      title="Cotas"
      subtitle={`filial ${branch}`}
      badge={null}
      keys={reverse ? [{ keys: 'E', label: 'estorna o último dia', run: reverse }] : []}
      actions={
        <>
          <ViewChoice views={QUOTA_VIEWS} value="taxas" />
          <SpanFields />
          {reverse && <Button onClick={reverse}>Estornar o último dia…</Button>}
        </>
      }
      side={
        fees.data !== undefined &&
        fees.data.length > 0 &&
        accruals.data !== undefined && (
          <FeePanel
            proposed={proposedDay(last, firstStart!, firstDay(month))}
            mayPost={mayPost}
            onPost={(date, post) => setAsked({ post, date })}
          />
        )
      }
    >
      <AwaitingApproval branch={branch} />
      <FeeTerms fees={fees} />
      <Result query={accruals}>
        {(rows) => (
          <DataGrid
            label="Taxas apropriadas"
            rows={rows}
            columns={ACCRUAL_COLUMNS}
            keyOf={({ id }) => id}
            rowClass={({ status }) => (status === 'REVERSED' ? 'quota-replaced' : undefined)}
            empty={<Empty title="Nenhuma taxa apropriada neste período">A do próximo dia aparece ao lado.</Empty>}
          />
        )}
      </Result>
      {asked && 'post' in asked && <PostFeesDialog date={asked.date} fees={asked.post} onClose={close} />}
      {asked && 'reverse' in asked && <ReverseFeesDialog date={asked.reverse} onClose={close} />}
    </Screen>
  );
}

/** The business day after the last one; before any the first of the month, or of the fee where that is later. */
function proposedDay(last: Day | undefined, start: Day, first: Day): Day {
  return businessDayAfter(last ?? addDays(start > first ? start : first, -1));
}
