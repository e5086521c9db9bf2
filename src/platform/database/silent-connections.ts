import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { pg } from './driver.ts';

/** How often connections are looked at, from when one that says nothing is asked about, and when it is given up. */
const EVERY_MS = 2_000;
const ASK_AFTER_MS = 3_000;
const GIVE_UP_AFTER_MS = 7_000;
/** Answers that a connection must be missing from, one after the other: its own may be on its way. */
const ASKED_TIMES = 2;

type Client = pg.PoolClient & {
  readonly readyForQuery: boolean;
  readonly processID: number;
};

interface Silence {
  bytes: number;
  since: number;
  asked: number;
}

/**
 * Ends connections whose statement the server is not working on, or whose server answers nobody: a stopped server or a
 * network that drops packets says nothing, and a statement may take as long as it likes. Who waits for it gets a DatabaseLost.
 * `working` asks the server which of the processes are at work; it fails in time where there is no answer.
 */
export function endSilent(
  held: ReadonlySet<pg.PoolClient>,
  working: (processes: readonly number[]) => Promise<ReadonlySet<number>>,
): { stop(): void } {
  const silences = new WeakMap<Client, Silence>();
  let isStopped = false;

  const silentFor = (client: Client, now: number): number => {
    if (client.readyForQuery) {
      silences.delete(client);
      return 0;
    }
    const { bytesRead, bytesWritten } = client.connection.stream as Socket;
    const bytes = bytesRead + bytesWritten;
    const known = silences.get(client);
    if (known !== undefined && known.bytes === bytes) return now - known.since;
    silences.set(client, { bytes, since: now, asked: 0 });
    return 0;
  };

  const look = async () => {
    const isSilent = (client: Client) => silentFor(client, performance.now()) >= ASK_AFTER_MS;
    const asked = ([...held] as Client[]).filter(isSilent);
    if (asked.length === 0) return;
    const atWork = await working(asked.map(({ processID }) => processID)).catch(() => NOBODY);
    for (const client of asked) {
      const silence = silences.get(client);
      const lasts = silentFor(client, performance.now());
      if (silence === undefined || lasts < ASK_AFTER_MS) continue;
      silence.asked = atWork.has(client.processID) ? 0 : silence.asked + 1;
      if (silence.asked >= ASKED_TIMES && lasts >= GIVE_UP_AFTER_MS)
        client.connection.stream.destroy(new Error('the database has not answered'));
    }
  };

  void (async () => {
    while (!isStopped) {
      await sleep(EVERY_MS, undefined, { ref: false });
      if (!isStopped) await look();
    }
  })();
  return {
    stop: () => {
      isStopped = true;
    },
  };
}

const NOBODY: ReadonlySet<number> = new Set();
