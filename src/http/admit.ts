import type { FastifyReply, FastifyRequest } from 'fastify';
import { asId, type CompanyId } from '../accounting/ids.ts';
import type { Authorization } from '../features/access/authorize.ts';
import { type Budgets, type Cost, isOrdinary } from '../features/operations/budgets.ts';
import type { LoadGate } from './load-gate.ts';
import type { Route } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts bytes of an upload in the shares of the request's user and companies, until its response is closed. */
    takeUpload?: (bytes: number) => void;
  }
}

/** What the request costs. */
export function costOf({ cost = 'ordinary' }: Route, input: Record<string, unknown>, raw: FastifyRequest): Cost {
  return typeof cost === 'function' ? cost(input, raw) : cost;
}

/** Waits for admission, and counts the request until its response is sent or the client has disconnected. */
export async function admit(
  { budgets, gate }: { readonly budgets: Budgets; readonly gate: LoadGate | undefined },
  cost: Cost,
  { tenants, scope }: Authorization,
  raw: FastifyRequest,
  reply: FastifyReply,
  gone: () => AbortSignal,
): Promise<void> {
  // A user with access to one company alone is counted for that company, even where the route names none.
  const only = scope.companies.length === 1 && scope.companies !== '*' ? scope.companies.map(asId<CompanyId>) : [];
  const companyIds = tenants.length > 0 ? [...new Set(tenants.map(({ companyId }) => companyId))] : only;
  const holder = { userId: raw.user?.id, companyIds };
  if (!isOrdinary(cost)) gate?.leave(raw.raw);
  const leave = await budgets.admit(cost, holder, gone);
  const uploads = budgets.uploads(holder);
  raw.takeUpload = uploads.take;
  const end = () => {
    leave();
    uploads.giveBack();
  };
  if (reply.raw.destroyed) end();
  else reply.raw.once('close', end);
}
