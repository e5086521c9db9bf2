import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { PartidasProblem } from 'partidas-client';
import { api } from './client.ts';
import { MONTHS_KEY } from './queries.ts';

/** A request that waits for a second person. */
export type Approval = Awaited<ReturnType<typeof api.movements.getApproval>>;

/** Shown at once; who has more decides on some first. */
const SHOWN = 50;

/** What waits in the company, or in one branch of it. */
export function waitingApprovalsQuery(company: string, branch?: string) {
  return queryOptions({
    queryKey: [MONTHS_KEY, company, 'approvals', branch ?? '*'],
    queryFn: async ({ signal }) => {
      const of = branch === undefined ? { company } : { company, branch };
      const query = { ...of, status: 'PENDING_APPROVAL', size: SHOWN } as const;
      return (await api.movements.listApprovals({ query }, { signal })).content;
    },
    placeholderData: keepPreviousData,
    // Others ask, and what is asked in a row of an entry tells nobody.
    refetchInterval: 20_000,
  });
}

/** What the operation did; throws where it waits for a second person: then nothing is done yet. */
export function requireDone<Answer>(answer: Answer): Exclude<Answer, Approval> {
  if (!isWaiting(answer)) return answer as Exclude<Answer, Approval>;
  const why = answer.draft === null ? '' : ` O lote ${answer.draft.batch} passaria do limite da filial.`;
  const detail = `Aguardando aprovação: o pedido ${answer.id} espera por outra pessoa, e nada foi feito ainda.${why}`;
  throw new PartidasProblem(202, { detail, code: 'PENDING_APPROVAL', errors: [] }, undefined);
}

function isWaiting(answer: unknown): answer is Approval {
  return typeof answer === 'object' && answer !== null && 'requestHash' in answer;
}
