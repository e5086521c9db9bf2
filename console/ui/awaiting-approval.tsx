import { useQuery, useQueryClient } from '@tanstack/react-query';
import { PartidasProblem } from 'partidas-client';
import { useState } from 'react';
import { type Approval, waitingApprovalsQuery } from '../data/approvals.ts';
import { api } from '../data/client.ts';
import { usePlace } from '../data/place.ts';
import { useMay } from '../data/session.ts';
import { Button } from './button.tsx';
import { ConfirmDialog } from './dialog.tsx';
import { amountText, centavosOf, instantText } from './format.ts';
import { Panel } from './screen.tsx';
import { CheckField, TextField } from './text-field.tsx';
import { toast } from './toast.tsx';
import './awaiting-approval.css';

const KINDS: Readonly<Record<Approval['kind'], string>> = {
  MONTH_CLOSE: 'Consolidar',
  REOPENING: 'Reabrir',
  ARCHIVING: 'Mover lançamentos do expurgo ou para ele:',
  QUOTA: 'Confirmar a cota de',
  QUOTA_REPROCESSING: 'Reprocessar as cotas de',
  OPTIONS: 'Afrouxar as opções da filial',
  DRAFT: 'Rascunho em',
};

type Decision = { readonly approval: Approval; readonly how: 'approve' | 'reject' | 'withdraw' };

/** What waits for a second person, of the company or of one branch; nothing where nothing waits. */
export function AwaitingApproval({ branch, drafts }: { readonly branch?: string; readonly drafts?: boolean }) {
  const { company } = usePlace();
  const waiting = useQuery(waitingApprovalsQuery(company, branch));
  const [decision, setDecision] = useState<Decision>();
  const mayDecide = useMay('APPROVALS');
  const rows = (waiting.data ?? []).filter(({ kind }) => !drafts || kind === 'DRAFT');
  if (rows.length === 0) return undefined;
  return (
    <Panel title="Aguardando aprovação">
      <ul className="awaiting">
        {rows.map((approval) => (
          <li key={approval.id}>
            <span className="awaiting-words">
              <strong>{titleOf(approval)}</strong>
              <small>{`Pedido ${approval.id} de ${approval.requestedBy}, ${instantText(approval.requestedAt)}, filial ${approval.branch}`}</small>
            </span>
            <span className="awaiting-actions">
              {approval.own ? (
                <>
                  <small>Outra pessoa decide</small>
                  <Button onClick={() => setDecision({ approval, how: 'withdraw' })}>Retirar</Button>
                </>
              ) : (
                mayDecide && (
                  <>
                    <Button onClick={() => setDecision({ approval, how: 'reject' })}>Rejeitar</Button>
                    <Button kind="primary" onClick={() => setDecision({ approval, how: 'approve' })}>
                      Aprovar
                    </Button>
                  </>
                )
              )}
            </span>
          </li>
        ))}
      </ul>
      {decision && <DecisionDialog {...decision} onClose={() => setDecision(undefined)} />}
    </Panel>
  );
}

function titleOf({ kind, month, draft }: Approval): string {
  if (draft !== null)
    return `Rascunho no lote ${draft.batch}: ${reais(draft.total)} no total, limite ${reais(draft.limit)}`;
  return `${KINDS[kind]} ${month ?? ''}`.trim();
}

function reais(decimal: string): string {
  return amountText(centavosOf(decimal));
}

const ACTIONS = {
  approve: { action: 'Aprovar', done: 'aprovado' },
  reject: { action: 'Rejeitar', done: 'rejeitado' },
  withdraw: { action: 'Retirar', done: 'retirado' },
} as const;

function DecisionDialog({ approval, how, onClose }: Decision & { readonly onClose: () => void }) {
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const [isOutdated, setOutdated] = useState(false);
  const [confirmed, setConfirmed] = useState(false);
  const { action, done } = ACTIONS[how];
  const decide = async () => {
    const path = { id: approval.id };
    try {
      if (how === 'approve') await api.movements.approveRequest({ path, body: { confirmed } });
      else if (how === 'reject') await api.movements.rejectRequest({ path, body: { reason } });
      else await api.movements.withdrawRequest({ path, body: {} });
    } catch (error) {
      if (error instanceof PartidasProblem && error.code === 'APPROVAL_BOOKS_CHANGED') setOutdated(true);
      throw error;
    }
    await client.invalidateQueries();
    toast(`Pedido ${approval.id} ${done}`);
  };
  return (
    <ConfirmDialog
      title={`${action} o pedido ${approval.id}`}
      action={action}
      danger={how === 'reject'}
      onConfirm={decide}
      onClose={onClose}
    >
      <p>{`${titleOf(approval)}, pedido por ${approval.requestedBy}.`}</p>
      {how === 'reject' && <TextField label="Motivo" value={reason} onChange={setReason} maxLength={500} />}
      {isOutdated && (
        <CheckField label="Estou ciente de que os livros mudaram" value={confirmed} onChange={setConfirmed} />
      )}
    </ConfirmDialog>
  );
}
