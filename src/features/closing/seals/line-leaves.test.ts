import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesInBookOrder, naturalKey } from '../../../accounting/book-order.ts';
import type { Day } from '../../../accounting/period.ts';
import { leafField, lineLeaf, type SealedLine } from '../../../accounting/seal-leaf.ts';
import { leafHash, merkleRoot } from '../../../platform/merkle-tree.ts';
import { LineLeaves, type SealedDocument } from './line-leaves.ts';

const DOCUMENTS: readonly SealedDocument[] = [
  { id: 7, batch: '2', document: '10' },
  { id: 12, batch: '10', document: '1' },
  { id: 13, batch: '2', document: 'A\tB' },
  { id: 40, batch: 'ENC', document: '007' },
];
const ACCOUNTS = new Map([
  [1, '1.1.2'],
  [345, '8.1'],
]);

interface Row {
  readonly document: number;
  readonly account: number;
  readonly offset: number;
  readonly line: Omit<SealedLine, 'batch' | 'document' | 'account' | 'offset'>;
}

const ENTRIES = ['1', '2', '10', '010', '0', '00', 'A', 'a\\', 'a\\b', 'a\t', 'ção', '😀', '\ue000', '9'.repeat(25)];
const row: fc.Arbitrary<Row> = fc.record({
  document: fc.constantFrom(...DOCUMENTS.map(({ id }) => id)),
  account: fc.constantFrom(...ACCOUNTS.keys()),
  offset: fc.constantFrom(0, ...ACCOUNTS.keys()),
  line: fc.record({
    day: fc.constantFrom('2026-01-05', '2026-01-30', '2026-01-31') as fc.Arbitrary<Day>,
    entry: fc.oneof(fc.constantFrom(...ENTRIES), fc.bigInt(0n, 2n ** 40n).map(String), fc.string({ minLength: 1 })),
    sequence: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
    side: fc.constantFrom('D', 'C'),
    amount: fc.constantFrom('1.00', '1234567890123456.78'),
    closing: fc.boolean(),
    printedNarration: fc.oneof(fc.string(), fc.constant('é'.repeat(5_000))),
  }),
});

const rows = fc.uniqueArray(row, {
  maxLength: 40,
  selector: ({ document, line }) => JSON.stringify([document, line.entry, line.sequence]),
});

function sealedLine({ document, account, offset, line }: Row): SealedLine {
  const numbers = DOCUMENTS.find(({ id }) => id === document)!;
  return {
    ...line,
    batch: numbers.batch,
    document: numbers.document,
    account: ACCOUNTS.get(account)!,
    offset: ACCOUNTS.get(offset) ?? null,
  };
}

/** As COPY prints it, between what comes before and after it over the wire. */
function copied({ document, account, offset, line }: Row): Buffer {
  const { day, entry, sequence, side, amount, closing, printedNarration } = line;
  const fields = [document, account, offset, day, entry, sequence, side, amount, closing ? 1 : 0, printedNarration];
  return Buffer.from(`<${fields.map((field) => leafField(`${field}`)).join('\t')}>`);
}

function rootInOrder(lines: readonly SealedLine[]): string {
  const order = linesInBookOrder({
    days: lines.map(({ day }) => day),
    documents: lines.map(({ batch, document }) => ({ batchKey: naturalKey(batch), documentKey: naturalKey(document) })),
    entries: lines.map(({ entry }) => entry),
    sequences: lines.map(({ sequence }) => sequence),
  });
  return merkleRoot(order.map((at) => leafHash(Buffer.from(lineLeaf(lines[at]!))))).toString('hex');
}

test('lines that come in any order are in that of the books, also those of a document that comes after the root', () => {
  const added = { batch: 'ENC', document: 'ENCERRAMENTO' };
  fc.assert(
    fc.property(
      rows,
      fc.integer({ min: 0, max: 3 }),
      fc.constantFrom('2026-01-02', '2026-01-31'),
      (lines, late, day) => {
        const leaves = new LineLeaves(DOCUMENTS, ACCOUNTS);
        for (const each of lines) {
          const bytes = copied(each);
          leaves.add(bytes, 1, bytes.length - 1);
        }
        const sealed = lines.map(sealedLine);
        expect(leaves.root().toString('hex')).toBe(rootInOrder(sealed));
        const more = Array.from(
          { length: late },
          (_, at): SealedLine => ({
            ...sealedLine({ document: 7, account: 1, offset: 0, line: { ...LINE, day: day as Day, sequence: at + 1 } }),
            ...added,
          }),
        );
        leaves.addDocument(added, day as Day, more.map(lineLeaf));
        expect(leaves.root().toString('hex')).toBe(rootInOrder([...sealed, ...more]));
        expect(merkleRoot([...leaves]).equals(leaves.root())).toBe(true);
        expect(leaves.count).toBe(lines.length + late);
      },
    ),
    { numRuns: 100 },
  );
});

const LINE: Row['line'] = {
  day: '2026-01-31' as Day,
  entry: '1',
  sequence: 1,
  side: 'D',
  amount: '1.00',
  closing: true,
  printedNarration: '',
};

test('a line of a document that is none of the month is left out', () => {
  const leaves = new LineLeaves(DOCUMENTS, ACCOUNTS);
  const bytes = copied({ document: 8, account: 1, offset: 0, line: LINE });
  leaves.add(bytes, 1, bytes.length - 1);
  expect(leaves.count).toBe(0);
});
