import { hash } from 'node:crypto';

/**
 * Merkle trees of RFC 9162, section 2.1 (those of RFC 6962): SHA-256, a byte 0x00 before a leaf and 0x01 before a node.
 * Leaves come one by one and are not kept: a root and a proof cost memory for the height of the tree alone.
 */

/** SHA-256: 32 bytes. */
export type Hash = Buffer;

export const HASH_LENGTH = 32;
/** Bits of the largest number of leaves that a number counts. */
const MOST_PEAKS = 54;
const LEAF = Buffer.of(0x00);
const NODE = 0x01;

/** The leaf of an item, so made that no node passes for one. */
export function leafHash(item: Uint8Array): Hash {
  return sha256(Buffer.concat([LEAF, item]));
}

/** A tree that grows at its end. */
export class MerkleTree {
  #size = 0;
  /** Roots of full subtrees, the largest first: one for each bit of the size. */
  readonly #peaks = new Peaks();

  get size(): number {
    return this.#size;
  }

  /** Adds what `leafHash` made. */
  append(leaf: Hash): void {
    if (!isHash(leaf)) throw new TypeError('a leaf is a hash of 32 bytes');
    this.appendAll(leaf);
  }

  /** Adds hashes that lie one after another. */
  appendAll(leaves: Uint8Array): void {
    if (leaves.length % HASH_LENGTH !== 0) throw new TypeError('leaves are hashes of 32 bytes');
    for (let leaf = 0; leaf < leaves.length; leaf += HASH_LENGTH) {
      this.#peaks.push(leaves, leaf);
      for (let count = this.#size; count % 2 === 1; count = (count - 1) / 2) this.#peaks.join();
      this.#size++;
    }
  }

  /** One over the same leaves, which grows by itself. */
  copy(): MerkleTree {
    const copied = new MerkleTree();
    copied.#peaks.copyFrom(this.#peaks);
    copied.#size = this.#size;
    return copied;
  }

  /** Of all leaves so far; more may follow. Without any it is the hash of nothing. */
  root(): Hash {
    if (this.#size === 0) return sha256(Buffer.alloc(0));
    const joined = new Peaks();
    joined.copyFrom(this.#peaks);
    while (joined.count > 1) joined.join();
    return joined.last();
  }
}

/** Hashes one after another, a byte behind the beginning: the two last ones are hashed as a node where they lie. */
class Peaks {
  count = 0;
  readonly #bytes = Buffer.alloc(1 + MOST_PEAKS * HASH_LENGTH);
  /** What is hashed for a node, by the number of its left side: making a view costs as much as hashing it. */
  readonly #nodes: Buffer[] = [];

  push(hashes: Uint8Array, at: number): void {
    const start = 1 + this.count * HASH_LENGTH;
    for (let byte = 0; byte < HASH_LENGTH; byte++) this.#bytes[start + byte] = hashes[at + byte]!;
    this.count++;
  }

  /** The node over the two last ones takes their place. */
  join(): void {
    this.count--;
    const left = this.count - 1;
    const start = left * HASH_LENGTH;
    this.#nodes[left] ??= this.#bytes.subarray(start, start + 1 + 2 * HASH_LENGTH);
    // The end of the hash before them, for the time of the hashing.
    const before = this.#bytes[start]!;
    this.#bytes[start] = NODE;
    hashInto(this.#nodes[left], this.#bytes, start + 1);
    this.#bytes[start] = before;
  }

  last(): Hash {
    const start = 1 + (this.count - 1) * HASH_LENGTH;
    return this.#bytes.subarray(start, start + HASH_LENGTH);
  }

  copyFrom(peaks: Peaks): void {
    this.#bytes.set(peaks.#bytes);
    this.count = peaks.count;
  }
}

/** The root over leaves that are all there. */
export function merkleRoot(leaves: readonly Hash[]): Hash {
  const tree = new MerkleTree();
  for (const leaf of leaves) tree.append(leaf);
  return tree.root();
}

/** What proofs are made from: the leaves in their order. */
export type Leaves = Iterable<Hash> | AsyncIterable<Hash>;

/**
 * The path that proves the leaf at `index` in the tree over the first `size` leaves, from the leaf up (RFC 9162, 2.1.3.1).
 * @throws RangeError if there is no such leaf, or fewer leaves come than `size`.
 */
export async function inclusionPath(leaves: Leaves, index: number, size: number): Promise<Hash[]> {
  assertSize(size);
  if (!Number.isSafeInteger(index) || index < 0 || index >= size)
    throw new RangeError('the index is outside of the tree');
  return rootsOf(leaves, pathRanges(index, { start: 0, end: size }));
}

/**
 * The path that proves the tree over the first `from` leaves to be the beginning of that over the first `to`
 * (RFC 9162, 2.1.4.1). It is empty for equal sizes.
 * @throws RangeError unless 1 ≤ from ≤ to, or if fewer leaves come than `to`.
 */
export async function consistencyPath(leaves: Leaves, from: number, to: number): Promise<Hash[]> {
  assertSize(to);
  if (!Number.isSafeInteger(from) || from < 1 || from > to) throw new RangeError('sizes are 1 ≤ from ≤ to');
  return rootsOf(leaves, subProofRanges(from, { start: 0, end: to }, true));
}

/** Whether the path leads from the leaf to the root (RFC 9162, 2.1.3.2). Anything malformed is false. */
export function isIncluded(
  leaf: Hash,
  { index, size, path }: { readonly index: number; readonly size: number; readonly path: readonly Hash[] },
  root: Hash,
): boolean {
  if (!isCount(index) || !isCount(size) || index >= size || ![leaf, root, ...path].every(isHash)) return false;
  let position = index;
  let last = size - 1;
  let reached = leaf;
  for (const sibling of path) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      reached = nodeHash(sibling, reached);
      // A node without a sibling moves up as it is.
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)];
    } else reached = nodeHash(reached, sibling);
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && reached.equals(root);
}

/** Where leaves are in a tree, and the paths that prove it. */
export interface ProvenLeaves {
  readonly size: number;
  readonly root: Hash;
  /** By the leaf in hexadecimal; a leaf that is not in the tree is missing. */
  readonly places: ReadonlyMap<string, { readonly index: number; readonly path: readonly Hash[] }>;
}

/** Leaves of a full subtree whose hashes are kept while one of them is proven: of all others only the root stays. */
const TILE = 1_024;

/** Finds leaves and proves them in one reading of the tree. */
export async function proveLeaves(leaves: Iterable<Hash>, wanted: readonly Hash[]): Promise<ProvenLeaves> {
  const names = new Set(wanted.map((leaf) => leaf.toString('hex')));
  const roots: Hash[] = [];
  const found: { readonly name: string; readonly tile: number; readonly place: number }[] = [];
  const kept = new Map<number, Hash[]>();
  let tile: Hash[] = [];
  let size = 0;
  const closeTile = () => {
    if (tile.length > 0) roots.push(merkleRoot(tile));
    tile = [];
  };
  for (const leaf of leaves) {
    tile.push(leaf);
    const name = leaf.toString('hex');
    if (names.has(name)) {
      found.push({ name, tile: roots.length, place: tile.length - 1 });
      kept.set(roots.length, tile);
    }
    size++;
    if (tile.length === TILE) closeTile();
  }
  closeTile();
  const places = new Map<string, { index: number; path: Hash[] }>();
  for (const { name, tile: at, place } of found) {
    const below = kept.get(at)!;
    const path = [
      ...(await inclusionPath(below, place, below.length)),
      ...(await inclusionPath(roots, at, roots.length)),
    ];
    places.set(name, { index: at * TILE + place, path });
  }
  return { size, root: merkleRoot(roots), places };
}

/** Leaves from `start` to before `end`: a subtree of its own. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** The subtrees beside the way from the leaf to the top, the lowest first. */
function pathRanges(index: number, { start, end }: Range): Range[] {
  if (end - start === 1) return [];
  const middle = start + splitOf(end - start);
  const [left, right] = [
    { start, end: middle },
    { start: middle, end },
  ];
  return index < middle ? [...pathRanges(index, left), right] : [...pathRanges(index, right), left];
}

/** SUBPROOF of RFC 9162, 2.1.4.1: the subtrees that make both roots; `known` while the smaller tree is a subtree itself. */
function subProofRanges(from: number, { start, end }: Range, known: boolean): Range[] {
  if (from === end) return known ? [] : [{ start, end }];
  const middle = start + splitOf(end - start);
  const [left, right] = [
    { start, end: middle },
    { start: middle, end },
  ];
  return from <= middle ? [...subProofRanges(from, left, known), right] : [...subProofRanges(from, right, false), left];
}

/** The roots of subtrees that do not overlap, in the order given, of leaves that are read once. */
async function rootsOf(leaves: Leaves, ranges: readonly Range[]): Promise<Hash[]> {
  const ascending = ranges.map(({ start, end }, at) => ({ start, end, at })).sort((a, b) => a.start - b.start);
  const roots: Hash[] = [];
  let index = 0;
  let tree = new MerkleTree();
  for await (const leaf of ascending.length === 0 ? [] : leaves) {
    const next = ascending[0]!;
    if (index >= next.start) tree.append(leaf);
    index++;
    if (index < next.end) continue;
    roots[next.at] = tree.root();
    tree = new MerkleTree();
    ascending.shift();
    if (ascending.length === 0) break;
  }
  if (ascending.length > 0) throw new RangeError('fewer leaves than the tree has');
  return roots;
}

/** The largest power of two below the size: so many leaves are on the left. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** Without the 32 bits of the shift operators. */
function half(count: number): number {
  return Math.floor(count / 2);
}

function nodeHash(left: Hash, right: Hash): Hash {
  return sha256(Buffer.concat([Buffer.of(NODE), left, right]));
}

function sha256(bytes: Uint8Array): Hash {
  const made = Buffer.alloc(HASH_LENGTH);
  hashInto(bytes, made, 0);
  return made;
}

/** Writes the SHA-256 of the bytes. Asked for as text it takes a third of the time of an answer as a buffer. */
export function hashInto(bytes: Uint8Array, target: Uint8Array, at: number): void {
  const text = hash('sha256', bytes, 'binary');
  for (let byte = 0; byte < HASH_LENGTH; byte++) target[at + byte] = text.charCodeAt(byte);
}

function isHash(value: Uint8Array): boolean {
  return value.length === HASH_LENGTH;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function assertSize(size: number): void {
  if (!isCount(size) || size < 1) throw new RangeError('a tree has at least one leaf');
}
