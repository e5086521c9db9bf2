/** How often and how patiently a request is repeated. */
export interface RetryOptions {
  /** Tries in all; 1 repeats nothing. */
  readonly attempts: number;
  /** Milliseconds before the first repetition; each later one waits up to twice as long. */
  readonly firstDelay: number;
  /** Longest wait in milliseconds, also where the platform asks for a longer one. */
  readonly longestDelay: number;
}

export const DEFAULT_RETRIES: RetryOptions = { attempts: 6, firstDelay: 200, longestDelay: 30_000 };

/** What a proxy or the platform answers where it could not, rather than would not. */
const UNAVAILABLE = new Set([502, 503, 504]);

/**
 * The answer to a request, which is repeated where that is safe: one that was refused with 429 has done nothing; one
 * that got no answer, or 502 to 504, may have done its work, so only those are repeated that may be done twice.
 */
export async function withRetries(
  send: () => Promise<Response>,
  { attempts, firstDelay, longestDelay }: RetryOptions,
  { repeatable, signal }: { readonly repeatable: boolean; readonly signal: AbortSignal | undefined },
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt >= attempts;
    // With jitter, so that many clients that were refused together do not come back together.
    const delay = Math.min(longestDelay, firstDelay * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
    try {
      const response = await send();
      const mayRepeat = response.status === 429 || (repeatable && UNAVAILABLE.has(response.status));
      if (!mayRepeat || isLast) return response;
      await response.body?.cancel();
      await pause(Math.max(delay, Math.min(longestDelay, secondsOf(response) * 1_000)), signal);
    } catch (error) {
      if (signal?.aborted || !repeatable || isLast) throw error;
      await pause(delay, signal);
    }
  }
}

function secondsOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) ? seconds : 0;
}

/** Waits; ends at once, with its reason, when the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end, { once: true });
  });
}
