import type { StreamEvent } from 'partidas-client';
import { useEffect, useRef, useState } from 'react';

/**
 * Follows a stream of events while the component is there:
 * `useFollow(run && ((signal) => api.movements.followMonthClose.events({ path: { id: run } }, { signal })), [run], onEvent)`.
 * Read by fetch, so that a refusal is an error to show and not a silent reconnect. Undefined follows nothing.
 */
export function useFollow(
  open: ((signal: AbortSignal) => AsyncIterable<StreamEvent>) | undefined | false,
  dependencies: readonly unknown[],
  onEvent: (event: StreamEvent) => void,
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
    const follow = async () => {
      for await (const event of open(stop.signal)) heard.current(event);
    };
    follow()
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
