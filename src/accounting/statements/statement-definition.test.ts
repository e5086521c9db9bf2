import { expect, test } from 'vitest';
import { type GivenLine, levelProblems, type StatementKind, treeProblems, withLevels } from './statement-definition.ts';

/** 'A T', 'A1 D A 1.1* -1.1.2': code, indicator, parent, patterns; the group is the code's first letter. */
function lines(...texts: string[]): GivenLine[] {
  return texts.map((text) => {
    const [code, indicator, parent, ...patterns] = text.split(' ');
    return {
      code: code!,
      indicator: indicator as 'T' | 'D',
      parentCode: parent === undefined || parent === '-' ? null : parent,
      group: code![0] as 'A',
      description: code!,
      note: null,
      selectors: patterns.map((each) => ({ pattern: each.replace(/^-/, ''), exclude: each.startsWith('-') })),
    };
  });
}

const SHEET = ['A T', 'A1 D A 1*', 'P T', 'P1 D P 2* 3*'];
const without = (code: string) => SHEET.filter((line) => !line.startsWith(`${code} `));

test.each<[says: string, kind: StatementKind, given: string[], problems: string[]]>([
  ['a balance sheet', 'BP', SHEET, []],
  ['an income statement', 'DRE', ['R T', 'R1 D R 7*', 'D1 D R 8*'], []],
  ['retained earnings in one line', 'DLPA', ['P D - 3.2'], []],
  ['changes in equity', 'DMPL', ['P T', 'P1 D P 3.1', 'P2 D P 3.2'], []],
  ['a code twice', 'BP', [...SHEET, 'A1 D A 9*'], ['DUPLICATE [4].code']],
  ['a parent that is not there', 'BP', [...SHEET, 'A2 D X 9*'], ['STATEMENT_LINE_ORPHAN [4].parentCode']],
  [
    'a cycle',
    'BP',
    [...SHEET, 'A2 T A3', 'A3 T A2'],
    ['STATEMENT_LINE_CYCLE [4].parentCode', 'STATEMENT_LINE_CYCLE [5].parentCode'],
  ],
  ['a line below itself', 'BP', [...SHEET, 'A2 T A2'], ['STATEMENT_LINE_CYCLE [4].parentCode']],
  ['a line below accounts', 'BP', [...SHEET, 'A2 D A1 9*'], ['STATEMENT_PARENT_NOT_TOTAL [4].parentCode']],
  ['one side only', 'BP', ['A T', 'A1 D A 1*'], ['STATEMENT_ROOTS']],
  ['two sides of assets', 'BP', ['A T', 'A1 D A 1*', 'AA T', 'AA1 D AA 2*'], ['STATEMENT_ROOTS']],
  ['three sides', 'BP', [...SHEET, 'PP T', 'PP1 D PP 4*'], ['STATEMENT_ROOTS']],
  ['two results', 'DRE', ['R T', 'R1 D R 7*', 'RR T', 'RR1 D RR 8*'], ['STATEMENT_ROOTS']],
  ['a result of accounts', 'DRE', ['R D - 7*'], ['STATEMENT_ROOTS']],
  ['a group of another statement', 'DRE', ['R T', 'A1 D R 7*'], ['INVALID_FIELD [1].group']],
  ['a group of the other side', 'BP', [...SHEET, 'P2 D A 4*'], ['INVALID_FIELD [4].group']],
  ['a total of nothing', 'BP', [...SHEET, 'A2 T A'], ['STATEMENT_TOTAL_EMPTY [4].indicator']],
  ['a total of accounts', 'BP', ['A T - 1*', ...without('A')], ['STATEMENT_TOTAL_WITH_ACCOUNTS [0].selectors']],
  ['a line without accounts', 'BP', [...SHEET, 'A2 D A'], ['STATEMENT_LINE_WITHOUT_ACCOUNTS [4].selectors']],
  ['a line that only excludes', 'BP', [...SHEET, 'A2 D A -4*'], ['STATEMENT_LINE_WITHOUT_ACCOUNTS [4].selectors']],
  ['what is no code', 'BP', [...SHEET, 'A2 D A x*'], ['INVALID_ACCOUNT_CODE [4].selectors[0].pattern']],
])('%s', (_says, kind, given, problems) => {
  expect(
    treeProblems(kind, withLevels(lines(...given))).map(({ code, path }) => (path ? `${code} ${path}` : code)),
  ).toEqual(problems);
});

test('levels follow from the parents, in whatever order the lines come', () => {
  const given = lines('A11 D A1 1*', 'A1 T A', 'A T');
  expect(withLevels(given).map(({ level }) => level)).toEqual([3, 2, 1]);
  expect(levelProblems([{ ...given[0]!, level: 2 }, ...given.slice(1)])).toMatchObject([
    { code: 'INVALID_FIELD', params: { reason: 'OTHER_LEVEL', level: 3 }, path: '[0].level' },
  ]);
});
