import { expect, test } from 'vitest';
import { blockingCodes, findingState } from './closing-checklist.ts';

test('lines that do not balance always stop a close; the rest is the choice of the branch, or of its layout', () => {
  expect(blockingCodes('COSIF', null)).toEqual([
    'UNBALANCED_DOCUMENTS',
    'BOOKS_DIFFER',
    'CLOSURE_SETTINGS_MISSING',
    'DRAFTS_WAITING',
  ]);
  expect(blockingCodes('CVM', null)).toEqual([
    'UNBALANCED_DOCUMENTS',
    'BOOKS_DIFFER',
    'CLOSURE_SETTINGS_MISSING',
    'DRAFTS_WAITING',
  ]);
  expect(blockingCodes('NONE', null)).toEqual(['UNBALANCED_DOCUMENTS', 'BOOKS_DIFFER', 'DRAFTS_WAITING']);
  expect(blockingCodes('COSIF', [])).toEqual(['UNBALANCED_DOCUMENTS', 'DRAFTS_WAITING']);
  expect(blockingCodes('NONE', ['TEMPLATES_PENDING', 'DAYS_OPEN'])).toEqual([
    'DAYS_OPEN',
    'UNBALANCED_DOCUMENTS',
    'TEMPLATES_PENDING',
    'DRAFTS_WAITING',
  ]);
});

test.each([
  ['DAYS_OPEN', 3, 'OPEN', 'BLOCKED'],
  ['DAYS_OPEN', 3, 'CLOSED', 'PENDING'],
  ['INVERTED_BALANCES', 3, 'OPEN', 'WARNING'],
  ['INVERTED_BALANCES', undefined, 'OPEN', 'OK'],
  ['INVERTED_BALANCES', undefined, 'NOT_OPENED', 'NOT_APPLICABLE'],
  ['MONTH_OPEN', 1, 'NOT_OPENED', 'PENDING'],
  ['STALE_QUOTAS', undefined, 'OPEN', 'NOT_APPLICABLE'],
  ['STALE_QUOTAS', 0, 'OPEN', 'OK'],
  ['RULES_FAILED', 2, 'CLOSED', 'WARNING'],
  ['CONSOLIDATED', 1, 'OPEN', 'PENDING'],
] as const)('%s with %s in a month that is %s is %s', (code, count, month, state) => {
  expect(findingState(code, count, month, ['DAYS_OPEN'])).toBe(state);
});
