import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { BusinessError, problem, RetryLater } from '../../../accounting/problem.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { PrintAnswer, PrintedFile, PrinterSettings, PrintTask } from './print-task.ts';

export interface Printer {
  /**
   * Prints into the task's file, in a thread of its own. A rejected report is an outcome; throws what rejects the whole
   * file.
   */
  print(task: PrintTask, watching?: Watching): Promise<PrintedFile>;
  close(): Promise<void>;
}

/** The owner of a print. */
export interface Watching {
  readonly onProgress?: (progress: { rows: number }) => void;
  /** Aborted when the file is no longer needed: the report leaves the queue, or stops at the next chunk of rows. */
  readonly signal?: AbortSignal | undefined;
}

const WORKERS = 2;
/** Maximum number of reports that wait for a worker; further requests get a 503. */
const MAX_WAITING = 200;
const RETRY_SECONDS = 10;
/**
 * Books are printed in portions: a report that needs more than this fails alone. The largest that is made of balances
 * in memory, 31 days of 12,000 accounts, fits. With small bounds V8 collects garbage early, which costs no time that
 * could be measured: two journals of 12,000 pages at once take 188 MB, 269 MB with twice the bounds.
 */
const WORKER_HEAP = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 6 };

/** Starts without threads; they come with the first report and go when idle. */
export function openPrinter(settings: PrinterSettings, metrics: Pick<Metrics, 'reportPages'>): Printer {
  let pool: Piscina | undefined;
  const openPool = () =>
    new Piscina({
      filename: new URL('./print-reports.worker.ts', import.meta.url).href,
      name: 'printReports',
      minThreads: 0,
      maxThreads: WORKERS,
      maxQueue: MAX_WAITING,
      idleTimeout: 120_000,
      workerData: settings,
      resourceLimits: WORKER_HEAP,
      // Only what a connection needs: the environment holds passwords of other things.
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PG|NODE_|TZ$)/.test(name))),
    });
  return {
    async print(task, { onProgress, signal } = {}) {
      const busy = () => new RetryLater(problem('BUSY'), RETRY_SECONDS);
      pool ??= openPool();
      if (signal?.aborted || pool.queueSize >= MAX_WAITING) throw busy();
      const { port1, port2 } = new MessageChannel();
      const queued = new AbortController();
      let isUnderWay = false;
      port1.on('message', (progress) => {
        isUnderWay = true;
        // The first message only reports the start.
        if (progress.rows > 0) onProgress?.(progress);
      });
      // A thread that the pool stops by itself does not remove its files.
      const giveUp = () => (isUnderWay ? port1.postMessage('stop') : queued.abort());
      signal?.addEventListener('abort', giveUp);
      try {
        const answer: PrintAnswer = await pool.run(
          // A background report has no waiting request.
          { task, port: port2, work: signal === undefined ? 'job' : 'read' },
          { transferList: [port2], signal: queued.signal },
        );
        if ('problems' in answer) throw new BusinessError(answer.problems);
        if ('later' in answer) throw new RetryLater(problem(answer.later), RETRY_SECONDS);
        for (const [at, outcome] of answer.outcomes.entries()) {
          const report = task.reports[at]!.request.kind;
          if ('report' in outcome) metrics.reportPages.inc({ report, format: task.format }, outcome.report.pages);
        }
        return answer;
      } catch (error) {
        // Not reported.
        throw signal?.aborted ? busy() : error;
      } finally {
        signal?.removeEventListener('abort', giveUp);
        port1.close();
      }
    },
    async close() {
      await pool?.destroy();
    },
  };
}
