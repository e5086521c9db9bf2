import { useState } from 'react';
import { addMonths, type Month } from '../../../src/accounting/period.ts';
import { isDifferent } from '../../data/month-steps.ts';
import { type BranchOverview, type BranchStates, isUnderWay } from '../../data/months.ts';
import { usePlace } from '../../data/place.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { countText, monthTitle } from '../../ui/format.ts';
import { messageOf } from '../../ui/states.tsx';
import type { useCloseMonth } from './closing-actions.ts';

/**
 * Branches whose month can be closed now: open, the month before closed, imports mended, debits equal credits. What else
 * may stand against it the server says.
 */
export function readyBranches(
  overviews: readonly BranchOverview[],
  states: readonly BranchStates[],
  month: Month,
): readonly BranchOverview[] {
  const previous = addMonths(month, -1);
  const isPreviousOpen = new Set(
    states
      .filter(({ months }) => months.some((each) => each.month === previous && each.state === 'OPEN'))
      .map(({ branch }) => branch),
  );
  return overviews.filter(
    ({ branch, state, lastRun, imports, difference }) =>
      state === 'OPEN' &&
      !isUnderWay(lastRun) &&
      !isPreviousOpen.has(branch) &&
      imports.refused === 0 &&
      !isDifferent(difference),
  );
}

interface CloseAllProps {
  readonly branches: readonly BranchOverview[];
  readonly closeMonth: ReturnType<typeof useCloseMonth>;
  readonly onClose: () => void;
}

/** Closes the month of all ready branches; what is refused is named, the others go on. */
export function CloseAllDialog({ branches, closeMonth, onClose }: CloseAllProps) {
  const { month } = usePlace();
  // Those of the moment of the question: the list shrinks while they close.
  const [asked] = useState(branches);
  const closeAll = async () => {
    const refused: string[] = [];
    for (const { branch } of asked) {
      await closeMonth
        .mutateAsync({ branch })
        .catch((error: unknown) => refused.push(`${branch}: ${messageOf(error)}`));
    }
    if (refused.length > 0) throw new Error(refused.join(' '));
  };
  const count = asked.length;
  return (
    <ConfirmDialog
      title={`Consolidar ${monthTitle(month)}`}
      action={count === 1 ? 'Consolidar a filial' : `Consolidar ${countText(count)} filiais`}
      onConfirm={closeAll}
      onClose={onClose}
    >
      <p>Calcula e congela os saldos do mês em:</p>
      <ul className="ready-branches">
        {asked.map(({ branch, name, closedBusinessDays, businessDays }) => (
          <li key={branch}>
            <span className="code">{branch}</span> {name}
            {closedBusinessDays < businessDays && (
              <small>{`${businessDays - closedBusinessDays} dias úteis sem fechamento`}</small>
            )}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
