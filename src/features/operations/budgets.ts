import type { CompanyId } from '../../accounting/ids.ts';
import { type ProblemCode, problem, RetryLater } from '../../accounting/problem.ts';
import type { Work } from '../../platform/database/time-limits.ts';

/**
 * The cost class of a request. Heavy reads and prints have lanes of their own with few at once and a queue, so that
 * they do not starve other requests; event streams only keep a client connection. Uploads and bulk writes may take the
 * time of an import. Uploads, prints and reports in the background need the disk.
 */
export type Cost = 'ordinary' | 'upload' | 'bulk' | 'heavy' | 'print' | 'report' | 'events';

/** How many requests of a lane a user, a company and the process may have at once, and how many of a user may wait. */
export interface LaneLimits {
  readonly perUser: number;
  readonly perCompany: number;
  readonly perProcess: number;
  readonly waiting: number;
}

export type BudgetLimits = Readonly<Record<'ordinary' | 'heavy' | 'print' | 'events', LaneLimits>>;

export type Leave = () => void;

/** Whose request it is; without a user, nobody's but the process'. */
export interface Holder {
  readonly userId: number | undefined;
  readonly companyIds: readonly CompanyId[];
}

export interface Budgets {
  /**
   * Resolves when the request is admitted, and counts it until `leave` is called. Throws 429 beyond the share of its
   * user or of a company, and 503 beyond that of the process or when the client disconnects while waiting.
   */
  admit(cost: Cost, holder: Holder, gone: () => AbortSignal): Promise<Leave>;
  /** What counts the bytes of uploads that a request keeps; throws 429 beyond a share. */
  uploads(holder: Holder): UploadShare;
  counts(): Readonly<Record<keyof BudgetLimits, { running: number; waiting: number }>>;
}

/** The time limits that the statements of a request get. */
export function workOf(cost: Cost): Work {
  if (cost === 'upload' || cost === 'bulk') return 'import';
  return cost === 'heavy' || cost === 'print' ? 'read' : 'request';
}

export interface UploadLimits {
  readonly perUser: number;
  readonly perCompany: number;
}

export interface UploadShare {
  take(bytes: number): void;
  giveBack(): void;
}

/** Whether files are written that can wait for another day. */
export function needsDisk(cost: Cost): boolean {
  return cost === 'upload' || cost === 'print' || cost === 'report';
}

/** Requests at once and waiting ones of this process, counted in memory. */
export function openBudgets(limits: BudgetLimits, uploadLimits: UploadLimits): Budgets {
  const uploaded = new Map<string, number>();
  const lanes = {
    ordinary: new Lane(limits.ordinary),
    heavy: new Lane(limits.heavy),
    print: new Lane(limits.print),
    events: new Lane(limits.events),
  };
  return {
    admit: (cost, holder, gone) => lanes[laneOfCost(cost)].enter(holder, gone),
    uploads: (holder) => uploadShare(uploaded, keysOf(holder), uploadLimits),
    counts: () => ({
      ordinary: lanes.ordinary.count(),
      heavy: lanes.heavy.count(),
      print: lanes.print.count(),
      events: lanes.events.count(),
    }),
  };
}

function keysOf({ userId, companyIds }: Holder): string[] {
  return [...(userId === undefined ? [] : [`user ${userId}`]), ...companyIds.map((id) => `company ${id}`)];
}

const MEBIBYTE = 1_048_576;

function uploadShare(uploaded: Map<string, number>, keys: readonly string[], limits: UploadLimits): UploadShare {
  let own = 0;
  return {
    take(bytes) {
      for (const key of keys) {
        const limit = limits[key.startsWith('user') ? 'perUser' : 'perCompany'];
        if ((uploaded.get(key) ?? 0) + bytes <= limit) continue;
        throw new RetryLater(problem('TOO_MUCH_UPLOADED', { limit: limit / MEBIBYTE }), RETRY_SECONDS);
      }
      own += bytes;
      for (const key of keys) uploaded.set(key, (uploaded.get(key) ?? 0) + bytes);
    },
    giveBack() {
      for (const key of keys) {
        const left = (uploaded.get(key) ?? 0) - own;
        if (left > 0) uploaded.set(key, left);
        else uploaded.delete(key);
      }
      own = 0;
    },
  };
}

function laneOfCost(cost: Cost): keyof BudgetLimits {
  return cost === 'upload' || cost === 'bulk' || cost === 'report' ? 'ordinary' : cost;
}

/** Whether it is counted with the many short ones; the others have few at once and may wait, or only keep a connection. */
export function isOrdinary(cost: Cost): boolean {
  return laneOfCost(cost) === 'ordinary';
}

interface Waiting {
  readonly keys: readonly string[];
  readonly begin: () => void;
}

/** Seconds until a rejected caller may retry. */
const RETRY_SECONDS = 2;

/** Requests of one kind: those that run, and those that wait for a share. */
class Lane {
  private readonly limits: LaneLimits;
  private readonly running = new Map<string, number>();
  private readonly queued = new Map<string, number>();
  private readonly queue = new Set<Waiting>();

  constructor(limits: LaneLimits) {
    this.limits = limits;
  }

  count(): { running: number; waiting: number } {
    return { running: this.running.get(PROCESS) ?? 0, waiting: this.queue.size };
  }

  async enter(holder: Holder, goneOf: () => AbortSignal): Promise<Leave> {
    const keys = [...keysOf(holder), PROCESS];
    // Requests queue for their own share only: one with a free share does not wait for others.
    if (this.isFree(keys)) return this.begin(keys);
    this.assertWithinSize(keys);
    return this.wait(keys, goneOf());
  }

  private isFree(keys: readonly string[]): boolean {
    return fullOf(this.running, keys, this.mostRunning) === undefined;
  }

  private readonly mostRunning = (key: string): number => this.limits[shareOf(key)];

  private begin(keys: readonly string[]): Leave {
    countKeys(this.running, keys, 1);
    return () => {
      countKeys(this.running, keys, -1);
      this.beginOthers();
    };
  }

  private assertWithinSize(keys: readonly string[]): void {
    const { limits, running, queued } = this;
    const mostWaiting = (key: string) => limits.waiting * WAITING_SHARES[shareOf(key)];
    const full = limits.waiting === 0 ? fullOf(running, keys, this.mostRunning) : fullOf(queued, keys, mostWaiting);
    if (full === undefined) return;
    throw new RetryLater(problem(CODES[shareOf(full)], { limit: limits[shareOf(full)] }), RETRY_SECONDS);
  }

  private wait(keys: readonly string[], gone: AbortSignal): Promise<Leave> {
    return new Promise<Leave>((resolve, reject) => {
      const leaveQueue = () => {
        gone.removeEventListener('abort', goAway);
        this.queue.delete(waiting);
        countKeys(this.queued, keys, -1);
      };
      const goAway = () => {
        leaveQueue();
        reject(new RetryLater(problem('BUSY'), RETRY_SECONDS));
      };
      const begin = () => {
        leaveQueue();
        resolve(this.begin(keys));
      };
      const waiting: Waiting = { keys, begin };
      this.queue.add(waiting);
      countKeys(this.queued, keys, 1);
      gone.addEventListener('abort', goAway);
    });
  }

  private beginOthers(): void {
    for (let next = this.nextOf(); next !== undefined; next = this.nextOf()) next.begin();
  }

  /** Of those that fit, the one whose company or user has the fewest running; of equals, who came first. */
  private nextOf(): Waiting | undefined {
    let next: Waiting | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const each of this.queue) {
      const own = Math.max(0, ...each.keys.map((key) => (key === PROCESS ? 0 : (this.running.get(key) ?? 0))));
      if (own < fewest && this.isFree(each.keys)) [next, fewest] = [each, own];
    }
    return next;
  }
}

function countKeys(counts: Map<string, number>, keys: readonly string[], by: 1 | -1): void {
  for (const key of keys) {
    const left = (counts.get(key) ?? 0) + by;
    if (left === 0) counts.delete(key);
    else counts.set(key, left);
  }
}

/** The first of the keys whose share is used up. */
function fullOf(
  counts: ReadonlyMap<string, number>,
  keys: readonly string[],
  most: (key: string) => number,
): string | undefined {
  return keys.find((key) => (counts.get(key) ?? 0) >= most(key));
}

const PROCESS = 'process';

/** Queue limits of a company and of the process, as multiples of a user's. */
const WAITING_SHARES = { perUser: 1, perCompany: 2, perProcess: 10 } as const;

const CODES = {
  perUser: 'TOO_MANY_REQUESTS',
  perCompany: 'TOO_MANY_REQUESTS_OF_COMPANY',
  perProcess: 'BUSY',
} as const satisfies Record<keyof typeof WAITING_SHARES, ProblemCode>;

function shareOf(key: string): keyof typeof WAITING_SHARES {
  if (key === PROCESS) return 'perProcess';
  return key.startsWith('user') ? 'perUser' : 'perCompany';
}
