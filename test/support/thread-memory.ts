import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes that this thread uses, buffers included, garbage too: of the other threads of the process it counts none. */
export function usedBytes(): number {
  const { used_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  return heap + buffers;
}

/** Bytes that this thread holds on to. */
export function heldBytes(): number {
  collect();
  return usedBytes();
}
