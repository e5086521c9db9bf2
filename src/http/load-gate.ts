import type { IncomingMessage, ServerResponse } from 'node:http';

/** The share that is used up: of the caller or of the process. */
export type UsedUp = 'caller' | 'process';

/**
 * Counts the requests that the process has in hand, of every service, from their head to the end of their answer, and
 * rejects one more before anything else is done for it: a rejection must cost little, or those who are rejected take the
 * time of those who are let in (decision 44). Requests that were admitted to a lane with a bound of its own are not
 * counted any longer.
 */
export interface LoadGate {
  /** undefined when the request is let in. */
  enter(request: IncomingMessage, response: ServerResponse): UsedUp | undefined;
  /** The request is counted elsewhere from now on. */
  leave(request: IncomingMessage): void;
  /** Requests in hand, and rejected since the start. */
  counts(): { readonly inHand: number; readonly rejected: number };
}

/**
 * At most `limit` requests at once. A caller may have as many as there is still room for the others: alone half of the
 * limit, of two each a third; so nobody, and no number of callers, takes the last place from somebody new.
 */
export function openLoadGate(limit: number, isBehindProxy: boolean): LoadGate {
  const callers = new Map<string, number>();
  const leaves = new WeakMap<IncomingMessage, () => void>();
  let inHand = 0;
  let rejected = 0;
  const shareUsedUp = (own: number) => {
    if (inHand >= limit) return 'process';
    return own > 0 && own >= limit - inHand ? 'caller' : undefined;
  };
  return {
    enter(request, response) {
      const caller = callerOf(request, isBehindProxy);
      const own = callers.get(caller) ?? 0;
      const full = shareUsedUp(own);
      if (full !== undefined) {
        rejected++;
        return full;
      }
      inHand++;
      callers.set(caller, own + 1);
      const leave = () => {
        if (!leaves.delete(request)) return;
        inHand--;
        const left = callers.get(caller)! - 1;
        if (left === 0) callers.delete(caller);
        else callers.set(caller, left);
      };
      leaves.set(request, leave);
      response.once('close', leave);
      return undefined;
    },
    leave: (request) => leaves.get(request)?.(),
    counts: () => ({ inHand, rejected }),
  };
}

/** Whose request it seems to be: nothing is verified yet, and a wrong token has its own share like any other. */
function callerOf({ headers, socket }: IncomingMessage, isBehindProxy: boolean): string {
  const named = headers.authorization ?? headers.cookie;
  // The end of a token is its signature.
  if (named !== undefined) return named.slice(-SIGNATURE);
  return String((isBehindProxy && headers['x-forwarded-for']) || socket.remoteAddress);
}

const SIGNATURE = 64;
