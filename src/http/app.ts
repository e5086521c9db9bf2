import type { Authorizer } from '../features/access/authorize.ts';
import type { LeafHasher } from '../features/closing/seals/leaf-hasher.ts';
import type { Budgets } from '../features/operations/budgets.ts';
import type { Printer } from '../features/reporting/print/printer.ts';
import type { Config, ServiceName } from '../platform/config.ts';
import type { Database } from '../platform/database/database.ts';
import type { DiskSpace } from '../platform/disk-space.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { SealKeys } from '../platform/seal-keys/seal-keys.ts';
import type { TokenVerifier } from '../platform/token.ts';
import type { LoadGate } from './load-gate.ts';

/** What the running program is made of; the services and the job workers take from it what they need. */
export interface App {
  readonly config: Config;
  /** Uses the login of the service that receives it; workers write with it. */
  readonly database: Database;
  readonly authorizer: Authorizer;
  readonly verifyToken: TokenVerifier;
  /** Signs seals, and knows the public keys of all of them. */
  readonly sealKeys: SealKeys;
  /** Hashes the lines of months in threads of its own. */
  readonly leafHasher: LeafHasher;
  readonly metrics: Metrics;
  /** Concurrency limits of users and companies in this process. */
  readonly budgets: Budgets;
  /** Before them, for all requests together; undefined where all are let in. */
  readonly gate: LoadGate | undefined;
  readonly disk: DiskSpace;
  /** Prints reports in threads of its own. */
  readonly printer: Printer;
  /** Lets the workers look for jobs now. */
  readonly wakeJobs: () => void;
  readonly now: () => Date;
  /** Where clients find a service, for responses that link to another service. */
  readonly addressOf: (service: ServiceName) => string;
}
