import type { Context } from './context.ts';

/** What this process remembers of each database it works on, so that two programs in one process share nothing. */
export function perDatabase<Memory>(make: () => Memory): (context: Pick<Context, 'databaseIdentity'>) => Memory {
  const memories = new WeakMap<object, Memory>();
  return ({ databaseIdentity }) => {
    const memory = memories.get(databaseIdentity) ?? make();
    memories.set(databaseIdentity, memory);
    return memory;
  };
}
