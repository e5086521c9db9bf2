import { useState } from 'react';

/** Does it once at a time; what it throws stays as `error` until it is tried again. */
export function useSave(work: () => Promise<void>): { save(): Promise<void>; error: unknown; busy: boolean } {
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return { save, error, busy };
}
