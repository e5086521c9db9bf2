import { parentPort, workerData } from 'node:worker_threads';
import { JsonRejected, parseJsonBody } from '../../src/platform/json.ts';
import { leastProcessorMs } from './processor-time.ts';

// Measured in a thread with a heap of its own: what other tests left behind makes the collector of garbage slower.
const { text, limit } = workerData as { text: string; limit: number };
const body = Buffer.from(text);
const read = () => {
  try {
    parseJsonBody(body);
  } catch (error) {
    if (!(error instanceof JsonRejected)) throw error;
  }
};
parentPort!.postMessage(leastProcessorMs(read, limit));
