import { expect, test } from 'vitest';
import type { AccountMask } from '../account-code.ts';
import { placeAccounts, placementProblems } from './place-accounts.ts';
import { type StatementKind, withLevels } from './statement-definition.ts';

const COSIF: AccountMask = { name: 'COSIF', digits: [1, 1, 1, 2, 2, 2], separated: true };

const account = (code: string, accountClass: string, type: 'S' | 'A' = 'A') => ({
  id: Number(code.replace(/\D/g, '')),
  code,
  type,
  accountClass,
});

const CHART = [
  account('1', '01', 'S'),
  account('1.1', '01'),
  account('1.2', '01'),
  account('2.1', '02'),
  account('3.1', '03'),
  account('7.1.1.10.00.00-4', '04'),
  account('7.1.2.10.00.00-7', '04'),
  account('7.9.1.10.00.00-8', '04'),
  account('9.1', '05'),
];

const line = (code: string, patterns: string) => ({
  code,
  indicator: 'D' as const,
  parentCode: null,
  group: code[0] as 'A',
  description: code,
  note: null,
  selectors: patterns.split(' ').map((each) => ({ pattern: each.replace(/^-/, ''), exclude: each.startsWith('-') })),
});

function placed(kind: StatementKind, ...lines: ReturnType<typeof line>[]) {
  const { byLine, onNoLine, onTwoLines } = placeAccounts(kind, withLevels(lines), CHART, [COSIF]);
  return {
    byLine: Object.fromEntries([...byLine].map(([code, accounts]) => [code, accounts.map((each) => each.code)])),
    onNoLine: onNoLine.map(({ code }) => code),
    onTwoLines: onTwoLines.map(({ account, lines }) => `${account.code}: ${lines}`),
  };
}

test('a prefix compares significant segments, a code stands for itself, an exclusion takes away', () => {
  expect(placed('DRE', line('R1', '7* -7.9.1*'))).toEqual({
    byLine: { R1: ['7.1.1.10.00.00-4', '7.1.2.10.00.00-7'] },
    onNoLine: ['7.9.1.10.00.00-8'],
    onTwoLines: [],
  });
  expect(placed('DRE', line('R1', '7.1.1*'), line('R2', '7.1.2.10.00.00-7'), line('R3', '791*')).byLine).toEqual({
    R1: ['7.1.1.10.00.00-4'],
    R2: ['7.1.2.10.00.00-7'],
    R3: ['7.9.1.10.00.00-8'],
  });
});

test('an account on two lines counts on the first; classes that do not fit count nowhere', () => {
  expect(placed('BP', line('A1', '1*'), line('A2', '1.2'), line('P1', '2* 3* 9*'))).toEqual({
    byLine: { A1: ['1.1', '1.2'], A2: [], P1: ['2.1', '3.1'] },
    onNoLine: [],
    onTwoLines: ['1.2: A1,A2'],
  });
});

test('a statement of retained earnings need not hold all accounts of equity', () => {
  expect(placed('DLPA', line('P', '3.2')).onNoLine).toEqual([]);
  expect(placed('DMPL', line('P', '3.2')).onNoLine).toEqual(['3.1']);
});

test('problems name each account', () => {
  const lines = withLevels([line('A1', '1* 4.4 1'), line('A2', '1.2'), line('P1', '9*')]);
  expect(placementProblems('BP', lines, CHART, [COSIF])).toMatchObject([
    { code: 'ACCOUNT_NOT_IN_CHART', params: { account: '4.4' }, path: '[0].selectors[1].pattern' },
    { code: 'STATEMENT_SUMMARY_ACCOUNT', params: { account: '1' }, path: '[0].selectors[2].pattern' },
    { code: 'STATEMENT_ACCOUNT_TWICE', params: { account: '1.2', lines: 'A1, A2' }, path: '[1].selectors' },
    { code: 'STATEMENT_ACCOUNT_CLASS', params: { account: '9.1', line: 'P1', class: '05' }, path: '[2].selectors' },
  ]);
});
