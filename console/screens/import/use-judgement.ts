import { useEffect, useRef, useState } from 'react';
import { type Judgement, judge, type Target } from './judge.ts';
import type { Sheet } from './sheet.ts';

/** Milliseconds after a correction before the server is asked: who corrects goes on to the next cell. */
const PAUSE = 500;

/** A larger file is judged when it is asked for. */
const MOST_BYTES = 2 * 1_048_576;

interface Asked {
  readonly sheet: Sheet;
  readonly target: Target;
}

/** What the server says of the sheet as it is now; undefined while that is not known, or said of other bytes. */
export function useJudgement(sheet: Sheet, target: Target) {
  const [said, setSaid] = useState<Asked & { readonly judgement: Judgement | undefined; readonly error: unknown }>();
  const [asking, setAsking] = useState<AbortController>();
  const last = useRef<Judgement>(undefined);
  const { company, branch, batchId, force } = target;
  const isReady = sheet.kind !== 'CSV' || batchId !== undefined;

  const ask = (stop: AbortController) => {
    setAsking(stop);
    const asked = { sheet, target };
    judge(sheet, target, { signal: stop.signal })
      .then(
        (judgement) => {
          if (stop.signal.aborted) return;
          last.current = judgement;
          setSaid({ ...asked, judgement, error: undefined });
        },
        (error: unknown) => {
          if (!stop.signal.aborted) setSaid({ ...asked, judgement: undefined, error });
        },
      )
      .finally(() => setAsking((now) => (now === stop ? undefined : now)));
  };
  const isFirst = said === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when the bytes or the target are others
  useEffect(() => {
    if (!isReady || (!isFirst && sheet.file.size > MOST_BYTES)) return;
    const stop = new AbortController();
    const waiting = setTimeout(() => ask(stop), isFirst ? 0 : PAUSE);
    return () => {
      clearTimeout(waiting);
      stop.abort();
    };
  }, [sheet.file, company, branch, batchId, force, isReady]);

  const isCurrent = said?.sheet.file === sheet.file && sameTarget(said.target, target);
  const judgement = isCurrent ? said.judgement : undefined;
  return {
    // Of other bytes only the problems stay in sight, until the server has looked again.
    judgement: judgement ?? (isReady && last.current && !isCurrent ? { ...last.current, success: false } : undefined),
    error: isCurrent ? said.error : undefined,
    isJudging: asking !== undefined,
    judgeNow: () => {
      if (!isReady) return;
      asking?.abort();
      ask(new AbortController());
    },
  };
}

function sameTarget(one: Target, other: Target): boolean {
  return one.batchId === other.batchId && one.force === other.force && one.branch === other.branch;
}
