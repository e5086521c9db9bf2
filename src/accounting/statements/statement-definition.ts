import { isAccountCode } from '../account-code.ts';
import { type Problem, problem } from '../problem.ts';
import { recordRef } from '../record-name.ts';

/** Balance sheet, income statement, statement of retained earnings, statement of changes in equity. */
export const STATEMENT_KINDS = ['BP', 'DRE', 'DLPA', 'DMPL'] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** A assets, P liabilities and equity, R revenue, D expense: IND_GRP of the bookkeeping file. */
export const LINE_GROUPS = ['A', 'P', 'R', 'D'] as const;
export type LineGroup = (typeof LINE_GROUPS)[number];

/** Accounts of a line: the code of one, or with a star all at and below a prefix. */
export interface AccountSelector {
  readonly pattern: string;
  /** Takes away what another selector of the line takes in. */
  readonly exclude: boolean;
}

export interface DefinitionLine {
  readonly code: string;
  /** T: the sum of the lines below it. D: the sum of its accounts. */
  readonly indicator: 'T' | 'D';
  readonly level: number;
  readonly parentCode: string | null;
  readonly group: LineGroup;
  readonly description: string;
  readonly note: string | null;
  /** Of D lines. */
  readonly selectors: readonly AccountSelector[];
}

/** Classes of accounts that statements show: assets, liabilities, equity, result. */
export const STATEMENT_CLASSES: readonly string[] = ['01', '02', '03', '04'];

/** Classes of the accounts that a line of the kind and group may hold (regulatory files: statements). */
export function classesOf(kind: StatementKind, group: LineGroup): readonly string[] {
  if (kind === 'BP') return group === 'A' ? ['01'] : ['02', '03'];
  return kind === 'DRE' ? ['04'] : ['03'];
}

/** Classes whose posting accounts must all be on a line of the kind; a DLPA shows some accounts of equity only. */
export function coveredClasses(kind: StatementKind): readonly string[] {
  if (kind === 'BP') return ['01', '02', '03'];
  return kind === 'DLPA' ? [] : classesOf(kind, 'P');
}

/** A line as it is given: its level follows from its parent. */
export interface GivenLine extends Omit<DefinitionLine, 'level'> {
  readonly level?: number | undefined;
}

/** Lines with the levels that their parents make; one that hangs under nothing, or under itself, has level 0. */
export function withLevels(lines: readonly GivenLine[]): DefinitionLine[] {
  const byCode = new Map(lines.map((line) => [line.code, line]));
  return lines.map((line) => ({ ...line, level: levelOf(line, byCode) }));
}

/** A level that is given is the one that the parent makes. */
export function levelProblems(lines: readonly GivenLine[]): Problem[] {
  return withLevels(lines).flatMap(({ level }, at) => {
    const given = lines[at]!.level;
    if (given === undefined || given === level || level === 0) return [];
    return [problem('INVALID_FIELD', { reason: 'OTHER_LEVEL', level }, `[${at}].level`)];
  });
}

function levelOf(line: GivenLine, byCode: ReadonlyMap<string, GivenLine>): number {
  let level = 1;
  for (let each = line; each.parentCode !== null; level++) {
    const parent = byCode.get(each.parentCode);
    if (parent === undefined || level > byCode.size) return 0;
    each = parent;
  }
  return level;
}

/** What a definition with this tree of lines breaks, whatever its accounts; paths are `[3].parentCode`. */
export function treeProblems(kind: StatementKind, lines: readonly DefinitionLine[]): Problem[] {
  const placed = lines.flatMap((line, at) => [...codeProblems(lines, line, at), ...placeProblems(lines, line, at)]);
  if (placed.length > 0) return placed;
  return [
    ...rootProblems(kind, lines),
    ...columnProblems(kind, lines),
    ...lines.flatMap((line, at) => [
      ...groupProblems(kind, lines, line, at),
      ...contentProblems(lines, line, at),
      ...patternProblems(line, at),
    ]),
  ];
}

function codeProblems(lines: readonly DefinitionLine[], { code }: DefinitionLine, at: number): Problem[] {
  const isFirst = lines.findIndex((line) => line.code === code) === at;
  return isFirst ? [] : [problem('DUPLICATE', recordRef('Statement line', code), `[${at}].code`)];
}

function placeProblems(lines: readonly DefinitionLine[], line: DefinitionLine, at: number): Problem[] {
  const { code, parentCode, level } = line;
  if (parentCode === null) return [];
  const path = `[${at}].parentCode`;
  const parent = lines.find((each) => each.code === parentCode);
  if (parent === undefined) return [problem('STATEMENT_LINE_ORPHAN', { line: code, parent: parentCode }, path)];
  if (level === 0) return [problem('STATEMENT_LINE_CYCLE', { line: code, parent: parentCode }, path)];
  if (parent.indicator === 'D')
    return [problem('STATEMENT_PARENT_NOT_TOTAL', { line: code, parent: parentCode }, path)];
  return [];
}

/** The lines of level 1: a balance sheet has its two sides, every other statement has one result. */
function rootProblems(kind: StatementKind, lines: readonly DefinitionLine[]): Problem[] {
  const roots = lines.filter(({ level }) => level === 1);
  const found = roots.map(({ group, indicator }) => group + indicator).toSorted();
  const isSound =
    kind === 'BP' ? found.join() === 'AT,PT' : roots.length === 1 && (kind === 'DLPA' || roots[0]!.indicator === 'T');
  if (isSound) return [];
  return [
    problem('STATEMENT_ROOTS', { statement: kind, roots: kind, lines: roots.map(({ code }) => code).join(', ') }),
  ];
}

/** The lines of a statement of changes are columns of a page. */
const MAX_COLUMNS = 20;

function columnProblems(kind: StatementKind, lines: readonly DefinitionLine[]): Problem[] {
  const columns = lines.filter(({ indicator }) => indicator === 'D').length;
  return kind === 'DMPL' && columns > MAX_COLUMNS ? [problem('LIST_TOO_LONG', { limit: MAX_COLUMNS })] : [];
}

function groupProblems(
  kind: StatementKind,
  lines: readonly DefinitionLine[],
  { group, parentCode }: DefinitionLine,
  at: number,
): Problem[] {
  const allowed: readonly LineGroup[] = kind === 'BP' ? ['A', 'P'] : kind === 'DRE' ? ['R', 'D'] : ['P'];
  const path = `[${at}].group`;
  if (!allowed.includes(group)) {
    return [problem('INVALID_FIELD', { reason: 'NOT_ONE_OF', values: allowed.join(', ') }, path)];
  }
  const parent = kind === 'BP' ? lines.find(({ code }) => code === parentCode) : undefined;
  if (parent === undefined || parent.group === group) return [];
  return [problem('INVALID_FIELD', { reason: 'OTHER_THAN_EXPECTED', found: group, expected: parent.group }, path)];
}

/** A total has lines below it and no accounts, every other line has accounts. */
function contentProblems(lines: readonly DefinitionLine[], line: DefinitionLine, at: number): Problem[] {
  const { code, indicator, selectors } = line;
  if (indicator === 'D') {
    const isEmpty = selectors.every(({ exclude }) => exclude);
    return isEmpty ? [problem('STATEMENT_LINE_WITHOUT_ACCOUNTS', { line: code }, `[${at}].selectors`)] : [];
  }
  if (selectors.length > 0) return [problem('STATEMENT_TOTAL_WITH_ACCOUNTS', { line: code }, `[${at}].selectors`)];
  const hasChildren = lines.some(({ parentCode }) => parentCode === code);
  return hasChildren ? [] : [problem('STATEMENT_TOTAL_EMPTY', { line: code }, `[${at}].indicator`)];
}

function patternProblems({ selectors }: DefinitionLine, at: number): Problem[] {
  return selectors.flatMap(({ pattern }, place) =>
    isAccountCode(pattern.replace(/\.?\*$/, ''))
      ? []
      : [problem('INVALID_ACCOUNT_CODE', { account: pattern }, `[${at}].selectors[${place}].pattern`)],
  );
}

/** A prefix, not the code of one account. */
export function isPrefix(pattern: string): boolean {
  return pattern.endsWith('*');
}
