import fc from 'fast-check';
import { expect, test } from 'vitest';
import { definitionByClass } from './default-definition.ts';
import { financialStatement } from './financial-statement.ts';
import { placeAccounts } from './place-accounts.ts';
import type { DefinitionLine } from './statement-definition.ts';

const account = (id: number, code: string, accountClass: string, parentId: number | null = null) => ({
  id,
  code,
  parentId,
  type: parentId === null ? ('S' as const) : ('A' as const),
  accountClass,
  description: `Conta ${code}`,
  normalBalance: accountClass === '01' || code.startsWith('8') ? ('D' as const) : ('C' as const),
});

const CHART = [
  account(1, '1', '01'),
  account(2, '1.1', '01', 1),
  account(3, '1.2', '01', 1),
  account(4, '2', '02'),
  account(5, '2.1', '02', 4),
  account(6, '2.3', '03', 4),
  account(7, '7', '04'),
  account(8, '7.1', '04', 7),
  account(9, '8', '04'),
  account(10, '8.1', '04', 9),
];
const POSTINGS = CHART.filter(({ type }) => type === 'A');

function statementOf(kind: 'BP' | 'DRE', lines: readonly DefinitionLine[], columns: readonly Map<number, bigint>[]) {
  const placement = placeAccounts(kind, lines, CHART, []);
  return financialStatement({ kind, lines, accounts: CHART, placement, columns });
}

const amountsOf = ({ rows }: ReturnType<typeof statementOf>) =>
  rows.map(({ source, line, level, amounts }) => `${level} ${line?.code ?? source} ${amounts}`);

test('a detail is the sum of its accounts, a total that of its parts, in the published sign', () => {
  const sheet = definitionByClass('BP', CHART, []);
  const balances = new Map([
    [2, 1500n],
    [5, -300n],
    [6, -1000n],
    [8, -250n],
    [10, 50n],
  ]);
  expect(amountsOf(statementOf('BP', sheet, [balances]))).toEqual([
    '1 A 1500',
    '2 A1.1 1500',
    '2 A1.2 0',
    '1 P 1500',
    '2 PE 300',
    '3 P2.1 300',
    '2 PL 1200',
    '3 P2.3 1000',
    '3 OPEN_RESULT 200',
  ]);
  expect(amountsOf(statementOf('DRE', definitionByClass('DRE', CHART, []), [balances]))).toEqual([
    '1 R 200',
    '2 RR 250',
    '3 R7.1 250',
    '2 RD -50',
    '3 D8.1 -50',
  ]);
});

test('books that do not balance show by how much, in each column', () => {
  const sheet = definitionByClass('BP', CHART, []);
  const columns = [new Map([[2, 10n]]), new Map(), new Map([[5, -7n]])];
  expect(statementOf('BP', sheet, columns).differences).toEqual([10n, 0n, -7n]);
});

test('the sides of a balance sheet are equal over any books, whatever its lines leave out', () => {
  const entries = fc.array(
    fc.record({
      debit: fc.constantFrom(...POSTINGS),
      credit: fc.constantFrom(...POSTINGS),
      amount: fc.bigInt({ min: 1n, max: 10n ** 15n }),
    }),
    { maxLength: 40 },
  );
  const all = definitionByClass('BP', CHART, []);
  const dropped = fc.subarray(['A1.2', 'P2.1', 'P2.3'], { maxLength: 2 });
  fc.assert(
    fc.property(entries, dropped, (posted, without) => {
      const balances = new Map<number, bigint>();
      const add = (id: number, amount: bigint) => balances.set(id, (balances.get(id) ?? 0n) + amount);
      for (const { debit, credit, amount } of posted) {
        add(debit.id, amount);
        add(credit.id, -amount);
      }
      const kept = all.filter(({ code }) => !without.includes(code));
      const { rows, differences, unplaced } = statementOf('BP', kept, [balances]);
      expect(differences).toEqual([0n]);
      const roots = rows.filter(({ level }) => level === 1);
      expect(roots[0]!.amounts).toEqual(roots[1]!.amounts);
      const missing = POSTINGS.filter(
        ({ id, code }) => without.some((each) => each.endsWith(code)) && balances.get(id),
      );
      expect(unplaced.map(({ code }) => code)).toEqual(missing.map(({ code }) => code));
    }),
  );
});
