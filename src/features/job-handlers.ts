import { consolidationJob } from './consolidation/consolidation-job.ts';
import { CONSOLIDATION } from './consolidation/request-consolidation.ts';
import type { House } from './house.ts';
import type { JobHandler, JobKind } from './jobs.ts';

/** What each kind of job does. */
export function jobHandlers(_house: House): Readonly<Record<JobKind, JobHandler>> {
  return { [CONSOLIDATION]: consolidationJob };
}
