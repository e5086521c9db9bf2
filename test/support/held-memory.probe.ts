import { renameSync, writeFileSync } from 'node:fs';
import { Server } from 'node:http';
import { isMainThread } from 'node:worker_threads';
import { heldBytes } from './thread-memory.ts';

// Loaded into a program before it starts (--import): tells on SIGUSR2 what its main thread still holds after a collection
// of garbage, and keeps every request where it is asked to leak.

const { HELD_MEMORY, LEAK } = process.env;

if (isMainThread && HELD_MEMORY !== undefined) {
  process.on('SIGUSR2', () => {
    writeFileSync(`${HELD_MEMORY}.new`, String(heldBytes()));
    renameSync(`${HELD_MEMORY}.new`, HELD_MEMORY);
  });
  if (LEAK !== undefined) {
    const kept = new Map<number, unknown>();
    const { emit } = Server.prototype;
    Server.prototype.emit = function (this: Server, ...values: [string, ...unknown[]]) {
      if (values[0] === 'request') kept.set(kept.size, values[1]);
      return emit.apply(this, values as unknown as Parameters<typeof emit>);
    } as typeof emit;
  }
}
