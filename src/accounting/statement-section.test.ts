import { expect, test } from 'vitest';
import type { Nature } from './balance.ts';
import { type AccountId, asId } from './ids.ts';
import { isDebitSide, type StatementSection, sectionOfClass, sectionsOf } from './statement-section.ts';

test.each<readonly [string, Nature, StatementSection, 'D' | 'C']>([
  ['01', 'C', 'ASSET', 'D'],
  ['02', 'D', 'LIABILITY', 'C'],
  ['03', 'D', 'EQUITY', 'C'],
  ['04', 'C', 'REVENUE', 'C'],
  ['04', 'M', 'REVENUE', 'C'],
  ['04', 'D', 'EXPENSE', 'C'],
  ['05', 'D', 'MEMORANDUM_DEBIT', 'D'],
  ['05', 'M', 'MEMORANDUM_DEBIT', 'D'],
  ['05', 'C', 'MEMORANDUM_CREDIT', 'C'],
  ['09', 'D', 'OTHER_DEBIT', 'D'],
  ['09', 'C', 'OTHER_CREDIT', 'C'],
])('class %s, normal balance %s is in %s on side %s', (accountClass, normalBalance, section, side) => {
  expect(sectionOfClass({ accountClass, normalBalance })).toBe(section);
  expect(isDebitSide(section)).toBe(side === 'D');
});

test('the root of a tree decides for all below it', () => {
  const account = asId<AccountId>;
  const root = { id: account(1), parentId: null, accountClass: '01', normalBalance: 'D' } as const;
  const below = { id: account(2), parentId: account(1), accountClass: '02', normalBalance: 'C' } as const;
  const leaf = { id: account(3), parentId: account(2), accountClass: '05', normalBalance: 'C' } as const;
  const alone = { id: account(4), parentId: account(99), accountClass: '05', normalBalance: 'C' } as const;
  const sectionOf = sectionsOf([leaf, below, root, alone]);
  expect([root, below, leaf, alone].map(sectionOf)).toEqual(['ASSET', 'ASSET', 'ASSET', 'MEMORANDUM_CREDIT']);
});
