import { useState } from 'react';
import { api } from '../../data/client.ts';
import { useMonthsChanged } from '../../data/months-changed.ts';
import { usePlace } from '../../data/place.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { QuotaFigures } from './current-quota.tsx';
import { isoOf } from './quota-text.ts';
import type { QuotaPreview } from './quotas-data.ts';

interface ConfirmQuotaProps {
  readonly preview: QuotaPreview;
  readonly onClose: () => void;
}

/** Stores the quota that is shown here, and no other: one that has changed meanwhile is refused. */
export function ConfirmQuotaDialog({ preview, onClose }: ConfirmQuotaProps) {
  const { company, branch } = usePlace();
  const changed = useMonthsChanged();
  const [shown] = useState(preview);
  const [key] = useState(() => crypto.randomUUID());
  const { calculationDate, quotaValue } = shown;
  const confirm = async () => {
    const body = { day: isoOf(calculationDate), quotaValue };
    await api.movements.confirmQuota({ path: { company, branch }, body }, { idempotencyKey: key });
    await changed();
    toast(`Cota de ${calculationDate} confirmada`);
  };
  return (
    <ConfirmDialog
      title={`Confirmar a cota de ${calculationDate}`}
      action="Confirmar a cota"
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>Uma cota confirmada não muda mais. Ela fica desatualizada se o mês que ela divide for reaberto.</p>
      <QuotaFigures preview={shown} />
    </ConfirmDialog>
  );
}
