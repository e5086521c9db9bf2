import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../data/client.ts';
import { rulesMark } from '../../data/month-steps.ts';
import type { BranchOverview } from '../../data/months.ts';
import { useMonthsChanged } from '../../data/months-changed.ts';
import { usePlace } from '../../data/place.ts';
import { Button } from '../../ui/button.tsx';
import { countText, instantText } from '../../ui/format.ts';
import { PlaceLink } from '../../ui/place-link.tsx';
import { Progress } from '../../ui/progress.tsx';
import { messageOf } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { Step } from './step.tsx';

interface RulesStepProps {
  readonly overview: BranchOverview;
  readonly run: ReturnType<typeof useRunRules>;
}

/** What the rules of each regulatory document found in the closed month. */
export function RulesStep({ overview, run }: RulesStepProps) {
  const { branch, state, compliance } = overview;
  const { tone, text } = rulesMark(overview);
  const isHere = run.isPending && run.variables.branch === branch;
  return (
    <Step title="Regras" tone={tone} state={text}>
      {state !== 'CLOSED' && <p>Só rodam em mês consolidado.</p>}
      <ul className="found">
        {compliance.map(({ processId, document, passed, failed, at, by, stale }) => (
          <li key={document}>
            <PlaceLink to={{ branch, screen: 'regras' }} search={{ processo: String(processId) }}>
              {`${document}: ${failed === 0 ? 'nada a apontar' : `${countText(failed)} a apontar`}`}
            </PlaceLink>
            <small>
              {`${countText(passed)} passaram · ${instantText(at)} · ${by}`}
              {stale && ' · antes da última consolidação'}
            </small>
          </li>
        ))}
      </ul>
      {isHere && <Progress label={run.document === undefined ? 'Regras' : `Regras do documento ${run.document}`} />}
      {state === 'CLOSED' && (
        <div className="step-actions">
          <Button icon="rules" busy={run.isPending} onClick={() => run.mutate(overview)}>
            Rodar as regras
          </Button>
        </div>
      )}
    </Step>
  );
}

/** Runs the rules of every document that has some over the branch's month, one document after the other. */
export function useRunRules() {
  const { month } = usePlace();
  const changed = useMonthsChanged();
  const [document, setDocument] = useState<string>();
  const run = useMutation({
    mutationFn: async ({ branchId }: Pick<BranchOverview, 'branch' | 'branchId'>) => {
      const documents = await documentsWithRules();
      for (const { id, code } of documents) {
        setDocument(code);
        await api.compliance.runRules({ body: { refmonth: month, branchid: branchId, documentid: id } });
      }
      return documents.length;
    },
    onSuccess: (count, { branch }) =>
      toast(count === 0 ? 'Nenhuma regra cadastrada' : `Regras rodadas na filial ${branch}`),
    onError: (error) => toast(messageOf(error), { tone: 'wrong' }),
    onSettled: () => {
      setDocument(undefined);
      return changed();
    },
  });
  return { ...run, document };
}

async function documentsWithRules(): Promise<readonly { id: number; code: string }[]> {
  const [rules, documents] = await Promise.all([
    api.compliance.listRules({}),
    api.compliance.listRegulatoryDocuments({}),
  ]);
  const named = new Set(rules.flatMap((rule) => rule.documents));
  return documents.filter(({ id }) => named.has(id));
}
