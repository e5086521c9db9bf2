import { PartidasProblem } from './problem.ts';

/** A request that was kept until a second person approves it. */
interface WaitingRequest {
  readonly id: number;
  readonly requestHash: string;
  /** Of entries whose batch would pass the limit of its branch. */
  readonly draft: { readonly batch: string } | null;
}

/**
 * Throws PENDING_APPROVAL where a 202 says that the request waits for a second person: nothing is done yet, and it is
 * not to be sent again. Approvals are read by operations of their own, which answer 200.
 */
export function throwIfWaiting(status: number, answer: unknown, language: string | undefined): void {
  if (status !== 202 || !isWaiting(answer)) return;
  const { id, draft } = answer;
  const detail = language?.startsWith('pt')
    ? `Aguardando aprovação: o pedido ${id} espera por outra pessoa, e nada foi feito ainda.${draft ? ` O lote ${draft.batch} passaria do limite da filial.` : ''}`
    : `Pending approval: request ${id} waits for a second person, and nothing is done yet.${draft ? ` Batch ${draft.batch} would pass the limit of its branch.` : ''}`;
  throw new PartidasProblem(status, { detail, code: 'PENDING_APPROVAL' }, undefined);
}

function isWaiting(answer: unknown): answer is WaitingRequest {
  return typeof answer === 'object' && answer !== null && 'requestHash' in answer;
}
