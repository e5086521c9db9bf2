import { perDatabase } from '../../../platform/per-database.ts';
import { RecentReads } from '../recent-reads.ts';
import type { HeldSession } from './sessions.sql.ts';

/** What this process read of open sessions, by the hash of their cookies. */
export const heldSessions = perDatabase(() => new RecentReads<string, HeldSession>(10_000));
