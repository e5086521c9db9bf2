import { AsyncLocalStorage } from 'node:async_hooks';
import type { pg } from './driver.ts';
import { withClient } from './pool.ts';
import type { Connections } from './pool-shares.ts';

/** Does some work on a connection. */
export type Lend = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

/** A connection that this work, or what called it, has at this moment. */
interface Held {
  readonly database: object;
  readonly outer: Held | undefined;
  isOver: boolean;
}

const held = new AsyncLocalStorage<Held | undefined>();

/**
 * Lends connections of `first`, and to who has one of this database already, of `second`. Who holds one and waits for
 * another of the same pool can wait for others who do the same, for ever; those of `second` are held by nobody who waits.
 * A third is not provided for.
 */
export function lendFrom(first: Connections, second: Connections, database: object): Lend {
  return (work) => {
    const outer = lasting(held.getStore());
    const mine: Held = { database, outer, isOver: false };
    return withClient(holds(outer, database) ? second : first, async (client) => {
      try {
        return await held.run(mine, () => work(client));
      } finally {
        mine.isOver = true;
      }
    });
  };
}

/** Whether who asks has a connection of this database at this moment. */
export function holdsConnection(database: object): boolean {
  return holds(held.getStore(), database);
}

/** What somebody began while he had a connection may go on after he gave it back. */
function lasting(store: Held | undefined): Held | undefined {
  let each = store;
  while (each?.isOver) each = each.outer;
  return each;
}

function holds(store: Held | undefined, database: object): boolean {
  for (let each = lasting(store); each !== undefined; each = lasting(each.outer))
    if (each.database === database) return true;
  return false;
}
