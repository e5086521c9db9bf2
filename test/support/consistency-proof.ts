import { createHash } from 'node:crypto';

/** As a third party would check it: whether the path leads from the root of the smaller tree to that of the larger (RFC 9162, 2.1.4.2). */
export function isConsistent(
  from: { readonly size: number; readonly root: Buffer },
  to: { readonly size: number; readonly root: Buffer },
  path: readonly Buffer[],
): boolean {
  if (!isCount(from.size) || !isCount(to.size) || from.size < 1 || from.size > to.size) return false;
  if (![from.root, to.root, ...path].every((each) => each.length === 32)) return false;
  if (from.size === to.size) return path.length === 0 && from.root.equals(to.root);
  const [first, ...rest] = isPowerOfTwo(from.size) ? [from.root, ...path] : path;
  if (first === undefined) return false;
  let position = from.size - 1;
  let last = to.size - 1;
  while (position % 2 === 1) [position, last] = [half(position), half(last)];
  let smaller = first;
  let larger = first;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      smaller = nodeHash(sibling, smaller);
      larger = nodeHash(sibling, larger);
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)];
    } else larger = nodeHash(larger, sibling);
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && smaller.equals(from.root) && larger.equals(to.root);
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(0x01)).update(left).update(right).digest();
}

const half = (count: number) => Math.floor(count / 2);
const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0;
const isPowerOfTwo = (size: number) => Number.isInteger(Math.log2(size));
