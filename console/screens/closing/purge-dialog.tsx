import { slashOf } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import type { BranchOverview } from '../../data/months.ts';
import { useMonthsChanged } from '../../data/months-changed.ts';
import { usePlace } from '../../data/place.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { monthTitle } from '../../ui/format.ts';
import { toast } from '../../ui/toast.tsx';

interface PurgeDialogProps {
  readonly overview: BranchOverview;
  readonly onClose: () => void;
}

/** Moves the entries of the months up to this one into the archive, or those from this one on out of it. */
export function PurgeDialog({ overview: { branch, branchId, purged }, onClose }: PurgeDialogProps) {
  const { month } = usePlace();
  const changed = useMonthsChanged();
  const title = monthTitle(month);
  const move = async () => {
    const problems = await api.movements.archiveMovements({
      body: {
        useRange: false,
        alternate: true,
        selectedBranchId: [branchId],
        yearmonth: slashOf(month),
        doSend: !purged,
      },
    });
    if (problems.length > 0) throw new Error(problems.join(' '));
    await changed();
    toast(purged ? `Lançamentos de volta na filial ${branch}` : `Lançamentos expurgados na filial ${branch}`);
  };
  return (
    <ConfirmDialog
      title={purged ? `Trazer do expurgo a filial ${branch}` : `Expurgar a filial ${branch}`}
      action={purged ? 'Trazer de volta' : 'Expurgar'}
      danger={!purged}
      word={slashOf(month)}
      onConfirm={move}
      onClose={onClose}
    >
      <p>
        {purged
          ? `Os lançamentos de ${title} e dos meses expurgados depois dele voltam para os livros.`
          : `Os lançamentos de todos os meses até ${title} saem dos livros para o arquivo. Os saldos ficam, e os lançamentos podem ser trazidos de volta.`}
      </p>
    </ConfirmDialog>
  );
}
