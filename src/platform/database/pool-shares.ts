import type { pg } from './driver.ts';
import { TransactionBusy } from './errors.ts';

/** What connections are taken from: a pool, or somebody's share of one. */
export type Connections = Pick<pg.Pool, 'connect' | 'ending'>;

interface Waiting {
  readonly name: string;
  readonly enter: () => void;
}

/**
 * Lets several use one pool so that none takes it all: each has some connections that stay free for it, and may use any
 * others while they are free. Who finds none waits, in order of arrival, and is rejected with TransactionBusy when `waitMs` are over.
 */
export function shareOut(pool: pg.Pool, names: readonly string[], waitMs: number): (name: string) => Connections {
  const most = pool.options.max;
  // In a small pool nobody has a share: what takes several connections at a time would never get them.
  const reserve = Math.floor(most / (2 * names.length));
  const used = new Map(names.map((name) => [name, 0]));
  const queue: Waiting[] = [];

  const hasRoom = (name: string) => {
    let taken = 1;
    for (const [each, count] of used) taken += each === name ? count : Math.max(count, reserve);
    return taken <= most;
  };
  const count = (name: string, change: 1 | -1) => used.set(name, used.get(name)! + change);
  const leave = (name: string) => {
    count(name, -1);
    for (let at = 0; at < queue.length; ) {
      const { name: next, enter } = queue[at]!;
      if (!hasRoom(next)) at++;
      else {
        queue.splice(at, 1);
        count(next, 1);
        enter();
      }
    }
  };
  const turn = (name: string) =>
    new Promise<void>((resolve, reject) => {
      const giveUp = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(new TransactionBusy('no connection came free'));
      }, waitMs);
      const waiting: Waiting = {
        name,
        enter: () => {
          clearTimeout(giveUp);
          resolve();
        },
      };
      queue.push(waiting);
    });

  return (name) => {
    if (!used.has(name)) throw new Error(`${name} has no share of the pool`);
    return {
      get ending() {
        return pool.ending;
      },
      connect: async () => {
        if (hasRoom(name)) count(name, 1);
        else await turn(name);
        try {
          const client = await pool.connect();
          const release = client.release;
          client.release = (broken) => {
            release(broken);
            leave(name);
          };
          return client;
        } catch (error) {
          leave(name);
          throw error;
        }
      },
    } as Connections;
  };
}
