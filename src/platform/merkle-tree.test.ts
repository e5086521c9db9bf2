import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isConsistent } from '../../test/support/consistency-proof.ts';
import {
  consistencyPath,
  type Hash,
  inclusionPath,
  isIncluded,
  leafHash,
  MerkleTree,
  merkleRoot,
  proveLeaves,
} from './merkle-tree.ts';

/** Those of Certificate Transparency's own tests (merkle_tree_test.cc; the same in Go, Java and Python). */
const PUBLISHED = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const PUBLISHED_ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const PUBLISHED_LEAVES = PUBLISHED.map((item) => leafHash(Buffer.from(item, 'hex')));

describe('the published vectors', () => {
  test.each(PUBLISHED_ROOTS.map((root, size) => [size, root]))('the root over %i leaves is %s', (size, root) => {
    expect(merkleRoot(PUBLISHED_LEAVES.slice(0, size)).toString('hex')).toBe(root);
  });

  test.each([
    [0, 1, []],
    [
      0,
      8,
      [
        '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
      ],
    ],
    [
      5,
      8,
      [
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    ],
    [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
    [
      1,
      5,
      [
        '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    ],
  ])('the path of leaf %i in a tree of %i', async (index, size, path) => {
    expect(hex(await inclusionPath(PUBLISHED_LEAVES, index, size))).toEqual(path);
  });

  test.each([
    [1, 1, []],
    [
      1,
      8,
      [
        '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
      ],
    ],
    [
      6,
      8,
      [
        '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    ],
    [
      2,
      5,
      [
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    ],
  ])('the path from a tree of %i to one of %i', async (from, to, path) => {
    expect(hex(await consistencyPath(PUBLISHED_LEAVES, from, to))).toEqual(path);
  });
});

const MOST = 70;
const LEAVES = Array.from({ length: MOST }, (_, index) => leafHash(Buffer.from(`leaf ${index}`)));
const ROOTS = Array.from({ length: MOST + 1 }, (_, size) => naiveRoot(LEAVES.slice(0, size)));
/** Around powers of two and at both ends: what is tried with every changed byte. */
const SIZES = [1, 2, 3, 5, 8, 13, 31, 32, 33, 70];

describe('a tree that grows', () => {
  test('has at every size the root of the definition', () => {
    const tree = new MerkleTree();
    for (let size = 0; size <= MOST; size++) {
      expect(tree.size).toBe(size);
      expect(tree.root()).toEqual(ROOTS[size]);
      if (size < MOST) tree.append(LEAVES[size]!);
    }
  });

  test('takes hashes alone', () => {
    expect(() => new MerkleTree().append(Buffer.alloc(31))).toThrow('a leaf is a hash of 32 bytes');
  });
});

describe('the path of a leaf', () => {
  test('leads to the root, for every leaf of every size', async () => {
    for (let size = 1; size <= MOST; size++) {
      for (let index = 0; index < size; index++) {
        const path = await inclusionPath(LEAVES, index, size);
        expect(path).toEqual(naivePath(index, LEAVES.slice(0, size)));
        expect(isIncluded(LEAVES[index]!, { index, size, path }, ROOTS[size]!)).toBe(true);
      }
    }
  });

  test('leads nowhere with any byte changed, a hash more or less, or two exchanged', async () => {
    for (const size of SIZES) {
      for (const index of new Set([0, Math.floor(size / 2), size - 1])) {
        const leaf = LEAVES[index]!;
        const path = await inclusionPath(LEAVES, index, size);
        const holds = (changed: { leaf?: Hash; path?: readonly Hash[]; root?: Hash }) =>
          isIncluded(changed.leaf ?? leaf, { index, size, path: changed.path ?? path }, changed.root ?? ROOTS[size]!);
        for (const changed of changesOf(leaf)) expect(holds({ leaf: changed })).toBe(false);
        for (const changed of changesOf(ROOTS[size]!)) expect(holds({ root: changed })).toBe(false);
        for (const changed of changedPaths(path)) expect(holds({ path: changed })).toBe(false);
      }
    }
  });

  test('proves neither another place nor another leaf', async () => {
    for (const size of SIZES) {
      for (let index = 0; index < size; index++) {
        const path = await inclusionPath(LEAVES, index, size);
        for (let other = 0; other < size; other++) {
          if (other === index) continue;
          expect(isIncluded(LEAVES[index]!, { index: other, size, path }, ROOTS[size]!)).toBe(false);
          expect(isIncluded(LEAVES[other]!, { index, size, path }, ROOTS[size]!)).toBe(false);
        }
      }
    }
  });

  test.each([
    { index: -1, size: 2 },
    { index: 2, size: 2 },
    { index: 0.5, size: 2 },
    { index: 0, size: 0 },
    { index: 0, size: 2 ** 53 },
    { index: Number.NaN, size: 2 },
  ])('is false for $index of $size, and not made', async ({ index, size }) => {
    const path = [LEAVES[1]!];
    expect(isIncluded(LEAVES[0]!, { index, size, path }, ROOTS[2]!)).toBe(false);
    await expect(inclusionPath(LEAVES, index, size)).rejects.toThrow(RangeError);
  });

  test('is read from leaves that come in time, and no more of them than it needs', async () => {
    let read = 0;
    const stream = async function* () {
      for (const leaf of LEAVES) {
        read++;
        yield leaf;
      }
    };
    expect(await inclusionPath(stream(), 0, 33)).toEqual(naivePath(0, LEAVES.slice(0, 33)));
    expect(read).toBe(33);
    await expect(inclusionPath(stream(), 0, MOST + 1)).rejects.toThrow('fewer leaves than the tree has');
  });
});

describe('leaves that are looked for', () => {
  test.each([1, 2, 1_023, 1_024, 1_025, 2_048, 2_049, 3_000, 5_121])('are found and proven among %i', async (size) => {
    const all = Array.from({ length: size }, (_, at) => leafHash(Buffer.from(`${at}`)));
    const indexes = [...new Set([0, 1, 1_023, 1_024, 2_047, 2_048, size - 1])].filter((at) => at < size);
    const absent = leafHash(Buffer.from('absent'));
    const proven = await proveLeaves(all, [...indexes.map((at) => all[at]!), absent]);
    expect(proven.root).toEqual(merkleRoot(all));
    expect(proven.size).toBe(size);
    expect([...proven.places.values()].map(({ index }) => index)).toEqual(indexes.sort((a, b) => a - b));
    for (const { index, path } of proven.places.values()) {
      expect(isIncluded(all[index]!, { index, size, path }, proven.root)).toBe(true);
      expect(path).toEqual(await inclusionPath(all, index, size));
    }
  });

  test('are not in a tree without any', async () => {
    expect(await proveLeaves([], [LEAVES[0]!])).toEqual({ size: 0, root: ROOTS[0], places: new Map() });
  });
});

describe('the path between two trees', () => {
  test('leads from each root to each later one', async () => {
    for (let to = 1; to <= MOST; to++) {
      for (let from = 1; from <= to; from++) {
        const path = await consistencyPath(LEAVES, from, to);
        expect(path).toEqual(naiveConsistency(from, LEAVES.slice(0, to), true));
        expect(isConsistent({ size: from, root: ROOTS[from]! }, { size: to, root: ROOTS[to]! }, path)).toBe(true);
      }
    }
  });

  test('leads nowhere with any byte changed, a hash more or less, or two exchanged', async () => {
    for (const to of SIZES) {
      for (const from of new Set([1, Math.ceil(to / 2), Math.max(1, to - 1), to])) {
        const path = await consistencyPath(LEAVES, from, to);
        const holds = (changed: { older?: Hash; newer?: Hash; path?: readonly Hash[] }) =>
          isConsistent(
            { size: from, root: changed.older ?? ROOTS[from]! },
            { size: to, root: changed.newer ?? ROOTS[to]! },
            changed.path ?? path,
          );
        for (const older of changesOf(ROOTS[from]!)) expect(holds({ older })).toBe(false);
        for (const newer of changesOf(ROOTS[to]!)) expect(holds({ newer })).toBe(false);
        for (const changed of changedPaths(path)) expect(holds({ path: changed })).toBe(false);
      }
    }
  });

  test('is not found where a leaf of the beginning was exchanged', async () => {
    const forged = LEAVES.with(3, leafHash(Buffer.from('another')));
    for (let to = 5; to <= MOST; to++) {
      const path = await consistencyPath(forged, 5, to);
      const root = merkleRoot(forged.slice(0, to));
      expect(isConsistent({ size: 5, root: ROOTS[5]! }, { size: to, root }, path)).toBe(false);
    }
  });

  test.each([
    [0, 3],
    [4, 3],
    [1.5, 3],
    [1, 2 ** 53],
  ])('is false from %i to %i, and not made', async (from, to) => {
    expect(isConsistent({ size: from, root: ROOTS[1]! }, { size: to, root: ROOTS[3]! }, [])).toBe(false);
    await expect(consistencyPath(LEAVES, from, to)).rejects.toThrow(RangeError);
  });
});

/** MTH of RFC 9162, 2.1.1, letter by letter. */
function naiveRoot(leaves: readonly Hash[]): Hash {
  if (leaves.length === 0) return createHash('sha256').digest();
  if (leaves.length === 1) return leaves[0]!;
  const [left, right] = halves(leaves);
  return createHash('sha256').update(Buffer.of(1)).update(naiveRoot(left)).update(naiveRoot(right)).digest();
}

/** PATH of RFC 9162, 2.1.3.1. */
function naivePath(index: number, leaves: readonly Hash[]): Hash[] {
  if (leaves.length === 1) return [];
  const [left, right] = halves(leaves);
  return index < left.length
    ? [...naivePath(index, left), naiveRoot(right)]
    : [...naivePath(index - left.length, right), naiveRoot(left)];
}

/** SUBPROOF of RFC 9162, 2.1.4.1. */
function naiveConsistency(from: number, leaves: readonly Hash[], known: boolean): Hash[] {
  if (from === leaves.length) return known ? [] : [naiveRoot(leaves)];
  const [left, right] = halves(leaves);
  return from <= left.length
    ? [...naiveConsistency(from, left, known), naiveRoot(right)]
    : [...naiveConsistency(from - left.length, right, false), naiveRoot(left)];
}

function halves(leaves: readonly Hash[]): [Hash[], Hash[]] {
  const split = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return [leaves.slice(0, split), leaves.slice(split)];
}

/** The hash with each of its bytes changed in turn, and one byte too short and too long. */
function changesOf(hash: Hash): Hash[] {
  const changed = [...hash].map((byte, at) => {
    const copy = Buffer.from(hash);
    copy[at] = byte ^ 1;
    return copy;
  });
  return [...changed, hash.subarray(1), Buffer.concat([hash, Buffer.of(0)])];
}

function changedPaths(path: readonly Hash[]): Hash[][] {
  const changed = path.flatMap((hash, at) => changesOf(hash).map((other) => path.with(at, other)));
  const exchanged = path.slice(1).map((hash, at) => path.with(at, hash).with(at + 1, path[at]!));
  const shorter = path.map((_, at) => path.toSpliced(at, 1));
  return [...changed, ...exchanged, ...shorter, [...path, LEAVES[0]!], [LEAVES[0]!, ...path]];
}

function hex(hashes: readonly Hash[]): string[] {
  return hashes.map((each) => each.toString('hex'));
}
