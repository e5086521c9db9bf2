import { PartidasProblem, type StreamEvent } from 'partidas-client';
import { useEffect, useRef, useState } from 'react';

/** Before a stream that ended is opened again, in milliseconds; and how many may end one after the other without news. */
const PAUSE = 500;
const MOST_SILENT = 10;

/**
 * Follows a job by its stream of events while the component is there:
 * `useFollow(run && ((signal) => api.movements.followMonthClose.events({ path: { id: run } }, { signal })), [run], onEvent)`.
 * `onEvent` says whether the job goes on: then a stream that ends, with its token, its service or the network, is opened
 * again and begins with the state of the job. Read by fetch, so that a refusal is an error to show. Undefined follows
 * nothing.
 */
export function useFollow(
  open: ((signal: AbortSignal) => AsyncIterable<StreamEvent>) | undefined | false,
  dependencies: readonly unknown[],
  onEvent: (event: StreamEvent) => boolean,
): { readonly state: 'idle' | 'following' | 'ended'; readonly error: unknown } {
  const [state, setState] = useState<'idle' | 'following' | 'ended'>('idle');
  const [error, setError] = useState<unknown>();
  const heard = useRef(onEvent);
  heard.current = onEvent;
  useEffect(() => {
    if (!open) return;
    const stop = new AbortController();
    setState('following');
    setError(undefined);
    followToEnd(open, (event) => heard.current(event), stop.signal)
      .catch((failure: unknown) => {
        if (!stop.signal.aborted) setError(failure);
      })
      .finally(() => {
        if (!stop.signal.aborted) setState('ended');
      });
    return () => stop.abort();
    // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says what another stream hangs on
  }, dependencies);
  return { state, error };
}

async function followToEnd(
  open: (signal: AbortSignal) => AsyncIterable<StreamEvent>,
  onEvent: (event: StreamEvent) => boolean,
  signal: AbortSignal,
): Promise<void> {
  for (let silent = 0; !signal.aborted; silent++) {
    try {
      for await (const event of open(signal)) {
        if (!onEvent(event)) return;
        silent = 0;
      }
    } catch (failure) {
      const isRefusal = failure instanceof PartidasProblem && failure.status < 500;
      if (isRefusal || silent >= MOST_SILENT) throw failure;
    }
    if (silent >= MOST_SILENT) throw new Error('O andamento não pôde ser seguido. Recarregue a página.');
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
